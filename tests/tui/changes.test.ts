/** Ranges of marks while a library changes, wrong queries, and keys that arrive faster than they are handled. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { programCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { closeScreens, createTerminalLibrary, oddNames, type TerminalLibrary } from '../support/terminal-library.ts'
import { openScreen } from '../support/terminal-screen.ts'
import { openWorkingLibrary } from '../support/working-library.ts'

let workspace: TerminalLibrary
beforeAll(async () => {
  workspace = await createTerminalLibrary()
})
afterAll(closeScreens)

const timeout = 60_000

function idOf(name: string): number {
  const id = workspace.items.get(name)
  if (id === undefined) throw new Error(`there is no ${name}`)
  return id
}

test(
  'an open range keeps its items when others are added or removed between its ends',
  async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('garden.jpg')
    screen.press('g', 'v', 'j', 'j', 'j')
    await screen.waitFor('4 marked')
    await screen.waitFor(/›●2020-05-26/)
    const first = idOf(oddNames.bidi)
    await workspace.with(library => library.as(terminalViewer).items.removeMany({ body: { items: [first] } }))
    await screen.waitFor('3 marked')
    await screen.waitFor(/ 2020-05-25/)
    await screen.waitFor(/›●2020-05-26/)
    expect(screen.text()).not.toContain('●2020-05-25')
    screen.press('d')
    await screen.waitFor('Move 3 items to the recycle bin?')
    screen.press('n')
    await screen.waitUntilGone('Move 3 items')
    await workspace.with(library => library.as(terminalViewer).items.restoreMany({ body: { items: [first] } }))
    await screen.waitFor(/ 2020-05-27/)
    await screen.waitFor('3 marked')
    expect(screen.text()).not.toContain('●2020-05-27')
    screen.press('d')
    await screen.waitFor('Move 3 items to the recycle bin?')
    screen.press('n')
    await screen.waitUntilGone('Move 3 items')
    await screen.close()
  },
  timeout,
)

test(
  'an item that another process restores leaves the marked range in the recycle bin, and the question',
  async () => {
    const screen = workspace.tui('bin', { columns: 80, rows: 24 })
    await screen.waitFor('old-1.jpg')
    screen.press('g', 'v', 'j')
    await screen.waitFor('2 marked')
    const rows = screen.lines().filter(line => line.includes('●'))
    const [, gone = ''] = /(old-\d\.jpg)/.exec(rows.at(-1) ?? '') ?? []
    const [id] = await workspace.with(async library => {
      const { items } = await library.as(terminalViewer).items.deleted({ params: { collectionId: 0 }, query: {} })
      return items.filter(({ name }) => name === gone).map(one => one.id)
    })
    if (id === undefined) throw new Error(`no id of '${gone}'`)
    await workspace.with(library => library.as(terminalViewer).items.restoreMany({ body: { items: [id] } }))
    await screen.waitFor('1 marked')
    await screen.waitUntilGone(gone)
    expect(screen.lines().filter(line => line.includes('●'))).toHaveLength(1)
    screen.press('d')
    await screen.waitFor(/Delete old-\d\.jpg for good/)
    expect(screen.text()).not.toMatch(new RegExp(`Delete ${gone}`))
    await screen.close()
  },
  timeout,
)

test(
  'on the dashboard a wrong query is reported with the position of its error, and keys and signals still work',
  async () => {
    const screen = workspace.tui('dashboard', { columns: 80, rows: 24 })
    await screen.waitFor('Collections')
    screen.press('/')
    await screen.waitFor('Find items')
    screen.type('in:family sort:name')
    screen.press('enter')
    await screen.waitFor(/At character 11/)
    screen.press('esc')
    await screen.waitUntilGone('Find items')
    screen.press('/')
    await screen.waitFor('Find items')
    screen.type('(garden')
    screen.press('enter')
    await screen.waitFor(/At character \d+/)
    screen.press('ctrl-c')
    await screen.waitUntilGone('Find items')
    screen.kill('SIGTERM')
    await screen.exited
    expect(screen.isAlternate()).toBe(false)
    await screen.close()
  },
  timeout,
)

test(
  'without a library the terminal UI exits with 10, and creates none',
  async () => {
    const data = join(temporaryDirectory(), 'nothing')
    const screen = openScreen([...programCommand(), '--data', data, 'tui'])
    expect(await screen.exited).toBe(10)
    expect(screen.text()).toContain('There is no library')
    expect(existsSync(data)).toBe(false)
    await screen.close()
  },
  timeout,
)

test(
  'keys that arrive at once all take effect, each of them once',
  async () => {
    const screen = workspace.tui('items', { columns: 200, rows: 60 })
    await screen.waitFor('garden.jpg')
    screen.press('g', 'v')
    screen.type(`${'j'.repeat(99)}${'k'.repeat(40)}`)
    await screen.waitFor('60 marked')
    // In an input line each key is a letter.
    screen.press('esc', '/')
    screen.type('jjjkk')
    await screen.waitFor(/^ \/ jjjkk$/m)
    await screen.close()
  },
  timeout,
)

test(
  'a range of collections keeps its collections when another one is added between them',
  async () => {
    const own = openWorkingLibrary()
    for (const name of ['Alps', 'Beach', 'Dunes']) {
      await own.pictures(name, 1)
      await own.collection(name)
    }
    const screen = own.tui('collections')
    await screen.waitFor('Dunes')
    screen.press('g', 'v', 'j', 'j')
    await screen.waitFor(/›●Dunes/)
    await own.pictures('Coast', 1)
    await own.collection('Coast')
    await screen.waitFor(/ {2}Coast/)
    await screen.waitFor(/›●Dunes/)
    for (const name of ['Alps', 'Beach']) expect(screen.text()).toContain(`●${name}`)
    expect(screen.text()).not.toContain('●Coast')
    await screen.close()
    await own.close()
  },
  timeout,
)

test(
  'while the marked items are looked up, Esc cancels the lookup, and other keys go to the question that follows',
  async () => {
    const other = openWorkingLibrary()
    await other.pictures('Family', 3)
    await other.collection('Family')
    const gate = join(other.directory, 'gate')
    const screen = openScreen([
      process.execPath,
      join(import.meta.dir, '../support/slow-tui.ts'),
      other.data,
      'items',
      gate,
    ])
    await screen.waitFor('3 items')
    screen.press('a')
    await screen.waitFor('3 marked')
    screen.press('d')
    await screen.waitFor('Looking up the items')
    screen.press('esc')
    await screen.waitFor('Nothing was changed.')
    screen.press('t', 'd')
    screen.type('my holidays by the sunny bay')
    await screen.waitFor('Looking up the items')
    expect(screen.text()).not.toContain('recycle bin?')
    writeFileSync(gate, '')
    await screen.waitFor('Set the description of 3 items: my holidays by the sunny bay')
    screen.press('esc')
    await screen.waitFor('3 marked')
    expect(screen.text()).not.toContain('recycle bin?')
    await screen.close()
    await other.close()
  },
  timeout,
)
