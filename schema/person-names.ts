/** The name of a person at a moment. Pure. */
import type { PersonName } from './api/people.ts'

/** The name at the moment `at` (seconds, local time read as if UTC); of several, the one that began last. */
export function nameAtMoment(names: readonly PersonName[], at: number): string | null {
  const then = names
    .filter(({ active_from: from, active_to: to }) => (from ?? -Infinity) <= at && at < (to ?? Infinity))
    .sort((a, b) => (b.active_from ?? -Infinity) - (a.active_from ?? -Infinity) || a.id - b.id)
  return then[0]?.name ?? null
}
