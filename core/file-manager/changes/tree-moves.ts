/** Moves a folder file by file: into another collection, to which the items then belong, or to another disk. */
import { Failure } from '../../../schema/errors.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import { DiskError } from '../../files/disk-error.ts'
import { isTemporaryName } from '../../files/write-whole.ts'
import { itemWithFile } from '../../items/mark-missing.ts'
import { willBeMovedBack } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import { publishCollections } from '../../kernel/events.ts'
import { forgetDirectories } from '../../moving/item-moves.ts'
import { pathOf } from '../../moving/paths.ts'
import { listDirectory, type WalkedDirectory, walk } from '../../survey/walk.ts'
import type { WalkedEntry } from '../../survey/walked-entry.ts'
import { fileFailure } from '../file-failures.ts'
import { type AbortableMove, type FileMove, notMoved, refusalOf } from '../file-units.ts'
import type { FilePlace } from '../places.ts'
import { type Change, collectionsOf } from './change-parts.ts'
import { createFilePlans, type FilePlans } from './file-plans.ts'
import { createUnitQueue } from './unit-queue.ts'

interface Tree {
  change: Change
  step: FileMove
  plans: FilePlans
  queue: ReturnType<typeof createUnitQueue>
  /** Number of entries that were not moved, and the first reason. */
  left: { count: number; reason: string }
}

const noMarkers: ReadonlySet<string> = new Set()
/** How often to try to remove a directory that other processes write to. */
const maxAttempts = 5

/** The place at or below `to` that corresponds to a path at or below `from`. */
function counterpart({ places }: Change, path: Buffer, { from, to }: FileMove): FilePlace {
  const { length } = from.at.path
  const rest = path.subarray(length === 0 ? 0 : length + 1)
  return rest.length === 0 ? to : places.within(to, rest)
}

function stepOf(change: Change, step: FileMove, directory: WalkedDirectory, raw: string): FileMove {
  const path = pathOf(directory.path, raw)
  const rest = path.subarray(step.from.at.path.length + 1)
  return { from: change.places.within(step.from, rest), to: counterpart(change, path, step) }
}

/** The reason that a link or special file stays: only files and folders can be moved to another disk. */
function remainsReason({ disk }: Change, { at, virtual }: FilePlace): string {
  return `${virtual} is ${disk.kindOf(at) ?? 'a link'}: it cannot go to another disk.`
}

const isNeitherFileNorFolder = ({ kind }: WalkedEntry) => kind === 'link' || kind === 'other'

function noteLeft({ left }: Tree, reason: string): void {
  if (left.count === 0) left.reason = reason
  left.count++
}

/** Moves a link (with the same target), pipe, socket or device: possible only on the same disk. */
function moveSpecial(tree: Tree, { from, to }: FileMove): void {
  try {
    tree.change.disk.move(from.at, to.at)
  } catch (error) {
    if (!(error instanceof DiskError || error instanceof Failure)) throw error
    noteLeft(tree, remainsReason(tree.change, from))
  }
}

/** Moves a file. An unmovable one is skipped and reported at the end; internal errors and aborts are thrown. */
async function moveFile(tree: Tree, step: FileMove, size: number): Promise<void> {
  try {
    await tree.queue.add(step, () => tree.plans.plan(step, size))
  } catch (error) {
    const failure = fileFailure(error, step.from)
    if (!(failure instanceof Failure)) throw failure
    noteLeft(tree, failure.message)
  }
}

async function moveDirectory(tree: Tree, directory: WalkedDirectory): Promise<void> {
  const { change, step, plans, queue } = tree
  const { db, disk } = change
  if (directory.error !== null) return noteLeft(tree, `${directory.display}: ${directory.error}`)
  const like = { root: step.from.at.root, path: directory.path }
  disk.makeDirectory(counterpart(change, directory.path, step).at, { like })
  const entries = directory.entries.map(entry => ({ ...stepOf(change, step, directory, entry.raw), entry }))
  const files = entries.filter(({ entry }) => entry.kind === 'file')
  const mains = new Set(files.filter(({ from }) => plans.isMain(from)))
  // Items come first, because their companions move with them.
  for (const one of mains) await moveFile(tree, one, one.entry.size)
  await queue.flush()
  // Companions of an item that could not be moved stay with it.
  const itemOf = ({ collection, inCollection }: FilePlace) =>
    collection === null || inCollection === null ? null : itemWithFile(db, collection.id, inCollection)
  const isThere = ({ from }: FileMove) => disk.stat(from.at) !== null
  const staying = new Set([...mains].filter(isThere).map(({ from }) => itemOf(from)))
  const goesWithItem = (place: FilePlace): boolean => {
    if (queue.movesAlong(place.at) || queue.staysBehind(place.at)) return true
    const item = staying.size === 0 ? null : itemOf(place)
    return item !== null && staying.has(item)
  }
  for (const one of files)
    if (!mains.has(one) && !goesWithItem(one.from) && isThere(one)) await moveFile(tree, one, one.entry.size)
  await queue.flush()
  for (const one of entries) if (isNeitherFileNorFolder(one.entry)) moveSpecial(tree, one)
}

function tryRemoveDirectory({ disk }: Change, place: DiskPlace): boolean {
  try {
    disk.removeDirectory(place)
    return true
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return false
  }
}

/**
 * Removes temporary entries, so that the directory can be removed: their writers then fail, as after a deletion.
 * Removes nothing and returns false if other entries are there too, or temporary ones that recovery will restore.
 */
async function removeTemporary({ db, disk }: Change, { root, path }: DiskPlace): Promise<boolean> {
  const names = listDirectory(root, path, { exclusionMarkers: noMarkers })?.entries ?? []
  if (names.some(({ raw }) => !isTemporaryName(raw) || willBeMovedBack(db, raw))) return false
  for (const { raw } of names) {
    try {
      await removeTree(disk, { root, path: pathOf(path, raw) })
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
    }
  }
  return true
}

/** Removes the directories that are empty now, deepest first. Returns their paths in the old collection. */
async function removeEmpty(change: Change, { from }: FileMove, directories: readonly Buffer[]): Promise<Buffer[]> {
  const removed: Buffer[] = []
  for (const path of [...directories].reverse()) {
    const place = { root: from.at.root, path }
    let isGone = tryRemoveDirectory(change, place)
    // Another process may have added an entry meanwhile.
    for (let tries = 0; !isGone && tries < maxAttempts && (await removeTemporary(change, place)); tries++)
      isGone = tryRemoveDirectory(change, place)
    const rest = path.subarray(from.at.path.length)
    if (isGone && from.inCollection !== null) removed.push(Buffer.concat([from.inCollection, rest]))
  }
  return removed
}

/** Everything below a folder except temporary files, read completely. */
async function treeOf({ from: { at } }: FileMove, signal: AbortSignal): Promise<WalkedDirectory[]> {
  const options = { below: at.path, ignored: isTemporaryName, exclusionMarkers: noMarkers, signal }
  return await Array.fromAsync(walk(at.root, options))
}

/** Throws with the reason, before anything is copied, if something cannot move to the disk with number `device`. */
export async function requirePortable(
  change: Change,
  step: FileMove,
  device: string | null,
  signal: AbortSignal,
): Promise<void> {
  for (const directory of await treeOf(step, signal)) {
    const immovable = directory.device === device ? undefined : directory.entries.find(isNeitherFileNorFolder)
    if (immovable === undefined) continue
    throw notMoved(step.from.virtual, remainsReason(change, stepOf(change, step, directory, immovable.raw).from))
  }
}

/** Moves a folder file by file. If files could not be moved, moves all others, and throws how many stay and why. */
export async function moveTree(change: Change, step: FileMove, context: AbortableMove): Promise<void> {
  const { from, to } = step
  const left = { count: 0, reason: '' }
  const plans = createFilePlans(change, { quiet: true })
  const queue = createUnitQueue(change.mover, context, (one, failure) => {
    if (failure !== null) noteLeft(tree, refusalOf(one, failure).message)
  })
  const tree: Tree = { change, step, plans, queue, left }
  // Read completely before anything moves, because a walk must not see its own changes.
  const seen = await treeOf(step, context.signal)
  for (const directory of seen) await moveDirectory(tree, directory)
  const paths = seen.map(({ path }) => path)
  const removed = await removeEmpty(change, step, paths)
  const ids = collectionsOf([from, to]).map(({ id }) => id)
  await change.db.transact(context.actor, tx => {
    if (from.collection !== null) forgetDirectories(tx, from.collection.id, removed)
    publishCollections(tx, ids)
  })
  if (left.count === 0) return
  const what = left.count === 1 ? 'One of its files stays' : `${left.count} of its files stay`
  throw notMoved(from.virtual, `${what} at the old place. ${left.reason}`)
}
