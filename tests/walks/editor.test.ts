import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import type { Item } from '../../schema/api/items.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { galleryTexts } from '../../web/texts/gallery.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const box = (page: Page, name: string) => page.locator('.box-edit').filter({ hasText: name })
const chip = (page: Page, name: string) => page.locator('.box-chips').getByRole('button', { name, exact: true })

const windowSizes = [
  [390, 844],
  [667, 375],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [1440, 900],
] as const

/** A script that returns whether the position, such as '1 of 3', is shown in full. */
const isPositionShownInFull = `(() => {
  const { clientWidth, scrollWidth } = document.querySelector('.editor-name > span')
  return clientWidth > 0 && scrollWidth <= clientWidth
})()`

describeWalks('item metadata', () => {
  let server: RunningServer
  let session: { token: string } = { token: '' }
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 8; n++) {
      const exif = takenAt(`2019-08-0${n} 12:00:00`)
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif, width: 800, height: 600 }))
    }
    server = await startServer(join(directory, 'data'), [root])
    session = { token: await registerAndSignIn(server) }
    await waitUntil(async () => ((await listItems()).length === 8 ? true : null))
  })
  afterAll(() => server.stop())

  const call = (method: string, path: string, body?: unknown) =>
    fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  async function requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    return JSON.parse(await (await call(method, path, body)).text())
  }
  const listItems = async () => (await requestJson<{ items: Item[] }>('GET', '/v1/item/list/0?limit=100')).items
  const idOf = async (name: string) => (await listItems()).find(item => item.name === name)?.id ?? 0
  const tagsOf = async (id: number) => (await requestJson<Item>('GET', `/v1/item/${id}`)).tags

  /** Signs in and opens the editor with these items; `withoutEvents` keeps events of the server from the page. */
  async function openEditor(
    ids: readonly number[],
    options: { viewport?: typeof phone; withoutEvents?: boolean } = {},
  ) {
    const { viewport, withoutEvents } = options
    const opened = await openPage(`${server.address}/admin/metadata?items=${ids.join(',')}`, {
      viewport,
      user: 'ines',
      before: async page => withoutEvents === true && page.routeWebSocket(/.*/, () => {}),
    })
    await opened.page.locator('.editor-picture').waitFor()
    return opened
  }

  /** Double-clicks the picture at a point: `x` and `y` are fractions of its width and height. */
  async function doubleClick(page: Page, x: number, y: number): Promise<void> {
    const frame = await page.locator('.editor-frame').boundingBox()
    if (frame === null) throw new Error('there is no picture')
    await page.mouse.dblclick(frame.x + frame.width * x, frame.y + frame.height * y)
  }

  async function save(page: Page): Promise<void> {
    await button(page, 'Save').click()
    await waitUntil(async () => ((await page.locator('.editor-status').textContent()) === '' ? true : null))
  }

  test('is changed in several steps, and the gallery shows it', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await button(page, 'All, 8 items').waitFor()
    const cards = page.getByRole('list', { name: baseTexts.items }).getByRole('link')
    await cards.first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: baseTexts.editMetadata }).click()
    await page.getByRole('heading', { name: '8.jpg' }).waitFor()
    await page.getByText('1 of 8').waitFor()

    // A year before 1800 is refused in its field.
    await page.getByLabel(metadataTexts.dateTaken).fill('1799-02-28')
    await page.getByText('The year is from 1800 to this one').waitFor()
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await page.getByLabel(metadataTexts.dateTaken).fill('2018-07-01')
    await page.getByLabel(adminTexts.time).fill('10:00:00')
    await page.getByLabel(metadataTexts.description, { exact: true }).fill('By the river')
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('sea, sun,')
    // A keyword that is too long stays in the field and is not sent.
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill(`${'x'.repeat(4001)},`)
    await page.getByText('Keywords must be at most 4,000 characters').waitFor()
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('')
    await page.getByLabel(baseTexts.category, { exact: true }).fill('Family')
    await page.keyboard.press('Enter')
    await page.getByText('4 changes').waitFor()
    await saveScreenshot(page, 'item-metadata')
    await save(page)

    // Words are suggested from the third letter on.
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('riv')
    await page.getByRole('option', { name: 'New keyword “riv”' }).waitFor()
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('')
    await button(page, 'Remove sea').click()
    await save(page)
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('su')
    expect(await page.getByRole('option').count()).toBe(0)
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('')

    // A location is set by a click on the map, by coordinates, or by name.
    await page.getByRole('tab', { name: baseTexts.location }).click()
    await page.getByRole('group', { name: /^Map: click/ }).click({ position: { x: 100, y: 200 } })
    await page.getByLabel(metadataTexts.latitude).fill('91')
    await page.getByText(metadataTexts.latitudeRange).waitFor()
    await page.getByLabel(metadataTexts.latitude).fill('41,39')
    await page.getByRole('combobox', { name: mapTexts.findAPlace }).fill('Barcelona')
    await page
      .getByRole('option', { name: /Barcelona/ })
      .first()
      .click()
    expect(await page.getByLabel(metadataTexts.placeName).inputValue()).toBe('Barcelona')
    await page.getByLabel(metadataTexts.placeName).fill('Somewhere')
    await save(page)
    const id = await idOf('8.jpg')
    expect((await tagsOf(id)).Locations?.data).toMatchObject({ placeName: 'Somewhere' })
    await page.getByRole('link', { name: /home/ }).click()
    await page.getByText(collectionsTexts.family).first().waitFor()
    await page.reload()
    await page.getByText(collectionsTexts.family).first().waitFor()
    expect(errors).toEqual([])

    // Logging out does not open the login dialog.
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.logout }).click()
    await page.getByText(galleryTexts.signInToSee).waitFor()
    expect(await page.getByRole('dialog').allTextContents()).toEqual([])
    await page.context().close()
  })

  test('boxes for people and objects are drawn, named, moved, rotated and removed', async () => {
    const id = await idOf('7.jpg')
    const { page, errors } = await openEditor([id])
    // A double click draws a box of 50 by 50, but not outside the picture.
    await doubleClick(page, 0.5, -0.05)
    expect(await page.locator('.box-edit').count()).toBe(0)
    await doubleClick(page, 0.5, 0.5)
    await page.keyboard.type('Jonas')
    await page.getByRole('option', { name: 'New person “Jonas”' }).waitFor()
    await page.keyboard.press('Enter')
    await box(page, 'Jonas').waitFor()
    await doubleClick(page, 0.2, 0.2)
    await page.keyboard.type('Red bike')
    await page.getByRole('option', { name: 'New object “Red bike”' }).click()
    await page.getByText('2 changes').waitFor()
    await save(page)
    const drawn = await tagsOf(id)
    expect(drawn.People?.data).toMatchObject([{ name: 'Jonas', x: 475, y: 350, width: 50, height: 50 }])
    expect(drawn.Object?.data).toMatchObject([{ name: 'Red bike', width: 50, height: 50 }])

    // Arrow keys move a box and, with Shift, resize it. Its eight handles resize it too.
    await box(page, 'Jonas').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    expect(await page.locator('.box-handle').count()).toBe(8)
    const corner = await page.locator('[data-handle="se"]').boundingBox()
    const frame = await page.locator('.editor-frame').boundingBox()
    if (corner === null || frame === null) throw new Error('there is no box')
    await page.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2)
    await page.mouse.down()
    await page.mouse.move(corner.x + corner.width / 2 + frame.width * 0.05, corner.y + corner.height / 2, { steps: 4 })
    await page.mouse.up()
    await page.getByText('1 change').waitFor()
    await save(page)
    const pulled = (await tagsOf(id)).People?.data[0]
    expect(pulled).toMatchObject({ x: 480, y: 350, height: 55 })
    expect(pulled?.width).toBeCloseTo(100, -1)

    // The box rotates with the picture.
    await button(page, 'Rotate right').click()
    await waitUntil(async () => ((await tagsOf(id)).People?.data[0]?.y === 480 ? true : null))
    expect((await tagsOf(id)).People?.data[0]).toMatchObject({ x: 345, width: 55 })
    const turned = await box(page, 'Jonas').boundingBox()
    if (turned === null) throw new Error('there is no box')
    expect(turned.height).toBeGreaterThan(turned.width)
    expect(await page.locator('.editor-status').textContent()).toBe('')

    // A double click on a chip renames the box; the chip's button removes it.
    await chip(page, 'Jonas, person').dblclick()
    await page.getByRole('combobox', { name: metadataTexts.whoOrWhatIsIt }).fill('Red')
    await page.getByRole('option', { name: /^Red bike.*object/ }).click()
    await save(page)
    const renamed = await tagsOf(id)
    expect(renamed.People).toBeUndefined()
    expect(renamed.Object?.data).toHaveLength(2)
    await button(page, 'Remove Red bike').first().click()
    await button(page, 'Remove Red bike').first().click()
    await save(page)
    expect((await tagsOf(id)).Object).toBeUndefined()
    await saveScreenshot(page, 'item-metadata-boxes')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test("two browsers that edit the same picture show each other's changes and keep unsaved input", async () => {
    const id = await idOf('6.jpg')
    const [first, second] = [await openEditor([id]), await openEditor([id])]
    // Saved values appear in the second browser, whose unsaved edits stay.
    await second.page.getByLabel(baseTexts.author, { exact: true }).fill('Ada,')
    await first.page.getByLabel(metadataTexts.description, { exact: true }).fill('Theirs')
    await save(first.page)
    await waitUntil(async () =>
      (await second.page.getByLabel(metadataTexts.description, { exact: true }).inputValue()) === 'Theirs'
        ? true
        : null,
    )
    await second.page.getByText('1 change').waitFor()

    // Both change the same field: the unsaved text stays, and wins when it is saved.
    await second.page.getByLabel(metadataTexts.description, { exact: true }).fill('Mine')
    await first.page.getByLabel(metadataTexts.description, { exact: true }).fill('Theirs again')
    await save(first.page)
    await first.page.getByLabel(baseTexts.author, { exact: true }).fill('Bea,')
    await save(first.page)
    await button(second.page, 'Remove Bea').waitFor()
    expect(await second.page.getByLabel(metadataTexts.description, { exact: true }).inputValue()).toBe('Mine')
    await save(second.page)
    expect(await tagsOf(id)).toMatchObject({
      Description: { data: 'Mine' },
      Author: { data: [{ content: 'Bea' }, { content: 'Ada' }] },
    })
    await waitUntil(async () =>
      (await first.page.getByLabel(metadataTexts.description, { exact: true }).inputValue()) === 'Mine' ? true : null,
    )

    // The boxes of both are shown.
    await doubleClick(first.page, 0.3, 0.3)
    await first.page.keyboard.type('Eva')
    await first.page.keyboard.press('Enter')
    await doubleClick(second.page, 0.7, 0.7)
    await second.page.keyboard.type('Ida')
    await second.page.keyboard.press('Enter')
    await save(first.page)
    await box(second.page, 'Eva').waitFor()
    await save(second.page)
    expect((await tagsOf(id)).People?.data.map(({ name }) => name).sort()).toEqual(['Eva', 'Ida'])
    expect([...first.errors, ...second.errors]).toEqual([])
    await first.page.context().close()
    await second.page.context().close()
  })

  test('a conflicting save is reported, and no input is lost', async () => {
    const id = await idOf('5.jpg')
    await call('PUT', `/v1/item/${id}/tag/Keywords`, { data: ['sea'] })
    const { page } = await openEditor([id], { withoutEvents: true })
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('mine,')
    await page.getByLabel(metadataTexts.description, { exact: true }).fill('Mine')
    await call('PUT', `/v1/item/${id}/tag/Keywords`, { data: ['theirs'] })
    await button(page, 'Save').click()
    await page.getByText('An error occurred: Failed to save keywords').waitFor()
    await page.getByText('Keywords was changed meanwhile.').waitFor()
    await button(page, 'Remove theirs').waitFor()
    await button(page, 'Remove mine').waitFor()
    // Fields without a conflict are saved.
    expect((await tagsOf(id)).Description?.data).toBe('Mine')
    await save(page)
    expect((await tagsOf(id)).Keywords?.data.map(({ content }) => content)).toEqual(['theirs', 'mine'])
    await page.context().close()
  })

  test('reports each part that cannot be saved, and keeps all but the keywords in the form', async () => {
    const id = await idOf('4.jpg')
    const person = await requestJson<{ id: number }>('POST', '/v1/person', { names: ['Old friend'] })
    const thing = await requestJson<{ id: number }>('POST', '/v1/object', { name: 'Old tree' })
    const at = { x: 100, y: 100, width: 50, height: 50 }
    await call('POST', `/v1/item/${id}/tag/People/object`, { data: { person: person.id, ...at } })
    await call('POST', `/v1/item/${id}/tag/Object/object`, { data: { object: thing.id, ...at, x: 300 } })
    const before = await tagsOf(id)
    const { page } = await openEditor([id])
    await page.route(/\/tag\//, route =>
      route.fulfill({ status: 409, contentType: 'application/json', body: '{"error":"No","code":"conflict"}' }),
    )
    await page.getByLabel(metadataTexts.dateTaken).fill('2011-01-01')
    await page.getByLabel(metadataTexts.description, { exact: true }).fill('Not saved')
    await page.getByLabel(baseTexts.category, { exact: true }).fill('None,')
    await page.getByLabel(baseTexts.keywords, { exact: true }).fill('lost,')
    await button(page, 'Remove Old friend').click()
    await button(page, 'Remove Old tree').click()
    const somebody = page.getByRole('combobox', { name: baseTexts.peopleAndObjects })
    await somebody.fill('Old friend')
    await page.locator('.combo-list .face').waitFor()
    await saveScreenshot(page, 'editor-people')
    await page.getByRole('option', { name: /^Old friend.*person/ }).click()
    await somebody.fill('Old tree')
    await page.getByRole('option', { name: /^Old tree.*object/ }).click()
    await page.getByRole('tab', { name: baseTexts.location }).click()
    await page.getByLabel(metadataTexts.latitude).fill('1')
    await page.getByLabel(metadataTexts.longitude).fill('2')
    await button(page, 'Save').click()
    for (const text of [
      'Failed to save date and time',
      'Failed to save description',
      'Failed to save category',
      'Failed to save keywords',
      'Failed to save location',
      'Failed to remove person',
      'Failed to remove object',
      'Failed to add person',
      'Failed to add object',
    ]) {
      await page.getByText(`An error occurred: ${text}`, { exact: true }).waitFor()
    }
    // Refused keywords are replaced by the saved ones; all other parts stay unsaved in the form.
    await page.getByText('8 changes').waitFor()
    await page.getByRole('tab', { name: baseTexts.details }).click()
    expect(await button(page, 'Remove lost').count()).toBe(0)
    expect(await page.getByLabel(metadataTexts.description, { exact: true }).inputValue()).toBe('Not saved')
    expect(await tagsOf(id)).toEqual(before)
    await button(page, 'Revert').click()
    await box(page, 'Old friend').waitFor()
    await page.context().close()
  })

  test('the picture and its toolbar fit the window at every size', async () => {
    const ids = [await idOf('3.jpg'), await idOf('2.jpg'), await idOf('1.jpg')]
    const { page, errors } = await openEditor(ids)
    for (const [width, height] of windowSizes) {
      await page.setViewportSize({ width, height })
      const picture = page.locator('.editor-picture')
      await waitUntil(async () => {
        const box = await picture.boundingBox()
        return box !== null && box.width >= 200 && box.height >= 150 ? true : null
      })
      await page.getByText('1 of 3 selected').waitFor()
      expect(await page.evaluate(isPositionShownInFull)).toBe(true)
      for (const name of ['Delete', 'Save and next']) {
        const box = await button(page, name).boundingBox()
        expect((box?.x ?? width) + (box?.width ?? 0), `${name} at ${width}`).toBeLessThanOrEqual(width)
      }
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keeps unsaved changes while another picture is edited, and shows the next one after a deletion', async () => {
    const ids = [await idOf('3.jpg'), await idOf('2.jpg'), await idOf('1.jpg')]
    const { page, errors } = await openEditor(ids)
    await page.getByText('1 of 3 selected').waitFor()
    await page.getByLabel(metadataTexts.description, { exact: true }).fill('Begun')
    await button(page, 'Next').click()
    await page.getByRole('heading', { name: '2.jpg' }).waitFor()
    await button(page, 'Item 1 of 3, not saved').waitFor()
    await page.getByLabel(metadataTexts.description, { exact: true }).fill('Saved on the way')
    await button(page, 'Save and next').click()
    await page.getByRole('heading', { name: '1.jpg' }).waitFor()
    await waitUntil(async () => ((await tagsOf(ids[1] ?? 0)).Description?.data === 'Saved on the way' ? true : null))

    // On leaving, a message reports that the changes are kept; on return they are there.
    await page.getByRole('link', { name: baseTexts.worldMap }).click()
    await page.getByText(metadataTexts.yourChangesAreKept).waitFor()
    await button(page, 'Edit').click()
    await page.getByRole('heading', { name: '3.jpg' }).waitFor()
    expect(await page.getByLabel(metadataTexts.description, { exact: true }).inputValue()).toBe('Begun')
    await button(page, 'Revert').click()

    await page.goto(`${server.address}/admin/metadata?items=${ids.join(',')}`)
    await page.getByText('1 of 3 selected').waitFor()
    await button(page, 'Delete').click()
    await page.getByText(baseTexts.deleteQuestion).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: baseTexts.delete }).click()
    await page.getByRole('heading', { name: '2.jpg' }).waitFor()
    await page.getByText('1 of 2 selected').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('2 of 3 selected').waitFor()

    // The location is also set on the other items.
    await page.getByRole('tab', { name: baseTexts.location }).click()
    await page.getByLabel(metadataTexts.latitude).fill('38.72')
    await page.getByLabel(metadataTexts.longitude).fill('-9.14')
    await button(page, 'Use for the 2 other items').click()
    await page.getByText('2 other items have this place now').waitFor()
    expect((await tagsOf(ids[0] ?? 0)).Locations?.data.latitude).toBe(38.72)
    await save(page)
    await button(page, 'Next').click()
    await page.getByRole('heading', { name: '1.jpg' }).waitFor()
    await waitUntil(async () =>
      (await page.getByLabel(metadataTexts.latitude).inputValue()) === '38.72' ? true : null,
    )
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keeps the filter of the gallery, and shows the file name in a narrow window', async () => {
    await call('PUT', '/v1/item/tags', {
      items: [await idOf('1.jpg'), await idOf('2.jpg')],
      changes: [{ tagName: 'Keywords', mode: 'add', data: ['kept'] }],
    })
    const { page, errors } = await openPage(`${server.address}/?and=kept`, { user: 'ines' })
    await waitUntil(async () => ((await page.locator('.card-link').count()) === 2 ? true : null))
    await page.locator('.card-link').last().click({ button: 'right' })
    await page.getByRole('menuitem', { name: baseTexts.editMetadata }).click()
    await page.getByRole('heading', { name: '1.jpg' }).waitFor()
    // Previous and next stay within the filter.
    await page.getByText('2 of 2').waitFor()
    await button(page, 'Previous').click()
    await page.getByRole('heading', { name: '2.jpg' }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const { width = 0 } = (await page.getByRole('heading', { name: '2.jpg' }).boundingBox()) ?? {}
    expect(width).toBeGreaterThanOrEqual(110)
    await saveScreenshot(page, 'item-metadata-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: baseTexts.home, exact: true }).click()
    await waitUntil(async () => ((await page.locator('.card-link').count()) === 2 ? true : null))
    expect(new URL(page.url()).search).toBe('?and=kept')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('on a phone two taps draw a box, and a sheet asks for its name', async () => {
    const id = await idOf('1.jpg')
    const { page, errors } = await openEditor([id], { viewport: phone })
    const frame = await page.locator('.editor-frame').boundingBox()
    if (frame === null) throw new Error('there is no picture')
    const at = [frame.x + frame.width / 2, frame.y + frame.height / 2] as const
    // The taps are repeated: on a busy machine too much time may pass between two of them.
    await waitUntil(async () => {
      await page.touchscreen.tap(...at)
      await page.touchscreen.tap(...at)
      return (await page.locator('.box-edit').count()) === 1 ? true : null
    })
    await page.getByRole('dialog', { name: metadataTexts.whoOrWhatIsIt }).waitFor()
    await page.keyboard.type('Noa')
    await page.getByRole('option', { name: 'New person “Noa”' }).tap()
    await box(page, 'Noa').waitFor()
    await save(page)
    const [noa] = (await tagsOf(id)).People?.data ?? []
    expect(noa).toMatchObject({ name: 'Noa', width: 50, height: 50 })
    expect(Math.abs((noa?.x ?? 0) - 475)).toBeLessThan(5)
    await saveScreenshot(page, 'item-metadata-phone')
    expect(errors).toEqual([])
    await page.context().close()
  })
})
