/** Moves items with their files into another collection. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { demandOnCollection, demandSignedIn, notFound, type Viewer } from '../access.ts'
import type { CollectionRow } from '../collections.ts'
import type { LibraryDatabase } from '../database.ts'
import { displayName } from '../files/names.ts'
import { createItemFiles, type FilesOfItems } from '../item-files.ts'
import type { Items } from '../items.ts'
import { rightsOfUser } from '../job-rights.ts'
import type { JobContext, JobEnd, JobKind, Jobs } from '../jobs.ts'
import { displayPath } from '../scan/found-unit.ts'
import { forgetDirectories, type ItemMove, type MoveSide, plannedMove, unitOfMove } from './item-moves.ts'
import { clearFailedMoves, noteFailedMove, skippedMessage, tellCollections } from './move-outcomes.ts'
import { newPlace } from './new-place.ts'
import { type MovingParts, movesAtOnce } from './sort-job.ts'
import { categoryOf, sideOf } from './sort-plan.ts'

export const transferInput = z.object({
  /** Where they go. */
  collectionId: z.int().positive(),
  items: z.array(z.int().positive()),
  /** The collections that they lay in when somebody asked; no other one's items are touched. */
  from: z.array(z.int().positive()),
  userId: z.int().nullable(),
  /** The history's step. */
  step: z.string(),
})
export type TransferInput = z.output<typeof transferInput>

/** Up to so many items, each is told by itself: cards go and come. */
const toldOneByOne = 200

/**
 * Asks for a transfer; answers the job. 404 for what the caller does not see, 403 without `create` on the target or
 * `update` on any one item, or where a collection is read-only.
 */
export async function startTransfer(
  { db, items, jobs }: { db: LibraryDatabase; items: Items; jobs: Jobs },
  viewer: Viewer,
  targetId: number,
  ids: readonly number[],
  options: { here?: boolean } = {},
): Promise<number> {
  demandSignedIn(viewer)
  demandOnCollection(viewer, targetId, 'create')
  const target = rowOf(db, targetId)
  if (target === null) throw notFound()
  const from = await items.demandAll(viewer, ids, 'update')
  for (const row of [target, ...[...from].map(id => rowOf(db, id))]) {
    if (row?.readonly === 1) throw new Failure('denied', `'${row.name}' is read-only.`)
  }
  const input: TransferInput = {
    collectionId: targetId,
    items: [...new Set(ids)],
    from: [...from].sort((a, b) => a - b),
    userId: viewer.userId,
    step: crypto.randomUUID(),
  }
  return jobs.enqueue(viewer, 'transfer', input, options)
}

function rowOf(db: LibraryDatabase, id: number): CollectionRow | null {
  return db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id)
}

interface SelectedRow {
  id: number
  type: 'image' | 'video'
  name: string
  path: string
  collection_id: number
  deleted: number | null
  missing: number | null
  taken: number
  taken_source: string
  tags: string
}

/** What is to become of one selected item. */
type Fate =
  | { is: 'skipped'; reason: string }
  | { is: 'moved'; row: SelectedRow; move: ItemMove }
  | { is: 'failed'; row: SelectedRow; reason: string }
  /** By an attempt before this one. */
  | { is: 'done' }

async function run(parts: MovingParts, { jobId, input, signal, progress }: JobContext<TransferInput>): Promise<JobEnd> {
  const { db, clock, journal, mover } = parts
  await journal.recover({ job: jobId })
  const target = rowOf(db, input.collectionId)
  if (target === null) throw new Failure('notFound', 'The collection is gone.')
  if (target.readonly === 1) throw new Failure('denied', `'${target.name}' is read-only.`)
  const actor = { userId: input.userId, step: input.step }
  const to = sideOf(db, target)
  const sources = new Map<number, { side: MoveSide; files: FilesOfItems }>()
  const counts = { selected: input.items.length, moved: 0, skipped: 0, failed: 0 }
  const skipped = new Map<string, number>()
  const left = new Map<string, { side: MoveSide; dir: Buffer }>()
  const quiet = input.items.length > toldOneByOne

  function sourceOf(id: number): { side: MoveSide; files: FilesOfItems } | null {
    const known = sources.get(id)
    if (known !== undefined) return known
    const collection = rowOf(db, id)
    if (collection === null) return null
    const side = sideOf(db, collection)
    const source = { side, files: createItemFiles(db, side.views, side.variants) }
    sources.set(id, source)
    return source
  }

  function fateOf(row: SelectedRow | undefined, may: ReturnType<typeof rightsOfUser>): Fate {
    if (row === undefined) return { is: 'skipped', reason: 'not there any more' }
    if (row.collection_id === target?.id) {
      const mine = db.get('SELECT 1 FROM history WHERE step = ? AND item_id = ?', input.step, row.id)
      return mine === null ? { is: 'skipped', reason: 'already there' } : { is: 'done' }
    }
    if (!input.from.includes(row.collection_id)) return { is: 'skipped', reason: 'moved elsewhere meanwhile' }
    if (row.deleted !== null) return { is: 'skipped', reason: 'in the recycle bin' }
    if (row.missing !== null) return { is: 'skipped', reason: 'with a missing file' }
    const source = sourceOf(row.collection_id)
    if (source === null || !may(row.collection_id, 'update')) return { is: 'skipped', reason: 'not allowed any more' }
    if (source.side.collection.readonly === 1) return { is: 'skipped', reason: 'in a read-only collection' }
    const item = source.files.of(row.id, row.type)
    if (typeof item === 'string') return { is: 'failed', row, reason: item }
    const place = newPlace(to, {
      dir: item.dir,
      raws: item.files.map(({ raw }) => raw),
      taken: row.taken,
      dated: row.taken_source !== 'file',
      category: categoryOf(db, row.tags),
    })
    const move = plannedMove(item, { from: source.side, to, ...place })
    return typeof move === 'string' ? { is: 'failed', row, reason: move } : { is: 'moved', row, move }
  }

  function fatesOf(ids: readonly number[]): Fate[] {
    const may = rightsOfUser(db, input.userId)
    if (!may(input.collectionId, 'create')) throw new Failure('denied', 'Permission Denied')
    const rows = db.all<SelectedRow>(
      `SELECT i.id, i.type, i.name, d.path, i.collection_id, i.deleted, i.missing, i.taken, i.taken_source, i.tags
       FROM json_each(?) AS j JOIN items AS i ON i.id = j.value JOIN dirs AS d ON d.id = i.dir_id`,
      JSON.stringify(ids),
    )
    const byId = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => fateOf(byId.get(id), may))
  }

  async function carryOut(ids: readonly number[]) {
    const fates = fatesOf(ids)
    const failed = fates.flatMap(fate => (fate.is === 'failed' ? [fate] : []))
    const moving = fates.flatMap(fate => (fate.is === 'moved' ? [fate] : []))
    const units = moving.map(({ move }) => unitOfMove(move, quiet))
    const outcomes = await mover.run(units, { holder: jobId, actor, signal })
    for (const [n, { row, move }] of moving.entries()) {
      const reason = outcomes[n] ?? null
      if (reason === null) {
        counts.moved++
        left.set(`${row.collection_id} ${displayName(move.item.dir)}`, { side: move.from, dir: move.item.dir })
      } else {
        failed.push({ is: 'failed', row, reason })
        // What was taken for granted is not so.
        to.views.forget()
        move.from.views.forget()
      }
    }
    counts.failed += failed.length
    counts.moved += fates.filter(({ is }) => is === 'done').length
    for (const fate of fates) {
      if (fate.is !== 'skipped') continue
      counts.skipped++
      skipped.set(fate.reason, (skipped.get(fate.reason) ?? 0) + 1)
    }
    await db.transact(actor, tx => {
      for (const { row } of moving) clearFailedMoves(tx, row.id)
      for (const { row, reason } of failed) {
        const path = displayPath(row.path, row.name)
        noteFailedMove(tx, { collectionId: row.collection_id, itemId: row.id, path, jobId, at: clock.now() }, reason)
      }
      if (quiet && moving.length > 0)
        tellCollections(tx, [input.collectionId, ...moving.map(({ row }) => row.collection_id)])
    })
  }

  progress({ done: 0, total: counts.selected, counts: { ...counts } })
  for (let at = 0; at < input.items.length; at += movesAtOnce) {
    signal.throwIfAborted()
    const ids = input.items.slice(at, at + movesAtOnce)
    await carryOut(ids)
    progress({ done: at + ids.length, counts: { ...counts } })
  }
  // Folders that a managed collection made for what is not there any more.
  for (const { side, dir } of left.values()) {
    if (side.collection.managed !== 1) continue
    const gone = mover.removeEmpty({ root: side.collection.path, path: dir })
    await db.transact(actor, tx => forgetDirectories(tx, side.collection.id, gone))
  }
  const message = skippedMessage(skipped)
  progress({ message, counts: { ...counts } })
  return { state: 'done', message, problems: counts.failed }
}

export function transferJob(parts: MovingParts): JobKind {
  const kind: JobKind<TransferInput> = {
    kind: 'transfer',
    input: transferInput,
    // It writes to all of these collections: none may be scanned or sorted meanwhile.
    lane: ({ collectionId, from }) => [...new Set([collectionId, ...from])].map(id => `collection-${id}`).join(' '),
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
