/** Albums in the terminal UI: the list, an album's items in its own order, and changes, with real keys. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { terminalViewer } from '../../core/accounts/access.ts'
import { viewerOfUser } from '../../core/accounts/viewers.ts'
import { closeScreens, createTerminalLibrary, type TerminalLibrary } from '../support/terminal-library.ts'
import { expectFrame } from '../support/terminal-screen.ts'

let workspace: TerminalLibrary
let garden = 0
beforeAll(async () => {
  workspace = await createTerminalLibrary()
  const id = (name: string) => workspace.items.get(name) ?? 0
  garden = id('garden.jpg')
  await workspace.with(async library => {
    const ines = viewerOfUser(library.db, library.rights, library.users.byName('ines')?.id ?? 0)
    const { albums } = library.as(ines ?? terminalViewer)
    const { id: parent } = await albums.create({ body: { kind: 'folder', name: 'Journeys' } })
    const items = [garden, id('IMG_1000.JPG'), id('IMG_1003.JPG')]
    await albums.create({ body: { kind: 'hand', name: 'By the sea', parent, sort: 'hand', items } })
    await albums.create({ body: { kind: 'search', name: 'Gardens', query: { q: 'keyword:garden' } } })
    await library.as(terminalViewer).albums.create({ body: { kind: 'hand', name: 'An empty one' } })
  })
})
afterAll(closeScreens)

const timeout = 30_000

for (const size of [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])
  test(
    `albums look as recorded at ${size.columns}×${size.rows}`,
    async () => {
      const screen = workspace.tui('albums', size)
      if (size.columns > 60) await screen.waitFor('220 items')
      await screen.waitFor('Journeys / By the sea')
      expectFrame(screen, 'albums')
      screen.press('down', 'down', 'down', 'enter')
      await screen.waitFor(/Journeys \/ By the sea {2}everything +3 items {2}by hand/)
      await screen.waitFor('garden.jpg')
      if (size.columns >= 100) await screen.waitFor(/▀(.|\n)*camera {7}Canon/)
      expectFrame(screen, 'album-items')
      await screen.close()
    },
    timeout,
  )

test(
  'albums are found, created, renamed and deleted, and the deletion is undone',
  async () => {
    const screen = workspace.tui('albums', { columns: 80, rows: 24 })
    await screen.waitFor('4 albums')
    screen.press('n')
    await screen.waitFor('Name of the album:')
    screen.type('Winter')
    await screen.waitFor('album: Winter')
    screen.press('enter')
    await screen.waitFor('Created Winter.')
    screen.press('/')
    await screen.waitFor('Find')
    screen.type('wint')
    await screen.waitFor('wint')
    screen.press('enter')
    await screen.waitFor(/› Winter +0 +by hand/)
    expect(screen.text()).not.toContain('Gardens')
    screen.press('r')
    await screen.waitFor('New name of Winter:')
    screen.type('time')
    await screen.waitFor('Wintertime')
    screen.press('enter')
    await screen.waitFor('Winter is now called Wintertime.')
    await screen.waitFor(/› Wintertime +0/)
    // Another process adds an item.
    await workspace.with(async library => {
      const { albums } = library.as(terminalViewer)
      const made = (await albums.list({ query: {} })).albums.find(({ name }) => name === 'Wintertime')
      await albums.setItems({ params: { id: made?.id ?? 0 }, body: { add: [garden] } })
    })
    await screen.waitFor(/› Wintertime +1/)
    screen.press('d')
    await screen.waitFor('Delete Wintertime? Its items stay.')
    screen.press('y')
    await screen.waitFor('Deleted Wintertime.')
    await screen.waitFor('No album has this name.')
    screen.press('z')
    await screen.waitFor('Undo: Deleted an album?')
    screen.press('y')
    await screen.waitFor(/› Wintertime +1/)
    await screen.close()
  },
  timeout,
)
