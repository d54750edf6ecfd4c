/** Code that is loaded when it is first needed. The components that use it work without it until then. */
import { type ReadonlySignal, signal } from '@preact/signals-react'
import { outage } from '../../api.ts'
import { onRecovery } from './recovery.ts'

/** `part` is null until `load` was called and has succeeded. If it fails, it is tried again when the server is back. */
export function createPart<T>(fetchPart: () => Promise<T>): { part: ReadonlySignal<T | null>; load: () => void } {
  const part = signal<T | null>(null)
  let loading = false
  const load = () => {
    if (loading || part.peek() !== null) return
    loading = true
    fetchPart()
      .then(
        loaded => {
          part.value = loaded
        },
        () => {
          outage.report()
          const stop = onRecovery(() => {
            stop()
            load()
          })
        },
      )
      .finally(() => {
        loading = false
      })
  }
  return { part, load }
}
