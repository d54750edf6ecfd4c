/** Copies the pictures and videos of a directory: Takeout folders with their JSON, a camera's card. */
import { and, eq } from 'drizzle-orm'
import { tombstones } from '../../schema/tables/collections.ts'
import type { CollectionRow } from '../collections/collections.ts'
import type { PlaceFacts } from '../files/disk.ts'
import { displayName, displayRaw, joinPath } from '../files/names.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { ignoredName, presumedKind } from '../media/formats/sniff.ts'
import { listSizes, type Reading, readUnit, type UnitDirectory } from '../scan/read-unit.ts'
import { saveUnit } from '../scan/save-unit.ts'
import { displayPath, type FoundUnit, isNoItem } from '../survey/found-unit.ts'
import { unitsOf } from '../survey/group.ts'
import { filesOf } from '../survey/survey.ts'
import { type WalkedDirectory, walk } from '../survey/walk.ts'
import type { ImportContext, ImportedTo } from './import-units.ts'
import { pathOf } from './paths.ts'

export interface DirectoryImport {
  directory: string
  /** Whether the file's own date may be used for sorting. */
  guess: boolean
  /** Null for a plan: nothing is written, not even into the cache. */
  jobId: number | null
}

const unitsAtOnce = 8

/** The unit with the paths and files of its copy. */
function relocateUnit(
  unit: FoundUnit,
  { dirId, dir, names }: ImportedTo,
  placed: readonly PlaceFacts[],
  collectionId: number,
): FoundUnit {
  return {
    ...unit,
    collectionId,
    dirId,
    dirPath: displayName(dir),
    files: unit.files.map((one, n) => {
      const raw = names.get(one.file.raw) ?? one.file.raw
      const { size, mtimeSeconds, mtimeNanoseconds } = placed[n] ?? one.file
      return { ...one, file: { raw, name: displayRaw(raw), size, mtimeSeconds, mtimeNanoseconds } }
    }),
    problems: unit.problems.map(problem => ({ ...problem, raw: names.get(problem.raw) ?? problem.raw })),
  }
}

/** Writes the item of a unit whose files were copied or moved to `to`. */
export function saveUnitAt(
  tx: Transaction,
  unit: FoundUnit,
  to: ImportedTo,
  placed: readonly PlaceFacts[],
  { clock, collectionId, jobId }: { clock: Clock; collectionId: number; jobId: number },
): void {
  const nowMs = clock.now()
  saveUnit(tx, relocateUnit(unit, to, placed, collectionId), { jobId, nowMs, now: Math.floor(nowMs / 1000) })
}

/** Imports all pictures and videos below a directory, except those that the collection has, or had and purged. */
export async function importDirectory(
  parts: ImportContext & { cache: string; openPool: (low: boolean) => DecodePool },
  target: CollectionRow,
  { directory: root, guess, jobId }: DirectoryImport,
): Promise<void> {
  const { db, clock, disk, cache, findItemWithContent, importer, signal, onDone } = parts
  const pool = parts.openPool(true)
  let done = 0
  const reading: Reading = {
    db,
    pool,
    cache,
    clock,
    collectionId: target.id,
    sizes: jobId === null ? [] : listSizes,
  }

  async function importUnit(found: FoundUnit, dir: Buffer): Promise<void> {
    const [main] = found.files
    if (main === undefined) return
    const path = displayPath(found.dirPath, main.file.name)
    const { content } = found.result
    const unreadable = found.problems.find(({ raw, code }) => raw === main.file.raw && code === 'unreadable')
    if (unreadable !== undefined || content === undefined)
      return importer.fail(path, unreadable?.reason ?? 'It cannot be read.')
    if (isNoItem(found)) return importer.skip('no pictures or videos')
    const isPurged = and(eq(tombstones.collectionId, target.id), eq(tombstones.content, content))
    if (db.orm.select().from(tombstones).where(isPurged).limit(1).get() !== undefined)
      return importer.skip('deleted there before')
    const from = (raw: string) => ({ root, path: pathOf(dir, raw) })
    if (importer.isInBatch(content)) await importer.flush()
    const { size } = main.file
    const hash = () => disk.hash(from(main.file.raw))
    if ((await findItemWithContent(target.id, { key: content, size, hash })) !== null)
      return importer.skip('there already')
    const { date, category } = found.metadata
    return importer.add({
      path,
      content,
      dir,
      taken: date?.seconds ?? main.file.mtimeSeconds,
      sortsByDate: guess || (date !== null && date.source !== 'file'),
      category: category[0] ?? null,
      files: found.files.map(({ file, role }) => ({ raw: file.raw, role, from: from(file.raw), size: file.size })),
      variants: [],
      record: (tx, to, placed) =>
        saveUnitAt(tx, found, to, placed, { clock, collectionId: target.id, jobId: jobId ?? 0 }),
    })
  }

  async function importFolder(listing: WalkedDirectory): Promise<void> {
    if (listing.error !== null)
      return importer.fail(listing.display === '' ? '.' : listing.display, `It cannot be read: ${listing.error}`)
    const files = filesOf(listing)
    const directory: UnitDirectory = {
      id: 0,
      path: listing.display,
      bytes: joinPath(Buffer.from(root), listing.path),
      files,
    }
    const { units } = unitsOf(directory.files, target.pairing === 1)
    const kindOf = (raw: string) => presumedKind(files.get(raw)?.name ?? '') ?? 'image'
    for (let at = 0; at < units.length; at += unitsAtOnce) {
      signal.throwIfAborted()
      const found = await Promise.all(
        units.slice(at, at + unitsAtOnce).map(unit => readUnit(reading, directory, unit, kindOf)),
      )
      signal.throwIfAborted()
      for (const one of found.flat()) {
        await importUnit(one, listing.path)
        onDone(++done, null, displayPath(one.dirPath, one.files[0]?.file.name ?? ''))
      }
    }
  }

  try {
    for await (const listing of walk(root, { ignored: ignoredName, signal })) await importFolder(listing)
  } finally {
    await pool.close()
  }
}
