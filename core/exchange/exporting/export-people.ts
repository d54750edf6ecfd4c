/** Exports all people with their names over time as people.json. */
import { asc } from 'drizzle-orm'
import { people } from '../../../schema/tables/vocabulary.ts'
import { requireGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { personNamesOf } from '../../people/person-names.ts'

/** Returns people.json, one person per line. Times are seconds, local time read as if UTC; null means unbounded. */
export function exportPeople(db: LibraryDatabase, viewer: Viewer): string {
  requireGlobalAdmin(viewer)
  const names = Map.groupBy(personNamesOf(db), ({ person }) => person)
  const lines = db.orm
    .select()
    .from(people)
    .orderBy(asc(people.id))
    .all()
    .map(({ id, birthdate }) =>
      JSON.stringify({
        id,
        birthdate,
        names: (names.get(id) ?? []).map(({ name, active_from, active_to }) => ({ name, active_from, active_to })),
      }),
    )
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`
}
