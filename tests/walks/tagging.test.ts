import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { accountTexts } from '../../web/texts/account.ts'
import { taggingTexts } from '../../web/texts/admin/tagging.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { filesTexts } from '../../web/texts/files.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { button, exportLibrary, field, openScreen } from '../support/admin-walks.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Writes pictures of August 2019, one a day, to a folder. */
async function writePictures(root: string, from: number, to: number) {
  mkdirSync(root)
  for (let n = from; n <= to; n++) {
    const exif = takenAt(`2019-08-${String(n).padStart(2, '0')} 12:00:00`)
    writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, width: 300, height: 200, exif }))
  }
}

const box = (page: Page, n: number) => page.getByRole('checkbox', { name: `Select ${n}.jpg` })
const row = (page: Page, n: number) => page.getByRole('row', { name: `Select ${n}.jpg` })

describeWalks('transfer and tags', () => {
  let server: RunningServer
  let directory: string
  let data: string
  let call: (method: string, path: string, body?: unknown) => Promise<unknown>
  beforeAll(async () => {
    directory = temporaryDirectory()
    data = join(directory, 'data')
    const roots = [join(directory, 'Family'), join(directory, 'Work')]
    await writePictures(roots[0] ?? '', 1, 12)
    await writePictures(roots[1] ?? '', 20, 21)
    server = await startServer(data, roots)
    const token = await registerAndSignIn(server)
    call = async (method, path, body) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(server.address + path, { method, headers, body: JSON.stringify(body) ?? null })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${text}`)
      return text === '' ? null : JSON.parse(text)
    }
    await waitUntil(async () => {
      const list = JSON.stringify(await call('GET', '/v1/item/list/0'))
      const jobs = JSON.stringify(await call('GET', '/v1/job?state=active'))
      return list.includes('"total_records":14') && jobs === '[]' ? true : null
    })
    await call('POST', '/v1/person', { names: ['Mia Ferrer'] })
  })
  afterAll(() => server.stop())

  test('the chosen fields are applied to the selected items, and this can be undone', async () => {
    const before = await exportLibrary(data)
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await openScreen(page, 'Manage Tags')

    // Nothing is selected or chosen: the message names what is missing.
    await box(page, 21).waitFor()
    expect(await button(page, 'Bulk Tag').isDisabled()).toBe(true)
    await page.getByText(adminTexts.selectItemsInTheTable).waitFor()

    // A click selects a row, Shift a range, and the checkbox in the header the page.
    await row(page, 21).click()
    await page.getByText('1 of 14 selected').waitFor()
    await page.getByText('Choose what to change.').waitFor()
    await box(page, 12).click({ modifiers: ['Shift'] })
    await page.getByText('3 of 14 selected').waitFor()
    await page.getByRole('checkbox', { name: adminTexts.selectAllOnThisPage }).check()
    await page.getByText('10 of 14 selected').waitFor()
    await page.getByRole('checkbox', { name: adminTexts.selectAllOnThisPage }).uncheck()
    await page.getByText('0 of 14 selected').waitFor()

    // Select Current adds the rest of the filter; arrows move between the checkboxes.
    await button(page, 'Select Current').click()
    await page.getByText('14 of 14 selected').waitFor()
    await box(page, 21).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('13 of 14 selected').waitFor()

    // A comma ends an entry; people are chosen from the menu, which opens after three letters.
    await field(page, 'Keywords').fill('sea, summer,')
    await button(page, 'Remove sea').waitFor()
    await page.getByLabel('What is done with Category').selectOption('Set to')
    await field(page, 'Category').fill('Holiday')
    await page.keyboard.press('Enter')
    await field(page, 'People').fill('fer')
    await page.getByRole('option', { name: 'Mia Ferrer' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('In the 13 selected items:').waitFor()
    await page.getByText('Keywords: add sea, summer').waitFor()
    await page.getByText('Category: set to Holiday').waitFor()
    await page.getByText('People: add Mia Ferrer').waitFor()
    await saveScreenshot(page, 'bulk-tag')
    await button(page, 'Bulk Tag').click()
    // A toast under the pointer does not disappear.
    await page.getByText('13 items tagged').hover()
    await saveScreenshot(page, 'bulk-tag-done')

    // The items have left the selection, and the table shows the result.
    await page.getByText('0 of 14 selected').waitFor()
    await row(page, 21).getByText('sea, summer').waitFor()
    await row(page, 21).getByText('Holiday').waitFor()
    expect(await row(page, 20).getByText('sea').count()).toBe(0)
    expect(await exportLibrary(data)).not.toBe(before)
    await button(page, 'Undo').click()
    await page.getByText(baseTexts.undone, { exact: true }).waitFor()
    await row(page, 21).getByText('sea, summer').waitFor({ state: 'detached' })
    expect(await exportLibrary(data)).toBe(before)

    // Clear is described as removing all.
    await page.getByLabel('What is done with Keywords').selectOption('Clear')
    await page.getByText('Keywords: remove all').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the menu is at most 500 px high, a comma ends an entry, and a keyword has at most 4,000 characters', async () => {
    const names = Array.from({ length: 45 }, (_, n) => `harbour ${n + 10}`)
    const { items } = Object(await call('GET', '/v1/item/list/0?limit=1'))
    await call('PUT', `/v1/item/${items[0].id}/tag/Keywords`, { data: names })
    const { page, errors } = await openPage(server.address, { viewport: { width: 1440, height: 1400 }, user: 'ines' })
    await openScreen(page, 'Manage Tags')

    // The menu scrolls, and the arrows scroll to each entry.
    await field(page, 'Keywords').fill('harb')
    const menu = page.locator('.combo-list.float')
    await page.getByRole('option').nth(44).waitFor({ state: 'attached' })
    const { height = 0 } = (await menu.boundingBox()) ?? {}
    expect(height).toBeGreaterThan(490)
    expect(height).toBeLessThanOrEqual(500)
    const scroll = (what: string) => page.evaluate(`document.querySelector('.combo-list.float').${what}`)
    expect(Number(await scroll('scrollHeight'))).toBeGreaterThan(Number(await scroll('clientHeight')))
    await saveScreenshot(page, 'picker-menu')
    await page.keyboard.press('ArrowUp')
    await waitUntil(async () => (Number(await scroll('scrollTop')) > 0 ? true : null))
    await page.keyboard.press('Enter')
    const chips = page.getByRole('button', { name: /^Remove harbour/ })
    expect(await chips.count()).toBe(1)

    // Text becomes an entry at a comma; the rest is the next entry.
    await field(page, 'Keywords').fill('harbour 12, tide,')
    await button(page, 'Remove tide').waitFor()
    expect(await chips.count()).toBe(2)
    expect(await field(page, 'Keywords').inputValue()).toBe('')

    // A keyword that is too long stays in the field, with the reason.
    const fault = page.getByText('Keywords must be at most 4,000 characters')
    await field(page, 'Keywords').fill(`${'x'.repeat(4001)},`)
    await fault.waitFor()
    expect((await field(page, 'Keywords').inputValue()).length).toBe(4001)
    await field(page, 'Keywords').fill('')
    await fault.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: taggingTexts.tagOptions }).click()
    await button(page, 'Rename harbour 10').click()
    const renaming = page.getByRole('dialog', { name: baseTexts.rename })
    await renaming.getByLabel(taggingTexts.keyword).fill('x'.repeat(4001))
    await fault.waitFor()
    expect(await renaming.getByRole('button', { name: baseTexts.rename }).isDisabled()).toBe(true)
    await call('PUT', `/v1/item/${items[0].id}/tag/Keywords`, { data: [] })
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a tag replaces another after a question', async () => {
    const { items } = Object(await call('GET', '/v1/item/list/0?limit=500'))
    for (const { id, name } of items) {
      if (name === '12.jpg') await call('PUT', `/v1/item/${id}/tag/Category`, { data: ['Vacation'] })
      if (name === '12.jpg' || name === '11.jpg')
        await call('PUT', `/v1/item/${id}/tag/Keywords`, { data: ['lake', 'vacation', 'flowers'] })
    }
    const before = await exportLibrary(data)
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await openScreen(page, 'Manage Tags')
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Item Bulk Tag', 'Item Tag Replace', 'Tag Options'])
    await page.getByRole('tab', { name: taggingTexts.itemTagReplace }).click()

    // Both switches are on at first; the table shows what may change.
    await row(page, 12).waitFor()
    for (const name of ['Category', 'Keywords']) {
      expect(await page.getByRole('switch', { name }).isChecked()).toBe(true)
    }
    const heads = await page.getByRole('columnheader').allTextContents()
    expect(heads.filter(head => head !== '')).toEqual(['Action', 'Picture', 'Name', 'Date', 'Category', 'Keywords'])
    await page.getByRole('checkbox', { name: adminTexts.selectAllOnThisPage }).check()
    await page.getByText('10 of 14 selected').waitFor()
    await page.getByRole('checkbox', { name: adminTexts.selectAllOnThisPage }).uncheck()

    // Replace Tag is enabled only with items, two different tags, and at least one switch.
    const start = button(page, 'Replace Tag')
    expect(await start.isDisabled()).toBe(true)
    await box(page, 12).click()
    await box(page, 11).click()
    await box(page, 10).click()
    await page.getByText(taggingTexts.chooseTagToReplace).waitFor()
    await field(page, 'Replace Tag').fill('vac')
    await page.getByRole('option', { name: 'Vacation, 2 items' }).click()
    await page.getByText(taggingTexts.chooseReplacingTag).waitFor()
    await field(page, 'With Tag').fill('VACATION,')
    await page.getByText(taggingTexts.twoTagsAreTheSame).waitFor()
    await field(page, 'With Tag').press('Backspace')
    await field(page, 'With Tag').fill('holiday,')
    expect(await start.isEnabled()).toBe(true)
    await page.getByRole('switch', { name: baseTexts.category }).uncheck()
    await page.getByText('2 keywords change.').waitFor()
    await page.getByRole('switch', { name: baseTexts.keywords }).uncheck()
    await page.getByText(taggingTexts.chooseCategoryKeywordsOrBoth).waitFor()
    expect(await start.isDisabled()).toBe(true)
    await page.getByRole('switch', { name: baseTexts.category }).check()
    await page.getByRole('switch', { name: baseTexts.keywords }).check()

    // The changes are described, and underlined in the table; the picture of the row under the pointer is enlarged.
    await page.getByText('In the 3 selected items, Vacation becomes holiday:').waitFor()
    await page.getByText('1 category and 2 keywords change.').waitFor()
    expect(await row(page, 12).locator('u').allTextContents()).toEqual(['Vacation', 'Vacation'])
    await row(page, 11).hover()
    await page.getByRole('img', { name: 'Preview of 11.jpg' }).waitFor()
    await saveScreenshot(page, 'tag-replace')

    // Cancel closes the question and changes nothing.
    await start.click()
    const question = page.getByRole('dialog', { name: taggingTexts.startReplacingTags })
    await question.getByText('There is 3 items selected.').waitFor()
    await saveScreenshot(page, 'tag-replace-question')
    await question.getByRole('button', { name: baseTexts.cancel }).click()
    await question.waitFor({ state: 'detached' })
    expect(await exportLibrary(data)).toBe(before)

    // Processed items leave the selection.
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/item/tags**', async route => {
      await held.promise
      await route.fallback()
    })
    await start.click()
    await question.getByRole('button', { name: taggingTexts.bulkTag }).click()
    await page.getByRole('dialog', { name: taggingTexts.reTaggingPleaseStandBy }).waitFor()
    held.resolve()
    await page.getByText('2 items tagged').waitFor()
    await page.getByText('1 had nothing to change').waitFor()
    await page.getByText('0 of 14 selected').waitFor()
    await row(page, 12).getByText('lake, holiday, flowers').waitFor()
    await button(page, 'Undo').click()
    await page.getByText(baseTexts.undone, { exact: true }).waitFor()
    await row(page, 12).getByText('lake, Vacation, flowers').waitFor()
    expect(await exportLibrary(data)).toBe(before)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keywords are renamed, hidden and merged', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await openScreen(page, 'Manage Tags')
    await page.getByRole('tab', { name: taggingTexts.tagOptions }).click()
    const keywordRow = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} \\d`) })
    await keywordRow('lake').waitFor()
    await page.getByLabel(taggingTexts.findAKeyword).fill('flow')
    await keywordRow('lake').waitFor({ state: 'detached' })
    await keywordRow('flowers').getByText('2', { exact: true }).waitFor()
    await page.getByLabel(taggingTexts.findAKeyword).fill('')

    // A name that is taken is refused.
    await button(page, 'Rename lake').click()
    const renaming = page.getByRole('dialog', { name: baseTexts.rename })
    await renaming.getByLabel(taggingTexts.keyword).fill('Flowers')
    await renaming.getByText('flowers is there already.').waitFor()
    expect(await renaming.getByRole('button', { name: baseTexts.rename }).isDisabled()).toBe(true)
    await renaming.getByLabel(taggingTexts.keyword).fill('Lake Como')
    await page.keyboard.press('Enter')
    await renaming.waitFor({ state: 'detached' })
    await keywordRow('Lake Como').waitFor()

    // The server refuses hiding: the switch is reset, with a message.
    await page.route('**/v1/keystrings/*', route =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, json: { error: 'no', code: 'unexpected' } })
        : route.fallback(),
    )
    await page.getByRole('switch', { name: 'Hide flowers' }).click()
    await page.getByText(taggingTexts.failedToSaveKeystring).waitFor()
    await waitUntil(async () => ((await page.getByRole('switch', { name: 'Hide flowers' }).isChecked()) ? null : true))
    await page.unroute('**/v1/keystrings/*')
    await page.getByRole('alert').getByRole('button', { name: baseTexts.close }).click()

    // A keyword can hide its items from all lists.
    const hide = page.getByRole('switch', { name: 'Hide the items of flowers' })
    await hide.click()
    await waitUntil(async () => {
      const list = JSON.stringify(await call('GET', '/v1/item/list/0'))
      return list.includes('"total_records":12') ? true : null
    })
    // Showing them again asks for the PIN first.
    await hide.click()
    const pin = page.getByRole('dialog', { name: baseTexts.showHiddenItems })
    await pin.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await pin.waitFor({ state: 'detached' })
    expect(await hide.isChecked()).toBe(true)
    await hide.click()
    await waitUntil(async () => {
      const list = JSON.stringify(await call('GET', '/v1/item/list/0'))
      return list.includes('"total_records":14') ? true : null
    })

    // A keyword is merged into another, and the merge is undone.
    const before = await exportLibrary(data)
    await button(page, 'Merge flowers').click()
    const merging = page.getByRole('dialog', { name: adminTexts.merge })
    await field(page, 'flowers becomes').fill('com')
    await merging.getByRole('option', { name: 'Lake Como' }).click()
    await merging.getByText('2 items of flowers get Lake Como instead, and flowers goes.').waitFor()
    await saveScreenshot(page, 'tag-merge')
    await merging.getByRole('button', { name: adminTexts.merge }).click()
    await page.getByText('flowers is now Lake Como').waitFor()
    await keywordRow('flowers').waitFor({ state: 'detached' })
    await button(page, 'Undo').click()
    await page.getByText(baseTexts.undone, { exact: true }).waitFor()
    await keywordRow('flowers').getByText('2', { exact: true }).waitFor()
    expect(await exportLibrary(data)).toBe(before)

    // A failed load is reported, and the page retries by itself.
    await page.route('**/v1/keystrings/list-all*', route =>
      route.fulfill({ status: 500, json: { error: 'no', code: 'unexpected' } }),
    )
    await page.reload()
    await page.getByText(taggingTexts.failedToLoadAllKeystrings).waitFor()
    await page.unroute('**/v1/keystrings/list-all*')
    await keywordRow('flowers').waitFor()
    expect(errors.filter(fault => !fault.startsWith('500'))).toEqual([])
    await page.context().close()
  })

  test('items are moved to another collection with their files, and back', async () => {
    const before = await exportLibrary(data)
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await openScreen(page, 'Transfer Items')

    // A page has ten items, and a hundred while a collection is chosen.
    await row(page, 21).waitFor()
    const boxes = page.getByRole('checkbox', { name: /^Select \d/ })
    expect(await boxes.count()).toBe(10)

    // A page that was requested during an outage is shown within three seconds of the server's return.
    const calls = /\/v1\//
    await page.route(calls, route => route.abort())
    await button(page, baseTexts.nextPage).click()
    await page.getByRole('alert').getByText(baseTexts.failedToLoadItems).waitFor()
    await row(page, 21).waitFor()
    await page.unroute(calls)
    await row(page, 4).waitFor({ timeout: 3000 })
    expect(await row(page, 21).count()).toBe(0)
    await page.getByRole('alert').getByRole('button', { name: baseTexts.close }).click()
    await page.getByLabel(filesTexts.from, { exact: true }).selectOption('Family')
    await waitUntil(async () => ((await boxes.count()) === 12 ? true : null))
    const start = button(page, 'Transfer')
    expect(await start.isDisabled()).toBe(true)
    await box(page, 1).click()
    await box(page, 2).click()
    await page.getByText(filesTexts.chooseWhereTheyGo).waitFor()
    await page.getByLabel(filesTexts.to, { exact: true }).selectOption('Work')
    expect(await start.isEnabled()).toBe(true)

    // Items cannot be moved to the collection that they are in.
    await page.getByLabel(filesTexts.from, { exact: true }).selectOption('Work')
    await page.getByText(filesTexts.alreadyThere).waitFor()
    expect(await start.isDisabled()).toBe(true)
    await page.getByLabel(filesTexts.from, { exact: true }).selectOption('Family')

    // When the transfer cannot be started, the selection stays.
    await page.route('**/v1/collection/transfer/*', route =>
      route.fulfill({ status: 500, json: { error: 'no', code: 'unexpected' } }),
    )
    await start.click()
    await page.getByText(filesTexts.failedToStartTransferring).waitFor()
    await page.getByText('2 of 12 selected').waitFor()
    await page.unroute('**/v1/collection/transfer/*')
    await page.getByRole('alert').getByRole('button', { name: baseTexts.close }).click()
    await saveScreenshot(page, 'transfer')
    await start.click()
    await page.getByText('2 items moved to Work').waitFor()
    await page.getByText('0 of 10 selected').waitFor()
    expect(readdirSync(join(directory, 'Work')).sort()).toEqual(['1.jpg', '2.jpg', '20.jpg', '21.jpg'])
    await button(page, 'Undo').click()
    await page.getByText(baseTexts.undone, { exact: true }).waitFor()
    await row(page, 1).waitFor()
    expect(readdirSync(join(directory, 'Work')).sort()).toEqual(['20.jpg', '21.jpg'])
    expect(await exportLibrary(data)).toBe(before)
    expect(errors.filter(fault => !fault.startsWith('500'))).toEqual([])
    await page.context().close()
  })

  test('the table disables the shortcut to the metadata of an item in a read-only collection', async () => {
    const collections = Object(await call('GET', '/v1/collection'))
    const { id } = collections.find(({ name }: { name: string }) => name === 'Work')
    await call('PUT', `/v1/collection/${id}`, { readonly: true })
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await openScreen(page, 'Manage Tags')
    const locked = button(page, 'Edit Metadata of 21.jpg')
    await locked.waitFor()
    expect([await locked.isDisabled(), await locked.getAttribute('title')]).toEqual([
      true,
      'Its collection is read-only',
    ])
    await button(page, 'Edit Metadata of 12.jpg').click()
    await page.getByRole('textbox', { name: metadataTexts.description }).waitFor()
    await call('PUT', `/v1/collection/${id}`, { readonly: false })
    await page.goBack()
    await waitUntil(async () => ((await locked.isEnabled()) ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keywords are shown 50 a page, or 10, 100 or 500', async () => {
    const { page } = await openPage(server.address, { user: 'ines' })
    const many = Array.from({ length: 60 }, (_, at) => ({
      id: at + 1,
      content: `word ${at + 1}`,
      isHidden: false,
      isAssociatedItemsHidden: false,
      itemcount: 1,
    }))
    await page.route('**/v1/keystrings/list-all*', route => route.fulfill({ json: many }))
    await openScreen(page, 'Manage Tags')
    await page.getByRole('tab', { name: taggingTexts.tagOptions }).click()
    const waitForKeywords = (count: number) =>
      waitUntil(async () => ((await page.getByRole('switch', { name: /^Hide word/ }).count()) === count ? true : null))
    await waitForKeywords(50)
    await button(page, 'Page 2').click()
    await waitForKeywords(10)
    const sizes = page.getByLabel(baseTexts.itemsPerPage)
    expect(await sizes.locator('option').allTextContents()).toEqual(['10', '50', '100', '500'])
    // The size can be chosen on a phone too. The new page contains the first item of the previous one.
    await page.setViewportSize(phone)
    expect(await sizes.isVisible()).toBe(true)
    await sizes.selectOption('10')
    await button(page, 'Page 6').waitFor()
    await page.getByRole('switch', { name: 'Hide word 51', exact: true }).waitFor()
    await sizes.selectOption('100')
    await waitForKeywords(60)
    await page.context().close()
  })

  test('on a phone items are tagged from a list', async () => {
    const { page, errors } = await openPage(`${server.address}/admin/tagging`, { viewport: phone })
    const login = page.getByRole('dialog', { name: baseTexts.login })
    await login.getByLabel(baseTexts.username).fill('ines')
    await login.getByLabel(accountTexts.password).fill('secret')
    await page.keyboard.press('Enter')
    await login.waitFor({ state: 'detached' })
    await page.getByRole('listitem').filter({ hasText: '21.jpg' }).tap()
    await page.getByText('1 of 14 selected').waitFor()
    await field(page, 'Keywords').fill('phone,')
    await button(page, 'Bulk Tag').tap()
    await page.getByText('1 item tagged').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: /21\.jpg.*phone/ })
      .waitFor()
    await saveScreenshot(page, 'bulk-tag-phone')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('Enter accepts the marked suggestion, a comma the typed text', async () => {
    const { items } = Object(await call('GET', '/v1/item/list/0?limit=2'))
    await call('PUT', `/v1/item/${items[0].id}/tag/Keywords`, { data: ['lighthouse', 'light'] })
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await openScreen(page, 'Manage Tags')
    await field(page, 'Keywords').fill('lighth')
    await page.getByRole('option', { name: /^lighthouse/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await button(page, 'Remove lighthouse').waitFor()
    // An exact match comes before longer words.
    await field(page, 'Keywords').fill('light')
    await page.getByRole('option', { name: /^light,/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await button(page, 'Remove light').waitFor()
    await field(page, 'Keywords').fill('lig,')
    await button(page, 'Remove lig').waitFor()

    // The editor does the same.
    await page.goto(`${server.address}/admin/metadata?items=${items[1].id}`)
    const words = page.getByLabel(baseTexts.keywords, { exact: true })
    await words.fill('lighth')
    await page.getByRole('option', { name: /^lighthouse/ }).waitFor()
    await page.keyboard.press('Enter')
    await button(page, 'Remove lighthouse').waitFor()
    await words.pressSequentially('lig,')
    await button(page, 'Remove lig').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
