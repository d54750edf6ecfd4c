/** Helpers for walks of the file manager: locators, opening the screen, delaying responses. */
import type { Locator, Page, Route } from 'playwright'
import { laptop, type OpenedPage, openPage } from './browser.ts'
import { type RunningServer, waitUntil } from './server-process.ts'

export const fileEntry = (page: Page, name: string) => page.locator(`[role="option"][data-name="${name}"]`)
/** The part of an entry that can be dragged: dragging beside it draws a selection box. */
export const dragHandle = (page: Page, name: string) => fileEntry(page, name).locator('[data-grab]')
export const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')

/** Opens the folder `path` with the account that `signIn` created, and waits until `first` is visible. */
export async function openFileManager(
  { address }: RunningServer,
  { path = '/pictures', first, viewport = laptop }: { path?: string; first: string; viewport?: typeof laptop },
): Promise<OpenedPage> {
  const query = path === '/' ? '' : `?${new URLSearchParams({ path })}`
  const opened = await openPage(`${address}/admin/files${query}`, { viewport, user: 'ines' })
  await fileEntry(opened.page, first).waitFor()
  return opened
}

/** Holds the widget's requests for the action `q` until the test continues or aborts them. */
export async function holdRequests(page: Page, q: string) {
  const routes: Route[] = []
  const isHeld = (url: URL) => url.pathname === '/v1/files' && url.searchParams.get('q') === q
  await page.route(isHeld, route => void routes.push(route))
  return {
    /** The held request with this number, from 0. */
    request: (number = 0) => waitUntil(async () => routes[number] ?? null),
    release: () => page.unroute(isHeld),
  }
}

/**
 * Presses until `isDone`. If there are unsaved changes, only the second press counts, and it is ignored as accidental
 * within half a second of the first. Does not wait for a button that has disappeared.
 */
export async function pressUntil(pressed: Locator, isDone: () => Promise<boolean>): Promise<void> {
  await waitUntil(async () => {
    if (await isDone()) return true
    await pressed.click({ timeout: 1_000 }).catch(() => {})
    return null
  })
}

/** Clicks twice, 10 ms apart however slow the machine is, so that the second click is ignored as accidental. */
export async function pressTwice(pressed: Locator): Promise<void> {
  await pressed.evaluate(async button => {
    const press = () => Reflect.get(button, 'click').call(button)
    press()
    await new Promise(later => setTimeout(later, 10))
    press()
  })
}

/** Waits until the history is back at the dialog's step: going back earlier would leave the page. */
export async function waitForDialogStep(page: Page): Promise<void> {
  await waitUntil(async () => ((await page.evaluate('history.state?.position?.layers')) === 1 ? true : null))
}
