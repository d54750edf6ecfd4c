import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { accountTexts } from '../../web/texts/account.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { describeWalks, laptop, openPage, phone, waitForHistory } from '../support/browser.ts'
import { isLong, longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory, temporaryOnDisk } from '../support/temporary.ts'

temporaryOnDisk()

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const waitForClosed = (page: Page, name: string) => dialog(page, name).waitFor({ state: 'detached' })
const cards = (page: Page) => page.getByRole('list', { name: baseTexts.items }).getByRole('link')

function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** Waits for this address: moving through the history takes time. */
function waitForPath(page: Page, path: string): Promise<true> {
  return waitUntil(async () => (pathOf(page) === path ? true : null))
}

describeWalks('layers over the page', () => {
  let server: RunningServer

  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 6; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-0${n}-03 18:58:0${n}`) }))
    }
    server = await startServer(join(directory, 'data'), [root])
    const headers = { authorization: `Bearer ${await registerAndSignIn(server)}`, 'content-type': 'application/json' }
    const first = await waitUntil(async () => {
      const response = await fetch(`${server.address}/v1/item/list/0`, { headers })
      const list: { items: { id: number }[] } = JSON.parse(await response.text())
      return list.items.length === 6 ? (list.items[0] ?? null) : null
    })
    await fetch(`${server.address}/v1/item/${first.id}/tag/Locations`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ data: { latitude: 48.2, longitude: 16.4, placeName: 'Vienna' } }),
    })
  })
  afterAll(() => server.stop())

  async function open(path = '/', options: Parameters<typeof openPage>[1] = {}) {
    const { page, errors } = await openPage(server.address + path, { ...options, user: 'ines' })
    if (path === '/') await cards(page).first().waitFor()
    return { page, errors }
  }

  async function choose(page: Page, entry: string) {
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: entry }).click()
  }

  for (const [device, viewport] of Object.entries(isLong ? { laptop, phone } : { laptop })) {
    test(`Back closes the top layer, and then goes to the previous address (${device})`, async () => {
      const { page, errors } = await open('/', { viewport })
      await page.goto(`${server.address}/on-this-day`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()

      // A menu takes one history step, and so does a dialog that replaces it.
      await button(page, 'More').click()
      await page.getByRole('menu', { name: baseTexts.more }).waitFor()
      await page.goBack()
      await page.getByRole('menu', { name: baseTexts.more }).waitFor({ state: 'detached' })
      expect(pathOf(page)).toBe('/on-this-day')
      await choose(page, 'Edit Profile')
      await dialog(page, 'Edit Profile').waitFor()
      await page.goBack()
      await waitForClosed(page, 'Edit Profile')
      expect(pathOf(page)).toBe('/on-this-day')

      // Forward finds no empty step; the next Back leaves the screen.
      await page.goForward()
      await choose(page, 'Options')
      await dialog(page, 'Options').waitFor()
      await page.keyboard.press('Escape')
      await waitForClosed(page, 'Options')
      await waitForHistory(page)
      await page.goBack()
      await waitForPath(page, '/')
      await page.goForward()
      await waitForPath(page, '/on-this-day')
      expect(errors).toEqual([])
      await page.context().close()
    })
  }

  test('dialogs closed by buttons or keys leave no history step', async () => {
    const { page, errors } = await open()
    await cards(page).first().click()
    await page.getByText('1 of 6').waitFor()
    const opened = pathOf(page)
    for (const close of ['Escape', 'button', 'Cancel']) {
      await page.keyboard.press('Delete')
      const question = dialog(page, 'Delete')
      await question.waitFor()
      if (close === 'Escape') await page.keyboard.press('Escape')
      else if (close === 'button') await question.getByRole('button', { name: baseTexts.close }).click()
      else await question.getByRole('button', { name: baseTexts.cancel }).click()
      await question.waitFor({ state: 'detached' })
      await page.getByText('1 of 6').waitFor()
      expect(pathOf(page)).toBe(opened)
    }
    await waitForHistory(page)
    await page.goBack()
    await waitForPath(page, '/')
    await page.goForward()
    await waitForPath(page, opened)
    await page.getByText('1 of 6').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('Back returns from the metadata editor to the picture whose menu opened it', async () => {
    const { page, errors } = await open()
    await cards(page).nth(1).click()
    await page.getByText('2 of 6').waitFor()
    const opened = pathOf(page)
    await page.locator('.viewer-stage').click({ button: 'right' })
    await page.getByRole('menuitem', { name: baseTexts.editMetadata }).click()
    await page.getByRole('textbox', { name: metadataTexts.description }).waitFor()
    await page.goBack()
    await waitForPath(page, opened)
    await page.getByText('2 of 6').waitFor()
    // The menu does not open again, and closing the picture takes one step.
    expect(await page.getByRole('menu').count()).toBe(0)
    await page.keyboard.press('Escape')
    await waitForPath(page, '/')
    await page.goForward()
    await waitForPath(page, opened)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('after deleting in the viewer, the next picture is one step from the gallery', async () => {
    const { page, errors } = await open()
    await cards(page).first().click()
    await page.getByText('1 of 6').waitFor()
    await page.keyboard.press('Delete')
    await dialog(page, 'Delete').getByRole('button', { name: baseTexts.delete }).click()
    await page.getByText('1 of 5').waitFor()
    await waitForHistory(page)
    await page.goBack()
    await waitForPath(page, '/')
    await page.getByRole('button', { name: baseTexts.undo }).click()
    await waitUntil(async () => ((await cards(page).count()) === 6 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a sheet stays open when its filter changes; Back closes it, and then removes the filter', async () => {
    const { page, errors } = await open('/', { viewport: phone })
    await button(page, 'Filter').click()
    const sheet = page.getByRole('dialog', { name: baseTexts.filter })
    await sheet.getByRole('button', { name: /^Mar, 1 item/ }).click()
    await waitUntil(async () => (pathOf(page).includes('month=3') ? true : null))
    await sheet.getByRole('button', { name: 'Show 1 item' }).waitFor()
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    expect(pathOf(page)).toContain('month=3')
    await page.goBack()
    await waitForPath(page, '/')
    await button(page, 'Filter').waitFor()
    await page.goForward()
    await waitUntil(async () => (pathOf(page).includes('month=3') ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('a menu within a sheet and a dialog over a dialog take one history step each', async () => {
    const { page, errors } = await open('/', { viewport: phone })
    await cards(page).first().click()
    await page.getByText('1 of 6').waitFor()
    const opened = pathOf(page)
    await page.locator('[data-menu]').click()
    await page.getByRole('menuitem', { name: selectionTexts.share }).click()
    await dialog(page, 'Share').waitFor()
    await page.goBack()
    await page.getByRole('menuitem', { name: selectionTexts.share }).waitFor()
    await page.goBack()
    await page.getByRole('menuitem', { name: selectionTexts.share }).waitFor({ state: 'detached' })
    expect(pathOf(page)).toBe(opened)
    await page.goBack()
    await waitForPath(page, '/')
    await page.context().close()

    const second = await open('/admin/collections')
    await button(second.page, 'Create Collection').first().click()
    await dialog(second.page, 'Create Collection').getByLabel(baseTexts.name).fill('Second')
    await dialog(second.page, 'Create Collection')
      .getByRole('button', { name: /^Choose the/ })
      .first()
      .click()
    await dialog(second.page, 'Choose a folder').waitFor()
    await second.page.goBack()
    await waitForClosed(second.page, 'Choose a folder')
    expect(await dialog(second.page, 'Create Collection').getByLabel(baseTexts.name).inputValue()).toBe('Second')
    await second.page.goBack()
    await waitForClosed(second.page, 'Create Collection')
    expect(pathOf(second.page)).toBe('/admin/collections')
    expect([...errors, ...second.errors]).toEqual([])
    await second.page.context().close()
  })

  test('Back does not close a dialog that is saving, nor leave its screen', async () => {
    const { page } = await open('/admin/collections')
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/users/update*', async route => {
      await held.promise
      await route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"?","code":"unexpected"}' })
    })
    await choose(page, 'Edit Profile')
    await dialog(page, 'Edit Profile').getByLabel(accountTexts.existingPassword).fill('secret')
    await button(page, 'Update').click()
    for (let times = 0; times < 2; times++) {
      await page.goBack()
      // Waits until the page has restored its step: an earlier second Back would leave the page.
      await waitUntil(async () => (Number(await page.evaluate('history.state.position.layers')) === 1 ? true : null))
    }
    await dialog(page, 'Edit Profile').waitFor()
    expect(pathOf(page)).toBe('/admin/collections')
    held.resolve()
    await page.getByText(baseTexts.failedToUpdateYourProfile).first().waitFor()
    await page.context().close()
  })

  test('Back cancels the login of a protected screen, and does not return to it', async () => {
    const { page } = await openPage(`${server.address}/on-this-day`)
    for (const cancel of ['Back', 'Cancel']) {
      await page.goto(`${server.address}/admin/collections`)
      await dialog(page, 'Login').waitFor()
      if (cancel === 'Back') await page.goBack()
      else await button(page, 'Cancel').click()
      await waitForClosed(page, 'Login')
      await waitForPath(page, '/')
      await waitForHistory(page)
      await page.goBack()
      await waitForPath(page, '/on-this-day')
    }
    await page.context().close()
  })

  longTest('Back closes a picture before the popup under it', async () => {
    const { page, errors } = await open('/world-map')
    await page.locator('.map-item').first().click()
    const popup = page.getByRole('region', { name: mapTexts.itemsHere })
    await popup.waitFor()
    await popup.getByRole('link').click()
    await page.locator('.viewer').waitFor()
    await page.goBack()
    await waitForPath(page, '/world-map')
    await page.locator('.viewer').waitFor({ state: 'detached' })
    // The popup is still open, and is closed next.
    await popup.waitFor()
    await waitUntil(async () => (Number(await page.evaluate('history.state.position.layers')) === 1 ? true : null))
    await page.goBack()
    await popup.waitFor({ state: 'detached' })
    expect(pathOf(page)).toBe('/world-map')
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('a reload closes an open dialog and removes its history step', async () => {
    const { page, errors } = await open()
    await page.goto(`${server.address}/on-this-day`)
    await choose(page, 'Edit Profile')
    await dialog(page, 'Edit Profile').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await waitUntil(async () => (Number(await page.evaluate('history.state.position.layers')) === 0 ? true : null))
    expect(pathOf(page)).toBe('/on-this-day')
    await page.goBack()
    await waitForPath(page, '/')
    expect(errors).toEqual([])
    await page.context().close()
  })
})
