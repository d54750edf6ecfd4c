import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { uploadsTexts } from '../../web/texts/uploads.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const panel = (page: Page) => page.getByRole('region', { name: uploadsTexts.uploads })
const overlay = (page: Page) => page.getByText(/^Drop to upload|^Nothing can be added here/)
const waitForCount = (page: Page, name: string, count: string) =>
  page.getByRole('button', { name: `${name}, ${count}` }).waitFor()

/** Whether the page handles dragged files. */
const acceptsFiles = `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([], 'a.jpg'))
  return !dispatchEvent(new DragEvent('dragover', { dataTransfer, cancelable: true }))
})()`

describeWalks('uploads', () => {
  let server: RunningServer
  let [root, other, sourceFolder, token] = ['', '', '', '']
  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'Family')
    other = join(directory, 'Phone')
    sourceFolder = join(directory, 'source')
    for (const each of [root, other, sourceFolder, join(sourceFolder, 'Summer', 'beach')])
      mkdirSync(each, { recursive: true })
    const photo = (seed: number) => picture({ seed, exif: takenAt(`2019-08-0${seed} 12:00:00`) })
    writeFileSync(join(root, 'first.jpg'), await photo(1))
    writeFileSync(join(other, 'second.jpg'), await photo(2))
    // The files to upload: a duplicate under another name, new pictures, an invalid one, a text, and a folder.
    writeFileSync(join(sourceFolder, 'again.jpg'), await photo(1))
    writeFileSync(join(sourceFolder, 'third.jpg'), await photo(3))
    writeFileSync(join(sourceFolder, 'none.jpg'), 'This is no picture.')
    writeFileSync(join(sourceFolder, 'notes.txt'), 'Notes.')
    writeFileSync(join(sourceFolder, 'Summer', 'fourth.jpg'), await photo(4))
    writeFileSync(join(sourceFolder, 'Summer', 'beach', 'fifth.jpg'), await photo(5))
    for (const seed of [6, 7, 8, 9]) writeFileSync(join(sourceFolder, `${seed}.jpg`), await photo(seed))
    server = await startServer(join(directory, 'data'), [root, other])
    token = await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  async function open(options: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(server.address, { ...options, user: 'ines' })
    // The code of uploads loads after the login.
    await waitUntil(async () => ((await opened.page.evaluate(acceptsFiles)) === true ? true : null))
    return opened
  }

  /** Drags files from outside over the page. */
  async function drag(page: Page, names: readonly string[]) {
    const session: CDPSession = await page.context().newCDPSession(page)
    const files = names.map(name => join(sourceFolder, name))
    const dispatch = (type: 'dragEnter' | 'dragOver' | 'drop') =>
      session.send('Input.dispatchDragEvent', {
        type,
        x: 700,
        y: 400,
        data: { items: [], files, dragOperationsMask: 1 },
      })
    await dispatch('dragEnter')
    await dispatch('dragOver')
    return { drop: () => dispatch('drop') }
  }

  test('files and folders are dropped on the gallery of a collection, and each shows its result', async () => {
    const { page, errors } = await open()
    await waitForCount(page, 'All', '2 items')
    await page.getByRole('button', { name: 'Family, 1 item' }).click()

    // The overlay names the collection, and disappears when the files leave the window.
    await drag(page, ['third.jpg'])
    await page.getByText('Drop to upload to Family').waitFor()
    await saveScreenshot(page, 'upload-over')
    await page.mouse.move(500, 500)
    await overlay(page).waitFor({ state: 'detached' })

    const { drop } = await drag(page, ['again.jpg', 'third.jpg', 'none.jpg', 'notes.txt', 'Summer'])
    await drop()
    await overlay(page).waitFor({ state: 'detached' })
    await page.getByText('1 file is neither picture nor video and was left out').waitFor()
    await panel(page).getByText('3 uploaded, 1 was there already, 1 failed').waitFor()
    await panel(page).getByText('is there already as first.jpg').waitFor()
    await panel(page).getByText('none.jpg is not a picture or video.').waitFor()
    // The new items appear without a reload, in the dropped folders.
    await waitForCount(page, 'Family', '4 items')
    await waitUntil(async () =>
      (await page.getByRole('list', { name: baseTexts.items }).getByRole('link').count()) === 4 ? true : null,
    )
    expect(readdirSync(root, { recursive: true }).map(String).sort()).toEqual(
      ['Summer', 'Summer/beach', 'Summer/beach/fifth.jpg', 'Summer/fourth.jpg', 'first.jpg', 'third.jpg'].sort(),
    )
    await saveScreenshot(page, 'upload-done')

    // A retry of the invalid file fails again. The file can be removed, and the list can be folded and closed.
    await panel(page).getByRole('button', { name: 'Retry none.jpg' }).click()
    await panel(page).getByText('none.jpg is not a picture or video.').waitFor()
    await panel(page).getByRole('button', { name: 'Cancel none.jpg' }).click()
    await panel(page).getByText('3 uploaded, 1 was there already').waitFor()
    await panel(page).getByRole('button', { name: uploadsTexts.collapseTheList }).click()
    expect(await panel(page).getByRole('list').count()).toBe(0)
    await panel(page).getByRole('button', { name: baseTexts.close }).click()
    await panel(page).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a drop without a filter asks for the collection; a folder can be picked too', async () => {
    const { page, errors } = await open()
    await waitForCount(page, 'Phone', '1 item')
    const { drop } = await drag(page, ['6.jpg'])
    await page.getByText(uploadsTexts.youChooseTheCollectionNext).waitFor()
    await drop()
    const dialog = page.getByRole('dialog', { name: 'Upload 1 file' })
    await dialog.waitFor()
    expect(await dialog.getByRole('button', { name: baseTexts.upload }).isDisabled()).toBe(true)
    await dialog.getByText('Phone', { exact: true }).click()
    await dialog.getByRole('button', { name: baseTexts.upload }).click()
    await panel(page).getByText('1 uploaded').waitFor()
    await waitForCount(page, 'Phone', '2 items')

    await page.getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: baseTexts.upload }).click()
    const choose = page.getByRole('dialog', { name: baseTexts.upload })
    await choose.getByText('Phone', { exact: true }).click()
    const chooser = page.waitForEvent('filechooser')
    await choose.getByRole('button', { name: baseTexts.chooseAFolder }).click()
    await (await chooser).setFiles(join(sourceFolder, 'Summer'))
    await panel(page).getByText('2 uploaded').waitFor()
    await waitForCount(page, 'Phone', '4 items')
    expect(readdirSync(join(other, 'Summer', 'beach'))).toEqual(['fifth.jpg'])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('two files are sent at once; leaving warns; a cancelled file is not stored; a failed one can be retried', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: /^Family, / }).click()
    // Requests wait at this gate.
    const gate = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/v1/item/upload/**', async route => {
      sent++
      await gate.promise
      await route.continue().catch(() => {})
    })
    const { drop } = await drag(page, ['6.jpg', '7.jpg', '8.jpg', '9.jpg'])
    await drop()
    await panel(page).getByText('Uploading 1 of 4').waitFor()
    await waitUntil(async () => (sent === 2 ? true : null))
    expect(await panel(page).getByText(baseTexts.waiting).count()).toBe(2)
    // Leaving the page asks first, and the user stays.
    const unloadDialog = page.waitForEvent('dialog')
    void page.evaluate('location.reload()').catch(() => {})
    const warning = await unloadDialog
    expect(warning.type()).toBe('beforeunload')
    await warning.dismiss()

    await panel(page).getByRole('button', { name: 'Cancel 8.jpg' }).click()
    // The browser aborts the request asynchronously.
    const aborted = page.waitForEvent('requestfailed', request => request.url().includes('6.jpg'))
    await panel(page).getByRole('button', { name: 'Cancel 6.jpg' }).click()
    await aborted
    await waitUntil(async () => (sent === 3 ? true : null))
    gate.resolve()
    await panel(page).getByText('2 uploaded').waitFor()
    expect(
      readdirSync(root)
        .filter(name => /^\d/.test(name))
        .sort(),
    ).toEqual(['7.jpg', '9.jpg'])

    // A refusal is shown, and Retry uploads the file.
    await page.unroute('**/v1/item/upload/**')
    await page.route('**/v1/item/upload/**', route =>
      route.fulfill({ status: 507, json: { error: 'The disk is full.', code: 'noSpace' } }),
    )
    const again = await drag(page, ['8.jpg'])
    await again.drop()
    await panel(page).getByText('The disk is full.').waitFor()
    await page.unroute('**/v1/item/upload/**')
    await panel(page).getByRole('button', { name: 'Retry 8.jpg' }).click()
    await panel(page).getByText('1 uploaded').waitFor()
    await page.context().close()
  })

  test('are refused for a read-only collection, and not offered to visitors', async () => {
    const call = (method: string, path: string, body: unknown) =>
      fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await call('PUT', '/v1/collection/1', { readonly: true })).status).toBe(200)
    const { page, errors } = await open()
    await page.getByRole('button', { name: /^Family, / }).click()
    const { drop } = await drag(page, ['third.jpg'])
    await page.getByText('You may not add pictures to Family.').waitFor()
    await drop()
    await page.mouse.move(500, 500)
    await overlay(page).waitFor({ state: 'detached' })
    expect(await panel(page).count()).toBe(0)
    await page.context().close()

    // A visitor has no 'Upload' entry.
    const visitor = await openPage(server.address)
    await visitor.page.getByRole('button', { name: baseTexts.more }).click()
    await visitor.page.getByRole('menuitem', { name: baseTexts.login }).waitFor()
    expect(await visitor.page.getByRole('menuitem', { name: baseTexts.upload }).count()).toBe(0)
    expect([...errors, ...visitor.errors]).toEqual([])
    await visitor.page.context().close()
  })

  test('a phone opens its picture chooser at once', async () => {
    const { page, errors } = await open({ viewport: phone, theme: 'light' })
    // Only one collection accepts uploads, so there is no question.
    const chooser = page.waitForEvent('filechooser')
    await page
      .getByRole('navigation', { name: shellTexts.mainMenu })
      .getByRole('button', { name: baseTexts.upload })
      .click()
    await (await chooser).setFiles([join(sourceFolder, '7.jpg'), join(sourceFolder, '9.jpg')])
    await panel(page).getByText('2 uploaded').waitFor()
    expect(await panel(page).getByRole('list').count()).toBe(0)
    await panel(page).getByRole('button', { name: uploadsTexts.showTheList }).click()
    await panel(page).getByRole('listitem').filter({ hasText: '9.jpg' }).waitFor()
    await saveScreenshot(page, 'upload-phone')
    expect(errors).toEqual([])
    await page.context().close()
  })
})
