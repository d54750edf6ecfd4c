/** Helpers for walks of the file manager: locators, opening the screen, delaying responses. */
import type { Locator, Page, Route } from 'playwright'
import { laptop, openPage, type Watched } from './browser.ts'
import { type Serving, until } from './serving.ts'

export const option = (page: Page, name: string) => page.locator(`[role="option"][data-name="${name}"]`)
/** The part of an entry that can be dragged: dragging beside it draws a selection box. */
export const handle = (page: Page, name: string) => option(page, name).locator('[data-grab]')
export const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')

/** Opens the folder `path` with the account that `signIn` created, and waits until `first` is visible. */
export async function openFiles(
  { address }: Serving,
  { path = '/pictures', first, viewport = laptop }: { path?: string; first: string; viewport?: typeof laptop },
): Promise<Watched> {
  const query = path === '/' ? '' : `?${new URLSearchParams({ path })}`
  const watched = await openPage(`${address}/admin/files${query}`, { viewport, user: 'ines' })
  await option(watched.page, first).waitFor()
  return watched
}

/** Holds the widget's requests for the action `q` until the test continues or aborts them. */
export async function heldCalls(page: Page, q: string) {
  const routes: Route[] = []
  const isHeld = (url: URL) => url.pathname === '/v1/files' && url.searchParams.get('q') === q
  await page.route(isHeld, route => void routes.push(route))
  return {
    /** The held request with this number, from 0. */
    asked: (number = 0) => until(async () => routes[number] ?? null),
    end: () => page.unroute(isHeld),
  }
}

/**
 * Presses until `isDone`. If there are unsaved changes, only the second press counts, and it is ignored as accidental
 * within half a second of the first. Does not wait for a button that has disappeared.
 */
export async function pressUntil(pressed: Locator, isDone: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await isDone()) return true
    await pressed.click({ timeout: 1_000 }).catch(() => {})
    return null
  })
}

/** Clicks twice, 10 ms apart however slow the machine is, so that the second click is ignored as accidental. */
export async function doublePress(pressed: Locator): Promise<void> {
  await pressed.evaluate(async button => {
    const press = () => Reflect.get(button, 'click').call(button)
    press()
    await new Promise(later => setTimeout(later, 10))
    press()
  })
}

/** Waits until the history is back at the dialog's step: going back earlier would leave the page. */
export async function stepIsBack(page: Page): Promise<void> {
  await until(async () => ((await page.evaluate('history.state?.step?.over')) === 1 ? true : null))
}
