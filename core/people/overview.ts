/** Overviews of people: all people by frequency, with a face each; and one person's years, places and companions. */
import type { PersonPage, SeenPerson, ShownFace } from '../../schema/api/people.ts'
import type { Calendar } from '../../schema/calendar.ts'
import { nameAtMoment } from '../../schema/person-names.ts'
import { mayUpdateSomewhere, notFound, seesHidden, type Viewer } from '../accounts/access.ts'
import { allOf, firstOf } from '../filter/bound.ts'
import { reloadsOf } from '../items/item-json.ts'
import type { Items } from '../items/items.ts'
import { shownSides } from '../items/region-geometry.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Fragment } from '../kernel/database/sql-fragment.ts'
import { countByKey, countOfKey, type HiddenRequest } from '../vocabulary/key-counts.ts'
import { seenAlbum } from '../words/seen-albums.ts'
import { noName } from '../words/word-cache.ts'
import { displayedBox } from './faces/displayed-box.ts'
import { bestFace, chosenFace, peopleOn, peopleWith, placesOfPerson } from './overview.sql.ts'
import { personRow, requirePerson } from './people.ts'
import { personNamesOf } from './person-names.ts'

const mostCompanions = 6
const mostInAlbum = 5
/** Number of an album's newest items that are searched for people. 100,000 items would take 400 ms. */
const itemsCompared = 20_000

/** The whole picture as a box, in thousandths of its longer edge. */
function wholeBox({ width, height }: { width: number; height: number }) {
  const longer = Math.max(width, height, 1)
  return { x: 0, y: 0, width: (width / longer) * 1000, height: (height / longer) * 1000 }
}

interface PersonPageRequest extends HiddenRequest {
  /** The calendar of the years. */
  calendar?: Calendar | undefined
}

export function createPeopleOverviews({ db, clock, items }: { db: LibraryDatabase; clock: Clock; items: Items }) {
  function faceOf(person: number, seen: Fragment): ShownFace | null {
    const cover = personRow(db, person)?.cover ?? null
    const chosen = cover === null ? null : firstOf(db, chosenFace(person, cover, seen))
    const row = chosen ?? firstOf(db, bestFace(person, seen))
    if (row === null) return null
    const { id, thumbhash, rotation, x, y, boxWidth: width, boxHeight: height } = row
    const shown = shownSides(row, rotation)
    return {
      item: { id, reloads: reloadsOf(row), thumbhash, rotation, ...shown },
      box: width > 0 && height > 0 ? displayedBox({ x, y, width, height }, rotation, row) : wholeBox(shown),
    }
  }

  const nameNow = (names: ReturnType<typeof personNamesOf>) => nameAtMoment(names, clock.now() / 1000) ?? noName

  function peopleOf(counts: Iterable<readonly [number, number]>, seen: Fragment): SeenPerson[] {
    const names = Map.groupBy(personNamesOf(db), ({ person }) => person)
    return [...counts].map(([id, count]) => ({
      id,
      name: nameNow(names.get(id) ?? []),
      count,
      face: faceOf(id, seen),
    }))
  }

  return {
    /** People on items that the viewer sees, most frequent first. */
    list(viewer: Viewer, { includeHidden }: HiddenRequest): SeenPerson[] {
      return items.cached('people', viewer, { includeHidden }, () => {
        const counts = countByKey(db, viewer, 'person', { includeHidden: seesHidden(viewer, includeHidden) })
        const inOrder = [...counts].sort(([a, n], [b, m]) => m - n || a - b)
        return peopleOf(inOrder, items.isSeenWithPeople(viewer, includeHidden))
      })
    },

    /** The people who are most often on the items of an album; `notFound` if the viewer does not see it. */
    ofAlbum(viewer: Viewer, id: number, { includeHidden }: HiddenRequest): { people: SeenPerson[]; total: number } {
      const album = seenAlbum(db, viewer, id)
      if (album === undefined) throw notFound()
      if (album.kind === 'folder') return { people: [], total: 0 }
      return items.cached(`people of album ${id} ${viewer.userId}`, viewer, { includeHidden }, () => {
        const { ids } = items.idsOf(viewer, 0, { album: id, includeHidden }, { limit: itemsCompared })
        // As in the list of albums, where an album that is empty to others does not appear.
        if (ids.length === 0 && !album.isParticipant) throw notFound()
        const seen = items.isSeenWithPeople(viewer, includeHidden)
        const counts = allOf(db, peopleOn(ids, seen)).map(({ id: person, n }) => [person, n] as const)
        return { people: peopleOf(counts.slice(0, mostInAlbum), seen), total: counts.length }
      })
    },

    /** One person; `notFound` if the viewer sees no item with them. */
    page(viewer: Viewer, id: number, { includeHidden, calendar = 'gregorian' }: PersonPageRequest): PersonPage {
      const count = countOfKey(db, viewer, 'person', id, seesHidden(viewer, includeHidden))
      if (count === 0) throw notFound()
      return items.cached(`person ${id} ${calendar}`, viewer, { includeHidden }, () => {
        const seen = items.isSeenWithPeople(viewer, includeHidden)
        const names = personNamesOf(db, id)
        const filter = { includeHidden, calendar, filtergroups: [[{ type: 'Person' as const, mode: 0 as const, id }]] }
        const { months } = items.timeline(viewer, { collectionId: 0 }, filter)
        const years = [...Map.groupBy(months, ({ year }) => year)].map(([year, all]) => ({
          year,
          count: all.reduce((sum, { count }) => sum + count, 0),
        }))
        const companions = allOf(db, peopleWith(id, seen, mostCompanions))
        return {
          id,
          name: nameNow(names),
          count,
          face: faceOf(id, seen),
          names,
          birthdate: mayUpdateSomewhere(viewer) ? requirePerson(db, id).birthdate : null,
          years: years.sort((a, b) => a.year - b.year),
          places: allOf(db, placesOfPerson(id, seen)).map(({ place, n }) => ({ name: place, count: n })),
          with: peopleOf(
            companions.map(({ id: other, n }) => [other, n] as const),
            seen,
          ),
        }
      })
    },
  }
}

export type PeopleOverviews = ReturnType<typeof createPeopleOverviews>
