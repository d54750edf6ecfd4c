/** Scenes of the file manager. */
import type { Page } from 'playwright'
import { isLocale, loadTexts } from '../../web/file-manager/texts/catalogues.ts'
import { en, type Texts } from '../../web/file-manager/texts/en.ts'
import { language } from '../../web/texts/language/language.ts'
import { button, type Scene } from './scene.ts'

const path = '/admin/files'
const texts: Texts = isLocale(language.code)
  ? await loadTexts(language.code)
  : { ...en, ...language.texts?.fileManager }

/** Opens the first folder by keyboard, which also works on a phone. */
async function openFirstFolder(page: Page): Promise<void> {
  await page.getByRole('option').first().waitFor()
  await page.getByRole('listbox').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: texts.path }).getByRole('button').first().waitFor()
  await page.getByRole('option').first().waitFor()
}

async function selectFirst(page: Page): Promise<void> {
  await openFirstFolder(page)
  await page.getByRole('listbox').focus()
  await page.keyboard.press('Home')
}

export const fileManagerScenes: readonly Scene[] = [
  { name: 'files', path, act: page => page.getByRole('option').first().waitFor() },
  { name: 'files, folder', path, act: openFirstFolder },
  {
    name: 'files, list',
    path,
    act: async page => {
      await selectFirst(page)
      await button(page, texts.listView).click()
    },
  },
  {
    name: 'files, menu',
    path,
    act: async page => {
      await selectFirst(page)
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'files, delete',
    path,
    act: async page => {
      await selectFirst(page)
      await page.keyboard.press('Delete')
      await page.getByText(texts.deleteWarning).waitFor()
    },
  },
  {
    name: 'files, move',
    path,
    act: async page => {
      await selectFirst(page)
      await button(page, texts.move).click()
      await page.getByText(texts.moveQuestion).waitFor()
    },
  },
  {
    name: 'files, name that is taken',
    path,
    before: async page => {
      await page.route('**/v1/files?*q=newfolder*', route =>
        route.fulfill({
          status: 409,
          json: { message: 'There is already something named /a/b. Choose another name.' },
        }),
      )
    },
    act: async page => {
      await openFirstFolder(page)
      await button(page, texts.newFolder).click()
      await page.getByLabel(texts.folderName).fill('b')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('alert').waitFor()
    },
  },
  {
    name: 'files, upload',
    path,
    act: async page => {
      await openFirstFolder(page)
      // The page's own bar has an upload button too. Nothing is selected: otherwise a phone shows other buttons.
      await page.locator('.fm').getByRole('button', { name: texts.upload, exact: true }).click()
      await page.getByText(texts.noFiles).waitFor()
    },
  },
  {
    name: 'files, nothing found',
    path,
    act: async page => {
      await openFirstFolder(page)
      await page.getByRole('searchbox', { name: texts.searchHere }).fill('no such name')
      await page.getByText(texts.noResult).waitFor()
    },
  },
  {
    name: 'files, error',
    path,
    before: async page => {
      await page.route('**/v1/files?*q=index*', route =>
        route.fulfill({ status: 404, json: { message: 'There is no /. Refresh the folder.' } }),
      )
    },
    act: page => page.getByText(texts.failed).waitFor(),
  },
  {
    name: 'files, Persian',
    path,
    act: async page => {
      await openFirstFolder(page)
      await page.locator('.fm [aria-haspopup="menu"]').click()
      await page.getByRole('menuitemradio', { name: 'فارسی' }).click()
      await page.locator('.fm[dir="rtl"]').waitFor()
    },
  },
]
