/** The format of an item's row: its tag sets, its details, and what a writer passes. */
import { tagSetNames } from '../../schema/limits.ts'
import type { items } from '../../schema/tables/items.ts'
import type { CameraData } from '../metadata/metadata.ts'

/** A tag set in the row: `v` its version, `u` 1 when a user made it, `d` its data (absent: deleted). */
export interface StoredTag<Data> {
  v: number
  u?: 1
  d?: Data
}

/** A position and its place name. `auto`: looked up by the library, '' if no city is near. See core/places. */
export interface StoredPlace {
  latitude: number | null
  longitude: number | null
  placeName: string
  auto?: 1
}

/** The `tags` column. Keystring lists hold ids; People and Object are in `regions`, only their version is here. */
export interface StoredTags {
  DateTimeOriginal?: StoredTag<string>
  Description?: StoredTag<string>
  Category?: StoredTag<number[]>
  Keywords?: StoredTag<number[]>
  Author?: StoredTag<number[]>
  Locations?: StoredTag<StoredPlace>
  People?: StoredTag<true>
  Object?: StoredTag<true>
  /** Only if a user rated: a rating from the file is only in the column `rating`. */
  Rating?: StoredTag<number>
}

/** Parses the `tags` column, which only `item-rows.ts` writes. */
export function parseTags(text: string): StoredTags {
  return JSON.parse(text)
}

/** Names of the tag sets by number: a tag's id is item * 16 + the index here, counted from 1. Append only. */
export const tagNames = tagSetNames satisfies readonly (keyof StoredTags)[]
export type TagName = (typeof tagNames)[number]

export function tagId(itemId: number, name: TagName): number {
  return itemId * 16 + tagNames.indexOf(name) + 1
}

/** The format of `items.details`: shown, never searched by column. */
export interface ItemDetailsColumn {
  camera?: CameraData
  title?: string
  altitude?: number
  frameRate?: number
  videoCodec?: string
  audioCodec?: string
  orientation?: number
  frames?: number
  /** Range of the video of a motion photo in its file, in bytes. */
  motionOffset?: number
  motionLength?: number
}

/** Columns of an item's row that its writer stores unchanged. */
export const writtenColumns = [
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

/** The input of the writer for an item. `people` and `objects` are those that its regions show. */
export interface ItemRow extends Pick<typeof items.$inferSelect, (typeof writtenColumns)[number]> {
  tags: StoredTags
  details: ItemDetailsColumn
  people: number[]
  objects: number[]
}
