import { expect, test } from 'bun:test'
import type { PluginOptions } from '../../schema/api/plugins.ts'
import {
  optionChanges,
  optionFaults,
  optionGroups,
  optionsDraft,
} from '../../web/admin/management/plugin-options-form.ts'

const options: PluginOptions = {
  types: {
    title: { type: 'string', label: 'Heading' },
    'years.order': { type: 'choice', choices: ['up', 'down'] },
    'years.emptyOnes': { type: 'boolean' },
    'years.range.most_of': { type: 'number' },
    key: { type: 'string', secret: true },
  },
  values: { title: 'Statistics', years: { order: 'up', emptyOnes: true, range: { most_of: 20 } } },
  secrets: ['key'],
}
const draft = optionsDraft(options)

test('options make the tree of their dotted names, with labels or words of their names', () => {
  const root = optionGroups(options.types)
  expect(root.fields.map(({ name, label }) => [name, label])).toEqual([
    ['title', 'Heading'],
    ['key', 'Key'],
  ])
  const [years] = root.groups
  expect(years).toMatchObject({ name: 'years', title: 'Years' })
  expect(years?.fields.map(({ label }) => label)).toEqual(['Order', 'Empty ones'])
  expect(years?.groups[0]).toMatchObject({ name: 'years.range', title: 'Range' })
  expect(years?.groups[0]?.fields[0]).toMatchObject({ name: 'years.range.most_of', label: 'Most of' })
})

test('what is set is in the form, and a secret never does', () => {
  expect(draft).toEqual({
    title: 'Statistics',
    'years.order': 'up',
    'years.emptyOnes': true,
    'years.range.most_of': '20',
    key: '',
  })
  const leaked = { ...options, values: { ...options.values, key: 'hunter2' } }
  expect(optionsDraft(leaked).key).toBe('')
})

test('only what was changed is sent, as the tree', () => {
  expect(optionChanges(options, draft)).toEqual({})
  expect(
    optionChanges(options, { ...draft, title: '', 'years.emptyOnes': false, 'years.range.most_of': ' 2.5 ' }),
  ).toEqual({ title: '', years: { emptyOnes: false, range: { most_of: 2.5 } } })
})

test('a secret stays while nothing is typed, is replaced, or forgotten', () => {
  expect(optionChanges(options, { ...draft, key: 'new' })).toEqual({ key: 'new' })
  expect(optionChanges(options, { ...draft, key: null })).toEqual({ key: '' })
})

test('a number is a number', () => {
  expect(optionFaults(options, { ...draft, 'years.range.most_of': 'many' })).toEqual({
    'years.range.most_of': 'Not a number',
  })
  expect(optionFaults(options, { ...draft, 'years.range.most_of': '' })).toEqual({
    'years.range.most_of': 'Not a number',
  })
  expect(optionFaults(options, draft)).toEqual({})
  // Without a default there may be none.
  const bare: PluginOptions = { types: { n: { type: 'number' } }, values: {}, secrets: [] }
  expect(optionFaults(bare, optionsDraft(bare))).toEqual({})
})
