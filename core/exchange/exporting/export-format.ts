/**
 * The format of `keepsake export`: JSON lines with all user metadata, without ids of the library, so that another
 * library can import it and export the same. Not included: faces, users, rights and shares.
 */
import { z } from 'zod'

/** Version of the format: a reader refuses a newer one. */
export const formatVersion = 1

const seconds = z.int().nullable()

/** A keystring that is in use or flagged; others are left out. */
const keystringLine = z.object({
  type: z.literal('keystring'),
  content: z.string(),
  isHidden: z.boolean(),
  isAssociatedItemsHidden: z.boolean(),
})

const personLine = z.object({
  type: z.literal('person'),
  /** The person's number in regions of this export. */
  person: z.int().positive(),
  birthdate: z.string().nullable(),
  /** Local times read as if UTC, in seconds; null: unbounded. */
  names: z.array(z.object({ name: z.string(), active_from: seconds, active_to: seconds })),
})

const objectLine = z.object({
  type: z.literal('object'),
  name: z.string(),
  description: z.string(),
  parent: z.string().nullable(),
  properties: z.array(z.object({ name: z.string(), value: z.string(), hidden: z.boolean() })),
})

const collectionLine = z.object({ type: z.literal('collection'), name: z.string(), path: z.string() })

/** A tag set. `data` is null if a user deleted it. `user`: a user set it, so files do not change it. */
function tagOf<Data extends z.ZodType>(data: Data) {
  return z.object({ data: data.nullable(), user: z.boolean() }).optional()
}

const words = z.array(z.string())

const tags = z.object({
  DateTimeOriginal: tagOf(z.string()),
  Description: tagOf(z.string()),
  Category: tagOf(words),
  Keywords: tagOf(words),
  Author: tagOf(words),
  Locations: tagOf(
    z.object({ latitude: z.number().nullable(), longitude: z.number().nullable(), placeName: z.string() }),
  ),
  Rating: tagOf(z.number()),
  /** The regions themselves are in `regions`; this only says whether users edited them. */
  People: z.object({ user: z.boolean() }).optional(),
  Object: z.object({ user: z.boolean() }).optional(),
})

/** On the upright picture before Rotation, in thousandths of its longer edge; all 0: the position is unknown. */
const box = {
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  source: z.enum(['file', 'user', 'face']),
}
const region = z.discriminatedUnion('type', [
  /** null: an unnamed face. */
  z.object({ type: z.literal('person'), person: z.int().positive().nullable(), ...box }),
  z.object({ type: z.literal('object'), object: z.string(), ...box }),
])

const itemLine = z.object({
  type: z.literal('item'),
  collection: z.string(),
  /** Relative to the collection, as display text (`displayName`). */
  path: z.string(),
  kind: z.enum(['image', 'video']),
  size: z.int(),
  /** Content key of the file; '' if the file could not be read. */
  content: z.string(),
  taken_at: z.string().refine(text => !Number.isNaN(Date.parse(`${text.replace(' ', 'T')}Z`)), 'It is no date.'),
  /** Minutes east of UTC. */
  utc_offset: z.int().nullable(),
  date_source: z.string(),
  rating: z.int().nullable(),
  /** Degrees clockwise. */
  rotation: z.int(),
  /** Times in seconds: when the item was recycled, when its file was found missing, when the library added it. */
  deleted: seconds,
  missing: seconds,
  added: z.int(),
  tags,
  regions: z.array(region),
  /** Names of the users whose favourite it is; absent if there are none. */
  favourites: z.array(z.string()).optional(),
})

export const headLine = z.object({ type: z.literal('keepsake-export'), schema: z.int() })
export const exportLine = z.discriminatedUnion('type', [
  keystringLine,
  personLine,
  objectLine,
  collectionLine,
  itemLine,
])

export type KeystringLine = z.output<typeof keystringLine>
export type PersonLine = z.output<typeof personLine>
export type ObjectLine = z.output<typeof objectLine>
export type CollectionLine = z.output<typeof collectionLine>
export type ItemLine = z.output<typeof itemLine>
export type RegionLine = z.output<typeof region>
