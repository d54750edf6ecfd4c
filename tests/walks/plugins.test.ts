import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { z } from 'zod'
import { plugin } from '../../schema/api/plugins.ts'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const sample = join(import.meta.dir, '../../plugins/sample-statistics')

/** A plugin that adds screens, menu entries, options and actions, and marks the page when it is switched off. */
const toolsPlugin = `
export function register(host) {
  const h = host.React.createElement
  function Names() {
    host.useSignals()
    return h('p', null, (host.stores.user.value?.username ?? 'nobody') + ' looks')
  }
  host.routes.add({ path: '', title: 'Tools', component: () => h('div', null, h('h1', null, 'Toolbox'), h(Names),
    h('button', { type: 'button', onClick: () => host.go('second') }, 'On')) })
  host.routes.add({ path: 'second', title: 'Second', component: () => h('h1', null, 'The second one') })
  host.menu.add({ label: 'Tools', path: '' })
  host.menu.add({ label: 'Tools of the chief', path: 'second', who: 'globalAdmin' })
  host.options.add({ component: () => h('label', null, h('input', { type: 'checkbox' }), 'Sharper') })
  host.items.add({ label: 'Count these', act: items => host.say(items.length + ' counted') })
  host.items.add({ label: 'Pairs only', act: () => {}, offered: items => items.length === 2 })
  host.items.add({ label: 'Trip', act: async () => { throw new Error('it tripped') } })
  host.onEnd(() => { document.body.dataset.ended = 'yes' })
}`

const brokenPlugins = {
  unreadable: 'export function register(host) { this is no script',
  empty: 'export const nothing = 1',
  wrong: `export function register(host) { host.menu.add({ label: 'Never seen', path: '' }); host.routes.add({ path: '../x' }) }`,
  drawing: `export function register(host) {
    host.routes.add({ path: '', title: 'Drawing', component: () => { throw new Error('it broke while drawing') } })
    host.menu.add({ label: 'Drawing', path: '' })
    host.options.add({ component: () => { throw new Error('this too') } })
  }`,
}

const menu = (page: Page) => page.getByRole('navigation', { name: shellTexts.mainMenu })
const entry = (page: Page, name: string) => menu(page).getByRole('link', { name, exact: true })
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

describeWalks('plugins', () => {
  let server: RunningServer
  let token = ''
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const [data, root] = [join(directory, 'data'), join(directory, 'pictures')]
    mkdirSync(root)
    for (let n = 1; n <= 3; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif: takenAt(`201${n}-08-01 12:00:00`) }))
    }
    cpSync(sample, join(data, 'plugins', 'statistics'), { recursive: true })
    for (const [name, text] of Object.entries({ tools: toolsPlugin, ...brokenPlugins })) {
      const folder = join(data, 'plugins', name)
      mkdirSync(folder)
      const elements = [{ name: 'page', files: ['page.js'] }]
      writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ name: `The ${name}`, version: '1', elements }))
      writeFileSync(join(folder, 'page.js'), text)
    }
    server = await startServer(data, [root])
    token = await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  async function requestJson(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return response.json()
  }

  async function toggle(module: string, active: boolean): Promise<number> {
    const found = z
      .array(plugin)
      .parse(await requestJson('GET', '/v1/plugin/list'))
      .find(one => one.module === module)
    await requestJson('POST', `/v1/plugin/${found?.id}/toggle`, { active })
    return found?.id ?? 0
  }

  async function openSignedIn() {
    const opened = await openPage(server.address, { user: 'ines' })
    await opened.page.getByRole('button', { name: 'All, 3 items' }).waitFor()
    return opened
  }

  test('are switched on and off in every open page, and follow their options', async () => {
    const chief = await openSignedIn()
    const visitor = await openPage(server.address)
    const { page } = chief
    expect(await entry(page, 'Statistics').count()).toBe(0)
    const id = await toggle('statistics', true)
    for (const one of [page, visitor.page]) await entry(one, 'Statistics').waitFor()

    await entry(page, 'Statistics').click()
    await page.getByRole('heading', { name: 'Statistics' }).waitFor()
    await page.getByRole('meter', { name: '2013: 1' }).waitFor()
    expect(page.url()).toEndWith(`/plugin/${id}`)
    expect(await page.title()).toStartWith('Statistics')
    expect(await page.locator('link[href*="screen.css"]').count()).toBe(1)
    await page.getByRole('button', { name: 'Count cameras' }).click()
    await page.getByRole('meter', { name: 'Test: 3' }).waitFor()
    await saveScreenshot(page, 'plugin')

    await requestJson('PUT', `/v1/plugin/${id}/options`, { options: { title: 'Figures' } })
    await page.getByRole('heading', { name: 'Figures' }).waitFor()

    // When a plugin is switched off, its open screen is replaced by a message.
    await toggle('statistics', false)
    await page.getByText(shellTexts.thisScreenDoesNotExist).waitFor()
    for (const one of [page, visitor.page]) await entry(one, 'Statistics').waitFor({ state: 'detached' })
    expect(await page.locator('link[href*="screen.css"]').count()).toBe(0)
    await page.getByRole('button', { name: shellTexts.goToThePictures }).click()
    await page.getByRole('list', { name: baseTexts.items }).waitFor()
    for (const { page: one, errors } of [chief, visitor]) {
      expect(errors).toEqual([])
      await one.context().close()
    }
  })

  test('add screens, entries, options and actions, and remove all of them again', async () => {
    const { page, errors } = await openSignedIn()
    await toggle('tools', true)
    await entry(page, 'Tools').click()
    await page.getByText('ines looks').waitFor()
    await page.getByRole('button', { name: managementTexts.on, exact: true }).click()
    await page.getByRole('heading', { name: 'The second one' }).waitFor()
    await entry(page, 'Tools of the chief').waitFor()
    await entry(page, 'Home').click()

    const card = page.getByRole('list', { name: baseTexts.items }).getByRole('link').first()
    await card.click({ button: 'right' })
    expect(await page.getByRole('menuitem', { name: 'Pairs only' }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Count these' }).click()
    await page.getByText('1 counted').waitFor()
    await card.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Trip' }).click()
    await alert(page, 'The plugin The tools failed').getByText('it tripped').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    const bar = page.getByRole('toolbar', { name: selectionTexts.selection })
    await bar.getByRole('button', { name: selectionTexts.moreActions }).click()
    await page.getByRole('menuitem', { name: 'Count these' }).click()
    await page.getByText('3 counted').waitFor()
    await page.getByRole('button', { name: baseTexts.options }).first().click()
    await page.getByRole('checkbox', { name: 'Sharper' }).check()
    await saveScreenshot(page, 'plugin-slots')

    await toggle('tools', false)
    await page.getByRole('checkbox', { name: 'Sharper' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await entry(page, 'Tools').waitFor({ state: 'detached' })
    await bar.getByRole('button', { name: selectionTexts.moreActions }).click()
    await page.getByRole('menuitem', { name: baseTexts.rotateLeft }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Count these' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.locator('body').getAttribute('data-ended')).toBe('yes')

    // Switched on a second time, the plugin appears once: nothing is left of the first time.
    await toggle('tools', true)
    await entry(page, 'Tools').waitFor()
    expect(await entry(page, 'Tools').count()).toBe(1)
    await toggle('tools', false)
    await entry(page, 'Tools').waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('that are broken are reported, and the page continues', async () => {
    const { page } = await openSignedIn()
    for (const name of ['unreadable', 'empty', 'wrong']) {
      await toggle(name, true)
      await alert(page, `The plugin The ${name} failed`).waitFor()
    }
    await page.getByText('page.js exports no register(host).').waitFor()
    // Parts that a plugin added before it failed are removed too.
    expect(await entry(page, 'Never seen').count()).toBe(0)

    await toggle('drawing', true)
    await entry(page, 'Drawing').click()
    await page.getByText('The drawing does not work').waitFor()
    await alert(page, 'The plugin The drawing failed').waitFor()
    await saveScreenshot(page, 'plugin-broken')
    await page.getByRole('button', { name: baseTexts.options }).first().click()
    await page.getByText('The options of The drawing can’t be shown.').waitFor()
    // The radio button is pressed with a key, because the layout may still move under the pointer.
    await page.getByRole('radio', { name: shellTexts.light }).press(' ')
    await page.getByRole('radio', { name: shellTexts.light, checked: true }).waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await entry(page, 'Home').click()
    await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().click()
    await page.getByText('1 of 3').waitFor()
    await page.context().close()
    for (const name of Object.keys(brokenPlugins)) await toggle(name, false)
  })

  test('are in the menu of a phone, except for entries that the user may not see', async () => {
    await toggle('tools', true)
    const { page, errors } = await openPage(server.address, { viewport: phone })
    await page.getByRole('button', { name: baseTexts.more }).first().click()
    const tool = page.getByRole('menuitem', { name: 'Tools', exact: true })
    await tool.waitFor()
    expect(await page.getByRole('menuitem', { name: 'Tools of the chief' }).count()).toBe(0)
    await tool.click()
    await page.getByText('nobody looks').waitFor()
    // The address of the plugin's screen works too.
    await page.reload()
    await waitUntil(async () => ((await page.getByText('nobody looks').count()) === 1 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
    await toggle('tools', false)
  })
})
