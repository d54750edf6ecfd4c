import { describe, expect, test } from 'bun:test'
import {
  bytesOfRaw,
  bytesOfText,
  componentsOf,
  displayName,
  displayRaw,
  joinPath,
  rawOf,
} from '../../../core/files/names.ts'

describe('a display name', () => {
  test.each([
    ['plain ASCII', Buffer.from('IMG_0001.JPG'), 'IMG_0001.JPG'],
    ['UTF-8', Buffer.from('Größe 写真 🌄.jpg'), 'Größe 写真 🌄.jpg'],
    ['another Unicode form unchanged', Buffer.from('e\u0301.jpg'), 'e\u0301.jpg'],
    ['a byte order mark unchanged', Buffer.from('\ufeffa'), '\ufeffa'],
    ['a newline unchanged', Buffer.from('a\nb'), 'a\nb'],
    ['Latin-1', Buffer.from('Caf\xe9.jpg', 'latin1'), 'Caf\\xE9.jpg'],
    ['bytes that are never in UTF-8', Buffer.of(0xff, 0x61, 0xc0, 0x80), '\\xFFa\\xC0\\x80'],
    ['an incomplete character', Buffer.of(0x61, 0xe5, 0x86), 'a\\xE5\\x86'],
    ['half a surrogate pair', Buffer.of(0xed, 0xa0, 0x80), '\\xED\\xA0\\x80'],
    ['valid characters between invalid bytes', Buffer.from([0xe9, ...Buffer.from('ö写🌄'), 0xe9]), '\\xE9ö写🌄\\xE9'],
    ['an empty name', Buffer.of(), ''],
  ])('shows %s', (_, bytes, shown) => {
    expect(displayName(bytes)).toBe(shown)
    expect(displayRaw(rawOf(bytes))).toBe(shown)
  })

  test('differs if names differ in one invalid byte', () => {
    expect(displayName(Buffer.of(0xe9))).not.toBe(displayName(Buffer.of(0xe8)))
  })
})

test('a raw string keeps every byte and sorts like the bytes', () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
  expect(bytesOfRaw(rawOf(all))).toEqual(all)
  expect(rawOf(all.subarray(0x41, 0x44))).toBe('ABC')
  const names = ['b', 'é', 'a', 'Z', '写', '\x7f'].map(bytesOfText)
  const byBytes = [...names].sort(Buffer.compare).map(rawOf)
  expect(names.map(rawOf).sort()).toEqual(byBytes)
})

test('a raw string of a part of a buffer has only that part', () => {
  const whole = Buffer.from('abcdef')
  expect(rawOf(new Uint8Array(whole.buffer, whole.byteOffset + 2, 2))).toBe('cd')
})

describe('joining', () => {
  test.each([
    [['a', 'b', 'c'], 'a/b/c'],
    [['/', 'a'], '/a'],
    [['/srv/', 'a'], '/srv/a'],
    [['', 'a', ''], 'a'],
    [[], ''],
  ])('%p gives %s', (parts, path) => {
    expect(joinPath(...parts.map(bytesOfText)).toString()).toBe(path)
  })
})

describe('components of a relative path', () => {
  test('are returned from the top down', () => {
    expect(componentsOf(bytesOfText('2019/Sommer/a.jpg'))?.map(String)).toEqual(['2019', 'Sommer', 'a.jpg'])
    expect(componentsOf(bytesOfText(''))).toEqual([])
    expect(componentsOf(bytesOfText('...'))?.map(String)).toEqual(['...'])
  })

  test.each(['/etc/passwd', '../x', 'a/../../x', 'a/..', './a', 'a/./b', 'a//b', 'a/', '/', 'a\0b'])(
    'are null for %p',
    path => {
      expect(componentsOf(bytesOfText(path))).toBeNull()
    },
  )
})
