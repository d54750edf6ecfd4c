/** Albums: items chosen by hand or by a search, folders of albums, and their members. */
import { z } from 'zod'
import { albumSorts, limits } from '../limits.ts'
import { byId, endpoint, idNumber, requiredText, shortText } from './contract.ts'
import { item } from './items.ts'

export const albumRoles = ['view', 'add', 'manage'] as const
export type AlbumRole = (typeof albumRoles)[number]

const albumUser = z.object({ username: z.string(), name: z.string() })

export const album = z.object({
  id: z.int(),
  kind: z.enum(['folder', 'hand', 'search']),
  /** The folder it is in; null at the top. */
  parent: z.int().nullable(),
  name: z.string(),
  description: z.string(),
  sort: z.enum(albumSorts),
  /** Null if it has no owner, and for those who see the album only because it is public. */
  owner: albumUser.nullable(),
  /** What the caller may do: view, add items, or manage; each includes the ones before it. */
  role: z.enum(albumRoles),
  /** Whether the caller owns it. */
  own: z.boolean(),
  /** Whether the caller may delete it. */
  deletable: z.boolean(),
  /** Nobody who can sign in owns or manages it, so global admins do. */
  orphan: z.boolean(),
  /** Visitors see it, with those of its items that they see anyway. */
  public: z.boolean(),
  /** Never written to files. */
  private: z.boolean(),
  /** The filter of an album by a search, as parameters of a list; null for other kinds, and where `owner` is hidden. */
  query: z.record(z.string(), z.string()).nullable(),
  /** Everybody else who may view or change it; empty where `owner` is hidden. */
  members: z.array(albumUser.extend({ role: z.enum(albumRoles) })),
  /** Number of items that the caller sees; 0 for folders. */
  items: z.int(),
  /**
   * When the first and last of these were taken (seconds, local time as if UTC); null for folders, for albums by a
   * search, and without items.
   */
  from: z.int().nullable(),
  to: z.int().nullable(),
  /** The chosen cover, or the first item; null for folders and without items. */
  cover: item.nullable(),
  /** Seconds since the epoch. */
  created: z.int(),
})
export type Album = z.output<typeof album>

const name = requiredText('Name', limits.albumNameLength)
const description = shortText('Description', limits.albumDescriptionLength)
const query = z.record(z.string(), z.string().max(20_000))
const sort = z.enum(albumSorts)

const manyItems = z.array(z.int().positive()).max(limits.maxBulkItems, `At most ${limits.maxBulkItems} items at once`)

export const albumCalls = {
  list: endpoint('GET /v1/albums', {
    summary: 'Albums and folders that the caller sees, newest first; visitors see public ones.',
    rule: { who: 'all', refused: [400] },
    query: z.object({
      includeHidden: z.string().max(200).optional(),
      /** Only albums by hand that contain this item. */
      item: idNumber.optional(),
    }),
    output: z.object({ albums: z.array(album) }),
  }),
  get: endpoint('GET /v1/albums/:id', {
    summary: 'One album. Its items are those of a list with the parameter `album`.',
    rule: { who: 'all', on: { thing: 'album', right: 'view' }, refused: [400, 404] },
    params: byId,
    query: z.object({ includeHidden: z.string().max(200).optional() }),
    output: album,
  }),
  create: endpoint('POST /v1/albums', {
    summary: 'Creates an album or folder of the caller.',
    rule: { who: 'signedIn', refused: [400, 401, 404, 409] },
    body: z.object({
      kind: z.enum(['folder', 'hand', 'search']),
      name,
      description: description.optional(),
      parent: z.int().positive().nullable().optional(),
      sort: sort.optional(),
      /** Required for albums by a search, refused for others. */
      query: query.optional(),
      /** First items of an album by hand. */
      items: manyItems.optional(),
    }),
    output: album,
    status: 201,
    dryRun: true,
  }),
  update: endpoint('PUT /v1/albums/:id', {
    summary: 'Changes an album. Only administrators of a collection can make it public.',
    rule: { who: 'signedIn', on: { thing: 'album', right: 'admin' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({
      name: name.optional(),
      description: description.optional(),
      parent: z.int().positive().nullable().optional(),
      sort: sort.optional(),
      query: query.optional(),
      cover: z.int().positive().nullable().optional(),
      public: z.boolean().optional(),
      private: z.boolean().optional(),
    }),
    output: album,
    dryRun: true,
  }),
  remove: endpoint('DELETE /v1/albums/:id', {
    summary:
      'Deletes an album, never its items; an album without an owner who can sign in is deleted by its managers. Albums of a deleted folder stay.',
    rule: { who: 'signedIn', on: { thing: 'album', right: 'owner' }, refused: [401, 403, 404] },
    params: byId,
    output: z.object({ step: z.string() }),
    dryRun: true,
  }),
  setItems: endpoint('PUT /v1/albums/:id/items', {
    summary:
      'Adds items that the caller sees to an album by hand, and removes items. Members who may only add remove only their own additions.',
    rule: { who: 'signedIn', on: { thing: 'album', right: 'create' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({ add: manyItems.optional(), remove: manyItems.optional() }),
    /** `step`: id of the history step, to undo it. `added` and `removed` count only items that were really changed. */
    output: z.object({ added: z.int(), removed: z.int(), step: z.string() }),
    dryRun: true,
  }),
  order: endpoint('PUT /v1/albums/:id/order', {
    summary: 'Moves items within the order by hand of an album: before another item, or to the end.',
    rule: { who: 'signedIn', on: { thing: 'album', right: 'admin' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({
      items: manyItems.min(1, 'No items are given').max(5000, 'At most 5000 items at once'),
      before: z.int().positive().nullable(),
    }),
    output: z.object({ step: z.string() }),
    dryRun: true,
  }),
  setMember: endpoint('PUT /v1/albums/:id/members', {
    summary:
      'Lets a user view an album, add items or manage it; the role null ends that. Members can remove themselves.',
    rule: { who: 'signedIn', on: { thing: 'album', right: 'view' }, refused: [400, 401, 403, 404, 409, 429] },
    params: byId,
    body: z.object({ username: z.string().min(1).max(200), role: z.enum(albumRoles).nullable() }),
    /** Null if the caller does not see the album any more. */
    output: album.nullable(),
    dryRun: true,
  }),
}
