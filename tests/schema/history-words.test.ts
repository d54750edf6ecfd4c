import { expect, test } from 'bun:test'
import type { HistoryStep } from '../../schema/api/history.ts'
import { actorText, stepText } from '../../schema/history-words.ts'
import { stepName } from '../../web/texts/jobs.ts'

test('describes steps in words', () => {
  const cases: [string, number, string][] = [
    ['item.bulk', 612, 'Changed tags of 612 items'],
    ['item.tag', 1, 'Changed tags of 1 item'],
    ['item.duplicates', 3, 'Merged duplicates, 3 items'],
    ['item.recycle', 1, 'Deleted 1 item'],
    ['file.move', 2, 'Moved 2 items'],
    ['undo', 1, 'Undid a change of 1 item'],
    ['undo', 0, 'Undid a change of something'],
    ['keystring.merge', 7, 'Merged keywords, 7 items'],
    ['keystring.merge', 0, 'Merged keywords'],
    ['collection.create', 0, 'Created a collection'],
    ['something.new', 0, 'Changed something'],
    ['something.new', 4, 'Changed 4 items'],
  ]
  for (const [operation, items, text] of cases) {
    expect(stepText({ operation, items })).toBe(text)
    expect(stepName({ operation, items, is_undo: false } as HistoryStep)).toBe(text)
  }
})

test('shows the terminal without a user name', () => {
  expect(actorText({ username: 'ines' })).toBe('ines')
  expect(actorText({ username: null })).toBe('This machine')
})
