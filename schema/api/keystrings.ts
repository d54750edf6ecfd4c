/** Keystrings: the vocabulary of keywords, categories and authors; hiding keystrings, and unlocking what they hide. */
import { z } from 'zod'
import { keystringTags, limits } from '../limits.ts'
import { atMost, byId, endpoint, idNumber, unlocked } from './contract.ts'

const keystring = z.object({
  id: z.int(),
  content: z.string(),
  isHidden: z.boolean(),
  isAssociatedItemsHidden: z.boolean(),
  /** Number of items with it that the caller can see. */
  itemcount: z.int(),
})
export type Keystring = z.output<typeof keystring>

export const keystringCalls = {
  list: endpoint('GET /v1/keystrings', {
    summary: 'Keystrings in use on items that the caller sees, by content.',
    rule: { who: 'all', refused: [] },
    query: unlocked,
    output: z.array(keystring),
  }),
  byTag: endpoint('GET /v1/keystrings/bytag/:tag', {
    summary: 'Keystrings in use under one tag set, with the counts that the caller sees.',
    rule: { who: 'all', refused: [400] },
    params: z.object({ tag: z.enum(keystringTags) }),
    query: unlocked,
    output: z.array(keystring),
  }),
  listAll: endpoint('GET /v1/keystrings/list-all', {
    summary: 'Every keystring, in use or not.',
    rule: { who: 'anyUpdate', refused: [401, 403] },
    query: unlocked,
    output: z.array(keystring),
  }),
  update: endpoint('PUT /v1/keystrings/:id', {
    summary: 'Rename a keystring; hide it, or its items too (global admins).',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({
      content: z
        .string()
        .trim()
        .min(1, 'A keystring needs a content')
        .max(...atMost('Keywords', limits.keystringLength))
        .optional(),
      isHidden: z.boolean().optional(),
      isAssociatedItemsHidden: z.boolean().optional(),
    }),
    output: keystring,
    dryRun: true,
  }),
  merge: endpoint('POST /v1/keystrings/:id/merge/:otherId', {
    summary: 'Merges the other keystring into this one on all items.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] },
    params: z.object({ id: idNumber, otherId: idNumber }),
    /** `step`: id of the history step, to undo the merge. */
    output: z.object({ taskid: z.int(), step: z.string() }),
    dryRun: true,
  }),
  unlock: endpoint('POST /v1/keystrings/unlock', {
    summary:
      'Shows hidden items in this session until it has been idle for 15 minutes; returns the value for list calls.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 429] },
    body: z.object({ pin: z.string().max(200) }),
    output: z.object({ includeHidden: z.string(), seconds: z.int() }),
  }),
  lock: endpoint('POST /v1/keystrings/lock', {
    summary: 'Hides hidden items again at once.',
    rule: { who: 'signedIn', refused: [401] },
    status: 204,
  }),
}
