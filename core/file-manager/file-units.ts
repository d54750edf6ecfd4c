/** Makes units for the mover: all files of an item that leaves the library, or a single file. Reports their failures. */
import { Failure, type FailureCode, sentence } from '../../schema/errors.ts'
import { type DiskPlace, displayPlace } from '../files/anchor.ts'
import type { Disk } from '../files/disk.ts'
import { displayRaw } from '../files/names.ts'
import type { ItemFile, ItemFiles } from '../items/item-files.ts'
import { directoryIdOf, freeName, itemsOfFile, markItemMissing } from '../items/mark-missing.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { presumedKind } from '../media/formats/sniff.ts'
import { reassignRow } from '../moving/item-moves.ts'
import type { FileTransfer, FileUnit, MoveContext, UnitFailure } from '../moving/move-files.ts'
import { forgetFingerprintAtPath } from '../moving/moving.sql.ts'
import { directoryOf, pathOf, splitPath } from '../moving/paths.ts'
import { namesWithStem, stemAndExtension } from '../survey/unit-names.ts'
import { nameTaken } from './changes/change-parts.ts'
import type { FilePlace } from './places.ts'

export interface FileMove {
  from: FilePlace
  to: FilePlace
}

/** The user for whom a move is recorded, its job, and the signal that aborts it. */
export interface AbortableMove extends MoveContext {
  signal: AbortSignal
}

/** Whether a scan treats a file of this raw name as a picture or a video. */
export function isMediaName(raw: string): boolean {
  return presumedKind(displayRaw(raw)) !== null
}

/**
 * New names of an item's files when its main file is renamed: those that share its stem get the new stem, and sidecars
 * with its whole name get the new name. Null if two files would get the same name.
 */
export function namesWithName(files: readonly ItemFile[], raw: string): Map<string, string> | null {
  const [main] = files
  if (main === undefined) return null
  const names = namesWithStem(files, stemAndExtension(raw).stem)
  if (names === null) return null
  const planned = names.get(main.raw) ?? main.raw
  if (planned === raw) return names
  names.set(main.raw, raw)
  for (const { raw: old, role } of files) {
    const now = names.get(old) ?? old
    if (role === 'sidecar' && old.startsWith(`${main.raw}.`)) names.set(old, `${raw}${now.slice(planned.length)}`)
  }
  return new Set(names.values()).size === names.size ? names : null
}

/** Moves all files of an item out of the library. The item becomes missing, and is found again if they return. */
export function leavingUnit(
  clock: Clock,
  item: ItemFiles,
  { from, to }: FileMove,
  names: ReadonlyMap<string, string>,
): FileUnit {
  const source = splitPath(from.at.path).dir
  const target = splitPath(to.at.path).dir
  return {
    itemId: item.itemId,
    files: item.files.map(
      ({ raw, file, stays }): FileTransfer => ({
        operation: stays ? 'copy' : 'move',
        from: { root: from.at.root, path: pathOf(source, raw) },
        to: { root: to.at.root, path: pathOf(target, names.get(raw) ?? raw) },
        size: file.size,
      }),
    ),
    record(tx) {
      // A shared file stays. Its row must stay too, but `markItemMissing` deletes the rows of the item.
      for (const { rowId, newOwner, stays } of item.files) if (stays && rowId !== null) reassignRow(tx, rowId, newOwner)
      markItemMissing(tx, clock, item.itemId)
    },
  }
}

/** Moves a file without an item, or a file that leaves its item. */
export function plainUnit(clock: Clock, { from, to }: FileMove, size: number): FileUnit {
  const { collection, inCollection } = from
  return {
    itemId: null,
    files: [{ operation: 'move', from: from.at, to: to.at, size }],
    record(tx: Transaction) {
      if (to.collection !== null && to.inCollection !== null) {
        const target = splitPath(to.inCollection)
        const dirId = directoryIdOf(tx, to.collection.id, target.dir)
        if (dirId !== null) freeName(tx, clock, dirId, target.name)
      }
      if (collection === null || inCollection === null) return
      for (const { id } of itemsOfFile(tx, collection.id, inCollection)) markItemMissing(tx, clock, id)
      tx.run(forgetFingerprintAtPath, collection.id, splitPath(inCollection).dir)
    },
  }
}

export async function haveSameBytes(disk: Disk, a: DiskPlace, b: DiskPlace): Promise<boolean> {
  const [one, other] = [disk.stat(a), disk.stat(b)]
  if (one?.kind !== 'file' || other?.kind !== 'file' || one.size !== other.size) return false
  return (await disk.hash(a)) === (await disk.hash(b))
}

/** The reason that a file was not moved, as a Failure that names it. */
export function notMoved(virtual: string, reason: string, code: FailureCode = 'conflict'): Failure {
  return new Failure(code, sentence`${virtual} was not moved: ${reason}`, { field: 'items' })
}

/** The mover's reason for a failed step, with virtual paths instead of those of the disk. */
export function refusalOf(
  { from, to }: Record<'from' | 'to', { at: DiskPlace; virtual: string }>,
  { reason, code, taken }: UnitFailure,
): Failure {
  // A concurrent request has taken the name.
  if (taken !== null && displayPlace(taken) === displayPlace(to.at)) return nameTaken(to.virtual)
  let text = reason
  for (const { at, virtual } of [to, from]) {
    const folder = displayPlace(directoryOf(at))
    text = text.replaceAll(`${folder}/`, virtual.slice(0, virtual.lastIndexOf('/') + 1))
  }
  return notMoved(from.virtual, text, code)
}
