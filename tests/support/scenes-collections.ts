/** Scenes of the screen Collections. */
import type { Page } from 'playwright'
import { percentText } from '../../schema/figures.ts'
import { inSentence, listText } from '../../web/kit/words.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { activityName } from '../../web/texts/names.ts'
import { button, respondWith, type Scene } from './scene.ts'

const familyMenu = baseTexts.actionsFor({ of: 'Family pictures' })

/** Presses the button `name` in the collection's row, or on a phone, the entry `entry` of the row's menu. */
async function pressInCollectionRow(page: Page, name: string, entry: string): Promise<void> {
  await button(page, familyMenu).waitFor()
  if ((await button(page, name).count()) > 0) return await button(page, name).click()
  await button(page, familyMenu).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

const openAccess = (page: Page) =>
  pressInCollectionRow(page, collectionsTexts.accessTo({ name: 'Family pictures' }), collectionsTexts.access)

export const collectionScenes: readonly Scene[] = [
  { name: 'collections', path: '/admin/collections' },
  { name: 'collections, create', path: '/admin/collections?create=true' },
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
      await button(page, collectionsTexts.chooseField({ field: inSentence(collectionsTexts.path) })).click()
      await page.getByRole('dialog', { name: baseTexts.chooseAFolder }).getByRole('option').first().waitFor()
    },
  },
  {
    name: 'collections, edit',
    path: '/admin/collections',
    act: page => pressInCollectionRow(page, `${adminTexts.edit} Family pictures`, adminTexts.edit),
  },
  {
    name: 'collections, menu',
    path: '/admin/collections',
    act: page => button(page, familyMenu).click(),
  },
  {
    name: 'collections, access',
    path: '/admin/collections',
    act: async page => {
      await openAccess(page)
      await page.getByRole('checkbox').first().waitFor()
      await button(page, collectionsTexts.addGroup).click()
      await page.getByLabel(collectionsTexts.usernameToAddTo({ name: 'Family pictures visitors' })).fill('nobody')
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
      await openAccess(page)
      await page.getByRole('checkbox').first().waitFor()
      for (const name of ['Cousins and friends', 'Readers']) {
        await button(page, collectionsTexts.addGroup).click()
        await page.getByRole('menuitem', { name: collectionsTexts.notUsedYet({ name }) }).click()
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
      await button(page, familyMenu).click()
      await page.getByRole('menuitem', { name: collectionsTexts.sort }).click()
      await page.getByText(collectionsTexts.itemsWouldBeMoved({ count: 3 })).waitFor()
    },
  },
  {
    name: 'collections, import metadata',
    path: '/admin/collections',
    act: async page => {
      await button(page, familyMenu).click()
      await page.getByRole('menuitem', { name: collectionsTexts.importMetadataDialog }).click()
    },
  },
  {
    name: 'collections, delete',
    path: '/admin/collections',
    act: async page => {
      await button(page, familyMenu).click()
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
    act: page => page.getByText(listText([activityName('metadata-export'), percentText(0.25)])).waitFor(),
  },
]
