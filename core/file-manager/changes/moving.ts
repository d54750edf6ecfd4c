/** Renames and moves: items keep their tags, faces and shares, and all files of an item stay together. */
import { Failure, sentence } from '../../../schema/errors.ts'
import { codeOf } from '../../files/disk-error.ts'
import { rawOf } from '../../files/names.ts'
import { isWithin } from '../../files/overlap.ts'
import { publishCollections } from '../../kernel/events.ts'
import { splitPath } from '../../moving/paths.ts'
import { fileFailure } from '../file-failures.ts'
import { type AbortableMove, type FileMove, refusalOf } from '../file-units.ts'
import { absoluteRaw, type FilePlace } from '../places.ts'
import { newName } from '../virtual-path.ts'
import {
  type Change,
  collectionsOf,
  folderOf,
  nameOfPlace,
  nameTaken,
  requireFolder,
  requireMovable,
  requireUnmanaged,
  statOf,
} from './change-parts.ts'
import { createFilePlans } from './file-plans.ts'
import type { InterruptedMove } from './lane-work.ts'
import { parentPaths } from './place-locks.ts'
import type { Changed } from './synchronizer.ts'
import { moveTree, requirePortable } from './tree-moves.ts'
import { createUnitQueue } from './unit-queue.ts'
import { moveWholeFolder } from './whole-folders.ts'
import { createYielder } from './yielding.ts'

/** Above this number of steps, collections are notified once at the end instead of for each item. */
const maxReportedSingly = 200

/** Whether a folder stays in its collection, at a place that scans read. */
function staysInCollection({ synchronizer }: Change, { from, to }: FileMove): boolean {
  if (from.collection === null || to.collection?.id !== from.collection.id || to.inCollection === null) return false
  return synchronizer.isScanned({ collection: to.collection, dir: to.inCollection })
}

async function moveFolder(change: Change, step: FileMove, device: string, context: AbortableMove): Promise<void> {
  const { from, to } = step
  const isToAnother = from.collection !== null && to.collection !== null && from.collection.id !== to.collection.id
  if (!isToAnother && device === change.disk.deviceOf(folderOf(to).at)) {
    try {
      return await moveWholeFolder(change, step, staysInCollection(change, step), context)
    } catch (error) {
      // Different mounts of one disk have the same device number, yet files cannot be renamed between them.
      if (codeOf(error) !== 'EXDEV') throw error
    }
  }
  await moveTree(change, step, context)
}

/** Throws 404 if the target folder is gone: another request may have moved it, and moves create no missing folders. */
function requireTarget({ places }: Change, { to }: FileMove): void {
  requireFolder(places, folderOf(to), 'item')
}

/** Checks before the first byte is copied that everything can be moved, even to another disk. */
async function requireAllPortable(
  change: Change,
  steps: readonly FileMove[],
  { signal }: AbortableMove,
): Promise<void> {
  const { disk } = change
  const yieldIfDue = createYielder(signal)
  for (const step of steps) {
    await yieldIfDue()
    requireTarget(change, step)
    try {
      const facts = disk.stat(step.from.at)
      if (facts?.kind !== 'dir') continue
      const device = disk.deviceOf(folderOf(step.to).at)
      if (facts.device !== device) await requirePortable(change, step, device, signal)
    } catch (error) {
      throw fileFailure(error, step.from, 'items')
    }
  }
}

/** Runs the steps, and stops at the first that fails. Earlier steps are not undone: the failure says how many. */
async function runSteps(
  change: Change,
  steps: readonly FileMove[],
  context: AbortableMove,
  isResumed = false,
): Promise<void> {
  const plans = createFilePlans(change, { quiet: steps.length > maxReportedSingly })
  // Main files of items come first: their companions move with them, even if the user selected those too.
  const mains = new Set(steps.filter(({ from }) => plans.isMain(from)))
  const rest = steps.filter(step => !mains.has(step))
  const failures: Failure[] = []
  let done = 0
  const queue = createUnitQueue(change.mover, context, (step, failure) => {
    if (failure === null) done++
    else failures.push(refusalOf(step, failure))
  })

  async function runStep(step: FileMove): Promise<void> {
    const mayHaveMoved = isResumed || (mains.size > 0 && !mains.has(step))
    if (queue.movesAlong(step.from.at) || (mayHaveMoved && statOf(change, step.from) === null)) {
      done++
      return
    }
    const { kind, size, device } = change.places.requireEntry(step.from, 'items')
    requireTarget(change, step)
    const isTaken = statOf(change, step.to) !== null
    // A resumed move may have moved a part of the folder already.
    if (isTaken && (!isResumed || kind === 'file')) throw nameTaken(step.to.virtual)
    if (kind === 'file') return queue.add(step, () => plans.plan(step, size))
    await queue.flush()
    await (isTaken ? moveTree(change, step, context) : moveFolder(change, step, device, context))
    done++
  }

  await requireAllPortable(change, rest, context)
  for (const step of [...mains, ...rest]) {
    context.signal.throwIfAborted()
    if (step === rest[0]) await queue.flush()
    try {
      await runStep(step)
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
  const withCount =
    done === 1
      ? sentence`${first.sentence} 1 of ${steps.length} was moved.`
      : sentence`${first.sentence} ${done} of ${steps.length} were moved.`
  throw new Failure(first.code, withCount, {
    field: 'items',
    cause: first,
  })
}

function isThereAsFolder({ disk }: Change, { at }: FilePlace): boolean {
  try {
    return disk.stat(at)?.kind === 'dir'
  } catch {
    return false
  }
}

function changedBy(change: Change, steps: readonly FileMove[]): Changed[] {
  const found = new Map<string, Changed>()
  const add = ({ collection, inCollection }: FilePlace, deep: boolean) => {
    if (collection === null || inCollection === null) return
    const dir = deep ? inCollection : splitPath(inCollection).dir
    found.set(`${collection.id} ${rawOf(dir)} ${deep}`, { collection, dir, deep })
  }
  for (const { from, to } of steps) {
    const isFolder = to.inCollection !== null && isThereAsFolder(change, to)
    if (!isFolder) add(from, false)
    add(to, isFolder)
  }
  return [...found.values()]
}

/** Runs `work`, and then synchronizes the library, even if `work` failed. */
async function withSynchronization(
  change: Change,
  steps: readonly FileMove[],
  work: () => Promise<void>,
): Promise<void> {
  const ids = collectionsOf(steps.flatMap(({ from, to }) => [from, to])).map(({ id }) => id)
  try {
    await work()
  } finally {
    if (steps.length > maxReportedSingly) await change.db.transact(change.viewer, tx => publishCollections(tx, ids))
    await change.synchronizer.synchronize(change.viewer, changedBy(change, steps))
  }
}

async function run(change: Change, steps: readonly FileMove[]): Promise<void> {
  const { viewer, signal } = change
  const actor = { userId: viewer.userId, step: crypto.randomUUID() }
  const both = steps.flatMap(({ from, to }) => [from, to])
  const move = { ...actor, moves: steps.map(({ from, to }): [string, string] => [from.virtual, to.virtual]) }
  const how = { collections: collectionsOf(both), move, signal }
  const runMoves = () => change.lanes.run(change, viewer, how, work => runSteps(change, steps, { actor, ...work }))
  await withSynchronization(change, steps, () => change.locks.withLocks(both, runMoves, signal))
}

/** Resumes a move whose process was killed, in the same step of the history. */
export async function resumeMove(
  change: Change,
  { userId, step, moves }: InterruptedMove,
  how: Pick<AbortableMove, 'holder' | 'signal'>,
): Promise<void> {
  await change.journal.recover({ job: how.holder, signal: how.signal })
  const found = await change.places.findAll(change.viewer, moves.flat(), 'items')
  const steps = moves.flatMap((_, n): FileMove[] => {
    const [from, to] = found.slice(2 * n)
    return from === undefined || to === undefined ? [] : [{ from, to }]
  })
  await withSynchronization(change, steps, () => runSteps(change, steps, { actor: { userId, step }, ...how }, true))
}

export async function renameItem(change: Change, item: FilePlace, name: string): Promise<void> {
  const { places } = change
  await requireMovable(places, item, places.requireEntry, 'item')
  const bytes = newName(name)
  if (bytes.equals(nameOfPlace(item))) return
  const to = places.within(folderOf(item), bytes)
  await places.requireUnhidden(change.viewer, to)
  if (statOf(change, to) !== null) throw nameTaken(to.virtual)
  await run(change, [{ from: item, to }])
}

export async function moveItems(change: Change, items: readonly FilePlace[], target: FilePlace): Promise<void> {
  const { places } = change
  if (items.length === 0) throw new Failure('invalid', 'Choose what to move.', { field: 'items' })
  requireFolder(places, target, 'item')
  requireUnmanaged(target, 'item')
  const steps: FileMove[] = []
  const taken = new Set<string>()
  const chosen = new Map(items.map(item => [absoluteRaw(item.at), item]))
  for (const item of items) {
    await requireMovable(places, item, places.requireEntry)
    requireOutside(chosen, item, target)
    const to = places.within(target, nameOfPlace(item))
    const isTaken = statOf(change, to) !== null
    if (isTaken) await places.requireUnhidden(change.viewer, to, 'items')
    if (isTaken || taken.has(to.virtual)) throw nameTaken(to.virtual, 'items')
    taken.add(to.virtual)
    steps.push({ from: item, to })
  }
  await run(change, steps)
}

/** Throws if the target is in the item itself, or if the item is in a folder that is selected too. */
function requireOutside(chosen: ReadonlyMap<string, FilePlace>, item: FilePlace, target: FilePlace): void {
  const itemPath = absoluteRaw(item.at)
  if (isWithin(absoluteRaw(target.at), itemPath))
    throw new Failure('conflict', sentence`${item.virtual} cannot be moved into itself.`, { field: 'item' })
  const holder = parentPaths(itemPath).find(path => chosen.has(path))
  if (holder === undefined) return
  throw new Failure(
    'invalid',
    sentence`${item.virtual} lies in ${chosen.get(holder)?.virtual}, which is selected too: select only one of them.`,
    { field: 'items' },
  )
}
