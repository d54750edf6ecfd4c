/** Opens the pages in Chromium and drives them for `bench/web.ts`. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { z } from 'zod'
import { account } from './web-library.ts'
import { type FrameStats, frameStatsShape, longTasksShape, probeScript, reachedShape } from './web-probe.ts'
import { type LongTasks, longTasks, summarise, tracedCategories } from './web-trace.ts'

export const devices = {
  laptop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const
export type Device = keyof typeof devices

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking']

export async function startBrowser(): Promise<Browser> {
  const executablePath = names.map(name => Bun.which(name)).find(path => path !== null)
  if (executablePath == null) throw new Error('chromium is missing (Debian: apt-get install chromium)')
  return chromium.launch({ executablePath, args: flags })
}

export type State = Awaited<ReturnType<BrowserContext['storageState']>>

export async function openPage(browser: Browser, device: Device, state?: State): Promise<Page> {
  const isPhone = device === 'phone'
  const context = await browser.newContext({
    viewport: devices[device],
    locale: 'en-GB',
    isMobile: isPhone,
    hasTouch: isPhone,
    ...(state === undefined ? {} : { storageState: state }),
  })
  await context.addInitScript(probeScript)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  return page
}

/** Signs in as a user does, chooses the endless gallery, and returns the browser's storage. */
export async function signedInState(browser: Browser, address: string): Promise<State> {
  const page = await openPage(browser, 'laptop')
  await page.goto(address)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Login' }).click()
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Login' }).waitFor({ state: 'detached' })
  await page.evaluate(`localStorage.setItem('keepsake.options', JSON.stringify({ view: 'Infinite Scroll' }))`)
  const state = await page.context().storageState()
  await page.context().close()
  return state
}

/** Waits for a condition of the probe; returns milliseconds since the page was opened, and since the last input. */
export async function waitUntil(page: Page, what: string) {
  return reachedShape.parse(await page.evaluate(`bench.until('${what}')`))
}

/** Performs an action and returns what the frames showed meanwhile. */
export async function recordFrames(page: Page, act: () => Promise<void>): Promise<FrameStats> {
  await page.evaluate('bench.watch()')
  await act()
  return frameStatsShape.parse(await page.evaluate('bench.seen()'))
}

export interface Traced<T> {
  result: T
  tasks: LongTasks
  /** The tasks of 50 milliseconds and more that the browser reports to the page. */
  reported: { count: number; longest: number }
}

const clockShape = z.object({ origin: z.number(), now: z.number() })

/** Performs an action while the browser traces every task. `traceFile`: a file for the whole trace. */
export async function traceTasks<T>(
  browser: Browser,
  page: Page,
  act: () => Promise<T>,
  traceFile?: string,
): Promise<Traced<T>> {
  const clock = async () =>
    clockShape.parse(await page.evaluate('({ origin: performance.timeOrigin, now: performance.now() })'))
  const before = await clock()
  await browser.startTracing(page, {
    categories: tracedCategories,
    ...(traceFile === undefined ? {} : { path: traceFile }),
  })
  const result = await act()
  const tasks = summarise(longTasks(await browser.stopTracing()))
  // If another page was opened meanwhile, its clock started at 0.
  const since = (await clock()).origin === before.origin ? before.now : 0
  const durations = longTasksShape.parse(await page.evaluate(`bench.tasks(${since})`)).map(({ duration }) => duration)
  return { result, tasks, reported: { count: durations.length, longest: Math.max(0, ...durations) } }
}

/**
 * Turns the wheel in rounds of ten seconds: six seconds slowly (2,000 pixels a second), three fast (16,000), one not at
 * all. It is slower if the browser accepts the events more slowly.
 */
export async function turnWheel(page: Page, seconds: number): Promise<void> {
  const size = page.viewportSize() ?? devices.laptop
  await page.mouse.move(size.width / 2, size.height / 2)
  const started = performance.now()
  const end = started + seconds * 1000
  for (let now = started; now < end; now = performance.now()) {
    const inRound = ((now - started) / 1000) % 10
    if (inRound >= 9) {
      await Bun.sleep(Math.min(1000, end - now))
      continue
    }
    await page.mouse.wheel(0, inRound < 6 ? 120 : 480)
    await Bun.sleep(Math.max(0, (inRound < 6 ? 60 : 30) - (performance.now() - now)))
  }
}

/** Goes to the start or end of the timeline with a click on its lane or, on a phone, by dragging its thumb. */
export async function jumpTimeline(page: Page, device: Device, to: 0 | 1): Promise<void> {
  if (device === 'laptop') {
    const lane = await page.locator('.scrub-lane').boundingBox()
    if (lane === null) throw new Error('there is no timeline')
    await page.mouse.click(lane.x + lane.width / 2, lane.y + (to === 1 ? lane.height - 8 : 8))
    return
  }
  const { width, height } = devices.phone
  await page.mouse.move(width / 2, height / 2)
  await page.mouse.wheel(0, to === 1 ? 200 : -200)
  await page.locator('.scrub-thumb[data-shown="true"]').waitFor()
  const thumb = await page.locator('.scrub-thumb').boundingBox()
  if (thumb === null) throw new Error('there is no timeline')
  const [x, y] = [thumb.x + 12, thumb.y + thumb.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, to === 1 ? height - 1 : 1, { steps: 20 })
  await page.mouse.up()
}

/** Bytes of the JavaScript heap after a garbage collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
