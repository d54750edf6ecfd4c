/** The editable parts of an item: their present values, the differences, and what the history stores. */
import type { Box } from '../../schema/boxes.ts'
import type { StoredTag, StoredTags } from '../items/item-row.ts'

/** A stored box: on the upright picture before Rotation, in thousandths of its longer edge. */
export interface StoredBox extends Box {
  /** Null for a new box. A box that undo restores keeps its old id. */
  id: number | null
  /** Person or object; null for an unnamed face. */
  subject: number | null
  source: 'file' | 'user' | 'face'
}

/** Tag sets whose data are in the item's row; People and Object are the parts `people` and `objects`. */
export type RowTag = Exclude<keyof StoredTags, 'People' | 'Object'>
type RowTagData = {
  [Name in RowTag]: NonNullable<StoredTags[Name]> extends StoredTag<infer Data> ? Data : never
}

/** A tag set's data, and whether a user set it. `d` absent: a user deleted it. */
export interface TagValue<Data> {
  d?: Data
  u?: 1
}

/** Editable parts of an item, each changed as a whole. Parts of old history entries must stay readable. */
export interface ItemParts {
  tags?: { [Name in RowTag]?: TagValue<RowTagData[Name]> | null }
  /** Changes together with `tags.DateTimeOriginal`. `taken`: seconds; `offset`: minutes; `source`: a DateSource. */
  date?: { taken: number; offset: number | null; source: string }
  people?: StoredBox[]
  objects?: StoredBox[]
  /** Users edited the regions, so scans keep them. Defaults to true if `people` or `objects` change. */
  peopleEdited?: boolean
  objectsEdited?: boolean
  /** -1 to 5; changes together with `tags.Rating`. */
  rating?: number | null
  /** Degrees clockwise. */
  rotation?: number
  /** When the item was recycled, in seconds. */
  deleted?: number | null
}

export const rowTags = [
  'DateTimeOriginal',
  'Description',
  'Category',
  'Keywords',
  'Author',
  'Locations',
  'Rating',
] as const satisfies readonly RowTag[]

/** A box with its fields in one order, because parts are compared as text. */
export function orderedBox({ id, subject, x, y, width, height, source }: StoredBox): StoredBox {
  return { id, subject, x, y, width, height, source }
}

/** The data of a tag set. If the library looked up the name of a place, the name is ''. */
export function withoutLookedUpName<Data>(data: Data): Data {
  const isLookedUp = typeof data === 'object' && data !== null && 'auto' in data
  return isLookedUp ? { ...data, placeName: '', auto: undefined } : data
}

/** The content of a tag; null if it is empty. */
export function valueOfTag<Data>(tag: StoredTag<Data> | undefined): TagValue<Data> | null {
  if (tag === undefined || (tag.d === undefined && tag.u !== 1)) return null
  const value: TagValue<Data> = {}
  if (tag.d !== undefined) value.d = withoutLookedUpName(tag.d)
  if (tag.u === 1) value.u = 1
  return value
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A tag in the form that `valueOfTag` returns; null if it is empty. */
function ordered(value: TagValue<unknown> | null | undefined): TagValue<unknown> | null {
  return value === null || value === undefined ? null : valueOfTag({ v: 0, ...value })
}

function sameBoxes(a: readonly StoredBox[], b: readonly StoredBox[]): boolean {
  const sorted = (boxes: readonly StoredBox[]) =>
    boxes
      .map(orderedBox)
      .sort((one, other) => (one.id ?? Number.MAX_SAFE_INTEGER) - (other.id ?? Number.MAX_SAFE_INTEGER))
  return same(sorted(a), sorted(b))
}

/** Parts beside `tags`, in the history's order; boxes include whether users edited them. */
const otherParts = ['date', 'people', 'objects', 'rating', 'rotation', 'deleted'] as const
const editedOf = { people: 'peopleEdited', objects: 'objectsEdited' } as const

/** Some tag sets by their names, with types that TypeScript cannot derive from a list of names. */
function tagsOf(names: readonly RowTag[], tags: ItemParts['tags']): NonNullable<ItemParts['tags']> {
  return Object.fromEntries(names.map(name => [name, tags?.[name] ?? null])) as NonNullable<ItemParts['tags']>
}

export function changedParts(now: Required<ItemParts>, wanted: ItemParts): ItemParts {
  const parts: ItemParts = {}
  const { tags } = wanted
  const names = rowTags.filter(
    name => tags !== undefined && name in tags && !same(ordered(tags[name]), now.tags[name] ?? null),
  )
  if (names.length > 0) parts.tags = tagsOf(names, tags)
  for (const part of otherParts) {
    if (wanted[part] === undefined) continue
    if (part !== 'people' && part !== 'objects') {
      if (!same(wanted[part], now[part])) Object.assign(parts, { [part]: wanted[part] })
      continue
    }
    const isEdited = wanted[editedOf[part]]
    if (sameBoxes(wanted[part] ?? [], now[part]) && (isEdited ?? now[editedOf[part]]) === now[editedOf[part]]) continue
    Object.assign(parts, { [part]: wanted[part], [editedOf[part]]: isEdited ?? true })
  }
  return parts
}

/** The item's values of the given parts, for the history: `now` is the item before the change, or after it. */
export function pickParts(now: Required<ItemParts>, { tags, ...names }: ItemParts): ItemParts {
  const parts: ItemParts = {}
  if (tags !== undefined) {
    parts.tags = tagsOf(
      rowTags.filter(name => name in tags),
      now.tags,
    )
  }
  for (const part of otherParts) {
    if (names[part] === undefined) continue
    Object.assign(parts, { [part]: now[part] })
    if (part === 'people' || part === 'objects') Object.assign(parts, { [editedOf[part]]: now[editedOf[part]] })
  }
  return parts
}

export const itemOperations = [
  'item.tag',
  'item.region',
  'item.rotate',
  'item.recycle',
  'item.restore',
  'item.bulk',
  'item.duplicates',
  'metadata.import',
  'library.restore',
  'keystring.merge',
  'person.merge',
  'undo',
] as const
export type ItemOperation = (typeof itemOperations)[number]
