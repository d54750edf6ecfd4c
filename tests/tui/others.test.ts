/** Others use the same library: another program locks the database, and other users add steps. */
import { afterAll, beforeAll, test } from 'bun:test'
import { terminalViewer } from '../../core/accounts/access.ts'
import { closeScreens, createTerminalLibrary, lockDatabase, type TerminalLibrary } from '../support/terminal-library.ts'

let workspace: TerminalLibrary
beforeAll(async () => {
  workspace = await createTerminalLibrary()
})
afterAll(closeScreens)

const timeout = 60_000

test(
  'while another program locks the library, the UI keeps drawing, reports the lock, and makes its change later',
  async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('garden.jpg')
    const unlock = lockDatabase(workspace)
    try {
      screen.press('r')
      await screen.waitFor('The library is busy: another program is writing to it. Waiting …')
      screen.press('down')
      await screen.waitUntilGone(/› 2021-06-01/)
      screen.press('2')
      await screen.waitFor('Keepsake  Collections')
      screen.press('q')
      await screen.waitFor('Keepsake  Items')
    } finally {
      unlock()
    }
    await screen.waitFor('Rotated garden.jpg to the right.')
    await screen.waitUntilGone('The library is busy')
    await screen.close()
  },
  timeout,
)

test(
  'the key z names and undoes only changes that were made here, never a step of another user',
  async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('garden.jpg')
    screen.press('z')
    await screen.waitFor('No change made here can be undone.')
    screen.press('*')
    await screen.waitFor('Rating of garden.jpg')
    screen.press('2')
    await screen.waitFor('Rated garden.jpg. z undoes it.')
    const otherItem = workspace.items.get('IMG_1001.JPG') ?? 0
    await workspace.with(async library => {
      const user = library.users.byName('ines')
      const viewer = user === null ? terminalViewer : { ...terminalViewer, userId: user.id }
      await library.as(viewer).items.rotate({ params: { id: otherItem }, query: { direction: 'left' } })
    })
    screen.press('z')
    await screen.waitFor('Undo: Changed tags of garden.jpg?')
    screen.press('y')
    await screen.waitFor('Undone, except what has been changed since')
    await screen.waitFor(/garden\.jpg .*★★★★/)
    screen.press('z')
    await screen.waitFor('No change made here can be undone. For other steps: u in Jobs.')
    screen.press('6')
    await screen.waitFor('u undo a step')
    screen.press('u')
    await screen.waitFor('Undo which step?')
    await screen.waitFor(/Rotated IMG_1001\.JPG +ines, Today/)
    // The newest step is the undo by z.
    screen.press('down', 'enter')
    await screen.waitFor('Undo: Rotated IMG_1001.JPG?')
    await screen.waitFor('By ines, Today')
    screen.press('y')
    await screen.waitFor('Undone, except what has been changed since')
    await screen.close()
  },
  timeout,
)

test(
  'a step that changed several items names some of them, and the number of the others',
  async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('garden.jpg')
    screen.press('g', 'v', 'j', 'j', 'j', 'j', '*')
    await screen.waitFor('Rating of 5 items')
    screen.press('1')
    await screen.waitFor('Rated 5 items. z undoes it.')
    screen.press('z')
    await screen.waitFor('Undo: Changed tags of 5 items?')
    await screen.waitFor(/^ garden\.jpg$/m)
    await screen.waitFor(/^ … 2 more$/m)
    await screen.waitFor('y undo')
    screen.press('esc')
    await screen.close()
  },
  timeout,
)
