/** Tells what is under way that whoever began it has closed what he began it in. */
import { useEffect, useState } from 'react'

/** Aborted once the component is gone. */
export function useLeft(): AbortSignal {
  const [gone] = useState(() => new AbortController())
  useEffect(() => () => gone.abort(), [gone])
  return gone.signal
}
