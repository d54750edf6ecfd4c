import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { button, cards, openFromMenu } from '../support/scene.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const show = (page: Page) => page.getByRole('dialog', { name: baseTexts.slideshow })
const shownAddress = (page: Page) => show(page).locator('[data-front=true] img').getAttribute('src')

/** Waits until this picture is shown. */
async function waitForPicture(page: Page, id: string | undefined): Promise<void> {
  await waitUntil(async () => ((await shownAddress(page))?.includes(`/item/${id}/`) === true ? true : null))
}

/** Waits until nothing of the page covers the picture. */
async function waitUntilOnTop(page: Page): Promise<void> {
  const isUncovered = "document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('.saver') !== null"
  await waitUntil(async () => ((await page.evaluate(isUncovered)) === true ? true : null))
}

async function stop(page: Page): Promise<void> {
  await page.mouse.move(300, 300)
  await page.mouse.move(310, 300)
  await show(page).getByRole('button', { name: baseTexts.stop }).click()
  await show(page).waitFor({ state: 'detached' })
}

const itemIds = (page: Page) =>
  cards(page).evaluateAll(links => links.map(link => /item\/(\d+)/.exec(String(Reflect.get(link, 'href')))?.[1]))

describeWalks('slideshows', () => {
  let server: RunningServer
  let headers: Record<string, string> = {}
  const create = async (path: string, body: object) => {
    const response = await fetch(`${server.address}/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    return response.json() as Promise<{ id: number; name: string }>
  }
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    const today = `${new Date().getMonth() + 1}`.padStart(2, '0')
    for (const n of [1, 2, 3])
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-${today}-0${n} 12:00:00`) }))
    server = await startServer(join(directory, 'data'), [root])
    const token = await registerAndSignIn(server)
    await waitForScans(server, token)
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  })
  afterAll(() => server.stop())

  test('play an album in its order, a search on a phone, and a link', async () => {
    const { id } = await create('albums', { kind: 'hand', name: 'Lisbon', items: [2, 3, 1] })
    const { page, errors } = await openPage(`${server.address}/?album=${id}&sort=hand`, { user: 'ines' })
    await waitUntil(async () => ((await cards(page).count()) === 3 ? true : null))
    const ids = await itemIds(page)
    await button(page, baseTexts.slideshow).click()
    for (const one of ids) {
      await waitForPicture(page, one)
      await page.keyboard.press('ArrowRight')
    }
    await waitForPicture(page, ids[0])
    await waitUntilOnTop(page)
    await saveScreenshot(page, 'album-slideshow')
    await stop(page)
    await page.context().close()

    const small = await openPage(`${server.address}/?q=type:image`, { user: 'ines', viewport: phone })
    await cards(small.page).first().waitFor()
    const [first] = await itemIds(small.page)
    await openFromMenu(small.page, baseTexts.slideshow)
    await waitForPicture(small.page, first)
    await waitUntilOnTop(small.page)
    await stop(small.page)
    await small.page.context().close()

    const { name } = await create('links', { album: id, expires: null })
    const guest = await openPage(`${server.address}/link/${name}`)
    await button(guest.page, baseTexts.slideshow).click()
    await show(guest.page).locator('[data-front=true] img').waitFor()
    await waitUntilOnTop(guest.page)
    await saveScreenshot(guest.page, 'link-slideshow')
    await stop(guest.page)
    await guest.page.locator('.guest-tile').first().waitFor()
    expect([...errors, ...small.errors, ...guest.errors]).toEqual([])
    await guest.page.context().close()
  })
})
