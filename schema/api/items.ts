/** Items: lists, the timeline, single items, the recycle bin, missing items and duplicates. */
import { z } from 'zod'
import { albumSorts, limits, searchableTags } from '../limits.ts'
import {
  byId,
  calendarName,
  collectionNumber,
  decimalNumber,
  endpoint,
  idNumber,
  numberText,
  pageNumber,
  shortText,
  unlocked,
  wholeNumber,
} from './contract.ts'

/** An entry of a filter group: an id or, with id 0, free text. Mode 0 is AND, 1 is NOT. */
export const filterEntry = z.object({
  type: z.enum(['Keyword', 'Person', 'Object']),
  mode: z.union([z.literal(0), z.literal(1)]),
  id: z.int().nonnegative(),
  text: z.string().max(200).optional(),
})
export type FilterEntry = z.output<typeof filterEntry>

/** Groups are joined by OR; inside a group every AND entry must match and no NOT entry may. */
const filterGroups = z.array(z.array(filterEntry).max(100)).max(50)

const filterGroupsText = z.codec(z.string().max(20_000), filterGroups, {
  decode(text, context) {
    try {
      return JSON.parse(text === '' ? '[]' : text)
    } catch {
      context.issues.push({ code: 'custom', message: 'filtergroups is not JSON', input: text })
      return z.NEVER
    }
  },
  encode: groups => JSON.stringify(groups),
})

const searchTagsText = z.codec(z.string().max(200), z.array(z.enum(searchableTags)), {
  decode(text, context) {
    const names = text.split(',').filter(name => name !== '')
    const known = z.array(z.enum(searchableTags)).safeParse(names)
    if (known.success) return known.data
    context.issues.push({ code: 'custom', message: `searchInTags knows ${searchableTags.join(', ')}`, input: text })
    return z.NEVER
  },
  encode: names => names.join(','),
})

export const filterQuery = z.object({
  collection_id: collectionNumber.optional(),
  /** Local time read as if UTC, in seconds; start inclusive, end exclusive. */
  timestampStart: wholeNumber.optional(),
  timestampEnd: wholeNumber.optional(),
  /** 1–12: this month in every year of the range, of the `calendar`. */
  startMonth: numberText(/^(0?[1-9]|1[0-2])$/, 'startMonth is 1 to 12', z.int()).optional(),
  /** The calendar of `startMonth`, and of years, months and days that a call counts by. */
  calendar: calendarName.optional(),
  filtergroups: filterGroupsText.optional(),
  /** Metres. */
  radius: decimalNumber.optional(),
  latitude: decimalNumber.optional(),
  longitude: decimalNumber.optional(),
  searchInTags: searchTagsText.optional(),
  /** The value that `unlock` returned. */
  includeHidden: z.string().max(200).optional(),
  q: shortText('Search', 2000).optional(),
  /** Id of an album: its items. For an album that the caller does not see, there are none. */
  album: idNumber.optional(),
})
export type FilterQuery = z.output<typeof filterQuery>

export type ItemSort = (typeof albumSorts)[number]

export const pageQuery = z.object({
  limit: numberText(
    /^[1-9]\d{0,4}$/,
    `limit is 1 to ${limits.maxPageSize}`,
    z.int().max(limits.maxPageSize),
  ).optional(),
  page: pageNumber.optional(),
  /** From a link in a response; stays valid while items are added and removed. */
  cursor: z.string().max(400).optional(),
  /** 'hand' needs `album`. */
  sort: z.enum(albumSorts).optional(),
})
export type PageQuery = z.output<typeof pageQuery>

export const pageMeta = z.object({
  total_records: z.int(),
  limit: z.int(),
  page: z.int(),
  count: z.int(),
})
export const pageLinks = z.object({
  self: z.string(),
  first: z.string(),
  prev: z.string().nullable(),
  next: z.string().nullable(),
  last: z.string(),
})

/** A line that explains a part of a filter; `depth` is its nesting. */
const explainedLine = z.object({ depth: z.int().nonnegative(), says: z.string() })
export type ExplainedLine = z.output<typeof explainedLine>

const tag = <Data extends z.ZodType>(data: Data) => z.object({ id: z.int(), version: z.int(), data })
const entry = z.object({ id: z.int(), content: z.string() })

const box = { x: z.number(), y: z.number(), width: z.number(), height: z.number() }
const personRegion = z.object({
  id: z.int(),
  type: z.literal('person'),
  person: z.int(),
  face: z.int().nullable(),
  name: z.string(),
  ...box,
})
const objectRegion = z.object({ id: z.int(), type: z.literal('object'), object: z.int(), name: z.string(), ...box })

/** Tag sets; those that an item does not have are absent. */
const itemTags = z.object({
  DateTimeOriginal: tag(z.string()).optional(),
  Description: tag(z.string()).optional(),
  Category: tag(z.array(entry)).optional(),
  Keywords: tag(z.array(entry)).optional(),
  Author: tag(z.array(entry)).optional(),
  Locations: tag(
    z.object({
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      placeName: z.string(),
      /** True if the library looked the name up. Such a name is in no file, and any name by a user replaces it. */
      guessed: z.literal(true).optional(),
    }),
  ).optional(),
  People: tag(z.array(personRegion)).optional(),
  Object: tag(z.array(objectRegion)).optional(),
  /** -1 rejected, 0 to 5. Version 0: the rating is from the file, nobody has changed it here. */
  Rating: tag(z.int()).optional(),
})
export type ItemTags = z.output<typeof itemTags>

export const item = z.object({
  id: z.int(),
  name: z.string(),
  /** The name, the path within the collection, or the absolute path, as far as the caller may see it. */
  path: z.string(),
  type: z.enum(['image', 'video']),
  collection_id: z.int(),
  /** As shown: upright, and rotated by Rotation. 0 if unknown. */
  width: z.int(),
  height: z.int(),
  /** Local time 'YYYY-MM-DD HH:MM:SS'. */
  taken_at: z.string(),
  /** The same time in seconds, read as if it were UTC. */
  taken: z.int(),
  /** Minutes east of UTC. */
  utc_offset: z.int().nullable(),
  /** Source of the date; 'name' and 'file' are guesses. */
  date_source: z.string(),
  rating: z.int().nullable(),
  /** Seconds. */
  duration: z.number().nullable(),
  /** Whether the item has a motion part. */
  live: z.boolean(),
  /** base64 of the thumbhash of the upright picture, before Rotation. */
  thumbhash: z.string().nullable(),
  /** Changes whenever the picture looks different, so it is part of the picture's address. */
  reloads: z.string(),
  /** Why there is a placeholder instead of the picture. */
  problem: z.string().nullable(),
  properties: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })),
  tags: itemTags,
})
export type Item = z.output<typeof item>

/** An item with the size of its file, which helps to decide which of several copies is the best. */
const duplicate = item.extend({ /** Bytes. */ size: z.int() })
export type Duplicate = z.output<typeof duplicate>

/** Details that only the item's own call returns. */
export const itemDetails = item.extend({
  mime: z.string(),
  /** Bytes. */
  size: z.int(),
  added: z.int(),
  collection: z.string(),
  camera: z.object({
    make: z.string().optional(),
    model: z.string().optional(),
    lens: z.string().optional(),
    /** Millimetres, f-number, seconds, ISO. */
    focalLength: z.number().optional(),
    aperture: z.number().optional(),
    exposure: z.number().optional(),
    iso: z.number().optional(),
  }),
  altitude: z.number().nullable(),
  frameRate: z.number().nullable(),
  videoCodec: z.string().nullable(),
  audioCodec: z.string().nullable(),
  /** Other files of the item: RAW beside JPEG, the motion part, sidecars. */
  files: z.array(z.object({ name: z.string(), role: z.string(), size: z.int() })),
})
export type ItemDetails = z.output<typeof itemDetails>

/** The cursor of a neighbouring page; null if there is none. */
export function cursorIn(link: string | null): string | null {
  return link === null ? null : new URL(link, 'http://here').searchParams.get('cursor')
}

export const itemPage = z.object({ _meta: pageMeta, _links: pageLinks, items: z.array(item) })
export type ItemPage = z.output<typeof itemPage>

const timelineMonth = z.object({ year: z.int(), month: z.int(), count: z.int() })

/** A month of the timeline: how many items each of its days has, newest first, and the shape of each item. */
const layoutMonth = timelineMonth.extend({
  days: z.array(z.object({ day: z.int(), count: z.int() })),
  /** base64: a byte for each item, as in `shapeOf`, in the order of the list. */
  shapes: z.base64(),
})
export type LayoutMonth = z.output<typeof layoutMonth>

/** The shape of an item as a byte: 1 + 254 * width / (width + height), upright; 0 if the size is unknown. */
export function shapeOf(width: number, height: number): number {
  return width > 0 && height > 0 ? 1 + Math.round((254 * width) / (width + height)) : 0
}

const inCollection = z.object({ collectionId: collectionNumber })

/** Query for a page of items that are not in the gallery; `q` works as in lists of the gallery. */
const outsideGalleryQuery = filterQuery.pick({ includeHidden: true, q: true }).extend(pageQuery.shape)

const manyItems = z
  .array(z.int().positive())
  .min(1, 'No items are given')
  .max(limits.maxBulkItems, `At most ${limits.maxBulkItems} items at once`)

export const itemCalls = {
  list: endpoint('GET /v1/item/list/:collectionId', {
    summary: 'Items that the caller sees, newest first. 0 means all collections.',
    rule: { who: 'all', refused: [400] },
    params: inCollection,
    query: filterQuery.extend(pageQuery.shape),
    output: itemPage,
  }),
  timeline: endpoint('GET /v1/item/timeline/:collectionId', {
    summary: 'How many items each month of the calendar has, newest first.',
    rule: { who: 'all', refused: [400] },
    params: inCollection,
    query: filterQuery,
    output: z.object({ total_records: z.int(), months: z.array(timelineMonth) }),
  }),
  layout: endpoint('GET /v1/item/layout/:collectionId', {
    summary:
      'The shapes of all items of a filter: by month and day, newest first, or in another order as a single month 0.',
    rule: { who: 'all', refused: [400] },
    params: inCollection,
    query: filterQuery.extend({ sort: pageQuery.shape.sort }),
    output: z.object({ months: z.array(layoutMonth) }),
  }),
  explain: endpoint('GET /v1/item/explain', {
    summary: 'Explains a text of the search language, with matching names and the number of items.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403] },
    query: filterQuery.pick({ q: true, includeHidden: true }),
    output: z.object({
      /** The filter as a query, without defaults; '' means everything. */
      printed: z.string(),
      lines: z.array(explainedLine),
      total_records: z.int(),
    }),
  }),
  get: endpoint('GET /v1/item/:id', {
    summary: 'One item with all its metadata.',
    rule: { who: 'all', on: { thing: 'item', right: 'view' }, refused: [400, 404] },
    params: byId,
    query: unlocked,
    output: itemDetails,
  }),
  missing: endpoint('GET /v1/item/missing/:collectionId', {
    summary: 'Items whose file is gone.',
    rule: { who: 'signedIn', refused: [400, 401] },
    params: inCollection,
    query: outsideGalleryQuery,
    output: itemPage,
  }),
  deleted: endpoint('GET /v1/item/deleted/:collectionId', {
    summary: 'The recycle bin.',
    rule: { who: 'signedIn', refused: [400, 401] },
    params: inCollection,
    query: outsideGalleryQuery,
    output: itemPage,
  }),
  remove: endpoint('DELETE /v1/item/:id', {
    summary: 'Recycles an item; permanently deletes a recycled one, and removes a missing one.',
    rule: { who: 'signedIn', on: { thing: 'item', right: 'update' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    status: 204,
  }),
  removeMany: endpoint('PUT /v1/item/deleted', {
    summary:
      'Recycles items as one step; fails as a whole if the caller may not change one of them. Returns a job for many items.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 404] },
    body: z.object({ items: manyItems }),
    /** `step`: id of the history step, to undo it. `changed`: number of changed items; null if a job changes them. */
    output: z.object({ taskid: z.int().nullable(), step: z.string(), changed: z.int().nullable() }),
    dryRun: true,
  }),
  restoreMany: endpoint('PUT /v1/item/restore', {
    summary: 'Restores items from the recycle bin as one step. Returns a job for many items.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 404] },
    body: z.object({ items: manyItems }),
    output: z.object({ taskid: z.int().nullable(), step: z.string(), changed: z.int().nullable() }),
    dryRun: true,
  }),
  rotateMany: endpoint('PUT /v1/item/rotate', {
    summary:
      'Rotates items by 90 degrees as one step; fails as a whole if the caller may not change one of them. Returns the job.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 404] },
    body: z.object({ items: manyItems, direction: z.enum(['left', 'right'], { error: 'direction is left or right' }) }),
    output: z.object({ taskid: z.int(), step: z.string() }),
    dryRun: true,
  }),
  emptyBin: endpoint('DELETE /v1/item/deleted/:collectionId', {
    summary: 'Permanently deletes the recycled items of the collections that the caller administers.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'admin' }, refused: [400, 401, 403, 404, 409] },
    params: inCollection,
    output: z.object({ taskid: z.int() }),
  }),
  forgetMissing: endpoint('DELETE /v1/item/missing/:collectionId', {
    summary: 'Removes missing items; one whose file is back is shown again instead.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'update' }, refused: [400, 401, 403, 404, 409] },
    params: inCollection,
    output: z.object({ forgotten: z.int(), back: z.int() }),
  }),
  restore: endpoint('PUT /v1/item/:id/restore', {
    summary: 'Restores an item from the recycle bin; 409 if it is not in it.',
    rule: { who: 'signedIn', on: { thing: 'item', right: 'update' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    output: itemDetails,
  }),
  rotate: endpoint('PUT /v1/item/:id/tools/rotate', {
    summary: 'Rotates an item by 90 degrees; the picture in its file is not rotated.',
    rule: { who: 'signedIn', on: { thing: 'item', right: 'update' }, refused: [400, 401, 403, 404] },
    params: byId,
    query: z.object({ direction: z.enum(['left', 'right'], { error: 'direction is left or right' }) }),
    output: itemDetails,
  }),
  onThisDay: endpoint('GET /v1/item/onthisday/:collectionId', {
    summary: 'Items of this day of the calendar in all years, by year; onthisday is the time zone of the day.',
    rule: { who: 'all', refused: [400] },
    params: inCollection,
    query: filterQuery.extend({
      onthisday: z.string().max(60).optional(),
      /** Month and day of the `calendar`, if not today. */
      day: z
        .string()
        .regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'day is a month and a day like 08-03')
        .optional(),
      /** Maximum number of items of all years together. */
      limit: pageQuery.shape.limit,
    }),
    output: z.record(z.string(), z.array(item)),
  }),
  findDuplicates: endpoint('PUT /v1/item/duplicates', {
    summary: 'Searches the whole library for similar items; returns the job.',
    rule: { who: 'anyUpdate', refused: [401, 403, 409] },
    output: z.object({ taskid: z.int() }),
  }),
  duplicates: endpoint('GET /v1/item/duplicates/:collectionId', {
    summary: 'Groups of items of the same content, or that look alike.',
    rule: { who: 'signedIn', refused: [400, 401] },
    params: inCollection,
    query: z.object({
      kind: z.enum(['exact', 'near'], { error: 'kind is exact or near' }).optional(),
      page: pageNumber.optional(),
      limit: pageQuery.shape.limit,
    }),
    /** `searched`: whether the search for similar pictures has run. */
    output: z.object({ _meta: pageMeta, groups: z.array(z.array(duplicate)), searched: z.boolean() }),
  }),
  mergeDuplicates: endpoint('PUT /v1/item/duplicates/merge', {
    summary:
      'Keeps one item of each group with the metadata of the others, which are recycled. One step; returns the job.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 404] },
    body: z.object({
      groups: z
        .array(
          z.object({
            keep: z.int().positive(),
            recycle: z.array(z.int().positive()).min(1, 'Nothing is to be recycled').max(limits.maxBulkItems),
          }),
        )
        .min(1, 'No groups are given')
        .max(limits.maxBulkItems),
    }),
    output: z.object({ taskid: z.int(), step: z.string() }),
  }),
}

/** Each user's own marks on items, which nobody else sees. */
export const favouriteCalls = {
  list: endpoint('GET /v1/favourites', {
    summary: 'Ids of the caller’s favourites, newest picture first. `favourite:yes` filters lists by them.',
    rule: { who: 'signedIn', refused: [400, 401] },
    query: unlocked,
    output: z.object({ items: z.array(z.int()) }),
  }),
  set: endpoint('PUT /v1/favourites', {
    summary:
      'Makes items favourites of the caller, or no longer; fails as a whole if the caller does not see one of them.',
    rule: { who: 'signedIn', refused: [400, 401, 404] },
    body: z.object({
      items: z
        .array(z.int().positive())
        .min(1, 'No items are given')
        .max(limits.maxFavourites, `At most ${limits.maxFavourites} items at once`),
      favourite: z.boolean(),
    }),
    /** How many were changed. */
    output: z.object({ changed: z.int() }),
    dryRun: true,
  }),
}
