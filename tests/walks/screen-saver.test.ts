import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { accountTexts } from '../../web/texts/account.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { saverTexts } from '../../web/texts/saver.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const waitForItems = (page: Page, count: number) => page.getByRole('button', { name: `All, ${count} items` }).waitFor()
const shownAddress = (page: Page) => page.locator('.saver-layer[data-front="true"] img').getAttribute('src')

describeWalks('screen savers', () => {
  let server: RunningServer
  let data = ''
  beforeAll(async () => {
    const directory = temporaryDirectory()
    data = join(directory, 'data')
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 6; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    }
    server = await startServer(data, [root])
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  test('one is created from the current filter, plays in full screen, and stops', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await waitForItems(page, 6)
    await page.getByRole('link', { name: baseTexts.screenSaver }).click()
    await page.getByLabel(saverTexts.eachPictureStaysFor).fill('5')
    await page.getByRole('button', { name: saverTexts.start }).click()
    await page.getByRole('dialog', { name: saverTexts.screenSaver }).waitFor()
    const first = await waitUntil(() => shownAddress(page))
    await page.keyboard.press('ArrowRight')
    await waitUntil(async () => ((await shownAddress(page)) !== first ? true : null))
    await page.mouse.move(300, 300)
    await page.getByRole('button', { name: baseTexts.stop }).click()
    await page.getByRole('dialog', { name: saverTexts.screenSaver }).waitFor({ state: 'detached' })
    // The screen saver is saved under its default name.
    await page.getByRole('tab', { name: baseTexts.settings }).click()
    await page.getByRole('button', { name: /^web/ }).waitFor()
    await page.getByRole('button', { name: baseTexts.delete }).click()
    await page.getByRole('dialog').getByRole('button', { name: baseTexts.delete }).click()
    await page.getByText(saverTexts.noScreenSaverSelected).waitFor()

    // A new screen saver uses the filter of Home.
    await page.goto(`${server.address}/?year=2019&month=8`)
    await page.getByRole('link', { name: baseTexts.screenSaver }).click()
    expect(new URL(page.url()).search).toBe('?year=2019&month=8')
    await page.getByRole('button', { name: saverTexts.start }).click()
    await page.getByRole('dialog', { name: saverTexts.screenSaver }).waitFor()
    // Back ends it and the full screen; a second Back leaves the screen.
    await page.goBack()
    await page.getByRole('dialog', { name: saverTexts.screenSaver }).waitFor({ state: 'detached' })
    await waitUntil(async () => ((await page.evaluate('document.fullscreenElement === null')) ? true : null))
    expect(new URL(page.url()).pathname).toBe('/screen-saver')
    await page.goBack()
    await page.getByRole('list', { name: baseTexts.items }).waitFor()
    await page.goForward()
    await page.locator('.hint').filter({ hasText: '1 Aug 2019 to 31 Aug 2019' }).waitFor()
    await page.getByRole('tab', { name: baseTexts.settings }).click()

    // In the settings, pictures may stay for fewer seconds than the Play tab allows.
    await page.getByRole('button', { name: saverTexts.newScreenSaver }).click()
    await page.getByRole('button', { name: baseTexts.create }).click()
    await page.getByText(baseTexts.nameIsRequired).waitFor()
    await page.getByRole('dialog').getByLabel(baseTexts.name).fill('Evenings')
    await page.getByRole('button', { name: baseTexts.create }).click()
    await page.getByRole('region', { name: 'Evenings' }).waitFor()
    await page.getByLabel(saverTexts.eachPictureStaysFor).fill('2')
    await page.getByRole('button', { name: baseTexts.save, exact: true }).click()
    await page.getByText(saverTexts.screenSaverSaved).waitFor()
    await saveScreenshot(page, 'screen-saver-settings')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a television pairs by its code, plays with its own token without repeats, and stops when it is removed', async () => {
    const television = await openPage(`${server.address}/screen-saver?showtokens=true`)
    await television.page.getByRole('img', { name: /QR code/ }).waitFor()
    const address = await television.page.locator('.select-all').textContent()
    await saveScreenshot(television.page, 'television-code')

    // A phone that is not signed in gets the login, and then registers the television.
    const onPhone = await openPage(`http://${address}`, { viewport: phone })
    await onPhone.page.getByRole('dialog', { name: baseTexts.login }).waitFor()
    await onPhone.page.getByLabel(baseTexts.username).fill('ines')
    await onPhone.page.getByLabel(accountTexts.password).fill('secret')
    await onPhone.page.keyboard.press('Enter')
    await onPhone.page.getByRole('dialog', { name: baseTexts.login }).waitFor({ state: 'detached' })
    await onPhone.page.getByRole('heading', { name: saverTexts.registerToken }).waitFor()
    await onPhone.page.getByLabel(baseTexts.name, { exact: true }).fill('Living-room TV')
    await saveScreenshot(onPhone.page, 'phone-token')
    await onPhone.page.getByRole('button', { name: baseTexts.create }).click()
    await onPhone.page.getByText(saverTexts.livingRoomTv).waitFor()
    expect(new URL(onPhone.page.url()).search).toBe('?showtokens=true')

    // The television shows that it is registered, and waits for its screen saver.
    await television.page.getByText('This screen is registered.').first().waitFor()
    await onPhone.page.getByLabel('What Living-room TV shows').selectOption({ label: 'Evenings' })
    await onPhone.page.getByRole('button', { name: saverTexts.saveDevice }).click()
    await onPhone.page.getByRole('button', { name: saverTexts.saveDevice }).waitFor({ state: 'detached' })
    await television.page.goto(`${server.address}/screen-saver`)
    const seen: (string | null)[] = [await waitUntil(() => shownAddress(television.page))]
    while (seen.length < 6) {
      await television.page.keyboard.press('ArrowRight')
      seen.push(
        await waitUntil(async () => {
          const now = await shownAddress(television.page)
          return now !== seen.at(-1) ? now : null
        }),
      )
    }
    expect(new Set(seen).size).toBe(6)
    expect(await television.page.evaluate("localStorage.getItem('keepsake.session')")).toBeNull()

    // While the server is stopped, loaded pictures stay. When it is back, the television continues by itself.
    const { host } = new URL(server.address)
    await server.stop()
    const last = await shownAddress(television.page)
    for (let press = 0; press < 8; press++) {
      await television.page.keyboard.press('ArrowRight')
      // A picture that cannot be loaded now is not shown as broken.
      expect(await television.page.getByLabel(saverTexts.brokenImage).count()).toBe(0)
    }
    server = await startServer(data, [], host)
    await waitUntil(async () => ((await shownAddress(television.page)) !== last ? true : null))

    // After the television was removed on the phone, it does not play any more, and shows a new code.
    await onPhone.page.reload()
    await onPhone.page.getByRole('button', { name: 'Remove Living-room TV' }).click()
    await onPhone.page.getByRole('dialog').getByRole('button', { name: baseTexts.remove }).click()
    await onPhone.page.getByText(saverTexts.noDevicesYet).waitFor()
    await television.page.reload()
    await television.page.getByRole('tab', { name: baseTexts.play }).waitFor()
    await television.page.getByRole('tab', { name: baseTexts.devices }).click()
    const next = await television.page.locator('.select-all').textContent()
    expect(next).not.toBe(address)
    await television.page.context().close()
    await onPhone.page.context().close()
  })

  test('a new password signs devices out only when the user chooses that', async () => {
    const value = 'fedcba9876543210fedcba9876543210'
    const token = await registerAndSignIn(server)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Kitchen', value })
    expect((await fetch(`${server.address}/v1/tokens`, { method: 'POST', headers, body })).status).toBe(201)
    const isDeviceSignedIn = async () =>
      (await fetch(`${server.address}/v1/screensaver`, { headers: { authorization: `Bearer ${value}` } })).status ===
      200

    const { page, errors } = await openPage(server.address, { user: 'ines' })
    const form = page.getByRole('dialog', { name: baseTexts.editProfile })
    const signOutDevices = form.getByLabel(accountTexts.alsoSignOutDevices)
    for (const checked of [false, true]) {
      await page.getByRole('button', { name: baseTexts.more, exact: true }).click()
      await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
      await form.getByLabel(accountTexts.existingPassword).fill('secret')
      expect(await signOutDevices.count()).toBe(0)
      await form.getByLabel(baseTexts.newPassword).fill('secret')
      await form.getByLabel(accountTexts.confirmPassword).fill('secret')
      if (checked) await signOutDevices.check()
      else expect(await signOutDevices.isChecked()).toBe(false)
      await form.getByRole('button', { name: baseTexts.update }).click()
      await form.getByText(accountTexts.yourProfileIsUpdated).waitFor()
      expect(await isDeviceSignedIn()).toBe(!checked)
      await form.getByRole('button', { name: baseTexts.close }).last().click()
      await form.waitFor({ state: 'detached' })
    }
    expect(errors).toEqual([])
    await page.context().close()
  })
})
