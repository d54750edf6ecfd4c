/** Scenes of the administration of users. */
import type { Page } from 'playwright'
import { usersTexts } from '../../web/texts/admin/users.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { button, type Scene } from './scene.ts'

async function openFromUserMenu(page: Page, name: string): Promise<void> {
  await button(page, baseTexts.actionsFor({ of: 'kenji' })).click()
  await page.getByRole('menuitem', { name }).click()
}

export const userScenes: readonly Scene[] = [
  { name: 'users', path: '/admin/users', act: page => button(page, baseTexts.actionsFor({ of: 'ines' })).waitFor() },
  {
    name: 'users, menu',
    path: '/admin/users',
    act: page => button(page, baseTexts.actionsFor({ of: 'kenji' })).click(),
  },
  {
    name: 'users, reset password',
    path: '/admin/users',
    act: async page => {
      await openFromUserMenu(page, usersTexts.resetPassword)
      await button(page, baseTexts.reset).click()
    },
  },
  {
    name: 'users, end sessions',
    path: '/admin/users',
    act: async page => {
      await openFromUserMenu(page, usersTexts.endSessions)
      await page.getByText(usersTexts.endSessionsHint).waitFor()
    },
  },
]
