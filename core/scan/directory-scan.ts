/** Scans one directory after another: groups its files, opens what changed, writes it, and notes what is gone. */

import type { CollectionRow } from '../collections/collections.ts'
import { displayName, displayRaw, joinPath } from '../files/names.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { extensionOf, ignoredName, mayBeMedia } from '../media/formats/sniff.ts'
import { groupSidecars } from '../metadata/xmp/sidecar-names.ts'
import { displayPath, type FoundUnit, isNoItem } from '../survey/found-unit.ts'
import { groupFiles, type Unit } from '../survey/group.ts'
import { inHandBelow } from '../survey/in-hand.ts'
import { reconcile } from '../survey/reconcile.ts'
import { type ChangedDirectory, filesOf, type KnownFile, knownFiles, told, untold } from '../survey/survey.ts'
import { listDirectory } from '../survey/walk.ts'
import type { BatchWriter } from './batch-writer.ts'
import { movedFrom, taggedFrom } from './moved.ts'
import { type Reading, readUnit, type UnitDirectory } from './read-unit.ts'
import { isRotten } from './rot.ts'
import { saveUnit } from './save-unit.ts'
import type { ScanCounts } from './scan-counts.ts'
import { pairByIdentifier } from './unit-files.ts'
import type { Vanishing } from './vanishing.ts'

/** Units that are being read at once: the decode worker is never idle, and never far ahead of the writer. */
const unitsAtOnce = 32
const writesWaiting = 400

const failing = new Set([
  'unreadable',
  'empty',
  'not-media',
  'undecodable',
  'damaged',
  'too-large',
  'timeout',
  'crashed',
  'unsupported',
])

/** A file without an extension that is no media has not failed: it was never said to be. */
function isFailed(unit: FoundUnit): boolean {
  const guessed = new Set(unit.files.filter(({ file }) => extensionOf(file.name) === '').map(({ file }) => file.raw))
  return unit.problems.some(
    ({ raw, code }) => failing.has(code) && !(guessed.has(raw) && (code === 'not-media' || code === 'empty')),
  )
}

interface DirectoryScanParts {
  db: LibraryDatabase
  clock: Clock
  cache: string
  collection: CollectionRow
  jobId: number
  full: boolean
  fileWins: boolean
  pool: DecodePool
  sizes: Reading['sizes']
  writer: BatchWriter
  vanishing: Vanishing
  counts: ScanCounts
  signal: AbortSignal
  onFile: (path: string) => void
  /** Directories that are there; those that a scan makes rows for join them. */
  seen: Set<number>
}

function membersOf(unit: Unit): string[] {
  return [
    unit.main,
    ...unit.companions,
    ...(unit.film === null ? [] : [unit.film]),
    ...unit.sidecars,
    ...unit.filmSidecars,
  ]
}

/**
 * Is anything about these files not as the library knows it? `same`: names of files that are as they were. `byItem`: the
 * known files by their item.
 */
function isChanged(
  unit: Unit,
  same: ReadonlySet<string>,
  known: ReadonlyMap<string, KnownFile>,
  byItem: ReadonlyMap<number | null, readonly KnownFile[]>,
): boolean {
  const members = membersOf(unit)
  if (members.some(raw => !same.has(raw))) return true
  const head = known.get(unit.main)
  if (head === undefined) return true
  // 'none' is a file that is no item and still the same: there is nothing new to find out.
  if (head.role === 'none') return false
  const files = byItem.get(head.itemId) ?? []
  if (head.role !== 'main') {
    // Paired with a picture of another name by identifier: as long as that one is there and as it was.
    const owner = files.find(file => file.role === 'main')
    return head.role !== 'motion' || owner === undefined || !same.has(owner.raw)
  }
  if (unit.companions.some(raw => known.get(raw)?.itemId !== head.itemId)) return true
  return files.some(file => !members.includes(file.raw) && !(file.role === 'motion' && same.has(file.raw)))
}

/** Media files that lived by a sidecar which is gone; the row of one that several shared is only one's. */
function withoutSidecar(
  names: readonly string[],
  known: readonly KnownFile[],
  media: readonly string[],
): ReadonlySet<string> {
  const there = new Set(names)
  const gone = new Set(known.filter(({ role, raw }) => role === 'sidecar' && !there.has(raw)).map(({ raw }) => raw))
  if (gone.size === 0) return gone
  const before = groupSidecars([...names, ...gone], media)
  return new Set([...before].filter(([, sidecars]) => sidecars.some(({ name }) => gone.has(name))).map(([raw]) => raw))
}

export function createDirectoryScan(parts: DirectoryScanParts) {
  const { db, clock, collection, writer, vanishing, counts, signal } = parts
  const reading = new Set<Promise<void>>()
  const claimed = new Set<number>()
  /** Directories with a file that the system would not let us read. */
  const unread = new Set<number>()
  let failure: unknown = null
  let taskId = 0
  const startedAt = Math.floor(clock.now() / 1000)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const context = {
    db,
    pool: parts.pool,
    cache: parts.cache,
    clock,
    collectionId: collection.id,
    nextTaskId: () => ++taskId,
    zone,
    sizes: parts.sizes,
  }

  function dirIdOf(directory: ChangedDirectory): Promise<number> | number {
    if (directory.id !== null) return directory.id
    return db.transact({ userId: null }, tx => {
      const row = tx.get<{ id: number }>(
        'SELECT id FROM dirs WHERE collection_id = ? AND path_bytes = ?',
        collection.id,
        directory.path,
      )
      if (row !== null) return row.id
      return tx.run(
        'INSERT INTO dirs (collection_id, path, path_bytes) VALUES (?, ?, ?)',
        collection.id,
        displayName(directory.path),
        directory.path,
      ).lastInsertRowid
    })
  }

  function save(tx: Transaction, unit: FoundUnit, known: KnownFile | undefined) {
    // The directory was deleted while its files were read: they are gone with it.
    if (tx.get('SELECT 1 FROM dirs WHERE id = ?', unit.dirId) === null) return
    if (isRotten(tx, unit, { jobId: parts.jobId, nowMs: clock.now() })) {
      // Whatever else has changed beside it is read once it is well again.
      unread.add(unit.dirId)
      counts.failed++
      return
    }
    const [main] = unit.files
    const { content } = unit.result
    const isNew = known?.role !== 'main' || contentOf(tx, known.id) !== content
    if (main !== undefined && isNew && content !== undefined && !isNoItem(unit)) {
      const file = {
        collectionId: collection.id,
        content,
        size: main.file.size,
        name: main.file.name,
        dirId: unit.dirId,
        type: unit.kind,
        pictureHash: unit.result.pictureHash ?? 0,
      }
      const own = known?.itemId ?? null
      const taken = own === null ? claimed : new Set([...claimed, own])
      // A file in the place of an item with another content is that item, changed.
      const from = movedFrom(db, file, taken, () => null) ?? (own === null ? taggedFrom(db, file, taken) : null)
      if (from !== null) {
        claimed.add(from)
        unit.movedFrom = from
        if (known?.role === 'main' && known.itemId !== null && known.itemId !== from) vanishing.displace(known.itemId)
      }
    }
    for (const { raw } of unit.problems.filter(problem => problem.code === 'unreadable')) {
      unread.add(unit.dirId)
      const file = unit.files.find(one => one.file.raw === raw)
      // No file has such a date: the next scan takes it for changed.
      if (file !== undefined) file.file = { ...file.file, mtimeNanoseconds: -1 }
    }
    const saved = saveUnit(tx, unit, {
      jobId: parts.jobId,
      nowMs: clock.now(),
      now: Math.floor(clock.now() / 1000),
      fileWins: parts.fileWins,
    })
    if (saved !== 'skipped') counts[saved]++
    if (isFailed(unit)) counts.failed++
  }

  async function read(directory: UnitDirectory, unit: Unit, known: ReadonlyMap<string, KnownFile>) {
    const kindOf = (raw: string) => mayBeMedia(directory.files.get(raw)?.name ?? '') ?? 'image'
    const found = await readUnit(context, directory, unit, kindOf)
    if (signal.aborted) return
    for (const one of found) {
      const [main] = one.files
      writer.add(tx => save(tx, one, main === undefined ? undefined : known.get(main.file.raw)))
    }
    for (const raw of [unit.main, ...unit.companions, ...(unit.film === null ? [] : [unit.film])]) {
      parts.onFile(displayPath(directory.path, directory.files.get(raw)?.name ?? ''))
    }
  }

  /** Lets a unit begin when there is room; waits otherwise. */
  async function begin(work: () => Promise<void>) {
    while (reading.size >= unitsAtOnce || writer.waiting() >= writesWaiting) {
      if (reading.size === 0) await Bun.sleep(5)
      else await Promise.race(reading)
      if (failure !== null) throw failure
    }
    const going: Promise<void> = work()
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => reading.delete(going))
    reading.add(going)
  }

  /** Nothing is gone: the fingerprint stands as soon as all of the directory is written. Else `vanishing` has it. */
  function close(dirId: number, dirPath: string, gone: readonly KnownFile[], fingerprint: Buffer) {
    const vanishedMains = gone.filter(file => file.role === 'main')
    writer.add(tx => {
      for (const file of gone) {
        if (file.role === 'main') continue
        tx.run("DELETE FROM files WHERE id = ? AND role <> 'main'", file.id)
        const name = displayRaw(file.raw)
        tx.run('DELETE FROM problems WHERE collection_id = ? AND path = ?', collection.id, displayPath(dirPath, name))
      }
      if (collection.pairing === 1) {
        counts.new -= pairByIdentifier(tx, dirId, new Set(gone.map(file => file.id)), startedAt)
      }
      // What could not be read is tried again each time: a permission changes neither size nor date.
      const final = unread.has(dirId) ? null : fingerprint
      if (vanishedMains.length > 0)
        vanishing.add(
          dirId,
          vanishedMains.map(file => file.id),
          final,
        )
      if (final === null || vanishedMains.length === 0)
        tx.run('UPDATE dirs SET fingerprint = ? WHERE id = ?', final, dirId)
    })
  }

  return {
    /** Scans a directory. Comes back when all of it is under way, not when it is done. */
    async scan(changed: ChangedDirectory): Promise<void> {
      // Asked before the directory is read: of what comes or goes meanwhile nothing is written.
      const inHand = changed.read?.inHand ?? inHandBelow(db, collection.path)
      if (inHand.has(changed.path)) return
      const listing = changed.read?.listing ?? listDirectory(collection.path, changed.path, { ignored: ignoredName })
      // It went away, or became unreadable, since the survey: the next scan sees to it.
      if (listing === null || listing.error !== null) return
      const id = await dirIdOf(changed)
      parts.seen.add(id)
      const isUntold = untold(listing, inHand)
      const all = filesOf(listing)
      const files = told(all, isUntold)
      const known = knownFiles(db, id)
      // Looked into again, once it is settled where they are.
      const isInHand = (raw: string) => inHand.has(joinPath(changed.path, Buffer.from(raw, 'latin1')))
      if (!inHand.isEmpty && [...all.keys(), ...known.keys()].some(isInHand)) unread.add(id)
      const path = displayName(changed.path)
      const bytes = joinPath(Buffer.from(collection.path), changed.path)
      const directory: UnitDirectory = { id, path, bytes, files }

      const media = [...files.values()].flatMap(file => {
        const kind = mayBeMedia(file.name)
        return kind === null ? [] : [{ raw: file.raw, kind }]
      })
      const sidecars = groupSidecars(
        [...files.keys()],
        media.map(file => file.raw),
      )
      const sidecarsOf = (raw: string) => (sidecars.get(raw) ?? []).map(sidecar => sidecar.name)
      const units = groupFiles(media, sidecarsOf, collection.pairing === 1)
      const { unchanged } = reconcile([...files.values()], [...known.values()])
      const same = new Set(unchanged.map(pair => pair.found.raw))
      const bereft = withoutSidecar(
        [...files.keys()],
        [...known.values()],
        media.map(file => file.raw),
      )
      const byItem = Map.groupBy(known.values(), ({ itemId }) => itemId)
      const pending: Promise<void>[] = []
      for (const unit of units) {
        const lost = bereft.size > 0 && membersOf(unit).some(raw => bereft.has(raw))
        // A film that lives by a picture of another name is no item: read again it would be one until it is paired anew.
        const paired = collection.pairing === 1 && known.get(unit.main)?.role === 'motion'
        if ((!parts.full || paired) && !lost && !isChanged(unit, same, known, byItem)) continue
        signal.throwIfAborted()
        const { promise, resolve } = Promise.withResolvers<void>()
        pending.push(promise)
        await begin(() => read(directory, unit, known).finally(resolve))
      }
      const members = new Set<string>()
      for (const unit of units) for (const raw of membersOf(unit)) members.add(raw)
      const gone = [...known.values()].filter(file => !members.has(file.raw) && !isUntold(file.raw))
      const fingerprint = Buffer.from(listing.fingerprint)
      const closing: Promise<void> = Promise.all(pending)
        .then(() => {
          if (!signal.aborted && failure === null) close(id, path, gone, fingerprint)
        })
        .finally(() => reading.delete(closing))
      reading.add(closing)
    },

    /** Waits for everything that is under way. */
    async finish(): Promise<void> {
      while (reading.size > 0) await Promise.all(reading)
      if (failure !== null) throw failure
    },
  }
}

function contentOf(tx: Transaction, fileId: number): string | null {
  return tx.get<{ content: string | null }>('SELECT content FROM files WHERE id = ?', fileId)?.content ?? null
}
