/** Terminal output escapes control characters of file names; files and pipes get the raw bytes. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { linesForTerminal } from '../../core/kernel/terminal-text.ts'
import { openLibrary } from '../../core/library.ts'
import { cleanEnvironment, programCommand } from '../support/command.ts'
import { createBuilders } from '../support/library.ts'
import { hasPty, runInTerminal } from '../support/pty.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const esc = '\u001b[2J\u001b]0;owned\u0007'
const marks = '\u009b31m\u202egpj\u2066x\u200e\u061c\u2028\u2029\u007f\ttab'
const nasty = `red${esc}${marks}`
/** Characters that must never reach a terminal; line ends and separating tabs are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

const data = join(temporaryDirectory(), 'data')
const environment = cleanEnvironment({ KEEPSAKE_DATA: data, TZ: 'UTC' })
const program = programCommand()
  .map(word => `'${word}'`)
  .join(' ')
let before = ''

beforeAll(async () => {
  const library = openLibrary({ role: 'terminal', data, create: true, environment: {}, stderrLevel: 'none' })
  const make = createBuilders(library.db)
  const collection = await make.collection({ name: 'Prints', path: '/pictures/prints' })
  const item = await make.item({
    collection,
    name: `${nasty}.jpg`,
    description: `two\nlines ${nasty}`,
    keywords: ['plain \u202eword'],
    people: ['Anna \u202eenn'],
    rating: 3,
  })
  await library.db.transact(terminalViewer, tx => {
    tx.run(
      "INSERT INTO problems (collection_id, item_id, path, code, reason, at) VALUES (?, ?, ?, 'unreadable', ?, 1)",
      collection,
      item,
      `${nasty}.jpg`,
      `cannot ${nasty}`,
    )
    tx.history({ operation: 'item.tag', collectionId: collection, itemId: item, before: {}, after: {} })
  })
  before = library.exportPeople(terminalViewer)
  library.close()
})

/** The output of a command to a pipe. */
async function runPiped(line: string): Promise<string> {
  const child = Bun.spawn(['/bin/bash', '-c', `${program} ${line} 2>/dev/null`], { env: environment, stdout: 'pipe' })
  return new Response(child.stdout).text()
}

const csv = 'export Prints --format csv --out -'
const json = [
  'export Prints --format json',
  'export --format people',
  'people export',
  'item list --json',
  'item list --json --fields name,path,description',
  'problems --json',
  'history --json',
  'keystring list --json',
  'collection list --json',
  'config --json',
]

describe.skipIf(!hasPty)('on a terminal', () => {
  for (const line of json) {
    test(`'${line}' is escaped and still the same JSON`, async () => {
      const shown = await runInTerminal(`${program} ${line}`, environment)
      expect(unsafe.exec(shown)).toBeNull()
      const raw = await runPiped(line)
      expect(raw).not.toBe('')
      const parsed = (text: string) =>
        text.startsWith('[')
          ? JSON.parse(text)
          : text
              .trimEnd()
              .split('\n')
              .map(one => JSON.parse(one))
      expect(parsed(shown)).toEqual(parsed(raw))
    }, 30_000)
  }

  test('CSV shows the content of cells escaped', async () => {
    const shown = await runInTerminal(`${program} ${csv}`, environment)
    expect(unsafe.exec(shown)).toBeNull()
    expect(shown).toContain('red\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{9b}31m\\u{202e}gpj')
    expect(shown).toContain('\\u{2028}\\u{2029}\\u{7f}\\u{9}tab')
  })

  test('no list shows an unsafe character', async () => {
    for (const line of [
      'item list',
      'item list --fields name,description',
      'item show 1',
      'problems',
      'history',
      'keystring list',
      'people list',
    ])
      expect([line, unsafe.exec(await runInTerminal(`${program} ${line}`, environment))]).toEqual([line, null])
  }, 60_000)

  test('no error shows an unsafe character', async () => {
    const shown = await runInTerminal(`${program} --json collection show $'a\\x1b[2J\\xc2\\x9b'`, environment)
    expect(shown).toContain('u')
    expect(unsafe.exec(shown)).toBeNull()
  })

  // A shell's * may put a file name in place of an option or command.
  test('no error about an unknown option or command shows an unsafe character', async () => {
    for (const line of ["scan $'--\\x1b]0;owned\\x07x'", "$'\\x1b[2Jx'"]) {
      const shown = await runInTerminal(`${program} ${line}`, environment)
      expect(shown).toContain('error: unknown')
      expect(unsafe.exec(shown)).toBeNull()
    }
  }, 30_000)
})

describe('a pipe', () => {
  test('gets every export byte for byte', async () => {
    const exported = await runPiped(csv)
    expect(exported).toContain(`${nasty}.jpg`)
    expect(await runPiped('export --format people')).toBe(before)
    const [first = ''] = (await runPiped('item list --json')).split('\n')
    expect(JSON.parse(first).name).toBe(`${nasty}.jpg`)
    // JSON always escapes C0 characters; everything else is unchanged.
    expect(first).toContain('\u202egpj\u2066x\u200e\u061c\u2028\u2029\u007f')
  }, 30_000)
})

test('escaped JSON is valid for every character', () => {
  const every = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('')
  const text = `${JSON.stringify({ every })}\n`
  expect(unsafe.exec(linesForTerminal(text, 'json'))).toBeNull()
  expect(JSON.parse(linesForTerminal(text, 'json'))).toEqual({ every })
  expect(linesForTerminal('a\r\nb\tc\rd', 'text')).toBe('a\r\nb\tc\\u{d}d')
  expect(linesForTerminal('a\tb\n', 'csv')).toBe('a\\u{9}b\n')
})
