import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { translation as german } from '../../web/texts/translations/de.ts'
import { translation as persian } from '../../web/texts/translations/fa.ts'
import { describeWalks, openPage, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitForScans } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const { base } = persian

/** Words of the English menus and buttons, which no page in another language has. */
const english =
  /\b(Home|Albums|People|Places|Search|Options|Login|Logout|Collections|Close|Save|Cancel|Delete|Edit|items?)\b/

/** What a user reads on the page, and what assistive technology reads to them. */
async function textsOf(page: Page): Promise<string> {
  const labels = await page.evaluate(
    `[...document.querySelectorAll('[aria-label]')].map(one => one.getAttribute('aria-label')).join('\\n')`,
  )
  return `${await page.evaluate('document.body.innerText')}\n${labels}`
}

const items = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('link')

/** Pixels by which the page can be scrolled sideways. */
const sideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describeWalks('languages', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const n of [1, 2, 3])
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2012-08-0${n} 12:00:00`) }))
    server = await startServer(join(directory, 'data'), [root])
    await waitForScans(server, await registerAndSignIn(server))
  })
  afterAll(() => server.stop())

  test('a Persian browser gets every main screen in Persian, from right to left', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines', locale: 'fa-IR' })
    await items(page, base.items).first().waitFor()
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
      'fa-IR',
      'rtl',
    ])
    // 3 August 2012 in the Persian calendar.
    await page.getByText('۱۳ مرداد ۱۳۹۱').first().waitFor()
    await saveScreenshot(page, 'home-persian')
    for (const path of ['/', '/albums', '/people', '/places', '/on-this-day', '/world-map', '/admin', '/admin/users']) {
      await page.goto(server.address + path)
      await page.getByText(base.home, { exact: true }).first().waitFor()
      await page.waitForLoadState('networkidle')
      expect({ path, english: english.exec(await textsOf(page))?.[0], sideways: await sideways(page) }).toEqual({
        path,
        english: undefined,
        sideways: 0,
      })
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the chosen language is kept in the profile and applies on another device, and messages of the server follow it', async () => {
    const { page } = await openPage(server.address, { user: 'ines' })
    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByLabel('Language', { exact: true }).selectOption('de')
    await items(page, german.base.items).first().waitFor()
    await page.context().close()
    const other = await openPage(server.address, { user: 'ines', locale: 'en-GB' })
    await items(other.page, german.base.items).first().waitFor()
    await other.page.goto(`${server.address}/?q=kind:x`)
    await other.page
      .getByText(/Es gibt kein Feld|Feld/)
      .first()
      .waitFor()
    await other.page.context().close()
  })
})
