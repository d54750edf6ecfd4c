import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWalks, keep, openPage, signInPage } from '../support/browser.ts'
import { picture, takenAt } from '../support/scanning.ts'
import { type Serving, serve, signIn, until } from '../support/serving.ts'
import { temporaryDirectory } from '../support/temporary.ts'

describeWalks('item metadata', () => {
  let server: Serving
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 2; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    }
    server = await serve(join(directory, 'data'), [root])
    await signIn(server)
  })
  afterAll(() => server.stop())

  test('is changed one picture after the other, and the gallery shows it', async () => {
    const { page, faults } = await openPage(server.address)
    await signInPage(page)
    await page.getByRole('button', { name: 'All, 2 items' }).waitFor()
    const cards = page.getByRole('list', { name: 'Items' }).getByRole('link')
    await cards.first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Edit Metadata' }).click()
    await page.getByRole('heading', { name: '2.jpg' }).waitFor()

    // A date that does not exist is refused where it stands.
    await page.getByLabel('Date taken').fill('2019-02-30')
    await page.getByText('The date does not exist').waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Date taken').fill('2018-07-01 10:00:00')
    await page.getByLabel('Description').fill('By the river')
    await page.getByLabel('Keywords', { exact: true }).fill('sea, sun,')
    await page.getByLabel('Category', { exact: true }).fill('Family')
    await page.keyboard.press('Enter')
    await page.getByText('4 changes').waitFor()
    await keep(page, 'item-metadata')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await until(async () => ((await page.getByText('4 changes').count()) === 0 ? true : null))

    // Its place is set by a click on the map.
    await page.getByRole('tab', { name: 'Location' }).click()
    await page.getByRole('group', { name: /^Map: click/ }).click({ position: { x: 100, y: 200 } })
    await page.getByLabel('Place name').fill('Somewhere')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await until(async () => ((await page.getByText('1 change').count()) === 0 ? true : null))
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Family').first().waitFor()
    await page.reload()
    await page.getByText('Family').first().waitFor()
    expect(faults).toEqual([])

    // Whoever logs out is not asked to log in.
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByText('Sign in to see the pictures').waitFor()
    expect(await page.getByRole('dialog').allTextContents()).toEqual([])
    await page.context().close()
  })
})
