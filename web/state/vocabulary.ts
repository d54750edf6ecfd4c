/** Counts up when keywords, people or objects have changed: what was remembered of them is loaded anew. */
import { signal } from '@preact/signals-react'

export const vocabularyVersion = signal(0)

export function vocabularyChanged(): void {
  vocabularyVersion.value++
}
