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

/** What only other clients can be told: the widget never sends such requests. */
const forPrograms = [
  /^q (is|names)/,
  /^items (is|are|must)/,
  /^Parameter 'X' is given/,
  /^The body /,
  /^X is missing\.$/,
  /^No file was sent/,
  /^A (field of the|form has)/,
  /^modified is|^size is/,
  /^A path (begins|has|is)|^'X' leads nowhere|^Names are separated|^A name has at most/,
  /^Choose what to/,
  /^What is looked for has at most/,
  /^The library is closed/,
]

/** Texts of a source that are said in a refusal, each with an X where something is filled in. */
function saidIn(source: string): string[] {
  const text = String.raw`'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|${'`'}((?:[^${'`'}\\]|\\.)+)${'`'}`
  const calls = [
    // A disk error ends the sentence, which starts with the file.
    String.raw`\btext: (?:${text})`,
    String.raw`new Failure\(\s*'\w+',\s*(?:${text})`,
    String.raw`\brefused\(\s*(?:${text})`,
    String.raw`\.(?:max|enum)\([^'"]*(?:${text})\)`,
  ]
  return calls.flatMap((call, at) =>
    [...source.matchAll(new RegExp(call, 'g'))].map(([, ...found]) =>
      `${at === 0 ? 'X ' : ''}${found.join('')}`.replace(/\$\{[^}]*\}/g, 'X').replace(/\\(.)/g, '$1'),
    ),
  )
}

/** Why archives are refused, as it appears within the two sentences about them. */
function reasonsIn(source: string): string[] {
  const calls = [...source.matchAll(/\b(?:damaged|why)\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`([^`]+)`)/g)]
  return calls.map(([, ...found]) =>
    found
      .join('')
      .replace(/\$\{meant\}/g, 'folder')
      .replace(/\$\{[^}]*\}/g, 'X')
      .replace(/\\(.)/g, '$1'),
  )
}

describe('what the server refuses', () => {
  const reasons = ['core/files/zip-in.ts', 'core/files/zip-list.ts'].flatMap(file =>
    reasonsIn(readFileSync(join(root, file), 'utf8')),
  )
  const said = sources.flatMap(file => saidIn(readFileSync(join(root, file), 'utf8')))
  const stays = ': it cannot be moved or renamed.'
  const forPeople = [
    // Texts composed of others are listed here in full.
    ...said.filter(
      text => !/^[X:/ ]+$/.test(text) && text !== `X X${stays}` && !forPrograms.some(one => one.test(text)),
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

  test('is found in the sources', () => {
    expect(forPeople.length).toBeGreaterThan(70)
    expect(said).toContain(`X X${stays}`)
    expect(forPeople).toContain("A name has no '/' and no '\\' in it.")
    expect(forPeople).toContain('X is not empty.')
  })

  for (const locale of ['fa', 'ru', 'tr'] as const) {
    test(`is said in ${locale}`, async () => {
      const texts = await loadTexts(locale)
      expect(forPeople.filter(text => translated(text, texts) === null)).toEqual([])
      expect(reasons.length).toBeGreaterThan(25)
      expect(reasons.filter(text => translated(text, texts) === null)).toEqual([])
    })
  }

  test('is said with what it names, also where one message holds another', async () => {
    const tr = await loadTexts('tr')
    expect(translated("A name has no '/' and no '\\' in it.", tr)).toBe("Bir adda '/' ve '\\' bulunmaz.")
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
