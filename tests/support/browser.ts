/** Opens pages in a real browser for walks: Debian's chromium, or any Chromium in PATH. */

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { isLong } from './long.ts'
import { testedLocale } from './page-language.ts'
import { mustNotSkip } from './samples.ts'
import { waitUntil } from './server-process.ts'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function executable(): string | null {
  for (const name of names) {
    const found = Bun.which(name)
    if (found !== null) return found
  }
  return null
}

/** Groups walks. Without a browser, the group is one skipped test that says why; in CI, this test fails. */
export function describeWalks(name: string, walks: () => void): void {
  const path = executable()
  if (path !== null) {
    describe(name, () => {
      beforeEach(() => opened.clear())
      walks()
      afterEach(closePages)
      afterAll(closeBrowser)
    })
    return
  }
  const message = `${name}: chromium is missing (Debian: apt-get install chromium)`
  if (mustNotSkip()) {
    test(message, () => expect(path).not.toBeNull())
  } else {
    console.warn(`skipped: ${message}`)
    test.skip(message, () => {})
  }
}

let browser: Promise<Browser> | null = null
/** What the current walk has opened. It is closed after the walk, because open pages keep updating. */
const opened = new Set<BrowserContext>()

async function closePages(): Promise<void> {
  await Promise.all([...opened].map(context => context.close()))
  opened.clear()
}

/** The browser of this process; started again after a file of walks has closed it. */
async function openBrowser(): Promise<Browser> {
  if (browser === null || !(await browser).isConnected()) {
    browser = chromium.launch({ executablePath: executable() ?? '', args: flags })
  }
  return browser
}

/** Closes the browser, so that the process can exit; the next file of walks opens another. */
export async function closeBrowser(): Promise<void> {
  const closing = browser
  browser = null
  await (await closing)?.close()
}

const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking']

/** Time zone of the pages: far from this machine's, so that code which counts days in the wrong zone fails. */
const timeZone = 'Pacific/Auckland'

/** Today's month and day (`MM-DD`) as the pages see it; 28 February in place of the 29th, so that every year has it. */
export function todayOnPages(): string {
  const day = new Date().toLocaleDateString('sv', { timeZone }).slice(5)
  return day === '02-29' ? '02-28' : day
}

/** `WALKS_SLOWED=4` slows the pages down by this factor, to find walks that check something too early. */
const slowdown = Number(process.env.WALKS_SLOWED ?? 1)

export const laptop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** A page and the errors that it has reported; there must be none at the end of a walk. */
export interface OpenedPage {
  page: Page
  errors: string[]
}

export interface PageOptions {
  viewport?: { width: number; height: number } | undefined
  theme?: 'dark' | 'light'
  /** The browser's language; British English by default. */
  locale?: string
  /** Allows its service worker. */
  serviceWorker?: boolean
  /** Who is signed in before the page loads, with the password `secret`. */
  user?: string
  /** Done before the page loads. */
  before?: (page: Page) => Promise<unknown>
}

/** Opens a page with empty storage, except for the session of `user`. */
export async function openPage(address: string, options: PageOptions = {}): Promise<OpenedPage> {
  const viewport = options.viewport ?? laptop
  const context = await (await openBrowser()).newContext({
    viewport,
    locale: options.locale ?? testedLocale,
    timezoneId: timeZone,
    colorScheme: options.theme ?? 'dark',
    hasTouch: viewport.width < 600,
    isMobile: viewport.width < 600,
    // `page.route` does not see requests that go through an active service worker.
    serviceWorkers: options.serviceWorker === true ? 'allow' : 'block',
  })
  opened.add(context)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  if (slowdown > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  }
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('response', response => {
    if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`)
  })
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  await options.before?.(page)
  if (options.user === undefined) await page.goto(address)
  else {
    const stored = await storeSession(page, new URL(address).origin, options.user)
    await page.goto(address)
    await stored.dispose()
    const more = page.getByRole('button', { name: baseTexts.more, exact: true })
    await (options.locale === undefined ? more : page.getByRole('banner')).first().waitFor()
  }
  const { goto, reload } = page
  page.goto = async (...where) => {
    await waitForHistory(page)
    return goto.apply(page, where)
  }
  page.reload = async (...how) => {
    await waitForHistory(page)
    return reload.apply(page, how)
  }
  return { page, errors }
}

/** Signs in as the dialog would, with cookie and stored session, from the next page on until it is disposed of. */
async function storeSession(page: Page, address: string, username: string) {
  const response = await page.context().request.post(`${address}/v1/users/login`, {
    headers: { origin: address },
    data: { username, password: 'secret' },
  })
  const session = JSON.stringify(await response.text())
  return page.addInitScript({ content: `localStorage.setItem('keepsake.session', ${session})` })
}

const hasLayerEntryLeft = `history.state?.position?.layers > 0
  && document.querySelector('dialog:modal, [role=dialog]:not(.viewer), [role=menu], .popover, .map-popup, .details-sheet') === null`

/** Waits until closed dialogs have removed their history entry: opening a page earlier would interrupt the removal. */
export async function waitForHistory(page: Page): Promise<void> {
  await waitUntil(async () => ((await page.evaluate(hasLayerEntryLeft)) === true ? null : true))
}

/** Saves a screenshot of the page in tests/.output, in `npm run test:long` only. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (!isLong) return
  const directory = join(import.meta.dir, '..', '.output')
  mkdirSync(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`) })
}
