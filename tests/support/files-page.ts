/** The screen of the file manager in a browser: what walks press, how they open it, and responses that they delay. */
import type { Locator, Page, Route } from 'playwright'
import { laptop, openPage, type Watched } from './browser.ts'
import { type Serving, until } from './serving.ts'

export const option = (page: Page, name: string) => page.locator(`[role="option"][data-name="${name}"]`)
/** The part of an entry to drag: beside it, a selection box starts. */
export const handle = (page: Page, name: string) => option(page, name).locator('[data-grab]')
export const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')

/** The folder `path`, of the account that `signIn` made, once `first` is seen in it. */
export async function openFiles(
  { address }: Serving,
  { path = '/pictures', first, viewport = laptop }: { path?: string; first: string; viewport?: typeof laptop },
): Promise<Watched> {
  const watched = await openPage(address, { viewport })
  const { page } = watched
  const answer = await page.context().request.post(`${address}/v1/users/login`, {
    headers: { origin: address },
    data: { username: 'ines', password: 'secret' },
  })
  await page.evaluate(`localStorage.setItem('keepsake.session', ${JSON.stringify(await answer.text())})`)
  await page.goto(`${address}/admin/files${path === '/' ? '' : `?${new URLSearchParams({ path })}`}`)
  await option(page, first).waitFor()
  return watched
}

/** Holds the widget's requests until they are released, or refused. */
export async function heldCalls(page: Page, q: string) {
  const routes: Route[] = []
  const isAsked = (url: URL) => url.pathname === '/v1/files' && url.searchParams.get('q') === q
  await page.route(isAsked, route => void routes.push(route))
  return {
    /** The call that came as the `number`th, from 0. */
    asked: (number = 0) => until(async () => routes[number] ?? null),
    end: () => page.unroute(isAsked),
  }
}

/**
 * Presses as often as it takes: what is not saved uses the second press, and for half a second a second one counts as a
 * slip. What has gone meanwhile is not waited for.
 */
export async function pressUntil(pressed: Locator, isDone: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await isDone()) return true
    await pressed.click({ timeout: 1_000 }).catch(() => {})
    return null
  })
}

/** A double click, however slow the machine is: its halves come 10 ms apart, so that the second one counts as a slip. */
export async function doublePress(pressed: Locator): Promise<void> {
  await pressed.evaluate(async button => {
    const press = () => Reflect.get(button, 'click').call(button)
    press()
    await new Promise(later => setTimeout(later, 10))
    press()
  })
}

/** Until the history has the step of the dialog again, which Back goes to: another Back would leave the page before. */
export async function stepIsBack(page: Page): Promise<void> {
  await until(async () => ((await page.evaluate('history.state?.step?.over')) === 1 ? true : null))
}
