import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { albumsTexts } from '../../web/texts/albums.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { viewerTexts } from '../../web/texts/viewer.ts'
import { videoTools } from '../core/media/decoding.ts'
import { describeWalks, openPage, phone, saveScreenshot, waitForHistory } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { button } from '../support/scene.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const tools = videoTools()
const panel = (page: Page) => page.getByRole('complementary', { name: baseTexts.details })
const films = (page: Page) => page.locator('.viewer-turn > video')
const openPicture = '.viewer-slide[data-open] .viewer-box'

/** A film of two seconds, taken a second after the picture of the same name, as live photos are. */
function motionPart(path: string): void {
  const output = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-metadata', 'creation_time=2019-08-03T12:22:34Z']
  const input = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=640x480:r=10:d=2']
  const result = Bun.spawnSync([tools?.ffmpeg ?? '', ...input, ...output, '-y', `file:${path}`])
  if (result.exitCode !== 0) throw new Error(result.stderr.toString())
}

/** The open picture's width on the screen, and the share of it that lies under a point. */
async function zoomAt(page: Page, x: number): Promise<{ width: number; under: number }> {
  const box = await page.locator(openPicture).boundingBox()
  if (box === null) throw new Error('no picture is open')
  return { width: box.width, under: (x - box.x) / box.width }
}

describeWalks('the viewer', () => {
  let server: RunningServer
  let token = ''
  let [rich, large, live] = [0, 0, 0]
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.status, `${method} ${path}`).toBeLessThan(300)
    return JSON.parse((await response.text()) || 'null')
  }
  const createAlbum = (name: string) => call('POST', '/v1/albums', { kind: 'hand', name, items: [rich] })

  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'Family')
    const folder = join(root, '2001', 'Easter')
    mkdirSync(folder, { recursive: true })
    const size = { width: 800, height: 600 }
    writeFileSync(join(folder, 'rich.jpg'), await picture({ ...size, seed: 1, exif: takenAt('2019-08-01 12:00:00') }))
    const wide = { width: 4200, height: 3150 }
    writeFileSync(join(folder, 'large.jpg'), await picture({ ...wide, seed: 2, exif: takenAt('2019-08-02 12:00:00') }))
    writeFileSync(join(folder, 'live.jpg'), await picture({ ...size, seed: 3, exif: takenAt('2019-08-03 14:22:33') }))
    if (tools !== null) motionPart(join(folder, 'live.mov'))
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
    await waitForScans(server, token)
    const { items }: { items: { id: number; name: string }[] } = await call('GET', '/v1/item/list/0')
    const idOf = (name: string) => items.find(item => item.name === name)?.id ?? 0
    rich = idOf('rich.jpg')
    large = idOf('large.jpg')
    live = idOf('live.jpg')
    const set = (tag: string, data: unknown) => call('POST', `/v1/item/${rich}/tag/${tag}`, { data })
    await set('Description', 'With the medal')
    await set('Rating', 4)
    await set('Keywords', ['kayak'])
    await set('Locations', { latitude: 54.3233, longitude: 10.1394, placeName: 'Kiel, Germany' })
    const mia: { id: number } = await call('POST', '/v1/person', { names: ['Mia'] })
    const box = { y: 100, width: 100, height: 150 }
    await set('People/object', { ...box, person: 0, x: 600 })
    await set('People/object', { ...box, person: mia.id, x: 100 })
    for (const name of ['Easter in Kiel', 'Water', 'Medals']) await createAlbum(name)
  })
  afterAll(() => server.stop())

  test('has the details in a fixed order, with links to albums, places, folders, the map and the editor', async () => {
    const foreign: string[] = []
    const { page, errors } = await openPage(`${server.address}/item/${rich}`, {
      user: 'ines',
      before: async page => {
        page.on('request', request => {
          if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.address))
            foreign.push(request.url())
        })
      },
    })
    await button(page, baseTexts.details).click()
    const details = panel(page)
    await details.locator('canvas').waitFor()
    expect(await details.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      baseTexts.people,
      baseTexts.keywords,
      baseTexts.albums,
      viewerTexts.place,
    ])
    await saveScreenshot(page, 'viewer-details')

    const people = details.locator('.details-people > li')
    expect(await people.allTextContents()).toEqual(['Mia1 item', viewerTexts.whoIsThis])
    expect((await people.locator('.details-face').first().boundingBox())?.width).toBe(44)
    await button(page, baseTexts.peopleAndObjects).click()
    await page.locator('.region[data-new]', { hasText: viewerTexts.whoIsThis }).waitFor()

    // A fourth album is behind 'more', and comes without a reload.
    const links = details.locator('.details-albums').getByRole('link')
    expect(await links.count()).toBe(3)
    await createAlbum('Paddles')
    await details.getByRole('button', { name: viewerTexts.moreAlbums({ count: 1 }) }).click()
    expect(await links.allTextContents()).toEqual(
      ['Paddles', 'Medals', 'Water', 'Easter in Kiel'].map(name => name + baseTexts.itemCount({ count: 1 })),
    )

    // Shows the folders of the file, but never its path on the server.
    await details.getByText('Family / 2001 / Easter').waitFor()
    expect(await details.textContent()).not.toContain('/Family')
    await details.getByRole('link', { name: 'Germany', exact: true }).click()
    expect(new URL(page.url()).searchParams.get('q')).toBe('place:"Germany"')
    await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().waitFor()
    await page.goBack()
    await details.getByRole('link', { name: '2001', exact: true }).click()
    expect(new URL(page.url()).searchParams.get('q')).toBe('folder:="2001"')
    await waitUntil(async () =>
      (await page.getByRole('list', { name: baseTexts.items }).getByRole('link').count()) === 3 ? true : null,
    )
    await page.goBack()
    await links.filter({ hasText: 'Water' }).click()
    await page.getByRole('heading', { name: 'Water', level: 1 }).waitFor()
    await page.goBack()
    await details.getByRole('link', { name: viewerTexts.showOnTheMap }).click()
    await page.locator('.map-popup').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/world-map/${rich}`)
    await page.keyboard.press('Escape')
    await page.locator('.map-popup').waitFor({ state: 'detached' })
    await waitForHistory(page)
    await page.goBack()
    await details.getByRole('link', { name: viewerTexts.whoIsThis }).click()
    await waitUntil(async () => (new URL(page.url()).pathname === '/admin/metadata' ? true : null))
    expect(foreign).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('has a filmstrip with the open picture in the middle; a press on a picture opens it', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().click()
    const strip = page.getByRole('list', { name: viewerTexts.filmstrip }).getByRole('button')
    await strip.first().waitFor()
    expect(await strip.count()).toBe(3)
    await saveScreenshot(page, 'viewer-filmstrip')
    await strip.last().click()
    await waitUntil(async () => (new URL(page.url()).pathname === `/item/${rich}` ? true : null))
    await waitUntil(async () => ((await strip.last().getAttribute('aria-current')) === 'true' ? true : null))
    const middle = async () => {
      const box = await strip.last().boundingBox()
      return box === null ? 0 : Math.round(box.x + box.width / 2)
    }
    await waitUntil(async () => ((await middle()) === 720 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('zooms to 1:1 at the point of a double click, and back', async () => {
    const { page, errors } = await openPage(`${server.address}/item/${large}`, { user: 'ines' })
    await page.locator(openPicture).waitFor()
    const fitted = await zoomAt(page, 900)
    await page.mouse.dblclick(900, 400)
    await waitUntil(async () => (Math.abs((await zoomAt(page, 900)).width - 4200) < 2 ? true : null))
    expect((await zoomAt(page, 900)).under).toBeCloseTo(fitted.under, 2)
    await page.mouse.dblclick(500, 400)
    await waitUntil(async () => (Math.abs((await zoomAt(page, 900)).width - fitted.width) < 1 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('has its actions at the bottom on a phone, and the details scroll in a sheet', async () => {
    const { page, errors } = await openPage(`${server.address}/item/${rich}`, { user: 'ines', viewport: phone })
    const actions = page.getByRole('navigation', { name: baseTexts.actions }).getByRole('button')
    await actions.nth(5).waitFor()
    const { share, favourite } = selectionTexts
    expect(await actions.allTextContents()).toEqual([
      share,
      favourite,
      baseTexts.details,
      viewerTexts.edit,
      baseTexts.delete,
      baseTexts.more,
    ])
    for (const action of await actions.all()) {
      const box = await action.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
    await saveScreenshot(page, 'viewer-phone')

    await actions.nth(0).click()
    await page.getByRole('menuitem', { name: selectionTexts.hours24 }).waitFor()
    await page.goBack()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await actions.nth(5).click()
    await page.getByRole('menuitem', { name: albumsTexts.addToAlbum }).waitFor()
    await page.getByRole('menuitem', { name: baseTexts.rotateRight }).waitFor()
    await page.goBack()
    await page.getByRole('menu').waitFor({ state: 'detached' })

    await actions.nth(2).click()
    await panel(page).locator('canvas').waitFor()
    await panel(page).getByText('Family / 2001 / Easter').scrollIntoViewIfNeeded()
    const line = await panel(page).getByText('Family / 2001 / Easter').boundingBox()
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThan(phone.height)
    await saveScreenshot(page, 'viewer-details-phone')
    expect(errors).toEqual([])
    await page.context().close()
  })

  if (tools !== null) {
    test('plays a live photo while it is pressed, and with reduced motion only by its mark', async () => {
      const { page, errors } = await openPage(`${server.address}/item/${live}`, { user: 'ines' })
      const mark = button(page, viewerTexts.playTheLivePhoto)
      await mark.waitFor()
      await page.mouse.move(720, 450)
      await page.mouse.down()
      await films(page).waitFor()
      await page.mouse.up()
      await films(page).waitFor({ state: 'detached' })

      await mark.hover()
      await page.mouse.down()
      await films(page).waitFor()
      await page.waitForTimeout(400)
      await page.mouse.up()
      await films(page).waitFor({ state: 'detached' })
      // A click plays it to its end.
      await mark.click()
      await films(page).waitFor()
      await films(page).waitFor({ state: 'detached' })

      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.mouse.move(720, 450)
      await page.mouse.down()
      await page.waitForTimeout(500)
      expect(await films(page).count()).toBe(0)
      await page.mouse.up()
      await mark.click()
      await films(page).waitFor()
      expect(errors).toEqual([])
      await page.context().close()
    })
  }
})
