/** What an item's row keeps: its tag sets, its details, and what a writer passes. */
import type { items } from '../../schema/tables/items.ts'
import type { CameraData } from '../metadata/metadata.ts'

/** A tag set as the row keeps it: `v` its version, `u` 1 when a user made it what it is, `d` its data (absent: deleted). */
export interface StoredTag<Data> {
  v: number
  u?: 1
  d?: Data
}

/**
 * A position and what the place is called. `auto`: nobody says so, the library has looked which city is near, and where
 * there is none the name is ''. See core/places.
 */
export interface StoredPlace {
  latitude: number | null
  longitude: number | null
  placeName: string
  auto?: 1
}

/** The `tags` column. Keystring lists hold ids; People and Object live in `regions`, only their version stands here. */
export interface StoredTags {
  DateTimeOriginal?: StoredTag<string>
  Description?: StoredTag<string>
  Category?: StoredTag<number[]>
  Keywords?: StoredTag<number[]>
  Author?: StoredTag<number[]>
  Locations?: StoredTag<StoredPlace>
  People?: StoredTag<true>
  Object?: StoredTag<true>
  /** Only where a user rated: what the file says is in the row alone. */
  Rating?: StoredTag<number>
}

/** Reads the `tags` column, which `item-rows.ts` alone writes. */
export function parseTags(text: string): StoredTags {
  return JSON.parse(text)
}

/** Names of the tag sets in the order of their numbers: a tag's id is item * 16 + its place here, from 1. Append only. */
export const tagNames = [
  'DateTimeOriginal',
  'Description',
  'Category',
  'Keywords',
  'Author',
  'Locations',
  'People',
  'Object',
  'Rating',
] as const satisfies readonly (keyof StoredTags)[]
export type TagName = (typeof tagNames)[number]

export function tagId(itemId: number, name: TagName): number {
  return itemId * 16 + tagNames.indexOf(name) + 1
}

/** What `items.details` keeps: shown, never searched by column. */
export interface ItemDetailsColumn {
  camera?: CameraData
  title?: string
  altitude?: number
  frameRate?: number
  videoCodec?: string
  audioCodec?: string
  orientation?: number
  frames?: number
  /** Where the film of a motion photo is in its file, in bytes. */
  motionOffset?: number
  motionLength?: number
}

/** Columns of an item's row that its writer is told as they are. */
export const toldColumns = [
  'collectionId',
  'dirId',
  'name',
  'type',
  'taken',
  'takenOffset',
  'takenSource',
  'latitude',
  'longitude',
  'rating',
  'width',
  'height',
  'duration',
  'mime',
  'size',
  'content',
  'thumbhash',
  'phash',
  'renditions',
  'problem',
  'motion',
] as const satisfies readonly (keyof typeof items.$inferSelect)[]

/** What the writer is notified of an item. `people` and `objects` are what its regions name. */
export interface ItemRow extends Pick<typeof items.$inferSelect, (typeof toldColumns)[number]> {
  tags: StoredTags
  details: ItemDetailsColumn
  people: number[]
  objects: number[]
}
