/** Queries on problems of files, and on the items behind a safety stop. */
import { dirs } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { problems } from '../../schema/tables/jobs.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, select } from '../kernel/database/statement.ts'

export const problemColumns = {
  id: problems.id,
  job_id: problems.jobId,
  collection_id: problems.collectionId,
  item_id: problems.itemId,
  ...columns(problems, 'path', 'code', 'reason', 'at'),
}

/** Binds a collection twice, or twice 0 for the problems of all collections. */
export const problemsOf = select(
  problemColumns,
  'FROM problems WHERE collection_id = ? OR ? = 0 ORDER BY collection_id, path, code',
)

export const forgetProblems = 'DELETE FROM problems WHERE collection_id = ? AND path = ?'

/** Two problems of a file with the same code are merged into one. */
export const addProblem = `INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (collection_id, path, code) DO UPDATE SET reason = reason || ' ' || excluded.reason`

/** For a collection whose scan stopped: whether the missing items are known. No row if its scan did not stop. */
export const stopOf = select(
  { isKnown: number('EXISTS (SELECT 1 FROM safety_stop_items WHERE collection_id = c.id)') },
  'FROM collections AS c WHERE c.id = ? AND c.safety_stop IS NOT NULL',
)

export const stoppedItems = select(
  { id: items.id },
  'FROM safety_stop_items AS s JOIN items ON items.id = s.item_id WHERE s.collection_id = ?',
)

/** Items of a collection that are not missing: those of the stop, or all; except those whose ids are bound as JSON. */
const present = (onlyStopped: boolean) => `FROM items JOIN dirs ON dirs.id = items.dir_id
  WHERE items.collection_id = ?1 AND items.missing IS NULL AND items.id NOT IN (SELECT value FROM json_each(?2))
    ${onlyStopped ? 'AND items.id IN (SELECT item_id FROM safety_stop_items WHERE collection_id = ?1)' : ''}`

export const presentFiles = (onlyStopped: boolean) =>
  select(
    { item: items.id, dir: dirs.path, name: items.name, taken: items.taken, size: items.size },
    `${present(onlyStopped)} ORDER BY dirs.path, items.name, items.id LIMIT ?3 OFFSET ?4`,
  )
export const presentIds = (onlyStopped: boolean) => select({ id: items.id }, present(onlyStopped))
export const presentCount = (onlyStopped: boolean) => select({ n: number('count(*)') }, present(onlyStopped))
