/** Jobs, and the files that they had problems with. */
import { z } from 'zod'
import { byId, collectionNumber, endpoint } from './contract.ts'

export const job = z.object({
  id: z.int(),
  kind: z.string(),
  collection_id: z.int().nullable(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled', 'stopped']),
  done: z.int(),
  total: z.int().nullable(),
  message: z.string(),
  /** Counts, which depend on the job's kind: found, new, changed, moved, missing, failed … */
  counts: z.record(z.string(), z.number()),
  problems: z.int(),
  error: z.string().nullable(),
  /** Milliseconds since the epoch. */
  created: z.int(),
  started: z.int().nullable(),
  finished: z.int().nullable(),
})
export type Job = z.output<typeof job>

const problem = z.object({
  id: z.int(),
  /** The last job that found the problem. */
  job_id: z.int().nullable(),
  collection_id: z.int(),
  item_id: z.int().nullable(),
  path: z.string(),
  code: z.string(),
  reason: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
})
export type Problem = z.output<typeof problem>

export const jobCalls = {
  list: endpoint('GET /v1/job', {
    summary: 'Active jobs of collections that the caller administers, and the caller’s own; state=all adds ended ones.',
    rule: { who: 'signedIn', refused: [401] },
    query: z.object({ state: z.enum(['active', 'all']).optional() }),
    output: z.array(job),
  }),
  get: endpoint('GET /v1/job/:id', {
    summary: 'One job.',
    rule: { who: 'signedIn', on: { thing: 'job', right: 'admin' }, refused: [400, 401, 404] },
    params: byId,
    output: job,
  }),
  cancel: endpoint('PUT /v1/job/:id/cancel', {
    summary: 'Cancels a job; completed work is kept.',
    rule: { who: 'signedIn', on: { thing: 'job', right: 'admin' }, refused: [400, 401, 404] },
    params: byId,
    output: job,
    dryRun: true,
  }),
  problems: endpoint('GET /v1/problem/:collectionId', {
    summary: 'Files that could not be read, shown, moved or written, in collections that the caller administers.',
    rule: { who: 'signedIn', refused: [401] },
    params: z.object({ collectionId: collectionNumber }),
    output: z.array(problem),
  }),
}
