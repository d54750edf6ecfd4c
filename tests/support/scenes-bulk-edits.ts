/** Scenes of the dialogs that change many items at once. */
import type { Page } from 'playwright'
import { figure } from '../../schema/figures.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { manyTexts } from '../../web/texts/many-items.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { button, cards, like, openFromMenu, type Scene } from './scene.ts'

async function openBulkDialog(page: Page, onPhone: boolean, text: string): Promise<void> {
  await cards(page).first().waitFor()
  await openFromMenu(page, baseTexts.selectCurrent)
  const bar = page.getByRole('toolbar', { name: selectionTexts.selection })
  await bar.waitFor()
  if (onPhone && text !== selectionTexts.tag) {
    await bar.getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: text, exact: true }).click()
  } else await bar.getByRole('button', { name: text, exact: true }).click()
}

export const bulkEditScenes: readonly Scene[] = [
  {
    name: 'many items, tag',
    act: async (page, onPhone) => {
      await openBulkDialog(page, onPhone, selectionTexts.tag)
      await page.getByLabel(manyTexts.addKeywords).fill('Lisbon, ')
      await button(page, manyTexts.removeFromAll({ name: 'Sea' }))
        .first()
        .click()
      await page.getByText(manyTexts.changesInItems({ count: 2, items: '*' }).split('*')[0] ?? '').waitFor()
    },
  },
  {
    name: 'many items, tag, rating and description',
    act: async (page, onPhone) => {
      await openBulkDialog(page, onPhone, selectionTexts.tag)
      await page.getByText(manyTexts.otherTags, { exact: true }).click()
      await page.getByText(manyTexts.replaced, { exact: true }).click()
    },
  },
  {
    name: 'many items, date',
    act: async (page, onPhone) => {
      await openBulkDialog(page, onPhone, selectionTexts.date)
      await page.getByRole('spinbutton', { name: manyTexts.hours }).fill('9')
    },
  },
  {
    name: 'many items, date, set',
    act: async (page, onPhone) => {
      await openBulkDialog(page, onPhone, selectionTexts.date)
      await page.getByText(manyTexts.setADate, { exact: true }).click()
    },
  },
  {
    name: 'many items, place',
    act: async (page, onPhone) => {
      await openBulkDialog(page, onPhone, selectionTexts.place)
      await button(page, like(manyTexts.setPlace({ count: 2 }).replace(figure(2), '*'))).waitFor()
    },
  },
]
