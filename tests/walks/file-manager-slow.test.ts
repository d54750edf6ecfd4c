import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describeWalks, laptop, phone, saveScreenshot } from '../support/browser.ts'
import {
  button,
  dialog,
  dragHandle,
  fileEntry,
  holdRequests,
  openFileManager,
  pressUntil,
} from '../support/files-page.ts'
import { picture } from '../support/pictures.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const searchField = (page: Page) => page.getByRole('searchbox')

describeWalks('the file manager with a slow or refusing server', () => {
  let server: RunningServer
  let root = ''
  /** One page for the tests that need no page of their own; each closes what it opened. */
  let page: Page
  let errors: string[] = []

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    mkdirSync(join(root, 'trips'), { recursive: true })
    writeFileSync(join(root, 'a.txt'), 'a')
    writeFileSync(join(root, 'b.txt'), 'b')
    writeFileSync(join(root, 'gone.txt'), 'gone')
    writeFileSync(join(root, 'paper.pdf'), '%PDF-1.4\n%%EOF\n')
    writeFileSync(join(root, 'photo.jpg'), await picture({ seed: 1, width: 1200, height: 800 }))
    server = await startServer(join(directory, 'data'), [root])
    await waitForScans(server, await registerAndSignIn(server))
    ;({ page, errors } = await enter())
  })
  afterAll(() => server.stop())

  const enter = (viewport = laptop) => openFileManager(server, { first: 'trips', viewport })
  const closeDialog = async (page: Page) => {
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }

  test('while a folder loads or after it failed, no action works on the entries of the previous one', async () => {
    const { page } = await enter()
    await dragHandle(page, 'a.txt').click()
    await page.getByText('1 item(s) selected.').waitFor()
    const slow = await holdRequests(page, 'index')
    await dragHandle(page, 'trips').dblclick()
    const route = await slow.request()
    const expectNoActions = async () => {
      for (const name of ['New folder', 'Upload', 'Rename', 'Archive', 'Move', 'Delete'])
        expect([name, await button(page, name).isDisabled()]).toEqual([name, true])
      await page.locator('.fm-scroll').focus()
      for (const key of ['Delete', 'F2', 'Control+a', 'Enter', ' ']) await page.keyboard.press(key)
      expect(await page.locator('[aria-selected="true"]').count()).toBe(0)
      expect(await dialog(page).count()).toBe(0)
    }
    await expectNoActions()
    await dragHandle(page, 'b.txt').click({ button: 'right' })
    await page.getByRole('menu', { name: 'Folder' }).waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Refresh'])
    await page.keyboard.press('Escape')
    await saveScreenshot(page, 'file-manager-slow')
    // Cancel restores the previous folder and its selection.
    await button(page, 'Cancel').click()
    await page.getByText('1 item(s) selected.').waitFor()
    expect(await button(page, 'Delete').isDisabled()).toBe(false)
    await route.abort().catch(() => {})
    await slow.release()
    const away = await holdRequests(page, 'index')
    await dragHandle(page, 'trips').dblclick()
    await (await away.request()).abort()
    await page.getByRole('alert').waitFor()
    await expectNoActions()
    await away.release()
    await button(page, 'Try again').click()
    await page.getByText('This folder is empty.').waitFor()
    expect(await button(page, 'New folder').isDisabled()).toBe(false)
  })

  test('a cancelled search does not affect later changes', async () => {
    const slow = await holdRequests(page, 'search')
    await searchField(page).fill('a.t')
    const route = await slow.request()
    await button(page, 'Cancel').click()
    expect(await searchField(page).inputValue()).toBe('')
    await route.abort().catch(() => {})
    await slow.release()
    await button(page, 'New folder').click()
    await dialog(page).getByRole('textbox').fill('made')
    await page.keyboard.press('Enter')
    await fileEntry(page, 'made').waitFor()
    expect(await fileEntry(page, 'trips').count()).toBe(1)
  })

  test('keys move and resize the frame of a crop', async () => {
    await dragHandle(page, 'photo.jpg').dblclick()
    await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    await button(dialog(page), 'Edit').click()
    await waitUntil(async () => ((await button(dialog(page), 'Crop').isEnabled()) ? true : null))
    const frame = async (): Promise<number[]> => {
      const { x = 0, y = 0, width = 0 } = (await page.locator('cropper-selection').boundingBox()) ?? {}
      return [x, y, width].map(Math.round)
    }
    const [x = 0, y = 0, width = 0] = await frame()
    for (const key of ['-', '-']) await page.keyboard.press(key)
    expect((await frame())[2]).toBe(width - 20)
    const [fromX = 0, fromY = 0] = await frame()
    for (const key of ['Shift+ArrowLeft', 'ArrowRight', 'Shift+ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    expect(await frame()).toEqual([fromX - 9, fromY + 9, width - 20])
    await saveScreenshot(page, 'file-manager-crop-keys')
    // The frame stays on the picture.
    for (let time = 0; time < 20; time++) await page.keyboard.press('Shift+ArrowLeft')
    const [atEdge = 0] = await frame()
    expect(atEdge).toBeLessThanOrEqual(x)
    await page.keyboard.press('Shift+ArrowLeft')
    expect((await frame())[0]).toBe(atEdge)
    expect(y).toBeGreaterThan(0)
    const cancel = button(dialog(page), 'Cancel')
    await pressUntil(cancel, async () => (await button(dialog(page), 'Edit').count()) === 1)
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  test('a text saved by another user is not overwritten, and the unsaved text stays in the dialog', async () => {
    await dragHandle(page, 'b.txt').dblclick()
    await button(dialog(page), 'Edit').click()
    const text = dialog(page).getByRole('textbox')
    await text.fill('saved by me')
    const away = await holdRequests(page, 'save')
    await button(dialog(page), 'Save').click()
    await (await away.request()).abort()
    await away.release()
    await dialog(page).getByRole('alert').getByText('cannot be reached').waitFor()
    // The error disappears after a successful save.
    await button(dialog(page), 'Save').click()
    await page.locator('.fm-toast').getByText('Updated.').waitFor()
    expect(await dialog(page).getByRole('alert').count()).toBe(0)
    await button(dialog(page), 'Edit').click()
    await text.fill('saved by me, later')
    writeFileSync(join(root, 'b.txt'), 'saved by somebody else')
    await button(dialog(page), 'Save').click()
    await dialog(page).getByRole('alert').getByText('was changed by another user meanwhile').waitFor()
    expect(await text.inputValue()).toBe('saved by me, later')
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('saved by somebody else')
    const cancel = button(dialog(page), 'Cancel')
    await pressUntil(cancel, async () => (await button(dialog(page), 'Edit').count()) === 1)
    await closeDialog(page)
    expect(errors).toEqual([])
  })

  test('shows that a slow document is loading, and why one was refused', async () => {
    const { page } = await enter()
    // Thumbnails use the same request, so they must be loaded before it is held.
    await fileEntry(page, 'photo.jpg').locator('img[data-loaded="true"]').waitFor()
    const slow = await holdRequests(page, 'preview')
    await dragHandle(page, 'paper.pdf').dblclick()
    const route = await slow.request()
    await dialog(page).getByRole('status').getByText('Loading').waitFor()
    await route.fulfill({ status: 403 })
    // The page requests the document again to read the message of the refusal.
    const second = await slow.request(1)
    await second.fulfill({ status: 403, body: '{"message":"Not yours."}' })
    await dialog(page).getByRole('alert').getByText('Not yours.').waitFor()
  })

  test('the right mouse button opens the menu on a touch screen too', async () => {
    const { page, errors } = await enter(phone)
    expect(await page.evaluate(`matchMedia('(pointer: coarse)').matches`)).toBe(true)
    await dragHandle(page, 'a.txt').click({ button: 'right' })
    await page.getByRole('menu', { name: 'a.txt' }).waitFor()
    expect(errors).toEqual([])
  })

  test('an allowed download is saved, and a refused one is reported in the page', async () => {
    const { page } = await enter()
    const download = async (name: string) => {
      await dragHandle(page, name).click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Download' }).click()
    }
    const [coming] = await Promise.all([page.waitForEvent('download'), download('a.txt')])
    expect(coming.suggestedFilename()).toBe('a.txt')
    rmSync(join(root, 'gone.txt'))
    await download('gone.txt')
    await page.locator('.fm-toast').waitFor()
    expect(await page.locator('.fm-toast').textContent()).toContain('gone.txt')
    expect(page.url()).toContain('/admin/files')
    await page.locator('.fm-toast').click()
    await page.locator('.fm-toast').waitFor({ state: 'detached' })
    await page.context().clearCookies()
    // Without a session, the login opens.
    await download('b.txt')
    await page.getByRole('dialog', { name: 'Login' }).waitFor()
  })

  test('removing an upload moves the focus to another one, and after the last to Select Files', async () => {
    await button(page, 'Upload').click()
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    await dialog(page)
      .locator('input[type="file"]')
      .setInputFiles([file('1.txt'), file('2.txt'), file('3.txt')])
    const focused = () =>
      page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`)
    await button(dialog(page), 'Remove: 2.txt').focus()
    for (const next of ['Remove: 3.txt', 'Remove: 1.txt', 'Select Files']) {
      await page.keyboard.press('Enter')
      expect(await focused()).toBe(next)
    }
    await closeDialog(page)
    expect(errors).toEqual([])
  })
})
