/** Everything that people know about a library as JSON lines: nothing of it is in the files alone, and all can be read back. */
import { demandGlobalAdmin, type Viewer } from '../access.ts'
import type { LibraryDatabase } from '../database.ts'
import { localTime } from '../item-json.ts'
import { parseTags, type StoredTag } from '../item-rows.ts'

/** Of the format: a reader refuses what is newer than it knows. */
const schema = 1

interface ItemRow {
  id: number
  collection_id: number
  dir: string
  name: string
  type: string
  size: number
  content: string
  taken: number
  taken_offset: number | null
  taken_source: string
  rating: number | null
  rotation: number
  deleted: number | null
  missing: number | null
  added: number
  tags: string
}

interface RegionRow {
  type: string
  person_id: number | null
  object_id: number | null
  x: number
  y: number
  width: number
  height: number
  source: string
}

const page = 1000

export function createLibraryExport({ db }: { db: LibraryDatabase }) {
  function contents(ids: readonly number[]): string[] {
    return ids.flatMap(
      id => db.get<{ content: string }>('SELECT content FROM keystrings WHERE id = ?', id)?.content ?? [],
    )
  }

  function* vocabulary(): Generator<object> {
    for (const row of db.all<{ content: string; is_hidden: number; is_associated_items_hidden: number }>(
      'SELECT content, is_hidden, is_associated_items_hidden FROM keystrings ORDER BY content_key',
    )) {
      yield {
        type: 'keystring',
        content: row.content,
        isHidden: row.is_hidden === 1,
        isAssociatedItemsHidden: row.is_associated_items_hidden === 1,
      }
    }
    for (const { id, birthdate } of db.all<{ id: number; birthdate: string | null }>(
      'SELECT id, birthdate FROM people ORDER BY id',
    )) {
      const names = db.all(
        'SELECT name, active_from, active_to FROM person_names WHERE person_id = ? ORDER BY active_from NULLS FIRST, id',
        id,
      )
      yield { type: 'person', id, birthdate, names }
    }
    for (const { id, ...object } of db.all<{ id: number; name: string; description: string; parent_id: number | null }>(
      'SELECT id, name, description, parent_id FROM objects ORDER BY id',
    )) {
      const properties = db.all<{ name: string; value: string; hidden: number }>(
        'SELECT name, value, hidden FROM object_properties WHERE object_id = ? ORDER BY name',
        id,
      )
      yield {
        type: 'object',
        id,
        ...object,
        properties: properties.map(property => ({ ...property, hidden: property.hidden === 1 })),
      }
    }
  }

  function itemObject(row: ItemRow): object {
    const tags: Record<string, unknown> = {}
    for (const [name, tag] of Object.entries(parseTags(row.tags) as Record<string, StoredTag<unknown>>)) {
      if (name === 'People' || name === 'Object') {
        if (tag.u === 1) tags[name] = { user: true }
        continue
      }
      const isList = name === 'Keywords' || name === 'Category' || name === 'Author'
      const data = isList && Array.isArray(tag.d) ? contents(tag.d) : tag.d
      if (data !== undefined || tag.u === 1) tags[name] = { data: data ?? null, user: tag.u === 1 }
    }
    const regions = db.all<RegionRow>(
      'SELECT type, person_id, object_id, x, y, width, height, source FROM regions WHERE item_id = ? ORDER BY id',
      row.id,
    )
    return {
      type: 'item',
      id: row.id,
      collection: row.collection_id,
      path: row.dir === '' ? row.name : `${row.dir}/${row.name}`,
      kind: row.type,
      size: row.size,
      content: row.content,
      taken_at: localTime(row.taken),
      utc_offset: row.taken_offset,
      date_source: row.taken_source,
      rating: row.rating,
      rotation: row.rotation,
      deleted: row.deleted,
      missing: row.missing,
      added: row.added,
      tags,
      regions: regions.map(({ person_id, object_id, ...box }) => ({ ...box, subject: person_id ?? object_id })),
    }
  }

  function* itemsOf(collectionId: number): Generator<object> {
    const dirs = db.all<{ id: number; path: string }>(
      'SELECT id, path FROM dirs WHERE collection_id = ? ORDER BY path, id',
      collectionId,
    )
    for (const dir of dirs) {
      for (let after = 0; ; ) {
        const rows = db.all<Omit<ItemRow, 'dir'>>(
          `SELECT id, collection_id, name, type, size, content, taken, taken_offset, taken_source, rating, rotation,
             deleted, missing, added, tags FROM items WHERE dir_id = ? AND id > ? ORDER BY id LIMIT ?`,
          dir.id,
          after,
          page,
        )
        for (const row of rows) yield itemObject({ ...row, dir: dir.path })
        const last = rows.at(-1)
        if (last === undefined || rows.length < page) break
        after = last.id
      }
    }
  }

  return {
    /** Objects to be written one a line, in an order that stays. `collectionId` 0: all collections. Hidden items included. */
    *objects(viewer: Viewer, collectionId: number): Generator<object> {
      demandGlobalAdmin(viewer)
      yield { type: 'keepsake-export', schema }
      yield* vocabulary()
      const collections = db.all<{ id: number; name: string; path: string }>(
        'SELECT id, name, path FROM collections WHERE ? = 0 OR id = ? ORDER BY id',
        collectionId,
        collectionId,
      )
      for (const collection of collections) yield { type: 'collection', ...collection }
      for (const { id } of collections) yield* itemsOf(id)
    },
  }
}

export type LibraryExport = ReturnType<typeof createLibraryExport>
