/** Scenes of albums, people, places and links. */
import type { Page } from 'playwright'
import { albumsTexts } from '../../web/texts/albums.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { peopleTexts } from '../../web/texts/people.ts'
import { sharingTexts } from '../../web/texts/sharing.ts'
import { button, cards, openFromMenu, type Scene } from './scene.ts'
import type { SceneServers } from './scene-servers.ts'

const albumPath = ({ ids }: SceneServers) => `/?album=${ids.album}`
const personPath = ({ ids }: SceneServers) => `/?person=${ids.person}+Mia+Ferrer`

/** Drags the first of these elements onto the first of those, without dropping it. */
async function drag(page: Page, from: string, onto: string): Promise<void> {
  await page.locator(from).first().hover()
  await page.mouse.down()
  await page.mouse.move(700, 500, { steps: 3 })
  const box = await page.locator(onto).first().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 30, { steps: 3 })
}

export const albumScenes: readonly Scene[] = [
  { name: 'albums', path: '/albums', act: page => page.locator('.album-tile').first().waitFor() },
  {
    name: 'albums, none',
    library: 'bare',
    path: '/albums',
    act: page => page.getByText(albumsTexts.noAlbumsYet).waitFor(),
  },
  { name: 'albums of a visitor', isVisitor: true, path: '/albums' },
  {
    name: 'albums, new',
    path: '/albums',
    act: async page => {
      await button(page, albumsTexts.newAlbum).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'album', path: albumPath, act: page => cards(page).first().waitFor() },
  { name: 'album, timeline', view: 'Timeline', path: albumPath, act: page => cards(page).first().waitFor() },
  {
    name: 'album, members',
    path: albumPath,
    act: async page => {
      await button(page, albumsTexts.share).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'album, gone', path: '/?album=999999', act: page => page.getByText(albumsTexts.isGone).waitFor() },
  {
    name: 'album, chosen for an item',
    act: async page => {
      await cards(page).first().focus()
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menuitem', { name: albumsTexts.addToAlbum }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'album, slideshow',
    path: albumPath,
    act: async page => {
      await cards(page).first().waitFor()
      await openFromMenu(page, baseTexts.slideshow)
      await page.locator('.saver [data-front=true] img').waitFor()
    },
  },
  {
    name: 'home, pictures dragged',
    only: 'laptop',
    act: async page => {
      await cards(page).first().waitFor()
      await page.keyboard.press('ControlOrMeta+a')
      await drag(page, '.card-pic', '.drop-albums [data-into]:not([data-into="0"])')
    },
  },
  {
    name: 'albums, one dragged into a folder',
    only: 'laptop',
    path: '/albums',
    act: page => drag(page, '.album-tile[data-album]:not([data-folder])', '.album-tile[data-folder]'),
  },
  { name: 'people', path: '/people', act: page => page.locator('.person-tile').first().waitFor() },
  {
    name: 'people, nobody',
    library: 'bare',
    path: '/people',
    act: page => page.getByText(peopleTexts.nobodyYet).waitFor(),
  },
  { name: 'person', path: personPath, act: page => cards(page).first().waitFor() },
  { name: 'places', path: '/places', act: page => page.getByText('Portugal').first().waitFor() },
  { name: 'places, a country', path: '/places/Portugal', act: page => page.getByText('Lagos').first().waitFor() },
  { name: 'places, none', library: 'bare', path: '/places' },
  {
    name: 'link, new',
    path: personPath,
    act: async page => {
      await cards(page).first().waitFor()
      await button(page, peopleTexts.menuOf({ name: 'Mia Ferrer' })).click()
      await page.getByRole('menuitem', { name: sharingTexts.makeALink }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'links',
    act: async page => {
      await openFromMenu(page, baseTexts.myLinks)
      await page.getByText('Summer at the sea').waitFor()
    },
  },
  {
    name: 'link, opened',
    isVisitor: true,
    path: ({ links }) => `/link/${links.open}`,
    act: page => page.locator('.guest-tile').first().waitFor(),
  },
  {
    name: 'link, a picture',
    isVisitor: true,
    path: ({ links }) => `/link/${links.open}`,
    act: async page => {
      await page.locator('.guest-tile').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'link, password',
    isVisitor: true,
    path: ({ links }) => `/link/${links.locked}`,
    act: page => page.getByLabel(sharingTexts.passwordOfLink).waitFor(),
  },
  {
    name: 'link, not active',
    isVisitor: true,
    path: '/link/nothing',
    act: page => page.getByText(baseTexts.sharedLinkIsNotActive).waitFor(),
  },
]
