import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { galleryTexts } from '../../web/texts/gallery.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const marks = (page: Page) => page.locator('.card-pic').getByRole('img', { name: selectionTexts.favourite })
const heart = (within: Pick<Page, 'getByRole'>) => within.getByRole('button', { name: selectionTexts.favourite })

async function search(page: Page, text: string) {
  await page.getByRole('combobox').first().fill(text)
  await page.keyboard.press('Enter')
}

describeWalks('favourites', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const n of [1, 2, 3, 4])
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    server = await startServer(join(directory, 'data'), [root])
    await waitForScans(server, await registerAndSignIn(server))
  })
  afterAll(() => server.stop())

  test('are set with the heart of a card, with a key and in the viewer, appear on other pages, and are found by a search', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    const other = await openPage(server.address, { user: 'ines' })
    const cards = page.locator('.card-pic')
    await cards.first().hover()
    await heart(cards.first()).click()
    await cards.first().locator('.card-heart[aria-pressed="true"]').waitFor()
    await saveScreenshot(page, 'favourite')
    await marks(other.page).waitFor()

    await cards.nth(1).locator('.card-link').focus()
    await page.keyboard.press('f')
    await waitUntil(async () => ((await marks(other.page).count()) === 2 ? true : null))

    await cards.nth(2).locator('.card-link').click()
    const viewer = page.getByRole('dialog')
    await heart(viewer).click()
    await viewer.locator(`[aria-label="${selectionTexts.favourite}"][aria-pressed="true"]`).waitFor()
    await heart(viewer).click()
    await viewer.locator(`[aria-label="${selectionTexts.favourite}"][aria-pressed="false"]`).waitFor()
    await viewer.getByRole('button', { name: baseTexts.close }).click()
    await viewer.waitFor({ state: 'detached' })

    await search(page, 'favourite:yes')
    await waitUntil(async () => ((await cards.count()) === 2 ? true : null))
    expect([...errors, ...other.errors]).toEqual([])
    await page.context().close()
    await other.page.context().close()
  })

  test('are set on a phone in the viewer, and a visitor has none', async () => {
    const { page, errors } = await openPage(server.address, { viewport: phone, user: 'ines' })
    await page.locator('.card-link').nth(1).click()
    const viewer = page.getByRole('dialog')
    // The second picture was marked above.
    await viewer.locator(`[aria-label="${selectionTexts.favourite}"][aria-pressed="true"]`).waitFor()
    await heart(viewer).click()
    await viewer.locator(`[aria-label="${selectionTexts.favourite}"][aria-pressed="false"]`).waitFor()
    await heart(viewer).click()
    await viewer.locator(`[aria-label="${selectionTexts.favourite}"][aria-pressed="true"]`).waitFor()
    await saveScreenshot(page, 'favourite-phone')
    await page.goBack()
    await marks(page).first().waitFor()
    expect(errors).toEqual([])
    await page.context().close()

    const visitor = await openPage(server.address)
    await visitor.page.getByText(galleryTexts.nothingIsOpenToVisitors).waitFor()
    expect(await visitor.page.locator('.heart-mark, .card-heart').count()).toBe(0)
    await visitor.page.context().close()
  })
})
