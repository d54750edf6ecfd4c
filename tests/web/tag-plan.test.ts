import { describe, expect, test } from 'bun:test'
import {
  type BulkForm,
  bulkChanges,
  bulkLines,
  emptyBulkForm,
  type PickedTag,
  type Replacement,
  replaceChanges,
  replaceCounts,
  replaceFault,
  replaceText,
  taggedText,
  withPicked,
} from '../../web/admin/tagging/tag-plan.ts'
import { notUndoneText } from '../../web/items/undo-text.ts'

const words = (...names: string[]): PickedTag[] => names.map((name, n) => ({ id: n + 1, name }))

describe('a bulk tag', () => {
  const form = (change: Partial<BulkForm>): BulkForm => ({ ...emptyBulkForm, ...change })
  test('changes only the chosen fields', () => {
    expect(bulkChanges(emptyBulkForm)).toEqual([])
    expect(
      bulkChanges(
        form({
          Category: { mode: 'Set to', picked: words('Holiday') },
          Keywords: { mode: 'Add', picked: words('sea', 'sun') },
          People: { mode: 'Remove', picked: [{ id: 7, name: 'Mia' }] },
        }),
      ),
    ).toEqual([
      { tagName: 'Category', mode: 'set', data: ['Holiday'] },
      { tagName: 'Keywords', mode: 'add', data: ['sea', 'sun'] },
      { tagName: 'People', mode: 'remove', data: [{ person: 7 }] },
    ])
  })
  test('clears a field whatever was picked', () => {
    const cleared = form({ Keywords: { mode: 'Clear', picked: words('sea') } })
    expect(bulkChanges(cleared)).toEqual([{ tagName: 'Keywords', mode: 'set', data: [] }])
    expect(bulkLines(cleared)).toEqual(['Keywords: remove all'])
  })
  test('describes what it will do', () => {
    expect(bulkLines(form({ Category: { mode: 'Set to', picked: words('A', 'B') } }))).toEqual([
      'Category: set to A, B',
    ])
  })
})

test('does not pick an entry twice, whatever its case', () => {
  const list = withPicked([], { id: 0, name: 'Sea' })
  expect(withPicked(list, { id: 4, name: 'sea' })).toBe(list)
  expect(withPicked(list, { id: 0, name: ' ' })).toBe(list)
  expect(withPicked(list, { id: 0, name: 'sun' })).toHaveLength(2)
  // A person with two names is one entry.
  const people = [{ id: 3, name: 'Mia' }]
  expect(withPicked(people, { id: 3, name: 'Mia Ferrer' })).toBe(people)
})

describe('a replacement', () => {
  const whole: Replacement = { from: words('vacation'), to: words('holiday'), category: true, keywords: true }
  const cases: [string, Partial<Replacement>, number, string][] = [
    ['can start when everything is chosen', {}, 5, ''],
    ['needs items', {}, 0, 'Select items in the table.'],
    ['needs a switch', { category: false, keywords: false }, 5, 'Choose Category, Keywords or both.'],
    ['needs the old tag', { from: [] }, 5, 'Choose the tag that is to be replaced.'],
    ['needs the new tag', { to: [] }, 5, 'Choose the tag that replaces it.'],
    ['needs two different tags', { to: words('VACATION') }, 5, 'The two tags are the same.'],
    ['may keep the old tag beside a new one', { to: words('vacation', 'lake') }, 5, ''],
  ]
  for (const [name, change, selected, fault] of cases) {
    test(name, () => expect(replaceFault({ ...whole, ...change }, selected)).toBe(fault))
  }

  test('changes only the tags that are switched on', () => {
    const data = { from: ['vacation'], to: ['holiday'] }
    expect(replaceChanges(whole)).toEqual([
      { tagName: 'Category', mode: 'replace', data },
      { tagName: 'Keywords', mode: 'replace', data },
    ])
    expect(replaceChanges({ ...whole, category: false })).toEqual([{ tagName: 'Keywords', mode: 'replace', data }])
  })

  const tag = (...contents: string[]) => ({
    id: 1,
    version: 1,
    data: contents.map((content, id) => ({ id, content })),
  })
  const items = [
    { tags: { Category: tag('Vacation'), Keywords: tag('lake', 'vacation') } },
    { tags: { Keywords: tag('VACATION') } },
    { tags: {} },
  ]
  test('counts the tags that will change', () => {
    expect(replaceCounts(items, whole)).toEqual({ categories: 1, keywords: 2 })
    expect(replaceCounts(items, { ...whole, keywords: false })).toEqual({ categories: 1, keywords: 0 })
    expect(replaceCounts(items, { ...whole, from: [] })).toEqual({ categories: 0, keywords: 0 })
  })
  const texts: [number, number, string][] = [
    [3, 5, '3 categories and 5 keywords change.'],
    [1, 0, '1 category changes.'],
    [0, 2, '2 keywords change.'],
    [0, 0, 'Nothing changes.'],
  ]
  for (const [categories, keywords, text] of texts) {
    test(text, () => expect(replaceText({ categories, keywords })).toBe(text))
  }
})

test('reports what a run changed and what it left unchanged', () => {
  expect(taggedText({ changed: 1 })).toEqual({ text: '1 item tagged', detail: '' })
  expect(taggedText({ changed: 2, unchanged: 1, gone: 1, refused: 3 })).toEqual({
    text: '2 items tagged',
    detail: '1 had nothing to change, 3 you may not change, 1 is not there any more',
  })
  expect(taggedText({ unchanged: 4 }).text).toBe('Nothing changed')
})

test('reports what an undo could not restore', () => {
  expect(notUndoneText({ undone: 5, changed: 0 })).toBe('')
  expect(notUndoneText({ undone: 5, changed: 1, gone: 2, refused: 1 })).toBe(
    '1 was changed since and stays, 2 are not there any more, 1 you may not change',
  )
})
