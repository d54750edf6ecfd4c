import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from 'playwright'
import { limits } from '../../schema/limits.ts'
import { loadTexts, locales } from '../../web/file-manager/texts/catalogues.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { describeWalks, saveScreenshot } from '../support/browser.ts'
import { button, dialog, dragHandle, fileEntry } from '../support/files-page.ts'
import { isLong, longTest } from '../support/long.ts'
import { picture } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { openWidget } from '../support/widget.ts'

/** The long run shows all languages; the tests of the texts compare all catalogues. */
const shownLocales = isLong ? locales : (['fa', 'tr'] as const)

const isRequestFor = (q: string) => (url: URL) => url.pathname === '/v1/files' && url.searchParams.get('q') === q

describeWalks('the file manager with errors', () => {
  let server: RunningServer
  let root = ''
  const inRoot = (...path: string[]) => join(root, ...path)

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    mkdirSync(inRoot('found'), { recursive: true })
    mkdirSync(inRoot('queue'))
    const data = join(directory, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'config.toml'), `roots = [${JSON.stringify(root)}]\n`)
    server = await startServer(data)
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  test('a refused upload stops the waiting ones; a running one finishes and is not sent twice', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures/queue', maxHeight: '600px' })
    const names = ['first.dat', 'second.dat', 'third.dat', 'fourth.dat']
    const sent: string[] = []
    const held: Route[] = []
    let isHolding = true
    await page.route(isRequestFor('upload'), async route => {
      const body = route.request().postDataBuffer()?.toString('latin1') ?? ''
      const name = names.find(one => body.includes(`"${one}"`)) ?? 'unknown'
      sent.push(name)
      if (!isHolding) return route.continue()
      if (name === 'first.dat') held.push(route)
      else await route.fulfill({ status: 507, json: { message: 'The disk says no.', status: false } })
    })
    await button(page, 'Upload').click()
    const bytes = (name: string) => ({ name, mimeType: '', buffer: Buffer.alloc(500, name) })
    await page.locator('input[type="file"]').setInputFiles(names.map(bytes))
    const send = dialog(page).locator('button[type="submit"]')
    await send.click()
    const row = (name: string) => dialog(page).locator('.fm-upload').filter({ hasText: name })
    await row('second.dat').getByText('The disk says no.').waitFor()
    await dialog(page).getByRole('alert').getByText('The disk says no.').waitFor()
    expect(await row('first.dat').getAttribute('data-state')).toBe('sending')
    for (const name of ['third.dat', 'fourth.dat']) await row(name).getByText(baseTexts.waiting).waitFor()
    expect(await send.isDisabled()).toBe(true)
    // The running upload finishes.
    isHolding = false
    for (const route of held) await route.continue()
    await row('first.dat').getByText(baseTexts.done).waitFor()
    expect(readFileSync(inRoot('queue', 'first.dat'), 'utf8').slice(0, 5)).toBe('first')
    // The button starts the waiting uploads; a failed one has its own button.
    await send.click()
    for (const name of ['third.dat', 'fourth.dat']) await row(name).getByText(baseTexts.done).waitFor()
    await button(page, 'Retry: second.dat').click()
    await row('second.dat').getByText(baseTexts.done).waitFor()
    expect(await dialog(page).getByRole('alert').count()).toBe(0)
    expect(sent.toSorted()).toEqual(['first.dat', 'fourth.dat', 'second.dat', 'second.dat', 'third.dat'])
    expect(readdirSync(inRoot('queue')).toSorted()).toEqual(names.toSorted())
    expect(errors.filter(fault => !fault.includes('507'))).toEqual([])
  })

  test('a picture that cannot be shown cannot be cropped; any other can be cropped once its crop frame is there', async () => {
    writeFileSync(inRoot('broken.jpg'), 'no picture at all')
    writeFileSync(inRoot('whole.jpg'), await picture({ seed: 4, width: 900, height: 500 }))
    const { page, errors } = await openWidget(server, { startPath: '/pictures', maxHeight: '600px' })
    const cannot = dialog(page).getByRole('alert').getByText('This cannot be shown here.')
    await dragHandle(page, 'broken.jpg').dblclick()
    await cannot.waitFor()
    expect(await button(page, 'Edit').isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await dragHandle(page, 'whole.jpg').dblclick()
    await waitUntil(async () => ((await button(page, 'Edit').isEnabled()) ? true : null))
    await button(page, 'Edit').click()
    await waitUntil(async () => ((await button(page, 'Crop').isEnabled()) ? true : null))
    expect(await page.locator('cropper-selection').count()).toBe(1)
    expect(errors).toEqual([])
  })

  longTest('a dialog that could not load without the server loads when the server is back', async () => {
    writeFileSync(inRoot('note.txt'), 'read after all')
    writeFileSync(inRoot('late.jpg'), await picture({ seed: 5, width: 90, height: 50 }))
    mkdirSync(inRoot('late folder'))
    const { page } = await openWidget(server, { startPath: '/pictures', maxHeight: '600px' })
    const alert = dialog(page).getByRole('alert')
    const openWithoutServer = async (isBlocked: (url: URL) => boolean, open: () => Promise<void>) => {
      await page.route(isBlocked, route => route.abort())
      await open()
      await alert.waitFor()
      await page.unroute(isBlocked)
    }
    await openWithoutServer(isRequestFor('preview'), () => dragHandle(page, 'note.txt').dblclick())
    await waitUntil(async () =>
      (await dialog(page).locator('textarea').inputValue()) === 'read after all' ? true : null,
    )
    await alert.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await dragHandle(page, 'note.txt').click()
    await openWithoutServer(isRequestFor('index'), () => button(page, 'Move').click())
    await button(page, 'late folder').waitFor()
    await alert.waitFor({ state: 'detached' })
  })

  test('the roots cannot be changed, but search results from Home can', async () => {
    for (const name of ['needle one.txt', 'needle two.txt']) writeFileSync(inRoot('found', name), name)
    const { page, errors } = await openWidget(server, { fixedTop: 'true', maxHeight: '600px' })
    await dragHandle(page, 'pictures').click()
    for (const name of ['Rename', 'Archive', 'Move', 'Delete']) expect(await button(page, name).isDisabled()).toBe(true)
    await page.getByRole('searchbox').fill('needle')
    await page.getByText('2 items found.').waitFor()
    await dragHandle(page, 'needle one.txt').click({ button: 'right' })
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Preview',
      'Download',
      'Rename',
      'Archive',
      'Move',
      'Delete',
    ])
    await page.getByRole('menuitem', { name: baseTexts.rename }).click()
    await dialog(page).getByRole('textbox').fill('needle 1.txt')
    await page.keyboard.press('Enter')
    await fileEntry(page, 'needle 1.txt').waitFor()
    expect(readdirSync(inRoot('found')).toSorted()).toEqual(['needle 1.txt', 'needle two.txt'])
    // Nothing can be created in '/': the archive goes to the folder of its files, which the dialog shows.
    await page.getByRole('listbox').focus()
    await page.keyboard.press('Control+a')
    await button(page, 'Archive').click()
    await dialog(page).getByText('The archive goes to /pictures/found.').waitFor()
    await saveScreenshot(page, 'file-manager-found')
    await dialog(page).getByRole('textbox').fill('needles')
    await page.keyboard.press('Enter')
    await fileEntry(page, 'needles.zip').waitFor()
    expect(existsSync(inRoot('found', 'needles.zip'))).toBe(true)
    // Search results can be deleted with keys, and archives among them can be unpacked.
    await dragHandle(page, 'needle 1.txt').click()
    await dragHandle(page, 'needle two.txt').click({ modifiers: ['Control'] })
    await page.keyboard.press('Delete')
    await button(page, 'Yes, Delete!').click()
    await page.getByText('1 items found.').waitFor()
    await dragHandle(page, 'needles.zip').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Unarchive' }).click()
    await dialog(page).getByText('at current directory: /pictures/found').waitFor()
    await dialog(page).locator('button[type="submit"]').click()
    await page.getByText('3 items found.').waitFor()
    // Nothing can be moved to the level of the roots.
    await dragHandle(page, 'needles.zip').click()
    await button(page, 'Move').click()
    await dialog(page).getByText('/pictures/found', { exact: true }).first().waitFor()
    const up = dialog(page).getByRole('button', { name: 'Go up' })
    await up.click()
    await waitUntil(async () => ((await button(page, 'Yes, Move!').isEnabled()) ? true : null))
    await up.click()
    await dialog(page).getByRole('button', { name: 'pictures', exact: true }).waitFor()
    expect(await button(page, 'Yes, Move!').isDisabled()).toBe(true)
    expect(errors).toEqual([])
  })

  test('shows refusals of the server in the chosen language', async () => {
    for (const locale of shownLocales) {
      const texts = await loadTexts(locale)
      const { page, errors } = await openWidget(server, { id: `says ${locale}`, locale, startPath: '/pictures/queue' })
      await page.locator('.fm-new').getByRole('button', { name: texts.newFolder }).click()
      const field = dialog(page).getByRole('textbox')
      for (const [name, message] of [
        ['a/b', texts.serverNameSlash],
        ['x'.repeat(256), texts.serverNameBytes.replace('%s', locale === 'fa' ? '۲۵۵' : '255')],
      ] as const) {
        await field.fill(name)
        await page.keyboard.press('Enter')
        await dialog(page).getByRole('alert').getByText(message, { exact: true }).waitFor()
      }
      expect(errors.filter(fault => !fault.includes('400'))).toEqual([])
      await page.context().close()
    }
  })

  test('reports too many entries before anything is requested, in every language', async () => {
    const count = limits.maxFileItems + 1
    const node = (at: number) => ({
      type: 'file',
      path: `/pictures/many/${at}.txt`,
      basename: `${at}.txt`,
      dir: '/pictures/many',
      extension: 'txt',
      mime_type: 'text/plain',
      file_size: 1,
      last_modified: 1,
    })
    const listing = { dirname: '/pictures/many', files: Array.from({ length: count }, (_, at) => node(at)) }
    for (const locale of shownLocales) {
      const texts = await loadTexts(locale)
      const [before = '', after = ''] = texts.serverTooMany.split('%s')
      const { page, errors } = await openWidget(server, { id: locale, locale, maxHeight: '600px' })
      await page.route(isRequestFor('index'), route => route.fulfill({ json: listing }))
      const requested: string[] = []
      page.on('request', request => requested.push(new URL(request.url()).searchParams.get('q') ?? ''))
      await page.locator('.fm-path button').nth(1).click()
      await fileEntry(page, '0.txt').waitFor()
      await page.getByRole('listbox').focus()
      await page.keyboard.press('Control+a')
      const expectMessage = async () => {
        const text = dialog(page).locator('.fm-dialog-body p')
        await text.filter({ hasText: before.trim() }).filter({ hasText: after.trim() }).waitFor()
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
      }
      const chooseFromMenu = async (entry: string) => {
        await dragHandle(page, '1.txt').click({ button: 'right' })
        await page.getByRole('menuitem', { name: entry, exact: true }).click()
      }
      await page.keyboard.press('Delete')
      if (locale === 'fa') await saveScreenshot(page, 'file-manager-too-many')
      await expectMessage()
      for (const entry of [texts.delete, texts.move, texts.archive]) {
        await chooseFromMenu(entry)
        await expectMessage()
        await button(page, entry).click()
        await expectMessage()
      }
      expect(requested.filter(q => /^(delete|move|archive)$/.test(q))).toEqual([])
      expect(errors).toEqual([])
      await page.context().close()
    }
  })
})
