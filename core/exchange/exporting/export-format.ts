/**
 * The format of `keepsake export`: JSON lines with all user metadata, without ids of the library, so that another
 * library can import it and export the same. Not included: faces, users, rights and shares.
 */
import { z } from 'zod'
import { albumRoles } from '../../../schema/api/albums.ts'
import { requiredText, shortText } from '../../../schema/api/contract.ts'
import { filterEntry } from '../../../schema/api/items.ts'
import { albumSorts, albumUid, limits } from '../../../schema/limits.ts'

/**
 * Version of the format: a reader refuses a newer one. Readers of version 1 refuse lines of albums, so only an export
 * without albums has that version.
 */
export const formatVersion = 2
export const versionWithoutAlbums = 1

const seconds = z.int().nullable()

/** A keystring that is in use or flagged; others are left out. */
const keystringLine = z.object({
  type: z.literal('keystring'),
  content: z.string(),
  isHidden: z.boolean(),
  isAssociatedItemsHidden: z.boolean(),
})

/** The picture that a user chose for an album or person: the collection's name, and the path within it. */
const cover = z.object({ collection: z.string(), path: z.string() }).nullable()

const personLine = z.object({
  type: z.literal('person'),
  /** The person's number in regions of this export. */
  person: z.int().positive(),
  birthdate: z.string().nullable(),
  /** Local times read as if UTC, in seconds; null: unbounded. */
  names: z.array(z.object({ name: z.string(), active_from: seconds, active_to: seconds })),
  /** Absent in exports of earlier versions. */
  cover: cover.optional(),
})

const objectLine = z.object({
  type: z.literal('object'),
  name: z.string(),
  description: z.string(),
  parent: z.string().nullable(),
  properties: z.array(z.object({ name: z.string(), value: z.string(), hidden: z.boolean() })),
})

/**
 * An entry of a filter group. Instead of an id, `subject` is the keystring, the person's number in this export, or the
 * name of the object; null if it is gone, absent for free text.
 */
const queryEntry = filterEntry.omit({ id: true }).extend({
  subject: z.union([z.string(), z.int().positive()]).nullable().optional(),
})
export type QueryEntry = z.output<typeof queryEntry>

/** Albums that are not deleted. */
const albumLine = z
  .object({
    type: z.literal('album'),
    /** Identifies the album in every library. */
    uid: z.string().regex(albumUid),
    kind: z.enum(['folder', 'hand', 'search']),
    /** The `uid` of the folder. */
    parent: z.string().nullable(),
    name: requiredText('Name', limits.albumNameLength),
    description: shortText('Description', limits.albumDescriptionLength),
    /** Names of users. */
    owner: z.string().nullable(),
    members: z.array(z.object({ username: z.string(), role: z.enum(albumRoles) })).max(limits.maxAlbumMembers),
    sort: z.enum(albumSorts),
    /** Only of albums by a search: parameters of a list, without those that are ids of the library. */
    query: z
      .object({
        parameters: z.record(z.string(), z.string()),
        /** Null if it is gone. */
        collection: z.string().nullable().optional(),
        filtergroups: z.array(z.array(queryEntry)).optional(),
      })
      .nullable(),
    public: z.boolean(),
    private: z.boolean(),
    created: z.int(),
    cover,
  })
  .refine(({ kind, query }) => (kind === 'search') === (query !== null), 'Only albums by a search have a query.')
  .refine(
    ({ kind, sort }) => kind === 'hand' || sort !== 'hand',
    'Only albums whose items are chosen by hand can be sorted by hand.',
  )

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
  /** Albums by hand that contain it, and its place in the order by hand of each; absent if there are none. */
  albums: z.array(z.object({ uid: z.string(), position: z.number() })).optional(),
})

export const headLine = z.object({ type: z.literal('keepsake-export'), schema: z.int() })
export const exportLine = z.discriminatedUnion('type', [
  keystringLine,
  personLine,
  objectLine,
  albumLine,
  collectionLine,
  itemLine,
])

export type KeystringLine = z.output<typeof keystringLine>
export type PersonLine = z.output<typeof personLine>
export type ObjectLine = z.output<typeof objectLine>
export type AlbumLine = z.output<typeof albumLine>
export type CollectionLine = z.output<typeof collectionLine>
export type ItemLine = z.output<typeof itemLine>
export type RegionLine = z.output<typeof region>
