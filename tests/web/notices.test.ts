import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { addNotice, clearNotices, notices } from '../../web/app/jobs/notices.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
  clearNotices()
})

test('a status disappears after 15 seconds, notices and errors stay', () => {
  addNotice('status', 'Scanned')
  addNotice('notice', 'Stopped')
  addNotice('error', 'Broken')
  jest.advanceTimersByTime(14_999)
  expect(notices.value).toHaveLength(3)
  jest.advanceTimersByTime(1)
  expect(notices.value.map(({ text }) => text)).toEqual(['Broken', 'Stopped'])
})
