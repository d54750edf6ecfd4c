/** Shares: links to single items that expire; and links to selections, albums and people. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { byId, endpoint, idNumber, pageNumber, shortText } from './contract.ts'
import { item } from './items.ts'

export const share = z.object({
  /** The name in the address: /share/{name}. */
  name: z.string(),
  item: z.int(),
  username: z.string(),
  /** Seconds since the epoch. */
  created: z.int(),
  expires: z.int(),
})
export type Share = z.output<typeof share>

/** All that a share reveals about its item, and by whom and until when it is shared. */
const sharedItem = z.object({
  name: z.string(),
  type: z.enum(['image', 'video']),
  width: z.int(),
  height: z.int(),
  taken_at: z.string(),
  duration: z.number().nullable(),
  /** Whether the item has a motion part. */
  live: z.boolean(),
  reloads: z.string(),
  /** Seconds since the epoch. */
  expires: z.int(),
  /** Display name of the sharer. */
  from: z.string(),
})
export type SharedItem = z.output<typeof sharedItem>

const hours = z.union([z.literal(24), z.literal(48), z.literal(168)], {
  error: `expires is ${limits.shareHours.join(', ')} hours`,
})

export const shareCalls = {
  create: endpoint('POST /v1/item/:id/share', {
    summary: 'Creates a link to this item for 24, 48 or 168 hours.',
    rule: { who: 'signedIn', on: { thing: 'item', right: 'view' }, refused: [400, 401, 404] },
    params: byId,
    body: z.object({ expires: hours }),
    output: share,
    status: 201,
  }),
  get: endpoint('GET /v1/share/:name', {
    summary: 'The item of a share.',
    rule: { who: 'all', refused: [404] },
    // A name that does not exist gets the same response as an expired share.
    params: z.object({ name: z.string() }),
    output: sharedItem,
  }),
  list: endpoint('GET /v1/users/shares', {
    summary: 'The caller’s valid shares; everybody’s for global admins.',
    rule: { who: 'signedIn', refused: [401] },
    output: z.array(share),
  }),
  remove: endpoint('DELETE /v1/item/:id/share/:name', {
    summary: 'End a share at once.',
    rule: { who: 'signedIn', refused: [401, 404] },
    params: z.object({ id: idNumber, name: z.string() }),
    status: 204,
  }),
}

/** The value that `open` returned for the password. */
export const linkKey = { key: z.string().max(100).optional() }

const linkKinds = ['items', 'album', 'person'] as const

export const link = z.object({
  id: z.int(),
  /** The name in the address: /link/{name}. '' for administrators of its items, who may only end it. */
  name: z.string(),
  kind: z.enum(linkKinds),
  /** Id of the album or person. */
  subject: z.int().nullable(),
  title: z.string(),
  username: z.string(),
  /** Seconds since the epoch; `expires` null: never. */
  created: z.int(),
  expires: z.int().nullable(),
  /** Whether it can be opened now. */
  active: z.boolean(),
  password: z.boolean(),
  originals: z.boolean(),
  details: z.boolean(),
  views: z.int(),
  viewed: z.int().nullable(),
  /** Number of items that it shows now, and the first of them, if the caller sees it. */
  items: z.int(),
  cover: item.nullable(),
})
export type Link = z.output<typeof link>

const title = shortText('Title', limits.linkTitleLength)
const password = z.string().min(1, 'A password is not empty').max(limits.linkPasswordLength)
/** Seconds since the epoch. */
const expires = z.int().positive().nullable()

/** What a link shows of itself, once its password is given. */
const openLink = z.object({
  kind: z.enum(linkKinds),
  title: z.string(),
  /** Display name of the sharer. */
  from: z.string(),
  expires: z.int().nullable(),
  /** Whether downloads are the files themselves; see `links.create`. */
  originals: z.boolean(),
  details: z.boolean(),
  items: z.int(),
})
export type OpenLink = z.output<typeof openLink>

/** An item of a link. Place and people are null unless the link shows them. */
const linkedItem = z.object({
  id: z.int(),
  type: z.enum(['image', 'video']),
  width: z.int(),
  height: z.int(),
  /** Seconds, local time as if UTC. */
  taken: z.int(),
  duration: z.number().nullable(),
  live: z.boolean(),
  /** As of an item: of the upright picture, before Rotation, which is in degrees. */
  thumbhash: z.string().nullable(),
  rotation: z.int(),
  reloads: z.string(),
  place: z.string().nullable(),
  people: z.array(z.string()).nullable(),
})
export type LinkedItem = z.output<typeof linkedItem>

const byName = z.object({ name: z.string() })

export const linkCalls = {
  list: endpoint('GET /v1/links', {
    summary: 'The caller’s links, newest first; for administrators also those to items of their collections.',
    rule: { who: 'signedIn', refused: [401] },
    output: z.object({ links: z.array(link) }),
  }),
  create: endpoint('POST /v1/links', {
    summary: 'Creates a link to items, an album or a person. It shows what its creator sees without unlocking.',
    rule: { who: 'signedIn', refused: [400, 401, 404, 409] },
    body: z
      .object({
        /** Either items, an album or a person. */
        items: z
          .array(z.int().positive())
          .min(1, 'No items are given')
          .max(limits.maxLinkItems, `At most ${limits.maxLinkItems} items`)
          .optional(),
        album: z.int().positive().optional(),
        person: z.int().positive().optional(),
        title: title.optional(),
        expires,
        password: password.nullable().optional(),
        /** Visitors download the files themselves instead of renditions of a limited size; without metadata unless `details`. */
        originals: z.boolean().optional(),
        /** Visitors see places and names of people, and originals keep their metadata. */
        details: z.boolean().optional(),
      })
      .meta({
        example: { items: [4711, 4712], title: 'Summer', expires: 1_795_824_000, originals: false, details: false },
      }),
    output: link,
    status: 201,
    dryRun: true,
  }),
  update: endpoint('PUT /v1/links/:id', {
    summary: 'Changes a link of the caller, or opens an ended one again.',
    rule: { who: 'signedIn', on: { thing: 'link', right: 'owner' }, refused: [400, 401, 404, 409] },
    params: byId,
    body: z.object({
      title: title.optional(),
      expires: expires.optional(),
      password: password.nullable().optional(),
      originals: z.boolean().optional(),
      details: z.boolean().optional(),
    }),
    output: link,
  }),
  end: endpoint('DELETE /v1/links/:id', {
    summary: 'Ends a link at once; for administrators also links to items of their collections, which are deleted.',
    rule: { who: 'signedIn', on: { thing: 'link', right: 'owner' }, refused: [401, 404] },
    params: byId,
    status: 204,
    dryRun: true,
  }),
  open: endpoint('GET /v1/link/:name', {
    summary: 'What a link shows; null while its password is missing. 404 if it is not active.',
    rule: { who: 'all', refused: [404] },
    params: byName,
    query: z.object(linkKey),
    output: z.object({ link: openLink.nullable() }),
    effect: 'any',
  }),
  unlock: endpoint('POST /v1/link/:name/unlock', {
    summary: 'Returns the key of a link for its password.',
    rule: { who: 'all', refused: [400, 403, 404, 429] },
    params: byName,
    body: z.object({ password: z.string().max(limits.linkPasswordLength) }),
    output: z.object({ key: z.string() }),
    sameOrigin: true,
  }),
  items: endpoint('GET /v1/link/:name/items', {
    summary: 'The items of a link, 500 at a time, and the link as it is now. Does not count as a view.',
    rule: { who: 'all', refused: [400, 404] },
    params: byName,
    query: z.object({ ...linkKey, page: pageNumber.optional() }),
    output: z.object({ link: openLink, items: z.array(linkedItem), total: z.int() }),
  }),
}
