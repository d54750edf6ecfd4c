/** A scene is a screen in one state, and how to reach it. This file has its type and actions that scenes share. */
import type { Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import type { SceneLibrary, SceneServers } from './scene-servers.ts'

export interface Scene {
  name: string
  library?: SceneLibrary
  /** Nobody is signed in. */
  isVisitor?: boolean
  path?: string | ((servers: SceneServers) => string)
  /** The gallery's view, by default pages. */
  view?: 'Infinite Scroll' | 'Timeline'
  only?: 'laptop' | 'phone'
  /** Runs before the page is opened. */
  before?: (page: Page) => Promise<void>
  act?: (page: Page, onPhone: boolean) => Promise<void>
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
/** Finds a text of which only a part is known: `*` stands for the rest. */
export const like = (text: string) =>
  new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.+')}$`)
export const cards = (page: Page) => page.getByRole('list', { name: baseTexts.items }).getByRole('link')

export async function openFromMenu(page: Page, name: string): Promise<void> {
  await button(page, baseTexts.more).first().click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Opens a menu entry and waits for the dialog of the same name, which is loaded when first used. */
export async function openDialogFromMenu(page: Page, name: string): Promise<void> {
  await openFromMenu(page, name)
  await page.getByRole('dialog', { name }).waitFor()
}

/** Replaces the response of a call by `response`, by no response ('never') or by a broken connection ('aborted'). */
export function respondWith(path: string, response: { status: number; body: string } | 'never' | 'aborted') {
  return async (page: Page) => {
    await page.route(path, route => {
      if (response === 'never') return
      if (response === 'aborted') return route.abort()
      return route.fulfill({ ...response, contentType: 'application/json' })
    })
  }
}
