import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { translation as german } from '../../web/texts/translations/de.ts'
import { translation as persian } from '../../web/texts/translations/fa.ts'
import { describeWalks, openPage, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
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

/** The last and first days of Persian months, which are in the same Gregorian one: of Mordad, of a common and a leap year. */
const daysAtBoundaries = [
  '2012-08-21', // 31 Mordad 1391
  '2012-08-22', // 1 Shahrivar 1391
  '2012-03-19', // 29 Esfand 1390
  '2012-03-20', // 1 Farvardin 1391
  '2013-03-20', // 30 Esfand 1391
  '2013-03-21', // 1 Farvardin 1392
]

const monthCells = (page: Page) => page.locator('.months button')
const textsIn = (page: Page, selector: string) => page.locator(selector).allInnerTexts()

/** Persian dates of the cards, such as '۱۳ مرداد ۱۳۹۱', newest first, once they are `wanted`. */
async function waitForDates(page: Page, wanted: readonly string[]): Promise<void> {
  let dates: string[] = []
  await waitUntil(async () => {
    const spoken: string[] = await page.evaluate(
      "[...document.querySelectorAll('.card-link')].map(link => link.getAttribute('aria-label'))",
    )
    dates = spoken.map(text => /[۰-۹]+ \S+ [۰-۹]{4}/.exec(text)?.[0] ?? text)
    return dates.join() === wanted.join() ? true : null
  }).catch(() => expect(dates).toEqual([...wanted]))
}

describeWalks('languages', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    const days = ['2012-08-01', '2012-08-02', '2012-08-03', ...daysAtBoundaries]
    for (const [n, day] of days.entries())
      writeFileSync(join(root, `${day}.jpg`), await picture({ seed: n + 1, exif: takenAt(`${day} 12:00:00`) }))
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

  test('in Persian, years, months and days are those of the Persian calendar', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines', locale: 'fa-IR' })
    await items(page, base.items).first().waitFor()
    expect((await textsIn(page, '.months button')).join(' ')).toBe(
      'فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند',
    )
    const cell = (month: string) => monthCells(page).filter({ hasText: month })
    const cellsWithItems = async () =>
      (await page.locator('.months button[data-empty=false]').allInnerTexts()).map(text => text.trim())
    expect(await cellsWithItems()).toEqual(['فروردین', 'مرداد', 'شهریور', 'اسفند'])

    // A month of every year, from its first to its last day.
    await cell('فروردین').click()
    await waitForDates(page, ['۱ فروردین ۱۳۹۲', '۱ فروردین ۱۳۹۱'])
    expect(new URL(page.url()).search).toBe('?month=1&calendar=persian')

    // A year, with the leap day at its end, and one month of it.
    await page.locator('.year-stepper button').first().click()
    await waitForDates(page, ['۱ فروردین ۱۳۹۲'])
    await page.locator('.year-stepper button').first().click()
    await waitForDates(page, ['۱ فروردین ۱۳۹۱'])
    expect(await page.locator('.year-stepper').textContent()).toContain('۱۳۹۱')
    await cell('فروردین').click()
    const mordad = ['۳۱ مرداد ۱۳۹۱', '۱۳ مرداد ۱۳۹۱', '۱۲ مرداد ۱۳۹۱', '۱۱ مرداد ۱۳۹۱']
    const year = ['۳۰ اسفند ۱۳۹۱', '۱ شهریور ۱۳۹۱', ...mordad, '۱ فروردین ۱۳۹۱']
    await waitForDates(page, year)
    expect(new URL(page.url()).search).toBe('?year=1391')
    expect(await cellsWithItems()).toEqual(['فروردین', 'مرداد', 'شهریور', 'اسفند'])
    await cell('مرداد').click()
    await waitForDates(page, mordad)

    // The timeline's headings are the dates of its cards; of months, with the smallest pictures.
    await page.goto(`${server.address}/?year=1391`)
    await page.getByRole('button', { name: base.timeline, exact: true }).click()
    await page.locator('.tl-head').first().waitFor()
    await waitUntil(async () => {
      const headings = await textsIn(page, '.tl-head h2')
      const agree = headings.length === year.length && headings.every((text, n) => text.includes(year[n] ?? '?'))
      return agree ? true : null
    })
    await page.getByRole('slider', { name: persian.shell.pictureSize }).focus()
    await page.keyboard.press('Home')
    await waitUntil(async () => {
      const headings = await textsIn(page, '.tl-head h2')
      return headings.join() === 'اسفند ۱۳۹۱,شهریور ۱۳۹۱,مرداد ۱۳۹۱,فروردین ۱۳۹۱' ? true : null
    })
    await saveScreenshot(page, 'timeline-persian')

    // The heading of a month selects exactly its items.
    const shownMordad = page.locator('.tl-head').nth(2)
    await shownMordad.hover()
    await shownMordad.getByRole('checkbox').click()
    await shownMordad.locator('[aria-checked=true]').waitFor()
    expect(await page.locator('.tl-head [aria-checked=false]').count()).toBe(3)

    // All years: the scrubber has Persian ones.
    await page.goto(server.address)
    await page.locator('.scrub-year').first().waitFor()
    expect(await textsIn(page, '.scrub-year')).toEqual(['۱۳۹۲', '۱۳۹۱', '۱۳۹۰'])
    expect(await page.locator('.scrub-lane').getAttribute('aria-valuetext')).toBe('فروردین ۱۳۹۲')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('On This Day compares Persian days, and addresses of one language work in the other', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines', locale: 'fa-IR' })
    // The leap day, which 29 Esfand of common years includes.
    await page.goto(`${server.address}/on-this-day?day=12-30&calendar=persian`)
    await page.getByRole('heading', { level: 2, name: '۱۳۹۱' }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('۳۰ اسفند')
    await page.getByRole('button', { name: persian.onThisDay.dayAfter }).click()
    await page.getByRole('heading', { level: 2, name: '۱۳۹۲' }).waitFor()
    expect(await textsIn(page, '.day-head h2')).toEqual(['۱۳۹۲', '۱۳۹۱'])
    expect(new URL(page.url()).search).toBe('?day=01-01&calendar=persian')

    // A Gregorian year in the Persian pages: its months are Gregorian.
    await page.goto(`${server.address}/?year=2013&month=3`)
    await waitForDates(page, ['۱ فروردین ۱۳۹۲', '۳۰ اسفند ۱۳۹۱'])
    expect((await textsIn(page, '.months button'))[0]?.trim()).toBe('ژانویه')
    expect(errors).toEqual([])
    await page.context().close()

    // A Persian month in the English pages.
    const other = await openPage(`${server.address}/?year=1391&month=5`, { user: 'ines', locale: 'en-GB' })
    await waitUntil(async () => ((await other.page.locator('.card-link').count()) === 4 ? true : null))
    expect((await textsIn(other.page, '.months button'))[4]?.trim()).toBe('Mor')
    expect(await other.page.locator('.months button[aria-pressed=true]').getAttribute('title')).toContain('Mordad')
    await other.page.goto(`${server.address}/?month=3`)
    await waitUntil(async () => ((await other.page.locator('.card-link').count()) === 4 ? true : null))
    expect((await textsIn(other.page, '.months button')).map(text => text.trim()).slice(0, 3)).toEqual([
      'Jan',
      'Feb',
      'Mar',
    ])
    expect(other.errors).toEqual([])
    await other.page.context().close()
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
    // The browser made no choice of its own, so it follows its own language again after signing out.
    await other.page.goto(server.address)
    await other.page.getByRole('button', { name: german.base.more, exact: true }).click()
    await other.page.getByRole('menuitem', { name: german.base.logout }).click()
    await waitUntil(async () =>
      (await other.page.evaluate(`JSON.parse(localStorage['keepsake.options']).profileLanguage`)) === '' ? true : null,
    )
    await other.page.reload()
    await other.page.getByRole('button', { name: 'More', exact: true }).waitFor()
    await other.page.context().close()
  })
})
