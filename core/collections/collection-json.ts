/** Collections as JSON for callers. */
import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Collection } from '../../schema/api/collections.ts'
import { accessGroups, collectionAccess } from '../../schema/tables/access.ts'
import { rightsOn, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { prepared } from '../kernel/database/orm.ts'
import type { CollectionRow } from './collections.sql.ts'

const { id, name, ownerId: _, ...allowed } = getTableColumns(accessGroups)

const accessOf = prepared(orm =>
  orm
    .select({ id, name, position: collectionAccess.position, ...allowed })
    .from(collectionAccess)
    .innerJoin(accessGroups, eq(accessGroups.id, collectionAccess.groupId))
    .where(eq(collectionAccess.collectionId, sql.placeholder('id')))
    .orderBy(asc(collectionAccess.position))
    .prepare(),
)

/** The settings of a collection, without results of scans. */
export function settingsOf(row: CollectionRow) {
  return {
    name: row.name,
    pathVariant: row.path_variant,
    folderFormat: row.folder_format,
    fileFormat: row.file_format,
    managed: row.managed === 1,
    readonly: row.readonly === 1,
    writeBack: row.write_back,
    keepPrivate: row.keep_private === 1,
    pairing: row.pairing === 1,
  }
}

export function collectionJson(db: LibraryDatabase, viewer: Viewer, row: CollectionRow, itemcount: number): Collection {
  const rights = rightsOn(viewer, row.id)
  const { name, pathVariant, ...settings } = settingsOf(row)
  return {
    id: row.id,
    name,
    path: rights.admin ? row.path : '',
    pathVariant: rights.admin ? pathVariant : '',
    lastscan: row.last_scan === null ? '' : new Date(row.last_scan * 1000).toISOString(),
    ...settings,
    itemcount,
    rights,
    access: rights.admin ? accessOf(db).all({ id: row.id }) : [],
    safetyStop:
      rights.admin && row.safety_stop !== null ? { reason: row.safety_stop, items: row.safety_stop_items } : null,
  }
}

export function allCollections(itemcount: number): Collection {
  return {
    id: 0,
    name: 'All',
    path: '',
    pathVariant: '',
    lastscan: '',
    folderFormat: '',
    fileFormat: '',
    managed: false,
    readonly: false,
    writeBack: 'off',
    keepPrivate: false,
    pairing: false,
    itemcount,
    rights: { view: true, create: false, update: false, admin: false },
    access: [],
    safetyStop: null,
  }
}
