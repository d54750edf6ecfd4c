/** The items screen, with real keys in a real terminal: filter, marks, tags, undo, pictures, hostile names. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { terminalViewer } from '../../core/accounts/access.ts'
import { waitUntil } from '../support/server-process.ts'
import { closeScreens, createTerminalLibrary, lockDatabase, type TerminalLibrary } from '../support/terminal-library.ts'
import { expectFrame, type TerminalScreen } from '../support/terminal-screen.ts'

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const

let workspace: TerminalLibrary
/** A test that runs while the others do, because the program waits 20 seconds. */
let busyWait: Promise<void>
beforeAll(async () => {
  workspace = await createTerminalLibrary()
  busyWait = waitWhileBusy(await createTerminalLibrary())
  // The last test reports a failure.
  busyWait.catch(() => {})
})
afterAll(closeScreens)

async function waitWhileBusy(library: TerminalLibrary): Promise<void> {
  const screen = library.tui('items', { columns: 80, rows: 24 })
  await screen.waitFor('garden.jpg')
  const unlock = lockDatabase(library)
  try {
    screen.press('r')
    await screen.waitFor('The library is busy: another program')
    await waitUntil(async () => screen.text().includes('Try again') || null)
    await screen.waitFor('! The library is busy with another change. Try again in a moment.')
  } finally {
    unlock()
  }
}

/** Types a filter and waits until it is set and finds `itemCount` items. */
async function filter(screen: TerminalScreen, text: string, itemCount: number) {
  screen.press('/')
  screen.type(text)
  await screen.waitFor(text)
  screen.press('enter')
  await screen.waitFor(new RegExp(`^ / .*${text}.* ${itemCount} items  newest first`, 'm'))
}

describe('browsing', () => {
  for (const size of sizes)
    test(`list, filter line, error and details look as recorded at ${size.columns}×${size.rows}`, async () => {
      const screen = workspace.tui('items', size)
      await screen.waitFor('garden.jpg')
      if (size.columns >= 100) await screen.waitFor(/▀(.|\n)*camera {7}Canon/)
      expectFrame(screen, 'items')
      screen.press('/')
      screen.type('person:an')
      await screen.waitFor(/^ \/ person:an$/m)
      await screen.waitFor(/^ {3}Anna Müller +31 items$/m)
      expectFrame(screen, 'items-completion')
      screen.press('down', 'enter')
      await screen.waitFor('person:="Anna Müller"')
      screen.type('ratng:4')
      screen.press('enter')
      await screen.waitFor("Did you mean 'rating'?")
      expectFrame(screen, 'items-fault')
      screen.press('esc')
      await screen.waitFor('Everything')
      screen.press('enter')
      await screen.waitFor('Esc list')
      await screen.waitFor('In the garden')
      await screen.waitFor('▀')
      expectFrame(screen, 'items-details')
      await screen.close()
    }, 30_000)

  test('a window that was too small keeps the marks and the cursor', async () => {
    const screen = workspace.tui('items')
    await screen.waitFor('garden.jpg')
    screen.press('down', 'down', 'space', 'space')
    await screen.waitFor('2 marked')
    const before = screen.lines()
    screen.resize(38, 9)
    await screen.waitFor('Make the window larger')
    screen.resize(80, 24)
    await screen.waitFor('2 marked')
    await screen.waitFor(({ lines }) => lines().join() === before.join())
    await screen.close()
  }, 30_000)

  test('a change without effect is reported as such, without an offer to undo', async () => {
    const screen = workspace.tui('items')
    await screen.waitFor('garden.jpg')
    screen.press('t', 'K')
    await screen.waitFor('Remove keywords from')
    screen.type('Nonexistent')
    screen.press('enter')
    await screen.waitFor('Changing tags of garden.jpg: nothing to change.')
    await screen.close()
  }, 30_000)

  test('an item that was recycled meanwhile is reported as already recycled', async () => {
    const id = workspace.items.get('garden.jpg') ?? 0
    const screen = workspace.tui('items')
    await screen.waitFor('garden.jpg')
    screen.press('enter')
    await screen.waitFor('In the garden')
    screen.press('d')
    await screen.waitFor('Move garden.jpg to the recycle bin?')
    await workspace.with(library => library.as(terminalViewer).items.removeMany({ body: { items: [id] } }))
    screen.press('y')
    await screen.waitFor('Already in the recycle bin: garden.jpg.')
    await workspace.with(library => library.as(terminalViewer).items.restoreMany({ body: { items: [id] } }))
    await screen.close()
  }, 30_000)

  for (const how of [{ term: 'vt100' }, { environment: { LANG: 'de_DE.ISO-8859-1' } }])
    test(`without UTF-8 only ASCII is written (${JSON.stringify(how)})`, async () => {
      const screen = workspace.tui('items', how)
      await screen.waitFor('garden.jpg')
      await screen.waitFor('?????')
      expect(screen.written()).not.toMatch(/[^\p{ASCII}]/u)
      await screen.close()
    }, 30_000)

  test('keys change the order, and move the cursor to months and to the last row', async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('newest first')
    await screen.waitFor('garden.jpg')
    screen.press('>')
    await screen.waitFor('oldest first')
    await screen.waitFor(/› 2010-/)
    screen.press('<', '<')
    await screen.waitFor('first added first')
    screen.press('>')
    await screen.waitFor('newest first')
    screen.press('m')
    await screen.waitFor('Go to month:')
    screen.type('2012-06')
    await screen.waitFor('2012-06')
    screen.press('enter')
    await screen.waitFor(/› 2012-0[36]-/)
    screen.press('[')
    await screen.waitFor(/› 2012-0[69]-/)
    screen.press('G')
    await screen.waitFor(/› 2010-/)
    screen.press('g')
    await screen.waitFor(/› 2021-06-01/)
    await screen.close()
  }, 30_000)

  test('a path is copied to the clipboard of the terminal', async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('garden.jpg')
    screen.press('y')
    await screen.waitFor('the path')
    screen.press('p')
    await screen.waitFor('Copied the path')
    const [, copied = ''] = screen.written().split('\u001b]52;c;')
    expect(atob(copied.split('\u0007')[0] ?? '')).toBe('/pictures/prints/garden.jpg')
    await screen.close()
  }, 30_000)
})

test.if(process.platform === 'linux')(
  'memory stays limited while scrolling fast past pictures',
  async () => {
    const screen = workspace.tui('items', { columns: 200, rows: 60 })
    await screen.waitFor(/▀(.|\n)*camera {7}Canon/)
    for (let n = 0; n < 100; n++) {
      screen.press('down')
      await screen.waitFor(now => now.find('› 20') !== null)
    }
    screen.press('g')
    await screen.waitFor('▀')
    const [, most = ''] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${screen.pid}/status`, 'latin1')) ?? []
    expect(Number(most) * 1024).toBeLessThan(250_000_000)
    await screen.close()
  },
  60_000,
)

describe('names', () => {
  for (const size of sizes)
    test(`with special characters keep their columns and are escaped at ${size.columns}×${size.rows}`, async () => {
      const screen = workspace.tui('items', size)
      await screen.waitFor('garden.jpg')
      await filter(screen, 'keyword:Odd', 9)
      await screen.waitFor('two lines')
      expect(screen.title()).not.toContain('owned')
      expect(screen.written()).not.toContain('\u001b[31m\u001b[2J')
      expect(screen.written()).not.toContain('\u202e')
      const { column } = screen.find('keywords') ?? { column: -1 }
      const rows = screen.lines().flatMap((line, row) => (line.startsWith('2020-05-', 3) ? [row] : []))
      expect(rows.length).toBeGreaterThanOrEqual(9)
      for (const row of rows) {
        expect(screen.cell(column, row).text + screen.cell(column + 1, row).text).toBe('Od')
        expect(screen.cell(column - 1, row).text.trim()).toBe('')
      }
      if (size.columns >= 100) await screen.waitFor(/No preview yet(.|\n)*added/)
      expectFrame(screen, 'items-names')
      await screen.close()
    }, 30_000)
})

describe('changing', () => {
  test('a range is marked, tagged as one step, and undone with z', async () => {
    const screen = workspace.tui('items', { columns: 120, rows: 40 })
    await screen.waitFor('garden.jpg')
    const snowCount = await workspace.with(async library => {
      const page = await library
        .as(terminalViewer)
        .items.list({ params: { collectionId: 0 }, query: { q: 'keyword:Snow' } })
      return page._meta.total_records
    })
    await filter(screen, 'keyword:Snow', snowCount)
    screen.press('down', 'v', 'down', 'down', 'down')
    await screen.waitFor('4 marked')
    screen.press('v', 'down', 'down', 'space')
    await screen.waitFor('5 marked')
    screen.press('b')
    await screen.waitFor('What to do with 5 items')
    screen.press('t')
    await screen.waitFor('Tags of 5 items')
    screen.press('k')
    await screen.waitFor('Add keywords to 5 items:')
    screen.type('Winter walk; Ice')
    await screen.waitFor('Winter walk; Ice')
    screen.press('enter')
    await screen.waitFor('Changed tags of 5 items')
    const tagged = () =>
      workspace.with(async library => {
        const found = await library
          .as(terminalViewer)
          .items.list({ params: { collectionId: 0 }, query: { q: 'keyword:="Winter walk" keyword:=Ice' } })
        return found._meta.total_records
      })
    expect(await tagged()).toBe(5)
    await filter(screen, ' keyword:Ice', 5)
    await screen.waitFor(/Snow.*Wint/)
    screen.press('z')
    await screen.waitFor('Undo')
    screen.press('y')
    await screen.waitFor('No items match this filter')
    expect(await tagged()).toBe(0)
    await screen.close()
  }, 60_000)

  test('a question names the marked items, wherever the cursor is, and keeps them while rows change', async () => {
    const screen = workspace.tui('items', { columns: 120, rows: 40 })
    await screen.waitFor('garden.jpg')
    const listed = () =>
      workspace.with(async library => {
        const query = { q: 'keyword:Beach', limit: 100 }
        return (await library.as(terminalViewer).items.list({ params: { collectionId: 0 }, query })).items
      })
    const before = await listed()
    const [first, second, third, fourth] = before
    if (first === undefined || second === undefined || third === undefined || fourth === undefined)
      throw new Error('too few items')
    await filter(screen, 'keyword:Beach', before.length)
    screen.press('space', 'd')
    await screen.waitFor(`Move ${first.name} to the recycle bin?`)
    screen.press('esc', 'esc')
    // Marks a range, and recycles its first row during the question.
    screen.press('v', 'down', 'd')
    await screen.waitFor('Move 2 items to the recycle bin?')
    await workspace.with(library => library.as(terminalViewer).items.removeMany({ body: { items: [first.id] } }))
    await screen.waitUntilGone(first.name)
    screen.press('y')
    await screen.waitFor('Moved 2 items to the recycle bin')
    const left = (await listed()).map(({ id }) => id)
    expect(left).toEqual(before.map(({ id }) => id).filter(id => ![first.id, second.id, third.id].includes(id)))
    await workspace.with(library =>
      library.as(terminalViewer).items.restoreMany({ body: { items: [first.id, second.id, third.id] } }),
    )
    await screen.close()
  }, 60_000)

  test('the key a marks everything that the filter finds, and Escape removes the marks', async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('220 items')
    screen.press('a')
    await screen.waitFor('220 marked')
    screen.press('space')
    await screen.waitFor('219 marked')
    screen.press('esc')
    await screen.waitUntilGone('marked')
    expect(screen.text()).toContain('Everything')
    await screen.close()
  }, 30_000)

  test('ratings and rotations are shown at once', async () => {
    const screen = workspace.tui('items', { columns: 120, rows: 40 })
    await screen.waitFor('garden.jpg')
    screen.press('*')
    await screen.waitFor('Rating of garden.jpg')
    screen.press('2')
    await screen.waitFor('Rated garden.jpg')
    await screen.waitFor(/garden\.jpg +Garden, Summer +★★$/m)
    screen.press('r')
    await screen.waitFor('Rotated garden.jpg to the right')
    await screen.waitFor('90° clockwise')
    await screen.close()
  }, 30_000)

  test('an unknown person is created when first put on a picture', async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('garden.jpg')
    screen.press('t')
    await screen.waitFor('Tags of garden.jpg')
    screen.press('p')
    await screen.waitFor('Add people to garden.jpg')
    screen.type('Zoë')
    await screen.waitFor('Zoë')
    screen.press('enter')
    await screen.waitFor("There is no person 'Zoë' yet.")
    screen.press('y')
    await screen.waitFor('Changed tags of garden.jpg')
    screen.press('enter')
    await screen.waitFor('Anna Müller, Zoë')
    await screen.close()
  }, 30_000)

  test('changes by another process are shown, and the cursor stays on its item', async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('220 items')
    screen.press('down', 'down', 'down')
    await screen.waitFor(/› 2020-05-26/)
    const newest = await workspace.with(async library => {
      const page = await library.as(terminalViewer).items.list({ params: { collectionId: 0 }, query: { limit: 2 } })
      const ids = page.items.map(({ id }) => id)
      await library.as(terminalViewer).items.removeMany({ body: { items: ids } })
      return ids
    })
    await screen.waitFor('218 items')
    await screen.waitUntilGone('garden.jpg')
    await screen.waitFor(/› 2020-05-26/)
    await workspace.with(library => library.as(terminalViewer).items.restoreMany({ body: { items: newest } }))
    await screen.waitFor('220 items')
    await screen.waitFor(/› 2020-05-26/)
    await screen.close()
  }, 30_000)
})

describe('pictures', () => {
  test('are half blocks in 256 colours', async () => {
    const screen = workspace.tui('items', { columns: 120, rows: 40 })
    await screen.waitFor('▀')
    const at = screen.find('▀') ?? { column: 0, row: 0 }
    // The picture is red above blue, or blue left of red if another test has rotated it.
    const colours = new Set<string | number>()
    for (let row = at.row; row < at.row + 12; row++) {
      const cell = screen.cell(at.column + 1, row)
      if (cell.text === '▀') colours.add(cell.colour)
    }
    const right = screen.cell(at.column + 10, at.row)
    if (right.text === '▀') colours.add(right.colour)
    for (const colour of colours) expect([196, 21, 9, 12, 160, 20]).toContain(Number(colour))
    await screen.close()
  }, 30_000)

  test('are drawn with the kitty protocol if the terminal supports it, and removed when not visible', async () => {
    const screen = workspace.tui('items', { columns: 120, rows: 40, kitty: true })
    await screen.waitFor('garden.jpg')
    await screen.waitFor(({ pictures }) => pictures.placements.size === 1)
    const [placed] = screen.pictures.placements.values()
    expect(
      screen.pictures.images
        .get(placed?.image ?? 0)
        ?.data.subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect(placed?.column).toBeGreaterThan(70)
    expect((placed?.column ?? 0) + (placed?.columns ?? 0)).toBeLessThan(120)
    expect(screen.text()).not.toContain('▀')
    screen.press('down')
    await screen.waitFor(({ pictures }) => pictures.placements.size === 0)
    screen.press('up')
    await screen.waitFor(({ pictures }) => pictures.placements.size === 1)
    screen.press('?')
    await screen.waitFor(({ pictures }) => pictures.placements.size === 0)
    expect(screen.pictures.images.size).toBe(0)
    screen.press('esc')
    await screen.waitFor(({ pictures }) => pictures.placements.size === 1)
    screen.resize(38, 9)
    await screen.waitFor(({ pictures }) => pictures.placements.size === 0)
    await screen.waitFor('Make the window larger')
    screen.resize(120, 40)
    await screen.waitFor(({ pictures }) => pictures.placements.size === 1)
    screen.resize(60, 20)
    await screen.waitFor(({ pictures }) => pictures.placements.size === 0)
    await screen.close()
  }, 30_000)

  test('are half blocks within tmux, which has its own coordinates', async () => {
    const screen = workspace.tui('items', {
      columns: 120,
      rows: 40,
      kitty: true,
      term: 'tmux-256color',
      environment: { TMUX: '/tmp/tmux-0/default,1,0' },
    })
    await screen.waitFor('▀')
    expect(screen.written()).not.toContain('\u001b_G')
    await screen.close()
  }, 30_000)

  test('are replaced by a message in 16 colours', async () => {
    const screen = workspace.tui('items', { columns: 120, rows: 40, term: 'xterm' })
    await screen.waitFor('No preview in 16 colours.')
    expect(screen.text()).not.toContain('▀')
    await screen.close()
  }, 30_000)
})

test('if the library stays busy, the program stops waiting, with a message', () => busyWait, 60_000)
