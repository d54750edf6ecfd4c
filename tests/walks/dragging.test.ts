import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { albumsTexts } from '../../web/texts/albums.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { describeWalks, openPage, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { button, cards } from '../support/scene.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const card = (page: Page, n: number) => page.locator('.card-pic').nth(n)
const tile = (page: Page, name: string) => page.locator('.album-tile').filter({ hasText: name })
const target = (page: Page, name: string) => page.locator('.drop-albums [data-into]').filter({ hasText: name })

async function middleOf(of: Locator) {
  // A list that loads in another order replaces its cards.
  const box = await waitUntil(() => of.boundingBox())
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Presses an element, and moves until it is dragged. */
async function startDrag(page: Page, from: Locator): Promise<void> {
  const { x, y } = await middleOf(from)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 10, y + 10, { steps: 3 })
  await page.locator('.drag-ghost').waitFor()
}

async function dragOver(page: Page, to: Locator): Promise<void> {
  const { x, y } = await middleOf(to)
  await page.mouse.move(x, y, { steps: 5 })
}

async function select(page: Page, n: number): Promise<void> {
  await card(page, n).hover()
  await card(page, n).getByRole('checkbox').click()
}

/** Dragging is part of the actions on albums, which are loaded after the login. */
async function waitForActions(page: Page): Promise<void> {
  await cards(page).first().waitFor()
  await select(page, 0)
  await button(page, albumsTexts.addToAlbum).waitFor()
  await select(page, 0)
  await button(page, albumsTexts.addToAlbum).waitFor({ state: 'detached' })
}

describeWalks('dragging', () => {
  let server: RunningServer
  let headers: Record<string, string> = {}
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.address}/v1/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return response.json() as Promise<{ id: number; albums: { name: string; items: number; parent: number | null }[] }>
  }
  const stored = async (name: string) => {
    const { albums } = await send('GET', 'albums')
    const { items = 0, parent = null } = albums.find(one => one.name === name) ?? {}
    return { items, parent }
  }
  const waitForAlbum = (name: string, wanted: { items: number; parent: number | null }) =>
    waitUntil(async () => (Bun.deepEquals(await stored(name), wanted) ? true : null))

  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const n of [1, 2, 3, 4, 5])
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    server = await startServer(join(directory, 'data'), [root])
    const token = await registerAndSignIn(server)
    await waitForScans(server, token)
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    await send('POST', 'albums', { kind: 'hand', name: 'Lisbon' })
    await send('POST', 'albums', { kind: 'search', name: 'August 4', query: { q: 'date:2019-08-04' } })
  })
  afterAll(() => server.stop())

  test('pictures onto an album can be cancelled with Escape, and adds them in all views', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await waitForActions(page)
    await startDrag(page, card(page, 0))
    // Pictures cannot be dragged to an album by a search.
    await target(page, 'Lisbon').waitFor()
    expect(await target(page, 'August 4').count()).toBe(0)
    await dragOver(page, target(page, 'Lisbon'))
    await page.keyboard.press('Escape')
    await page.locator('.drop-albums').waitFor({ state: 'detached' })
    await page.mouse.up()
    expect(await stored('Lisbon')).toEqual({ items: 0, parent: null })

    await startDrag(page, card(page, 0))
    await dragOver(page, target(page, 'Lisbon'))
    await page.mouse.up()
    await page.getByText(albumsTexts.addedTo({ count: 1, name: 'Lisbon' })).waitFor()

    // Dragging a selected picture drags all selected ones. A toast says how many were in the album already.
    for (const n of [0, 1, 2]) await select(page, n)
    await startDrag(page, card(page, 1))
    await dragOver(page, target(page, 'Lisbon'))
    await page.locator('.drop-albums [data-drop]').waitFor()
    await saveScreenshot(page, 'drag-to-album')
    await page.mouse.up()
    await page.getByText(albumsTexts.addedTo({ count: 2, name: 'Lisbon' })).waitFor()
    await page.getByText(albumsTexts.someAlreadyIn({ count: 1 })).waitFor()
    await waitForAlbum('Lisbon', { items: 3, parent: null })
    await page
      .locator('.toasts > *')
      .filter({ hasText: albumsTexts.addedTo({ count: 2, name: 'Lisbon' }) })
      .getByRole('button', { name: baseTexts.undo })
      .click()
    await waitForAlbum('Lisbon', { items: 1, parent: null })

    for (const [index, view] of ['Infinite Scroll', 'Timeline'].entries()) {
      await page.evaluate(`(() => {
        const options = JSON.parse(localStorage.getItem('keepsake.options') ?? '{}')
        localStorage.setItem('keepsake.options', JSON.stringify({ ...options, view: '${view}' }))
      })()`)
      await page.goto(`${server.address}/?q=type:image`)
      await waitForActions(page)
      await card(page, index + 1)
        .locator('img.in')
        .waitFor()
      await startDrag(page, card(page, index + 1))
      await dragOver(page, target(page, 'Lisbon'))
      await page.mouse.up()
      await page.getByText(albumsTexts.addedTo({ count: 1, name: 'Lisbon' })).waitFor()
      await waitForAlbum('Lisbon', { items: index + 2, parent: null })
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a picture onto “New album” creates an album, whose pictures can be dragged to other albums', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await waitForActions(page)
    await startDrag(page, card(page, 4))
    await dragOver(page, target(page, albumsTexts.newAlbum))
    await page.mouse.up()
    await dialog(page).getByLabel(baseTexts.name, { exact: true }).fill('Porto')
    await dialog(page).getByRole('button', { name: baseTexts.create }).click()
    await page.getByText(albumsTexts.addedTo({ count: 1, name: 'Porto' })).waitFor()
    await waitForAlbum('Porto', { items: 1, parent: null })
    // In the order by hand, a picture can still be dragged to another album.
    await button(page, baseTexts.show).click()
    await heading(page, 'Porto').waitFor()
    await page.getByLabel(albumsTexts.order).selectOption('hand')
    await cards(page).first().waitFor()
    await startDrag(page, card(page, 0))
    await target(page, 'Lisbon').waitFor()
    expect(await target(page, 'Porto').count()).toBe(0)
    await dragOver(page, target(page, 'Lisbon'))
    await page.mouse.up()
    await page.getByText(albumsTexts.addedTo({ count: 1, name: 'Lisbon' })).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('an album into a folder and out of it moves it', async () => {
    const outer = await send('POST', 'albums', { kind: 'folder', name: 'Travels' })
    const inner = await send('POST', 'albums', { kind: 'folder', name: 'Europe', parent: outer.id })
    const { items } = await stored('Porto')
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await waitForActions(page)
    await page.getByRole('link', { name: baseTexts.albums }).first().click()
    await startDrag(page, tile(page, 'Porto'))
    await dragOver(page, tile(page, 'August 4'))
    expect(await page.locator('[data-drop]').count()).toBe(0)
    await dragOver(page, tile(page, 'Travels'))
    await page.locator('.album-tile[data-drop]').waitFor()
    await saveScreenshot(page, 'drag-into-folder')
    await page.mouse.up()
    await page.getByText(albumsTexts.movedTo({ name: 'Porto', folder: 'Travels' })).waitFor()
    await waitForAlbum('Porto', { items, parent: outer.id })
    await button(page, baseTexts.undo).click()
    await waitForAlbum('Porto', { items, parent: null })
    await startDrag(page, tile(page, 'Porto'))
    await dragOver(page, tile(page, 'Travels'))
    await page.mouse.up()
    await waitForAlbum('Porto', { items, parent: outer.id })

    await tile(page, 'Travels').getByRole('link').click()
    await startDrag(page, tile(page, 'Porto'))
    await dragOver(page, tile(page, 'Europe'))
    await page.mouse.up()
    await waitForAlbum('Porto', { items, parent: inner.id })
    await tile(page, 'Europe').getByRole('link').click()
    await heading(page, 'Europe').waitFor()
    const path = page.getByRole('navigation', { name: albumsTexts.folder })
    await startDrag(page, tile(page, 'Porto'))
    await dragOver(page, path.getByRole('link', { name: baseTexts.albums }))
    await saveScreenshot(page, 'drag-out-of-folder')
    await page.mouse.up()
    await waitForAlbum('Porto', { items, parent: null })

    // A folder that contains a folder cannot be moved into another folder.
    await send('POST', 'albums', { kind: 'folder', name: 'Family' })
    await page.getByRole('link', { name: baseTexts.albums }).first().click()
    await tile(page, 'Family').waitFor()
    await startDrag(page, tile(page, 'Travels'))
    await dragOver(page, tile(page, 'Family'))
    expect(await page.locator('[data-drop]').count()).toBe(0)
    await page.mouse.up()
    await heading(page, baseTexts.albums).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
