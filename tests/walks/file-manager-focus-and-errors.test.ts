import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { describeWalks, saveScreenshot } from '../support/browser.ts'
import {
  button,
  dialog,
  dragHandle,
  fileEntry,
  holdRequests,
  openFileManager,
  pressTwice,
  pressUntil,
} from '../support/files-page.ts'
import { longTest } from '../support/long.ts'
import { picture } from '../support/pictures.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const count = 120
const nameOf = (n: number) => `f${String(n).padStart(4, '0')}.txt`

describeWalks('double clicks, focus and errors in the file manager', () => {
  let server: RunningServer
  let root = ''
  /** One page for the tests that need no page of their own; each closes what it opened. */
  let page: Page
  let errors: string[] = []

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    mkdirSync(join(root, '00 folder', 'inner'), { recursive: true })
    for (let n = 0; n < count; n++) writeFileSync(join(root, nameOf(n)), `text ${n}`)
    server = await startServer(join(directory, 'data'), [root])
    await waitForScans(server, await registerAndSignIn(server))
    ;({ page, errors } = await openFolder())
  })
  afterAll(() => server.stop())

  const openFolder = () => openFileManager(server, { first: '00 folder' })
  const closeDialog = async (page: Page) => {
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }

  async function middleOf(place: Locator): Promise<[number, number]> {
    const box = await place.boundingBox()
    if (box === null) throw new Error('the element is not shown')
    return [box.x + box.width / 2, box.y + box.height / 2]
  }

  const waitForRemoval = (page: Page, name: string) => fileEntry(page, name).waitFor({ state: 'detached' })

  /** Double-clicks Yes to delete `name`; returns the milliseconds between the clicks, by the clock of the page. */
  async function deleteByDoubleClick(page: Page, name: string): Promise<number> {
    await dragHandle(page, name).click()
    await page.keyboard.press('Delete')
    const yes = dialog(page).getByRole('button', { name: /^Yes/ })
    const [x, y] = await middleOf(yes)
    await page.evaluate(`presses = []; addEventListener('pointerdown', event => presses.push(event.timeStamp), true)`)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.up()
    await dialog(page).waitFor({ state: 'detached' })
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await waitForRemoval(page, name)
    return Number(await page.evaluate('presses.at(-1) - presses.at(-2)'))
  }

  longTest('the second click of a double click on a button does not open an entry under its dialog', async () => {
    const spare = Array.from({ length: 8 }, (_, n) => `00 spare ${n}.txt`)
    for (const name of spare) writeFileSync(join(root, name), name)
    const { page, errors } = await openFolder()
    // On a busy machine the clicks may be too far apart for a double click.
    for (const name of spare) {
      if ((await deleteByDoubleClick(page, name)) < 450) break
      await page.reload()
      await fileEntry(page, '00 folder').waitFor()
    }
    expect(await dialog(page).count()).toBe(0)
    expect(await page.locator('[aria-selected="true"]').count()).toBe(0)
    // A press elsewhere works.
    await dragHandle(page, nameOf(4)).click()
    await page.getByText('1 item(s) selected.').waitFor()
    for (const name of spare) rmSync(join(root, name), { force: true })
    expect(errors).toEqual([])
  })

  test('after a deletion, keys continue at the same place', async () => {
    const { page, errors } = await openFolder()
    await dragHandle(page, nameOf(10)).click()
    await page.keyboard.press('Delete')
    await dialog(page).getByRole('button', { name: /^Yes/ }).click()
    await waitForRemoval(page, nameOf(10))
    await dialog(page).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await page.locator(`[aria-selected="true"][data-name="${nameOf(12)}"]`).waitFor()
    expect(errors).toEqual([])
  })

  test('an entry can be dragged while the list scrolls, and files of the computer can be dropped', async () => {
    const { page, errors } = await openFolder()
    await button(page, 'List view').click()
    const list = page.locator('.fm-scroll')
    const scroll = (top: number) => list.evaluate(`document.querySelector('.fm-scroll').scrollTop = ${top}`)
    await scroll(1_900)
    const dragged = nameOf(60)
    await fileEntry(page, dragged).waitFor()
    await page.mouse.move(...(await middleOf(dragHandle(page, dragged))))
    await page.mouse.down()
    await page.mouse.move(...(await middleOf(dragHandle(page, nameOf(62)))), { steps: 4 })
    await scroll(0)
    await fileEntry(page, dragged).waitFor({ state: 'detached' })
    const [x, y] = await middleOf(dragHandle(page, '00 folder'))
    // The browser may ignore the first moves over a list that has just scrolled.
    await waitUntil(async () => {
      await page.mouse.move(x - 4, y)
      await page.mouse.move(x, y)
      return (await page.locator('[data-name="00 folder"][data-target="true"]').count()) === 1 ? true : null
    })
    await page.mouse.up()
    await button(dialog(page), 'Yes, Move!').click()
    await waitUntil(async () => (existsSync(join(root, '00 folder', dragged)) ? true : null))
    await dialog(page).waitFor({ state: 'detached' })

    const desktop = join(root, '..', 'desktop.txt')
    writeFileSync(desktop, 'from the computer')
    const devtools = await page.context().newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      const data = { items: [], files: [desktop], dragOperationsMask: 19 }
      await devtools.send('Input.dispatchDragEvent', { type, x, y, data })
    }
    await dialog(page).getByText('desktop.txt').waitFor()
    await saveScreenshot(page, 'file-manager-dropped')
    expect(errors).toEqual([])
  })

  longTest('pausing an upload with the keyboard keeps the focus', async () => {
    await button(page, 'Upload').click()
    let isHeld = true
    await page.route('**/v1/files?q=upload*', async route => {
      if (!isHeld) await route.continue()
    })
    await dialog(page)
      .locator('input[type="file"]')
      .setInputFiles([{ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.alloc(5_000, 'n') }])
    await dialog(page).locator('button[type="submit"]').click()
    await button(dialog(page), 'Pause: new.txt').focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Paused').waitFor()
    isHeld = false
    await page.locator('[aria-label="Resume: new.txt"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await waitUntil(async () => (readdirSync(root).includes('new.txt') ? true : null))
    await dialog(page).locator('[data-state="done"]').waitFor()
    await waitUntil(async () =>
      (await page.evaluate('document.activeElement !== document.body')) === true ? true : null,
    )
    await page.unroute('**/v1/files?q=upload*')
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  test('an uploaded file keeps a name with special characters', async () => {
    await button(page, 'Upload').click()
    const sent = ['per%cent.txt', 'quo"ted;.txt']
    await dialog(page)
      .locator('input[type="file"]')
      .setInputFiles(sent.map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })))
    await dialog(page).locator('button[type="submit"]').click()
    await waitUntil(async () =>
      (await dialog(page).locator('[data-state="done"]').count()) === sent.length ? true : null,
    )
    expect(sent.map(name => readFileSync(join(root, name), 'utf8'))).toEqual(sent)
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  test('a text with unsaved changes closes only after a second, separate press: a double click does not close it', async () => {
    await dragHandle(page, nameOf(20)).dblclick()
    await button(dialog(page), 'Edit').click()
    await dialog(page).getByRole('textbox').fill('written here')
    await dialog(page).locator('footer').getByRole('button', { name: 'Close' }).dblclick()
    await dialog(page).getByRole('alert').getByText('are not saved').waitFor()
    expect(await dialog(page).getByRole('textbox').inputValue()).toBe('written here')
    // Two presses save once.
    const sent: string[] = []
    page.on('request', request => {
      const q = new URL(request.url()).searchParams.get('q') ?? ''
      if (q === 'save') sent.push(q)
    })
    await pressTwice(button(dialog(page), 'Save'))
    await page.locator('.fm-toast').getByText('Updated.').waitFor()
    expect(sent).toEqual(['save'])
    expect(await dialog(page).getByRole('alert').count()).toBe(0)
    await button(dialog(page), 'Edit').click()
    await dialog(page).getByRole('textbox').fill('and left')
    const close = dialog(page).locator('footer').getByRole('button', { name: 'Close' })
    // The warning appears again after further input.
    for (const more of ['and more', 'and left']) {
      await close.click()
      await dialog(page).getByRole('alert').waitFor()
      await dialog(page).getByRole('textbox').fill(more)
      await dialog(page).getByRole('alert').waitFor({ state: 'detached' })
    }
    await close.click()
    await dialog(page).getByRole('alert').waitFor()
    await pressUntil(close, async () => (await dialog(page).count()) === 0)
    expect(readFileSync(join(root, nameOf(20)), 'utf8')).toBe('written here')
    expect(errors).toEqual([])
  })

  test('keyboard actions keep the focus in the dialog, and return it to the list afterwards', async () => {
    writeFileSync(join(root, '01 photo.jpg'), await picture({ seed: 3, width: 1200, height: 800 }))
    const { page, errors } = await openFolder()
    const focused = (selector: string) => page.locator(`${selector}:focus`).waitFor()
    const press = async (within: Locator | Page, name: string) => {
      await button(within, name).and(page.locator(':enabled')).focus()
      await page.keyboard.press('Enter')
    }
    // A text cannot be changed while it is being saved.
    await dragHandle(page, nameOf(30)).click()
    await page.keyboard.press('Enter')
    await press(dialog(page), 'Edit')
    await focused('textarea')
    await page.keyboard.type('kept: ')
    const held = await holdRequests(page, 'save')
    await press(dialog(page), 'Save')
    const route = await held.request()
    await focused('textarea')
    await page.keyboard.type('lost')
    await route.continue()
    await held.release()
    await page.locator('.fm-toast').getByText('Updated.').waitFor()
    await button(dialog(page), 'Edit').waitFor()
    await focused('textarea')
    expect(await page.locator('textarea').inputValue()).not.toContain('lost')
    expect(readFileSync(join(root, nameOf(30)), 'utf8')).toBe(await page.locator('textarea').inputValue())
    await page.keyboard.press('Escape')
    await focused('[role="listbox"]')

    // The focus stays on the frame of a picture after a failed crop, and goes to Edit after a successful one.
    await dragHandle(page, '01 photo.jpg').click()
    await page.keyboard.press('Enter')
    await press(dialog(page), 'Edit')
    await focused('.fm-crop')
    const refused = await holdRequests(page, 'upload')
    await press(dialog(page), 'Crop')
    await (await refused.request()).fulfill({ status: 507, body: '{"message":"The disk is full."}' })
    await refused.release()
    await dialog(page).getByRole('alert').getByText('The disk is full.').waitFor()
    await focused('.fm-crop')
    await press(dialog(page), 'Crop')
    await button(dialog(page), 'Edit').waitFor()
    await focused('.fm-tools-of-viewer button')
    await page.keyboard.press('Escape')
    await focused('[role="listbox"]')

    // After a failed deletion the focus stays on the button. Opening a folder in the Move dialog keeps it among the
    // folders. After a deletion it is on the list.
    await press(page, 'Delete')
    const away = await holdRequests(page, 'delete')
    await press(dialog(page), 'Yes, Delete!')
    const deletion = await away.request()
    await waitUntil(async () => ((await page.locator('dialog button[type="submit"]').isDisabled()) ? true : null))
    await deletion.abort()
    await away.release()
    await dialog(page).getByRole('alert').waitFor()
    await focused('dialog button[type="submit"]')
    await page.keyboard.press('Escape')
    await focused('[aria-label="Delete"]')
    await press(page, 'Move')
    await press(dialog(page), '00 folder')
    await button(dialog(page), 'inner').waitFor()
    await focused('.fm-chooser button')
    await page.keyboard.press('Escape')
    await press(page, 'Delete')
    await press(dialog(page), 'Yes, Delete!')
    await waitForRemoval(page, '01 photo.jpg')
    await dialog(page).waitFor({ state: 'detached' })
    await focused('[role="listbox"]')
    expect(errors.filter(fault => !fault.includes('507'))).toEqual([])
  })

  test('reports a removed picture as removed, not as one that cannot be shown', async () => {
    const { page } = await openFolder()
    writeFileSync(join(root, '00 gone.jpg'), 'no picture')
    await button(page, 'Refresh').click()
    await dragHandle(page, '00 gone.jpg').dblclick()
    await dialog(page).getByRole('alert').getByText('This cannot be shown here.').waitFor()
    await closeDialog(page)
    rmSync(join(root, '00 gone.jpg'))
    await dragHandle(page, '00 gone.jpg').dblclick()
    await dialog(page).getByRole('alert').getByText('There is no /pictures/00 gone.jpg').waitFor()
  })

  longTest(
    'Back leaves a folder that could not be opened; a first folder whose loading was cancelled is reported',
    async () => {
      const { page } = await openFolder()
      await dragHandle(page, '00 folder').dblclick()
      await fileEntry(page, 'inner').waitFor()
      const away = await holdRequests(page, 'index')
      await button(page, 'Go up').click()
      await (await away.request()).abort()
      await away.release()
      await page.getByRole('alert').getByText('The folder could not be opened.').waitFor()
      expect(new URL(page.url()).searchParams.get('path')).toBe('/pictures')
      await page.goBack()
      await fileEntry(page, 'inner').waitFor()
      const slow = await holdRequests(page, 'index')
      await page.reload()
      const route = await slow.request()
      await button(page, 'Cancel').click()
      await page.getByRole('alert').getByText('The folder could not be opened.').waitFor()
      await saveScreenshot(page, 'file-manager-cancelled')
      await route.abort().catch(() => {})
      await slow.release()
      await button(page, 'Try again').click()
      await fileEntry(page, 'inner').waitFor()
    },
  )
})
