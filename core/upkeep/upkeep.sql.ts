/** Queries of read-only checks of a library. */
import { collections, dirs } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { shares } from '../../schema/tables/sharing.ts'
import { users } from '../../schema/tables/users.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, select } from '../kernel/database/statement.ts'

export const sizesOfItems = select({ size: items.size }, 'FROM items', { distinct: true })

/** The last path of an item. */
export const itemPlace = select(
  { collectionId: items.collectionId, dirId: items.dirId, name: items.name, dir: dirs.path },
  'FROM items JOIN dirs ON dirs.id = items.dir_id WHERE items.id = ?',
)

export const collectionsToCheck = select(
  {
    ...columns(collections, 'name', 'path', 'readonly'),
    stop: collections.safetyStop,
    items: number('(SELECT count(*) FROM items WHERE collection_id = collections.id AND missing IS NULL)'),
  },
  'FROM collections ORDER BY id',
)

export const sealedShares = select({ sealed: shares.sealedName }, 'FROM shares WHERE sealed_name IS NOT NULL')
export const sealedPins = select({ sealed: users.pinHash }, "FROM users WHERE pin_hash LIKE 's1.%'")
export const problemsOfCode = select({ n: number('count(*)') }, 'FROM problems WHERE code = ?')
export const journalLength = select({ n: number('count(*)') }, 'FROM journal')
/** Number of items whose files lack metadata that the library has to write into them. */
export const unwrittenItems = select(
  { n: number('count(*)') },
  `FROM metadata_due AS m JOIN items ON items.id = m.item_id JOIN collections ON collections.id = items.collection_id
   WHERE items.missing IS NULL AND write_back <> 'off' AND readonly = 0`,
)
export const runningJobs = select({ n: number('count(*)') }, "FROM jobs WHERE state = 'running'")
