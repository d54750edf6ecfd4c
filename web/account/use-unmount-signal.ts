/** Lets pending work end when its component is unmounted. */
import { useLayoutEffect, useState } from 'react'

/** Returns a signal that is aborted when the component is unmounted. */
export function useUnmountSignal(): AbortSignal {
  const [unmounted] = useState(() => new AbortController())
  useLayoutEffect(() => () => unmounted.abort(), [unmounted])
  return unmounted.signal
}
