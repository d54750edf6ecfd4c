/** Copies items of another collection that this collection lacks, with their metadata and without decoding them. */
import { eq } from 'drizzle-orm'
import { metadataDue } from '../../schema/tables/changes.ts'
import { items as itemTable } from '../../schema/tables/items.ts'
import type { Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import type { PlaceFacts } from '../files/disk.ts'
import { bytesOfRaw, displayRaw } from '../files/names.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import type { ItemFile, ItemFiles } from '../items/item-files.ts'
import { insertItem } from '../items/item-rows.ts'
import type { Items } from '../items/items.ts'
import { seconds } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import type { ImportContext, ImportedTo, ImportUnit } from './import-units.ts'
import { mainName } from './item-moves.ts'
import { copyFile, copyRegions, type ItemToMove, itemsInOrder, itemsToMove } from './moving.sql.ts'
import { pathOf } from './paths.ts'
import { sideOf } from './sides.ts'
import { categoryOf } from './sort-plan.ts'

/** Writes the rows of the copy: the item, its regions and its files. */
function copyItem(
  tx: Transaction,
  sourceId: number,
  target: CollectionRow,
  { dirId, names }: ImportedTo,
  { files, placed, now }: { files: readonly ItemFile[]; placed: readonly PlaceFacts[]; now: number },
): void {
  const source = itemToEdit(tx, sourceId)
  if (source === null) throw new Error('the item to copy no longer exists')
  const name = displayRaw(mainName(names, files))
  const id = insertItem(tx, { ...source.row, collectionId: target.id, dirId, name }, now)
  tx.orm.update(itemTable).set({ rotation: source.parts.rotation }).where(eq(itemTable.id, id)).run()
  tx.run(copyRegions, id, sourceId)
  for (const [n, { raw, role, rowId, isKnown }] of files.entries()) {
    const facts = placed[n]
    // A sidecar without a row gets one from the next scan.
    if (facts === undefined || !isKnown) continue
    const { size, mtimeSeconds, mtimeNanoseconds } = facts
    tx.run(copyFile, dirId, bytesOfRaw(names.get(raw) ?? raw), id, role, size, mtimeSeconds, mtimeNanoseconds, rowId)
  }
  if (target.write_back !== 'off' && target.readonly === 0)
    tx.orm.insert(metadataDue).values({ itemId: id, collectionId: target.id }).onConflictDoNothing().run()
}

/** Imports all items of `other` that the viewer sees. `showsHidden`: the request came from an unlocked session. */
export async function importCollection(
  { db, clock, disk, items, findItemWithContent, importer, signal, onDone }: ImportContext & { items: Items },
  viewer: Viewer,
  target: CollectionRow,
  other: CollectionRow,
  showsHidden: boolean,
): Promise<void> {
  const side = sideOf(db, other)
  const requester: Viewer = { ...viewer, unlockValue: showsHidden ? 'unlocked' : null }
  const ids = db.all(itemsInOrder, other.id).map(({ id }) => id)

  function unitOf(row: ItemToMove, item: ItemFiles): ImportUnit {
    return {
      path: displayPath(row.path, row.name),
      content: row.content,
      dir: item.dir,
      taken: row.taken,
      sortsByDate: row.takenSource !== 'file',
      category: categoryOf(db, row.tags),
      files: item.files.map(({ raw, role, file: { size } }) => ({
        raw,
        role,
        from: { root: other.path, path: pathOf(item.dir, raw) },
        size,
      })),
      variants: item.variants.map(({ file: { raw, size } }) => ({
        raw,
        from: { root: other.path_variant, path: pathOf(item.dir, raw) },
        size,
      })),
      record: (tx, to, placed) => copyItem(tx, row.id, target, to, { files: item.files, placed, now: seconds(clock) }),
    }
  }

  async function importItem(row: ItemToMove): Promise<void> {
    const item = side.files.of(row.id, row.type)
    if (typeof item === 'string') return importer.fail(displayPath(row.path, row.name), item)
    if (importer.isInBatch(row.content)) await importer.flush()
    const place = { root: other.path, path: pathOf(item.dir, item.files[0]?.raw ?? '') }
    const content = { key: row.content, size: row.size, hash: () => disk.hash(place) }
    const existing = await findItemWithContent(target.id, content, ids => hiddenFrom(db, requester, ids))
    if (existing !== null) return importer.skip('there already')
    return importer.add(unitOf(row, item))
  }

  for (let at = 0; at < ids.length; at += 200) {
    const seen = items.visibleIds(requester, ids.slice(at, at + 200), 'unlocked')
    const rows = db.all(itemsToMove, JSON.stringify(seen)).filter(row => row.collectionId === other.id)
    for (const [n, row] of rows.entries()) {
      signal.throwIfAborted()
      await importItem(row)
      onDone(at + n + 1, ids.length, displayPath(row.path, row.name))
    }
  }
}
