/** Keeps the best of items that are the same picture: it takes over what the others say, and they go into the recycle bin. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { itemState } from '../../schema/tables/items.ts'
import { demandSignedIn, rightsOn, terminalViewer, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { Items } from '../items/items.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import { inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { localFromSeconds } from '../metadata/dates.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { changeItem, type ItemToEdit, itemToEdit } from './item-edit.ts'
import { type ItemParts, type StoredBox, said } from './item-parts.ts'
import { type ChangeMaking, keystringTags, partsOfChanges, type TagChange } from './tag-change.ts'

const group = z.object({ keep: z.int().positive(), recycle: z.array(z.int().positive()) })

const input = z.object({
  groups: z.array(group),
  userId: z.int().nullable(),
  /** The history's step. */
  step: z.string(),
  /** The only collection that is concerned; null when there are more. */
  collectionId: z.int().nullable(),
})
export type MergeDuplicatesInput = z.output<typeof input>
export type DuplicateGroup = z.output<typeof group>

/** Checks what is to be kept and recycled: the right to update is needed on every item. Answers the job's input. */
export async function plannedMerge(
  items: Items,
  viewer: Viewer,
  groups: readonly DuplicateGroup[],
): Promise<MergeDuplicatesInput> {
  demandSignedIn(viewer)
  const all = groups.flatMap(({ keep, recycle }) => [keep, ...recycle])
  if (all.length > limits.bulkItemsMost) {
    throw new Failure('invalid', `At most ${limits.bulkItemsMost} items at once`, { field: 'groups' })
  }
  if (new Set(all).size < all.length) {
    throw new Failure('invalid', 'An item is named twice', { field: 'groups' })
  }
  const collections = await items.demandAll(viewer, all, 'update')
  const [only = null] = collections
  return {
    groups: groups.map(({ keep, recycle }) => ({ keep, recycle: [...recycle] })),
    userId: viewer.userId,
    step: crypto.randomUUID(),
    collectionId: collections.size === 1 ? only : null,
  }
}

const isGuess = (source: string) => source === 'name' || source === 'file'

/** What has the same shape has its boxes in the same places, whatever its size. */
function sameShape(a: ItemToEdit, b: ItemToEdit): boolean {
  if (a.width === 0 || b.width === 0) return false
  return Math.abs(a.width * b.height - b.width * a.height) <= 0.01 * a.width * b.height
}

/** Boxes of people or objects that are on the others only; where the shapes differ, they are somewhere on the picture. */
function mergedBoxes(keep: ItemToEdit, others: readonly ItemToEdit[], part: 'people' | 'objects'): StoredBox[] | null {
  const there = new Set(keep.parts[part].map(({ subject }) => subject))
  const added: StoredBox[] = []
  for (const other of others) {
    const fits = sameShape(keep, other)
    for (const box of other.parts[part]) {
      if (box.subject === null || there.has(box.subject)) continue
      there.add(box.subject)
      const { x, y, width, height } = fits ? box : { x: 0, y: 0, width: 0, height: 0 }
      added.push({ id: null, subject: box.subject, x, y, width, height, source: 'user' })
    }
  }
  return added.length === 0 ? null : [...keep.parts[part], ...added]
}

/** The oldest date that is no guess, for an item that has only a guess. */
function mergedDate(keep: ItemToEdit, others: readonly ItemToEdit[]): ItemParts['date'] | null {
  if (!isGuess(keep.parts.date.source)) return null
  const known = others.map(({ parts }) => parts.date).filter(({ source }) => !isGuess(source))
  return known.sort((a, b) => a.taken - b.taken)[0] ?? null
}

/** Lists are joined; of all else the kept item's own word stands, and where it has none the first of the others. */
function mergedChanges(keep: ItemToEdit, others: readonly ItemToEdit[]): TagChange[] {
  const changes: TagChange[] = keystringTags.map(name => ({
    kind: 'keystrings',
    name,
    mode: 'add',
    ids: others.flatMap(({ parts }) => parts.tags[name]?.d ?? []),
  }))
  const { tags } = keep.parts
  const description = others.map(({ parts }) => parts.tags.Description?.d ?? '').find(text => text !== '')
  if ((tags.Description?.d ?? '') === '' && description !== undefined) {
    changes.push({ kind: 'description', text: description })
  }
  const ratings = others.map(({ parts }) => parts.rating).filter(rating => rating !== null)
  if (keep.parts.rating === null && ratings.length > 0) changes.push({ kind: 'rating', rating: Math.max(...ratings) })
  const own = tags.Locations?.d
  const place = others.map(({ parts }) => parts.tags.Locations?.d).find(found => (found?.latitude ?? null) !== null)
  if ((own?.latitude ?? null) === null && place !== undefined) {
    const { latitude, longitude, placeName } = said(place)
    const name = own === undefined || own.placeName === '' ? placeName : own.placeName
    changes.push({ kind: 'place', place: { latitude, longitude, placeName: name } })
  }
  const date = mergedDate(keep, others)
  const local = date == null ? null : localFromSeconds(date.taken)
  if (local !== null) changes.push({ kind: 'date', local })
  return changes
}

/** What the kept item says once it has taken over what the others say. */
function mergedParts(
  tx: Transaction,
  keep: ItemToEdit,
  others: readonly ItemToEdit[],
  making: ChangeMaking,
): ItemParts {
  const parts = partsOfChanges(tx, keep, mergedChanges(keep, others), making)
  const offset = mergedDate(keep, others)?.offset ?? null
  if (parts.date !== undefined && offset !== null) parts.date = { ...parts.date, offset }
  const people = mergedBoxes(keep, others, 'people')
  if (people !== null) parts.people = people
  const objects = mergedBoxes(keep, others, 'objects')
  if (objects !== null) parts.objects = objects
  // The same file lies the same way: somebody has turned one of the copies.
  const turned = others.find(({ row, parts: { rotation } }) => row.content === keep.row.content && rotation !== 0)
  if (keep.parts.rotation === 0 && turned !== undefined) parts.rotation = turned.parts.rotation
  return parts
}

export interface MergeDuplicatesParts {
  db: LibraryDatabase
  clock: Clock
  rights: RightsTable
}

const none: ReadonlySet<number> = new Set()

async function run(
  { db, clock, rights }: MergeDuplicatesParts,
  { input: { groups, userId, step }, signal, progress }: JobContext<MergeDuplicatesInput>,
): Promise<JobEnd> {
  const total = groups.length
  const start = { at: 0, counts: { merged: 0, recycled: 0, skipped: 0 } }
  progress({ done: 0, total })

  function batch(tx: Transaction, state: typeof start, isOver: () => boolean): typeof start | null {
    let { at } = state
    const counts = { ...state.counts }
    const viewer = userId === null ? terminalViewer : viewerOfUser(db, rights, userId)
    // Nothing is hidden from a merge: what the others say would be lost.
    const making = { unseen: none, now: clock.now() }
    const touched = new Set<number>()
    const change = { operation: 'item.duplicates', quiet: true } as const
    /** An item that is in the gallery, and that he may still change. */
    const usable = (id: number): ItemToEdit | null => {
      const item = itemToEdit(tx, id)
      if (item === null || viewer === null || !rightsOn(viewer, item.collectionId).update) return null
      const row = tx.get<{ state: number }>('SELECT state FROM items WHERE id = ?', id)
      return row?.state === itemState.shown || row?.state === itemState.hidden ? item : null
    }
    for (const { keep: keepId, recycle } of groups.slice(at)) {
      at++
      const keep = usable(keepId)
      const others = recycle.map(usable).filter(item => item !== null)
      // Without the one that was to be kept, nothing goes.
      if (keep === null || others.length === 0) counts.skipped++
      else {
        if (changeItem(tx, keep, mergedParts(tx, keep, others, making), change).changed) counts.merged++
        touched.add(keep.collectionId)
        for (const other of others) {
          changeItem(tx, other, { deleted: seconds(clock) }, change)
          touched.add(other.collectionId)
          counts.recycled++
        }
      }
      if (isOver()) break
    }
    for (const id of touched) {
      tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    }
    progress({ done: at, total, counts })
    return at < total ? { at, counts } : null
  }

  await inBatches(db, { userId, step }, signal, start, batch)
  return { state: 'done' }
}

export function mergeDuplicatesJob(parts: MergeDuplicatesParts): JobKind {
  const kind: JobKind<MergeDuplicatesInput> = {
    kind: 'merge-duplicates',
    input,
    lane: () => null,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
