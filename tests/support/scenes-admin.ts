/** Scenes of the administration. */
import type { Page } from 'playwright'
import { duplicatesTexts } from '../../web/texts/admin/duplicates.ts'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { taggingTexts } from '../../web/texts/admin/tagging.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { button, like, respondWith, type Scene } from './scene.ts'
import { collectionScenes } from './scenes-collections.ts'
import { faceGroupScenes } from './scenes-face-groups.ts'
import { faceScenes } from './scenes-faces.ts'

/** Selects the first rows of a table of items. */
async function selectRows(page: Page, count: number): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: like(adminTexts.selectItem({ name: '*', date: '*' })) })
  await boxes.first().waitFor()
  for (let n = 0; n < count; n++) await boxes.nth(n).click()
}

async function planReplacement(page: Page): Promise<void> {
  await selectRows(page, 5)
  await page.getByRole('combobox', { name: taggingTexts.replaceTag }).fill('Summer,')
  await page.getByRole('combobox', { name: taggingTexts.withTag }).fill('Holiday,')
}

/** Opens the object dialog of the dog on the picture. */
async function editDog(page: Page): Promise<void> {
  await page.locator('.editor-picture').waitFor()
  await page
    .locator('.box-chips')
    .getByRole('button', { name: `Dog, ${baseTexts.object}` })
    .press('Alt+Enter')
  await page
    .getByRole('dialog', { name: metadataTexts.editObject })
    .getByLabel(baseTexts.name, { exact: true })
    .waitFor()
}

export const adminScenes: readonly Scene[] = [
  { name: 'item metadata, nothing chosen', path: '/admin/metadata' },
  {
    name: 'item metadata',
    path: ({ ids }) => `/admin/metadata?items=${ids.region},${ids.located},${ids.broken}`,
    act: async page => {
      await page.locator('.editor-picture').waitFor()
      await page.locator('.box-edit').first().focus()
    },
  },
  {
    name: 'item metadata, naming',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    act: async page => {
      await page.locator('.editor-picture').waitFor()
      await button(page, metadataTexts.addABox).click()
      await page.getByRole('combobox', { name: metadataTexts.whoOrWhatIsIt }).fill('Some')
    },
  },
  {
    name: 'item metadata, an object chosen',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    act: async page => {
      await page.locator('.editor-picture').waitFor()
      await page
        .locator('.box-chips')
        .getByRole('button', { name: `Dog, ${baseTexts.object}` })
        .click()
      await button(page, metadataTexts.editNamed({ name: 'Dog' })).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'item metadata, edit object',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    act: async page => {
      await editDog(page)
      const dialog = page.getByRole('dialog', { name: metadataTexts.editObject })
      for (const [name, value] of [
        ['Breed', 'Labrador'],
        ['Chip number', '978 0201 3796 24'],
      ] as const) {
        await button(page, metadataTexts.addAProperty).click()
        await dialog.getByLabel(metadataTexts.propertyName, { exact: true }).last().fill(name)
        await dialog.getByLabel(metadataTexts.propertyValue).last().fill(value)
      }
      await dialog.getByRole('switch', { name: adminTexts.hidden }).last().check()
    },
  },
  {
    name: 'item metadata, edit object with faults',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    act: async page => {
      await editDog(page)
      const dialog = page.getByRole('dialog', { name: metadataTexts.editObject })
      await dialog.getByLabel(metadataTexts.isA, { exact: true }).fill('Boat')
      await button(page, metadataTexts.addAProperty).click()
      await dialog.getByLabel(metadataTexts.propertyValue).fill('Labrador')
      await dialog.getByRole('button', { name: baseTexts.save }).click()
      await dialog.getByLabel(baseTexts.name, { exact: true }).fill('')
    },
  },
  {
    name: 'item metadata, delete object',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    act: async page => {
      await editDog(page)
      await button(page, metadataTexts.deleteObject).click()
    },
  },
  {
    name: 'item metadata, keyword too long',
    path: ({ ids }) => `/admin/metadata?items=${ids.located}`,
    act: page => page.getByLabel(baseTexts.keywords, { exact: true }).fill('x'.repeat(4001)),
  },
  {
    name: 'item metadata, keywords',
    path: ({ ids }) => `/admin/metadata?items=${ids.located}`,
    act: page => button(page, baseTexts.allInUseOf({ label: baseTexts.keywords })).click(),
  },
  {
    name: 'item metadata, wrong date',
    path: ({ ids }) => `/admin/metadata?items=${ids.located}`,
    act: page => page.getByLabel(metadataTexts.dateTaken).fill('1799-01-01'),
  },
  {
    name: 'item metadata, location',
    path: ({ ids }) => `/admin/metadata?items=${ids.located}`,
    act: async page => {
      await page.getByRole('tab', { name: baseTexts.location }).click()
      await page.locator('.leaflet-container canvas').first().waitFor()
    },
  },
  ...faceScenes,
  ...faceGroupScenes,
  {
    name: 'item metadata, broken',
    path: ({ ids }) => `/admin/metadata?items=${ids.broken}`,
    act: page => page.locator('.editor-fault').waitFor(),
  },
  { name: 'jobs', path: '/admin/jobs' },
  { name: 'jobs, problems', path: '/admin/jobs?tab=problems' },
  { name: 'jobs, history', path: '/admin/jobs?tab=history' },
  {
    name: 'duplicates',
    path: '/admin/duplicates',
    act: page =>
      page
        .getByRole('region', { name: like(duplicatesTexts.copiesOf({ count: 2, name: '*' })) })
        .first()
        .waitFor(),
  },
  {
    name: 'duplicates, all',
    path: '/admin/duplicates',
    act: page => button(page, duplicatesTexts.keepTheBestOfAll).click(),
  },
  { name: 'duplicates, none', library: 'empty', path: '/admin/duplicates' },
  { name: 'duplicates, alike', library: 'empty', path: '/admin/duplicates?kind=near' },
  {
    name: 'plugin, not there',
    path: '/plugin/4711',
    act: page => page.getByText(shellTexts.thisScreenDoesNotExist).waitFor(),
  },
  { name: 'plugin', path: '/plugin/1', act: page => page.getByRole('meter').first().waitFor() },
  { name: 'transfer items', path: '/admin/transfer', act: page => selectRows(page, 3) },
  {
    name: 'bulk tag',
    path: '/admin/tagging',
    act: async page => {
      await selectRows(page, 4)
      await page.getByRole('combobox', { name: baseTexts.category, exact: true }).fill('Relatives,')
      await page.getByRole('combobox', { name: baseTexts.keywords, exact: true }).fill('sum')
      await page.getByRole('listbox', { name: baseTexts.suggestions }).waitFor()
    },
  },
  { name: 'tag replace', path: '/admin/tagging/replace', act: planReplacement },
  {
    name: 'tag replace, question',
    path: '/admin/tagging/replace',
    act: async page => {
      await planReplacement(page)
      await button(page, adminTexts.replaceTag).click()
    },
  },
  {
    name: 'tag replace, progress',
    path: '/admin/tagging/replace',
    before: respondWith('**/v1/item/tags', 'never'),
    act: async page => {
      await planReplacement(page)
      await button(page, adminTexts.replaceTag).click()
      await button(page, taggingTexts.bulkTag).click()
      await page.getByRole('dialog', { name: taggingTexts.reTaggingPleaseStandBy }).waitFor()
    },
  },
  {
    name: 'tag options',
    path: '/admin/tagging/options',
    act: page => button(page, `${baseTexts.rename} Summer`).waitFor(),
  },
  {
    name: 'tag options, rename',
    path: '/admin/tagging/options',
    act: async page => {
      await button(page, `${baseTexts.rename} Summer`).click()
      await page.getByRole('dialog').getByLabel(taggingTexts.keyword).fill('sea')
    },
  },
  {
    name: 'tag options, merge',
    path: '/admin/tagging/options',
    act: async page => {
      await button(page, `${adminTexts.merge} Summer`).click()
      await page.getByRole('combobox', { name: taggingTexts.becomes({ name: 'Summer' }) }).fill('sea')
      await page.getByRole('listbox', { name: baseTexts.suggestions }).waitFor()
    },
  },
  {
    name: 'management, recycle bin',
    path: '/admin/manage',
    act: page =>
      page
        .getByText(managementTexts.inDays({ count: 30 }))
        .first()
        .waitFor(),
  },
  {
    name: 'management, delete for good',
    path: '/admin/manage',
    act: page =>
      button(page, like(`${baseTexts.delete} *jpg`))
        .first()
        .click(),
  },
  {
    name: 'management, delete all',
    path: '/admin/manage',
    act: page => button(page, managementTexts.deleteAll).click(),
  },
  {
    name: 'management, recycle bin empty',
    library: 'empty',
    path: '/admin/manage',
    act: page => page.getByText(managementTexts.recycleBinIsEmpty).waitFor(),
  },
  {
    name: 'management, loading',
    path: '/admin/manage',
    before: respondWith('**/v1/item/deleted/**', 'never'),
    act: page => page.locator('.table-bar').first().waitFor(),
  },
  {
    name: 'management, log',
    path: '/admin/manage?tab=log',
    act: page => page.getByText(managementTexts.keptForDays({ days: 400 })).waitFor(),
  },
  {
    name: 'management, missing items',
    path: '/admin/manage?tab=missing-items',
    act: page => button(page, managementTexts.removeAll).waitFor(),
  },
  {
    name: 'management, no missing items',
    library: 'empty',
    path: '/admin/manage?tab=missing-items',
    act: page => page.getByText(managementTexts.noMissingItems).waitFor(),
  },
  {
    name: 'management, people',
    path: '/admin/manage?tab=people',
    act: page => button(page, `${adminTexts.edit} Mia Ferrer`).waitFor(),
  },
  {
    name: 'management, a person',
    path: '/admin/manage?tab=people',
    act: async page => {
      await button(page, `${adminTexts.edit} Mia Ferrer`).click()
      await button(page, managementTexts.addAName).click()
    },
  },
  {
    name: 'management, merge',
    path: '/admin/manage?tab=people',
    act: async page => {
      await button(page, `${adminTexts.merge} Mia Ferrer`).click()
      await page.getByRole('radio').first().check()
    },
  },
  {
    name: 'management, plugins',
    path: '/admin/manage?tab=plugins',
    act: page => page.getByRole('switch', { name: 'Statistics' }).waitFor(),
  },
  {
    name: 'management, plugin options',
    path: '/admin/manage?tab=plugins',
    act: async page => {
      await button(page, `${baseTexts.options} Statistics`).click()
      await page.getByLabel('Heading of the screen').waitFor()
    },
  },
  ...collectionScenes,
]
