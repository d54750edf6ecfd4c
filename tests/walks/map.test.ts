import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { baseTexts } from '../../web/texts/base.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { onThisDayTexts } from '../../web/texts/on-this-day.ts'
import { searchTexts } from '../../web/texts/search.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** The locations of five pictures: three in Vienna, one in Lisbon, one without a location. */
const places: readonly (readonly [number, number] | null)[] = [
  [48.208, 16.373],
  [48.209, 16.374],
  [48.21, 16.372],
  [38.722, -9.139],
  null,
]

describeWalks('the world map', () => {
  let server: RunningServer
  let token = ''
  const ids: number[] = []
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const n of places.keys()) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n + 1, exif: takenAt(`2019-08-0${n + 1} 12:00:00`) }))
    }
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
    const list = await waitUntil(async () => {
      const page: { items: { id: number; name: string }[] } = JSON.parse(
        await (await call('GET', '/v1/item/list/0')).text(),
      )
      return page.items.length === places.length ? page.items : null
    })
    for (const [n, place] of places.entries()) {
      const id = list.find(({ name }) => name === `${n}.jpg`)?.id ?? 0
      ids.push(id)
      if (place === null) continue
      const data = { latitude: place[0], longitude: place[1], placeName: n < 3 ? 'Vienna' : 'Lisbon' }
      await call('POST', `/v1/item/${id}/tag/Locations`, { data })
    }
  })
  afterAll(() => server.stop())

  const call = (method: string, path: string, body?: unknown) =>
    fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  test('shows where pictures were taken, in groups, and opens them one by one', async () => {
    // No request goes to another server.
    const foreignRequests: string[] = []
    const { page, errors } = await openPage(server.address, {
      user: 'ines',
      before: async page =>
        page.on('request', request => {
          if (!request.url().startsWith(server.address) && !/^(data|blob):/.test(request.url()))
            foreignRequests.push(request.url())
        }),
    })
    await page.getByRole('link', { name: baseTexts.worldMap }).click()
    await page.getByText('4 of 5 items have a place').waitFor()
    await saveScreenshot(page, 'map')

    // The three pictures of Vienna are one group; going through them wraps around.
    await page.getByRole('button', { name: '3 items' }).click()
    const popup = page.getByRole('region', { name: mapTexts.itemsHere })
    await popup.getByText('1 of 3').waitFor()
    await popup.getByText('Vienna').waitFor()
    await popup.getByRole('button', { name: baseTexts.next }).click()
    await popup.getByText('2 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await popup.getByText('3 of 3').waitFor()
    expect((await popup.boundingBox())?.width).toBe(350)

    // The viewer shows the pictures of this place, and closes to the unchanged map.
    await popup.getByRole('link', { name: /^Open/ }).click()
    const viewer = page.locator('.viewer')
    await viewer.getByText('3 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await viewer.getByText('2 of 3').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/world-map$/)
    await page.getByRole('button', { name: '3 items' }).waitFor()

    // The map moves to a place that is searched by name.
    const field = page.getByRole('combobox', { name: mapTexts.findAPlace })
    await field.fill('Lisb')
    await page
      .getByRole('option', { name: /^Lisbon/ })
      .first()
      .click()
    await page.getByRole('button', { name: baseTexts.oneItem }).waitFor()
    expect(foreignRequests).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the address of an item opens it on the map, where changes of the item appear at once', async () => {
    const { page, errors } = await openPage(`${server.address}/world-map/${ids[3]}`, { user: 'ines' })
    const popup = page.getByRole('region', { name: mapTexts.itemsHere })
    await popup.getByText('Lisbon').waitFor()
    for (const placeName of ['Belém', 'Lisbon']) {
      const data = { latitude: 38.722, longitude: -9.139, placeName }
      expect((await call('POST', `/v1/item/${ids[3]}/tag/Locations`, { data })).ok).toBe(true)
      await popup.getByText(placeName).waitFor()
    }
    await page.goto(`${server.address}/world-map/${ids[4]}`)
    await page.getByText(mapTexts.thisItemHasNoPlace).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the centre of the map and a radius set the filter of all screens', async () => {
    const { page, errors } = await openPage(`${server.address}/world-map/${ids[0]}`, { user: 'ines' })
    await page.getByRole('region', { name: mapTexts.itemsHere }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.map-controls').getByRole('button', { name: mapTexts.locationFilter }).click()
    const dialog = page.getByRole('dialog', { name: mapTexts.locationFilter })
    await dialog.getByRole('button', { name: mapTexts.useTheCentre }).click()
    expect(await dialog.getByLabel(baseTexts.radius).getAttribute('aria-valuetext')).toBe('1,000 m')
    await dialog.getByText(searchTexts.kilometers).click()
    await dialog.getByRole('button', { name: baseTexts.done }).click()
    await page.getByText(/3( of 3)? items have a place/).waitFor()
    const near = new URL(page.url()).searchParams.get('near') ?? ''
    expect(near.split(',')[2]).toBe('1000000')
    await page.getByRole('link', { name: baseTexts.home, exact: true }).click()
    await waitUntil(async () =>
      (await page.getByRole('list', { name: baseTexts.items }).getByRole('link').count()) === 3 ? true : null,
    )
    // Reset sets the radius to 100 m. Removing the filter shows everything again.
    await page.goto(page.url().replace('/?', '/world-map?'))
    await page.locator('.map-controls').getByRole('button', { name: mapTexts.locationFilter }).click()
    await dialog.getByRole('button', { name: baseTexts.reset }).click()
    expect(await dialog.getByLabel(baseTexts.radius).getAttribute('aria-valuetext')).toBe('100 m')
    await dialog.getByRole('button', { name: baseTexts.remove }).click()
    await page.getByText('4 of 5 items have a place').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('on a phone a visitor sees no items of a private library and has no search', async () => {
    const { page, errors } = await openPage(server.address, { viewport: phone })
    await page.getByRole('link', { name: shellTexts.map }).click()
    await page.getByText(/0 .*places|0 items have a place|0 of 0/).waitFor()
    expect(await page.getByRole('combobox', { name: mapTexts.findAPlace }).count()).toBe(0)
    await saveScreenshot(page, 'map-phone')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a global admin switches all users to OpenStreetMap tiles, and back to the built-in map', async () => {
    const { page } = await openPage(`${server.address}/world-map`, {
      user: 'ines',
      before: page =>
        page.route('https://tile.openstreetmap.org/**', route =>
          route.fulfill({ status: 200, contentType: 'image/png', body: '' }),
        ),
    })
    await page.getByRole('button', { name: mapTexts.useOpenStreetMapTiles }).click()
    await page.getByText('© OpenStreetMap contributors').waitFor()
    await page.getByRole('button', { name: mapTexts.useTheBuiltInMap }).click()
    await page.getByText('Natural Earth').waitFor()
    await page.context().close()
  })
})

describeWalks('on this day', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const [n, year] of [2021, 2019, 2019, 2018].entries()) {
      writeFileSync(
        join(root, `${n}.jpg`),
        await picture({ seed: n + 1, width: 600, height: 400, exif: takenAt(`${year}-02-14 1${n}:00:00`) }),
      )
    }
    server = await startServer(join(directory, 'data'), [root])
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  test('shows the years of a day, and the days before and after', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await page.getByRole('button', { name: 'All, 4 items' }).waitFor()
    await page.goto(`${server.address}/on-this-day?day=02-14`)
    await page.getByRole('heading', { name: '14 February' }).waitFor()
    await page.getByText('4 items from 3 years').waitFor()
    const years = await page.locator('.day-year').getByRole('heading').allTextContents()
    expect(years).toEqual(['2021', '2019', '2018'])
    await saveScreenshot(page, 'on-this-day')

    // The viewer goes through the pictures of all years, and closes to this screen.
    await page.getByRole('region', { name: '2019' }).getByRole('link').first().click()
    await page.getByText('2 of 4').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: '14 February' }).waitFor()

    await page.getByRole('button', { name: onThisDayTexts.dayAfter }).click()
    await page.getByRole('heading', { name: '15 February' }).waitFor()
    await page.getByText(onThisDayTexts.noItemsToday).waitFor()
    await page.getByRole('button', { name: onThisDayTexts.dayBefore }).click()
    await page.getByText('4 items from 3 years').waitFor()

    // A picture that is deleted elsewhere disappears.
    const token = await registerAndSignIn(server)
    const headers = { authorization: `Bearer ${token}` }
    const text = await (await fetch(`${server.address}/v1/item/list/0`, { headers })).text()
    const { items }: { items: { id: number }[] } = JSON.parse(text)
    const item = `${server.address}/v1/item/${items[0]?.id}`
    await fetch(item, { method: 'DELETE', headers })
    await page.getByText('3 items from 2 years').waitFor()
    await fetch(`${item}/restore`, { method: 'PUT', headers })
    await page.getByText('4 items from 3 years').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
