/** Writes single tag sets of an item, and its regions of people and objects. */
import type { z } from 'zod'
import { type ObjectRegionInput, type PersonRegionInput, type TagSetName, tagData } from '../../schema/api/tags.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { notFound, requireSignedIn, seesHidden, type Viewer } from '../accounts/access.ts'
import { tagId, tagNames } from '../items/item-row.ts'
import type { Items } from '../items/items.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import {
  boxesForWholeList,
  linkFace,
  type RegionRequest,
  type RegionTag,
  regionRequest,
  requireSubjectAndFace,
  savedBoxes,
  savedId,
  wasRotatedSince,
  withBox,
} from './boxes/regions.ts'
import { changeItem, type ItemToEdit, requireItemToEdit } from './item-edit.ts'
import { partsOfChange, unseenKeystrings } from './tag-change.ts'
import { changeOfData, requireShape } from './tag-data.ts'

export interface TagWriteOptions {
  /** The version on which the change is based, 0 if there was no tag; null: the last write wins. */
  ifMatch: number | null
  /** The value from `unlock`: hidden keystrings are in the data. */
  includeHidden?: string | undefined
}

/** `id` is 0 if the tag does not exist any more. */
export interface TagWritten {
  id: number
  version: number
}

function isRegionTag(name: TagSetName): name is RegionTag {
  return name === 'People' || name === 'Object'
}

function hasTag(item: ItemToEdit, name: TagSetName, unseen: ReadonlySet<number>): boolean {
  if (isRegionTag(name)) return savedBoxes(item, name).length > 0
  if (name === 'Rating') return item.parts.rating !== null
  const data = item.parts.tags[name]?.d
  return Array.isArray(data) ? data.some(id => !unseen.has(id)) : data !== undefined
}

interface TagStore {
  db: LibraryDatabase
  clock: Clock
  items: Items
}

interface OpenTag {
  item: ItemToEdit
  name: TagSetName
  /** Keystrings that the caller does not see. */
  unseen: ReadonlySet<number>
  /** The failure if the caller's data are outdated. */
  changedFailure(): Failure
}

function requireItem({ items }: TagStore, viewer: Viewer, id: number): void {
  requireSignedIn(viewer)
  items.requireRight(viewer, id, 'update')
}

function openTag(
  { items }: TagStore,
  tx: Transaction,
  viewer: Viewer,
  { id, name }: { id: number; name: TagSetName },
  { ifMatch, includeHidden }: TagWriteOptions,
): OpenTag {
  const item = requireItemToEdit(tx, id)
  const version = item.stored[name]?.v ?? 0
  const unseen = unseenKeystrings(tx, seesHidden(viewer, includeHidden))
  const changedFailure = () => {
    const { tags } = items.get(viewer, { id }, { includeHidden: includeHidden ?? viewer.unlockValue ?? undefined })
    return new Failure('changed', sentence`${name} was changed meanwhile.`, { current: tags[name] ?? null })
  }
  // 0 means that the caller saw no such tag. It also matches a deleted tag, whose version callers do not know.
  const isCurrent = ifMatch === null || ifMatch >= version || (ifMatch === 0 && !hasTag(item, name, unseen))
  if (!isCurrent) throw changedFailure()
  return { item, name, unseen, changedFailure }
}

function resultOf(item: ItemToEdit, { name, unseen }: OpenTag): TagWritten {
  return { id: hasTag(item, name, unseen) ? tagId(item.id, name) : 0, version: item.stored[name]?.v ?? 0 }
}

function changeBoxes(
  tx: Transaction,
  item: ItemToEdit,
  name: RegionTag,
  boxes: ReturnType<typeof boxesForWholeList>,
  requests: readonly RegionRequest[],
): ItemToEdit {
  const parts = name === 'People' ? { people: boxes } : { objects: boxes }
  const faces = requests.flatMap(({ face = null }) => face ?? [])
  const { item: after, changed: isChanged } = changeItem(tx, item, parts, { operation: 'item.region', faces })
  const linked = requests.filter(
    request => request.face !== undefined && linkFace(tx, savedId(after, name, request), request.face),
  )
  if (linked.length > 0 && !isChanged) {
    const { id, collectionId: collection_id } = item
    tx.event(channels.collection(collection_id), { action: 'update', item: { id, collection_id } })
  }
  return after
}

function regionRequests(tx: Transaction, name: RegionTag, data: unknown): RegionRequest[] {
  const shape: z.ZodType<(PersonRegionInput | ObjectRegionInput)[]> = tagData[name]
  const requests = requireShape(shape, data ?? [], 'data').map((region, n) => regionRequest(region, `data.${n}`))
  for (const request of requests) requireSubjectAndFace(tx, name, request)
  return requests
}

/** Writes a whole tag set; returns the resulting item. */
function write({ clock }: TagStore, tx: Transaction, { item, name, unseen, changedFailure }: OpenTag, data: unknown) {
  if (isRegionTag(name)) {
    const requests = regionRequests(tx, name, data)
    if (wasRotatedSince(item, requests)) throw changedFailure()
    return changeBoxes(tx, item, name, boxesForWholeList(item, name, requests), requests)
  }
  const change = changeOfData(tx, name, data, { unseen, field: 'data' })
  const parts = partsOfChange(tx, item, change, { unseen, now: clock.now() })
  return changeItem(tx, item, parts, { operation: 'item.tag' }).item
}

export function createTags(store: TagStore) {
  const { db } = store
  return {
    /** Writes a whole tag set. An empty one deletes it; an equal one changes nothing. */
    async save(
      viewer: Viewer,
      { id, tagName: name }: { id: number; tagName: TagSetName },
      data: unknown,
      options: TagWriteOptions,
    ): Promise<TagWritten> {
      requireItem(store, viewer, id)
      return db.transact(viewer, tx => {
        const open = openTag(store, tx, viewer, { id, name }, options)
        return resultOf(write(store, tx, open, data), open)
      })
    },

    /** Deletes a tag by its id; `notFound` if it belongs to another item or does not exist. */
    async remove(viewer: Viewer, { id, tagId: tag }: { id: number; tagId: number }, options: TagWriteOptions) {
      requireItem(store, viewer, id)
      const name = tagNames.find(known => tagId(id, known) === tag)
      if (name === undefined) throw notFound()
      await db.transact(viewer, tx => {
        const open = openTag(store, tx, viewer, { id, name }, options)
        if (!hasTag(open.item, name, open.unseen)) throw notFound()
        write(store, tx, open, null)
      })
    },

    /** Adds or changes a box. A request with id 0 adds one, unless the same box is saved already. */
    async saveRegion(
      viewer: Viewer,
      id: number,
      region: { tag: 'People'; data: PersonRegionInput } | { tag: 'Object'; data: ObjectRegionInput },
      options: TagWriteOptions & { mustExist: boolean },
    ): Promise<{ id: number; tag: TagWritten }> {
      requireItem(store, viewer, id)
      const { tag: name } = region
      const request = regionRequest(region.data, 'data')
      if (options.mustExist && request.id === 0) {
        throw new Failure('invalid', 'The id of the region is missing.', { field: 'data.id' })
      }
      return db.transact(viewer, tx => {
        const open = openTag(store, tx, viewer, { id, name }, options)
        if (wasRotatedSince(open.item, [request])) throw open.changedFailure()
        requireSubjectAndFace(tx, name, request)
        const after = changeBoxes(tx, open.item, name, withBox(open.item, name, request), [request])
        return { id: savedId(after, name, request), tag: resultOf(after, open) }
      })
    },

    /** Removes a box of this item and tag set; throws `notFound` for any other box. */
    async removeRegion(
      viewer: Viewer,
      { id, regionId }: { id: number; regionId: number },
      name: RegionTag,
      options: TagWriteOptions,
    ): Promise<void> {
      requireItem(store, viewer, id)
      await db.transact(viewer, tx => {
        const { item } = openTag(store, tx, viewer, { id, name }, options)
        const saved = savedBoxes(item, name)
        const left = saved.filter(box => box.id !== regionId)
        if (left.length === saved.length) throw notFound()
        changeBoxes(tx, item, name, left, [])
      })
    },
  }
}

export type Tags = ReturnType<typeof createTags>
