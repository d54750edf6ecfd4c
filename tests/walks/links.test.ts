import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { person as personShape } from '../../schema/api/people.ts'
import { link as linkShape } from '../../schema/api/shares.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { sharingTexts } from '../../web/texts/sharing.ts'
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
const tiles = (page: Page) => page.locator('.guest-tile')

async function waitForTiles(page: Page, wanted: number): Promise<void> {
  await waitUntil(async () => ((await tiles(page).count()) === wanted ? true : null))
}

/** A thumbhash of one colour. */
const thumbhash = (of: number) =>
  Buffer.from(
    rgbaToThumbHash(
      16,
      16,
      new Uint8Array(1024).map((_, at) => (at % 4 === 3 ? 255 : of)),
    ),
  ).toString('base64')

/** The largest or smallest luminance (0–1) beside the program's name, where only the light of a picture is shown. */
async function luminance(page: Page, which: 'max' | 'min'): Promise<number> {
  const { channels } = await sharp(await page.screenshot({ clip: { x: 300, y: 0, width: 1000, height: 50 } })).stats()
  const [red = 0, green = 0, blue = 0] = channels.map(channel => {
    const value = channel[which] / 255
    return value <= 0.04 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describeWalks('a link', () => {
  let server: RunningServer
  let link = ''
  let password = ''
  let token = ''
  async function call(method: string, path: string, body: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return (await fetch(server.address + path, { method, headers, body: JSON.stringify(body) })).json()
  }
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const n of [1, 2, 3, 4])
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
    await waitForScans(server, token)
  })
  afterAll(() => server.stop())

  test('to several pictures is made from a selection, with a password, and opened by a guest', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await cards(page).first().waitFor()
    for (const n of [0, 1, 2]) {
      await page.locator('.card-pic').nth(n).hover()
      await page.locator('.card-pic').nth(n).getByRole('checkbox').click()
    }
    await button(page, selectionTexts.share).click()
    link = `http://${await dialog(page).getByLabel(sharingTexts.link, { exact: true }).inputValue()}`
    await dialog(page).getByRole('switch', { name: sharingTexts.originals }).click()
    await dialog(page).getByRole('switch', { name: sharingTexts.password }).click()
    password = await dialog(page).getByRole('textbox', { name: sharingTexts.password }).inputValue()
    await saveScreenshot(page, 'link-dialog')
    await dialog(page).getByRole('button', { name: sharingTexts.done }).click()

    const guest = await openPage(link)
    await guest.page.getByLabel(sharingTexts.passwordOfLink).fill('wrong')
    await button(guest.page, sharingTexts.show).click()
    await guest.page.getByText('This password is wrong.').waitFor()
    expect(await tiles(guest.page).count()).toBe(0)
    await guest.page.getByLabel(sharingTexts.passwordOfLink).fill(password)
    await guest.page.keyboard.press('Enter')
    await waitForTiles(guest.page, 3)
    await saveScreenshot(guest.page, 'link-guest')
    await tiles(guest.page).first().click()
    await dialog(guest.page).waitFor()
    await guest.page.keyboard.press('ArrowRight')
    await guest.page.getByRole('dialog', { name: sharingTexts.picture({ position: 2, count: 3 }) }).waitFor()
    await guest.page.keyboard.press('Escape')
    const download = guest.page.waitForEvent('download')
    await guest.page.getByRole('link', { name: sharingTexts.downloadAll }).click()
    expect((await download).suggestedFilename()).toMatch(/\.zip$/)

    const onPhone = await openPage(link, { viewport: phone })
    await onPhone.page.getByLabel(sharingTexts.passwordOfLink).fill(password)
    await onPhone.page.keyboard.press('Enter')
    await waitForTiles(onPhone.page, 3)
    await saveScreenshot(onPhone.page, 'link-guest-phone')
    expect([...errors, ...guest.errors, ...onPhone.errors]).toEqual([])
    for (const one of [page, guest.page, onPhone.page]) await one.context().close()
  })

  test('is listed, ended and opened again; while it is ended, a guest sees only that it is not active', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await cards(page).first().waitFor()
    await openFromMenu(page, baseTexts.myLinks)
    const row = page.getByRole('table', { name: baseTexts.myLinks }).getByRole('row').nth(1)
    const end = row.getByRole('button', { name: /^End the link/ })
    await row.getByRole('cell', { name: '2', exact: true }).waitFor()
    await saveScreenshot(page, 'links')
    // An open page of a link checks every 20 seconds whether it is still active; here five times a second.
    const open = await openPage(link, {
      before: page =>
        page.addInitScript(() => {
          const every = setInterval
          Object.assign(globalThis, {
            setInterval: (act: () => void, ms?: number) => every(act, ms === 20_000 ? 200 : ms),
          })
        }),
    })
    await open.page.getByLabel(sharingTexts.passwordOfLink).fill(password)
    await open.page.keyboard.press('Enter')
    await waitForTiles(open.page, 3)
    await end.click()
    await open.page.getByRole('heading', { name: baseTexts.sharedLinkIsNotActive }).waitFor()
    await open.page.context().close()
    await row.getByText(/^Ended \d/).waitFor()
    const guest = await openPage(link)
    const dead = guest.page.getByRole('heading', { name: baseTexts.sharedLinkIsNotActive })
    await dead.waitFor()
    await guest.page.getByText(sharingTexts.hasEnded).waitFor()
    expect(new URL(guest.page.url()).pathname).toBe('/')
    await saveScreenshot(guest.page, 'link-dead')
    await button(guest.page, sharingTexts.login).click()
    await guest.page.getByRole('dialog', { name: baseTexts.login }).waitFor()
    await guest.page.keyboard.press('Escape')

    // A user who sees items at '/' gets a notice there. Only a browser that has opened the link before shows the day.
    const user = await openPage(link, { user: 'ines' })
    await user.page.getByRole('alert').filter({ hasText: baseTexts.sharedLinkIsNotActive }).waitFor()
    await cards(user.page).first().waitFor()
    expect(new URL(user.page.url()).pathname).toBe('/')
    const name = new URL(link).pathname.slice('/link/'.length)
    await guest.page.evaluate(`localStorage.setItem('keepsake.links', '{"${name}":1000000000}')`)
    expect((await guest.page.goto(link))?.status()).toBe(404)
    await guest.page.getByText(sharingTexts.endedOrTakenBack({ day: 'Sunday, 9 September 2001' })).waitFor()
    await row.getByRole('button', { name: /again$/ }).click()
    await end.waitFor()
    await guest.page.goto(link)
    await guest.page.getByLabel(sharingTexts.passwordOfLink).waitFor()
    expect([...errors, ...guest.errors, ...user.errors]).toEqual([])
    for (const one of [page, guest.page, user.page]) await one.context().close()
  })

  test('to a person shows the name as long as the link shows names', async () => {
    const { id: person } = personShape.parse(await call('POST', '/v1/person', { names: ['Mia Lind'] }))
    await call('POST', '/v1/item/1/tag/People/object', { data: { person, x: 100, y: 100, width: 90, height: 90 } })
    const wanted = { person, title: 'Mia Lind', expires: null, details: true }
    const { id, name } = linkShape.parse(await call('POST', '/v1/links', wanted))
    const { page, errors } = await openPage(`${server.address}/link/${name}`)
    const title = page.getByRole('heading', { name: 'Mia Lind' })
    await title.waitFor()
    await call('PUT', `/v1/links/${id}`, { details: false })
    await title.waitFor({ state: 'detached' })
    await waitUntil(async () => ((await page.title()).includes('Mia') ? null : true))
    await waitForTiles(page, 1)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('has text that stays readable over the blurred light of any picture', async () => {
    for (const [theme, shade, which, limit] of [
      ['dark', 255, 'max', 0.06],
      ['light', 0, 'min', 0.6],
    ] as const) {
      const { name } = linkShape.parse(
        await call('POST', '/v1/links', { items: [1, 2], expires: null, title: 'Summer' }),
      )
      const { page, errors } = await openPage(`${server.address}/link/${name}`, {
        theme,
        before: async of => {
          await of.addInitScript(`localStorage.setItem('keepsake.options', '{"theme":"${theme}"}')`)
          await of.route(/\/items\?/, async route => {
            const response = await route.fetch()
            const text = (await response.text()).replace(/"thumbhash":"[^"]*"/g, `"thumbhash":"${thumbhash(shade)}"`)
            await route.fulfill({ response, body: text })
          })
        },
      })
      await waitForTiles(page, 2)
      await page.getByText('Inés shared this with you.').waitFor()
      const found = await luminance(page, which)
      expect(which === 'max' ? found : -found).toBeLessThan(which === 'max' ? limit : -limit)
      expect(errors).toEqual([])
      await page.context().close()
    }
  })
})
