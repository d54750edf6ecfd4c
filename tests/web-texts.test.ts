import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileWidget } from '../schema/limits.ts'

const root = join(import.meta.dir, '..')

interface Row {
  line: number
  /** What must be in the test file to the letter. */
  texts: string[]
  file: string
  name: string
}

function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap((text, at) => {
    const [, chapter = '', says = '', file = '', name = '', rest] = text.split('|').map(cell => cell.trim())
    // '—': its test is not written yet.
    if (!text.startsWith('|') || chapter === '§' || /^-+$/.test(chapter) || file === '—') return []
    if (rest === undefined) throw new Error(`docs/web-texts.md:${at + 1} has no four cells`)
    const texts = [...says.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted)
    return [{ line: at + 1, texts, file, name }]
  })
}

/**
 * The text of a string in code that begins at `at`: its pieces between the `${…}` of a template, one for any other string.
 * `end` is the place after it.
 */
function stringAt(code: string, at: number): { pieces: string[]; end: number } {
  const quote = code[at]
  const pieces: string[] = []
  let piece = ''
  let place = at + 1
  while (place < code.length && code[place] !== quote) {
    if (quote === '`' && code.startsWith('${', place)) {
      place = expressionEnd(code, place + 2)
      pieces.push(piece)
      piece = ''
    } else {
      if (code[place] === '\\') place++
      piece += code[place++]
    }
  }
  return { pieces: [...pieces, piece], end: place + 1 }
}

/** The place after the brace that closes an expression of a template. */
function expressionEnd(code: string, from: number): number {
  let depth = 1
  let place = from
  while (place < code.length && depth > 0) {
    const letter = code[place] ?? ''
    if (/['"`]/.test(letter)) {
      place = stringAt(code, place).end
      continue
    }
    if (letter === '{') depth++
    else if (letter === '}') depth--
    place++
  }
  return place
}

/** Names of the tests in a file, as they are written, also behind a condition (`test.skipIf(…)(`); where a name is put together, anything fits its gaps. */
function testsOf(code: string): { is(name: string): boolean } {
  const names = new Set<string>()
  const patterns: RegExp[] = []
  for (const { index, 0: call } of code.matchAll(/\btest(?:\.\w+)?\((?:[^()'"`]*\)\()?\s*(?=['"`])/g)) {
    const { pieces } = stringAt(code, index + call.length)
    if (pieces.length === 1) names.add(pieces[0] ?? '')
    else patterns.push(new RegExp(`^${pieces.map(piece => RegExp.escape(piece)).join('.*')}$`))
  }
  return { is: name => names.has(name) || patterns.some(pattern => pattern.test(name)) }
}

const rows = rowsOf(readFileSync(join(root, 'docs/web-texts.md'), 'utf8'))
const files = new Map(
  [...new Set(rows.map(({ file }) => file))].map(file => {
    const path = join(root, file)
    return [file, existsSync(path) ? readFileSync(path, 'utf8') : null] as const
  }),
)

/** What is wrong with a row; null when nothing is. */
function faultOf({ texts, file, name }: Row): string | null {
  const code = files.get(file) ?? null
  if (code === null) return `there is no ${file}`
  if (!testsOf(code).is(name)) return `${file} has no test '${name}'`
  const plain = code.replace(/\\(['"])/g, '$1')
  const lacking = texts.filter(text => !plain.includes(text))
  return lacking.length === 0 ? null : `${file} does not say ${lacking.map(text => `'${text}'`).join(', ')}`
}

describe('docs/web-texts.md', () => {
  test('names tests that there are, with the texts that they show', () => {
    expect(rows.length).toBeGreaterThan(150)
    const faults = rows.flatMap(row => {
      const fault = faultOf(row)
      return fault === null ? [] : [`line ${row.line}: ${fault}`]
    })
    expect(faults).toEqual([])
  })

  test('speaks of constants that the pages take from schema/limits.ts', async () => {
    const pages = [...new Bun.Glob('web/**/*.{ts,tsx}').scanSync({ cwd: root })]
    const code = (await Promise.all(pages.map(path => Bun.file(join(root, path)).text()))).join('\n')
    const named = rows.flatMap(({ texts }) => texts.filter(text => /^(limits|fileWidget)\.[\w.]+$/.test(text)))
    expect(named.filter(name => name.startsWith('fileWidget.')).length).toBeGreaterThan(10)
    const unused = [...new Set(named)].filter(name => !new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`).test(code))
    expect(unused).toEqual([])
  })

  test('speaks of every constant of the file manager that the specification has', () => {
    const named = new Set(rows.flatMap(({ texts }) => texts))
    const ours = ['droppedMost']
    const lacking = Object.keys(fileWidget).filter(key => !ours.includes(key) && !named.has(`fileWidget.${key}`))
    expect(lacking).toEqual([])
  })
})

describe('the reader of the tables', () => {
  // In pieces, or it would be taken for a slip of the pen.
  const together = ['`three $', '{n === "}" ? `{$', '{n}` : ""} is`'].join('')
  const code = String.raw`test('it\'s one', f); test.skip("two", f); for (const n of []) test(${together}, f); test.skipIf(no === null)('if', f)`
  for (const [name, known] of [
    ["it's one", true],
    ['two', true],
    ['three 7 is', true],
    ['three is', false],
    ['if', true],
    ['four', false],
  ] as const) {
    test(`${known ? 'finds' : 'misses'} '${name}'`, () => expect(testsOf(code).is(name)).toBe(known))
  }
})
