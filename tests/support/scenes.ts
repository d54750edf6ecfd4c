/** Every screen and state, and how it is reached, for screenshots and accessibility tests. */
import type { Page } from 'playwright'
import { product } from '../../schema/limits.ts'
import { accountTexts } from '../../web/texts/account.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { onThisDayTexts } from '../../web/texts/on-this-day.ts'
import { saverTexts } from '../../web/texts/saver.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { sharingTexts } from '../../web/texts/sharing.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { viewerTexts } from '../../web/texts/viewer.ts'
import { button, cards, like, openDialogFromMenu, openFromMenu, respondWith, type Scene } from './scene.ts'
import type { SceneServers } from './scene-servers.ts'
import { adminScenes } from './scenes-admin.ts'
import { albumScenes } from './scenes-albums.ts'
import { bulkEditScenes } from './scenes-bulk-edits.ts'
import { fileManagerScenes } from './scenes-files.ts'
import { userScenes } from './scenes-users.ts'
import { setupKey } from './server-process.ts'

const viewerOf = (which: 'located' | 'region' | 'broken' | 'film') => (sceneServers: SceneServers) =>
  `/item/${sceneServers.ids[which]}`

const setupPath = ({ servers }: SceneServers) => `/?setup=${setupKey(servers.new)}`

async function openSearch(page: Page, onPhone: boolean): Promise<void> {
  if (onPhone) await button(page, baseTexts.search).click()
  else await page.getByRole('combobox').first().click()
}

export const scenes: readonly Scene[] = [
  { name: 'first start', library: 'new', path: setupPath, isVisitor: true },
  { name: 'first start, without the key', library: 'new', isVisitor: true },
  {
    name: 'first start, wrong entries',
    library: 'new',
    path: setupPath,
    isVisitor: true,
    act: async page => {
      await button(page, accountTexts.createAccount).click()
      await page.getByText(collectionsTexts.usernameIsRequired).waitFor()
    },
  },
  { name: 'home, sign-in prompt', isVisitor: true },
  { name: 'home, no collections', library: 'bare' },
  { name: 'home, scan prompt', library: 'empty' },
  { name: 'home, paged', act: async page => cards(page).first().waitFor() },
  { name: 'home, endless', view: 'Infinite Scroll', act: async page => cards(page).first().waitFor() },
  { name: 'home, timeline', view: 'Timeline', act: async page => cards(page).first().waitFor() },
  {
    name: 'home, timeline, a day selected',
    view: 'Timeline',
    act: async page => {
      await page.locator('.grid-spacer .tl-pick').first().press('Enter')
      await page.getByRole('toolbar', { name: selectionTexts.selection }).waitFor()
    },
  },
  { name: 'home, pager', only: 'laptop', act: async page => page.locator('.pager').first().scrollIntoViewIfNeeded() },
  { name: 'home, no items', path: '/?year=1801' },
  { name: 'home, search that cannot be read', path: '/?q=rating:%3E%3E(' },
  {
    name: 'home, loading',
    before: respondWith('**/v1/item/list/**', 'never'),
    act: async page => page.getByRole('status', { name: baseTexts.loading }).waitFor(),
  },
  {
    name: 'home, error',
    before: respondWith('**/v1/item/list/**', { status: 500, body: '{"error":"?","code":"unexpected"}' }),
    act: async page => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'home, server away',
    before: respondWith('**/config/runtime.json', 'aborted'),
    act: async page => page.getByText(baseTexts.serverIsCurrentlyNotAvailable({ product })).first().waitFor(),
  },
  {
    name: 'home, chips',
    path: '/?and=sea&not=dog&or=1',
    act: async (page, onPhone) => {
      await openSearch(page, onPhone)
      await page.keyboard.type('sea,')
      await page.keyboard.type('summer,')
    },
  },
  {
    name: 'suggestions',
    act: async (page, onPhone) => {
      await openSearch(page, onPhone)
      await page.keyboard.type('sum')
      await page.getByRole('listbox', { name: baseTexts.suggestions }).waitFor()
    },
  },
  { name: 'search screen', only: 'phone', act: page => openSearch(page, true) },
  {
    name: 'search help',
    act: async (page, onPhone) => {
      await openSearch(page, onPhone)
      await button(page, baseTexts.howToSearch).click()
      await page.getByRole('dialog', { name: baseTexts.howToSearch }).waitFor()
    },
  },
  {
    name: 'filter sheet',
    only: 'phone',
    act: async page => {
      await button(page, baseTexts.filter).click()
      await page.getByRole('dialog', { name: baseTexts.filter }).waitFor()
    },
  },
  { name: 'sidebar with a place', only: 'laptop', path: '/?near=38.72,-9.14,20000,Lisbon&year=2024' },
  { name: 'menu', act: page => button(page, baseTexts.more).first().click() },
  { name: 'menu of a visitor', isVisitor: true, act: page => button(page, baseTexts.more).first().click() },
  { name: 'options popover', only: 'laptop', act: page => button(page, baseTexts.options).click() },
  { name: 'options', act: page => openFromMenu(page, baseTexts.options) },
  { name: 'bell', act: page => page.getByTitle(shellTexts.notifications, { exact: true }).click() },
  {
    name: 'login, wrong entries',
    isVisitor: true,
    act: async page => {
      await openFromMenu(page, baseTexts.login)
      await page.getByLabel(baseTexts.username).fill('x'.repeat(21))
      await page.getByLabel(accountTexts.password).fill('a')
      await page.keyboard.press('Enter')
    },
  },
  { name: 'register', isVisitor: true, act: page => openDialogFromMenu(page, baseTexts.register) },
  { name: 'profile', act: page => openDialogFromMenu(page, baseTexts.editProfile) },
  {
    name: 'profile, new password',
    act: async page => {
      await openDialogFromMenu(page, baseTexts.editProfile)
      for (const name of [baseTexts.newPassword, accountTexts.confirmPassword])
        await page.getByLabel(name).fill('secret')
    },
  },
  {
    name: 'pin',
    act: async page => {
      await openFromMenu(page, baseTexts.options)
      await page.getByRole('switch').first().click()
      await page.getByRole('dialog', { name: baseTexts.showHiddenItems }).waitFor()
    },
  },
  {
    name: 'keys',
    only: 'laptop',
    act: async page => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: baseTexts.keyboard }).waitFor()
    },
  },
  {
    name: 'my links, end a share',
    only: 'laptop',
    act: async page => {
      await openFromMenu(page, baseTexts.myLinks)
      await page
        .getByRole('row')
        .filter({ hasText: `${sharingTexts.oneItem} ·` })
        .first()
        .getByRole('button', { name: like(sharingTexts.endTheLinkTo({ name: '*' })) })
        .click()
      await page.getByRole('dialog', { name: sharingTexts.endThisLink }).waitFor()
    },
  },
  { name: 'slideshow', act: page => openDialogFromMenu(page, baseTexts.downloadAsSlideshow) },
  { name: 'upload', only: 'laptop', act: page => openDialogFromMenu(page, baseTexts.upload) },
  {
    name: 'selection',
    act: async page => {
      await cards(page).first().waitFor()
      await openFromMenu(page, baseTexts.selectCurrent)
      await page.getByRole('toolbar', { name: selectionTexts.selection }).waitFor()
    },
  },
  {
    name: 'context menu',
    act: async (page, onPhone) => {
      await cards(page).first().waitFor()
      if (onPhone) {
        await cards(page).first().focus()
        await page.keyboard.press('Shift+F10')
      } else await cards(page).first().click({ button: 'right' })
      await page.getByRole('menuitem', { name: selectionTexts.share }).click()
    },
  },
  {
    name: 'delete',
    act: async page => {
      await cards(page).first().focus()
      await page.keyboard.press('Delete')
      await page.getByRole('dialog', { name: baseTexts.delete }).waitFor()
    },
  },
  {
    name: 'toasts',
    before: respondWith('**/v1/item/*/tag/Rating', { status: 403, body: '{"error":"Not yours.","code":"forbidden"}' }),
    act: async page => {
      await cards(page).first().focus()
      await page.keyboard.press('3')
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'viewer',
    path: viewerOf('located'),
    act: async (page, onPhone) => {
      await page.locator('.viewer img.in').first().waitFor()
      if (!onPhone) await page.mouse.move(700, 300)
      // After a touch the controls stay visible.
      else await page.locator('.viewer').dispatchEvent('pointermove', { pointerType: 'touch' })
    },
  },
  {
    name: 'viewer, details',
    path: viewerOf('located'),
    act: async page => {
      await page.locator('.viewer img.in').first().waitFor()
      await page.keyboard.press('i')
      await page.getByRole('heading', { name: baseTexts.details }).waitFor()
    },
  },
  {
    name: 'viewer, regions',
    path: viewerOf('region'),
    act: async page => {
      await page.locator('.viewer img.in').first().waitFor()
      await page.keyboard.press('p')
    },
  },
  {
    name: 'viewer, filmstrip',
    only: 'laptop',
    act: async page => {
      await page.getByRole('list', { name: baseTexts.items }).getByRole('link').nth(4).click()
      await page.getByRole('list', { name: viewerTexts.filmstrip }).waitFor()
      await page.locator('.viewer').dispatchEvent('pointermove', { pointerType: 'touch' })
    },
  },
  { name: 'viewer, film', path: viewerOf('film') },
  { name: 'viewer, broken', path: viewerOf('broken') },
  { name: 'viewer, not found', path: '/item/99999999' },
  { name: 'shared link', isVisitor: true, path: ({ share }) => `/share/${share}` },
  {
    name: 'shared link, not active',
    isVisitor: true,
    path: '/share/nothing',
    act: page => page.getByText(baseTexts.sharedLinkIsNotActive).waitFor(),
  },
  {
    name: 'world map',
    path: '/world-map',
    act: page =>
      page
        .getByText(like(mapTexts.itemsHavePlaces({ number: '*' })))
        .or(page.getByText(like(mapTexts.itemsOfTotalHavePlaces({ number: '*', total: '*' }))))
        .first()
        .waitFor(),
  },
  {
    name: 'world map, popup',
    path: ({ ids }) => `/world-map/${ids.located}`,
    act: page => page.getByRole('region', { name: mapTexts.itemsHere }).waitFor(),
  },
  {
    name: 'location filter',
    path: '/world-map',
    act: async page => {
      await page.locator('.map-controls').getByRole('button', { name: mapTexts.locationFilter }).click()
      await button(page, mapTexts.useTheCentre).click()
    },
  },
  { name: 'on this day', path: '/on-this-day', act: page => page.getByRole('heading', { level: 2 }).first().waitFor() },
  {
    name: 'on this day, empty',
    library: 'empty',
    path: '/on-this-day',
    act: page => page.getByText(onThisDayTexts.noItemsToday).waitFor(),
  },
  { name: 'screen saver, play', path: '/screen-saver' },
  {
    name: 'screen saver, settings empty',
    library: 'empty',
    path: '/screen-saver',
    act: page => page.getByRole('tab', { name: baseTexts.settings }).click(),
  },
  {
    name: 'screen saver, new',
    path: '/screen-saver',
    act: async page => {
      await page.getByRole('tab', { name: baseTexts.settings }).click()
      await button(page, saverTexts.newScreenSaver).click()
    },
  },
  {
    name: 'screen saver, playing',
    path: '/screen-saver',
    act: async page => {
      await button(page, saverTexts.start).click()
      await page.getByRole('dialog', { name: saverTexts.screenSaver }).waitFor()
      await page.locator('.saver-layer[data-front="true"] img').waitFor()
      await page.mouse.move(200, 200)
    },
  },
  {
    name: 'screen saver, settings',
    path: '/screen-saver',
    act: page => page.getByRole('tab', { name: baseTexts.settings }).click(),
  },
  { name: 'screen saver, devices', path: '/screen-saver?showtokens=true' },
  { name: 'screen saver, television', isVisitor: true, path: '/screen-saver?showtokens=true' },
  { name: 'token', path: '/t/abcdefghijklmnopqrstuv' },
  { name: 'token, not signed in', isVisitor: true, path: '/t/abcdefghijklmnopqrstuv' },
  ...albumScenes,
  ...bulkEditScenes,
  ...adminScenes,
  ...userScenes,
  ...fileManagerScenes,
]
