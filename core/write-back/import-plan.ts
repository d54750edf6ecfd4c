/** What a metadata import would change, computed without writing anything: for `--dry-run`. */
import { eq } from 'drizzle-orm'
import type { PlannedReading } from '../../schema/api/plans.ts'
import { dirs } from '../../schema/tables/collections.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import { changedParts, type ItemParts, orderedBox, type StoredBox } from '../editing/item-parts.ts'
import { bytesOfRaw, displayRaw, joinPath } from '../files/names.ts'
import { chunksOf } from '../kernel/chunks.ts'
import { seconds } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { ignoredName, presumedKind } from '../media/formats/sniff.ts'
import { type Reading, readUnit, type UnitDirectory } from '../scan/read-unit.ts'
import { saveUnit } from '../scan/save-unit.ts'
import type { ScanParts } from '../scan/scan-job.ts'
import { fileAt } from '../scan/unit-files.sql.ts'
import { displayPath, type FoundUnit } from '../survey/found-unit.ts'
import { unitsOf } from '../survey/group.ts'
import { filesOf } from '../survey/survey.ts'
import { listDirectory } from '../survey/walk.ts'

const unitsAtOnce = 8

/** Removes the ids of regions: each reading of a file writes its regions again, with other ids. */
function withoutIds(parts: Required<ItemParts>): Required<ItemParts> {
  const strip = (boxes: readonly StoredBox[]) =>
    boxes
      .map(box => ({ box: { ...box, id: null }, text: JSON.stringify(orderedBox({ ...box, id: null })) }))
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .map(({ box }) => box)
  return { ...parts, people: strip(parts.people), objects: strip(parts.objects) }
}

/** Names of parts: 'Keywords', 'rotation'. */
export function namesOfParts({
  tags = {},
  date: _,
  peopleEdited: _p,
  objectsEdited: _o,
  ...others
}: ItemParts): string[] {
  const names = [...Object.keys(tags), ...Object.keys(others)]
  return [...new Set(names)].map(name => (name === 'people' ? 'People' : name === 'objects' ? 'Object' : name))
}

/**
 * Reads the files of all items of a collection, and yields the items that would change. Calls `onUnreadable` with each
 * file that could not be read, and the reason. Unreadable directories are skipped.
 */
export async function* planReading(
  parts: ScanParts,
  collection: CollectionRow,
  { signal, onUnreadable }: { signal: AbortSignal; onUnreadable: (file: { path: string; reason: string }) => void },
): AsyncGenerator<PlannedReading> {
  const { db, clock } = parts
  const pool = parts.openPool(true)
  const reading: Reading = { ...parts, pool, collectionId: collection.id, sizes: [] }

  /** Saves the unit, rolls back, and returns what changed. Empty for a file without an item. */
  async function changesOf(unit: FoundUnit): Promise<PlannedReading[]> {
    const planned: PlannedReading[] = []
    function save(tx: Transaction) {
      const [main] = unit.files
      const row = main === undefined ? null : tx.get(fileAt, unit.dirId, bytesOfRaw(main.file.raw))
      const id = row?.role === 'main' ? row.itemId : null
      const before = id === null ? null : itemToEdit(tx, id)
      if (main === undefined || id === null || before === null) return
      saveUnit(tx, unit, { jobId: 0, nowMs: clock.now(), now: seconds(clock), fileWins: true })
      const after = itemToEdit(tx, id)
      const changes =
        after === null ? [] : namesOfParts(changedParts(withoutIds(before.parts), withoutIds(after.parts)))
      if (changes.length > 0) planned.push({ item: id, path: displayPath(unit.dirPath, main.file.name), changes })
    }
    await db.rehearse(() => db.transact({ userId: null }, save))
    return planned
  }

  try {
    const rows = db.orm
      .select()
      .from(dirs)
      .where(eq(dirs.collectionId, collection.id))
      .orderBy(dirs.path, dirs.id)
      .all()
    for (const { id, path, pathBytes: bytes } of rows) {
      const listing = listDirectory(collection.path, bytes, { ignored: ignoredName })
      if (listing === null || listing.error !== null) continue
      const directory: UnitDirectory = {
        id,
        path,
        bytes: joinPath(Buffer.from(collection.path), bytes),
        files: filesOf(listing),
      }
      const { units } = unitsOf(directory.files, collection.pairing === 1)
      const kindOf = (raw: string) => presumedKind(directory.files.get(raw)?.name ?? '') ?? 'image'
      for (const some of chunksOf(units, unitsAtOnce)) {
        signal.throwIfAborted()
        const found = await Promise.all(some.map(unit => readUnit(reading, directory, unit, kindOf)))
        for (const unit of found.flat()) {
          for (const { raw, code, reason } of unit.problems)
            if (code === 'unreadable') onUnreadable({ path: displayPath(path, displayRaw(raw)), reason })
          yield* await changesOf(unit)
        }
      }
    }
  } finally {
    await pool.close()
  }
}
