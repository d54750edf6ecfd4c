import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadTexts, translated } from '../../../web/file-manager/texts/catalogues.ts'

const root = join(import.meta.dir, '../../..')
const sources = [
  ...readdirSync(join(root, 'core/file-manager'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `core/file-manager/${name}`),
  'core/files/zip-in.ts',
  'core/files/zip-list.ts',
  'schema/api/file-manager.ts',
  'server/file-manager/file-manager.ts',
  'server/file-manager/file-parameters.ts',
  'server/file-manager/multipart.ts',
  'server/requests/body.ts',
]

/** Messages that only other clients can get: the widget never sends such requests. */
const forPrograms = [
  /^q (is|names)/,
  /^items (is|are|must)/,
  /^Parameter 'X' is given/,
  /^The body /,
  /^X is missing\.$/,
  /^No file was sent/,
  /^A (field of the|form has)/,
  /^modified is|^size is/,
  /^A path (begins|has|is)|^'X' is not allowed in a path|^Names in a path|^A name has at most/,
  /^Choose what to/,
  /^What is looked for has at most/,
  /^The library is closed/,
]

/** Messages of refusals in a source, each with an X for every parameter. */
function messagesIn(source: string): string[] {
  const text = String.raw`'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|${'`'}((?:[^${'`'}\\]|\\.)+)${'`'}`
  const calls = [
    String.raw`\bpattern: (?:${text})`,
    String.raw`new Failure\(\s*'\w+',\s*(?:sentence)?(?:${text})`,
    String.raw`\brefused\(\s*(?:sentence)?(?:${text})`,
    String.raw`\.(?:max|enum)\([^'"]*(?:${text})\)`,
  ]
  return calls.flatMap(call =>
    [...source.matchAll(new RegExp(call, 'g'))].map(([, ...found]) =>
      found
        .join('')
        .replace(/\$\{[^}]*\}|\{\d\}/g, 'X')
        .replace(/\\(.)/g, '$1'),
    ),
  )
}

/** The reasons for refusing archives, which are inserted into two messages. */
function reasonsIn(source: string): string[] {
  const calls = [
    ...source.matchAll(/\b(?:damaged|why)\(\s*(?:sentence)?(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`([^`]+)`)/g),
  ]
  return calls.map(([, ...found]) =>
    found
      .join('')
      .replace(/\$\{meant\}/g, 'folder')
      .replace(/\$\{[^}]*\}/g, 'X')
      .replace(/\\(.)/g, '$1'),
  )
}

describe('messages of refusals', () => {
  const reasons = ['core/files/zip-in.ts', 'core/files/zip-list.ts'].flatMap(file =>
    reasonsIn(readFileSync(join(root, file), 'utf8')),
  )
  const messages = sources.flatMap(file => messagesIn(readFileSync(join(root, file), 'utf8')))
  const stays = ': it cannot be moved or renamed.'
  const forUsers = [
    // Texts that the sources compose of parts are left out here, and follow in full.
    ...messages.filter(
      text => !/^[X:/ ]+$/.test(text) && text !== `X${stays}` && !forPrograms.some(one => one.test(text)),
    ),
    `X is one of the roots of the file manager${stays}`,
    ...['holds', 'leads to'].flatMap(how => [
      `X ${how} the directory of the collection 'Y'${stays}`,
      `X ${how} a folder that the settings name${stays}`,
    ]),
    'X: The disk is gone (ENODEV)',
    'Unknown server error',
    'Sign in first.',
    'Permission Denied',
  ]

  test('are found in the sources', () => {
    expect(forUsers.length).toBeGreaterThan(70)
    expect(messages).toContain(`X${stays}`)
    expect(forUsers).toContain("A name must not contain '/' or '\\'.")
    expect(forUsers).toContain('X is not empty.')
  })

  for (const locale of ['fa', 'ru', 'tr'] as const) {
    test(`are translated into ${locale}`, async () => {
      const texts = await loadTexts(locale)
      expect(forUsers.filter(text => translated(text, texts) === null)).toEqual([])
      expect(reasons.length).toBeGreaterThan(25)
      expect(reasons.filter(text => translated(text, texts) === null)).toEqual([])
    })
  }

  test('are translated with their parameters, also when one message contains another', async () => {
    const tr = await loadTexts('tr')
    expect(translated("A name must not contain '/' or '\\'.", tr)).toBe("Bir adda '/' ve '\\' bulunmaz.")
    expect(translated('The name has more than 255 bytes.', tr)).toBe('Ad 255 bayttan uzun.')
    expect(translated('/a/b is not empty. 2 of 3 were moved.', tr)).toBe('/a/b boş değil. Taşınan: 2 / 3.')
    expect(translated('/a was not moved: The archive is empty.', tr)).toBe('/a taşınmadı: Arşiv boş.')
    expect(translated("/a holds the directory of the collection 'B c': it cannot be moved or renamed.", tr)).toBe(
      "/a içinde 'B c' koleksiyonunun klasörü var: yeri ve adı değişmez.",
    )
    expect(translated('The archive is damaged: a part of it is missing. Nothing was unpacked.', tr)).toBe(
      'Arşiv bozuk (bir parçası eksik). Hiçbir şey çıkarılmadı.',
    )
  })
})
