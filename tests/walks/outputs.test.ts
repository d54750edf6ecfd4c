import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Download, Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { sharingTexts } from '../../web/texts/sharing.ts'
import { describeWalks, openPage, phone, saveScreenshot, todayOnPages } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Names in a zip, from its central directory (APPNOTE 4.3.12). */
function namesIn(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 46, 'latin1')) {
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  }
  return names.sort()
}

async function readDownload(download: Download): Promise<Buffer> {
  return readFileSync(await download.path())
}

describeWalks('downloads, slideshows and shares', () => {
  let server: RunningServer
  let token = ''
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'Family')
    mkdirSync(root)
    for (let n = 1; n <= 3; n++) {
      const date = n === 3 ? `2018-${todayOnPages()} 12:00:00` : `2019-08-0${n} 12:00:00`
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(date) }))
    }
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  async function open(options: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(server.address, { ...options, user: 'ines' })
    if (options.viewport === undefined) {
      await opened.page.getByRole('button', { name: 'All, 3 items' }).waitFor()
    }
    return opened
  }

  async function choose(page: Page, text: string) {
    await page.getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: text }).click()
  }

  test('Download Current makes a zip of the filtered items, and selected items can be downloaded', async () => {
    const { page, errors } = await open()
    const whole = page.waitForEvent('download')
    await choose(page, 'Download Current')
    expect((await whole).suggestedFilename()).toBe('Keepsake.zip')
    expect(namesIn(await readDownload(await whole))).toEqual(['Family/1.jpg', 'Family/2.jpg', 'Family/3.jpg'])

    await page.goto(`${server.address}/?collection=1&year=2019`)
    await page
      .getByRole('link', { name: /August 2019/ })
      .first()
      .waitFor()
    const year = page.waitForEvent('download')
    await choose(page, 'Download Current')
    expect((await year).suggestedFilename()).toBe('Family.zip')
    expect(namesIn(await readDownload(await year))).toEqual(['Family/1.jpg', 'Family/2.jpg'])

    await page.keyboard.press('Control+a')
    const chosen = page.waitForEvent('download')
    await page
      .getByRole('toolbar', { name: selectionTexts.selection })
      .getByRole('button', { name: baseTexts.download })
      .click()
    expect(namesIn(await readDownload(await chosen))).toEqual(['Family/1.jpg', 'Family/2.jpg'])
    await page.getByRole('button', { name: selectionTexts.clearTheSelection }).click()

    // Download Current works on every screen that shows filtered items.
    for (const screen of ['/on-this-day', '/world-map', '/admin/transfer']) {
      await page.goto(`${server.address}${screen}?collection=1&year=2019`)
      const there = page.waitForEvent('download')
      await choose(page, 'Download Current')
      expect(namesIn(await readDownload(await there))).toEqual(['Family/1.jpg', 'Family/2.jpg'])
    }
    await page.goto(`${server.address}/on-this-day?collection=1&year=2019`)
    await choose(page, 'Select Current')
    await page.getByText('2 items selected').waitFor()
    await page.getByRole('button', { name: baseTexts.show }).click()
    await page.getByRole('toolbar', { name: selectionTexts.selection }).getByText('2 selected').waitFor()
    expect(new URL(page.url()).search).toBe('?collection=1&year=2019')

    // Without items only a message is shown. A refusal of the server is shown before the download starts.
    await page.goto(`${server.address}/?year=2001`)
    await page.getByRole('heading', { name: baseTexts.noItems }).waitFor()
    await choose(page, 'Download Current')
    await page.getByText(baseTexts.noItemsAvailable).waitFor()
    await page.goto(server.address)
    await page.getByRole('button', { name: 'All, 3 items' }).waitFor()
    await page.route('**/v1/item/download/**', route =>
      route.fulfill({ status: 429, json: { error: 'Other downloads are still running.', code: 'tooMany' } }),
    )
    await choose(page, 'Download Current')
    await page.getByRole('alert').filter({ hasText: baseTexts.failedToDownload }).waitFor()
    await page.getByText('Other downloads are still running.').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a slideshow is built with captions, is saved when it is ready, and opens from the disk', async () => {
    const { page, errors } = await open()
    await choose(page, baseTexts.downloadAsSlideshow)
    const dialog = page.getByRole('dialog', { name: baseTexts.downloadAsSlideshow })
    await dialog.getByText('3 items').waitFor()
    for (const [name, on] of [
      ['Date', true],
      ['Names', true],
      ['Keywords', false],
      ['Category', false],
    ] as const) {
      expect(await dialog.getByRole('switch', { name }).isChecked()).toBe(on)
    }
    await dialog.getByLabel(sharingTexts.title).fill('Été & <Sommer>')
    await dialog.getByText(baseTexts.keywords).click()
    await saveScreenshot(page, 'slideshow')
    const creation = page.waitForRequest(/\/v1\/slideshow\/create/)
    const coming = page.waitForEvent('download')
    await dialog.getByRole('button', { name: sharingTexts.build }).click()
    const query = new URL((await creation).url()).searchParams
    expect(Object.fromEntries(query)).toEqual({
      date: 'true',
      names: 'true',
      keywords: 'true',
      category: 'false',
      title: 'Été & <Sommer>',
    })
    const download = await coming
    expect(download.suggestedFilename()).toBe('slideshow.zip')
    const zip = await readDownload(download)
    expect(namesIn(zip)).toEqual(['index.html', 'media/0001.jpg', 'media/0002.jpg', 'media/0003.jpg'])
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(sharingTexts.slideshowIsReady).waitFor()

    // The unpacked page opens from the disk.
    const place = temporaryDirectory()
    writeFileSync(join(place, 'slideshow.zip'), zip)
    Bun.spawnSync(['unzip', '-q', 'slideshow.zip'], { cwd: place })
    if (readdirSync(place).includes('index.html')) {
      await page.goto(`file://${join(place, 'index.html')}`)
      await page.getByRole('heading', { name: 'Été & <Sommer>' }).waitFor()
      await page.getByRole('button', { name: baseTexts.play }).first().click()
      await page.getByText('1 of 3').waitFor()
    } else console.warn('skipped: unzip is missing, the slideshow was not opened')

    // On This Day offers a slideshow of its items. Errors are shown in the dialog.
    await page.goto(`${server.address}/on-this-day`)
    await page.getByRole('button', { name: baseTexts.downloadAsSlideshow }).click()
    await dialog.getByText('1 item, as a page').waitFor()
    await page.route('**/v1/slideshow/create**', route =>
      route.fulfill({ status: 429, json: { error: 'Another slideshow is being built for you.', code: 'tooMany' } }),
    )
    await dialog.getByRole('button', { name: sharingTexts.build }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Another slideshow is being built for you.' }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('My links lists shares with the times when they end, and copies and ends them', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { page, errors } = await open()
    await choose(page, 'My links')
    await page.getByText(sharingTexts.noLinks).waitFor()
    await page.goBack()

    const listResponse = await fetch(`${server.address}/v1/item/list/0`, { headers })
    const { items }: { items: { id: number; name: string }[] } = JSON.parse(await listResponse.text())
    const links: string[] = []
    for (const [file, expires] of [
      ['1.jpg', 24],
      ['2.jpg', 168],
    ] as const) {
      const id = items.find(({ name }) => name === file)?.id
      const body = JSON.stringify({ expires })
      const created = await fetch(`${server.address}/v1/item/${id}/share`, { method: 'POST', headers, body })
      const share: { name: string } = JSON.parse(await created.text())
      links.push(`${server.address}/share/${share.name}`)
    }
    await choose(page, 'My links')
    const rows = page.getByRole('table', { name: baseTexts.myLinks }).getByRole('row')
    await page.getByText('2 open', { exact: true }).waitFor()
    const first = rows.filter({ hasText: '1.jpg' })
    await first
      .locator('.text-warning')
      .getByText(/:\d\d$/)
      .waitFor()
    expect(await rows.filter({ hasText: '2.jpg' }).locator('.text-warning').count()).toBe(0)
    expect(await first.getByRole('link').getAttribute('href')).toBe(links[0] ?? '')
    const drawn = "[...document.querySelectorAll('table img')].every(one => one.naturalWidth > 0)"
    await waitUntil(async () => ((await page.evaluate(drawn)) === true ? true : null))
    await saveScreenshot(page, 'shares')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link to 1.jpg' }).click()
    await page.getByText(baseTexts.shareLinkCopiedToClipboard).waitFor()
    expect(String(await page.evaluate('navigator.clipboard.readText()'))).toBe(links[0] ?? '')

    // Ending a share asks first and can be cancelled.
    const end = page.getByRole('button', { name: 'End the link to 1.jpg' })
    const question = page.getByRole('dialog', { name: sharingTexts.endThisLink })
    await end.click()
    await question.getByText('End the link to 1.jpg?').waitFor()
    await question.getByRole('button', { name: baseTexts.cancel }).click()
    await end.click()
    await question.getByRole('button', { name: sharingTexts.end, exact: true }).click()
    await page.getByText('1 open', { exact: true }).waitFor()
    expect(await first.count()).toBe(0)

    const stranger = await openPage(links[0] ?? '')
    await stranger.page.getByText(baseTexts.sharedLinkIsNotActive).waitFor()
    await waitUntil(async () => (new URL(stranger.page.url()).pathname === '/' ? true : null))
    await stranger.page.context().close()
    const other = await openPage(links[1] ?? '')
    await other.page.locator('.viewer img.in').first().waitFor()
    await other.page.getByText(/^Inés shared this with you\. Open until /).waitFor()
    await other.page.context().close()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the menu of a phone has My links and Slideshow too', async () => {
    const { page, errors } = await open({ viewport: phone, theme: 'light' })
    await choose(page, 'My links')
    await page.getByRole('list', { name: baseTexts.myLinks }).getByText('2.jpg').waitFor()
    await saveScreenshot(page, 'shares-phone')
    await page.goBack()
    await page.getByRole('list', { name: baseTexts.items }).waitFor()
    await choose(page, baseTexts.downloadAsSlideshow)
    await page.getByRole('dialog', { name: baseTexts.downloadAsSlideshow }).getByText('3 items').waitFor()
    await saveScreenshot(page, 'slideshow-phone')
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
