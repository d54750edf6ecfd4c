/** Brings copies of items' files into a collection, a handful at a time: what both ways of importing have in common. */
import type { PlannedCopy } from '../../schema/api/plans.ts'
import type { Place } from '../files/anchor.ts'
import type { PlaceFacts } from '../files/disk.ts'
import { displayName, displayRaw, joinPath } from '../files/names.ts'
import type { Actor, Transaction } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import { type NamedMember, namesWithStem, stemAndExtension } from '../survey/unit-names.ts'
import { directoryRow, type MoveSide } from './item-moves.ts'
import type { FileMover, FileUnit } from './move-files.ts'
import { skippedMessage, tellCollections } from './move-outcomes.ts'
import { type Arriving, newPlace } from './new-place.ts'
import type { MovingParts } from './sort-job.ts'

/** A file as it lies where it comes from. */
interface ImportedFile extends NamedMember {
  from: Place
  size: number
}

/** Where an item came to lie. */
export interface ImportedTo {
  dirId: number
  dir: Buffer
  names: ReadonlyMap<string, string>
}

/** One item that shall be copied. */
export interface ImportUnit extends Omit<Arriving, 'raws'> {
  /** For people: where it comes from. */
  path: string
  /** Key of its content: two of one content in one handful are looked at one after the other. */
  content: string
  /** The main file first. */
  files: readonly ImportedFile[]
  /** Owner's edited versions. */
  variants: readonly Omit<ImportedFile, 'role'>[]
  /** Writes the item; gets what lies at the new places, in the order of `files`. */
  record(tx: Transaction, to: ImportedTo, placed: readonly PlaceFacts[]): void
}

export interface ImportCounts extends Record<string, number> {
  selected: number
  copied: number
  skipped: number
  failed: number
}

interface NewPlace {
  dir: Buffer
  stem: string
  /** New name by old name. */
  names: ReadonlyMap<string, string>
}

/** Where a unit comes to lie: its names count as taken from now on. A sentence when it can't. */
function placeInto(to: MoveSide, unit: ImportUnit): NewPlace | string {
  const { dir, stem } = newPlace(to, { ...unit, raws: unit.files.map(({ raw }) => raw) })
  const refusal = to.views.refusal(dir)
  if (refusal !== null) return refusal
  const names = namesWithStem(unit.files, stem)
  if (names === null) return 'Two of its files would get the same name.'
  for (const { raw, size } of unit.files) {
    const now = names.get(raw) ?? raw
    to.views.add(dir, { raw: now, name: displayRaw(now), size, mtimeSeconds: 0, mtimeNanoseconds: 0 })
  }
  return { dir, stem, names }
}

function newPathOf({ files: [main] }: ImportUnit, { dir, names }: NewPlace): string {
  return displayPath(displayName(dir), displayRaw(names.get(main?.raw ?? '') ?? ''))
}

/** What would become of one unit. */
export interface PlannedUnit extends PlannedCopy {
  /** The main file; null where it can't be copied. */
  place: Place | null
}

/** An importer that copies nothing, and tells of each unit what would become of it. */
export function createImportPlanner(to: MoveSide, tell: (copy: PlannedUnit) => void): Importer {
  const counts: ImportCounts = { selected: 0, copied: 0, skipped: 0, failed: 0 }
  const skipped = new Map<string, number>()
  const contents = new Set<string>()
  function skip(reason: string) {
    counts.selected++
    counts.skipped++
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
  }
  function fail(path: string, reason: string) {
    counts.selected++
    counts.failed++
    tell({ from: path, to: null, reason, place: null })
  }
  return {
    counts,
    flush: async () => {},
    awaits: () => false,
    skip,
    fail,
    async add(unit) {
      // By then the first of the two would be there.
      if (contents.has(unit.content)) return skip('there already')
      const place = placeInto(to, unit)
      if (typeof place === 'string') return fail(unit.path, place)
      contents.add(unit.content)
      counts.selected++
      counts.copied++
      const main = unit.files[0]?.from ?? null
      tell({ from: unit.path, to: newPathOf(unit, place), reason: '', place: main })
    },
    message: () => skippedMessage(skipped),
  }
}

/** Plans copies into one collection and carries them out. */
export function createImporter(
  { db, mover }: Pick<MovingParts, 'db'> & { mover: FileMover },
  to: MoveSide,
  {
    holder,
    actor,
    signal,
    failed,
  }: {
    holder: number
    actor: Actor
    signal: AbortSignal
    /** Told of each that could not be copied. */
    failed: (tx: Transaction, path: string, reason: string) => void
  },
) {
  const counts: ImportCounts = { selected: 0, copied: 0, skipped: 0, failed: 0 }
  const skipped = new Map<string, number>()
  let waiting: { unit: ImportUnit; files: FileUnit }[] = []
  let faults: { path: string; reason: string }[] = []

  function fileUnit(unit: ImportUnit): FileUnit | string {
    const place = placeInto(to, unit)
    if (typeof place === 'string') return place
    const { dir, stem, names } = place
    const target = (raw: string) => joinPath(dir, Buffer.from(raw, 'latin1'))
    const ways = unit.files.map(({ raw, from, size }) => {
      const now = names.get(raw) ?? raw
      return { operation: 'copy' as const, from, to: { root: to.views.root, path: target(now) }, size }
    })
    const { variants } = to
    const versions =
      variants === null
        ? []
        : unit.variants.flatMap(({ raw, from, size }) => {
            const now = `${stem}${stemAndExtension(raw).extension}`
            if (variants.file(dir, now) !== null) return []
            return [{ operation: 'copy' as const, from, to: { root: variants.root, path: target(now) }, size }]
          })
    return {
      itemId: null,
      files: [...ways, ...versions],
      record(tx, placed) {
        const dirId = directoryRow(tx, to.collection.id, dir)
        unit.record(tx, { dirId, dir, names }, placed)
        tx.run('UPDATE dirs SET fingerprint = NULL WHERE id = ?', dirId)
        const main = names.get(unit.files[0]?.raw ?? '') ?? ''
        const item = tx.get<{ item_id: number | null }>(
          'SELECT item_id FROM files WHERE dir_id = ? AND name_bytes = ?',
          dirId,
          Buffer.from(main, 'latin1'),
        )
        tx.history({
          operation: 'file.import',
          collectionId: to.collection.id,
          ...(item?.item_id == null ? {} : { itemId: item.item_id }),
          before: { path: unit.path },
          after: { collection: to.collection.id, path: newPathOf(unit, place) },
        })
      },
    }
  }

  async function flush(): Promise<void> {
    const outcomes = await mover.run(
      waiting.map(({ files }) => files),
      { holder, actor, signal },
    )
    for (const [n, { unit }] of waiting.entries()) {
      const reason = outcomes[n] ?? null
      if (reason === null) counts.copied++
      else {
        faults.push({ path: unit.path, reason })
        to.views.forget()
      }
    }
    counts.failed += faults.length
    await db.transact(actor, tx => {
      for (const { path, reason } of faults) failed(tx, path, reason)
      if (waiting.length > 0) tellCollections(tx, [to.collection.id])
    })
    waiting = []
    faults = []
  }

  return {
    counts,
    flush,
    /** Is one of this content on its way? Then `flush` before asking whether the collection has it. */
    awaits: (content: string): boolean => waiting.some(({ unit }) => unit.content === content),
    skip(reason: string) {
      counts.selected++
      counts.skipped++
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    },
    fail(path: string, reason: string) {
      counts.selected++
      faults.push({ path, reason })
    },
    async add(unit: ImportUnit): Promise<void> {
      counts.selected++
      const files = fileUnit(unit)
      if (typeof files === 'string') faults.push({ path: unit.path, reason: files })
      else waiting.push({ unit, files })
      if (waiting.length >= 20) await flush()
    },
    /** What is to be said in the end. */
    message: (): string => skippedMessage(skipped),
  }
}

export type Importer = ReturnType<typeof createImporter>
