import { describe, expect, test } from 'bun:test'
import type { Job } from '../../schema/api/jobs.ts'
import { countsText, jobEndMessage } from '../../web/app/jobs/job-results.ts'
import { activityName, jobName } from '../../web/texts/names.ts'

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

test('names activities and jobs, and unknown kinds as work', () => {
  expect([activityName('sort'), jobName('scan', 'Family'), jobName('x', 'Family')]).toEqual([
    'Sorting',
    'Scan of Family',
    'Work on Family',
  ])
})

describe('the end of a job', () => {
  test('is reported to users who wait for it', () => {
    expect(jobEndMessage({ ...job, state: 'done' }, 'Family')).toEqual({
      level: 'status',
      text: 'Family is scanned',
      detail: 'Nothing changed',
    })
    expect(jobEndMessage({ ...job, kind: 'sort', state: 'done', counts: { moved: 3 }, problems: 1 }, 'Family')).toEqual(
      {
        level: 'notice',
        text: 'Family is sorted',
        detail: '3 moved, 1 problem',
      },
    )
    expect(jobEndMessage({ ...job, state: 'stopped', message: 'A disk is away.' }, 'Family')).toEqual({
      level: 'notice',
      text: 'Scan of Family stopped',
      detail: 'A disk is away.',
    })
    expect(jobEndMessage({ ...job, kind: 'metadata-export', state: 'failed', error: 'Full.' }, 'Family')).toEqual({
      level: 'error',
      text: 'Metadata export of Family failed',
      detail: 'Full.',
    })
  })
  test('is not reported when it was cancelled or nobody waits for it', () => {
    expect(jobEndMessage({ ...job, state: 'cancelled' }, 'Family')).toBeNull()
    expect(jobEndMessage({ ...job, kind: 'renditions', state: 'done' }, 'Family')).toBeNull()
    expect(jobEndMessage({ ...job, kind: 'unheard-of', state: 'done' }, 'Family')).toBeNull()
  })
})
