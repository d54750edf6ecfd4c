/** Tag sets of an item, written one at a time, and the regions of people and objects on it. */
import type { ObjectRegionInput, PersonRegionInput, TagSetName } from '../../schema/api/tags.ts'
import { tagData } from '../../schema/api/tags.ts'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { demandSignedIn, notFound, seesHidden, type Viewer } from '../accounts/access.ts'
import { tagId, tagNames } from '../items/item-row.ts'
import type { Items } from '../items/items.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import {
  demandNamed,
  linkFace,
  type RegionTag,
  type RegionWish,
  savedBoxes,
  savedId,
  wereTurnedSince,
  wholeList,
  wishOfObject,
  wishOfPerson,
  withBox,
} from './boxes/regions.ts'
import { changeItem, demandItemToEdit, type ItemToEdit } from './item-edit.ts'
import { partsOfChange, unseenKeystrings } from './tag-change.ts'
import { changeOfData, demandShape } from './tag-data.ts'

/** How a change is made. */
export interface WriteOptions {
  /** The version that it goes by, 0 where there was no tag; null: the last write wins. */
  ifMatch: number | null
  /** What `unlock` answered: hidden keystrings are among the data. */
  includeHidden?: string | undefined
}

/** `id` 0: there is no such tag now. */
export interface TagWritten {
  id: number
  version: number
}

function isRegionTag(name: TagSetName): name is RegionTag {
  return name === 'People' || name === 'Object'
}

/** Does the item say anything under this name, as far as the caller sees? */
function isThere(item: ItemToEdit, name: TagSetName, unseen: ReadonlySet<number>): boolean {
  if (isRegionTag(name)) return savedBoxes(item, name).length > 0
  if (name === 'Rating') return item.parts.rating !== null
  const data = item.parts.tags[name]?.d
  return Array.isArray(data) ? data.some(id => !unseen.has(id)) : data !== undefined
}

export function createTags({ db, clock, items }: { db: LibraryDatabase; clock: Clock; items: Items }) {
  function demand(viewer: Viewer, id: number): void {
    demandSignedIn(viewer)
    items.demand(viewer, id, 'update')
  }

  /** The item as a transaction finds it: not changed since, and with what its editor does not see of it. */
  function opened(tx: Transaction, viewer: Viewer, id: number, name: TagSetName, options: WriteOptions) {
    const item = demandItemToEdit(tx, id)
    const version = item.stored[name]?.v ?? 0
    const unseen = unseenKeystrings(tx, seesHidden(viewer, options.includeHidden))
    const { ifMatch } = options
    // 0: there was no such tag. One that was deleted long ago has a version that nobody is told.
    const asKnown = ifMatch === null || ifMatch >= version || (ifMatch === 0 && !isThere(item, name, unseen))
    if (!asKnown) throw changed(viewer, id, name, options)
    return { item, unseen }
  }

  /** Somebody was faster: the caller is shown what stands there now. */
  function changed(viewer: Viewer, id: number, name: TagSetName, { includeHidden }: WriteOptions): Failure {
    const { tags } = items.get(viewer, { id }, { includeHidden: includeHidden ?? viewer.unlockValue ?? undefined })
    const current = tags[name] ?? null
    return new Failure('changed', `${name} was changed meanwhile.`, { current })
  }

  function written(item: ItemToEdit, name: TagSetName, unseen: ReadonlySet<number>): TagWritten {
    return { id: isThere(item, name, unseen) ? tagId(item.id, name) : 0, version: item.stored[name]?.v ?? 0 }
  }

  /** Makes the boxes of a tag set so, and links faces with them. */
  function writeBoxes(
    tx: Transaction,
    item: ItemToEdit,
    name: RegionTag,
    boxes: ReturnType<typeof wholeList>,
    wishes: readonly RegionWish[],
  ): ItemToEdit {
    const parts = name === 'People' ? { people: boxes } : { objects: boxes }
    const faces = wishes.flatMap(({ face = null }) => face ?? [])
    const { item: after, changed: isChanged } = changeItem(tx, item, parts, { operation: 'item.region', faces })
    const linked = wishes.filter(wish => wish.face !== undefined && linkFace(tx, savedId(after, name, wish), wish.face))
    if (linked.length > 0 && !isChanged) {
      tx.event(channels.collection(item.collectionId), {
        action: 'update',
        item: { id: item.id, collection_id: item.collectionId },
      })
    }
    return after
  }

  function wishesOf(tx: Transaction, name: RegionTag, data: unknown): RegionWish[] {
    const given = data ?? []
    const wishes =
      name === 'People'
        ? demandShape(tagData.People, given, 'data').map((region, n) => wishOfPerson(region, `data.${n}`))
        : demandShape(tagData.Object, given, 'data').map((region, n) => wishOfObject(region, `data.${n}`))
    for (const wish of wishes) demandNamed(tx, name, wish)
    return wishes
  }

  function write(
    tx: Transaction,
    item: ItemToEdit,
    name: TagSetName,
    data: unknown,
    { unseen, whenTurned }: { unseen: ReadonlySet<number>; whenTurned: () => Failure },
  ) {
    if (isRegionTag(name)) {
      const wishes = wishesOf(tx, name, data)
      if (wereTurnedSince(item, wishes)) throw whenTurned()
      return writeBoxes(tx, item, name, wholeList(item, name, wishes), wishes)
    }
    const change = changeOfData(tx, name, data, { unseen, field: 'data' })
    const parts = partsOfChange(tx, item, change, { unseen, now: clock.now() })
    return changeItem(tx, item, parts, { operation: 'item.tag' }).item
  }

  return {
    /** Writes a tag set whole. What is empty deletes it; what it says already changes nothing at all. */
    async save(
      viewer: Viewer,
      { id, tagName }: { id: number; tagName: TagSetName },
      data: unknown,
      options: WriteOptions,
    ): Promise<TagWritten> {
      demand(viewer, id)
      return db.transact(viewer, tx => {
        const { item, unseen } = opened(tx, viewer, id, tagName, options)
        const whenTurned = () => changed(viewer, id, tagName, options)
        return written(write(tx, item, tagName, data, { unseen, whenTurned }), tagName, unseen)
      })
    },

    /** Deletes a tag by its id; one of another item, or that is not there, is `notFound`. */
    async remove(viewer: Viewer, where: { id: number; tagId: number }, options: WriteOptions): Promise<void> {
      demand(viewer, where.id)
      const name = tagNames.find(known => tagId(where.id, known) === where.tagId)
      if (name === undefined) throw notFound()
      await db.transact(viewer, tx => {
        const { item, unseen } = opened(tx, viewer, where.id, name, options)
        if (!isThere(item, name, unseen)) throw notFound()
        write(tx, item, name, null, { unseen, whenTurned: () => changed(viewer, where.id, name, options) })
      })
    },

    /** Draws a box, or changes one: a wish with id 0 is a new one, unless it must be saved already. */
    async saveRegion(
      viewer: Viewer,
      id: number,
      region: { tag: 'People'; data: PersonRegionInput } | { tag: 'Object'; data: ObjectRegionInput },
      options: WriteOptions & { mustExist: boolean },
    ): Promise<{ id: number; tag: TagWritten }> {
      demand(viewer, id)
      const { tag } = region
      const wish = region.tag === 'People' ? wishOfPerson(region.data, 'data') : wishOfObject(region.data, 'data')
      if (options.mustExist && wish.id === 0) {
        throw new Failure('invalid', 'The id of the region is missing.', { field: 'data.id' })
      }
      return db.transact(viewer, tx => {
        const { item, unseen } = opened(tx, viewer, id, tag, options)
        if (wereTurnedSince(item, [wish])) throw changed(viewer, id, tag, options)
        demandNamed(tx, tag, wish)
        const after = writeBoxes(tx, item, tag, withBox(item, tag, wish), [wish])
        return { id: savedId(after, tag, wish), tag: written(after, tag, unseen) }
      })
    },

    /** Removes a box of this item and tag set; any other is `notFound`. */
    async removeRegion(
      viewer: Viewer,
      where: { id: number; regionId: number },
      tag: RegionTag,
      options: WriteOptions,
    ): Promise<void> {
      demand(viewer, where.id)
      await db.transact(viewer, tx => {
        const { item } = opened(tx, viewer, where.id, tag, options)
        const saved = savedBoxes(item, tag)
        const left = saved.filter(box => box.id !== where.regionId)
        if (left.length === saved.length) throw notFound()
        writeBoxes(tx, item, tag, left, [])
      })
    },
  }
}

export type Tags = ReturnType<typeof createTags>
