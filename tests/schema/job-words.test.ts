import { expect, test } from 'bun:test'
import type { Job } from '../../schema/api/jobs.ts'
import { activityText, jobsOf, jobTitle, shareOfJob, unitOf } from '../../schema/job-words.ts'
import { readSourceTree } from '../support/source-tree.ts'

const job: Job = {
  id: 1,
  kind: 'scan',
  collection_id: 3,
  state: 'running',
  done: 5,
  total: 10,
  message: '',
  counts: {},
  problems: 0,
  error: null,
  created: 0,
  started: 0,
  finished: null,
}

test('every kind has a name, even an unknown one', () => {
  const named = (kind: string) => [activityText(kind), unitOf(kind), jobTitle(kind, 'Family')]
  expect(named('sort')).toEqual(['Sorting', 'item', 'Sort of Family'])
  expect(named('x')).toEqual(['Working', 'item', 'Work on Family'])
})

test('a collection shows its running or else its waiting job, and background work beside it', () => {
  const waiting: Job = { ...job, id: 2, state: 'queued', kind: 'sort' }
  const quiet: Job = { ...job, id: 3, kind: 'renditions' }
  const other: Job = { ...job, id: 4, collection_id: 9 }
  expect(jobsOf([waiting, quiet, job, other], 3)).toEqual({ work: job, background: quiet })
  expect(jobsOf([waiting, quiet], 3)).toEqual({ work: waiting, background: quiet })
  expect(jobsOf([other], 3)).toEqual({ work: undefined, background: undefined })
})

test('calculates the share that is done', () => {
  expect([shareOfJob(job), shareOfJob({ done: 1, total: null }), shareOfJob({ done: 0, total: 0 })]).toEqual([
    0.5,
    null,
    null,
  ])
})

test('every job kind of core has a text', () => {
  const declared = /jobOnItems\('([a-z-]+)'|jobKind\(\{\s*kind: '([a-z-]+)'/g
  const kinds = readSourceTree()
    .filter(({ path }) => path.startsWith('core/'))
    .flatMap(({ code }) => [...code.matchAll(declared)].map(([, many, one]) => many ?? one ?? ''))
  expect(kinds.length).toBeGreaterThan(15)
  expect(kinds.filter(kind => activityText(kind) === 'Working')).toEqual([])
})
