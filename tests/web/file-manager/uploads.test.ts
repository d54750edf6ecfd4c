import { describe, expect, test } from 'bun:test'
import {
  isSending,
  isSentCompletely,
  type UploadEntry,
  uploadEntryPercent,
  uploadsToSend,
  withEntry,
  withWaiting,
} from '../../../web/file-manager/upload/upload-list.ts'

const entry = (id: number, more: Partial<UploadEntry> = {}): UploadEntry => ({
  id,
  name: `${id}.jpg`,
  folder: '',
  isFolder: false,
  size: 200,
  sent: 0,
  started: false,
  state: 'waiting',
  reason: '',
  ...more,
})

describe('the list of uploads', () => {
  test.each([
    [{ sent: 0 }, 0],
    [{ sent: 99 }, 49],
    [{ sent: 200 }, 99],
    [{ sent: 200, state: 'done' }, 100],
    [{ size: 0, sent: 0 }, 0],
    [{ size: 0, state: 'done' }, 100],
  ] as const)('%p is %d percent', (more, percent) => expect(uploadEntryPercent(entry(1, more))).toBe(percent))

  test('the button sends waiting files, or else failed and paused ones', () => {
    const list = [entry(1), entry(2, { state: 'paused' }), entry(3, { state: 'failed' }), entry(4, { state: 'done' })]
    expect(uploadsToSend(list).map(({ id }) => id)).toEqual([1])
    expect(uploadsToSend(list.slice(1)).map(({ id }) => id)).toEqual([2, 3])
    expect(uploadsToSend(list.slice(3))).toEqual([])
    expect(isSending(list)).toBe(false)
    expect(isSending(withEntry(list, 2, { state: 'sending' }))).toBe(true)
  })

  test('after an error, files whose requests have not begun wait again', () => {
    const list = withWaiting([entry(1, { state: 'sending', sent: 50 }), entry(2, { state: 'done' })])
    expect(list.map(({ state, sent }) => [state, sent])).toEqual([
      ['waiting', 0],
      ['done', 0],
    ])
  })

  test('started uploads continue after an error, and completely sent files are recognised', () => {
    const list = [
      entry(1, { state: 'sending', started: true, sent: 200 }),
      entry(2, { state: 'sending', started: true, sent: 50 }),
    ]
    const waits = entry(3, { state: 'sending' })
    expect(withWaiting([...list, waits], new Set([1, 2]))).toEqual([...list, { ...waits, state: 'waiting' }])
    expect(list.map(isSentCompletely)).toEqual([true, false])
    const empty = { state: 'sending', size: 0 } as const
    const others = [entry(4, { state: 'done', sent: 200 }), entry(5, empty), entry(6, { ...empty, started: true })]
    expect(others.map(isSentCompletely)).toEqual([false, false, true])
  })
})
