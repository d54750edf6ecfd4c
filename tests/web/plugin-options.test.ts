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

test('builds a tree from dotted option names, with labels or readable names', () => {
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

test('the form has the set values, but never a secret', () => {
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

test('sends only changed options, as a tree', () => {
  expect(optionChanges(options, draft)).toEqual({})
  expect(
    optionChanges(options, { ...draft, title: '', 'years.emptyOnes': false, 'years.range.most_of': ' 2.5 ' }),
  ).toEqual({ title: '', years: { emptyOnes: false, range: { most_of: 2.5 } } })
})

test('a secret is kept while nothing is typed, replaced, or cleared', () => {
  expect(optionChanges(options, { ...draft, key: 'new' })).toEqual({ key: 'new' })
  expect(optionChanges(options, { ...draft, key: null })).toEqual({ key: '' })
})

test('accepts only numbers for a number option', () => {
  expect(optionFaults(options, { ...draft, 'years.range.most_of': 'many' })).toEqual({
    'years.range.most_of': 'Not a number',
  })
  expect(optionFaults(options, { ...draft, 'years.range.most_of': '' })).toEqual({
    'years.range.most_of': 'Not a number',
  })
  expect(optionFaults(options, draft)).toEqual({})
  // Without a default, the value may be empty.
  const bare: PluginOptions = { types: { n: { type: 'number' } }, values: {}, secrets: [] }
  expect(optionFaults(bare, optionsDraft(bare))).toEqual({})
})
