/** Tells what is under way that whoever began it has closed what he began it in. */
import { useLayoutEffect, useState } from 'react'

/** Aborted once the component is gone. */
export function useLeft(): AbortSignal {
  const [gone] = useState(() => new AbortController())
  useLayoutEffect(() => () => gone.abort(), [gone])
  return gone.signal
}
