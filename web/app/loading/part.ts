/** Code that is loaded when it is first needed, by components that do without it until then. */
import { type ReadonlySignal, signal } from '@preact/signals-react'
import { outage } from '../../api.ts'

/** `part` is null until `load` has been called and has succeeded. After a failure, the next call tries again. */
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
        () => outage.report(),
      )
      .finally(() => {
        loading = false
      })
  }
  return { part, load }
}
