/** Shares: links to single items that expire. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { byId, endpoint, idNumber } from './contract.ts'

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

/** All that a share reveals about its item. */
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
