/** Scenes of the administration. */
import type { Page } from 'playwright'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { taggingTexts } from '../../web/texts/admin/tagging.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { button, respondWith, type Scene } from './scene.ts'
import { faceGroupScenes } from './scenes-face-groups.ts'
import { faceScenes } from './scenes-faces.ts'

/** Selects the first rows of a table of items. */
async function selectRows(page: Page, count: number): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
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
  await page.locator('.box-chips').getByRole('button', { name: 'Dog, object' }).press('Alt+Enter')
  await page
    .getByRole('dialog', { name: metadataTexts.editObject })
    .getByLabel(baseTexts.name, { exact: true })
    .waitFor()
}

/** Presses the button `name` in the collection's row, or on a phone, the entry `entry` of the row's menu. */
async function pressInCollectionRow(page: Page, name: string, entry: string): Promise<void> {
  await button(page, 'More for Family pictures').waitFor()
  if ((await button(page, name).count()) > 0) return await button(page, name).click()
  await button(page, 'More for Family pictures').click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
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
      await button(page, 'Add a box').click()
      await page.getByRole('combobox', { name: metadataTexts.whoOrWhatIsIt }).fill('Some')
    },
  },
  {
    name: 'item metadata, an object chosen',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    act: async page => {
      await page.locator('.editor-picture').waitFor()
      await page.locator('.box-chips').getByRole('button', { name: 'Dog, object' }).click()
      await button(page, 'Edit Dog…').scrollIntoViewIfNeeded()
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
        await button(page, 'Add a property').click()
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
      await button(page, 'Add a property').click()
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
      await button(page, 'Delete object').click()
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
    act: page => button(page, 'Keywords: all in use').click(),
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
  { name: 'collections', path: '/admin/collections' },
  { name: 'collections, create', path: '/admin/collections?create=true' },
  { name: 'jobs', path: '/admin/jobs' },
  { name: 'jobs, problems', path: '/admin/jobs?tab=problems' },
  { name: 'jobs, history', path: '/admin/jobs?tab=history' },
  {
    name: 'duplicates',
    path: '/admin/duplicates',
    act: page =>
      page
        .getByRole('region', { name: /copies of/ })
        .first()
        .waitFor(),
  },
  {
    name: 'duplicates, all',
    path: '/admin/duplicates',
    act: page => button(page, 'Keep the best of all').click(),
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
      await page.getByRole('combobox', { name: baseTexts.category, exact: true }).fill('Family,')
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
      await button(page, 'Replace Tag').click()
    },
  },
  {
    name: 'tag replace, progress',
    path: '/admin/tagging/replace',
    before: respondWith('**/v1/item/tags', 'never'),
    act: async page => {
      await planReplacement(page)
      await button(page, 'Replace Tag').click()
      await button(page, 'Bulk Tag').click()
      await page.getByRole('dialog', { name: taggingTexts.reTaggingPleaseStandBy }).waitFor()
    },
  },
  {
    name: 'tag options',
    path: '/admin/tagging/options',
    act: page => button(page, 'Rename Summer').waitFor(),
  },
  {
    name: 'tag options, rename',
    path: '/admin/tagging/options',
    act: async page => {
      await button(page, 'Rename Summer').click()
      await page.getByRole('dialog').getByLabel(taggingTexts.keyword).fill('sea')
    },
  },
  {
    name: 'tag options, merge',
    path: '/admin/tagging/options',
    act: async page => {
      await button(page, 'Merge Summer').click()
      await page.getByRole('combobox', { name: 'Summer becomes' }).fill('sea')
      await page.getByRole('listbox', { name: baseTexts.suggestions }).waitFor()
    },
  },
  {
    name: 'management, recycle bin',
    path: '/admin/manage',
    act: page => page.getByText('in 30 days').first().waitFor(),
  },
  {
    name: 'management, delete for good',
    path: '/admin/manage',
    act: page =>
      button(page, /^Delete .*jpg/)
        .first()
        .click(),
  },
  { name: 'management, delete all', path: '/admin/manage', act: page => button(page, 'Delete all').click() },
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
    act: page => page.getByText('Kept for 400 days').waitFor(),
  },
  {
    name: 'management, missing items',
    path: '/admin/manage?tab=missing-items',
    act: page => button(page, 'Remove all').waitFor(),
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
    act: page => button(page, 'Edit Mia Ferrer').waitFor(),
  },
  {
    name: 'management, a person',
    path: '/admin/manage?tab=people',
    act: async page => {
      await button(page, 'Edit Mia Ferrer').click()
      await button(page, 'Add a name').click()
    },
  },
  {
    name: 'management, merge',
    path: '/admin/manage?tab=people',
    act: async page => {
      await button(page, 'Merge Mia Ferrer').click()
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
      await button(page, 'Options Statistics').click()
      await page.getByLabel('Heading of the screen').waitFor()
    },
  },
  {
    name: 'collections, create with faults',
    path: '/admin/collections?create=true',
    act: async page => {
      const dialog = page.getByRole('dialog', { name: collectionsTexts.createCollection })
      await dialog.getByLabel(collectionsTexts.path, { exact: true }).fill('pictures')
      await dialog.getByLabel(baseTexts.name, { exact: true }).fill('Ph')
      await dialog.getByText(baseTexts.more, { exact: true }).click()
      await dialog.getByRole('switch', { name: collectionsTexts.managed }).click()
      await dialog.getByLabel(collectionsTexts.folderFormat).fill('{Year}/{Monht}')
      await dialog.getByLabel(collectionsTexts.filenamePrefix).fill('')
      await dialog.getByLabel(collectionsTexts.variantsPath, { exact: true }).focus()
    },
  },
  {
    name: 'collections, folder picker',
    path: '/admin/collections?create=true',
    act: async page => {
      await button(page, 'Choose the path').click()
      await page.getByRole('dialog', { name: baseTexts.chooseAFolder }).getByRole('option').first().waitFor()
    },
  },
  {
    name: 'collections, edit',
    path: '/admin/collections',
    act: page => pressInCollectionRow(page, 'Edit Family pictures', 'Edit'),
  },
  {
    name: 'collections, menu',
    path: '/admin/collections',
    act: page => button(page, 'More for Family pictures').click(),
  },
  {
    name: 'collections, access',
    path: '/admin/collections',
    act: async page => {
      await pressInCollectionRow(page, 'Access to Family pictures', 'Access')
      await page.getByRole('checkbox').first().waitFor()
      await button(page, 'Add group').click()
      await page.getByLabel('Username to add to Family pictures visitors').fill('nobody')
      await page.keyboard.press('Enter')
    },
  },
  {
    name: 'collections, group to attach',
    path: '/admin/collections',
    before: async page => {
      const flags = { admin: false, public: false, view: true, create: true, update: false }
      const loose = [
        { id: 98_765, name: 'Cousins and friends', ...flags },
        { id: 98_766, name: 'Readers', ...flags },
      ]
      const people = [
        { id: 1, username: 'ines', name: 'Inés' },
        { id: 2, username: 'kenji', name: '健二 田中' },
      ]
      await respondWith('**/v1/access/loose', { status: 200, body: JSON.stringify(loose) })(page)
      await respondWith('**/v1/users/access/98765', { status: 200, body: JSON.stringify(people) })(page)
      await respondWith('**/v1/users/access/98766', { status: 200, body: '[]' })(page)
    },
    act: async page => {
      await pressInCollectionRow(page, 'Access to Family pictures', 'Access')
      await page.getByRole('checkbox').first().waitFor()
      for (const name of ['Cousins and friends', 'Readers']) {
        await button(page, 'Add group').click()
        await page.getByRole('menuitem', { name: `${name} (not used yet)` }).click()
        await page.getByRole('region', { name, exact: true }).waitFor()
      }
      await page.getByRole('region', { name: 'Readers' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'collections, sort plan',
    path: '/admin/collections',
    before: async page => {
      const moves = [1, 2, 3].map(n => ({
        item: n,
        from: `new/DSC0${n}.JPG`,
        to: `2019/August/IMG_${n}.jpg`,
        reason: '',
      }))
      const stays = { item: 9, from: 'new/scan.png', to: null, reason: 'Only the date of the file is known.' }
      const plan = { status: 200, body: JSON.stringify({ moves: [...moves, stays], total: 3 }) }
      await respondWith('**/v1/collection/sort/*', plan)(page)
      await page.route('**/v1/collection', async route => {
        const response = await route.fetch()
        const all: object[] = await response.json()
        await route.fulfill({ response, json: all.map(one => ({ ...one, managed: true })) })
      })
    },
    act: async page => {
      await button(page, 'More for Family pictures').click()
      await page.getByRole('menuitem', { name: collectionsTexts.sort }).click()
      await page.getByText('3 items would be moved').waitFor()
    },
  },
  {
    name: 'collections, import metadata',
    path: '/admin/collections',
    act: async page => {
      await button(page, 'More for Family pictures').click()
      await page.getByRole('menuitem', { name: collectionsTexts.importMetadataDialog }).click()
    },
  },
  {
    name: 'collections, delete',
    path: '/admin/collections',
    act: async page => {
      await button(page, 'More for Family pictures').click()
      await page.getByRole('menuitem', { name: collectionsTexts.delete }).click()
    },
  },
  {
    name: 'collections, job',
    path: '/admin/collections',
    before: async page => {
      await page.route('**/v1/job?state=active', async route => {
        const [, one] = await (await page.request.get(new URL('/v1/collection', route.request().url()).href)).json()
        const job = { id: 4711, kind: 'metadata-export', collection_id: one?.id ?? 1, state: 'running' }
        const progress = {
          done: 20,
          total: 80,
          message: 'trips/17.jpg',
          counts: { written: 18 },
          problems: 0,
          error: null,
        }
        const times = { created: Date.now(), started: Date.now(), finished: null }
        await route.fulfill({ json: [{ ...job, ...progress, ...times }] })
      })
    },
    act: page => page.getByText('Writing metadata, 25 %').waitFor(),
  },
]
