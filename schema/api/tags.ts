/** Tag sets of an item, and the regions of people and objects on it. */
import { z } from 'zod'
import { limits, tagSetNames } from '../limits.ts'
import { byId, endpoint, idNumber, shortText } from './contract.ts'
import { latestYear } from './parts/latest-year.ts'

export type TagSetName = (typeof tagSetNames)[number]

/** 'YYYY-MM-DD HH:MM:SS', local time; the time may be left out. */
export const dateText = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/, 'The date is YYYY-MM-DD HH:MM:SS')
  .refine(text => {
    const [day = '', time = '00:00:00'] = text.split(/[ T]/)
    const at = new Date(`${day}T${time.length === 5 ? `${time}:00` : time}Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
  }, 'The date does not exist')
  .refine(text => {
    const year = Number(text.slice(0, 4))
    return year >= limits.minItemYear && year <= latestYear()
  }, `The year is from ${limits.minItemYear} to this one`)

function contentsOf(what: string) {
  const content = shortText(what, limits.keystringLength)
  return z
    .array(z.union([content, z.object({ id: z.int().nonnegative().optional(), content: content.optional() })]))
    .max(1000)
}

const place = z
  .object({
    latitude: z.number().min(-90, 'latitude is -90 to 90').max(90, 'latitude is -90 to 90').nullable(),
    longitude: z.number().min(-180, 'longitude is -180 to 180').max(180, 'longitude is -180 to 180').nullable(),
    placeName: shortText('Place name', 500).optional(),
    /** Whether the library suggested the name: true keeps it a suggestion, false makes it the user's own. */
    guessed: z.boolean().optional(),
  })
  .refine(({ latitude, longitude }) => (latitude === null) === (longitude === null), {
    message: 'latitude and longitude are given together',
    path: ['longitude'],
  })

const length = z.number().min(0).max(1000)
const box = {
  x: length,
  y: length,
  width: length,
  height: length,
  /** Rotation of the picture when the region was drawn. If it differs now, the call saves nothing and returns 409. */
  rotation: z.literal([0, 90, 180, 270]).optional(),
}

/** In thousandths of the longer edge of the picture as shown. All 0: somewhere on the picture. */
const personRegionInput = z.object({
  /** Above 0: id of the region to change. */
  id: z.int().nonnegative().optional(),
  type: z.literal('person').optional(),
  /** 0: an unnamed face. */
  person: z.int().nonnegative(),
  face: z.int().positive().nullable().optional(),
  ...box,
})
const objectRegionInput = z.object({
  id: z.int().nonnegative().optional(),
  type: z.literal('object').optional(),
  object: z.int().positive(),
  ...box,
})
export type PersonRegionInput = z.output<typeof personRegionInput>
export type ObjectRegionInput = z.output<typeof objectRegionInput>

/** The `data` of each tag set. An empty value deletes the tag. */
export const tagData = {
  DateTimeOriginal: z.union([z.literal(''), dateText]),
  Description: shortText('Description', 20_000),
  Category: contentsOf('Category'),
  Keywords: contentsOf('Keywords'),
  Author: contentsOf('Author'),
  Locations: z.union([place, z.array(place).max(1)]),
  People: z.array(personRegionInput).max(500),
  Object: z.array(objectRegionInput).max(500),
  Rating: z.int().min(-1, 'A rating is -1 to 5').max(5, 'A rating is -1 to 5'),
} as const satisfies Record<TagSetName, z.ZodType>

/** `data` of a bulk edit if it differs from `tagData`: people on many pictures have no boxes. */
export const bulkData = {
  People: z.array(z.object({ person: z.int().positive() })).max(500),
  Object: z.array(z.object({ object: z.int().positive() })).max(500),
  /** For lists of keystrings: `to` replaces `from` on items that have it. */
  replace: z.object({ from: contentsOf('Keywords').min(1, 'Nothing is to be replaced'), to: contentsOf('Keywords') }),
  /** For dates: how many seconds later. `schema/shifted-date.ts` says which dates stay. */
  shift: z
    .int()
    .min(-limits.maxShiftSeconds, 'A date is shifted by at most 200 years')
    .max(limits.maxShiftSeconds, 'A date is shifted by at most 200 years'),
} as const

const bulkChange = z.object({
  tagName: z.enum(tagSetNames),
  /** 'add' and 'remove' are for lists, 'replace' ({from, to}) for lists of keystrings, 'shift' (seconds) for dates. */
  mode: z.enum(['set', 'add', 'remove', 'replace', 'shift']),
  data: z.unknown().optional(),
})

const tagParams = z.object({ id: idNumber, tagName: z.enum(tagSetNames) })
/** With the value that `unlock` returned, `data` includes hidden keystrings; without it, they are not changed. */
const unlockQuery = z.object({ includeHidden: z.string().max(200).optional() })
/** Checked against the tag set's schema by core/editing/tag-data.ts, which names the field `data`. */
const anyData = z.object({ data: z.unknown().optional() })

/** `id` is 0 if the tag no longer exists. */
const writtenTag = z.object({ id: z.int(), version: z.int() })
const writtenRegion = z.object({ id: z.int(), tag: writtenTag })

const rule = { who: 'signedIn', on: { thing: 'item', right: 'update' }, refused: [400, 401, 403, 404, 409] } as const
const writeNote = 'An empty value deletes it, an unchanged one is skipped; If-Match with an older version returns 409.'

const writeCall = {
  summary: `Write a tag set of an item. ${writeNote}`,
  rule,
  params: tagParams,
  query: unlockQuery,
  body: anyData,
  output: writtenTag,
}
const regionCall = { rule, params: byId, output: writtenRegion } as const
const removeRegionCall = { rule, params: z.object({ id: idNumber, regionId: idNumber }), status: 204 } as const

export const tagCalls = {
  bulk: endpoint('PUT /v1/item/tags', {
    summary: 'Changes tag sets of many items as one step; fails as a whole if the caller may not change one of them.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 404] },
    query: unlockQuery,
    body: z.object({
      items: z
        .array(z.int().positive())
        .min(1, 'No items are given')
        .max(limits.maxBulkItems, `At most ${limits.maxBulkItems} items at once`),
      changes: z.array(bulkChange).min(1, 'No changes are given').max(limits.maxBulkChanges),
    }),
    /** `step`: id of the history step, to undo the changes. */
    output: z.object({ taskid: z.int(), step: z.string() }),
    dryRun: true,
  }),
  create: endpoint('POST /v1/item/:id/tag/:tagName', writeCall),
  update: endpoint('PUT /v1/item/:id/tag/:tagName', writeCall),
  remove: endpoint('DELETE /v1/item/:id/tag/:tagId', {
    summary: 'Delete a tag of an item.',
    rule: { ...rule, refused: [400, 401, 403, 404, 409] },
    params: z.object({ id: idNumber, tagId: idNumber }),
    query: unlockQuery,
    status: 204,
  }),
  createPerson: endpoint('POST /v1/item/:id/tag/People/object', {
    summary: 'Adds a person to an item, with a region.',
    ...regionCall,
    body: z.object({ data: personRegionInput }),
    status: 201,
  }),
  updatePerson: endpoint('PUT /v1/item/:id/tag/People/object', {
    summary: 'Changes the person or position of a region.',
    ...regionCall,
    body: z.object({ data: personRegionInput }),
  }),
  removePerson: endpoint('DELETE /v1/item/:id/tag/People/object/:regionId', {
    summary: 'Remove a person’s box.',
    ...removeRegionCall,
  }),
  createObject: endpoint('POST /v1/item/:id/tag/Object/object', {
    summary: 'Adds an object to an item, with a region.',
    ...regionCall,
    body: z.object({ data: objectRegionInput }),
    status: 201,
  }),
  updateObject: endpoint('PUT /v1/item/:id/tag/Object/object', {
    summary: 'Changes the object or position of a region.',
    ...regionCall,
    body: z.object({ data: objectRegionInput }),
  }),
  removeObject: endpoint('DELETE /v1/item/:id/tag/Object/object/:regionId', {
    summary: 'Remove an object’s box.',
    ...removeRegionCall,
  }),
}
