/** Opens scenes in the browser: signed in or not, in a theme, on a device. */
import type { Page } from 'playwright'
import { laptop, type OpenedPage, openPage, phone } from './browser.ts'
import type { Scene } from './scene.ts'
import type { SceneLibrary, SceneServers } from './scene-servers.ts'

export interface SceneOptions {
  device: 'laptop' | 'phone'
  /** Of the window, if not the device's usual one. */
  size?: { width: number; height: number }
  theme: 'dark' | 'light'
}

/** The login responses, one for each library. */
const sessions = new Map<SceneLibrary, Promise<string>>()
/** Signs in without the dialog, once for each library. */
function session(sceneServers: SceneServers, library: SceneLibrary): Promise<string> {
  const known = sessions.get(library)
  if (known !== undefined) return known
  const { address } = sceneServers.servers[library]
  const response = fetch(`${address}/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ username: 'ines', password: 'secret' }),
  }).then(login => login.text())
  sessions.set(library, response)
  return response
}

const picturesLoaded = `[...document.images].every(
  one => one.complete || one.getBoundingClientRect().top > innerHeight || !one.checkVisibility())`

/** Waits until all visible pictures have loaded and the animations have ended. */
async function waitForPictures(page: Page): Promise<void> {
  const end = performance.now() + 5000
  while (performance.now() < end && (await page.evaluate(picturesLoaded)) !== true) await Bun.sleep(50)
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(one => one.effect.getComputedTiming().endTime !== Infinity)
    .map(one => one.finished.catch(() => {})))`)
}

/** Changes the theme as another tab would, and waits until the colours have changed. */
export async function changeTheme(page: Page, theme: SceneOptions['theme']): Promise<void> {
  await page.evaluate(`(() => {
    const options = JSON.parse(localStorage.getItem('keepsake.options') ?? '{}')
    localStorage.setItem('keepsake.options', JSON.stringify({ ...options, theme: '${theme}' }))
    dispatchEvent(new StorageEvent('storage', { key: 'keepsake.options' }))
  })()`)
  await page.locator(`html[data-theme=keepsake-${theme}]`).waitFor({ state: 'attached' })
  await waitForPictures(page)
}

/** Creates a page with the session and the browser's options stored before it opens an address. */
export async function createPage(
  sceneServers: SceneServers,
  { library = 'full', isVisitor = false, view }: Pick<Scene, 'library' | 'isVisitor' | 'view'>,
  { device, theme, size = device === 'phone' ? phone : laptop }: SceneOptions,
): Promise<OpenedPage> {
  const { address } = sceneServers.servers[library]
  const opened = await openPage('about:blank', { viewport: size, theme })
  const { page } = opened
  const options = { theme, view: view ?? 'Paging' }
  const stored: Record<string, string> = { 'keepsake.options': JSON.stringify(options) }
  if (!isVisitor) {
    const text = await session(sceneServers, library)
    const { token }: { token: string } = JSON.parse(text)
    stored['keepsake.session'] = text
    await page.context().addCookies([{ name: 'keepsake_session', value: token, url: address, httpOnly: true }])
  }
  await page.addInitScript(`for (const [key, value] of Object.entries(${JSON.stringify(stored)})) {
    if (location.protocol !== 'about:' && localStorage.getItem(key) === null) localStorage.setItem(key, value)
  }`)
  return opened
}

/** Opens a page and performs the scene's actions on it. */
export async function openScene(sceneServers: SceneServers, scene: Scene, options: SceneOptions): Promise<OpenedPage> {
  const opened = await createPage(sceneServers, scene, options)
  const { page } = opened
  try {
    await scene.before?.(page)
    const path = typeof scene.path === 'function' ? scene.path(sceneServers) : (scene.path ?? '/')
    await page.goto(sceneServers.servers[scene.library ?? 'full'].address + path)
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => {})
    await scene.act?.(page, options.device === 'phone')
    await waitForPictures(page)
    return opened
  } catch (error) {
    await page.context().close()
    throw error
  }
}
