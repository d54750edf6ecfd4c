/** Opens scenes in the browser: signed in or not, in a theme, on a device. */
import type { Page } from 'playwright'
import { laptop, openPage, phone, type Watched } from './browser.ts'
import type { Scene } from './scene.ts'
import type { Room, Showroom } from './showroom.ts'

export interface Look {
  device: 'laptop' | 'phone'
  /** Of the window, if not the device's usual one. */
  size?: { width: number; height: number }
  theme: 'dark' | 'light'
}

/** The login responses, one for each room. */
const sessions = new Map<Room, Promise<string>>()
/** Signs in without the dialog, once for each room. */
function session(showroom: Showroom, room: Room): Promise<string> {
  const known = sessions.get(room)
  if (known !== undefined) return known
  const { address } = showroom.servers[room]
  const response = fetch(`${address}/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ username: 'ines', password: 'secret' }),
  }).then(login => login.text())
  sessions.set(room, response)
  return response
}

const picturesLoaded = `[...document.images].every(
  one => one.complete || one.getBoundingClientRect().top > innerHeight || !one.checkVisibility())`

/** Waits until all visible pictures have loaded and the animations have ended. */
async function settled(page: Page): Promise<void> {
  const end = performance.now() + 5000
  while (performance.now() < end && (await page.evaluate(picturesLoaded)) !== true) await Bun.sleep(50)
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(one => one.effect.getComputedTiming().endTime !== Infinity)
    .map(one => one.finished.catch(() => {})))`)
}

/** Changes the theme as another tab would, and waits until the colours have changed. */
export async function changeTheme(page: Page, theme: Look['theme']): Promise<void> {
  await page.evaluate(`(() => {
    const options = JSON.parse(localStorage.getItem('keepsake.options') ?? '{}')
    localStorage.setItem('keepsake.options', JSON.stringify({ ...options, theme: '${theme}' }))
    dispatchEvent(new StorageEvent('storage', { key: 'keepsake.options' }))
  })()`)
  await page.locator(`html[data-theme=keepsake-${theme}]`).waitFor({ state: 'attached' })
  await settled(page)
}

/** Creates a page with the session and the browser's options stored before it opens an address. */
export async function enter(
  showroom: Showroom,
  { room = 'full', visitor = false, view }: Pick<Scene, 'room' | 'visitor' | 'view'>,
  { device, theme, size = device === 'phone' ? phone : laptop }: Look,
): Promise<Watched> {
  const { address } = showroom.servers[room]
  const watched = await openPage('about:blank', { viewport: size, theme })
  const { page } = watched
  const options = { theme, view: view ?? 'Paging' }
  const stored: Record<string, string> = { 'keepsake.options': JSON.stringify(options) }
  if (!visitor) {
    const text = await session(showroom, room)
    const { token }: { token: string } = JSON.parse(text)
    stored['keepsake.session'] = text
    await page.context().addCookies([{ name: 'keepsake_session', value: token, url: address, httpOnly: true }])
  }
  await page.addInitScript(`for (const [key, value] of Object.entries(${JSON.stringify(stored)})) {
    if (location.protocol !== 'about:' && localStorage.getItem(key) === null) localStorage.setItem(key, value)
  }`)
  return watched
}

/** Opens a page and performs the scene's actions on it. */
export async function stage(showroom: Showroom, scene: Scene, look: Look): Promise<Watched> {
  const watched = await enter(showroom, scene, look)
  const { page } = watched
  try {
    await scene.before?.(page)
    const path = typeof scene.path === 'function' ? scene.path(showroom) : (scene.path ?? '/')
    await page.goto(showroom.servers[scene.room ?? 'full'].address + path)
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => {})
    await scene.act?.(page, look.device === 'phone')
    await settled(page)
    return watched
  } catch (error) {
    await page.context().close()
    throw error
  }
}
