/** Items by the name of their place. */
import { bound } from '../filter/bound.ts'
import { type Fragment, sql } from '../kernel/database/sql-fragment.ts'
import { number, string } from '../kernel/database/statement.ts'

/**
 * One row for each name in each collection and state. This is the order of the index, so nothing is sorted. The name
 * is '' for items with a position only. `best` has an item's id in its lower 40 bits, and above them the item's rating
 * and whether it has a picture, so that the best item has the greatest value.
 */
export const itemsByPlace = (seen: Fragment) =>
  bound(
    {
      place: string('place'),
      n: number('n'),
      first: number('first'),
      last: number('last'),
      best: number('best'),
    },
    sql`SELECT i.tags ->> '$.Locations.d.placeName' AS place, count(*) AS n, min(i.taken) AS first,
        max(i.taken) AS last, max(((i.problem IS NULL) << 50) + ((coalesce(i.rating, 0) + 2) << 40) + i.id) AS best
      FROM items AS i INDEXED BY items_named
      WHERE i.tags ->> '$.Locations.d.placeName' IS NOT NULL AND i.collection_id IN (SELECT id FROM collections) AND ${seen}
      GROUP BY i.collection_id, i.state, place`,
  )
