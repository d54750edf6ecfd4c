import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { describeWalks, openPage, saveScreenshot } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory, temporaryOnDisk } from '../support/temporary.ts'

temporaryOnDisk()

const cards = (page: Page) => page.getByRole('list', { name: baseTexts.items }).getByRole('link')

describeWalks('open pages', () => {
  let server: RunningServer
  let [data, root, holidays, token] = ['', '', '', '']
  beforeAll(async () => {
    const directory = temporaryDirectory()
    data = join(directory, 'data')
    root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 4; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    }
    server = await startServer(data, [root])
    token = await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  const call = (method: string, path: string, body?: unknown) =>
    fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  const requestJson = async (method: string, path: string, body?: unknown) =>
    JSON.parse(await (await call(method, path, body)).text())
  const listItems = (): Promise<{ items: { id: number }[] }> => requestJson('GET', '/v1/item/list/0')

  test('two browsers show what the API and the terminal change', async () => {
    // Inés is signed in in two browsers.
    const options = { user: 'ines', before: (page: Page) => page.clock.install() }
    const [first, second] = [await openPage(server.address, options), await openPage(server.address, options)]
    for (const { page } of [first, second]) {
      await waitUntil(async () => ((await cards(page).count()) === 4 ? true : null))
    }

    // A keyword is added by an API call: both browsers show it.
    const { items } = await listItems()
    await call('POST', `/v1/item/${items[0]?.id}/tag/Keywords`, { data: ['By the river'] })
    for (const { page } of [first, second]) await page.getByText('By the river').first().waitFor()

    // The picture is recycled while the second browser shows it: the next one takes its place.
    await cards(second.page).first().click()
    await second.page.getByText('1 of 4').waitFor()
    expect((await call('DELETE', `/v1/item/${items[0]?.id}`)).status).toBe(204)
    await second.page.getByText('1 of 3').waitFor()
    expect(new URL(second.page.url()).pathname).toBe(`/item/${items[1]?.id}`)
    await waitUntil(async () => ((await cards(first.page).count()) === 3 ? true : null))

    // A scan from the terminal adds a picture: the sidebar counts it at once, the list shows it 20 s later.
    writeFileSync(join(root, '5.jpg'), await picture({ seed: 5, exif: takenAt('2019-08-05 12:00:00') }))
    expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    await first.page.getByRole('button', { name: 'All, 4 items' }).waitFor()
    await first.page.clock.fastForward(5_000)
    expect(await cards(first.page).count()).toBe(3)
    await first.page.clock.fastForward(20_000)
    await waitUntil(async () => ((await cards(first.page).count()) === 4 ? true : null))

    // A collection created in the terminal appears too.
    holidays = join(temporaryDirectory(), 'Holidays')
    mkdirSync(holidays)
    writeFileSync(join(holidays, '6.jpg'), await picture({ seed: 6, exif: takenAt('2019-08-06 12:00:00') }))
    expect((await runCommand(['--data', data, 'scan', holidays])).code).toBe(0)
    await first.page.getByRole('button', { name: 'Holidays, 1 item' }).waitFor()
    await first.page.clock.fastForward(20_000)
    await waitUntil(async () => ((await cards(first.page).count()) === 5 ? true : null))

    expect([...first.errors, ...second.errors]).toEqual([])
    await first.page.context().close()
    await second.page.context().close()
  })

  test('a visitor gets events about public items only', async () => {
    const { page, errors } = await openPage(server.address)
    const frames: string[] = []
    page.on('websocket', socket => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
    await page.reload()
    await waitUntil(async () => (frames.some(text => text.includes('collection-0')) ? true : null))
    const { items } = await listItems()
    await call('POST', `/v1/item/${items.at(-1)?.id}/tag/Keywords`, { data: ['The business of nobody else'] })

    // The collection Holidays becomes public: the page shows its item without a reload.
    const collections: { name: string; id: number; access: { id: number; public: boolean }[] }[] = await requestJson(
      'GET',
      '/v1/collection',
    )
    const group = collections.find(({ name }) => name === 'Holidays')?.access[1]
    expect((await call('PUT', `/v1/access/${group?.id}`, { group: { public: true } })).status).toBe(200)
    await waitUntil(async () => ((await cards(page).count()) === 1 ? true : null))
    expect(frames.filter(text => text.includes('"item"'))).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a page reconnects to a restarted server and loads what it missed', async () => {
    const { page } = await openPage(server.address, { before: page => page.clock.install() })
    await waitUntil(async () => ((await cards(page).count()) === 1 ? true : null))
    const pictures = /pThumbnail=(medium|large)/
    await page.route(pictures, route => route.abort())
    await cards(page).first().click()
    const loadError = page.getByText(baseTexts.pictureCouldNotBeLoaded)
    await loadError.waitFor()
    const { port } = new URL(server.address)
    await server.stop()
    writeFileSync(join(holidays, '7.jpg'), await picture({ seed: 7, exif: takenAt('2019-08-07 12:00:00') }))
    expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    // A picture that could not be loaded loads by itself when the server is back.
    await page.unroute(pictures)
    server = await startServer(data, [], `127.0.0.1:${port}`)
    await loadError.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    // The killed server did not say that it was stopping, so a visitor's page connects again only when it becomes visible.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    // The sidebar counts the new picture at once, the list shows it 20 s later.
    await page.getByRole('button', { name: 'All, 2 items' }).waitFor()
    await page.clock.fastForward(20_000)
    await waitUntil(async () => ((await cards(page).count()) === 2 ? true : null))
    await page.context().close()
  })

  longTest('a screen whose code could not be loaded opens when the server is back', async () => {
    const { page } = await openPage(server.address)
    await waitUntil(async () => ((await cards(page).count()) === 2 ? true : null))
    const { port } = new URL(server.address)
    await server.stop()
    await page.getByRole('link', { name: baseTexts.worldMap }).click()
    await page.getByRole('heading', { name: 'Keepsake is not responding' }).waitFor()
    server = await startServer(data, [], `127.0.0.1:${port}`)
    await page.locator('.map-canvas canvas').first().waitFor()
    await page.context().close()
  })

  test('a page that was visited before loads without the server, reports it as missing, and works when it is back', async () => {
    const { page } = await openPage(server.address, { serviceWorker: true })
    await waitUntil(async () => ((await cards(page).count()) === 2 ? true : null))
    // The files are cached once the service worker controls the page.
    await waitUntil(async () => ((await page.evaluate('navigator.serviceWorker.controller !== null')) ? true : null))
    const { port } = new URL(server.address)
    await server.stop()
    await page.reload()
    await page.getByRole('heading', { name: 'Keepsake is not responding' }).waitFor()
    await saveScreenshot(page, 'out-of-reach')
    server = await startServer(data, [], `127.0.0.1:${port}`)
    // The page retries every two seconds by itself.
    await waitUntil(async () => ((await cards(page).count()) === 2 ? true : null))
    // The cache has nothing of the library, and no CSRF value.
    const kept = await page.evaluate(`(async () => {
      const names = await caches.keys()
      const stores = await Promise.all(names.map(name => caches.open(name)))
      const requests = (await Promise.all(stores.map(store => store.keys()))).flat()
      const shell = await (await caches.match('/')).text()
      return JSON.stringify({ paths: requests.map(({ url }) => new URL(url).pathname), shell })
    })()`)
    const { paths, shell }: { paths: string[]; shell: string } = JSON.parse(String(kept))
    expect(paths.filter(path => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
    expect(shell).toContain('<meta name="csrf-token" content=""')
    await page.context().close()
  })

  longTest('when a session ends elsewhere, the login opens on top and gets the focus', async () => {
    const { page } = await openPage(server.address, { user: 'ines' })
    await page.getByRole('button', { name: baseTexts.more, exact: true }).click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await page.getByRole('dialog', { name: baseTexts.editProfile }).waitFor()
    const stored = await page.evaluate("localStorage.getItem('keepsake.session')")
    const { token: own }: { token: string } = JSON.parse(String(stored))
    await fetch(`${server.address}/v1/users/logout`, { headers: { authorization: `Bearer ${own}` } })
    const login = page.getByRole('dialog', { name: baseTexts.login })
    await login.waitFor()
    await login.locator('input:focus').waitFor()
    // The dialog under it cannot be pressed.
    const below = page.getByRole('dialog', { name: baseTexts.editProfile }).getByRole('button').first()
    expect(await below.click({ timeout: 500 }).catch(error => String(error))).toContain('intercepts pointer events')
    await page.context().close()
  })

  test('an item that is moved to another collection leaves the list, and the next one takes its place', async () => {
    const session: { token: string } = await requestJson('GET', '/v1/users/renew')
    token = session.token
    const collections: { name: string; id: number }[] = await requestJson('GET', '/v1/collection')
    const idOf = (name: string) => collections.find(one => one.name === name)?.id
    const from: { items: { id: number }[] } = await requestJson('GET', `/v1/item/list/${idOf('pictures')}`)
    const [first, next] = from.items
    const { page, errors } = await openPage(`${server.address}/?collection=${idOf('pictures')}`, { user: 'ines' })
    await cards(page).first().click()
    await page.getByText(`1 of ${from.items.length}`).waitFor()
    await call('PUT', `/v1/collection/transfer/${idOf('Holidays')}`, { items: [first?.id] })
    await page.getByText(`1 of ${from.items.length - 1}`).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/item/${next?.id}`)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
