import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { seedLibrary } from '../../bench/seed-library.ts'
import { systemClock } from '../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { sharingTexts } from '../../web/texts/sharing.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { describeWalks, openPage, type PageOptions, phone, saveScreenshot } from '../support/browser.ts'
import { longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const itemCount = 25

/** Writes one picture for each of the first 25 days of August 2019. The newest has a location. */
async function writePictures(root: string) {
  mkdirSync(root)
  const place =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,8.4N" exif:GPSLongitude="11,34.8E"/></rdf:RDF></x:xmpmeta>'
  for (let n = 1; n <= itemCount; n++) {
    const day = String(n).padStart(2, '0')
    const exif = takenAt(`2019-08-${day} 12:00:00`)
    const bytes = await picture({ seed: n, width: 1000, height: 750, exif, xmp: n === itemCount ? place : undefined })
    writeFileSync(join(root, `${day}.jpg`), bytes)
  }
}

/** Opens the gallery as Inés. */
async function open({ address }: RunningServer, options: PageOptions = {}) {
  const opened = await openPage(address, { ...options, user: 'ines' })
  await opened.page.locator('.card-link').first().waitFor()
  return opened
}

const bar = (page: Page) => page.getByRole('toolbar', { name: selectionTexts.selection })
const card = (page: Page, day: number) => page.locator(`.card-link[aria-label*=" ${day} August 2019"]`)
const circle = (page: Page, day: number) => page.getByRole('checkbox', { name: ` ${day} August 2019` })

describeWalks('the gallery', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    await writePictures(join(directory, 'pictures'))
    server = await startServer(join(directory, 'data'), [join(directory, 'pictures')])
    const token = await registerAndSignIn(server)
    await waitUntil(async () => {
      const headers = { authorization: `Bearer ${token}` }
      const list = await (await fetch(`${server.address}/v1/item/list/0`, { headers })).text()
      const jobs = await (await fetch(`${server.address}/v1/job?state=active`, { headers })).text()
      return list.includes(`"total_records":${itemCount}`) && jobs === '[]' ? true : null
    })
  })
  afterAll(() => server.stop())

  test('keeps its popovers and menus within every window, left to right and right to left', async () => {
    for (const direction of ['ltr', 'rtl']) {
      const { page, errors } = await openPage(server.address, { viewport: { width: 600, height: 800 } })
      await page.evaluate(`document.documentElement.dir = '${direction}'`)
      for (const width of [600, 768, 820, 960, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        for (const name of ['Options', 'Notifications', 'More']) {
          const button = page.getByRole('button', { name, exact: true })
          await button.click()
          const floating = await page.locator('.popover, .menu').boundingBox()
          const [start, end] = [floating?.x ?? -1, (floating?.x ?? 0) + (floating?.width ?? 0)]
          expect({ direction, width, name, start: start >= 0, end: end <= width }).toEqual({
            direction,
            width,
            name,
            start: true,
            end: true,
          })
          await page.keyboard.press('Escape')
        }
      }
      expect(errors).toEqual([])
      await page.context().close()
    }
  })

  longTest('shows no placeholder rows under a single row', async () => {
    const { page } = await open(server)
    const backgroundOf = async (part: string) =>
      String(await page.evaluate(`getComputedStyle(document.querySelector('${part}')).backgroundImage`))
    expect(await backgroundOf('.grid-spacer')).toContain('gradient')
    await page.goto(`${server.address}/?near=48.14,11.58,5000`)
    await waitUntil(async () => ((await page.locator('.card-link').count()) === 1 ? true : null))
    expect([await backgroundOf('.grid-scroller'), await backgroundOf('.grid-spacer')]).toEqual(['none', 'none'])
    await page.context().close()
  })

  test('items are selected with circles, across pages, with keys, and all at once', async () => {
    const { page, errors } = await open(server)

    // A circle selects; Shift selects a range across pages, including items that were never loaded.
    await card(page, 25).hover()
    await circle(page, 25).click()
    await bar(page).getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'Page 3' }).click()
    await bar(page).getByText('1 not on this page').waitFor()
    await card(page, 2).click({ modifiers: ['Shift'] })
    await bar(page).getByText('24 selected').waitFor()
    await bar(page).getByText('20 not on this page').waitFor()
    await saveScreenshot(page, 'selection')

    // The selection survives another filter, even an empty result; Escape clears it.
    await page.getByRole('button', { name: /^Jan,/ }).click()
    await page.getByRole('heading', { name: baseTexts.noItems }).waitFor()
    await bar(page).getByText('24 selected').waitFor()
    await page.getByRole('button', { name: baseTexts.clearTheFilter }).click()
    await card(page, 25).waitFor()
    expect(await page.locator('.card-pic:not([data-selected="true"])').count()).toBe(0)
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })

    // Control and X add an item; Shift with the arrows extends and shrinks the selection; Space removes an item.
    await card(page, 24).click({ modifiers: ['ControlOrMeta'] })
    await card(page, 22).focus()
    await page.keyboard.press('x')
    await bar(page).getByText('2 selected').waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await bar(page).getByText('4 selected').waitFor()
    await page.keyboard.press('Shift+ArrowLeft')
    await bar(page).getByText('3 selected').waitFor()
    await page.keyboard.press('Space')
    await bar(page).getByText('2 selected').waitFor()

    // The menu and a key select everything. Selecting everything resets pages to ten items.
    await page.getByLabel(baseTexts.itemsPerPage).selectOption('50')
    await page.getByRole('button', { name: baseTexts.more, exact: true }).click()
    await page.getByRole('menuitem', { name: baseTexts.selectCurrent }).click()
    await bar(page).getByText('25 selected').waitFor()
    await page.getByRole('button', { name: selectionTexts.clearTheSelection }).click()
    await bar(page).waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+a')
    await bar(page).getByText('25 selected').waitFor()
    expect(await page.getByLabel(baseTexts.itemsPerPage).inputValue()).toBe('10')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the menu of a card copies pictures and links, with mouse and keys', async () => {
    const { page, errors } = await open(server)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

    // The menu by mouse.
    await card(page, 25).click({ button: 'right' })
    const menu = page.getByRole('menu', { name: selectionTexts.item })
    await menu.waitFor()
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
      'Edit Metadata',
      'Locate on Map',
      'Copy to clipboard',
      'Open original',
      'Share',
      'Add to album',
    ])
    await menu.getByRole('menuitem', { name: baseTexts.copyToClipboard }).hover()
    const sizes = page.getByRole('menu', { name: baseTexts.copyToClipboard })
    await sizes.waitFor()
    expect(await sizes.getByRole('menuitem').allTextContents()).toEqual(['Tiny', 'Small', 'Medium', 'Large', 'Variant'])
    await saveScreenshot(page, 'item-menu')
    await sizes.getByRole('menuitem', { name: selectionTexts.small }).click()
    await page.getByText(selectionTexts.imageCopiedToClipboard).waitFor()
    expect(
      await page.evaluate<unknown>(`(async () => {
        const [entry] = await navigator.clipboard.read()
        const picture = await createImageBitmap(await entry.getType('image/png'))
        return [entry.types, picture.width, picture.height]
      })()`),
    ).toEqual([['image/png'], 480, 360])

    // By keys: Shift+F10 opens the menu, the right arrow enters a submenu, Escape closes one menu at a time.
    await card(page, 23).focus()
    await page.keyboard.press('Shift+F10')
    await page.locator('.menu-entry:focus').waitFor()
    // This item has no location.
    expect(await menu.getByRole('menuitem', { name: selectionTexts.locateOnMap }).count()).toBe(0)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: selectionTexts.hours24 }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: selectionTexts.hours24 }).waitFor({ state: 'detached' })
    // The focus is back on the entry that opened the submenu.
    await page.locator('.menu-entry:focus', { hasText: selectionTexts.share }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('.menu-entry:focus', { hasText: selectionTexts.hours24 }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText(baseTexts.shareLinkCopiedToClipboard).waitFor()
    await menu.waitFor({ state: 'detached' })
    await page.locator('.card-link:focus').waitFor()

    // The link opens without an account.
    const link = String(await page.evaluate<unknown>('navigator.clipboard.readText()'))
    expect(link).toStartWith(`${server.address}/share/`)
    const visitor = await openPage(link)
    await visitor.page.locator('.viewer').waitFor()
    await visitor.page.context().close()
    expect([...errors, ...visitor.errors]).toEqual([])
    await page.context().close()
  })

  test('without a clipboard, shows the link and offers the picture for download', async () => {
    const { page, errors } = await open(server)
    await page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: false })`)
    await card(page, 25).click({ button: 'right' })
    await page.getByRole('menuitem', { name: selectionTexts.share }).click()
    await page.getByRole('menuitem', { name: selectionTexts.aWeek }).click()
    expect(await page.getByRole('textbox', { name: sharingTexts.shareLink }).inputValue()).toStartWith(
      `${server.address}/share/`,
    )
    await saveScreenshot(page, 'share-by-hand')
    await page.keyboard.press('Escape')
    await card(page, 25).click({ button: 'right' })
    await page.getByRole('menuitem', { name: baseTexts.copyToClipboard }).click()
    await page.getByRole('menuitem', { name: selectionTexts.tiny }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('link', { name: baseTexts.download }).click()
    expect((await download).suggestedFilename()).toBe('25.webp')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keys rate and delete items, and a deletion can be undone', async () => {
    const { page, errors } = await open(server)
    await card(page, 21).focus()
    await page.keyboard.press('4')
    await page.getByRole('link', { name: '21 August 2019, 4 stars' }).waitFor()

    // The server refuses: the stars are reset, with a message.
    await page.route('**/tag/Rating', route => route.fulfill({ status: 500, json: { error: 'no such luck' } }))
    await page.keyboard.press('2')
    await page.getByText(baseTexts.failedToSaveRating).waitFor()
    await page.getByRole('link', { name: '21 August 2019, 4 stars' }).waitFor()
    await page.unroute('**/tag/Rating')

    // The same in the viewer.
    await page.keyboard.press('Enter')
    await page.locator('.viewer').waitFor()
    await page.keyboard.press('5')
    await page.getByText('5 stars').first().waitFor()

    // Deleting asks first, and then shows the next item.
    await page.keyboard.press('Delete')
    await page.getByText(baseTexts.deleteQuestion, { exact: true }).waitFor()
    await saveScreenshot(page, 'delete')
    // The dialog has the focus, even above the viewer.
    await page.getByRole('dialog', { name: baseTexts.delete }).locator('button:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Delete')
    await page.getByRole('dialog', { name: baseTexts.delete }).getByRole('button', { name: baseTexts.delete }).click()
    await page.getByRole('dialog', { name: '20 August 2019' }).waitFor()
    // Under the pointer the message with Undo stays, however slow the machine is.
    await page.getByText('1 item deleted').hover()
    await page.keyboard.press('Escape')
    expect(await card(page, 21).count()).toBe(0)
    await page.getByRole('button', { name: baseTexts.undo }).click()
    await page.getByText(managementTexts.itemRestored).waitFor()
    await page.getByRole('link', { name: '21 August 2019, 5 stars' }).waitFor()
    expect(errors.filter(fault => !fault.startsWith('500'))).toEqual([])
    await page.context().close()
  })

  test('several items are rotated and deleted from the bar', async () => {
    const { page, errors } = await open(server)
    await card(page, 19).click({ modifiers: ['ControlOrMeta'] })
    await card(page, 18).click({ modifiers: ['ControlOrMeta'] })
    const rotations: string[] = []
    page.on('request', request => {
      if (request.url().includes('rotate')) rotations.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await bar(page).getByRole('button', { name: selectionTexts.moreActions }).click()
    await page.getByRole('menuitem', { name: baseTexts.rotateLeft }).click()
    await page.getByText('2 items rotated', { exact: true }).waitFor()
    // One call rotates both items, in one step of the history that can be undone.
    expect(rotations).toEqual(['PUT /v1/item/rotate'])
    await page.getByRole('button', { name: baseTexts.undo }).click()
    await page.getByText('2 items rotated back').waitFor()
    await bar(page).getByRole('button', { name: baseTexts.delete }).click()
    await page.getByText('Are you sure you wish to delete these 2 items').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: baseTexts.delete }).click()
    await page.getByText('2 items deleted').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: baseTexts.undo }).last().click()
    await page.getByText('2 items restored').waitFor()
    await card(page, 19).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a card whose picture could not be loaded keeps its placeholder behind the error message', async () => {
    const { page } = await open(server)
    await page.route('**/image**', route => route.fulfill({ status: 404 }))
    await page.reload()
    await page.locator('.card-failed').first().getByText(baseTexts.pictureCouldNotBeLoaded).waitFor()
    const style = (of: string, what: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${of}')).${what}`)
    expect(await style('.card-pic:has(> .card-failed)', 'backgroundImage')).toStartWith('url("data:image')
    // The placeholder is visible through the background of the message.
    expect(await style('.card-failed', 'backgroundColor')).toMatch(/0\.62\)$/)
    await saveScreenshot(page, 'card-failed')
    await page.context().close()
  })

  test('on a phone the number of selected items is not cut off', async () => {
    const { page } = await open(server, { viewport: phone })
    await page.getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: baseTexts.selectCurrent }).click()
    await page.getByRole('button', { name: `${itemCount} selected` }).waitFor()
    // The number is as long as in a large library.
    const isWhole = await page.evaluate(`(() => {
      const count = document.querySelector('.selection-phone > :first-child > span')
      count.textContent = '1,174 selected'
      return count.scrollWidth <= count.clientWidth
    })()`)
    expect(isWhole).toBe(true)
    await saveScreenshot(page, 'selection-phone-many')
    await page.context().close()
  })

  test('on a phone a long press selects, and dragging selects more', async () => {
    const { page, errors } = await open(server, { viewport: phone })
    const devtools = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 200, y }] })

    await touch('touchStart', 300)
    await page.getByRole('button', { name: '1 selected' }).waitFor()
    for (let y = 320; y <= 640; y += 40) await touch('touchMove', y)
    await page.getByRole('button', { name: '2 selected' }).waitFor()
    await touch('touchEnd')
    await saveScreenshot(page, 'selection-phone')

    // A tap then selects or deselects instead of opening; a long press on a selected card opens its menu.
    await card(page, 24).tap()
    await page.getByRole('button', { name: '1 selected' }).waitFor()
    await touch('touchStart', 200)
    const sheet = page.getByRole('dialog', { name: '25 August 2019' })
    await sheet.waitFor()
    await touch('touchEnd')
    await sheet.getByRole('menuitem', { name: baseTexts.copyToClipboard }).click()
    await page.getByRole('menuitem', { name: selectionTexts.variant }).waitFor()
    await saveScreenshot(page, 'item-menu-phone')
    await page.getByRole('button', { name: baseTexts.back }).click()
    await page.getByRole('button', { name: baseTexts.close }).click()

    // Actions that have no room are in More. The main menu is shown again when nothing is selected.
    await page.getByRole('button', { name: baseTexts.more }).last().click()
    await page.getByRole('menuitem', { name: baseTexts.editMetadata }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '1 selected' }).click()
    await page.getByRole('navigation', { name: shellTexts.mainMenu }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })
})

describeWalks('a gallery of a thousand items', () => {
  let server: RunningServer
  beforeAll(async () => {
    const data = join(temporaryDirectory(), 'data')
    mkdirSync(data)
    const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock, durable: false })
    await seedLibrary(db, { items: 1000 })
    db.close()
    server = await startServer(data)
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  test('has a pager that fits its bar, is selected in steps of two hundred, and selecting can be stopped', async () => {
    const { page, errors } = await openPage(server.address)
    await page.locator('.card-link').first().waitFor()
    const total = Number((await page.locator('.pager .soft').first().textContent())?.replace(/\D/g, ''))
    expect(total).toBeGreaterThan(250)
    // The pager shows nine pages where they fit, and always stays within the bar.
    const large = page.viewportSize() ?? { width: 1440, height: 900 }
    for (const width of [640, 750, 960, 1024, 1440]) {
      await page.setViewportSize({ ...large, width })
      const bar = `(() => {
        const nav = document.querySelector('.pager nav')
        const [box, frame] = [nav.getBoundingClientRect(), nav.parentElement.getBoundingClientRect()]
        return { count: nav.querySelectorAll('[aria-label^="Page "]').length, isIn: box.left >= frame.left && box.right <= frame.right }
      })()`
      await waitUntil(async () => {
        const { count, isIn } = Object(await page.evaluate(bar))
        return isIn === true && (width === 750 || width === 1440 ? count === 9 : count >= 5) ? true : null
      })
    }
    await page.setViewportSize(large)
    const requests: string[] = []
    page.on('request', request => {
      if (request.url().includes('limit=200')) requests.push(request.url())
    })
    await page.keyboard.press('ControlOrMeta+a')
    await bar(page)
      .getByText(`${total.toLocaleString('en-GB')} selected`)
      .waitFor()
    expect(requests.length).toBe(Math.ceil(total / 200))

    // A running selection shows its progress, and stops on request.
    await page.getByRole('button', { name: selectionTexts.clearTheSelection }).click()
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    await page.route('**/v1/item/list/**limit=200**cursor**', async route => {
      await held
      await route.continue().catch(() => {})
    })
    await page.keyboard.press('ControlOrMeta+a')
    await bar(page)
      .getByText(`Selecting 200 of ${total.toLocaleString('en-GB')}`)
      .waitFor()
    await saveScreenshot(page, 'selecting')
    await bar(page).getByRole('button', { name: baseTexts.stop }).click()
    await bar(page).waitFor({ state: 'detached' })
    release()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
