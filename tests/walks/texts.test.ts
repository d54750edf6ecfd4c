import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { describeWalks } from '../support/browser.ts'
import type { Scene } from '../support/scenes.ts'
import { until } from '../support/serving.ts'
import { openShowroom, type Showroom } from '../support/showroom.ts'
import { stage } from '../support/stage.ts'

const broken = { status: 500, json: { error: '?', code: 'unexpected' } }

interface Failure {
  text: string | ((showroom: Showroom) => string)
  calls: RegExp
  method?: string
  room?: Scene['room']
  path?: Scene['path']
  act?: (page: Page) => Promise<unknown>
}

const suggest = async (page: Page) => {
  await page.getByRole('combobox', { name: 'Search for keywords' }).click()
  await page.keyboard.type('sea')
}

async function cardMenu(page: Page, group: string, entry: string): Promise<void> {
  await page.getByRole('list', { name: 'Items' }).getByRole('link').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: group }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

const failures: readonly Failure[] = [
  { text: 'Failed to load items', calls: /\/v1\/item\/list\// },
  { text: 'Unable to load collection', calls: /\/v1\/collection$/ },
  { text: 'Failed to load On This Day', calls: /\/v1\/item\/onthisday\//, path: '/on-this-day' },
  { text: 'Failed to load geojson features', calls: /\/v1\/geojson\//, path: '/world-map' },
  { text: 'Failed to load keystrings', calls: /\/v1\/keystrings/, act: suggest },
  { text: 'Failed to load person data', calls: /\/v1\/person/, act: suggest },
  { text: 'Failed to load objects', calls: /\/v1\/object/, act: suggest },
  {
    text: ({ ids }) => `Failed to load Item: ${ids.located}`,
    calls: /\/v1\/item\/\d+$/,
    path: ({ ids }) => `/item/${ids.located}`,
  },
  {
    text: 'Failed to rotate image',
    calls: /\/tools\/rotate/,
    path: ({ ids }) => `/item/${ids.located}`,
    act: async page => {
      await page.locator('.viewer img.in').first().waitFor()
      await page.keyboard.press('r')
    },
  },
  {
    text: 'Failed to create share',
    calls: /\/v1\/item\/\d+\/share$/,
    act: page => cardMenu(page, 'Share', '24 Hours'),
  },
  {
    text: 'Failed to download image',
    calls: /pThumbnail=tiny/,
    act: page => cardMenu(page, 'Copy to clipboard', 'Tiny'),
  },
  {
    text: 'Failed to scan collection',
    calls: /\/v1\/collection\/scan\//,
    room: 'empty',
    act: page => page.getByRole('button', { name: 'Scan again' }).click(),
  },
  {
    text: 'Failed to save collection',
    calls: /\/v1\/collection$/,
    method: 'POST',
    path: '/admin/collections?create=true',
    act: async page => {
      await page.getByLabel('Path', { exact: true }).fill('/srv/more')
      await page.getByLabel('Name', { exact: true }).fill('More')
      await page.getByRole('button', { name: 'Save' }).click()
    },
  },
]

describeWalks('texts', () => {
  let showroom: Showroom
  beforeAll(async () => {
    showroom = await openShowroom()
  }, 300_000)
  afterAll(() => showroom.stop())

  const open = async (scene: Omit<Scene, 'name'>) =>
    (await stage(showroom, { name: '', ...scene }, { device: 'laptop', theme: 'dark' })).page
  /** With a clock that can be put forward. */
  const timed = (scene: Omit<Scene, 'name'>) => open({ ...scene, before: page => page.clock.install() })
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
  const menu = async (page: Page, entry: string) => {
    await page.getByRole('button', { name: 'More' }).first().click()
    await page.getByRole('menuitem', { name: entry }).click()
  }

  for (const { text, calls, method, room, path, act } of failures) {
    test(`'${typeof text === 'string' ? text : 'Failed to load Item: {id}'}' is said where it failed`, async () => {
      const page = await open({
        ...(room === undefined ? {} : { room }),
        ...(path === undefined ? {} : { path }),
        before: async page => {
          await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
          await page.route(calls, route =>
            method === undefined || route.request().method() === method ? route.fulfill(broken) : route.fallback(),
          )
        },
      })
      await act?.(page)
      const words = typeof text === 'string' ? text : text(showroom)
      await page.getByText(`Unknown server error: ${words}`).first().waitFor()
      await page.context().close()
    })
  }

  test('a visitor opens what is protected: login, and cancelling goes Home', async () => {
    const page = await open({ visitor: true, path: '/t/some-token' })
    await dialog(page, 'Login').getByRole('button', { name: 'Cancel' }).click()
    await until(async () => (new URL(page.url()).pathname === '/' ? true : null))
    await page.context().close()
  })

  test('a session that is over is cleared, and the login opens; one that cannot be renewed says so', async () => {
    const now = Math.floor(Date.now() / 1000)
    const user = { id: 1, username: 'ines', name: 'Inés', email: 'a@b' }
    const stored = (claims: object) =>
      JSON.stringify({ token: `e30.${btoa(JSON.stringify(claims))}.x`, user: { ...user, globaladmin: false } })
    for (const [claims, says] of [
      [{ sub: 1, exp: now - 10, iat: now - 1000, globaladmin: false }, null],
      [{ sub: 1, exp: now + 9000, iat: now - 2 * 86_400, globaladmin: false }, 'Failed to renew session'],
    ] as const) {
      const page = await open({
        visitor: true,
        before: async page => {
          const session = JSON.stringify(stored(claims))
          await page.addInitScript(
            `location.protocol !== 'about:' && !sessionStorage.seen && localStorage.setItem('keepsake.session', ${session})
             if (location.protocol !== 'about:') sessionStorage.seen = '1'`,
          )
          await page.route(/\/v1\/users\/renew/, route => route.fulfill(broken))
        },
      })
      if (says === null) await dialog(page, 'Login').waitFor()
      else await page.getByText(says).first().waitFor()
      expect(await page.evaluate("localStorage.getItem('keepsake.session')")).toBeNull()
      await page.context().close()
    }
  })

  async function fillRegistration(page: Page, username: string) {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Name', { exact: true }).fill('Mia')
    await page.getByLabel('E-mail').fill('mia@example.org')
    await page.getByLabel('Password').fill('secret')
    await page.getByLabel('Unlock Pin').fill('1234')
    await page.getByRole('button', { name: 'Create account' }).click()
  }

  test('a registration that fails says why for three seconds; one that works opens the login after nine', async () => {
    const page = await timed({ visitor: true })
    await menu(page, 'Register')
    await fillRegistration(page, 'ines')
    await page.getByText('That username is not available.').waitFor()
    await page.route(/\/v1\/users\/register/, route => route.fulfill(broken))
    await fillRegistration(page, 'mia')
    const failed = page.getByText('User Registration Failed')
    await failed.waitFor()
    await page.clock.fastForward(3000)
    await failed.waitFor({ state: 'detached' })
    await page.unroute(/\/v1\/users\/register/)
    await page.route(/\/v1\/users\/register/, route => route.abort())
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Registration failed. Please try again.').waitFor()
    await page.unroute(/\/v1\/users\/register/)
    await fillRegistration(page, 'mia')
    await page.getByText('Registration successful!').waitFor()
    await page.clock.fastForward(9000)
    await dialog(page, 'Login').waitFor()
    await page.context().close()
  })

  test('the profile: wrong password, two that differ, what else may fail, and the end after three seconds', async () => {
    const page = await timed({})
    await menu(page, 'Edit Profile')
    const form = dialog(page, 'Edit Profile')
    const update = form.getByRole('button', { name: 'Update' })
    await form.getByLabel('New password').fill('secret2')
    await form.getByLabel('Confirm password').fill('secret3')
    await form.getByText('Password does not match').waitFor()
    await update.click()
    const differ = form.getByText('New password and confirmation do not match.')
    await differ.waitFor()
    await page.clock.fastForward(3000)
    await differ.waitFor({ state: 'detached' })
    await form.getByLabel('Existing password').fill('wrong')
    await form.getByLabel('Confirm password').fill('secret2')
    await update.click()
    await form.getByText('Incorrect password').waitFor()
    for (const name of ['Existing password', 'New password', 'Confirm password']) await form.getByLabel(name).fill('')
    await page.route(/\/v1\/users\/update/, route => route.fulfill(broken))
    await update.click()
    await form.getByText('Failed to update your profile').waitFor()
    await page.unroute(/\/v1\/users\/update/)
    await page.route(/\/v1\/users\/update/, route => route.abort())
    await update.click()
    await form.getByText('Update failed. Please try again.').waitFor()
    await page.unroute(/\/v1\/users\/update/)
    await update.click()
    await form.getByText('Your profile is updated').waitFor()
    await page.clock.fastForward(3000)
    await form.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a client toast goes after five seconds or by Close, an error never by itself', async () => {
    const page = await timed({ visitor: true, path: '/share/nothing' })
    const toast = page.getByText('Shared link is not active')
    await toast.waitFor()
    await page.getByRole('button', { name: 'Close' }).waitFor()
    await page.clock.fastForward(5000)
    await toast.waitFor({ state: 'detached' })
    await page.route(/\/v1\/item\/onthisday\//, route => route.fulfill(broken))
    await page.getByRole('link', { name: 'On this day' }).click()
    const error = page.getByText('Unknown server error: Failed to load On This Day')
    await error.waitFor()
    await page.clock.fastForward(60_000)
    expect(await error.count()).toBe(1)
    await page.getByRole('button', { name: 'Close' }).click()
    await error.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('settings that make no sense, an item that is not there, an address that is none', async () => {
    const unread = await open({
      before: async page => {
        await page.route(/\/config\/runtime.json/, route => route.fulfill({ json: { api: 1 } }))
      },
    })
    await unread.getByText('Invalid config data format').waitFor()
    await unread.context().close()
    const gone = await open({ path: '/item/99999999' })
    await gone.getByText('Image not found').waitFor()
    await gone.context().close()
    const elsewhere = await open({ path: '/no/such/place' })
    await elsewhere.getByRole('list', { name: 'Items' }).waitFor()
    await elsewhere.context().close()
  })

  test("without collections 'No Collections' leads to making one, and the address forgets that it asked", async () => {
    const page = await open({ room: 'bare' })
    await page.getByRole('heading', { name: 'No Collections' }).waitFor()
    await page.getByRole('button', { name: 'Choose a folder' }).click()
    await dialog(page, 'Create Collection').waitFor()
    await until(async () => (new URL(page.url()).search === '' ? true : null))
    expect(new URL(page.url()).pathname).toBe('/admin/collections')
    await page.context().close()
  })

  test('the token screen: what it shows, Cancel, and silence when it fails', async () => {
    const page = await open({ path: '/screen-saver/token/abcdefghijklmnopqrstuv' })
    await page.getByRole('heading', { name: 'Register Token' }).waitFor()
    const token = page.getByLabel('Token', { exact: true })
    expect([await token.inputValue(), await token.getAttribute('readonly')]).toEqual(['abcdefghijklmnopqrstuv', ''])
    const name = page.getByLabel('Name', { exact: true })
    expect(await name.getAttribute('placeholder')).toBe('Living-room TV')
    await page.route(/\/v1\/tokens$/, route =>
      route.request().method() === 'POST' ? route.fulfill(broken) : route.fallback(),
    )
    await name.fill('Kitchen')
    const answered = page.waitForResponse(/\/v1\/tokens$/)
    await page.getByRole('button', { name: 'Create' }).click()
    await answered
    await page.getByRole('button', { name: 'Create' }).and(page.locator(':enabled')).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/screen-saver/token/abcdefghijklmnopqrstuv')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await until(async () => (new URL(page.url()).pathname === '/' ? true : null))
    await page.context().close()
  })

  test('the sliders of screen savers and of the place, the page sizes, the build date', async () => {
    const page = await open({ path: '/?near=38.72,-9.14,20000,Lisbon' })
    const range = page.getByRole('slider', { name: 'Radius' })
    const of = (slider: typeof range) =>
      slider.evaluate('one => [one.min, one.max, one.value].join(" ")').then(text => String(text))
    expect(await of(range)).toBe('1 1000 20')
    expect(await range.getAttribute('step')).toBe('1')
    await page.getByText(/^Built /).waitFor()
    expect(await page.getByLabel('Items per page').locator('option').allTextContents()).toEqual([
      '10',
      '50',
      '100',
      '500',
    ])
    await page.goto(`${showroom.servers.full.address}/screen-saver`)
    const stays = page.getByRole('slider', { name: 'Each picture stays for' })
    expect(await of(stays)).toBe('5 60 15')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'New screen saver' }).click()
    expect(await of(stays)).toBe('5 60 5')
    await page.context().close()
  })
})
