/** The form that tags many items: which of them have a tag, and what will change. Pure. */

import type { Item } from '../../../schema/api/items.ts'
import { compareNames } from '../../../schema/locale.ts'
import { wordKey } from '../../kit/words.ts'
import type { PickedTag } from '../tagging/tag-plan.ts'
import type { ManyChange } from './change-many.ts'

export const listTags = ['Keywords', 'People', 'Category'] as const
export type ListTag = (typeof listTags)[number]

/** A tag that some of the items have. `count`: how many. */
export interface TagEntry extends PickedTag {
  count: number
}

/** What changes in one list; `added` entries with the id 0 are new words. */
export interface ListEdit {
  added: readonly PickedTag[]
  /** Ids of entries. */
  removed: readonly number[]
}

export interface TagForm {
  lists: Readonly<Record<ListTag, ListEdit>>
  /** Null: unchanged. */
  rating: number | null
  /** Null: unchanged; '' removes it. */
  description: string | null
}

const unchanged: ListEdit = { added: [], removed: [] }
export const emptyTagForm: TagForm = {
  lists: { Keywords: unchanged, People: unchanged, Category: unchanged },
  rating: null,
  description: null,
}

function tagsOn({ tags }: Pick<Item, 'tags'>, tag: ListTag): PickedTag[] {
  if (tag !== 'People') return (tags[tag]?.data ?? []).map(({ id, content }) => ({ id, name: content }))
  return (tags.People?.data ?? []).flatMap(({ person, name }) => (person === 0 ? [] : [{ id: person, name }]))
}

/** The tags of the items, the most frequent first. */
export function tagEntriesOf(items: readonly Pick<Item, 'tags'>[], tag: ListTag): TagEntry[] {
  const found = new Map<number, TagEntry>()
  for (const item of items) {
    // A person can be on a picture twice.
    for (const one of new Map(tagsOn(item, tag).map(each => [each.id, each])).values()) {
      found.set(one.id, { ...one, count: (found.get(one.id)?.count ?? 0) + 1 })
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count || compareNames(a.name, b.name))
}

const isSame = (a: PickedTag, b: PickedTag) => (a.id !== 0 && a.id === b.id) || wordKey(a.name) === wordKey(b.name)

/** Adds a tag to all items: takes back its removal, completes one that some have, or adds a new one. */
export function withAdded(edit: ListEdit, entries: readonly TagEntry[], total: number, picked: PickedTag): ListEdit {
  const known = entries.find(one => isSame(one, picked))
  const removed = edit.removed.filter(id => id !== known?.id)
  const isThere = known?.count === total || edit.added.some(one => isSame(one, picked))
  const one = known === undefined ? picked : { id: known.id, name: known.name }
  return { added: isThere ? edit.added : [...edit.added, one], removed }
}

export function withRemoved({ added, removed }: ListEdit, id: number): ListEdit {
  return { added: added.filter(one => one.id !== id), removed: [...removed, id] }
}

/** Takes back what was done with a tag. */
export function withReverted({ added, removed }: ListEdit, picked: PickedTag): ListEdit {
  return { added: added.filter(one => !isSame(one, picked)), removed: removed.filter(id => id !== picked.id) }
}

/** A tag as shown: on all items (perhaps only after the change), on some, or removed. */
export interface ShownTag extends TagEntry {
  state: 'all' | 'new' | 'some' | 'removed'
}

export function shownTags(entries: readonly TagEntry[], { added, removed }: ListEdit, total: number): ShownTag[] {
  const stateOf = (one: TagEntry): ShownTag['state'] => {
    if (removed.includes(one.id)) return 'removed'
    if (added.some(each => isSame(each, one))) return 'new'
    return one.count === total ? 'all' : 'some'
  }
  const fresh = added.filter(one => !entries.some(each => isSame(each, one)))
  return [
    ...entries.map(one => ({ ...one, state: stateOf(one) })),
    ...fresh.map(one => ({ ...one, count: 0, state: 'new' as const })),
  ]
}

/** How many changes the form makes. */
export function countChanges({ lists, rating, description }: TagForm): number {
  const inLists = listTags.reduce((sum, tag) => sum + lists[tag].added.length + lists[tag].removed.length, 0)
  return inLists + (rating === null ? 0 : 1) + (description === null ? 0 : 1)
}

export function changesOf({ lists, rating, description }: TagForm): ManyChange[] {
  const inLists = listTags.flatMap(tagName => {
    const { added, removed } = lists[tagName]
    const isPeople = tagName === 'People'
    const changes: ManyChange[] = []
    if (removed.length > 0) {
      changes.push({ tagName, mode: 'remove', data: removed.map(id => (isPeople ? { person: id } : { id })) })
    }
    if (added.length > 0) {
      const data = added.map(({ id, name }) => (isPeople ? { person: id } : id === 0 ? name : { id }))
      changes.push({ tagName, mode: 'add', data })
    }
    return changes
  })
  return [
    ...inLists,
    ...(rating === null ? [] : [{ tagName: 'Rating', mode: 'set', data: rating } as const]),
    ...(description === null ? [] : [{ tagName: 'Description', mode: 'set', data: description } as const]),
  ]
}
