/** Collections: the list in the sidebar, making one, scanning one. */
import { z } from 'zod'
import { endpoint, idNumber, trueOrFalse } from './contract.ts'

export const accessGroup = z.object({
  id: z.int(),
  name: z.string(),
  admin: z.boolean(),
  public: z.boolean(),
  view: z.boolean(),
  create: z.boolean(),
  update: z.boolean(),
})

export const collection = z.object({
  /** 0 is 'All'. */
  id: z.int(),
  name: z.string(),
  /** Only for those who administer it; '' for others. */
  path: z.string(),
  pathVariant: z.string(),
  /** ISO time of the last scan's end, '' when it never ended. */
  lastscan: z.string(),
  folderFormat: z.string(),
  fileFormat: z.string(),
  managed: z.boolean(),
  readonly: z.boolean(),
  writeBack: z.enum(['off', 'sidecar', 'file']),
  keepPrivate: z.boolean(),
  /** As this caller sees it. */
  itemcount: z.int(),
  /** The caller's own rights. */
  rights: z.object({ view: z.boolean(), create: z.boolean(), update: z.boolean(), admin: z.boolean() }),
  access: z.array(accessGroup),
  /** The last scan stopped for safety: why, and how many items it would have marked missing. */
  safetyStop: z.object({ reason: z.string(), items: z.int() }).nullable(),
})
export type Collection = z.output<typeof collection>

/** Shape rule of §5: absolute, non-empty segments. */
export const collectionPath = z
  .string()
  .min(1, 'Path is required')
  .max(4096, 'Path is invalid')
  .regex(/^\/(?:[^/\0]+(?:\/[^/\0]+)*)$/, 'Path is invalid')
  .refine(path => !path.split('/').some(part => part === '.' || part === '..'), 'Path is invalid')

export const newCollection = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Name is required')
    .min(3, 'Name must be more than 2 characters')
    .max(200, 'Name must be at most 200 characters'),
  path: collectionPath,
  pathVariant: z.union([z.literal(''), collectionPath]).optional(),
  readonly: z.boolean().optional(),
})
export type NewCollection = z.output<typeof newCollection>

export const collectionCalls = {
  list: endpoint({
    method: 'GET',
    path: '/v1/collection',
    summary: "The caller's collections with their counts; the first is 'All'.",
    rule: { who: 'all', refused: [] },
    query: z.object({ includeHidden: z.string().max(200).optional() }),
    output: z.array(collection),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/collection',
    summary: 'Make a collection of a directory.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 409] },
    body: newCollection,
    output: collection,
    status: 201,
  }),
  scan: endpoint({
    method: 'PUT',
    path: '/v1/collection/scan/:id',
    summary: 'Start a scan; answers the job. acceptMissing goes past a safety stop.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'admin' }, refused: [400, 401, 403, 404, 409] },
    params: z.object({ id: idNumber }),
    query: z.object({ acceptMissing: trueOrFalse.optional(), full: trueOrFalse.optional() }),
    output: z.object({ taskid: z.int() }),
    status: 200,
  }),
}
