import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { z } from 'zod'
import { describeWalks, laptop, phone } from '../support/browser.ts'
import { button, dialog, dragHandle, fileEntry } from '../support/files-page.ts'
import { picture } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { openWidget } from '../support/widget.ts'
import { buildZip } from '../support/zip-maker.ts'

// The numbers are from the specification, not from the code.
describeWalks('the specified numbers and lists of the file manager', () => {
  let server: RunningServer
  let root = ''
  /** One page for the tests that need no clock, size or folder of their own. */
  let page: Page
  let errors: string[] = []
  const inRoot = (...path: string[]) => join(root, ...path)

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    mkdirSync(inRoot('a', 'b'), { recursive: true })
    mkdirSync(inRoot('many'))
    const small = await picture({ seed: 1, width: 60, height: 40 })
    for (let n = 100; n < 260; n++) writeFileSync(inRoot('many', `${n}.jpg`), small)
    writeFileSync(inRoot('wide.jpg'), await picture({ seed: 2, width: 1200, height: 400 }))
    writeFileSync(inRoot('tall.jpg'), await picture({ seed: 3, width: 400, height: 1200 }))
    writeFileSync(inRoot('el_torcal_rocks.jpg'), small)
    writeFileSync(inRoot('one.txt'), 'one')
    writeFileSync(inRoot('two.txt'), 'two')
    writeFileSync(inRoot('pack.zip'), buildZip([{ name: 'out.txt', data: 'out' }]))
    writeFileSync(inRoot('paper.pdf'), '%PDF-1.4\n%%EOF\n')
    const data = join(directory, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'config.toml'), `roots = [${JSON.stringify(root)}]\n`)
    server = await startServer(data)
    await registerAndSignIn(server)
    ;({ page, errors } = await openWidget(server, { startPath: '/pictures', maxHeight: '600px' }))
  })
  afterAll(() => server.stop())

  /** Stops the clock of the page; the test moves it. */
  async function stopClock({ clock }: Page): Promise<void> {
    await clock.install()
    await clock.pauseAt(Date.now() + 3_600_000)
  }

  async function sizeOf(page: Page, what: string): Promise<{ width: number; height: number }> {
    return waitUntil(() => page.locator(what).first().boundingBox())
  }

  /** Returns a list to which the path of each later request with this `q` is added. */
  function watchPaths(page: Page, q: string): string[] {
    const requested: string[] = []
    page.on('request', request => {
      const query = new URL(request.url()).searchParams
      if (query.get('q') === q) requested.push(query.get('path') ?? '')
    })
    return requested
  }

  test('a touch opens the menu after 500 ms, and not before', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures' }, phone)
    const place = await dragHandle(page, 'one.txt').boundingBox()
    await stopClock(page)
    const touch = await page.context().newCDPSession(page)
    const at = { x: (place?.x ?? 0) + 20, y: (place?.y ?? 0) + 20 }
    const down = page.evaluate(
      "new Promise(done => addEventListener('pointerdown', () => done(true), { once: true, capture: true }))",
    )
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await down
    await page.clock.runFor(499)
    expect(await page.getByRole('menu').count()).toBe(0)
    await page.clock.runFor(1)
    await page.getByRole('menu', { name: 'one.txt' }).waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    expect(errors).toEqual([])
  })

  test('a search starts 400 ms after the last letter', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures' })
    const requested = watchPaths(page, 'search')
    await fileEntry(page, 'one.txt').waitFor()
    await stopClock(page)
    const field = page.getByRole('searchbox')
    await field.fill('tw')
    await page.clock.runFor(399)
    await field.fill('two')
    await page.clock.runFor(399)
    expect(requested).toEqual([])
    const sent = page.waitForRequest(request => request.url().includes('q=search'))
    await page.clock.runFor(1)
    expect(new URL((await sent).url()).searchParams.get('filter')).toBe('two')
    expect(requested).toEqual(['/pictures'])
    expect(errors).toEqual([])
  })

  test('a toast disappears after five seconds, or at once when it is pressed', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures/a' })
    await fileEntry(page, 'b').waitFor()
    const createFolder = async (name: string) => {
      await button(page, 'New folder').click()
      await page.getByLabel('Folder Name').fill(name)
      await page.keyboard.press('Enter')
      const toast = page.locator('.fm-toast').filter({ hasText: `${name} is created.` })
      await toast.waitFor()
      return toast
    }
    const pressed = await createFolder('x')
    await pressed.click()
    await pressed.waitFor({ state: 'detached' })
    await stopClock(page)
    const toast = await createFolder('y')
    await page.clock.runFor(4_999)
    expect(await toast.count()).toBe(1)
    await page.clock.runFor(1)
    await toast.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  test('thumbnails are requested 300 px before they are visible, and not earlier', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures', maxHeight: '420px' })
    const previews = watchPaths(page, 'preview')
    // Thumbnails of the previous folder may still be requested.
    const requested = () => previews.filter(path => path.startsWith('/pictures/many/'))
    await fileEntry(page, 'many').waitFor()
    await dragHandle(page, 'many').dblclick()
    await fileEntry(page, '100.jpg').waitFor()
    const listHeight = Number(await page.evaluate("document.querySelector('.fm-scroll').clientHeight"))
    const drawn = await page.evaluate(
      "[...document.querySelectorAll('.fm-scroll [role=option]')].map(one => one.offsetTop)",
    )
    const tops = z.array(z.number()).parse(drawn)
    const [first = 0] = tops
    const columns = tops.filter(top => top === first).length
    const rowHeight = (tops[columns] ?? 0) - first
    const expectedCount = (scrolled: number) => columns * Math.ceil((scrolled + listHeight + 300 - first) / rowHeight)
    // Preconditions: even 600 px ahead would not reach all 160 pictures, and a row is lower than 300 px.
    expect(columns * Math.ceil((listHeight + 600 - first) / rowHeight)).toBeLessThan(160)
    expect(rowHeight).toBeLessThan(300)
    const waitForRequests = (count: number) => waitUntil(async () => (requested().length >= count ? true : null))
    await waitForRequests(expectedCount(0))
    await waitUntil(async () =>
      (await page.locator('.fm-scroll img[data-loaded="true"]').count()) === expectedCount(0) ? true : null,
    )
    expect(requested().sort()).toEqual(
      Array.from({ length: expectedCount(0) }, (_, n) => `/pictures/many/${100 + n}.jpg`),
    )
    await page.evaluate(`document.querySelector('.fm-scroll').scrollTop = ${rowHeight}`)
    await waitForRequests(expectedCount(rowHeight))
    expect(requested().length).toBe(expectedCount(rowHeight))
    expect(expectedCount(rowHeight)).toBe(expectedCount(0) + columns)
    expect(errors).toEqual([])
  })

  test('Archive, Delete and Unarchive list the names of the entries, and Move lists their paths too', async () => {
    const listedTexts = () =>
      dialog(page)
        .getByRole('list', { name: /item\(s\) selected/ })
        .getByRole('listitem')
        .allInnerTexts()
    const closeDialog = async () => {
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await dialog(page).waitFor({ state: 'detached' })
    }
    await dragHandle(page, 'one.txt').click()
    await dragHandle(page, 'two.txt').click({ modifiers: ['Control'] })
    for (const name of ['Archive', 'Delete']) {
      await button(page, name).click()
      expect((await listedTexts()).map(text => text.trim())).toEqual(['one.txt', 'two.txt'])
      await closeDialog()
    }
    await button(page, 'Move').click()
    const [one = '', two = '', ...more] = await listedTexts()
    expect(more).toEqual([])
    expect(one.split(/\s*\n\s*/)).toEqual(['one.txt', '/pictures/one.txt'])
    expect(two.split(/\s*\n\s*/)).toEqual(['two.txt', '/pictures/two.txt'])
    await dialog(page).getByRole('button', { name: 'many', exact: true }).click()
    await dialog(page).getByText('/pictures/many', { exact: true }).waitFor()
    await closeDialog()
    await dragHandle(page, 'pack.zip').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Unarchive', exact: true }).click()
    expect((await listedTexts()).map(text => text.trim())).toEqual(['pack.zip'])
    await dialog(page).getByText('This archive will be unarchived at current directory: /pictures').waitFor()
    await closeDialog()
    expect(readdirSync(root)).toContain('one.txt')
    expect(errors).toEqual([])
  })

  test('the queue of uploads lists each file with its size and its progress, and reports one that got no response', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures/a', maxHeight: '600px' })
    await fileEntry(page, 'b').waitFor()
    await button(page, 'Upload').click()
    await button(dialog(page), 'Select Files').waitFor()
    const files = [
      { name: 'small.dat', mimeType: '', buffer: Buffer.alloc(1000) },
      { name: 'large.dat', mimeType: '', buffer: Buffer.alloc(3 * 1024) },
    ]
    await page.locator('input[type="file"]').setInputFiles(files)
    const row = (name: string) => dialog(page).getByRole('listitem').filter({ hasText: name })
    await row('small.dat').getByText('1,000 B').waitFor()
    await row('large.dat').getByText('3 KiB').waitFor()
    expect(await dialog(page).getByText('0%', { exact: true }).count()).toBe(2)
    await page.evaluate(`{
      const { send } = XMLHttpRequest.prototype
      window.withCredentials = []
      XMLHttpRequest.prototype.send = function (body) {
        window.withCredentials.push(this.withCredentials)
        return send.call(this, body)
      }
    }`)
    await dialog(page).locator('button[type="submit"]').click()
    for (const { name } of files) await row(name).getByText('100%', { exact: true }).waitFor()
    expect(await page.evaluate('window.withCredentials')).toEqual([true, true])
    expect(errors).toEqual([])

    // An upload that cannot reach the server is reported.
    await page.route(
      url => url.searchParams.get('q') === 'upload',
      route => route.abort(),
    )
    const file = { name: 'lost.dat', mimeType: '', buffer: Buffer.alloc(10) }
    await page.locator('input[type="file"]').setInputFiles([file])
    await dialog(page).locator('button[type="submit"]').click()
    await dialog(page)
      .locator('[data-state="failed"]')
      .filter({ hasText: 'lost.dat' })
      .getByText('The server cannot be reached. Try again.')
      .waitFor()
    expect(readdirSync(inRoot('a'))).not.toContain('lost.dat')
  })

  test('a text has Save and a picture has Crop only after a press of Edit, which becomes Cancel until it is pressed again', async () => {
    for (const [name, action] of [
      ['one.txt', 'Save'],
      ['wide.jpg', 'Crop'],
    ] as const) {
      await dragHandle(page, name).dblclick()
      await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
      const buttonTexts = async () => {
        const texts = await dialog(page).locator('footer').getByRole('button').allInnerTexts()
        return texts.map(text => text.trim())
      }
      expect(await buttonTexts()).toEqual(['Edit', 'Close', 'Download'])
      await button(dialog(page), 'Edit').click()
      await button(dialog(page), action).waitFor()
      expect(await buttonTexts()).toEqual(['Cancel', action, 'Close', 'Download'])
      await button(dialog(page), 'Cancel').click()
      await button(dialog(page), 'Edit').waitFor()
      expect(await buttonTexts()).toEqual(['Edit', 'Close', 'Download'])
      await button(dialog(page), 'Close').first().click()
      await dialog(page).waitFor({ state: 'detached' })
    }
    expect(errors).toEqual([])
  })

  test('a picture is shown in its own shape, at most 50vh wide and tall; a PDF is 60vh high', async () => {
    const half = laptop.height / 2
    for (const [name, width, height] of [
      ['wide.jpg', half, half / 3],
      ['tall.jpg', half / 3, half],
    ] as const) {
      await dragHandle(page, name).dblclick()
      await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
      const shown = await sizeOf(page, '.fm-stage > img')
      expect([Math.round(shown.width), Math.round(shown.height)]).toEqual([width, height])
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    }
    await dragHandle(page, 'paper.pdf').dblclick()
    await dialog(page).locator('.fm-pdf').first().waitFor()
    expect((await sizeOf(page, '.fm-pdf')).height).toBe(laptop.height * 0.6)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('the crop frame has the ratio of 795 by 341, and crops the original pixels', async () => {
    // The result is made from the original, twice its size. Made from the smaller picture on the screen, its lines
    // would be blurred.
    const [width, height] = [795 * 2, 341 * 2]
    const lines = Buffer.from(
      `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#fff"/>${Array.from(
        { length: width / 10 },
        (_, n) => (n % 2 === 0 ? `<rect x="${n * 10}" width="10" height="${height}"/>` : ''),
      ).join('')}</svg>`,
    )
    writeFileSync(inRoot('lines.png'), await sharp(lines).png().toBuffer())
    await button(page, 'Refresh').click()
    await dragHandle(page, 'lines.png').dblclick()
    await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    await button(dialog(page), 'Edit').click()
    await waitUntil(async () => ((await page.locator('cropper-selection').boundingBox())?.width ?? 0) > 50 || null)
    await dialog(page).getByText('795 × 341').waitFor()
    const frame = await sizeOf(page, 'cropper-selection')
    expect(frame.width / frame.height).toBeCloseTo(795 / 341, 1)
    await button(dialog(page), 'Crop').click()
    await page.getByText('Updated.').waitFor()
    const cropped = await sharp(readFileSync(inRoot('lines.png')))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([cropped.info.width, cropped.info.height]).toEqual([795, 341])
    const middle = cropped.data.subarray(795 * 170, 795 * 171)
    const sharpPixels = middle.filter(grey => grey < 40 || grey > 215).length
    expect(sharpPixels).toBeGreaterThan(795 * 0.7)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  test('a long name in the grid is cut to 14 characters and an ellipsis', async () => {
    await fileEntry(page, 'el_torcal_rocks.jpg').waitFor()
    const name = '[data-name="el_torcal_rocks.jpg"] .fm-cell-name'
    const shown = await page.evaluate(`getComputedStyle(document.querySelector('${name}'), '::before').content`)
    expect(shown).toBe('"el_torcal_rock…"')
    expect(errors).toEqual([])
  })
})
