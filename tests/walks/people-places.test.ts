import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { albumsTexts } from '../../web/texts/albums.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { peopleTexts } from '../../web/texts/people.ts'
import { sharingTexts } from '../../web/texts/sharing.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { button, cards, openFromMenu } from '../support/scene.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })
const personTile = (page: Page, name: string) => page.locator('.person-tile').filter({ hasText: name })
const placeTile = (page: Page, name: string) => page.locator('.place-tile > a').filter({ hasText: name })

async function waitForCards(page: Page, wanted: number): Promise<void> {
  await waitUntil(async () => ((await cards(page).count()) === wanted ? true : null))
}

const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true })

describeWalks('people and places', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (const n of [1, 2, 3, 4, 5])
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`201${n}-08-01 12:00:00`) }))
    server = await startServer(join(directory, 'data'), [root])
    const token = await registerAndSignIn(server)
    await waitForScans(server, token)
    const requestJson = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return JSON.parse((await response.text()) || 'null')
    }
    const { items }: { items: { id: number }[] } = await requestJson('GET', '/v1/item/list/0')
    const places = ['Kiel, Schleswig-Holstein, Germany', 'Vienna, Austria', 'Hammoor, Schleswig-Holstein, Germany']
    const { id: mia } = await requestJson('POST', '/v1/person', { names: ['Mia Lind'] })
    const { id: tom } = await requestJson('POST', '/v1/person', { names: ['Tom'] })
    for (const [n, { id }] of items.entries()) {
      const box = { x: 100, y: 100, width: 200, height: 200 }
      await requestJson('POST', `/v1/item/${id}/tag/People/object`, { data: { person: n < 3 ? mia : tom, ...box } })
      const placeName = places[n] ?? ''
      const data = { latitude: null, longitude: null, placeName }
      if (placeName !== '') await requestJson('PUT', `/v1/item/${id}/tag/Locations`, { data })
    }
  })
  afterAll(() => server.stop())

  test('a person has a page with years and places, where pictures are removed from them; people are merged', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await menuLink(page, baseTexts.people).click()
    await heading(page, baseTexts.people).waitFor()
    await page.locator('.face img').first().waitFor()
    expect(await page.locator('.person-tile-name').allTextContents()).toEqual(['Mia Lind', 'Tom'])
    await saveScreenshot(page, 'people')
    await personTile(page, 'Mia Lind').click()
    await heading(page, 'Mia Lind').waitFor()
    await waitForCards(page, 3)
    await saveScreenshot(page, 'person')
    expect(await menuLink(page, baseTexts.people).getAttribute('aria-current')).toBe('page')

    // A year and a place narrow the gallery under the head.
    const year = page.getByRole('button', { name: /^2015: / })
    await year.click()
    await waitForCards(page, 1)
    await year.click()
    await waitForCards(page, 3)
    await button(page, 'Vienna').click()
    await waitForCards(page, 1)
    await page.goBack()
    await waitForCards(page, 3)

    await page.locator('.card-pic').first().hover()
    await page.locator('.card-pic').first().getByRole('checkbox').click()
    await button(page, peopleTexts.notThisPerson).click()
    await page.getByText(peopleTexts.removedFromItems({ count: 1 })).waitFor()
    await waitForCards(page, 2)
    await button(page, baseTexts.undo).click()
    await waitForCards(page, 3)

    await button(page, peopleTexts.namesAndBirthday).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(baseTexts.name, { exact: true }).fill('Mia Ferrer')
    await dialog.getByLabel(managementTexts.birthdate).fill('2009-03-01')
    await dialog.getByRole('button', { name: baseTexts.save }).click()
    await heading(page, 'Mia Ferrer').waitFor()

    await page.getByRole('button', { name: /^2015 · 6 years old: / }).click()
    await waitForCards(page, 1)
    await page.locator('.person-year').waitFor()
    const face = page.locator('.person-top .face img')
    const shownFace = await face.getAttribute('src')
    await cards(page).first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: albumsTexts.useAsCover }).click()
    await waitUntil(async () => ((await face.getAttribute('src')) === shownFace ? null : true))
    await saveScreenshot(page, 'person-cover')
    await page.getByRole('button', { name: /^2015 · / }).click()
    await waitForCards(page, 3)
    await button(page, peopleTexts.menuOf({ name: 'Mia Ferrer' })).click()
    await page.getByRole('menuitem', { name: sharingTexts.makeALink }).click()
    await page.getByRole('dialog').getByText('Mia Ferrer').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await button(page, peopleTexts.menuOf({ name: 'Mia Ferrer' })).click()
    await page.getByRole('menuitem', { name: peopleTexts.mergeWith }).click()
    await dialog.getByText('Tom').click()
    await dialog.getByRole('button', { name: adminTexts.merge }).click()
    await waitForCards(page, 5)
    await menuLink(page, baseTexts.home).click()
    await heading(page, 'Mia Ferrer').waitFor({ state: 'detached' })
    await page.goto(`${server.address}/people`)
    await personTile(page, 'Mia Ferrer').waitFor()
    expect(await page.locator('.person-tile-name').allTextContents()).toEqual(['Mia Ferrer'])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the search shows faces beside names', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await cards(page).first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Mia')
    await page.locator('.suggestion .face img').waitFor()
    await saveScreenshot(page, 'people-suggested')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(page, 'Mia Ferrer').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('places lead from countries to regions, towns and pictures', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await menuLink(page, baseTexts.places).click()
    await heading(page, baseTexts.places).waitFor()
    await page.getByText(mapTexts.nowhereCount({ count: 2 })).waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Germany', 'Austria'])
    await saveScreenshot(page, 'places')
    await placeTile(page, 'Schleswig-Holstein').click()
    await heading(page, 'Schleswig-Holstein').waitFor()
    expect(page.url()).toEndWith('/places/Germany/Schleswig-Holstein')
    await placeTile(page, 'Hammoor').click()
    await waitForCards(page, 1)
    await page.goto(`${server.address}/places/Norway`)
    await heading(page, mapTexts.nothingThere).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('people and places are in the menu of a phone, and visitors see none of them', async () => {
    const { page, errors } = await openPage(server.address, { viewport: phone, user: 'ines' })
    await cards(page).first().waitFor()
    await openFromMenu(page, baseTexts.people)
    await personTile(page, 'Mia').click()
    await button(page, peopleTexts.showFacts).click()
    await page.locator('.person-places').waitFor()
    await page.getByRole('button', { name: /^2015 · / }).click()
    await page.locator('.person-year').waitFor()
    await saveScreenshot(page, 'person-phone')
    await openFromMenu(page, baseTexts.places)
    await placeTile(page, 'Vienna').waitFor()
    await saveScreenshot(page, 'places-phone')
    const visitor = await openPage(`${server.address}/people`)
    await heading(visitor.page, peopleTexts.nobodyYet).waitFor()
    await visitor.page.goto(`${server.address}/?person=1`)
    await visitor.page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await visitor.page.locator('.person-head, .person-head-room').count()).toBe(0)
    await visitor.page.goto(`${server.address}/places`)
    await heading(visitor.page, mapTexts.noPlacesYet).waitFor()
    expect([...errors, ...visitor.errors]).toEqual([])
    await page.context().close()
    await visitor.page.context().close()
  })
})
