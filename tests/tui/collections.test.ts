/** Collections in the terminal UI: create, set, scan, sort by a plan, import, export, remove, with confirmation. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/command.ts'
import { waitUntil } from '../support/server-process.ts'
import { expectFrame } from '../support/terminal-screen.ts'
import { openWorkingLibrary, type WorkingLibrary } from '../support/working-library.ts'

const timeout = 60_000
let workspace: WorkingLibrary
beforeEach(() => {
  workspace = openWorkingLibrary()
})
afterEach(() => workspace.close())

const masks = [
  [/^( {3}Folder +).*$/, '$1/home/somebody/Family'],
  [/(Today|Yesterday) \d\d:\d\d/g, '$1 12:34'],
] as const

/** Files below a folder, by relative path. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

test(
  'the list, a collection and help look as recorded at 80×24 and 120×40',
  async () => {
    await workspace.pictures('Family', 6)
    await workspace.collection('Family', { managed: true })
    await workspace.pictures('北京和上海', 2)
    await workspace.collection('北京和上海')
    await workspace.collection('صور العائلة')
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 120, rows: 40 },
    ]) {
      const screen = workspace.tui('collections', size)
      await screen.waitFor('› Family')
      expectFrame(screen, 'collections', masks)
      screen.press('enter')
      await screen.waitFor('Groups')
      expectFrame(screen, 'collection', masks)
      screen.press('?')
      await screen.waitFor('Everywhere')
      expectFrame(screen, 'help', masks)
      await screen.close()
    }
  },
  timeout,
)

test(
  'a folder is completed with Tab, becomes a collection and is scanned without a server',
  async () => {
    await workspace.pictures('Family', 5)
    // Creates a library without a collection.
    const created = await runCommand(['--data', workspace.data, 'user', 'create', 'ines', '--admin'], {
      input: 'a long password\n',
    })
    expect(created.code).toBe(0)
    const screen = workspace.tui('collections')
    await screen.waitFor('None yet.')
    screen.press('a')
    await screen.waitFor('~/')
    screen.type('pic')
    screen.press('tab')
    await screen.waitFor('/pictures/')
    screen.press('tab')
    await screen.waitFor('/pictures/Family/')
    screen.press('enter')
    await screen.waitFor('Name Family')
    screen.press('enter')
    await screen.waitFor(/› Family +5 +Today .* up to date/)
    await screen.close()
  },
  timeout,
)

test(
  'a setting is validated before it is changed',
  async () => {
    await workspace.collection('Family')
    const screen = workspace.tui('collections')
    await screen.waitFor('› Family')
    screen.press('enter')
    await screen.waitFor('Folder format')
    screen.press('enter')
    await screen.waitFor('Name Family')
    screen.press('ctrl-u')
    screen.type('Fa')
    screen.press('enter')
    await screen.waitFor('Name must be more than 2 characters')
    screen.type('mily & friends')
    screen.press('enter')
    await screen.waitFor('Name of Family & friends is set.')
    screen.press('j', 'j')
    await screen.waitFor('› Folder format')
    screen.press('enter')
    await screen.waitFor('{Year}/{Month}, {MonthName}')
    await screen.waitFor('take it')
    screen.type('{Wrong}')
    screen.press('enter')
    await screen.waitFor('Invalid token (Wrong)')
    screen.press('esc')
    await screen.waitFor('› Folder format')
    screen.press('G', 'k', 'k', 'k', 'enter')
    await screen.waitFor('Read-only: set to yes?')
    screen.press('y')
    await screen.waitFor(/› Read-only +yes/)
    await screen.close()
  },
  timeout,
)

test(
  'a sort shows its plan, is performed, and is undone',
  async () => {
    await workspace.pictures('Family', 6)
    await workspace.collection('Family', { managed: true })
    const before = filesIn(workspace.folder('Family'))
    const screen = workspace.tui('collections')
    await screen.waitFor('› Family')
    screen.press('o')
    await screen.waitFor(/6 would be moved, 0 would stay\.$/m)
    expectFrame(screen, 'plan-sort')
    expect(filesIn(workspace.folder('Family'))).toEqual(before)
    screen.press('enter')
    await screen.waitFor('Sort Family: move 6 files?')
    screen.press('n')
    await screen.waitFor('Enter apply')
    expect(filesIn(workspace.folder('Family'))).toEqual(before)
    screen.press('enter')
    await screen.waitFor('y move')
    screen.press('y')
    await screen.waitFor(/Sort of Family +done/)
    expect(filesIn(workspace.folder('Family'))).toEqual([
      '2010/01/IMG_20100101_100000.jpg',
      '2011/02/IMG_20110202_100000.jpg',
      '2012/03/IMG_20120303_100000.jpg',
      '2013/04/IMG_20130404_100000.jpg',
      '2014/05/IMG_20140505_100000.jpg',
      '2015/06/IMG_20150606_100000.jpg',
    ])
    screen.press('z')
    await screen.waitFor('Undo: Moved 6 items?')
    screen.press('y')
    await waitUntil(async () => (filesIn(workspace.folder('Family')).join() === before.join() ? true : null))
    await screen.close()
  },
  timeout,
)

test(
  'an outdated plan is not performed, and a new plan is shown',
  async () => {
    await workspace.pictures('Family', 2)
    await workspace.collection('Family', { managed: true })
    const screen = workspace.tui('collections')
    await screen.waitFor('› Family')
    screen.press('o')
    await screen.waitFor(/2 would be moved, 0 would stay\.$/m)
    screen.press('enter')
    await screen.waitFor('y move')
    await workspace.pictures('Family/more', 1)
    expect((await runCommand(['--data', workspace.data, 'scan', 'Family'])).code).toBe(0)
    const before = filesIn(workspace.folder('Family'))
    screen.press('y')
    await screen.waitFor('Files have changed since this plan was made')
    await screen.waitFor('3 would be moved')
    expect(filesIn(workspace.folder('Family'))).toEqual(before)
    await screen.close()
  },
  timeout,
)

test(
  'an import and a move by a search show their plans first, and the import keeps its source',
  async () => {
    await workspace.pictures('Card', 4)
    await workspace.pictures('Family', 2)
    await workspace.collection('Family')
    await workspace.collection('Other one')
    const screen = workspace.tui('collections')
    await screen.waitFor('› Family')
    screen.press('i')
    await screen.waitFor('Import into Family from')
    screen.press('ctrl-u')
    screen.type(workspace.folder('Card'))
    screen.press('enter')
    await screen.waitFor(/4 would be copied, 0 would stay\.$/m)
    screen.press('enter')
    await screen.waitFor('copy 4 files?')
    screen.press('y')
    await screen.waitFor(/Import into Family +done/)
    expect(filesIn(workspace.folder('Card')).length).toBe(4)
    screen.press('2')
    await screen.waitFor(/Family +6 /)
    screen.press('j')
    await screen.waitFor('› Other one')
    screen.press('t')
    await screen.waitFor('Move into Other one')
    screen.type('in:Family year:2010..2011')
    screen.press('enter')
    await screen.waitFor(/\d would be moved, 0 would stay\.$/m)
    screen.press('enter')
    await screen.waitFor('y move')
    screen.press('y')
    await screen.waitFor(/Transfer into Other one +done/)
    expect(filesIn(workspace.folder('Other one')).length).toBeGreaterThan(0)
    await screen.close()
  },
  timeout,
)

test(
  'tables, full exports and sidecars are written to the given path, and no existing file is replaced',
  async () => {
    await workspace.pictures('Family', 3)
    await workspace.collection('Family')
    workspace.put('there.csv', 'mine')
    const screen = workspace.tui('collections')
    await screen.waitFor('› Family')
    screen.press('e')
    await screen.waitFor('CSV for spreadsheets')
    screen.press('t')
    await screen.waitFor('To the file ~/Family.csv')
    screen.press('ctrl-u')
    screen.type('~/there.csv')
    screen.press('enter')
    await screen.waitFor('It already exists')
    screen.press('ctrl-u')
    screen.type('~/family.csv')
    screen.press('enter')
    await screen.waitFor('Wrote')
    expect(readFileSync(join(workspace.directory, 'there.csv'), 'utf8')).toBe('mine')
    expect(readFileSync(join(workspace.directory, 'family.csv'), 'utf8').trim().split('\n').length).toBe(4)
    screen.press('e', 'e')
    await screen.waitFor('~/Family.jsonl')
    screen.press('enter')
    await screen.waitFor(/Family\.jsonl,\s/)
    screen.press('e', 't')
    await screen.waitFor('To the file')
    screen.press('ctrl-u')
    screen.type('/no/such/folder/x.csv')
    screen.press('enter')
    await screen.waitFor(
      /! \/no\/such\/folder\/x\.csv cannot be written\.\sThere is no folder\s+\/no\/such\/folder: create it, or/,
    )
    expect(screen.text()).not.toMatch(/ENOENT|\.tmp/)
    screen.press('e', 's')
    await screen.waitFor('Into the folder')
    screen.press('enter')
    await screen.waitFor('0 failed.')
    expect(existsSync(join(workspace.directory, 'Family-sidecars'))).toBe(true)
    await screen.close()
  },
  timeout,
)

test(
  'files that a stopped scan did not find are listed, and marked missing only after confirmation',
  async () => {
    await workspace.pictures('Phone', 30)
    const id = await workspace.collection('Phone')
    rmSync(workspace.folder('Phone'), { recursive: true })
    mkdirSync(workspace.folder('Phone'))
    await workspace.scan(id)
    const screen = workspace.tui('collections')
    await screen.waitFor('stopped')
    screen.press('enter')
    await screen.waitFor('Every tag is kept.')
    screen.press('f')
    await screen.waitFor('30 not found by the last scan')
    await screen.waitFor('› 0000.jpg')
    screen.press('G')
    await screen.waitFor('› 0029.jpg')
    screen.press('m')
    await screen.waitFor('Mark 30 items of Phone missing?')
    await screen.waitFor(/^ They leave the gallery[^…]*\n[^…]*files do\.$/m)
    screen.press('y')
    await screen.waitFor('The last scan was not stopped.')
    screen.press('2')
    await screen.waitFor(/› Phone +0 +Today/)
    await screen.close()
  },
  timeout,
)

test(
  'marked collections are scanned together, and a collection is removed without its files when its name is typed',
  async () => {
    for (const name of ['One one', 'Two two', 'Three three']) {
      await workspace.pictures(name, 2)
      await workspace.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        await library.collections.resolve(terminalViewer, workspace.folder(name), { create: true })
      })
    }
    const screen = workspace.tui('collections')
    await screen.waitFor('not scanned')
    screen.press('space', 'space', 'b')
    await screen.waitFor('With 2 collections')
    screen.press('s')
    await screen.waitFor(/One one +2 [\s\S]*Three three +2 /)
    expect(screen.text()).toMatch(/Two two +0 +Never/)
    screen.press('g', 'd')
    await screen.waitFor('Remove One one with 2 items')
    screen.press('y', 'enter')
    await screen.waitFor('Type One one to confirm')
    screen.press('backspace')
    screen.type('One one')
    await screen.waitFor('Enter remove it')
    screen.press('enter')
    await screen.waitFor('Its files are untouched.')
    await screen.waitUntilGone(/› One one/)
    expect(filesIn(workspace.folder('One one')).length).toBe(2)
    await screen.close()
  },
  timeout,
)

for (const [name, shown] of [
  ['Esc\u001b[31mape\u202e\nline', 'Esc?[31mape? line'],
  ['Ame\u0301lie', 'Am\u00e9lie'],
  [`${'a long name '.repeat(9)}end`, 'long name end to confirm:'],
] as const)
  test(
    `a collection with a name that cannot be typed (${JSON.stringify(name)}) is removed by its shown name`,
    async () => {
      await workspace.pictures('Odd', 1)
      await workspace.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        await library.as(terminalViewer).collections.create({ body: { name, path: workspace.folder('Odd') } })
      })
      const screen = workspace.tui('collections')
      await screen.waitFor(/› (Esc|Am|a long)/)
      screen.press('d')
      await screen.waitFor('to confirm:')
      await screen.waitFor(shown)
      screen.type('x')
      await screen.waitFor(/^ x$/m)
      screen.press('enter')
      await screen.waitFor('The text does not match.')
      screen.press('backspace')
      screen.type(name.startsWith('Esc') ? 'Esc?[31mape? line' : name.normalize('NFC'))
      await screen.waitFor('Enter remove it')
      screen.press('enter')
      await screen.waitFor('Its files are untouched.')
      await screen.close()
    },
    timeout,
  )

test(
  'if a marked collection is removed meanwhile, that is reported, and no other collection is changed',
  async () => {
    const family = await workspace.collection('Family')
    const trips = await workspace.collection('Trips')
    const remove = (id: number) =>
      workspace.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        await library.as(terminalViewer).collections.remove({ params: { id } })
      })
    const screen = workspace.tui('collections')
    await screen.waitFor('› Family')
    screen.press('space')
    await screen.waitFor('› Trips')
    await remove(family)
    await screen.waitUntilGone('Family')
    screen.press('b')
    await screen.waitFor('The marked rows are not in this list.')
    expect(screen.text()).not.toContain('With all collections')
    screen.press('d')
    await screen.waitFor('Type Trips to confirm:')
    await remove(trips)
    await screen.waitFor('None yet.')
    screen.type('Trips')
    screen.press('enter')
    await screen.waitFor('Trips has been removed meanwhile.')
    await screen.close()
  },
  timeout,
)

test(
  'collections that cannot be scanned with others are reported with the reason',
  async () => {
    const family = await workspace.collection('Family')
    await workspace.collection('Trips')
    await workspace.with(async ({ jobs }) => {
      const { terminalViewer } = await import('../../core/accounts/access.ts')
      // The job belongs to this process, which does not start it.
      await jobs.enqueue(terminalViewer, 'scan', { collectionId: family }, { inProcess: true })
      const screen = workspace.tui('collections')
      await screen.waitFor('› Family')
      screen.press('space', 'space', 'b')
      await screen.waitFor('With 2 collections')
      screen.press('s')
      await screen.waitFor(/Scanning 1 collection\. Family: \S/)
      await screen.close()
    })
  },
  timeout,
)

test(
  'in the smallest window the input line of a question stays visible, and the rest scrolls',
  async () => {
    await workspace.pictures('Family', 2)
    await workspace.collection('Family')
    const screen = workspace.tui('collections', { columns: 40, rows: 10 })
    await screen.waitFor('› Family')
    screen.press('d')
    await screen.waitFor('Type Family to confirm:')
    expect(screen.text()).toContain('Remove Family')
    screen.press('down', 'down', 'down', 'down', 'down')
    await screen.waitFor('This cannot be undone.')
    screen.type('Family')
    await screen.waitFor(/^ Family/m)
    screen.press('enter')
    await screen.waitFor('Removed Family.')
    await screen.close()
  },
  timeout,
)

test(
  'a label of wide characters leaves room for the input',
  async () => {
    await workspace.collection('北京的春天和夏天还有秋天和冬天以及家庭相册里面的照片')
    const screen = workspace.tui('collections')
    await screen.waitFor('› 北京')
    screen.press('i')
    await screen.waitFor('Import into 北京')
    screen.type('holidays')
    await screen.waitFor('~/holidays')
    await screen.close()
  },
  timeout,
)
