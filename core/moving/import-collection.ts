/** Copies what another collection has and this one lacks, as the library knows it: nothing is decoded again. */
import type { Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { displayRaw, joinPath } from '../files/names.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import { createItemFiles, type ItemFile, type ItemFiles } from '../items/item-files.ts'
import { insertItem } from '../items/item-rows.ts'
import type { Items } from '../items/items.ts'
import type { SameContent } from '../items/same-content.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import type { ImportedTo, Importer, ImportUnit } from './import-units.ts'
import { categoryOf, sideOf } from './sort-plan.ts'

interface SourceRow {
  id: number
  type: 'image' | 'video'
  name: string
  path: string
  size: number
  content: string
  taken: number
  taken_source: string
  tags: string
}

interface CollectionImport {
  db: LibraryDatabase
  disk: Disk
  items: Items
  itemWith: SameContent
  importer: Importer
  /** Seconds. */
  now: () => number
  signal: AbortSignal
  onDone: (done: number, total: number, path: string) => void
}

/** Rows of the copy: what the item is, and what people have made of it. */
function copyItem(
  tx: Transaction,
  sourceId: number,
  target: CollectionRow,
  { dirId, names }: ImportedTo,
  { files, placed, now }: { files: readonly ItemFile[]; placed: readonly PlaceFacts[]; now: number },
): void {
  const source = itemToEdit(tx, sourceId)
  if (source === null) throw new Error('the item that is copied is not there any more')
  const [main] = files
  const name = displayRaw(names.get(main?.raw ?? '') ?? '')
  const id = insertItem(tx, { ...source.row, collectionId: target.id, dirId, name }, now)
  tx.run('UPDATE items SET rotation = ? WHERE id = ?', source.parts.rotation, id)
  tx.run(
    `INSERT INTO regions (item_id, type, person_id, object_id, x, y, width, height, source)
     SELECT ?, type, person_id, object_id, x, y, width, height, source FROM regions WHERE item_id = ? ORDER BY id`,
    id,
    sourceId,
  )
  for (const [n, { raw, role, rowId, isKnown }] of files.entries()) {
    const facts = placed[n]
    // A sidecar that no scan has read comes to be known by the next one.
    if (facts === undefined || !isKnown) continue
    tx.run(
      `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content, full_hash, pair)
       SELECT ?, ?, ?, ?, ?, ?, ?, f.content, f.full_hash, f.pair FROM (SELECT 1) LEFT JOIN files AS f ON f.id = ?`,
      dirId,
      Buffer.from(names.get(raw) ?? raw, 'latin1'),
      id,
      role,
      facts.size,
      facts.mtimeSeconds,
      facts.mtimeNanoseconds,
      rowId,
    )
  }
  if (target.write_back !== 'off' && target.readonly === 0)
    tx.run('INSERT OR IGNORE INTO metadata_due (item_id, collection_id) VALUES (?, ?)', id, target.id)
}

/** Everything of `other` that the viewer sees. `showsHidden`: his session was unlocked when he asked. */
export async function importCollection(
  { db, disk, items, itemWith, importer, now, signal, onDone }: CollectionImport,
  viewer: Viewer,
  target: CollectionRow,
  other: CollectionRow,
  showsHidden: boolean,
): Promise<void> {
  const side = sideOf(db, other)
  const files = createItemFiles(db, side.views, side.variants)
  const asker: Viewer = { ...viewer, unlockValue: showsHidden ? 'asked' : null }
  const ids = db
    .all<{ id: number }>(
      `SELECT i.id FROM items AS i JOIN dirs AS d ON d.id = i.dir_id
       WHERE i.collection_id = ? AND i.deleted IS NULL AND i.missing IS NULL ORDER BY d.path, i.name, i.id`,
      other.id,
    )
    .map(({ id }) => id)

  function unitOf(row: SourceRow, item: ItemFiles): ImportUnit {
    const at = (raw: string) => joinPath(item.dir, Buffer.from(raw, 'latin1'))
    return {
      path: displayPath(row.path, row.name),
      content: row.content,
      dir: item.dir,
      taken: row.taken,
      dated: row.taken_source !== 'file',
      category: categoryOf(db, row.tags),
      files: item.files.map(({ raw, role, file }) => ({
        raw,
        role,
        from: { root: other.path, path: at(raw) },
        size: file.size,
      })),
      variants: item.variants.map(({ file }) => ({
        raw: file.raw,
        from: { root: other.path_variant, path: at(file.raw) },
        size: file.size,
      })),
      record: (tx, to, placed) => copyItem(tx, row.id, target, to, { files: item.files, placed, now: now() }),
    }
  }

  async function one(row: SourceRow): Promise<void> {
    const item = files.of(row.id, row.type)
    if (typeof item === 'string') return importer.fail(displayPath(row.path, row.name), item)
    if (importer.awaits(row.content)) await importer.flush()
    const [main] = item.files
    const place = { root: other.path, path: joinPath(item.dir, Buffer.from(main?.raw ?? '', 'latin1')) }
    const content = { key: row.content, size: row.size, hash: () => disk.hash(place) }
    const known = await itemWith(target.id, content, ids => hiddenFrom(db, asker, ids))
    if (known !== null) return importer.skip('there already')
    return importer.add(unitOf(row, item))
  }

  for (let at = 0; at < ids.length; at += 200) {
    const seen = items.visibleIds(asker, ids.slice(at, at + 200), 'asked')
    const rows = db.all<SourceRow>(
      `SELECT i.id, i.type, i.name, d.path, i.size, i.content, i.taken, i.taken_source, i.tags
       FROM json_each(?) AS j JOIN items AS i ON i.id = j.value JOIN dirs AS d ON d.id = i.dir_id
       WHERE i.collection_id = ? ORDER BY j.key`,
      JSON.stringify(seen),
      other.id,
    )
    for (const [n, row] of rows.entries()) {
      signal.throwIfAborted()
      await one(row)
      onDone(at + n + 1, ids.length, displayPath(row.path, row.name))
    }
  }
}
