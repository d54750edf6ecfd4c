/** Tells pending work that the component that started it is gone. */
import { useLayoutEffect, useState } from 'react'

/** Aborted once the component is gone. */
export function useUnmountSignal(): AbortSignal {
  const [gone] = useState(() => new AbortController())
  useLayoutEffect(() => () => gone.abort(), [gone])
  return gone.signal
}
