/** Copies items' files into a collection in small batches, for both kinds of import. */
import type { PlannedCopy } from '../../schema/api/plans.ts'
import type { DiskPlace } from '../files/anchor.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { bytesOfRaw, displayRaw } from '../files/names.ts'
import type { SameContent } from '../items/same-content.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import { type NamedMember, namesWithStem, stemAndExtension } from '../survey/unit-names.ts'
import { directoryRow, type MoveSide, mainName, sameNameReason } from './item-moves.ts'
import type { FileTransfer, FileUnit, MoveContext, MovingParts } from './move-files.ts'
import { skippedMessage } from './move-outcomes.ts'
import { fileIn, forgetFingerprint } from './moving.sql.ts'
import { type NewItemFacts, newPlace } from './new-place.ts'
import { displayOf, pathOf } from './paths.ts'

interface ImportedFile extends NamedMember {
  from: DiskPlace
  size: number
}

export interface ImportedTo {
  dirId: number
  dir: Buffer
  names: ReadonlyMap<string, string>
}

export interface ImportUnit extends Omit<NewItemFacts, 'raws'> {
  /** Source path, for messages. */
  path: string
  /** Key of the main file's content. If the current batch contains the same content, the batch is finished first. */
  content: string
  /** The main file first. */
  files: readonly ImportedFile[]
  /** Owner's edited versions. */
  variants: readonly Omit<ImportedFile, 'role'>[]
  /** Writes the item; receives the files at their new places, in the order of `files`. */
  record(tx: Transaction, to: ImportedTo, placed: readonly PlaceFacts[]): void
}

export type ImportCounts = Record<'selected' | 'copied' | 'skipped' | 'failed', number>

/** Chooses the target of a unit and reserves its names. Returns a sentence with the reason if there is none. */
function chooseTarget(to: MoveSide, unit: ImportUnit) {
  const { dir, stem } = newPlace(to, { ...unit, raws: unit.files.map(({ raw }) => raw) })
  const refusal = to.views.refusal(dir)
  if (refusal !== null) return refusal
  const names = namesWithStem(unit.files, stem)
  if (names === null) return sameNameReason
  for (const { raw, size } of unit.files) {
    const now = names.get(raw) ?? raw
    to.views.add(dir, { raw: now, name: displayRaw(now), size, mtimeSeconds: 0, mtimeNanoseconds: 0 })
  }
  return { dir, stem, names }
}

export interface Importer {
  counts: ImportCounts
  flush(): Promise<void>
  /** Whether this content is in the current batch. If so, `flush` before checking whether the collection has it. */
  isInBatch(content: string): boolean
  skip(reason: string): void
  fail(path: string, reason: string): void
  add(unit: ImportUnit): Promise<void>
  message(): string
}

export interface ImportContext {
  db: LibraryDatabase
  clock: Clock
  disk: Disk
  findItemWithContent: SameContent
  importer: Importer
  signal: AbortSignal
  /** `total` is null if unknown. */
  onDone: (done: number, total: number | null, path: string) => void
}

function createTally(): Pick<Importer, 'counts' | 'skip' | 'message'> {
  const counts: ImportCounts = { selected: 0, copied: 0, skipped: 0, failed: 0 }
  const skipped = new Map<string, number>()
  return {
    counts,
    skip(reason) {
      counts.selected++
      counts.skipped++
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    },
    message: () => skippedMessage(skipped),
  }
}

export interface PlannedUnit extends PlannedCopy {
  /** The main file; null when it can't be copied. */
  place: DiskPlace | null
}

/** An importer that copies nothing, and reports each unit that would be copied or cannot be copied. */
export function createImportPlanner(to: MoveSide, report: (copy: PlannedUnit) => void): Importer {
  const tally = createTally()
  const { counts } = tally
  const contents = new Set<string>()
  function fail(path: string, reason: string) {
    counts.selected++
    counts.failed++
    report({ from: path, to: null, reason, place: null })
  }
  return {
    ...tally,
    flush: async () => {},
    isInBatch: () => false,
    fail,
    async add(unit) {
      // In a real import, the first unit with this content would exist by now.
      if (contents.has(unit.content)) return tally.skip('there already')
      const place = chooseTarget(to, unit)
      if (typeof place === 'string') return fail(unit.path, place)
      contents.add(unit.content)
      counts.selected++
      counts.copied++
      const path = displayOf(place.dir, mainName(place.names, unit.files))
      report({ from: unit.path, to: path, reason: '', place: unit.files[0]?.from ?? null })
    },
  }
}

/** Converts an import unit to a unit of the mover. Returns a sentence with the reason if it cannot be copied. */
function planCopies(to: MoveSide, unit: ImportUnit): FileUnit | string {
  const place = chooseTarget(to, unit)
  if (typeof place === 'string') return place
  const { dir, stem, names } = place
  const copy = (root: string, name: string, { from, size }: Pick<ImportedFile, 'from' | 'size'>): FileTransfer => ({
    operation: 'copy',
    from,
    to: { root, path: pathOf(dir, name) },
    size,
  })
  const { variants, collection } = to
  const versions =
    variants === null
      ? []
      : unit.variants.flatMap(file => {
          const now = `${stem}${stemAndExtension(file.raw).extension}`
          return variants.file(dir, now) === null ? copy(variants.root, now, file) : []
        })
  return {
    itemId: null,
    files: [...unit.files.map(file => copy(to.views.root, names.get(file.raw) ?? file.raw, file)), ...versions],
    record(tx, placed) {
      const dirId = directoryRow(tx, collection.id, dir)
      unit.record(tx, { dirId, dir, names }, placed)
      tx.run(forgetFingerprint, dirId)
      const main = mainName(names, unit.files)
      const itemId = tx.get(fileIn, dirId, bytesOfRaw(main))?.itemId ?? null
      tx.history({
        operation: 'file.import',
        collectionId: collection.id,
        ...(itemId === null ? {} : { itemId }),
        before: { path: unit.path },
        after: { collection: collection.id, path: displayOf(dir, main) },
      })
    },
  }
}

/** Plans copies into one collection and performs them. `onFailure` is called for each unit that could not be copied. */
export function createImporter(
  { db, mover }: Pick<MovingParts, 'db' | 'mover'>,
  to: MoveSide,
  moving: MoveContext,
  onFailure: (tx: Transaction, path: string, reason: string) => void,
): Importer {
  const tally = createTally()
  const { counts } = tally
  let waiting: { unit: ImportUnit; files: FileUnit }[] = []
  let failures: { path: string; reason: string }[] = []

  async function flush(): Promise<void> {
    const outcomes = await mover.run(
      waiting.map(({ files }) => files),
      moving,
    )
    for (const [n, { unit }] of waiting.entries()) {
      const reason = outcomes[n]?.reason ?? null
      if (reason === null) counts.copied++
      else {
        failures.push({ path: unit.path, reason })
        to.views.forget()
      }
    }
    counts.failed += failures.length
    await db.transact(moving.actor, tx => {
      for (const { path, reason } of failures) onFailure(tx, path, reason)
      if (waiting.length > 0) publishCollections(tx, [to.collection.id])
    })
    waiting = []
    failures = []
  }

  return {
    ...tally,
    flush,
    isInBatch: content => waiting.some(({ unit }) => unit.content === content),
    fail(path, reason) {
      counts.selected++
      failures.push({ path, reason })
    },
    async add(unit) {
      counts.selected++
      const files = planCopies(to, unit)
      if (typeof files === 'string') failures.push({ path: unit.path, reason: files })
      else waiting.push({ unit, files })
      if (waiting.length >= 20) await flush()
    },
  }
}
