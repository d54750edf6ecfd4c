/** Moves a folder file by file: into another collection, where each item becomes that one's, or onto another disk. */
import { Failure } from '../../schema/errors.ts'
import { DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, joinPath } from '../files/names.ts'
import { forgetDirectories } from '../moving/item-moves.ts'
import { tellCollections } from '../moving/move-outcomes.ts'
import { type WalkedDirectory, walk } from '../scan/walk.ts'
import { type ChangeParts, collectionsOf } from './change-parts.ts'
import { fileFailure } from './file-failures.ts'
import { createFilePlans, type FilePlans } from './file-plans.ts'
import { notMoved, type Running, refusalOf, type Step } from './file-units.ts'
import { itemWithFile } from './leaving.ts'
import type { Place } from './places.ts'
import { createUnitQueue } from './unit-queue.ts'

interface Tree {
  plans: FilePlans
  queue: ReturnType<typeof createUnitQueue>
  left: { count: number; reason: string }
}

const noMarkers: ReadonlySet<string> = new Set()

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
      leave(tree, `${step.from.virtual}: links do not go to another disk`)
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
    disk.makeDirectory(moved(directory.path, step.from.at.path, step.to).at)
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

  /** Removes the directories that are empty now, the deepest first; answers those of the old collection. */
  function removeEmpty({ from }: Step, directories: readonly Buffer[]): Buffer[] {
    const removed: Buffer[] = []
    for (const path of [...directories].reverse()) {
      try {
        disk.removeDirectory({ root: from.at.root, path })
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
        continue
      }
      const rest = path.subarray(from.at.path.length)
      if (from.inCollection !== null) removed.push(Buffer.concat([from.inCollection, rest]))
    }
    return removed
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
    const directories: Buffer[] = []
    // Read as a whole before anything moves: a walk goes by what it has seen.
    const seen: WalkedDirectory[] = []
    for await (const directory of walk(from.at.root, {
      below: from.at.path,
      endMarkers: noMarkers,
      signal: running.signal,
    })) {
      seen.push(directory)
      directories.push(directory.path)
    }
    for (const directory of seen) await moveDirectory(step, directory, tree)
    const removed = removeEmpty(step, directories)
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

  return { move }
}
