/** A version for each kind of data, which grows when such data may have changed on the server. */
import { signal } from '@preact/signals-react'

/**
 * `items`: added, removed, changed, shown or hidden. `words`: names. `faces`: reference faces. `plugins`: the active
 * plugins. `albums`: their fields, members and items.
 */
export type StaleSubject = 'items' | 'words' | 'faces' | 'plugins' | 'albums'

const versions = { items: signal(0), words: signal(0), faces: signal(0), plugins: signal(0), albums: signal(0) }

/** The version of a kind of data. Reads a signal, so that whatever shows the data can load them again. */
export function versionOf(subject: StaleSubject): number {
  return versions[subject].value
}

export function markStale(...subjects: readonly StaleSubject[]): void {
  for (const subject of subjects) versions[subject].value++
}
