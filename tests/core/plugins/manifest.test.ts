import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseManifest } from '../../../core/plugins/manifest.ts'
import {
  changedOptions,
  effectiveOptions,
  shownOptions,
  storedOptions,
  storedSecrets,
} from '../../../core/plugins/options.ts'
import { treeOfOptions } from '../../../schema/api/parts/option-tree.ts'

const least = { name: 'A plugin', version: '1' }
const parse = (more: object) => parseManifest(JSON.stringify({ ...least, ...more }))

describe('a manifest', () => {
  test('requires only a name and a version', () => {
    const { options, methods, ...rest } = parse({})
    expect(rest).toEqual({ name: 'A plugin', version: '1', description: '', elements: [], server: null })
    expect([options.size, methods.size]).toEqual([0, 0])
  })

  test('of the sample plugin is valid', () => {
    const path = join(import.meta.dir, '../../../plugins/sample-statistics/plugin.json')
    const { options, methods } = parseManifest(readFileSync(path, 'utf8'))
    expect([...options.keys()]).toEqual(['title', 'years.order', 'years.empty', 'cameras.most', 'cameras.key'])
    expect(methods.get('cameras')).toEqual({ who: 'signedIn', long: true })
  })

  const wrong: [string, unknown, string][] = [
    ['invalid JSON', '{', 'not JSON'],
    ['an array', [], 'plugin.json:'],
    ['no name', { version: '1' }, 'name'],
    ['an unknown field', { ...least, sever: 'x.js' }, 'sever'],
    ['a file outside its folder', { ...least, server: '../x.js' }, 'server'],
    ['a file in a subfolder', { ...least, elements: [{ name: 'a', files: ['b/c.js'] }] }, 'elements.0.files.0'],
    ['a hidden file', { ...least, elements: [{ name: 'a', files: ['.env'] }] }, 'elements.0.files.0'],
    [
      'a duplicate element',
      { ...least, elements: ['a', 'a'].map(name => ({ name, files: ['x.js'] })) },
      "two elements 'a'",
    ],
    ['an option of an unknown type', { ...least, options: { a: { type: 'date' } } }, 'options.a.type'],
    ['a choice without choices', { ...least, options: { a: { type: 'choice' } } }, 'choice needs choices'],
    [
      'a default of the wrong type',
      { ...least, options: { g: { a: { type: 'number', default: 'x' } } } },
      'options.g.a',
    ],
    [
      'a default that is not a choice',
      { ...least, options: { a: { type: 'choice', choices: ['x'], default: 'y' } } },
      'a',
    ],
    ['a secret with a default', { ...least, options: { a: { type: 'string', secret: true, default: 'x' } } }, 'secret'],
    ['a dot in the name of an option', { ...least, options: { 'a.b': { type: 'string' } } }, 'options'],
    ['a method for unknown users', { ...least, methods: { a: { who: 'friends' } } }, 'methods.a.who'],
  ]
  for (const [name, manifest, words] of wrong) {
    test(`with ${name} is refused, and the message names the place`, () => {
      const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
      expect(() => parseManifest(text)).toThrow(words)
    })
  }

  test('may have option names like constructor; __proto__ is ignored', () => {
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

  test('that are not set have their defaults', () => {
    expect(treeOfOptions(effectiveOptions(types, none))).toEqual({
      title: 'Heading',
      report: { order: 'up', on: true },
    })
  })

  test('that are not given are kept', () => {
    const once = changedOptions(types, none, { title: 'New', report: { size: 3 } })
    const twice = changedOptions(types, once, { report: { on: false } })
    expect(treeOfOptions(effectiveOptions(types, twice))).toEqual({
      title: 'New',
      report: { size: 3, order: 'up', on: false },
    })
  })

  test('that are secret are visible only to the module', () => {
    const values = changedOptions(types, none, { report: { key: 'hush' } })
    expect(JSON.stringify(treeOfOptions(shownOptions(types, values)))).not.toContain('hush')
    expect(storedSecrets(types, values)).toEqual(['report.key'])
    expect(treeOfOptions(effectiveOptions(types, values)).report).toMatchObject({ key: 'hush' })
    expect(storedSecrets(types, changedOptions(types, values, { report: { key: '' } }))).toEqual([])
  })

  test('that are unknown or of the wrong type are refused by name', () => {
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

  test('of an older manifest are dropped if they do not fit the current one', () => {
    expect(storedOptions(types, '{"gone":1,"title":7,"report.size":4}')).toEqual(new Map([['report.size', 4]]))
  })
})
