import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { accountTexts } from '../../web/texts/account.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { galleryTexts } from '../../web/texts/gallery.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, startServer, waitForScans, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Writes pictures: nine of August 2019, the others of other months, one a year from 2010 on. */
async function writePictures(root: string, from: number, to: number) {
  for (let n = from; n <= to; n++) {
    const date = n <= 9 ? `2019-08-0${n} 23:30:0${n}` : `20${n}-0${n - 9}-15 10:00:00`
    writeFileSync(
      join(root, `${n}.jpg`),
      await picture({ seed: n, width: 1200, height: n % 2 === 0 ? 900 : 1600, exif: takenAt(date) }),
    )
  }
}

describeWalks('first start', () => {
  let server: RunningServer
  const directory = temporaryDirectory()
  const [root, data] = [join(directory, 'pictures'), join(directory, 'data')]
  beforeAll(async () => {
    mkdirSync(root)
    await writePictures(root, 1, 12)
    server = await startServer(data, [root])
  })
  afterAll(() => server.stop())

  test('registers, filters by August, opens a picture, steps to the next one twice, and returns to the same place', async () => {
    // Without the key of the set-up link there is no registration form.
    const { page, errors } = await openPage(server.address)
    await page.getByText(accountTexts.openSetupLink).waitFor()
    expect(await page.getByRole('button', { name: accountTexts.createAccount }).count()).toBe(0)
    await saveScreenshot(page, 'without-key')

    // The link opens the registration of the first account, which becomes administrator.
    await page.goto(server.setup ?? '')
    await page.getByRole('heading', { name: accountTexts.whoManagesThisLibrary }).waitFor()
    await saveScreenshot(page, 'first-start')
    await page.getByRole('button', { name: accountTexts.createAccount }).click()
    await page.getByText(collectionsTexts.usernameIsRequired).waitFor()
    await page.getByLabel(baseTexts.username).fill('ines')
    await page.getByLabel(baseTexts.name, { exact: true }).fill('Inés Ferrer')
    await page.getByLabel(baseTexts.email).fill('ines.example.org')
    await page.getByLabel(accountTexts.password).fill('secret')
    await page.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.getByText('E-mail must be valid').waitFor()
    await page.getByLabel(baseTexts.email).fill('ines@example.org')
    await page.getByRole('button', { name: accountTexts.createAccount }).click()
    await page.getByText(accountTexts.registrationSuccessful).waitFor()
    await page.getByRole('button', { name: accountTexts.loginNow }).click()

    // One press signs in with what was just typed; the gallery fills while the scan runs.
    const items = page.getByRole('list', { name: baseTexts.items })
    await items.waitFor()
    await page.getByRole('button', { name: 'All, 12 items' }).waitFor()
    await saveScreenshot(page, 'gallery')

    // The filter for August is in the address.
    await page.getByRole('button', { name: /^Aug, 9 items/ }).click()
    const links = items.getByRole('link')
    // Dates are in the local time of the place of a picture, whatever the time zone of the viewer.
    await waitUntil(async () => {
      const label = await links.first().getAttribute('aria-label')
      return label?.includes('Friday, 9 August 2019') === true && (await links.count()) === 9 ? true : null
    })
    expect(new URL(page.url()).searchParams.get('month')).toBe('8')

    // While the scan runs, the list is loaded again and again. Waits until its end, and until the card stays in place.
    const stored: { token: string } = JSON.parse(
      String(await page.evaluate("localStorage.getItem('keepsake.session')")),
    )
    await waitForScans(server, stored.token)
    const opened = links.nth(1)
    let before = await opened.boundingBox()
    await waitUntil(async () => {
      const last = before
      before = await opened.boundingBox()
      return Bun.deepEquals(before, last) ? true : null
    })
    await opened.click()
    const position = page.getByText('2 of 9')
    await position.waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('3 of 9').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('4 of 9').waitFor()
    const large = page.locator('img[src*="pThumbnail=large"]')
    await waitUntil(async () => ((await large.filter({ visible: true }).count()) > 0 ? true : null))
    await saveScreenshot(page, 'viewer')
    await page.keyboard.press('Escape')
    await page.getByText('4 of 9').waitFor({ state: 'detached' })

    // The same list is shown at the same place, with the focus on the picture that was shown last.
    expect(new URL(page.url()).searchParams.get('month')).toBe('8')
    await waitUntil(async () => (Bun.deepEquals(await opened.boundingBox(), before) ? true : null))
    await page.locator('a[aria-label*="6 August 2019"]:focus').waitFor()

    // A reload shows the same view, still signed in.
    await page.reload()
    await waitUntil(async () => ((await items.getByRole('link').count()) === 9 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a phone shows one card a row and the filter on a sheet, and Back closes a picture', async () => {
    const { page, errors } = await openPage(server.address, { viewport: phone, theme: 'light' })
    await page.getByRole('button', { name: baseTexts.login }).first().click()
    await page.getByLabel(baseTexts.username).fill('ines')
    await page.getByLabel(accountTexts.password).fill('wrong picture')
    await page.keyboard.press('Enter')
    await page.getByText(baseTexts.loginFailed).waitFor()
    await page.getByLabel(accountTexts.password).fill('secret')
    await page.keyboard.press('Enter')
    const cards = page.locator('.card-pic')
    await cards.first().waitFor()
    const box = await cards.first().boundingBox()
    expect([box?.width, box?.height]).toEqual([390, 430])
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: /Filter/ }).click()
    await page.getByRole('button', { name: /^Aug, 9 items/ }).click()
    await page.getByRole('button', { name: 'Show 9 items' }).click()
    await saveScreenshot(page, 'phone')
    await cards.first().click()
    await page.getByText('1 of 9').waitFor()
    await saveScreenshot(page, 'phone-viewer')
    await page.goBack()
    await cards.first().waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('while the first scan runs, pictures appear within seconds, but not behind an open picture', async () => {
    // Makes the page believe that the scan still runs: the real one is too short to be watched.
    const before = async (page: Page) => {
      await page.route(/\/v1\/collection(\?|$)/, async route => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replace(/"lastscan":"[^"]+"/g, '"lastscan":""') })
      })
    }
    const { page, errors } = await openPage(server.address, { user: 'ines', before })
    const scan = async (picture: number) => {
      await writePictures(root, picture, picture)
      expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    }
    await page.getByText('1–10 of 12').waitFor()
    await scan(13)
    await page.getByText('1–10 of 13').waitFor({ timeout: 8_000 })
    await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().click()
    await page.getByText('1 of 13').waitFor()
    await scan(14)
    await page.getByRole('button', { name: 'All, 14 items', includeHidden: true }).waitFor({ state: 'attached' })
    await Bun.sleep(3_000)
    await page.getByText('1 of 13').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a visitor sees nothing of a library that is not public', async () => {
    const { page, errors } = await openPage(server.address)
    await page.getByRole('heading', { name: galleryTexts.signInToSee }).waitFor()
    expect(await page.locator('.card-pic').count()).toBe(0)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
