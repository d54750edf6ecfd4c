/** Queries of collections. The fields of their rows have the names of the columns. */
import { collections } from '../../schema/tables/collections.ts'
import { jobs } from '../../schema/tables/jobs.ts'
import { hiddenItemCondition } from '../filter/seen-items.sql.ts'
import { number, numberOrNull, type RowOfQuery, select } from '../kernel/database/statement.ts'

const columns = {
  id: collections.id,
  name: collections.name,
  path: collections.path,
  path_variant: collections.pathVariant,
  last_scan: collections.lastScan,
  folder_format: collections.folderFormat,
  file_format: collections.fileFormat,
  managed: collections.managed,
  readonly: collections.readonly,
  write_back: collections.writeBack,
  pairing: collections.pairing,
  keep_private: collections.keepPrivate,
  root_device: collections.rootDevice,
  safety_stop: collections.safetyStop,
  safety_stop_items: collections.safetyStopItems,
  created_at: collections.createdAt,
}

export const collectionById = select(columns, 'FROM collections WHERE id = ?')
export const collectionsByName = select(columns, 'FROM collections ORDER BY name COLLATE NOCASE, id')
export const collectionsById = select(columns, 'FROM collections ORDER BY id')
export type CollectionRow = RowOfQuery<typeof collectionById>

export const leavingCollections = select(
  { id: jobs.collectionId },
  "FROM jobs WHERE state IN ('queued', 'running') AND kind = 'forget'",
)

/** Counts the items of a collection, and those that users have changed. */
export const itemsToLose = (withHidden: boolean) =>
  select(
    {
      items: number('count(*)'),
      edited: numberOrNull(`sum(tags LIKE '%"u":1%' OR rotation <> 0 OR deleted IS NOT NULL)`),
    },
    `FROM items AS i WHERE collection_id = ? ${withHidden ? '' : `AND NOT ${hiddenItemCondition}`}`,
  )
