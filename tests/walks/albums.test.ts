import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { albumsTexts } from '../../web/texts/albums.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { shellTexts } from '../../web/texts/shell.ts'
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

const dialog = (page: Page) => page.getByRole('dialog')
const albumLink = (page: Page, name: string) => page.locator('.album-tile').filter({ hasText: name }).getByRole('link')
const itemIds = (page: Page) =>
  cards(page).evaluateAll(links => links.map(link => /item\/(\d+)/.exec(String(Reflect.get(link, 'href')))?.[1]))
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

async function waitForCount(page: Page, wanted: number): Promise<void> {
  await waitUntil(async () => ((await cards(page).count()) === wanted ? true : null))
}

async function select(page: Page, n: number): Promise<void> {
  await page.locator('.card-pic').nth(n).hover()
  await page.locator('.card-pic').nth(n).getByRole('checkbox').click()
}

describeWalks('albums', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const n of [1, 2, 3, 4, 5])
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    server = await startServer(join(directory, 'data'), [root])
    const token = await registerAndSignIn(server)
    await waitForScans(server, token)
    const answer = await fetch(`${server.address}/v1/users/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.address },
      body: JSON.stringify({ username: 'tom', name: 'Tom', email: 'a@b', password: 'secret', unlockPin: '1234' }),
    })
    expect(answer.status).toBe(201)
    const requestJson = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return JSON.parse((await response.text()) || 'null')
    }
    const { items }: { items: { id: number }[] } = await requestJson('GET', '/v1/item/list/0')
    for (const [n, name] of ['Mia Lind', 'Jonas', 'Eva', 'Tom', 'Uma', 'Ida'].entries()) {
      const { id: person } = await requestJson('POST', '/v1/person', { names: [name] })
      for (const { id } of items.slice(0, n === 0 ? 3 : 1)) {
        const box = { x: 100 + 100 * n, y: 100, width: 90, height: 90 }
        await requestJson('POST', `/v1/item/${id}/tag/People/object`, { data: { person, ...box } })
      }
    }
  })
  afterAll(() => server.stop())

  test('are created from a selection, ordered by mouse and keyboard, renamed, deleted and brought back', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    const other = await openPage(`${server.address}/albums`, { user: 'ines' })
    await heading(other.page, albumsTexts.noAlbumsYet).waitFor()
    await cards(page).first().waitFor()
    for (const n of [0, 1, 2]) await select(page, n)
    await button(page, albumsTexts.addToAlbum).click()
    await dialog(page).getByLabel(albumsTexts.findAlbum).fill('Summer at the sea')
    await saveScreenshot(page, 'album-choose')
    await dialog(page)
      .getByText(albumsTexts.newNamed({ name: 'Summer at the sea' }))
      .click()
    await page.getByText(albumsTexts.addedTo({ count: 3, name: 'Summer at the sea' })).waitFor()
    await albumLink(other.page, 'Summer at the sea').waitFor()
    await saveScreenshot(other.page, 'albums')

    await button(page, baseTexts.show).click()
    await heading(page, 'Summer at the sea').waitFor()
    await waitForCount(page, 3)
    // At first, an album shows the oldest picture first. In the order by hand, it keeps the order of the selection.
    const [third, second, first] = await itemIds(page)
    const waitForOrder = (...ids: readonly (string | undefined)[]) =>
      waitUntil(async () => ((await itemIds(page)).join() === ids.join() ? true : null))
    await page.getByLabel(albumsTexts.order).selectOption('hand')
    await waitForOrder(first, second, third)
    const boxOf = async (n: number) => {
      const box = await page.locator('.card-pic').nth(n).boundingBox()
      if (box === null) throw new Error('the card is not shown')
      return box
    }
    const [from, to] = [await boxOf(2), await boxOf(0)]
    await page.mouse.move(from.x + 60, from.y + 100)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 90, { steps: 3 })
    await page.mouse.move(to.x + 20, to.y + 100, { steps: 5 })
    await page.locator('.drag-ghost').waitFor()
    await saveScreenshot(page, 'album-drag')
    await page.mouse.up()
    await page.getByText(albumsTexts.moved).waitFor()
    await waitForOrder(third, first, second)
    const { album, sort } = Object.fromEntries(new URL(page.url()).searchParams)
    expect(sort).toBe('hand')
    // Without an order in its address, an album has its own.
    await page.goto(`${server.address}/?album=${album}`)
    await waitForOrder(third, first, second)
    await page.waitForURL(/sort=hand/)
    await cards(page).first().focus()
    await page.keyboard.press('Alt+ArrowRight')
    await waitForOrder(first, third, second)
    await page.getByText(albumsTexts.positionOf({ position: 2, count: 3 })).waitFor({ state: 'attached' })

    // Pictures can be moved without dragging, by the menu of a picture or of the selection.
    const chooseFromMenu = async (n: number, name: string) => {
      await cards(page).nth(n).click({ button: 'right' })
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await chooseFromMenu(2, albumsTexts.moveToBeginning)
    await waitForOrder(second, first, third)
    await chooseFromMenu(0, albumsTexts.moveLater)
    await waitForOrder(first, second, third)
    await chooseFromMenu(2, albumsTexts.moveEarlier)
    await waitForOrder(first, third, second)
    for (const n of [0, 1]) await select(page, n)
    await page.getByRole('toolbar').getByRole('button', { name: baseTexts.more }).click()
    await saveScreenshot(page, 'album-move-menu')
    await page.getByRole('menuitem', { name: albumsTexts.moveToEnd }).click()
    await waitForOrder(second, first, third)
    await page.keyboard.press('Escape')

    await page.locator('.album-faces .face img').first().waitFor()
    expect(await page.locator('.album-people').textContent()).toBe('Mia Lind, Jonas, Eva, Tom, Uma and 1 more')
    await saveScreenshot(page, 'album-faces')

    await button(page, albumsTexts.menuOf({ name: 'Summer at the sea' })).click()
    await page.getByRole('menuitem', { name: albumsTexts.edit }).click()
    await dialog(page).getByLabel(baseTexts.name, { exact: true }).fill('Lisbon')
    await dialog(page).getByRole('button', { name: baseTexts.save }).click()
    await heading(page, 'Lisbon').waitFor()
    await albumLink(other.page, 'Lisbon').waitFor()

    await button(other.page, albumsTexts.menuOf({ name: 'Lisbon' })).click()
    await other.page.getByRole('menuitem', { name: baseTexts.delete }).click()
    await dialog(other.page).getByRole('button', { name: baseTexts.delete }).click()
    await heading(page, albumsTexts.isGone).waitFor()
    await button(other.page, baseTexts.undo).click()
    await albumLink(other.page, 'Lisbon').waitFor()
    expect([...errors, ...other.errors]).toEqual([])
    await page.context().close()
    await other.page.context().close()
  })

  test('are shared with a user, who still sees no items without a right on them, and not shown to visitors who would see none', async () => {
    const { page, errors } = await openPage(`${server.address}/albums`, { user: 'ines' })
    const tom = await openPage(`${server.address}/albums`, { user: 'tom' })
    await heading(tom.page, albumsTexts.noAlbumsYet).waitFor()
    await albumLink(page, 'Lisbon').click()
    await waitForCount(page, 3)
    await button(page, albumsTexts.share).click()
    await dialog(page).getByLabel(albumsTexts.username, { exact: true }).fill('tom')
    await dialog(page).getByRole('button', { name: albumsTexts.add, exact: true }).click()
    await dialog(page).getByText('Tom').waitFor()
    await saveScreenshot(page, 'album-members')
    await page.keyboard.press('Escape')
    // Tom has no right on the collection, so the album has no items for him.
    await albumLink(tom.page, 'Lisbon').click()
    await heading(tom.page, albumsTexts.isEmpty).waitFor()
    await button(page, albumsTexts.menuOf({ name: 'Lisbon' })).click()
    await page.getByRole('menuitem', { name: albumsTexts.edit }).click()
    await dialog(page).getByRole('switch', { name: albumsTexts.visibleToVisitors }).click()
    await dialog(page).getByRole('button', { name: baseTexts.save }).click()
    await dialog(page).waitFor({ state: 'detached' })
    const visitor = await openPage(`${server.address}/albums`)
    await heading(visitor.page, albumsTexts.noPublicAlbums).waitFor()
    expect([...errors, ...tom.errors, ...visitor.errors]).toEqual([])
    for (const one of [page, tom.page, visitor.page]) await one.context().close()
  })

  test('are created by a search on a phone', async () => {
    const { page, errors } = await openPage(server.address, { viewport: phone, user: 'ines' })
    await cards(page).first().waitFor()
    await openFromMenu(page, baseTexts.albums)
    await button(page, albumsTexts.newAlbum).click()
    await dialog(page).getByLabel(baseTexts.name, { exact: true }).fill('August 4')
    await dialog(page).getByText(albumsTexts.bySearch).click()
    await dialog(page).getByLabel(albumsTexts.search, { exact: true }).fill('date:2019-08-04')
    await dialog(page).getByRole('button', { name: baseTexts.create }).click()
    await albumLink(page, 'August 4').waitFor()
    await saveScreenshot(page, 'albums-phone')
    await albumLink(page, 'August 4').click()
    await waitForCount(page, 1)
    await page.locator('.album-faces .face img').first().waitFor()
    await saveScreenshot(page, 'album-phone')
    // The actions of the album take the place of the bottom bar.
    expect(await page.getByRole('navigation', { name: shellTexts.mainMenu }).count()).toBe(0)
    const bar = page.getByRole('toolbar', { name: albumsTexts.album })
    await bar.getByRole('button', { name: albumsTexts.order }).click()
    await page.getByRole('menuitemradio', { name: albumsTexts.oldestFirst, checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: albumsTexts.newestFirst }).click()
    await page.waitForURL(/sort=-taken/)
    await bar.getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: baseTexts.delete }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: baseTexts.albums, exact: true }).click()
    await page.getByRole('navigation', { name: shellTexts.mainMenu }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
