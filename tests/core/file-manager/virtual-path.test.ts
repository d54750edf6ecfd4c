import { describe, expect, test } from 'bun:test'
import { nameOnWire, namesOfVirtual, newName, virtualOf } from '../../../core/file-manager/virtual-path.ts'

describe('a name on the disk', () => {
  for (const [what, bytes, wire] of [
    ['plain text', 'photo.jpg', 'photo.jpg'],
    ['text of any language', 'Grüße, سلام, 日本, 👨\u200d👩', 'Grüße, سلام, 日本, 👨\u200d👩'],
    ['a percent sign', '100%.txt', '100%.txt'],
    ['a backslash', 'a\\b', 'a\\x5Cb'],
    ['an apparent escape', 'a\\xE9', 'a\\x5CxE9'],
    ['a newline', 'a\nb', 'a\\x0Ab'],
    ['a C1 control character', 'a\u0085b', 'a\\xC2\\x85b'],
    ['a direction override', 'a\u202eb', 'a\\xE2\\x80\\xAEb'],
    ['a direction mark, as in Persian', '\u200fa', '\u200fa'],
    ['a byte order mark', '\ufeffa', '\ufeffa'],
  ] as const) {
    test(`with ${what} is encoded and decoded`, () => {
      expect(nameOnWire(Buffer.from(bytes))).toBe(wire)
      expect(namesOfVirtual(`/root/${wire}`)).toEqual([Buffer.from('root'), Buffer.from(bytes)])
    })
  }

  for (const [what, bytes, wire] of [
    ['in Latin-1', [0x63, 0xe9], 'c\\xE9'],
    ['that ends within a character', [0x61, 0xc3], 'a\\xC3'],
    ['with half a surrogate pair', [0xed, 0xa0, 0x80], '\\xED\\xA0\\x80'],
    ['in overlong UTF-8', [0xc0, 0xae], '\\xC0\\xAE'],
    ['in Latin-1 and UTF-8', [0xc3, 0xbc, 0xfc], 'ü\\xFC'],
    ['in Latin-1 with a backslash', [0xfc, 0x5c, 0x0a], '\\xFC\\x5C\\x0A'],
  ] as const) {
    test(`${what} is encoded and decoded`, () => {
      expect(nameOnWire(Buffer.from(bytes))).toBe(wire)
      expect(namesOfVirtual(`/${wire}`)).toEqual([Buffer.from(bytes)])
    })
  }

  test('of any bytes has a unique text that decodes to these bytes', () => {
    let state = 7
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state >> 8
    }
    const seen = new Map<string, string>()
    for (let i = 0; i < 5000; i++) {
      const pick = [0x5c, 0x78, 0x45, 0x39, 0xc3, 0xa9, 0xe2, 0x80, 0xae, 0x0a, 0x2e, random() % 256]
      const bytes = Buffer.from(Array.from({ length: 1 + (random() % 8) }, () => pick[random() % pick.length] ?? 0))
      if (bytes.includes(0) || bytes.includes(0x2f) || ['.', '..'].includes(bytes.toString())) continue
      const wire = nameOnWire(bytes)
      expect(/[\p{Cc}]/u.test(wire)).toBe(false)
      expect(namesOfVirtual(`/${wire}`)).toEqual([bytes])
      expect(seen.get(wire) ?? bytes.toString('hex')).toBe(bytes.toString('hex'))
      seen.set(wire, bytes.toString('hex'))
    }
    expect(seen.size).toBeGreaterThan(2000)
  })
})

describe('a path', () => {
  test('is parsed into names, with or without a trailing slash', () => {
    expect(namesOfVirtual('/')).toEqual([])
    expect(namesOfVirtual('')).toEqual([])
    expect(namesOfVirtual('/a/b/')).toEqual([Buffer.from('a'), Buffer.from('b')])
    expect(virtualOf([Buffer.from('a'), Buffer.from([0xe9])])).toBe('/a/\\xE9')
  })

  for (const path of [
    '..',
    '/..',
    '/a/../b',
    '/.',
    '/a/.',
    'a',
    '//',
    '/a//b',
    '/a/b//',
    '/a\\b',
    '/a\\x5cb',
    '/\\x2E\\x2E',
    '/\\x2F',
    '/\\x00',
    '/\\x41',
    '/a\\',
    '/\\xC3\\xA9',
    '/a\0',
    '/a\n',
    '/a\u009f',
    '/\ud800',
    `/${'x'.repeat(256)}`,
    `/${'\\xE9'.repeat(256)}`,
    `/${'a/'.repeat(9000)}`,
  ]) {
    test(`like ${JSON.stringify(path).slice(0, 30)} is refused`, () => {
      expect(() => namesOfVirtual(path)).toThrow(/\.$/)
    })
  }
})

describe('a new name', () => {
  test('is normalized to composed characters', () => {
    expect(newName('e\u0301')).toEqual(Buffer.from('é'))
    expect(newName('می\u200cخواهم').toString()).toBe('می\u200cخواهم')
  })

  for (const name of [
    '',
    ' ',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a\0',
    'a\r\n',
    '\u202e',
    '\u200f',
    '\ufeff',
    '\ud800',
    'x'.repeat(256),
  ]) {
    test(`like ${JSON.stringify(name).slice(0, 20)} is refused`, () => {
      expect(() => newName(name)).toThrow(/\.$/)
    })
  }
})
