/** What may have changed on the server since it was loaded: a version per subject, which goes up with each change. */
import { signal } from '@preact/signals-react'

/**
 * `items`: an item came, went or changed. `words`: the names of keywords, people or objects. `faces`: by which faces people are
 * known. `plugins`: which are installed or active.
 */
export type Subject = 'items' | 'words' | 'faces' | 'plugins'

const versions = { items: signal(0), words: signal(0), faces: signal(0), plugins: signal(0) }

/** Reads a signal: whoever shows the subject loads it again when this number has changed. */
export function versionOf(subject: Subject): number {
  return versions[subject].value
}

export function markStale(...subjects: readonly Subject[]): void {
  for (const subject of subjects) versions[subject].value++
}
