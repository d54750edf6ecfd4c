import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { videoTools } from '../core/media/decoding.ts'
import { describeWalks, laptop, phone, saveScreenshot } from '../support/browser.ts'
import { button, dialog, dragHandle, fileEntry, openFileManager, pressUntil } from '../support/files-page.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const tools = videoTools()

const players = [
  ['film.mp4', 'video'],
  ['tone.mp3', 'audio'],
] as const

const widget = (page: Page) => page.locator('.fm')
const toast = (page: Page, text: string) => page.locator('.fm-toast').filter({ hasText: text })
const shownNames = async (page: Page) =>
  Promise.all((await page.getByRole('option').all()).map(async one => (await one.getAttribute('data-name')) ?? ''))

/** A PDF with one page that has two words on it. */
function paper(): string {
  const stream = 'BT /F1 24 Tf 40 100 Td (Hello paper) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = text.length
  return `${text}xref\n0 6\n0000000000 65535 f \n${offsets.join('')}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
}

function encode(path: string, ...input: string[]): void {
  const result = Bun.spawnSync([tools?.ffmpeg ?? '', '-v', 'error', ...input, '-y', `file:${path}`])
  if (result.exitCode !== 0) throw new Error(result.stderr.toString())
}

describeWalks('the file manager', () => {
  let server: RunningServer
  let [root, directory] = ['', '']
  const inRoot = (...path: string[]) => join(root, ...path)

  beforeAll(async () => {
    directory = temporaryDirectory()
    root = join(directory, 'pictures')
    mkdirSync(inRoot('trips', 'older'), { recursive: true })
    mkdirSync(inRoot('a', 'b', 'c', 'd', 'e'), { recursive: true })
    for (const [at, name] of ['Beach', 'cliffs', 'Dunes'].entries()) {
      const exif = takenAt(`2019-0${at + 1}-03 12:00:00`)
      writeFileSync(inRoot('trips', `${name}.jpg`), await picture({ seed: at + 1, width: 1200, height: 800, exif }))
    }
    writeFileSync(inRoot('trips', 'read me.txt'), 'First line\r\nSecond line\r\n')
    writeFileSync(inRoot('trips', 'paper.pdf'), paper())
    writeFileSync(inRoot('trips', 'raw.bin'), new Uint8Array([1, 2, 3]))
    if (tools !== null) {
      encode(inRoot('trips', 'film.mp4'), '-f', 'lavfi', '-i', 'testsrc=s=320x180:r=10:d=1', '-pix_fmt', 'yuv420p')
      encode(inRoot('trips', 'tone.mp3'), '-f', 'lavfi', '-i', 'sine=d=1')
    }
    const data = join(directory, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'config.toml'), '"files.maxFileSize" = "2MB"\n')
    server = await startServer(data, [root])
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  const enter = (viewport = laptop) => openFileManager(server, { path: '/', first: 'pictures', viewport })

  const enterTrips = (viewport = laptop) =>
    openFileManager(server, { path: '/pictures/trips', first: 'older', viewport })

  async function choose(page: Page, name: string, entry: string): Promise<void> {
    await dragHandle(page, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }

  test('opens at the roots, goes down and up, and shows at most five segments of the path', async () => {
    const { page, errors } = await enter()
    // The roots cannot be changed.
    expect(await button(widget(page), 'New folder').isDisabled()).toBe(true)
    expect(await button(widget(page), 'Go up').isDisabled()).toBe(true)
    await page.getByText('1 items found.').waitFor()
    for (const name of ['pictures', 'a', 'b', 'c', 'd', 'e']) await dragHandle(page, name).dblclick()
    const pathBar = page.getByRole('navigation', { name: 'Path' })
    await pathBar.getByRole('button', { name: 'e', exact: true }).waitFor()
    expect(await pathBar.getByRole('button').allTextContents()).toEqual(['..', 'b', 'c', 'd', 'e'])
    await page.getByText('This folder is empty.').waitFor()
    await button(widget(page), 'Go up').click()
    await fileEntry(page, 'e').waitFor()
    await pathBar.getByRole('button', { name: 'b', exact: true }).click()
    await fileEntry(page, 'c').waitFor()
    await button(widget(page), 'Home').click()
    await fileEntry(page, 'pictures').waitFor()
    // Keys open and leave folders too.
    await page.getByRole('listbox').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await fileEntry(page, 'trips').waitFor()
    await page.keyboard.press('Backspace')
    await fileEntry(page, 'pictures').waitFor()
    expect(errors).toEqual([])
  })

  test('sorts ascending, descending, or not at all, remembers the view, and searches', async () => {
    const { page, errors } = await enterTrips()
    await saveScreenshot(page, 'file-manager-grid')
    await button(page, 'List view').click()
    const first = await shownNames(page)
    await button(page, 'Name').click()
    await button(page, 'Name, ascending').waitFor()
    const up = await shownNames(page)
    expect(up.slice(0, 4)).toEqual(['older', 'Beach.jpg', 'cliffs.jpg', 'Dunes.jpg'])
    await button(page, 'Name, ascending').click()
    await button(page, 'Name, descending').waitFor()
    expect(await shownNames(page)).toEqual(['older', ...up.slice(1).reverse()])
    await button(page, 'Name, descending').click()
    await button(page, 'Name').waitFor()
    expect(await shownNames(page)).toEqual(first)
    await page.reload()
    await page.locator('.fm-row').first().waitFor()
    await button(page, 'Grid view').click()
    await page.locator('.fm-cell').first().waitFor()

    // Searches when typing pauses, reports no result, and shows the folder again.
    const field = page.getByRole('searchbox', { name: 'Search here' })
    await field.fill('DUNE')
    await page.getByText('1 items found.').waitFor()
    expect(await shownNames(page)).toEqual(['Dunes.jpg'])
    await field.fill('nowhere')
    await page.getByText('No search result found.').waitFor()
    await saveScreenshot(page, 'file-manager-nothing')
    await button(page, 'Clear the search').click()
    await fileEntry(page, 'older').waitFor()
    // A slow request can be cancelled, and the list stays.
    await page.route('**/v1/files?*q=index*', () => {})
    await button(page, 'Refresh').click()
    await waitUntil(async () => ((await button(page, 'Cancel').isEnabled()) ? true : null))
    await button(page, 'Cancel').click()
    await waitUntil(async () => ((await button(page, 'Cancel').isDisabled()) ? true : null))
    expect(await fileEntry(page, 'older').count()).toBe(1)
    expect(errors).toEqual([])
  })

  test('creates, renames, archives, unpacks, moves and deletes, and reports errors in the dialog', async () => {
    const { page, errors } = await enterTrips()
    // A folder must have a name.
    await button(page, 'New folder').click()
    expect(await button(dialog(page), 'Create').isDisabled()).toBe(true)
    await page.getByLabel('Folder Name').fill('fresh')
    await page.keyboard.press('Enter')
    await toast(page, 'fresh is created.').waitFor()
    expect(existsSync(inRoot('trips', 'fresh'))).toBe(true)
    // A taken name is reported in the dialog, which stays open.
    await button(page, 'New file').click()
    await page.getByLabel('File Name').fill('Beach.jpg')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('alert').filter({ hasText: 'There is already something named' }).waitFor()
    await saveScreenshot(page, 'file-manager-fault')
    await button(dialog(page), 'Dismiss').click()
    expect(await dialog(page).getByRole('alert').count()).toBe(0)
    await page.getByLabel('File Name').fill('notes.txt')
    await button(dialog(page), 'Create').click()
    await toast(page, 'notes.txt is created.').waitFor()
    // The name is selected without its extension.
    await choose(page, 'notes.txt', 'Rename')
    await page.keyboard.type('words')
    await button(dialog(page), 'Rename').click()
    await toast(page, 'words.txt is renamed.').waitFor()
    expect(existsSync(inRoot('trips', 'words.txt'))).toBe(true)
    // Two files are archived.
    await dragHandle(page, 'words.txt').click()
    await dragHandle(page, 'raw.bin').click({ modifiers: ['Control'] })
    await page.getByText('2 item(s) selected.').waitFor()
    await button(page, 'Archive').click()
    expect(await dialog(page).getByLabel('Name').getAttribute('placeholder')).toContain('.zip file will be created')
    await dialog(page).getByLabel('Name').fill('two')
    await button(dialog(page), 'Archive').click()
    await toast(page, 'The file(s) archived.').waitFor()
    // The dialog moves the archive to another folder, where it is unpacked.
    await choose(page, 'two.zip', 'Move')
    expect(await button(dialog(page), 'Yes, Move!').isDisabled()).toBe(true)
    await button(dialog(page), 'fresh').click()
    await dialog(page).getByText('/pictures/trips/fresh', { exact: true }).waitFor()
    await dialog(page).getByText('Are you sure you want to move these files?').waitFor()
    await saveScreenshot(page, 'file-manager-move')
    await button(dialog(page), 'Yes, Move!').click()
    await toast(page, 'Files moved.').first().waitFor()
    await dragHandle(page, 'fresh').dblclick()
    await choose(page, 'two.zip', 'Unarchive')
    await dialog(page).getByText('/pictures/trips/fresh').waitFor()
    await button(dialog(page), 'Unarchive').click()
    await toast(page, 'The file unarchived.').waitFor()
    expect(readdirSync(inRoot('trips', 'fresh')).sort()).toEqual(['raw.bin', 'two.zip', 'words.txt'])
    // The archive is moved by dragging it onto the path.
    const pathBar = page.getByRole('navigation', { name: 'Path' })
    await dragHandle(page, 'two.zip').dragTo(pathBar.getByRole('button', { name: 'trips' }))
    await button(dialog(page), 'Yes, Move!').click()
    await fileEntry(page, 'two.zip').waitFor({ state: 'detached' })
    expect(existsSync(inRoot('trips', 'two.zip'))).toBe(true)
    // It is also moved by dragging it into a folder.
    await button(page, 'Go up').click()
    await dragHandle(page, 'two.zip').dragTo(dragHandle(page, 'older'))
    await dialog(page).getByText('/pictures/trips/older', { exact: true }).waitFor()
    await button(dialog(page), 'Yes, Move!').click()
    await fileEntry(page, 'two.zip').waitFor({ state: 'detached' })
    // The dialog lists the files to delete.
    await dragHandle(page, 'fresh').click()
    await page.keyboard.press('Delete')
    await dialog(page).getByText('Are you sure you want to delete these files?').waitFor()
    await dialog(page).getByText('This action cannot be undone.').waitFor()
    await saveScreenshot(page, 'file-manager-delete')
    await button(dialog(page), 'Yes, Delete!').click()
    await toast(page, 'Files deleted.').waitFor()
    expect(existsSync(inRoot('trips', 'fresh'))).toBe(false)
    // The list has the focus again.
    expect(await page.locator('[role="listbox"]:focus').count()).toBe(1)
    expect(errors).toEqual([])
  })

  test('uploads files; reports one that is too large or refused; pauses and resumes one', async () => {
    const { page, errors } = await enterTrips()
    await button(page, 'Upload').click()
    await page.getByText('No files selected!').waitFor()
    const send = dialog(page).locator('button[type="submit"]')
    expect(await send.isDisabled()).toBe(true)
    const files = page.locator('input[type="file"]')
    const bytes = (name: string, length: number) => ({ name, mimeType: '', buffer: Buffer.alloc(length, name) })
    await files.setInputFiles([bytes('huge.dat', 2 * 1024 ** 2 + 1)])
    const limit = 'The selected file exceeds the maximum file size. You cannot upload files greater than 2 MiB.'
    await dialog(page).getByRole('alert').filter({ hasText: limit }).waitFor()
    await files.setInputFiles([bytes('Beach.jpg', 300)])
    await send.click()
    // A taken name is reported at the file.
    await dialog(page).locator('[data-state="failed"]').getByText('There is already something named').waitFor()
    await saveScreenshot(page, 'file-manager-upload')
    await button(dialog(page), 'Remove: Beach.jpg').click()
    await files.setInputFiles([bytes('one.dat', 1000)])
    await send.click()
    await dialog(page).locator('[data-state="done"]').filter({ hasText: 'one.dat' }).getByText('100%').waitFor()
    // An upload is paused and resumed.
    let held = true
    await page.route('**/v1/files?q=upload*', async route => {
      if (!held) await route.continue()
    })
    await files.setInputFiles([bytes('two.dat', 5000)])
    await send.click()
    await button(dialog(page), 'Pause: two.dat').click()
    await dialog(page).getByText('Paused').waitFor()
    held = false
    await button(dialog(page), 'Resume: two.dat').click()
    await waitUntil(async () => (existsSync(inRoot('trips', 'two.dat')) ? true : null))
    await dialog(page).locator('[data-state="done"]').filter({ hasText: 'two.dat' }).getByText('100%').waitFor()
    expect(statSync(inRoot('trips', 'two.dat')).size).toBe(5000)
    await button(dialog(page), 'Cancel').click()
    await fileEntry(page, 'two.dat').waitFor()
    expect(readdirSync(inRoot('trips')).filter(name => name.startsWith('.'))).toEqual([])
    expect(errors).toEqual([])
  })

  test('Back closes a dialog first, keeps unsaved changes, and then goes through the folders', async () => {
    const { page, errors } = await enter(phone)
    for (const name of ['pictures', 'trips']) await dragHandle(page, name).tap()
    await fileEntry(page, 'older').waitFor()
    expect(new URL(page.url()).searchParams.get('path')).toBe('/pictures/trips')
    await dragHandle(page, 'older').tap()
    await fileEntry(page, 'older').waitFor({ state: 'detached' })
    await page.goBack()
    await fileEntry(page, 'read me.txt').waitFor()
    await dragHandle(page, 'read me.txt').tap()
    await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    await button(dialog(page), 'Edit').tap()
    const text = dialog(page).getByRole('textbox')
    await text.fill('Not saved yet')
    await page.goBack()
    expect(await text.inputValue()).toBe('Not saved yet')
    await dialog(page).getByRole('alert').getByText('are not saved').waitFor()
    await pressUntil(button(dialog(page), 'Cancel'), async () => (await button(dialog(page), 'Edit').count()) === 1)
    await page.goBack()
    await dialog(page).waitFor({ state: 'detached' })
    await fileEntry(page, 'read me.txt').waitFor()
    // Forward works too, and each folder has an address.
    await page.goBack()
    await fileEntry(page, 'trips').waitFor()
    await page.goForward()
    await fileEntry(page, 'read me.txt').waitFor()
    await page.reload()
    await fileEntry(page, 'read me.txt').waitFor()
    expect(errors).toEqual([])
  })

  test('previews files, films and sounds; a text is edited, a picture is cropped to 795 by 341', async () => {
    const { page, errors } = await enterTrips()
    const close = () => dialog(page).locator('footer').getByRole('button', { name: 'Close' }).click()
    const waitForViewer = () => page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    // A text keeps its line ends.
    await choose(page, 'read me.txt', 'Preview')
    await waitForViewer()
    await dialog(page).getByText('File Size').waitFor()
    await dialog(page).getByText('Last Modified').waitFor()
    const text = dialog(page).getByRole('textbox')
    expect(await text.inputValue()).toBe('First line\nSecond line\n')
    expect(await text.isEditable()).toBe(false)
    await button(dialog(page), 'Edit').click()
    await text.fill('First line\nAnother line\n')
    // Escape does not discard unsaved changes.
    await page.keyboard.press('Escape')
    await button(dialog(page), 'Save').click()
    await toast(page, 'Updated.').waitFor()
    expect(readFileSync(inRoot('trips', 'read me.txt'), 'utf8')).toBe('First line\r\nAnother line\r\n')
    // A toast closes when clicked, also above open dialogs.
    await toast(page, 'Updated.').click()
    await toast(page, 'Updated.').waitFor({ state: 'detached' })
    expect(await dialog(page).count()).toBe(1)
    await close()
    // A picture is cropped.
    await dragHandle(page, 'Beach.jpg').dblclick()
    await waitForViewer()
    await button(dialog(page), 'Edit').click()
    await waitUntil(async () =>
      ((await page.locator('cropper-selection').boundingBox())?.width ?? 0) > 100 ? true : null,
    )
    await saveScreenshot(page, 'file-manager-crop')
    // The frame stays on the picture, however far it is dragged.
    const frame = await page.locator('cropper-selection').boundingBox()
    const [x, y] = [(frame?.x ?? 0) + 80, (frame?.y ?? 0) + 40]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 900, y - 700, { steps: 6 })
    await page.mouse.up()
    const [moved, image] = await Promise.all(
      ['cropper-selection', 'cropper-image'].map(name => page.locator(name).boundingBox()),
    )
    expect((moved?.x ?? 0) + (moved?.width ?? 0)).toBeLessThanOrEqual((image?.x ?? 0) + (image?.width ?? 0) + 1)
    expect(moved?.y ?? 0).toBeGreaterThanOrEqual((image?.y ?? 0) - 1)
    await button(dialog(page), 'Crop').click()
    await toast(page, 'Updated.').waitFor()
    await button(dialog(page), 'Edit').waitFor()
    const { width, height, format } = await sharp(readFileSync(inRoot('trips', 'Beach.jpg'))).metadata()
    expect([width, height, format]).toEqual([795, 341, 'jpeg'])
    // The new picture is shown, also when the dialog is opened again.
    const shown = () =>
      page
        .locator('.fm-stage img')
        .evaluate(image => [Reflect.get(image, 'naturalWidth'), Reflect.get(image, 'naturalHeight')])
    await waitUntil(async () => ((await shown())[0] === 795 ? true : null))
    await close()
    await dragHandle(page, 'Beach.jpg').dblclick()
    await waitForViewer()
    expect(await shown()).toEqual([795, 341])
    // A press that starts in the dialog and ends outside does not close it.
    const title = await dialog(page).getByRole('heading').boundingBox()
    await page.mouse.move((title?.x ?? 0) + 5, (title?.y ?? 0) + 5)
    await page.mouse.down()
    await page.mouse.move(3, 3, { steps: 4 })
    await page.mouse.up()
    expect(await dialog(page).count()).toBe(1)
    await close()
    // A document is embedded; a file without a viewer can be downloaded.
    await dragHandle(page, 'paper.pdf').dblclick()
    await waitForViewer()
    expect(await dialog(page).locator('object > iframe').count()).toBe(1)
    await close()
    await dragHandle(page, 'raw.bin').dblclick()
    await waitForViewer()
    await dialog(page).locator('.fm-default').getByText('raw.bin').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), button(dialog(page), 'Download').click()])
    expect(download.suggestedFilename()).toBe('raw.bin')
    await close()
    // Films and sounds are played.
    for (const [name, player] of tools === null ? [] : players) {
      await dragHandle(page, name).dblclick()
      await waitForViewer()
      expect(await dialog(page).locator(player).count()).toBe(1)
      expect(await dialog(page).getByRole('alert').count()).toBe(0)
      await page.keyboard.press('Escape')
    }
    expect(errors).toEqual([])
  })

  test('a drawn box and keys select entries, and the path of the open folder can be selected', async () => {
    const { page, errors } = await enterTrips()
    await fileEntry(page, 'older').waitFor()
    const start = await fileEntry(page, 'older').boundingBox()
    await page.mouse.move((start?.x ?? 0) - 3, (start?.y ?? 0) + 4)
    await page.mouse.down()
    await page.mouse.move((start?.x ?? 0) + 190, (start?.y ?? 0) + 60, { steps: 6 })
    await saveScreenshot(page, 'file-manager-box')
    await page.mouse.up()
    await page.getByText('2 item(s) selected.').waitFor()
    await page.getByRole('listbox').focus()
    await page.keyboard.press('Control+a')
    await waitUntil(async () => ((await page.locator('[aria-selected="true"]').count()) > 5 ? true : null))
    // The menu acts on the selection, wherever the focus is.
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Archive' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await page.locator('[aria-selected="true"]').count()).toBeGreaterThan(5)
    // The focus returns to the list once the menu is closed.
    await page.locator('[role="listbox"]:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[aria-selected="true"]').first().waitFor({ state: 'detached' })
    // '?' and the Persian '؟' open the page's list of keys, which includes those of the file manager.
    for (const key of ['?', '؟']) {
      await page.locator('.fm-scroll').dispatchEvent('keydown', { key, shiftKey: true })
      await page.getByRole('dialog', { name: 'Keyboard' }).getByText('The folder above').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' })
      await page.getByRole('listbox').focus()
    }
    // Letters move to a name, and Shift extends the selection.
    await page.keyboard.type('cl')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('2 item(s) selected.').waitFor()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Select Path').click()
    await page.getByText('Path copied to clipboard').or(page.getByRole('dialog')).first().waitFor()
    expect(errors).toEqual([])
  })

  test('switches to light mode, and remembers full screen and language; Persian is written right to left', async () => {
    const { page, errors } = await enterTrips()
    const more = async (entry: string, role: 'menuitem' | 'menuitemradio' = 'menuitem') => {
      await widget(page).locator('[aria-haspopup="menu"]').click()
      await page.getByRole(role, { name: entry }).click()
    }
    await button(page, 'Full screen').click()
    expect(await widget(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 })
    await more('Light mode')
    expect(await widget(page).getAttribute('data-theme')).toBe('keepsake-light')
    await more('Türkçe', 'menuitemradio')
    await toast(page, 'Dil Türkçe olarak ayarlandı').waitFor()
    await more('فارسی', 'menuitemradio')
    await toast(page, 'زبان به').waitFor()
    expect(await widget(page).getAttribute('dir')).toBe('rtl')
    await page.reload()
    await fileEntry(page, 'older').waitFor()
    expect(await widget(page).getAttribute('dir')).toBe('rtl')
    expect(await widget(page).getAttribute('data-full')).toBe('true')
    // The first entry is at the right; a taken name is refused here too.
    const [first, second] = await Promise.all(['older', 'Beach.jpg'].map(name => fileEntry(page, name).boundingBox()))
    expect(first?.x ?? 0).toBeGreaterThan(second?.x ?? 0)
    await saveScreenshot(page, 'file-manager-fa')
    await page.getByRole('listbox').focus()
    await page.keyboard.type('read')
    await page.keyboard.press('F2')
    await dialog(page).getByRole('textbox').fill('cliffs.jpg')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await saveScreenshot(page, 'file-manager-fa-dialog')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await waitUntil(async () => ((await widget(page).getAttribute('data-full')) === 'false' ? true : null))
    // An unknown language is reported, and English is used.
    await page.evaluate(`localStorage.setItem('file-manager.keepsake', JSON.stringify({ locale: 'de' }))`)
    await page.reload()
    await toast(page, 'The selected locale is not yet supported!').waitFor()
    expect(await widget(page).getAttribute('lang')).toBe('en')
    expect(errors).toEqual([])
  })

  test('on a phone a tap opens an entry, and a touch of half a second opens its menu', async () => {
    const { page, errors } = await enterTrips(phone)
    await button(page, 'List view').click()
    await saveScreenshot(page, 'file-manager-phone')
    const place = await dragHandle(page, 'cliffs.jpg').boundingBox()
    const touch = await page.context().newCDPSession(page)
    const at = { x: (place?.x ?? 0) + 40, y: (place?.y ?? 0) + 20 }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await page.getByRole('menu', { name: 'cliffs.jpg' }).waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    // The end of the touch presses nothing in the menu.
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await saveScreenshot(page, 'file-manager-phone-menu')
    await page.getByRole('menuitem', { name: 'Preview' }).tap()
    await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    await saveScreenshot(page, 'file-manager-phone-preview')
    await dialog(page).locator('footer').getByRole('button', { name: 'Close' }).tap()
    // While entries are selected, only tools for them are shown.
    await button(page, 'Delete').waitFor()
    expect(await button(page, 'New folder').isVisible()).toBe(false)
    // Nothing is wider than the screen.
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    expect(errors).toEqual([])
  })
})
