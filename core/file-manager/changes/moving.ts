/** Renames and moves: items keep their tags, faces and shares, and all files of an item stay together. */
import { Failure } from '../../../schema/errors.ts'
import { terminalViewer, type Viewer } from '../../accounts/access.ts'
import { codeOf } from '../../files/disk-error.ts'
import { bytesOfText, joinPath, rawOf } from '../../files/names.ts'
import { tellCollections } from '../../moving/move-outcomes.ts'
import { fileFailure } from '../file-failures.ts'
import { type Running, refusalOf, type Step } from '../file-units.ts'
import type { Place } from '../places.ts'
import { newName } from '../virtual-path.ts'
import type { Changed } from './bring-in.ts'
import {
  type ChangeParts,
  collectionsOf,
  demandFolder,
  demandMovable,
  demandUnmanaged,
  splitPath,
  takenName,
} from './change-parts.ts'
import type { Claims } from './claims.ts'
import { createFilePlans } from './file-plans.ts'
import type { InterruptedMove, LaneWork } from './lane-work.ts'
import { createTreeMoves } from './tree-moves.ts'
import { taker } from './turns.ts'
import { createUnitQueue } from './unit-queue.ts'
import { createWholeFolders } from './whole-folders.ts'

const absolute = ({ at }: Place) => rawOf(joinPath(bytesOfText(at.root), at.path))

/** The folder that something lies in; of something below its root only. */
function folderOf(place: Place): Place {
  const { dir } = splitPath(place.at.path)
  const above = (text: string) => text.slice(0, Math.max(0, text.lastIndexOf('/')))
  const virtual = above(place.virtual)
  return {
    ...place,
    at: { root: place.at.root, path: dir },
    relative: above(place.relative),
    inCollection: place.inCollection === null ? null : splitPath(place.inCollection).dir,
    virtual,
    name: virtual.slice(virtual.lastIndexOf('/') + 1),
  }
}

export function createMoving(parts: ChangeParts & { lanes: LaneWork; claims: Claims }) {
  const { db, disk, journal, mover, places, bringIn, jobs, lanes, claims } = parts
  const wholeFolders = createWholeFolders(parts)
  const trees = createTreeMoves(parts)

  function isTaken(place: Place): boolean {
    try {
      return disk.stat(place.at) !== null
    } catch (error) {
      throw fileFailure(error, place)
    }
  }

  /** Will scans find it at its new place, in the collection that it is in? */
  function stays({ from, to }: Step, dir: Buffer): boolean {
    if (from.collection === null || to.collection?.id !== from.collection.id) return false
    return bringIn.isScanned({ collection: to.collection, dir })
  }

  async function moveFolder(step: Step, device: string, running: Running): Promise<void> {
    const { from, to } = step
    const both = from.collection !== null && to.collection !== null && from.collection.id !== to.collection.id
    if (!both && device === disk.deviceOf(folderOf(to).at)) {
      try {
        const remains = to.inCollection !== null && stays(step, to.inCollection)
        await wholeFolders.move(step, remains, running)
        return
      } catch (error) {
        // One file system by its number, and yet no rename between its parts: mounts of the same disk.
        if (codeOf(error) !== 'EXDEV') throw error
      }
    }
    await trees.move(step, running)
  }

  /**
   * 404 where the folder that something goes into is not there any more: another move may have been faster, and a folder
   * that has gone is never made again.
   */
  function demandTarget({ to }: Step): void {
    demandFolder(places, folderOf(to), 'item')
  }

  /** What cannot go to another disk is told before the first byte is copied there. */
  async function demandPortable(steps: readonly Step[], { signal }: Running): Promise<void> {
    const turn = taker(signal)
    for (const step of steps) {
      await turn()
      demandTarget(step)
      try {
        const facts = disk.stat(step.from.at)
        if (facts?.kind !== 'dir') continue
        const device = disk.deviceOf(folderOf(step.to).at)
        if (facts.device !== device) await trees.demandPortable(step, device, signal)
      } catch (error) {
        throw fileFailure(error, step.from, 'items')
      }
    }
  }

  /** Ends at the first that can't be moved; what had gone before it stays where it is now, and is told. */
  async function carryOut(steps: readonly Step[], running: Running, isResumed = false): Promise<void> {
    const plans = createFilePlans(parts, running.viewer, { quiet: steps.length > toldOneByOne })
    // Files of items come first: what belongs to them goes with them, also when it was chosen itself.
    const mains = new Set(steps.filter(({ from }) => plans.isMain(from)))
    const rest = steps.filter(step => !mains.has(step))
    const failures: Failure[] = []
    let done = 0
    const queue = createUnitQueue(mover, running, (step, reason) => {
      if (reason === null) done++
      else failures.push(refusalOf(step, reason))
    })

    async function carry(step: Step): Promise<void> {
      const mayHaveGone = isResumed || (mains.size > 0 && !mains.has(step))
      const went = queue.goesAlong(step.from.at) || (mayHaveGone && !isTaken(step.from))
      if (went) {
        done++
        return
      }
      const { kind, size, device } = places.look(step.from, 'items')
      demandTarget(step)
      if (isTaken(step.to)) {
        // A part of the folder is there already.
        if (!isResumed || kind === 'file') throw takenName(step.to.virtual)
        await queue.flush()
        await trees.move(step, running)
        done++
        return
      }
      if (kind === 'file') return queue.add(step, () => plans.plan(step, size))
      await queue.flush()
      await moveFolder(step, device, running)
      done++
    }

    await demandPortable(rest, running)
    for (const step of [...mains, ...rest]) {
      running.signal.throwIfAborted()
      if (step === rest[0]) await queue.flush()
      try {
        await carry(step)
      } catch (error) {
        const failure = fileFailure(error, step.from, 'items')
        if (!(failure instanceof Failure)) throw failure
        failures.push(failure)
      }
      if (failures.length > 0) break
    }
    await queue.flush()
    const [first] = failures
    if (first === undefined) return
    if (done === 0) throw first
    const what = done === 1 ? `1 of ${steps.length} was` : `${done} of ${steps.length} were`
    throw new Failure(first.code, `${first.message} ${what} moved.`, { field: 'items', cause: first })
  }

  function changedBy(steps: readonly Step[]): Changed[] {
    const found = new Map<string, Changed>()
    const add = ({ collection, inCollection }: Place, dir: Buffer | null, deep: boolean) => {
      if (collection === null || inCollection === null || dir === null) return
      found.set(`${collection.id} ${dir.toString('latin1')} ${deep}`, { collection, dir, deep })
    }
    for (const { from, to } of steps) {
      const isFolder = to.inCollection !== null && isThereAsFolder(to)
      if (from.inCollection !== null && !isFolder) add(from, splitPath(from.inCollection).dir, false)
      if (to.inCollection === null) continue
      if (isFolder) add(to, to.inCollection, true)
      else add(to, splitPath(to.inCollection).dir, false)
    }
    return [...found.values()]
  }

  function isThereAsFolder(place: Place): boolean {
    try {
      return disk.stat(place.at)?.kind === 'dir'
    } catch {
      return false
    }
  }

  async function run(viewer: Viewer, steps: readonly Step[], signal?: AbortSignal): Promise<void> {
    const actor = { userId: viewer.userId, step: crypto.randomUUID() }
    const both = steps.flatMap(({ from, to }) => [from, to])
    const move = { ...actor, moves: steps.map(({ from, to }): [string, string] => [from.virtual, to.virtual]) }
    const how = { collections: collectionsOf(both), move, ...(signal === undefined ? {} : { signal }) }
    const carrying = () =>
      lanes.run({ db, jobs }, viewer, how, work =>
        carryOut(steps, { viewer, actor, holder: work.holder, signal: work.signal }),
      )
    await followed(viewer, steps, () => claims.during(both, carrying, signal))
  }

  /** A move whose process was killed: what has not gone yet goes, in the same step of the history. */
  async function goOn(
    { userId, step, moves }: InterruptedMove,
    how: Pick<Running, 'holder' | 'signal'>,
  ): Promise<void> {
    await journal.recover({ job: how.holder, signal: how.signal })
    const found = await places.findAll(terminalViewer, moves.flat(), 'items')
    const steps = moves.flatMap((_, n): Step[] => {
      const [from, to] = found.slice(2 * n)
      return from === undefined || to === undefined ? [] : [{ from, to }]
    })
    const running = { viewer: terminalViewer, actor: { userId, step }, ...how }
    await followed(terminalViewer, steps, () => carryOut(steps, running, true))
  }

  /** Whatever becomes of the work, the library follows it. */
  async function followed(viewer: Viewer, steps: readonly Step[], work: () => Promise<void>): Promise<void> {
    const collections = collectionsOf(steps.flatMap(({ from, to }) => [from, to]))
    try {
      await work()
    } finally {
      if (steps.length > toldOneByOne)
        await db.transact(viewer, tx => {
          tellCollections(
            tx,
            collections.map(({ id }) => id),
          )
        })
      await bringIn.follow(viewer, changedBy(steps))
    }
  }

  lanes.resumesWith(goOn)

  return {
    async rename(viewer: Viewer, item: Place, name: string, signal?: AbortSignal): Promise<void> {
      await demandMovable(places, item, places.look, 'item')
      const bytes = newName(name)
      if (bytes.equals(splitPath(item.at.path).name)) return
      const to = places.within(folderOf(item), bytes)
      await places.demandUnhidden(viewer, to)
      if (isTaken(to)) throw takenName(to.virtual)
      await run(viewer, [{ from: item, to }], signal)
    },

    async move(viewer: Viewer, items: readonly Place[], target: Place, signal?: AbortSignal): Promise<void> {
      if (items.length === 0) throw new Failure('invalid', 'Choose what is to be moved.', { field: 'items' })
      demandFolder(places, target, 'item')
      demandUnmanaged(target, 'item')
      const steps: Step[] = []
      const taken = new Set<string>()
      const chosen = new Map(items.map(item => [absolute(item), item]))
      for (const item of items) {
        await demandMovable(places, item, places.look)
        demandOutside(chosen, item, target)
        const to = places.within(target, splitPath(item.at.path).name)
        if (isTaken(to)) await places.demandUnhidden(viewer, to, 'items')
        if (isTaken(to) || taken.has(to.virtual)) throw takenName(to.virtual, 'items')
        taken.add(to.virtual)
        steps.push({ from: item, to })
      }
      await run(viewer, steps, signal)
    },
  }
}

/** Up to so many, each item is told by itself. */
const toldOneByOne = 200

/** Nothing moves into itself, nor what lies in something that moves too. */
function demandOutside(chosen: ReadonlyMap<string, Place>, item: Place, target: Place): void {
  const own = absolute(item)
  const into = absolute(target)
  if (into === own || into.startsWith(`${own}/`))
    throw new Failure('conflict', `${item.virtual} cannot be moved into itself.`, { field: 'item' })
  let above: Place | undefined
  for (let end = own.lastIndexOf('/'); end > 0 && above === undefined; end = own.lastIndexOf('/', end - 1))
    above = chosen.get(own.slice(0, end))
  if (above === undefined) return
  throw new Failure('invalid', `${item.virtual} lies in ${above.virtual}, which is chosen too: choose one of them.`, {
    field: 'items',
  })
}
