/** Lets pending work end when its component is unmounted. */
import { useLayoutEffect, useState } from 'react'

/** Returns a signal that is aborted when the component is unmounted. */
export function useUnmountSignal(): AbortSignal {
  const [gone] = useState(() => new AbortController())
  useLayoutEffect(() => () => gone.abort(), [gone])
  return gone.signal
}
