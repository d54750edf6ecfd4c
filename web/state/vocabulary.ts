/** Counts up when keywords, people or objects have changed, or people's faces: what was remembered of them is loaded anew. */
import { signal } from '@preact/signals-react'

export const vocabularyVersion = signal(0)

export function vocabularyChanged(): void {
  vocabularyVersion.value++
}

export const facesVersion = signal(0)

/** People may be known by other faces than before. */
export function facesChanged(): void {
  facesVersion.value++
}
