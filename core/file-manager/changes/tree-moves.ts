/** Moves a folder file by file: into another collection, where each item becomes that one's, or onto another disk. */
import { Failure } from '../../../schema/errors.ts'
import type { Place as DiskPlace } from '../../files/anchor.ts'
import { DiskError } from '../../files/disk-error.ts'
import { bytesOfRaw, joinPath } from '../../files/names.ts'
import { isTemporaryName } from '../../files/write-whole.ts'
import { itemWithFile } from '../../items/leaving.ts'
import { isToComeBack } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import { forgetDirectories } from '../../moving/item-moves.ts'
import { tellCollections } from '../../moving/move-outcomes.ts'
import { listDirectory, type WalkedDirectory, walk } from '../../survey/walk.ts'
import { fileFailure } from '../file-failures.ts'
import { notMoved, type Running, refusalOf, type Step } from '../file-units.ts'
import type { Place } from '../places.ts'
import { type ChangeParts, collectionsOf } from './change-parts.ts'
import { createFilePlans, type FilePlans } from './file-plans.ts'
import { createUnitQueue } from './unit-queue.ts'

interface Tree {
  plans: FilePlans
  queue: ReturnType<typeof createUnitQueue>
  left: { count: number; reason: string }
}

const noMarkers: ReadonlySet<string> = new Set()
/** How often a directory is tried to be removed under somebody's hands. */
const attempts = 5

export function createTreeMoves(parts: ChangeParts) {
  const { db, disk, mover } = parts

  /** The same place below another folder: `path` lies at or below `from`. */
  function moved(path: Buffer, from: Buffer, to: Place): Place {
    const rest = path.subarray(from.length === 0 ? 0 : from.length + 1)
    return rest.length === 0 ? to : parts.places.within(to, rest)
  }

  function stepOf({ from, to }: Step, directory: WalkedDirectory, raw: string): Step {
    const path = joinPath(directory.path, bytesOfRaw(raw))
    const rest = path.subarray(from.at.path.length + 1)
    return { from: parts.places.within(from, rest), to: moved(path, from.at.path, to) }
  }

  /** Only bytes go to another disk, and folders of them. */
  function staysHere({ at, virtual }: Place): string {
    return `${virtual} is ${disk.kindOf(at) ?? 'a link'}: it cannot go to another disk.`
  }

  function leave({ left }: Tree, reason: string): void {
    if (left.count === 0) left.reason = reason
    left.count++
  }

  /** Links are nobody's bytes: they go by their name, which leads where it led. */
  function moveLink(step: Step, tree: Tree): void {
    try {
      disk.move(step.from.at, step.to.at)
    } catch (error) {
      if (!(error instanceof DiskError || error instanceof Failure)) throw error
      leave(tree, staysHere(step.from))
    }
  }

  /** What can't be moved is left and told in the end; only a broken program or an abort ends it here. */
  async function carry(step: Step, size: number, tree: Tree): Promise<void> {
    try {
      await tree.queue.add(step, () => tree.plans.plan(step, size))
    } catch (error) {
      const failure = fileFailure(error, step.from)
      if (!(failure instanceof Failure)) throw failure
      leave(tree, failure.message)
    }
  }

  function itemOf({ collection, inCollection }: Place): number | null {
    return collection === null || inCollection === null ? null : itemWithFile(db, collection.id, inCollection)
  }

  async function moveDirectory(step: Step, directory: WalkedDirectory, tree: Tree): Promise<void> {
    if (directory.error !== null) return leave(tree, `${directory.display}: ${directory.error}`)
    const like = { root: step.from.at.root, path: directory.path }
    disk.makeDirectory(moved(directory.path, step.from.at.path, step.to).at, { like })
    const entries = directory.entries.map(entry => ({ ...stepOf(step, directory, entry.raw), entry }))
    const files = entries.filter(({ entry }) => entry.kind === 'file')
    const mains = new Set(files.filter(({ from }) => tree.plans.isMain(from)))
    // Items first: what belongs to them goes with them.
    for (const one of mains) await carry(one, one.entry.size, tree)
    await tree.queue.flush()
    // What belongs to an item that could not go stays with it.
    const staying = new Set(
      [...mains].filter(({ from }) => disk.stat(from.at) !== null).map(({ from }) => itemOf(from)),
    )
    const goesWithItem = (place: Place): boolean => {
      if (tree.queue.goesAlong(place.at) || tree.queue.staysBehind(place.at)) return true
      const item = staying.size === 0 ? null : itemOf(place)
      return item !== null && staying.has(item)
    }
    for (const one of files) {
      if (mains.has(one) || goesWithItem(one.from) || disk.stat(one.from.at) === null) continue
      await carry(one, one.entry.size, tree)
    }
    await tree.queue.flush()
    for (const one of entries) if (one.entry.kind === 'link' || one.entry.kind === 'other') moveLink(one, tree)
  }

  /** Tries to remove a directory; false where something is in it. */
  function isRemoved(place: DiskPlace): boolean {
    try {
      disk.removeDirectory(place)
      return true
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      return false
    }
  }

  /**
   * What somebody puts together in a directory just now is no reason to keep it: he is told that the folder is gone, as
   * when it is deleted. Only what is to come back, and what has a name of its own, stays: then it answers false.
   */
  async function withoutTemporary({ root, path }: DiskPlace): Promise<boolean> {
    const names = listDirectory(root, path, { endMarkers: noMarkers })?.entries ?? []
    if (names.some(({ raw }) => !isTemporaryName(raw) || isToComeBack(db, raw))) return false
    for (const { raw } of names) {
      try {
        await removeTree(disk, { root, path: joinPath(path, bytesOfRaw(raw)) })
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
      }
    }
    return true
  }

  /** Removes the directories that are empty now, the deepest first; answers those of the old collection. */
  async function removeEmpty({ from }: Step, directories: readonly Buffer[]): Promise<Buffer[]> {
    const removed: Buffer[] = []
    for (const path of [...directories].reverse()) {
      const place = { root: from.at.root, path }
      let isGone = isRemoved(place)
      // Whoever is at work in it may have put the next thing there meanwhile.
      for (let tries = 0; !isGone && tries < attempts && (await withoutTemporary(place)); tries++)
        isGone = isRemoved(place)
      if (!isGone) continue
      const rest = path.subarray(from.at.path.length)
      if (from.inCollection !== null) removed.push(Buffer.concat([from.inCollection, rest]))
    }
    return removed
  }

  /** Everything below a folder, without what is only being put together there; read as a whole. */
  async function treeOf({ from }: Step, signal: AbortSignal): Promise<WalkedDirectory[]> {
    const seen: WalkedDirectory[] = []
    for await (const directory of walk(from.at.root, {
      below: from.at.path,
      ignored: isTemporaryName,
      endMarkers: noMarkers,
      signal,
    }))
      seen.push(directory)
    return seen
  }

  /** Throws what could not follow onto another disk, before the first byte goes there. `device`: the new place's. */
  async function demandPortable(step: Step, device: string | null, signal: AbortSignal): Promise<void> {
    for (const directory of await treeOf(step, signal)) {
      if (directory.device === device) continue
      const stays = directory.entries.find(({ kind }) => kind === 'link' || kind === 'other')
      if (stays !== undefined) throw notMoved(step.from.virtual, staysHere(stepOf(step, directory, stays.raw).from))
    }
  }

  /** Throws what was left where it was, and why; the rest is moved then. */
  async function move(step: Step, running: Running): Promise<void> {
    const { from, to } = step
    const left = { count: 0, reason: '' }
    const tree: Tree = {
      left,
      plans: createFilePlans(parts, running.viewer, { quiet: true }),
      queue: createUnitQueue(mover, running, (one, reason) => {
        if (reason !== null) leave(tree, refusalOf(one, reason).message)
      }),
    }
    // Read as a whole before anything moves: a walk goes by what it has seen.
    const seen = await treeOf(step, running.signal)
    for (const directory of seen) await moveDirectory(step, directory, tree)
    const removed = await removeEmpty(
      step,
      seen.map(({ path }) => path),
    )
    await db.transact(running.actor, tx => {
      if (from.collection !== null) forgetDirectories(tx, from.collection.id, removed)
      tellCollections(
        tx,
        collectionsOf([from, to]).map(({ id }) => id),
      )
    })
    if (left.count === 0) return
    const what = left.count === 1 ? 'One of its files stays' : `${left.count} of its files stay`
    throw notMoved(from.virtual, `${what} where it was. ${left.reason}`)
  }

  return { move, demandPortable }
}
