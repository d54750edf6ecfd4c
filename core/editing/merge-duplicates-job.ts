/** Merges duplicates: the best item takes over the others' metadata, and they are recycled. */
import { z } from 'zod'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { requireSignedIn, rightsOn, type Viewer } from '../accounts/access.ts'
import { joinAlbumsOf } from '../items/albums/album-items.ts'
import { setFavourite } from '../items/favourites/favourites.ts'
import { usersOfFavourite } from '../items/item-rows.sql.ts'
import type { Items } from '../items/items.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import { inBatches } from '../kernel/database/batches.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import { localFromSeconds } from '../metadata/dates.ts'
import type { JobContext } from '../work/job-kind.ts'
import { changeItem, type ItemToEdit, itemToEdit } from './item-edit.ts'
import { type ItemParts, type StoredBox, withoutLookedUpName } from './item-parts.ts'
import { jobOnItems, type ManyParts, manyItems, planForItems, viewerOf } from './many-items.ts'
import { type ChangeContext, keystringTags, partsOfChanges, type TagChange } from './tag-change.ts'

const group = z.object({ keep: z.int().positive(), recycle: z.array(z.int().positive()) })

const input = manyItems.omit({ items: true }).extend({ groups: z.array(group) })

/** Checks which items are kept and recycled. Returns the job's input. */
export async function planMerge(
  items: Items,
  viewer: Viewer,
  groups: readonly z.output<typeof group>[],
): Promise<z.output<typeof input>> {
  requireSignedIn(viewer)
  const all = groups.flatMap(({ keep, recycle }) => [keep, ...recycle])
  if (all.length > limits.maxBulkItems) {
    throw new Failure('invalid', sentence`At most ${limits.maxBulkItems} items at once`, { field: 'groups' })
  }
  if (new Set(all).size < all.length) {
    throw new Failure('invalid', 'An item is listed twice', { field: 'groups' })
  }
  const { items: _, ...planned } = await planForItems(items, viewer, all)
  return { ...planned, groups: groups.map(({ keep, recycle }) => ({ keep, recycle: [...recycle] })) }
}

const isGuess = (source: string) => source === 'name' || source === 'file'

/** Pictures of the same proportions have boxes in the same places, whatever their size. */
function haveSameProportions(a: ItemToEdit, b: ItemToEdit): boolean {
  if (a.width === 0 || b.width === 0) return false
  return Math.abs(a.width * b.height - b.width * a.height) <= 0.01 * a.width * b.height
}

/**
 * The kept item's boxes, and those of people or objects that only the other items have. If the proportions differ, the
 * added boxes have no place. Null if the others add nothing.
 */
function mergedBoxes(keep: ItemToEdit, others: readonly ItemToEdit[], part: 'people' | 'objects'): StoredBox[] | null {
  const there = new Set(keep.parts[part].map(({ subject }) => subject))
  const added: StoredBox[] = []
  for (const other of others) {
    const fits = haveSameProportions(keep, other)
    for (const box of other.parts[part]) {
      if (box.subject === null || there.has(box.subject)) continue
      there.add(box.subject)
      const { x, y, width, height } = fits ? box : { x: 0, y: 0, width: 0, height: 0 }
      added.push({ id: null, subject: box.subject, x, y, width, height, source: 'user' })
    }
  }
  return added.length === 0 ? null : [...keep.parts[part], ...added]
}

/** The oldest reliable date of the others, if the kept item's date is only a guess. */
function mergedDate(keep: ItemToEdit, others: readonly ItemToEdit[]): ItemParts['date'] | null {
  if (!isGuess(keep.parts.date.source)) return null
  const certain = others.map(({ parts }) => parts.date).filter(({ source }) => !isGuess(source))
  return certain.sort((a, b) => a.taken - b.taken)[0] ?? null
}

/** Joins lists. The kept item keeps its single values; if it lacks one, it gets that of another (the highest rating). */
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
  const keptPlace = tags.Locations?.d
  const place = others.map(({ parts }) => parts.tags.Locations?.d).find(found => (found?.latitude ?? null) !== null)
  if ((keptPlace?.latitude ?? null) === null && place !== undefined) {
    const { latitude, longitude, placeName } = withoutLookedUpName(place)
    const name = keptPlace === undefined || keptPlace.placeName === '' ? placeName : keptPlace.placeName
    changes.push({ kind: 'place', place: { latitude, longitude, placeName: name } })
  }
  const date = mergedDate(keep, others)
  const local = date == null ? null : localFromSeconds(date.taken)
  if (local !== null) changes.push({ kind: 'date', local })
  return changes
}

function mergedParts(
  tx: Transaction,
  keep: ItemToEdit,
  others: readonly ItemToEdit[],
  changeContext: ChangeContext,
): ItemParts {
  const parts = partsOfChanges(tx, keep, mergedChanges(keep, others), changeContext)
  const offset = mergedDate(keep, others)?.offset ?? null
  if (parts.date !== undefined && offset !== null) parts.date = { ...parts.date, offset }
  for (const part of ['people', 'objects'] as const) {
    const boxes = mergedBoxes(keep, others, part)
    if (boxes !== null) parts[part] = boxes
  }
  // Copies of a file have the same orientation, so a rotated copy was rotated by a user.
  const turned = others.find(({ row, parts: { rotation } }) => row.content === keep.row.content && rotation !== 0)
  if (keep.parts.rotation === 0 && turned !== undefined) parts.rotation = turned.parts.rotation
  return parts
}

/** Adds the kept item to the favourites and albums that contain the recycled item. */
function keepFavouritesAndAlbums(tx: Transaction, keep: number, recycled: number, at: number): void {
  joinAlbumsOf(tx, keep, recycled)
  for (const { userId } of tx.all(usersOfFavourite, recycled))
    setFavourite(tx, { userId, itemId: keep, favourite: true, at })
}

const none: ReadonlySet<number> = new Set()

async function run(
  parts: ManyParts & { clock: Clock },
  { input: { groups, userId, step }, signal, progress }: JobContext<z.output<typeof input>>,
): Promise<void> {
  const { db, clock } = parts
  const total = groups.length
  const start = { at: 0, counts: { merged: 0, recycled: 0, skipped: 0 } }
  progress({ done: 0, total })

  function batch(tx: Transaction, state: typeof start, isOver: () => boolean): typeof start | null {
    let { at } = state
    const counts = { ...state.counts }
    const viewer = viewerOf(parts, userId)
    // Hidden data are merged too, because otherwise they would be lost.
    const changeContext = { unseen: none, now: clock.now() }
    const touched = new Set<number>()
    const change = { operation: 'item.duplicates', quiet: true } as const
    /** An item if it is in the gallery and the caller may still change it. */
    const usable = (id: number): ItemToEdit | null => {
      const item = itemToEdit(tx, id)
      return item?.isInGallery === true && viewer !== null && rightsOn(viewer, item.collectionId).update ? item : null
    }
    for (const { keep: keepId, recycle } of groups.slice(at)) {
      at++
      const keep = usable(keepId)
      const others = recycle.map(usable).filter(item => item !== null)
      // Without the item to keep, nothing is recycled.
      if (keep === null || others.length === 0) counts.skipped++
      else {
        if (changeItem(tx, keep, mergedParts(tx, keep, others, changeContext), change).changed) counts.merged++
        for (const other of others) {
          keepFavouritesAndAlbums(tx, keep.id, other.id, seconds(clock))
          changeItem(tx, other, { deleted: seconds(clock) }, change)
        }
        counts.recycled += others.length
        for (const { collectionId } of [keep, ...others]) touched.add(collectionId)
      }
      if (isOver()) break
    }
    publishCollections(tx, touched)
    progress({ done: at, total, counts })
    return at < total ? { at, counts } : null
  }

  await inBatches(db, { userId, step }, signal, start, batch)
}

export const mergeDuplicatesJob = (parts: ManyParts & { clock: Clock }) =>
  jobOnItems('merge-duplicates', input, context => run(parts, context))
