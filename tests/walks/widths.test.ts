import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { describeWalks, openPage, saveScreenshot } from '../support/browser.ts'
import { layoutFaults } from '../support/layout-faults.ts'
import { isLong } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Every table of the administration: its address, and its name for screen readers. */
const tables = [
  ['/admin/collections', 'Collections'],
  ['/admin/transfer', 'Items'],
  ['/admin/tagging', 'Items'],
  ['/admin/tagging/options', 'Keywords'],
  ['/admin/jobs', 'Jobs'],
  ['/admin/jobs?tab=problems', 'Problems'],
  ['/admin/jobs?tab=history', 'History'],
  ['/admin/manage', 'Recycle Bin'],
  ['/admin/manage?tab=missing-items', 'Missing Items'],
  ['/admin/manage?tab=people', 'People'],
  ['/admin/manage?tab=plugins', 'Plugins'],
  ['/admin/manage?tab=log', 'Log'],
  ['/admin/users', 'Users'],
] as const

/** The narrowest window of each frame. `npm run test:long` adds three more sizes. */
const sizes = [
  { width: 640, height: 900 },
  { width: 960, height: 800 },
  { width: 390, height: 844 },
  ...(isLong
    ? [
        { width: 844, height: 390 },
        { width: 768, height: 1024 },
        { width: 1024, height: 768 },
      ]
    : []),
]

/** A script that returns the width of the name in the first row of a table or list of cards, or null without a row. */
const nameWidthScript = (caption: string) => `(() => {
  const named = [...document.querySelectorAll('table')].find(one => one.caption?.textContent === '${caption}')
  const row = named?.querySelector('tbody tr[data-row], tbody tr[aria-selected]')
  if (row != null) {
    const heads = [...named.querySelectorAll('thead th')].map(one => one.textContent.trim())
    const at = heads.findIndex(head => ['Name', 'Keyword', 'Job', 'File', 'Change', 'User', 'What'].includes(head))
    return row.children[at]?.getBoundingClientRect().width ?? 0
  }
  const card = document.querySelector(\`ul[aria-label="${caption}"] > li:not(.heading-row, [aria-hidden])\`)
  const name = card?.querySelector('.data-card-title, .grow')
  return name == null ? null : name.getBoundingClientRect().width
})()`

/** A script that returns the texts of actions and results that are cut off. */
const cutOffScript = `[...document.querySelectorAll('main td *, main .data-cards *')]
  .filter(one => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === 'hidden')
  .map(one => one.textContent)
  .filter(text => /\\d (item|new|missing)|Nothing changed/.test(text))`

describeWalks('widths', () => {
  let server: RunningServer
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const [data, root] = [join(directory, 'data'), join(directory, 'Family pictures of many years')]
    mkdirSync(root)
    for (let n = 1; n <= 4; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-0${n} 12:00:00`) }))
    }
    writeFileSync(join(root, 'broken.jpg'), Buffer.from('ffd8ffe000104a46494600', 'hex'))
    const plugin = join(data, 'plugins', 'calm')
    mkdirSync(plugin, { recursive: true })
    writeFileSync(join(plugin, 'plugin.json'), JSON.stringify({ name: 'Calm', version: '1' }))
    server = await startServer(data, [root])
    const token = await registerAndSignIn(server)
    const requestJson = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return JSON.parse((await response.text()) || 'null')
    }
    await waitUntil(async () => {
      const { items } = await requestJson('GET', '/v1/item/list/0')
      return items.length === 5 ? true : null
    })
    const { items }: { items: { id: number }[] } = await requestJson('GET', '/v1/item/list/0')
    const [first, second] = items.map(({ id }) => id)
    await requestJson('PUT', '/v1/item/tags', {
      items: [first, second],
      changes: [{ tagName: 'Keywords', mode: 'add', data: ['Sea'] }],
    })
    const { id: person } = await requestJson('POST', '/v1/person', { names: ['Mia Ferrer'] })
    const box = { x: 200, y: 90, width: 150, height: 180 }
    await requestJson('POST', `/v1/item/${first}/tag/People/object`, { data: { person, ...box } })
    await requestJson('POST', '/v1/collection/1/scan')
    await requestJson('DELETE', `/v1/item/${second}`)
  })
  afterAll(() => server.stop())

  const enter = (size: (typeof sizes)[number]) => openPage(server.address, { viewport: size, user: 'ines' })

  /** The errors of the page's table at a size. */
  async function faultsAt(page: Page, caption: string, width: number): Promise<string[]> {
    const errors: string[] = []
    const name = caption === 'Missing Items' ? null : await page.evaluate<number | null>(nameWidthScript(caption))
    if (name === null && caption !== 'Missing Items') errors.push('no row')
    if (name !== null && name < (width < 600 ? 150 : 200)) errors.push(`the name is ${name} wide`)
    errors.push(...(await layoutFaults(page)))
    const cut = await page.evaluate<string[]>(cutOffScript)
    return [...errors, ...cut.map(text => `cut off: ${text}`)]
  }

  test('names in tables stay wide enough, and nothing scrolls sideways', async () => {
    const { page, errors } = await enter({ width: 640, height: 900 })
    for (const [path, caption] of tables) {
      await page.goto(server.address + path)
      if (caption === 'Missing Items') await page.getByText(managementTexts.noMissingItems).waitFor()
      for (const size of sizes) {
        const { width, height } = size
        await page.setViewportSize(size)
        const frame = width < 600 || height < 500 ? 'bottom-bar' : width < 960 ? 'rail' : 'sidebar'
        await page.locator(`.${frame}`).waitFor()
        for (const other of ['bottom-bar', 'rail', 'sidebar'])
          if (other !== frame) await page.locator(`.${other}`).waitFor({ state: 'detached' })
        // The columns follow the new width within a few frames.
        let found = await faultsAt(page, caption, width)
        for (let tries = 0; found.length > 0 && tries < 60; tries++) {
          await Bun.sleep(50)
          found = await faultsAt(page, caption, width)
        }
        expect({ caption, width, found }).toEqual({ caption, width, found: [] })
      }
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('the rail links to the screens that every user has, and the filter opens in a sheet from the side', async () => {
    const { page, errors } = await enter({ width: 768, height: 1024 })
    const rail = page.getByRole('navigation', { name: shellTexts.mainMenu })
    expect(await page.evaluate("[...document.querySelectorAll('.rail a')].map(one => one.ariaLabel)")).toEqual([
      'Home',
      'Albums',
      'People',
      'Places',
      'On this day',
      'World Map',
    ])
    await saveScreenshot(page, 'rail')
    await rail.getByRole('button', { name: baseTexts.filter }).click()
    const filter = page.getByRole('dialog', { name: baseTexts.filter })
    await filter.getByRole('button', { name: /^Family pictures of many years/ }).click()
    await saveScreenshot(page, 'rail-filter')
    await filter.getByRole('button', { name: baseTexts.close }).click()
    await rail.getByRole('button', { name: shellTexts.filterOn }).waitFor()
    await rail.getByRole('button', { name: baseTexts.admin }).click()
    await page.getByRole('dialog', { name: baseTexts.admin }).getByRole('link', { name: baseTexts.collections }).click()
    await page.getByRole('heading', { name: baseTexts.collections }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)

    // The menu of a row has the facts and actions for which the row has no room.
    await page.getByRole('button', { name: 'More for Family pictures of many years' }).click()
    const menu = page.getByRole('menu', { name: 'Family pictures of many years' })
    expect(await menu.locator('.menu-facts > div > :first-child').allTextContents()).toEqual(['Path', 'Last scan'])
    await menu.getByRole('menuitem', { name: collectionsTexts.access }).waitFor()
    await saveScreenshot(page, 'row-menu')
    await menu.getByRole('menuitem', { name: adminTexts.edit }).click()
    await page.getByRole('dialog').getByLabel(baseTexts.name).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
