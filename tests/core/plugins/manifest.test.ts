import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseManifest } from '../../../core/plugins/manifest.ts'
import {
  changedOptions,
  effectiveOptions,
  setSecrets,
  shownOptions,
  storedOptions,
} from '../../../core/plugins/options.ts'
import { treeOfOptions } from '../../../schema/api/option-tree.ts'

const least = { name: 'A plugin', version: '1' }
const parse = (more: object) => parseManifest(JSON.stringify({ ...least, ...more }))

describe('a manifest', () => {
  test('needs a name and a version and nothing else', () => {
    const { options, methods, ...rest } = parse({})
    expect(rest).toEqual({ name: 'A plugin', version: '1', description: '', elements: [], server: null })
    expect([options.size, methods.size]).toEqual([0, 0])
  })

  test('of the sample is good', () => {
    const path = join(import.meta.dir, '../../../plugins/sample-statistics/plugin.json')
    const { options, methods } = parseManifest(readFileSync(path, 'utf8'))
    expect([...options.keys()]).toEqual(['title', 'years.order', 'years.empty', 'cameras.most', 'cameras.key'])
    expect(methods.get('cameras')).toEqual({ who: 'signedIn', long: true })
  })

  const wrong: [string, unknown, string][] = [
    ['no JSON', '{', 'not JSON'],
    ['no object', [], 'plugin.json:'],
    ['no name', { version: '1' }, 'name'],
    ['a word that nobody knows', { ...least, sever: 'x.js' }, 'sever'],
    ['a file outside', { ...least, server: '../x.js' }, 'server'],
    ['a file in a folder', { ...least, elements: [{ name: 'a', files: ['b/c.js'] }] }, 'elements.0.files.0'],
    ['a hidden file', { ...least, elements: [{ name: 'a', files: ['.env'] }] }, 'elements.0.files.0'],
    [
      'an element twice',
      { ...least, elements: ['a', 'a'].map(name => ({ name, files: ['x.js'] })) },
      "two elements 'a'",
    ],
    ['an option of no type', { ...least, options: { a: { type: 'date' } } }, 'options.a.type'],
    ['a choice without choices', { ...least, options: { a: { type: 'choice' } } }, 'choice needs choices'],
    ['a default of another type', { ...least, options: { g: { a: { type: 'number', default: 'x' } } } }, 'options.g.a'],
    [
      'a default that is no choice',
      { ...least, options: { a: { type: 'choice', choices: ['x'], default: 'y' } } },
      'a',
    ],
    ['a secret with a default', { ...least, options: { a: { type: 'string', secret: true, default: 'x' } } }, 'secret'],
    ['an option whose name has a dot', { ...least, options: { 'a.b': { type: 'string' } } }, 'options'],
    ['a method for nobody known', { ...least, methods: { a: { who: 'friends' } } }, 'methods.a.who'],
  ]
  for (const [name, manifest, words] of wrong) {
    test(`with ${name} is refused, and it is said where`, () => {
      const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
      expect(() => parseManifest(text)).toThrow(words)
    })
  }

  test('names of the language itself are no trap', () => {
    expect(() =>
      parseManifest('{"name":"a","version":"1","options":{"__proto__":{"x":{"type":"string"}}}}'),
    ).not.toThrow(TypeError)
    const { options } = parse({ options: { constructor: { toString: { type: 'string', default: 'x' } } } })
    expect(treeOfOptions(effectiveOptions(options, new Map()))).toEqual({ constructor: { toString: 'x' } } as never)
  })
})

describe('options', () => {
  const { options: types } = parse({
    options: {
      title: { type: 'string', default: 'Heading' },
      report: {
        size: { type: 'number' },
        order: { type: 'choice', choices: ['up', 'down'], default: 'up' },
        on: { type: 'boolean', default: true },
        key: { type: 'string', secret: true },
      },
    },
  })
  const none = new Map()

  test('that were not set are the defaults', () => {
    expect(treeOfOptions(effectiveOptions(types, none))).toEqual({
      title: 'Heading',
      report: { order: 'up', on: true },
    })
  })

  test('that are not named stay', () => {
    const once = changedOptions(types, none, { title: 'New', report: { size: 3 } })
    const twice = changedOptions(types, once, { report: { on: false } })
    expect(treeOfOptions(effectiveOptions(types, twice))).toEqual({
      title: 'New',
      report: { size: 3, order: 'up', on: false },
    })
  })

  test('that are secret are told to the module and to nobody else', () => {
    const values = changedOptions(types, none, { report: { key: 'hush' } })
    expect(JSON.stringify(treeOfOptions(shownOptions(types, values)))).not.toContain('hush')
    expect(setSecrets(types, values)).toEqual(['report.key'])
    expect(treeOfOptions(effectiveOptions(types, values)).report).toMatchObject({ key: 'hush' })
    expect(setSecrets(types, changedOptions(types, values, { report: { key: '' } }))).toEqual([])
  })

  test('that are unknown or of another type are refused by name', () => {
    const wrong: [object, string][] = [
      [{ titel: 'x' }, 'options.titel'],
      [{ title: 3 }, 'options.title'],
      [{ report: { order: 'sideways' } }, 'options.report.order'],
      [{ report: { size: '3' } }, 'options.report.size'],
      [{ report: 'x' }, 'options.report'],
      [{ title: { x: 'y' } }, 'options.title.x'],
      [JSON.parse('{"__proto__":"x"}'), 'options.__proto__'],
    ]
    for (const [change, field] of wrong) {
      expect(() => changedOptions(types, none, change as never)).toThrow(
        expect.objectContaining({ code: 'invalid', field }),
      )
    }
  })

  test('that an older manifest had are left out', () => {
    expect(storedOptions(types, '{"gone":1,"title":7,"report.size":4}')).toEqual(new Map([['report.size', 4]]))
  })
})
