/** Plans which files move together; directories are read once for any number of files. */
import type { DiskPlace } from '../../files/anchor.ts'
import { displayRaw, rawOf } from '../../files/names.ts'
import type { ItemFile, ItemFiles } from '../../items/item-files.ts'
import { itemsOfFile } from '../../items/mark-missing.ts'
import { sameNameReason, unitOfMove } from '../../moving/item-moves.ts'
import type { FileUnit } from '../../moving/move-files.ts'
import { pathOf, splitPath } from '../../moving/paths.ts'
import { createSides, type Sides } from '../../moving/sides.ts'
import type { FileMove } from '../file-units.ts'
import { haveSameBytes, isMediaName, leavingUnit, namesWithName, notMoved, plainUnit } from '../file-units.ts'
import type { FilePlace } from '../places.ts'
import { type Change, nameOfPlace } from './change-parts.ts'

export interface PlannedFileMove {
  unit: FileUnit
  /** Makes later plans see both directories as if the file had already moved. */
  assumeMoved(): void
  /** Removes sidecars that are no longer needed, or takes back `assumeMoved`. */
  finish(wasMoved: boolean): void
}

interface Planning {
  change: Change
  /** Whether the caller notifies collections once for many files, instead of each move doing it. */
  quiet: boolean
  sides: Sides
  /** Whether scans read a directory, cached by collection and path. */
  scanned: Map<string, boolean>
}

/** The directory of a place in its collection, if scans read it. */
function scannedDirectory(planning: Planning, { collection, inCollection }: FilePlace) {
  if (collection === null || inCollection === null) return null
  const { dir } = splitPath(inCollection)
  const { change, scanned, sides } = planning
  const key = `${collection.id} ${rawOf(dir)}`
  const isScanned = scanned.get(key) ?? change.synchronizer.isScanned({ collection, dir })
  scanned.set(key, isScanned)
  const side = isScanned ? sides.of(collection.id) : null
  return side === null ? null : { side, dir }
}

type MainItem = ReturnType<typeof itemsOfFile>[number]

function mainOf({ change: { db } }: Planning, { collection, inCollection }: FilePlace): MainItem | null {
  if (collection === null || inCollection === null) return null
  return itemsOfFile(db, collection.id, inCollection)[0] ?? null
}

/** The item's files as they are on the disk. Changes since the last scan are read first. */
async function filesOf(planning: Planning, from: FilePlace, { id, type }: MainItem): Promise<ItemFiles> {
  const { collection, inCollection } = from
  if (collection === null || inCollection === null) throw new Error('an item outside of all collections')
  const { change, sides } = planning
  const read = () => sides.of(collection.id)?.files.of(id, type) ?? 'Its collection is gone.'
  let files = read()
  if (typeof files === 'string') {
    await change.synchronizer.synchronize(change.viewer, [{ collection, dir: splitPath(inCollection).dir }])
    sides.forget()
    files = read()
  }
  if (typeof files === 'string') throw notMoved(from.virtual, files)
  return files
}

/**
 * The files to move. A sidecar that several items share is copied, and moves with the last of these items. A sidecar
 * that is already at the new place, with the same bytes, is left out. It is `redundant` at the old place if no other
 * item there needs it.
 */
async function withoutPresentSidecars(
  { change: { disk } }: Planning,
  item: ItemFiles,
  { from, to }: FileMove,
  names: ReadonlyMap<string, string>,
) {
  const inFolder = ({ at }: FilePlace, raw: string): DiskPlace => ({
    root: at.root,
    path: pathOf(splitPath(at.path).dir, raw),
  })
  const files: ItemFile[] = []
  const redundant: DiskPlace[] = []
  for (const file of item.files) {
    const source = inFolder(from, file.raw)
    if (file.role !== 'sidecar' || !(await haveSameBytes(disk, source, inFolder(to, names.get(file.raw) ?? file.raw))))
      files.push(file)
    else if (!file.stays) redundant.push(source)
  }
  return { item: { ...item, files }, redundant }
}

function removeRedundant({ change: { disk, log } }: Planning, redundant: readonly DiskPlace[]): void {
  for (const place of redundant) {
    try {
      disk.remove(place)
    } catch (error) {
      log.warn('a sidecar that was copied is still at its old place too', { error })
    }
  }
}

const nothing = () => {}

/** Plans the move of a file. Throws a failure with the reason if the files of its item cannot be moved. */
async function plan(planning: Planning, step: FileMove, size: number): Promise<PlannedFileMove> {
  const { clock } = planning.change
  const { from, to } = step
  const raw = rawOf(nameOfPlace(to))
  const main = mainOf(planning, from)
  // A file moves alone if it is not an item's main file, or if scans skip its new name.
  if (main === null || from.collection === null || !isMediaName(raw))
    return { unit: plainUnit(clock, step, size), assumeMoved: nothing, finish: nothing }
  const all = await filesOf(planning, from, main)
  const names = namesWithName(all.files, raw)
  if (names === null) throw notMoved(from.virtual, sameNameReason)
  const { item, redundant } = await withoutPresentSidecars(planning, all, step, names)
  const source = planning.sides.of(from.collection.id)
  if (source === null) throw notMoved(from.virtual, 'Its collection is gone.')
  const target = scannedDirectory(planning, to)
  const unit =
    target === null
      ? leavingUnit(clock, item, step, names)
      : unitOfMove({ item, from: source, to: target.side, dir: target.dir, names }, { clock, quiet: planning.quiet })
  return {
    unit,
    assumeMoved() {
      for (const { raw: old, file, stays } of item.files) {
        if (!stays) source.views.remove(item.dir, old)
        const now = names.get(old) ?? old
        target?.side.views.add(target.dir, { ...file, raw: now, name: displayRaw(now) })
      }
    },
    finish(wasMoved) {
      if (wasMoved) removeRedundant(planning, redundant)
      // Later plans assumed that this move succeeds: their cached directories are wrong now.
      else planning.sides.forget()
    },
  }
}

export function createFilePlans(change: Change, { quiet }: { quiet: boolean }) {
  const planning: Planning = { change, quiet, sides: createSides(change.db), scanned: new Map() }
  return {
    plan: (step: FileMove, size: number) => plan(planning, step, size),
    isMain: (place: FilePlace): boolean => mainOf(planning, place) !== null,
  }
}

export type FilePlans = ReturnType<typeof createFilePlans>
