import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { describeWalks, saveScreenshot } from '../support/browser.ts'
import { button, dialog, fileEntry } from '../support/files-page.ts'
import { picture } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { openWidget } from '../support/widget.ts'

describeWalks('the widget on its own', () => {
  let server: RunningServer
  let [root, outside] = ['', '']
  const inRoot = (...path: string[]) => join(root, ...path)

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    outside = join(directory, 'elsewhere')
    mkdirSync(inRoot('older'), { recursive: true })
    mkdirSync(join(outside, 'Summer', 'beach', 'empty'), { recursive: true })
    writeFileSync(join(outside, 'Summer', 'day.txt'), 'a day')
    writeFileSync(join(outside, 'Summer', 'beach', 'shell.txt'), 'a shell')
    writeFileSync(join(outside, 'alone.txt'), 'alone')
    writeFileSync(inRoot('wide.jpg'), await picture({ seed: 1, width: 1200, height: 400 }))
    symlinkSync(outside, inRoot('way out'))
    const data = join(directory, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'config.toml'), `roots = [${JSON.stringify(root)}]\n`)
    server = await startServer(data)
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  /** Drops files and folders of the computer on the list. */
  async function drop(page: Page, ...names: string[]): Promise<void> {
    const list = await page.locator('.fm-scroll').boundingBox()
    const at = { x: (list?.x ?? 0) + 500, y: (list?.y ?? 0) + (list?.height ?? 0) - 40 }
    const files = names.map(name => join(outside, name))
    const session = await page.context().newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, ...at, data: { items: [], files, dragOperationsMask: 1 } })
    }
    await session.detach()
  }

  test('uses its options, and the specified defaults without them', async () => {
    const plain = await openWidget(server)
    const widget = plain.page.locator('.fm')
    await fileEntry(plain.page, 'pictures').waitFor()
    expect(await widget.getAttribute('data-theme')).toBe('keepsake-dark')
    expect(await widget.getAttribute('lang')).toBe('en')
    expect(await widget.getAttribute('style')).toBe('height: 400px;')
    expect((await widget.boundingBox())?.height).toBe(400)
    expect(await plain.page.locator('.fm-explorer').getAttribute('style')).toBe('min-height: 150px;')
    expect(await button(plain.page, 'Home').isVisible()).toBe(true)
    await plain.page.getByText('1 items found.').waitFor()
    const request = plain.page.waitForRequest(request => request.url().includes('q=index'))
    await fileEntry(plain.page, 'pictures').locator('[data-grab]').dblclick()
    // postData is sent with every call.
    expect(new URL((await request).url()).searchParams.get('_csrf')).toMatch(/\w{8}/)
    await button(plain.page, 'Upload').click()
    await dialog(plain.page).getByText('Files of at most 10 MiB.').waitFor()
    await plain.page.keyboard.press('Escape')
    await button(plain.page, 'Select Path').click()
    await waitUntil(async () => ((await plain.page.title()) === '/pictures' ? true : null))

    const other = await openWidget(server, {
      id: 'other',
      dark: 'false',
      locale: 'tr',
      maxHeight: '612px',
      maxFileSize: '3kb',
      startPath: '/pictures/older',
    })
    const turkish = other.page.locator('.fm')
    await other.page.getByText('Bu klasör boş.').waitFor()
    expect(await turkish.getAttribute('data-theme')).toBe('keepsake-light')
    expect(await turkish.getAttribute('lang')).toBe('tr')
    expect(await turkish.getAttribute('style')).toBe('height: 612px;')
    await other.page.locator('.fm-new button').nth(2).click()
    await dialog(other.page).getByText('3 KiB').waitFor()
    const low = await openWidget(server, { id: 'low', maxHeight: '60px', startPath: '/pictures' })
    await fileEntry(low.page, 'wide.jpg').waitFor()
    expect((await low.page.locator('.fm-explorer').boundingBox())?.height).toBe(150)
    expect([plain.errors, other.errors, low.errors]).toEqual([[], [], []])
  })

  test('follows the language of the page until a user chooses one', async () => {
    const { page, errors } = await openWidget(server, { id: 'tongue', locale: 'de', startPath: '/pictures' })
    const widget = page.locator('.fm')
    const setPageLocale = async (locale: string) => {
      const address = new URL(page.url())
      address.searchParams.set('locale', locale)
      await page.goto(address.href)
      await widget.waitFor()
    }
    const shows = (locale: string) => page.locator(`.fm[lang="${locale}"]`).waitFor()
    await page.getByText('The selected locale is not yet supported!').waitFor()
    await shows('en')
    await setPageLocale('fa')
    await shows('fa')
    // The Persian texts are shown at once, and are not mixed with another language.
    await page.getByPlaceholder('جستجو').waitFor()
    await setPageLocale('tr')
    await shows('tr')
    await setPageLocale('ru')
    await shows('ru')
    await widget.locator('[aria-haspopup="menu"]').click()
    await page.getByRole('menuitemradio', { name: 'Türkçe' }).click()
    await shows('tr')
    await setPageLocale('fa')
    await shows('tr')
    expect(errors).toEqual([])
  })

  // Each view mode with its description. `frameLeaves`: the frame can leave the picture. `shrinks`: the picture can
  // become smaller than the frame. `fills`: the picture fills its area from the start.
  const modes = [
    [0, 'the frame and the picture move freely', { frameLeaves: true, shrinks: true, fills: false }],
    [1, 'the frame stays on the picture', { frameLeaves: false, shrinks: false, fills: false }],
    [2, 'the picture fills the area in one direction', { frameLeaves: false, shrinks: false, fills: false }],
    [3, 'the picture fills the area in both directions', { frameLeaves: false, shrinks: false, fills: true }],
  ] as const
  for (const [mode, description, can] of modes) {
    test(`view mode ${mode}: ${description}`, async () => {
      const png = sharp(await picture({ seed: 2, width: 900, height: 700 })).png()
      writeFileSync(inRoot('crop me.png'), await png.toBuffer())
      const { page, errors } = await openWidget(server, { viewMode: String(mode), startPath: '/pictures' })
      const box = async (name: string) => {
        const found = await page.locator(name).boundingBox()
        if (found === null) throw new Error(`there is no ${name}`)
        return { ...found, right: found.x + found.width, bottom: found.y + found.height }
      }
      const isInside = (inner: { x: number; y: number; right: number; bottom: number }, outer: typeof inner) =>
        inner.x >= outer.x - 1 &&
        inner.y >= outer.y - 1 &&
        inner.right <= outer.right + 1 &&
        inner.bottom <= outer.bottom + 1
      const crop = async (name: string) => {
        await fileEntry(page, name).locator('[data-grab]').dblclick()
        await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
        await button(page, 'Edit').click()
        await waitUntil(async () => ((await box('cropper-selection').catch(() => null))?.width ?? 0) > 50 || null)
      }
      // The result has 795 by 341 pixels, whether the picture may be smaller than the area or not.
      if (mode === 0 || mode === 3) {
        await crop('crop me.png')
        await button(page, 'Crop').click()
        await page.getByText('Updated.').waitFor()
        const { width, height, format } = await sharp(readFileSync(inRoot('crop me.png'))).metadata()
        expect([width, height, format]).toEqual([795, 341, 'png'])
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
      }
      await crop('wide.jpg')
      const room = await box('.fm-crop')
      const image = await box('cropper-image')
      expect(isInside(await box('cropper-selection'), image)).toBe(true)
      expect(isInside(await box('cropper-selection'), room)).toBe(true)
      // In mode 3 the picture fills the area from the start; in the others all of it is shown.
      expect(image.height >= room.height - 1).toBe(can.fills)
      await saveScreenshot(page, `file-manager-crop-${mode}`)

      // The frame is dragged far to the left and up.
      const frame = await box('cropper-selection')
      const drag = async (from: { x: number; y: number }, x: number, y: number) => {
        await page.mouse.move(from.x, from.y)
        await page.mouse.down()
        await page.mouse.move(from.x + x, from.y + y, { steps: 8 })
        await page.mouse.up()
      }
      await drag({ x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 }, -900, -600)
      expect(isInside(await box('cropper-selection'), await box('cropper-image'))).toBe(!can.frameLeaves)

      // The picture is made smaller and smaller.
      await page.mouse.move(room.x + room.width / 2, room.y + room.height / 2)
      for (let n = 0; n < 30; n++) await page.mouse.wheel(0, 240)
      await page.evaluate('new Promise(requestAnimationFrame)')
      const small = await box('cropper-image')
      expect(isInside(await box('cropper-selection'), small)).toBe(!can.shrinks)
      if (mode >= 2) {
        const across = small.width >= room.width - 1
        const down = small.height >= room.height - 1
        expect(mode === 2 ? across || down : across && down).toBe(true)
        expect(small.x <= room.x + 1 && small.right >= room.right - 1).toBe(true)
      }
      expect(errors).toEqual([])
    })
  }

  test('at the roots, a message explains where to drop files', async () => {
    const { page, errors } = await openWidget(server, { fixedTop: 'true' })
    await fileEntry(page, 'pictures').waitFor()
    await drop(page, 'alone.txt')
    await page.getByRole('dialog', { name: 'Message' }).getByText('open one of them first').waitFor()
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  test('dropped folders are uploaded with their contents, even when some folders exist already', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures', maxHeight: '600px' })
    await fileEntry(page, 'older').waitFor()
    mkdirSync(inRoot('Summer'))
    await drop(page, 'Summer', 'alone.txt')
    const rows = dialog(page).locator('.fm-upload')
    await rows.filter({ hasText: 'Summer/beach/shell.txt' }).waitFor()
    expect(await rows.count()).toBe(4)
    await rows.filter({ hasText: 'Summer/beach/empty' }).getByText('Folder').waitFor()
    await saveScreenshot(page, 'file-manager-drop')
    await dialog(page).locator('button[type="submit"]').click()
    await waitUntil(async () => ((await dialog(page).locator('[data-state="done"]').count()) === 4 ? true : null))
    expect(readFileSync(inRoot('Summer', 'beach', 'shell.txt'), 'utf8')).toBe('a shell')
    expect(readFileSync(inRoot('Summer', 'day.txt'), 'utf8')).toBe('a day')
    expect(readdirSync(inRoot('Summer', 'beach', 'empty'))).toEqual([])
    expect(existsSync(inRoot('alone.txt'))).toBe(true)
    // A file with the name of a dropped folder is reported, and stays as it is.
    writeFileSync(join(outside, 'Summer', 'later.txt'), 'later')
    writeFileSync(inRoot('Autumn'), 'a file')
    mkdirSync(join(outside, 'Autumn'))
    writeFileSync(join(outside, 'Autumn', 'leaf.txt'), 'a leaf')
    await button(page, 'Cancel').last().click()
    await fileEntry(page, 'Summer').waitFor()
    await drop(page, 'Autumn')
    await rows.filter({ hasText: 'Autumn/leaf.txt' }).waitFor()
    await dialog(page).locator('button[type="submit"]').click()
    await dialog(page).locator('[data-state="failed"]').getByText('There is already something named').waitFor()
    expect(readFileSync(inRoot('Autumn'), 'utf8')).toBe('a file')
    expect(errors).toEqual([])
  })

  test('a link can only be deleted', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures' })
    await fileEntry(page, 'way out').locator('[data-grab]').click({ button: 'right' })
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Delete'])
    await page.keyboard.press('Escape')
    // The focus returns to the list once the menu is closed.
    await page.locator('[role="listbox"]:focus').waitFor()
    expect(await button(page, 'Rename').isDisabled()).toBe(true)
    await page.keyboard.press('Delete')
    await button(page, 'Yes, Delete!').click()
    await fileEntry(page, 'way out').waitFor({ state: 'detached' })
    expect(existsSync(join(outside, 'alone.txt'))).toBe(true)
    expect(errors).toEqual([])
  })

  test("'/' starts a search, and Control+A selects all entries on every keyboard", async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures' })
    await fileEntry(page, 'older').waitFor()
    await page.getByRole('listbox').focus()
    await page.keyboard.press('/')
    expect(await page.locator('input[type="search"]:focus').count()).toBe(1)
    await page.keyboard.press('/')
    expect(await page.getByRole('searchbox').inputValue()).toBe('/')
    await page.keyboard.press('Escape')
    await fileEntry(page, 'older').waitFor()
    // Control+A on a Russian and on a Persian keyboard.
    for (const key of ['ф', 'ش']) {
      await page.getByRole('listbox').focus()
      await page.keyboard.press('Escape')
      await page.locator('.fm-scroll').dispatchEvent('keydown', { key, code: 'KeyA', ctrlKey: true })
      const count = await page.getByRole('option').count()
      await page.getByText(`${count} item(s) selected.`).waitFor()
    }
    expect(errors).toEqual([])
  })

  test('sends no change without a selection or a name', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures' })
    await fileEntry(page, 'older').waitFor()
    const sent: string[] = []
    page.on('request', request => {
      const q = new URL(request.url()).searchParams.get('q') ?? ''
      if (/^(delete|rename|move|archive|newfolder|newfile)$/.test(q)) sent.push(q)
    })
    await page.getByRole('listbox').focus()
    await page.keyboard.press('Delete')
    await page.keyboard.press('F2')
    expect(await dialog(page).count()).toBe(0)
    for (const name of ['Rename', 'Archive', 'Move', 'Delete']) expect(await button(page, name).isDisabled()).toBe(true)
    await fileEntry(page, 'wide.jpg').locator('[data-grab]').click()
    await page.keyboard.press('F2')
    expect(await dialog(page).getByRole('textbox').inputValue()).toBe('wide.jpg')
    await dialog(page).getByRole('textbox').fill(' ')
    await page.keyboard.press('Enter')
    expect(await dialog(page).getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true)
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    for (const name of ['New folder', 'New file']) {
      await button(page, name).click()
      await page.keyboard.press('Enter')
      expect(await dialog(page).getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
    }
    expect(sent).toEqual([])
    expect(errors).toEqual([])
  })

  /** Refuses all requests with this `q`, as the server would. */
  async function refuse(page: Page, q: string, message: string): Promise<void> {
    await page.route(
      url => url.pathname === '/v1/files' && url.searchParams.get('q') === q,
      route => route.fulfill({ status: 409, json: { message, status: false, error: message, code: 'conflict' } }),
    )
  }

  test("a viewer shows 'Loading' until it is ready", async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures', maxHeight: '600px' })
    await fileEntry(page, 'wide.jpg').waitFor()
    const preview = (url: URL) => url.searchParams.get('q') === 'preview' && !url.searchParams.has('size')
    const held = Promise.withResolvers<void>()
    await page.route(preview, async route => {
      await held.promise
      await route.continue()
    })
    await fileEntry(page, 'wide.jpg').locator('[data-grab]').dblclick()
    await dialog(page).getByText('Loading').waitFor()
    held.resolve()
    await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    expect(await dialog(page).getByText('Loading').count()).toBe(0)
    expect(errors).toEqual([])
  })

  test('each dialog shows the refusal of the server and stays open', async () => {
    writeFileSync(inRoot('words.txt'), 'words')
    writeFileSync(inRoot('pack.zip'), 'no zip')
    writeFileSync(inRoot('crop.jpg'), await picture({ seed: 3, width: 900, height: 500 }))
    const { page, errors } = await openWidget(server, { startPath: '/pictures', maxHeight: '600px' })
    await fileEntry(page, 'words.txt').waitFor()
    const select = (name: string) => fileEntry(page, name).locator('[data-grab]').click()
    const chooseFromMenu = async (name: string, entry: string) => {
      await fileEntry(page, name).locator('[data-grab]').click({ button: 'right' })
      await page.getByRole('menuitem', { name: entry, exact: true }).click()
    }
    const submit = () => dialog(page).locator('button[type="submit"]').click()
    const cropping = async () => {
      await fileEntry(page, 'crop.jpg').locator('[data-grab]').dblclick()
      await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
      await button(page, 'Edit').click()
      await waitUntil(async () => ((await page.locator('cropper-selection').boundingBox())?.width ?? 0) > 50 || null)
      await page.locator('.fm-crop').press('ArrowLeft')
      await button(page, 'Crop').click()
    }
    const saving = async () => {
      await fileEntry(page, 'words.txt').locator('[data-grab]').dblclick()
      await button(page, 'Edit').click()
      await dialog(page).getByRole('textbox').fill('other words')
      await button(page, 'Save').click()
    }
    const dialogs: [q: string, act: () => Promise<void>][] = [
      [
        'delete',
        () =>
          select('words.txt')
            .then(() => page.keyboard.press('Delete'))
            .then(submit),
      ],
      [
        'newfolder',
        () =>
          button(page, 'New folder')
            .click()
            .then(() => page.keyboard.type('x'))
            .then(submit),
      ],
      [
        'newfile',
        () =>
          button(page, 'New file')
            .click()
            .then(() => page.keyboard.type('x'))
            .then(submit),
      ],
      [
        'rename',
        () =>
          chooseFromMenu('words.txt', 'Rename')
            .then(() => page.keyboard.type('x'))
            .then(submit),
      ],
      ['archive', () => chooseFromMenu('words.txt', 'Archive').then(submit)],
      ['unarchive', () => chooseFromMenu('pack.zip', 'Unarchive').then(submit)],
      [
        'move',
        async () => {
          await chooseFromMenu('words.txt', 'Move')
          await dialog(page).getByRole('button', { name: 'older', exact: true }).click()
          await submit()
        },
      ],
      ['upload', cropping],
      ['save', saving],
    ]
    for (const [q, act] of dialogs) {
      const message = `The server has something against ${q}.`
      await refuse(page, q, message)
      await act()
      const alert = dialog(page).getByRole('alert').filter({ hasText: message })
      await alert.waitFor()
      await dialog(page).getByRole('button', { name: 'Dismiss' }).click()
      await alert.waitFor({ state: 'detached' })
      const close = dialog(page)
        .locator('footer')
        .getByRole('button', { name: /^(Cancel|Close)$/ })
      await close.last().click()
      if (q === 'save') break
      // A changed frame is discarded only after a second press.
      if (q === 'upload') {
        await dialog(page).getByRole('alert').getByText('are not saved').waitFor()
        await waitUntil(async () => {
          await close
            .last()
            .click({ timeout: 1_000 })
            .catch(() => {})
          return (await dialog(page).count()) === 0 ? true : null
        })
      }
      await dialog(page).waitFor({ state: 'detached' })
    }
    expect(readFileSync(inRoot('words.txt'), 'utf8')).toBe('words')
    expect(errors).toEqual([])
  })

  test('a running upload disables its button, and then the folder shows the file', async () => {
    const { page, errors } = await openWidget(server, { startPath: '/pictures/older', maxHeight: '600px' })
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    await page.route(
      url => url.searchParams.get('q') === 'upload',
      async route => {
        await held
        await route.continue()
      },
    )
    await button(page, 'Upload').click()
    const send = dialog(page).locator('button[type="submit"]')
    expect(await send.isDisabled()).toBe(true)
    await page
      .locator('input[type="file"]')
      .setInputFiles([{ name: 'came.dat', mimeType: '', buffer: Buffer.alloc(10) }])
    expect(await send.isEnabled()).toBe(true)
    await send.click()
    await dialog(page).locator('[data-state="sending"]').waitFor()
    expect(await send.isDisabled()).toBe(true)
    release()
    await fileEntry(page, 'came.dat').waitFor()
    // The button is enabled again; with nothing left to send it opens the file chooser.
    expect(await send.isEnabled()).toBe(true)
    const chooser = page.waitForEvent('filechooser')
    await send.click()
    await chooser
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })
})
