import { describe, expect, test } from 'bun:test'
import type { Job } from '../../schema/api/jobs.ts'
import { countsText, doingText, endText, jobName, jobsOf, shareOfJob, unitOf } from '../../schema/job-words.ts'
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

test('describes counts in words', () => {
  expect(countsText({ counts: {}, problems: 0 })).toBe('')
  expect(countsText({ counts: { new: 37, changed: 4, moved: 0, found: 9 }, problems: 1 })).toBe(
    '37 new, 4 changed, 1 problem',
  )
  expect(countsText({ counts: { moved: 2, skipped: 3 }, problems: 0 })).toBe('2 moved, 3 left as they are')
})

test('every kind has a name, even an unknown one', () => {
  expect([doingText('sort'), unitOf('scan'), jobName('scan', 'Family')]).toEqual([
    'Sorting',
    'file',
    'the scan of Family',
  ])
  expect([doingText('x'), unitOf('x'), jobName('x', 'Family')]).toEqual(['Working', 'item', 'the work on Family'])
})

describe('the end of a job', () => {
  test('is reported to users who wait for it', () => {
    expect(endText({ ...job, state: 'done' }, 'Family')).toEqual({
      level: 'status',
      text: 'Family is scanned',
      detail: 'Nothing changed',
    })
    expect(endText({ ...job, kind: 'sort', state: 'done', counts: { moved: 3 }, problems: 1 }, 'Family')).toEqual({
      level: 'notice',
      text: 'Family is sorted',
      detail: '3 moved, 1 problem',
    })
    expect(endText({ ...job, state: 'stopped', message: 'A disk is away.' }, 'Family')).toEqual({
      level: 'notice',
      text: 'The scan of Family stopped',
      detail: 'A disk is away.',
    })
    expect(endText({ ...job, kind: 'metadata-export', state: 'failed', error: 'Full.' }, 'Family')).toEqual({
      level: 'error',
      text: 'The metadata export of Family failed',
      detail: 'Full.',
    })
  })
  test('is not reported when it was cancelled or nobody waits for it', () => {
    expect(endText({ ...job, state: 'cancelled' }, 'Family')).toBeNull()
    expect(endText({ ...job, kind: 'renditions', state: 'done' }, 'Family')).toBeNull()
    expect(endText({ ...job, kind: 'unheard-of', state: 'done' }, 'Family')).toBeNull()
  })
})

test('a row shows the running job, and quiet work beside it', () => {
  const waiting: Job = { ...job, id: 2, state: 'queued', kind: 'sort' }
  const quiet: Job = { ...job, id: 3, kind: 'renditions' }
  const other: Job = { ...job, id: 4, collection_id: 9 }
  expect(jobsOf([waiting, quiet, job, other], 3)).toEqual({ work: job, beside: quiet })
  expect(jobsOf([waiting, quiet], 3)).toEqual({ work: waiting, beside: quiet })
  expect(jobsOf([other], 3)).toEqual({ work: undefined, beside: undefined })
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
  expect(kinds.filter(kind => doingText(kind) === 'Working')).toEqual([])
})
