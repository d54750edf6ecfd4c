import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import type { Item } from '../../schema/api/items.ts'
import type { ThingObject } from '../../schema/api/objects.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const chip = (page: Page, name: string) => page.locator('.box-chips').getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: metadataTexts.editObject })
/** Closes the errors, which stay above the page until then. */
async function closeErrors(page: Page): Promise<void> {
  const close = page.getByRole('alert').getByRole('button', { name: baseTexts.close })
  while ((await close.count()) > 0) await close.first().click()
}
const serverError = { status: 500, json: { error: 'no', code: 'unexpected' } }

describeWalks('objects', () => {
  let server: RunningServer
  let token = ''
  const ids = new Map<string, number>()
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 3; n++) {
      const exif = takenAt(`2019-08-0${n} 12:00:00`)
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif, width: 800, height: 600 }))
    }
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
    const items = await waitUntil(async () => {
      const { items } = await requestJson<{ items: Item[] }>('GET', '/v1/item/list/0?limit=100')
      return items.length === 3 ? items : null
    })
    for (const { id, name } of items) ids.set(name, id)
    for (const name of ['Vehicle', 'Bicycle', 'Red bike']) {
      ids.set(name, (await requestJson<{ id: number }>('POST', '/v1/object', { name })).id)
    }
    const box = { object: ids.get('Red bike'), x: 300, y: 200, width: 200, height: 200 }
    for (const name of ['1.jpg', '2.jpg']) {
      await call('POST', `/v1/item/${ids.get(name)}/tag/Object/object`, { data: box })
    }
  })
  afterAll(() => server.stop())

  const call = (method: string, path: string, body?: unknown) =>
    fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  async function requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    return JSON.parse(await (await call(method, path, body)).text())
  }
  const things = async () => requestJson<ThingObject[]>('GET', '/v1/object')
  const bike = async () => (await things()).find(({ id }) => id === ids.get('Red bike'))
  const properties = async () =>
    (await bike())?.properties.map(({ name, value, hidden }) => `${name}: ${value}${hidden ? ', hidden' : ''}`)

  async function openEditor(name: string, viewport?: typeof phone) {
    const opened = await openPage(`${server.address}/admin/metadata?items=${ids.get(name)}`, {
      viewport,
      user: 'ines',
    })
    await opened.page.locator('.editor-picture').waitFor()
    return opened
  }

  test('an object is renamed, gets a parent, and has properties', async () => {
    const { page, errors } = await openEditor('1.jpg')
    const other = await openEditor('2.jpg')

    // A button for the selected chip opens the dialog; Alt+Enter on the chip does so too.
    await page.getByText(metadataTexts.chooseAnObject).waitFor()
    await chip(page, 'Red bike, object').click()
    await page.route('**/v1/object/properties*', route => route.fulfill(serverError))
    await button(page, 'Edit Red bike…').click()
    await page.getByText('Unknown server error: Failed to load property names').waitFor()
    const name = dialog(page).getByLabel(baseTexts.name, { exact: true })
    expect(await name.inputValue()).toBe('Red bike')
    expect(await dialog(page).locator('input:focus').inputValue()).toBe('Red bike')
    await closeErrors(page)

    // Property names can be typed even when the known ones did not load.
    const add = dialog(page).getByRole('button', { name: metadataTexts.addAProperty })
    const save = dialog(page).getByRole('button', { name: baseTexts.save })
    const propertyName = dialog(page).getByLabel(metadataTexts.propertyName, { exact: true })
    const value = dialog(page).getByLabel(metadataTexts.propertyValue)
    await add.click()
    await page.keyboard.type('Colour')
    await value.fill('red')
    await add.click()
    await page.keyboard.type('Colour')
    await dialog(page).getByText(metadataTexts.propertyExists).waitFor()
    await propertyName.nth(1).fill('Price')
    await value.nth(1).fill('400')
    await dialog(page).getByRole('switch', { name: adminTexts.hidden }).nth(1).check()

    // The parent is an existing object, but not the object itself.
    const parent = dialog(page).getByLabel(metadataTexts.isA, { exact: true })
    await parent.fill('red bike')
    await dialog(page).getByText(metadataTexts.objectPartOfItself).waitFor()
    await parent.fill('boat')
    await dialog(page).getByText(metadataTexts.noSuchObject).waitFor()
    await parent.fill('bi')
    await page.getByRole('option', { name: 'Bicycle' }).click()
    await name.fill(' ')
    await dialog(page).getByText(baseTexts.nameIsRequired).waitFor()
    await name.fill('Old bike')
    await dialog(page).getByLabel(metadataTexts.description, { exact: true }).fill('Of the year before')
    await saveScreenshot(page, 'object')
    await save.click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await bike()).toMatchObject({
      name: 'Old bike',
      description: 'Of the year before',
      isObjectId: ids.get('Bicycle'),
    })
    expect(await properties()).toEqual(['Colour: red', 'Price: 400, hidden'])

    // The name changes at once, here and in another browser, without saving the item.
    await chip(page, 'Old bike, object').waitFor()
    await page.locator('.box-edit').filter({ hasText: 'Old bike' }).waitFor()
    await chip(other.page, 'Old bike, object').waitFor()
    await other.page.context().close()
    expect(await page.locator('.editor-status').textContent()).toBe('')

    // Only changed parts are sent. When one of them fails, the next attempt sends all of them again.
    await page.unroute('**/v1/object/properties*')
    const sent: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && pathname.startsWith('/v1/object')) sent.push(`${request.method()} ${pathname}`)
    })
    await page.route('**/v1/object/*/property', route => route.fulfill(serverError))
    await chip(page, 'Old bike, object').press('Alt+Enter')
    await name.fill('Bike')
    await value.first().fill('blue')
    await dialog(page).getByRole('button', { name: 'Remove Price' }).click()
    await save.click()
    await page.getByText('Unknown server error: Failed to save object').waitFor()
    await closeErrors(page)
    await waitUntil(async () => ((await save.isEnabled()) ? true : null))
    expect((await bike())?.name).toBe('Bike')
    expect(await properties()).toEqual(['Colour: red', 'Price: 400, hidden'])
    await page.unroute('**/v1/object/*/property')
    await save.click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await properties()).toEqual(['Colour: blue'])
    const path = `/v1/object/${ids.get('Red bike')}`
    const [putObject, postProperty] = [`PUT ${path}`, `POST ${path}/property`]
    expect(sent.slice(0, 4)).toEqual([putObject, postProperty, putObject, postProperty])
    expect(sent[4]).toStartWith(`DELETE ${path}/property/`)
    expect(sent.length).toBe(5)
    expect(errors.filter(fault => !fault.startsWith('500'))).toEqual([])
    await page.context().close()
  })

  test('an object without a box can get one', async () => {
    const { page, errors } = await openEditor('3.jpg', phone)
    await page.getByRole('combobox', { name: baseTexts.peopleAndObjects }).fill('Vehicle')
    await page.getByRole('option', { name: /^Vehicle.*object/ }).tap()
    await chip(page, 'Vehicle, object').tap()
    await button(page, 'Edit Vehicle…').tap()
    await dialog(page).getByLabel(baseTexts.name, { exact: true }).waitFor()
    await saveScreenshot(page, 'object-phone')
    await dialog(page).getByRole('button', { name: baseTexts.cancel }).tap()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.locator('.box-edit').count()).toBe(0)
    await button(page, 'Give it a box').tap()
    await page.locator('.box-edit').filter({ hasText: 'Vehicle' }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('an object is deleted after a question, even from items that are not shown', async () => {
    await call('DELETE', `/v1/item/${ids.get('2.jpg')}`)
    const { page, errors } = await openEditor('1.jpg')
    const question = page.getByRole('dialog', { name: metadataTexts.deleteObject })
    const askToDelete = async (name: string) => {
      await chip(page, `${name}, object`).press('Alt+Enter')
      await dialog(page).getByRole('button', { name: metadataTexts.deleteObject }).click()
    }
    await askToDelete('Bike')
    await question.getByText('Delete Bike, and take it off 1 item?').waitFor()
    await question.getByRole('button', { name: baseTexts.cancel }).click()
    await dialog(page).getByRole('button', { name: metadataTexts.deleteObject }).click()
    await question.getByRole('button', { name: baseTexts.delete, exact: true }).click()
    await page.getByText('Bike is deleted').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    await chip(page, 'Bike, object').waitFor({ state: 'detached' })
    expect((await things()).map(({ name }) => name)).toEqual(['Bicycle', 'Vehicle'])

    // If an object is only on recycled items, deleting it asks a second question.
    const box = { object: ids.get('Bicycle'), x: 300, y: 200, width: 200, height: 200 }
    await call('POST', `/v1/item/${ids.get('3.jpg')}/tag/Object/object`, { data: box })
    await call('DELETE', `/v1/item/${ids.get('3.jpg')}`)
    await page.getByRole('combobox', { name: baseTexts.peopleAndObjects }).fill('Bicycle')
    await page.getByRole('option', { name: /^Bicycle.*object/ }).click()
    await askToDelete('Bicycle')
    await question.getByRole('button', { name: baseTexts.delete, exact: true }).click()
    await question.getByText('It is on items that are not shown').waitFor()
    await question.getByRole('button', { name: baseTexts.delete, exact: true }).click()
    await page.getByText('Bicycle is deleted').waitFor()
    // The unsaved chip of the deleted object disappears.
    await chip(page, 'Bicycle, object').waitFor({ state: 'detached' })
    expect((await things()).map(({ name }) => name)).toEqual(['Vehicle'])
    expect(errors.filter(fault => !fault.startsWith('409'))).toEqual([])
    await page.context().close()
  })
})
