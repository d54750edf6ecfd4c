import { describe, expect, test } from 'bun:test'
import {
  dueOf,
  isSending,
  isSentWhole,
  percentOf,
  progressOf,
  stopped,
  type UploadEntry,
  withEntry,
} from '../../../web/file-manager/upload-list.ts'

const entry = (id: number, more: Partial<UploadEntry> = {}): UploadEntry => ({
  id,
  name: `${id}.jpg`,
  folder: '',
  isFolder: false,
  size: 200,
  sent: 0,
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
  ] as const)('%p is %d percent', (more, percent) => expect(percentOf(entry(1, more))).toBe(percent))

  test('the button sends what waits; what stands still has buttons of its own', () => {
    const list = [entry(1), entry(2, { state: 'paused' }), entry(3, { state: 'failed' }), entry(4, { state: 'done' })]
    expect(dueOf(list).map(({ id }) => id)).toEqual([1])
    expect(isSending(list)).toBe(false)
    expect(isSending(withEntry(list, 2, { state: 'sending' }))).toBe(true)
  })

  test('an error stops the others, which wait', () => {
    const list = stopped([entry(1, { state: 'sending', sent: 50 }), entry(2, { state: 'done' })])
    expect(list.map(({ state, sent }) => [state, sent])).toEqual([
      ['waiting', 0],
      ['done', 0],
    ])
  })

  test('but what has gone off goes on, and is not held back once all of it has', () => {
    const list = [entry(1, { state: 'sending', sent: 200 }), entry(2, { state: 'sending', sent: 50 })]
    const waits = entry(3, { state: 'sending' })
    expect(stopped([...list, waits], new Set([1, 2]))).toEqual([...list, { ...waits, state: 'waiting' }])
    expect(list.map(isSentWhole)).toEqual([true, false])
    expect([entry(4, { state: 'done', sent: 200 }), entry(5, { state: 'sending', size: 0 })].map(isSentWhole)).toEqual([
      false,
      false,
    ])
  })

  test('the whole goes by bytes', () => {
    expect(progressOf([])).toBe(0)
    expect(progressOf([entry(1, { state: 'done' }), entry(2)])).toBeCloseTo(0.5)
  })
})
