import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright'
import { accountTexts } from '../../web/texts/account.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { galleryTexts } from '../../web/texts/gallery.ts'
import { saverTexts } from '../../web/texts/saver.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { describeWalks, type OpenedPage } from '../support/browser.ts'
import { createPage } from '../support/open-scene.ts'
import type { Scene } from '../support/scene.ts'
import { type SceneLibrary, type SceneServers, startSceneServers } from '../support/scene-servers.ts'
import { waitUntil } from '../support/server-process.ts'

const serverError = { status: 500, json: { error: '?', code: 'unexpected' } }

interface Failure {
  text: string | ((sceneServers: SceneServers) => string)
  calls: RegExp
  path?: Scene['path']
  act?: (page: Page) => Promise<unknown>
}

const suggest = async (page: Page) => {
  await page.getByRole('combobox', { name: 'Search for keywords' }).click()
  await page.keyboard.type('sea')
}

async function chooseFromCard(page: Page, group: string, entry: string): Promise<void> {
  // The second card: the file of the newest item cannot be read, so its picture cannot be copied.
  await page.getByRole('list', { name: baseTexts.items }).getByRole('link').nth(1).click({ button: 'right' })
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
    act: page => chooseFromCard(page, 'Share', '24 Hours'),
  },
  {
    text: 'Failed to download image',
    calls: /pThumbnail=tiny/,
    act: page => chooseFromCard(page, 'Copy to clipboard', 'Tiny'),
  },
]

describeWalks('texts', () => {
  let sceneServers: SceneServers
  /** One page, signed in as Inés, for the tests that need no clock, visitor or library of their own. */
  let page: Page
  let errors: string[] = []
  beforeAll(async () => {
    sceneServers = await startSceneServers()
    ;({ page, errors } = await open({}))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  }, 300_000)
  afterAll(async () => {
    await page.context().close()
    await sceneServers.stop()
  })

  const open = (who: Pick<Scene, 'library' | 'isVisitor'>): Promise<OpenedPage> =>
    createPage(sceneServers, who, { device: 'laptop', theme: 'dark' })
  /** A page with a clock that the test moves. */
  async function openPageWithClock(who: Pick<Scene, 'isVisitor'>): Promise<Page> {
    const { page } = await open(who)
    await page.clock.install()
    return page
  }
  const addressOf = (path: string, library: SceneLibrary = 'full') => sceneServers.servers[library].address + path
  const cards = (page: Page) => page.getByRole('list', { name: baseTexts.items }).getByRole('link')
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
  const chooseFromMenu = async (page: Page, entry: string) => {
    await page.getByRole('button', { name: baseTexts.more }).first().click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  /** Minimum, maximum and value of a slider. */
  const rangeOf = async (slider: Locator) =>
    [await slider.getAttribute('min'), await slider.getAttribute('max'), await slider.inputValue()].join(' ')
  const waitForHome = (page: Page) => waitUntil(async () => (new URL(page.url()).pathname === '/' ? true : null))

  for (const { text, calls, path = '/', act } of failures) {
    test(`shows '${typeof text === 'string' ? text : 'Failed to load Item: {id}'}' after a server error`, async () => {
      await page.route(calls, route => route.fulfill(serverError))
      await page.goto(addressOf(typeof path === 'string' ? path : path(sceneServers)))
      await act?.(page)
      const words = typeof text === 'string' ? text : text(sceneServers)
      await page.getByText(`Unknown server error: ${words}`).first().waitFor()
      await page.unroute(calls)
    })
  }

  test('the logo goes Home, and menus have the entries of a signed-in user and the times of a share', async () => {
    await page.goto(addressOf('/world-map'))
    await page.getByRole('link', { name: 'Keepsake, home' }).click()
    await waitForHome(page)
    await page.getByRole('button', { name: baseTexts.more }).first().click()
    const entries = await page.getByRole('menu').getByRole('menuitem').allTextContents()
    for (const entry of ['Edit Profile', 'Logout', 'Options', 'Download Current', 'Select Current']) {
      expect(entries).toContain(entry)
    }
    for (const entry of ['Register', 'Login']) expect(entries).not.toContain(entry)
    await page.keyboard.press('Escape')
    await cards(page).nth(1).click({ button: 'right' })
    await page.getByRole('menuitem', { name: selectionTexts.share }).click()
    const hours = page.getByRole('menu', { name: selectionTexts.share })
    expect(await hours.getByRole('menuitem').allTextContents()).toEqual(['24 Hours', '48 Hours', 'A week'])
    const main = page.getByRole('navigation', { name: shellTexts.mainMenu })
    // Between and after these are entries that are not specified, and those of plugins.
    const specified = ['Home', 'On this day', 'World Map', 'Screen Saver']
    const links = await main.getByRole('link').allTextContents()
    expect(links.filter(text => specified.includes(text))).toEqual(specified)
    await main.getByRole('button', { name: baseTexts.admin }).waitFor()
  })

  test('shows people and objects while the pointer is over a card', async () => {
    await page.goto(addressOf('/'))
    await cards(page).nth(1).hover()
    for (const name of ['Mia Ferrer', 'Dog']) await page.locator('.card-pic .region', { hasText: name }).waitFor()
    await page.mouse.move(2, 2)
    await page.locator('.card-pic .region').first().waitFor({ state: 'detached' })
  })

  test('chips: AND has no colour, NOT is red', async () => {
    await page.goto(addressOf('/?and=sea&not=dog'))
    const chip = (name: string) => page.locator('.chip', { hasText: name })
    await chip('dog').waitFor()
    /** Lightness, chroma and hue of the text colour. */
    const colour = async (name: string) => {
      const style = `getComputedStyle([...document.querySelectorAll('.chip')].find(one => one.textContent === '${name}')).color`
      const [, ...numbers] = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)/.exec(String(await page.evaluate(style))) ?? []
      return numbers.map(Number)
    }
    const [, none = 1] = await colour('sea')
    expect(none).toBeLessThan(0.03)
    const [, much = 0, hue = 0] = await colour('dog')
    expect(much).toBeGreaterThan(0.1)
    expect(hue).toBeWithin(10, 40)
  })

  test('shows nothing about a library while its list is loading', async () => {
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    await page.route(/\/v1\/item\/list\//, async route => {
      await held
      await route.fallback()
    })
    await page.goto(addressOf('/'))
    await page.getByRole('status', { name: baseTexts.loading }).waitFor()
    expect(await page.locator('main').textContent()).toBe('')
    release()
    await cards(page).first().waitFor()
    await page.unroute(/\/v1\/item\/list\//)
  })

  test('screen savers have the specified sliders, write errors only to the console, and mark broken pictures', async () => {
    const logged: string[] = []
    page.on('console', message => logged.push(message.text()))
    const waitForLog = (text: string) => waitUntil(async () => (logged.includes(text) ? true : null))
    const stop = async () => {
      await page.mouse.move(300, 300)
      await page.mouse.move(310, 310)
      await page.getByRole('button', { name: baseTexts.stop }).click()
      await dialog(page, 'Screen saver').waitFor({ state: 'detached' })
    }
    await page.goto(addressOf('/screen-saver'))
    const stays = page.getByRole('slider', { name: saverTexts.eachPictureStaysFor })
    expect(await rangeOf(stays)).toBe('5 60 15')
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Play', 'Settings', 'Devices'])
    await page.route(/pThumbnail=large/, route => route.abort())
    await page.getByRole('button', { name: saverTexts.start }).click()
    await page.getByLabel(saverTexts.brokenImage).first().waitFor()
    await waitForLog('Image failed to load.')
    await stop()
    await page.unroute(/pThumbnail=large/)
    await page.route(/\/v1\/screensaver\/next\//, route => route.fulfill({ json: [] }))
    await page.getByRole('button', { name: saverTexts.start }).click()
    await waitForLog('No suitable items found after multiple attempts')
    expect(await page.getByRole('alert').count()).toBe(0)
    await stop()
    await page.unroute(/\/v1\/screensaver\/next\//)
    // Playing has created a screen saver, whose seconds can be set lower than for playing.
    await page.getByRole('tab', { name: baseTexts.settings }).click()
    expect(await rangeOf(stays)).toBe('2 60 15')
    await page.getByRole('button', { name: saverTexts.newScreenSaver }).click()
    expect(await rangeOf(dialog(page, 'New screen saver').getByRole('slider'))).toBe('5 60 5')
  })

  test('shows the radius of a place, the page sizes and the build date', async () => {
    await page.goto(addressOf('/?near=38.72,-9.14,20000,Lisbon'))
    const range = page.getByRole('slider', { name: baseTexts.radius })
    expect(await rangeOf(range)).toBe('1 1000 20')
    expect(await range.getAttribute('step')).toBe('1')
    await page.getByText(/^Built /).waitFor()
    const sizes = page.getByLabel(baseTexts.itemsPerPage).locator('option')
    expect(await sizes.allTextContents()).toEqual(['10', '50', '100', '500'])
  })

  test('an open item is as high as the window minus three headers', async () => {
    await page.goto(addressOf(`/item/${sceneServers.ids.located}`))
    await page.locator('.viewer img.in').first().waitFor()
    const heights = '[innerHeight, document.querySelector(".viewer-stage").clientHeight].join()'
    const [whole = 0, stage] = String(await page.evaluate(heights))
      .split(',')
      .map(Number)
    expect(stage).toBe(whole - 3 * 48)
  })

  test('the token screen shows the token, can be cancelled, and reports no error', async () => {
    await page.goto(addressOf('/screen-saver/token/abcdefghijklmnopqrstuv'))
    await page.getByRole('heading', { name: saverTexts.registerToken }).waitFor()
    const token = page.getByLabel(baseTexts.token, { exact: true })
    expect([await token.inputValue(), await token.getAttribute('readonly')]).toEqual(['abcdefghijklmnopqrstuv', ''])
    const name = page.getByLabel(baseTexts.name, { exact: true })
    expect(await name.getAttribute('placeholder')).toBe('Living-room TV')
    await page.route(/\/v1\/tokens$/, route =>
      route.request().method() === 'POST' ? route.fulfill(serverError) : route.fallback(),
    )
    await name.fill('Kitchen')
    const response = page.waitForResponse(/\/v1\/tokens$/)
    await page.getByRole('button', { name: baseTexts.create }).click()
    await response
    await page.getByRole('button', { name: baseTexts.create }).and(page.locator(':enabled')).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/screen-saver/token/abcdefghijklmnopqrstuv')
    await page.unroute(/\/v1\/tokens$/)
    await page.getByRole('button', { name: baseTexts.cancel }).click()
    await waitForHome(page)
    // Invalid escapes are shown unchanged.
    for (const path of ['/screen-saver/token/%ZZ', '/t/%ff']) {
      await page.goto(addressOf(path))
      expect(await token.inputValue()).toBe(path.slice(-3))
    }
  })

  test('handles invalid settings, an unknown item and an invalid address', async () => {
    for (const path of ['/item/99999999', '/world-map/99999999', '/admin/metadata?items=99999999']) {
      await page.goto(addressOf(path))
      await page.getByText(baseTexts.imageNotFound).waitFor()
    }
    await page.goto(addressOf('/no/such/place'))
    await cards(page).first().waitFor()
    await page.route(/\/config\/runtime.json/, route => route.fulfill({ json: { api: 1 } }))
    await page.reload()
    await page.getByText(baseTexts.invalidConfigDataFormat).waitFor()
    await page.unroute(/\/config\/runtime.json/)
  })

  test('causes no other errors', () => {
    expect(errors.filter(fault => !fault.startsWith('500 '))).toEqual([])
  })

  test("an empty collection offers a scan; 'No Collections' opens the form for one and leaves no parameter in the address", async () => {
    const { page } = await open({ library: 'empty' })
    await page.route(/\/v1\/collection\/scan\//, route => route.fulfill(serverError))
    await page.goto(addressOf('/', 'empty'))
    await page.getByRole('button', { name: baseTexts.scanAgain }).click()
    await page.getByText('Unknown server error: Failed to scan collection').waitFor()
    await page.context().close()
    const bare = await open({ library: 'bare' })
    await bare.page.goto(addressOf('/', 'bare'))
    await bare.page.getByRole('heading', { name: baseTexts.noCollections }).waitFor()
    const visited: string[] = []
    bare.page.on('framenavigated', frame => visited.push(frame.url()))
    await bare.page.getByRole('button', { name: baseTexts.chooseAFolder }).click()
    await dialog(bare.page, 'Create Collection').waitFor()
    await waitUntil(async () => (new URL(bare.page.url()).search === '' ? true : null))
    expect(visited).toContain(addressOf('/admin/collections?create=true', 'bare'))
    expect(bare.page.url()).toBe(addressOf('/admin/collections', 'bare'))
    await bare.page.context().close()
  })

  test('a visitor has their own menu, gets the login at protected screens, and goes Home on Cancel', async () => {
    const { page } = await open({ isVisitor: true })
    await page.goto(addressOf('/screen-saver/token/some-token'))
    await page.getByRole('heading', { name: saverTexts.registerToken }).waitFor()
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.cancel }).click()
    await waitForHome(page)
    await page.goto(addressOf('/admin/tagging'))
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    await dialog(page, 'Register').waitFor()
    await page.keyboard.press('Escape')
    await waitForHome(page)
    await page.getByRole('button', { name: baseTexts.more }).first().click()
    const entries = await page.getByRole('menu').getByRole('menuitem').allTextContents()
    for (const entry of ['Register', 'Login', 'Options']) expect(entries).toContain(entry)
    for (const entry of ['Edit Profile', 'Logout', 'Download Current']) expect(entries).not.toContain(entry)
    await page.context().close()
  })

  test('an expired session is cleared and opens the login; a failed renewal is reported', async () => {
    const { page } = await open({ isVisitor: true })
    await page.route(/\/v1\/users\/renew/, route => route.fulfill(serverError))
    await page.goto(addressOf('/'))
    await page.getByRole('heading', { name: galleryTexts.signInToSee }).waitFor()
    const user = { id: 1, username: 'ines', name: 'Inés', email: 'a@b', globaladmin: false }
    const now = Math.floor(Date.now() / 1000)
    const storeSession = async (claims: object) => {
      const token = `e30.${btoa(JSON.stringify(claims))}.x`
      const session = JSON.stringify(JSON.stringify({ token, user, csrf: 'x' }))
      await page.evaluate(`localStorage.setItem('keepsake.session', ${session})`)
      await page.reload()
    }
    const waitForNoSession = () =>
      waitUntil(async () => ((await page.evaluate("localStorage.getItem('keepsake.session')")) === null ? true : null))
    await storeSession({ sub: 1, exp: now - 10, iat: now - 1000 })
    await dialog(page, 'Login').waitFor()
    await waitForNoSession()
    await storeSession({ sub: 1, exp: now + 9000, iat: now - 2 * 86_400 })
    await page.getByText('Unknown server error: Failed to renew session').waitFor()
    await waitForNoSession()
    await page.context().close()
  })

  async function fillRegistration(page: Page, username: string) {
    await page.getByLabel(baseTexts.username).fill(username)
    await page.getByLabel(baseTexts.name, { exact: true }).fill('Mia')
    await page.getByLabel(baseTexts.email).fill('mia@example.org')
    await page.getByLabel(accountTexts.password).fill('secret')
    await page.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.getByRole('button', { name: accountTexts.createAccount }).click()
  }

  test('a failed registration shows the reason for three seconds; a successful one opens the login after nine', async () => {
    const page = await openPageWithClock({ isVisitor: true })
    await page.goto(addressOf('/'))
    await chooseFromMenu(page, 'Register')
    await fillRegistration(page, 'ines')
    const taken = page.getByText(baseTexts.thatUsernameIsNotAvailable, { exact: true })
    await taken.waitFor()
    await page.clock.fastForward(3000)
    await taken.waitFor({ state: 'detached' })
    await page.route(/\/v1\/users\/register/, route => route.fulfill(serverError))
    await fillRegistration(page, 'mia')
    const failed = page.getByText(baseTexts.userRegistrationFailed, { exact: true })
    await failed.waitFor()
    await page.clock.fastForward(3000)
    await failed.waitFor({ state: 'detached' })
    await page.unroute(/\/v1\/users\/register/)
    await page.route(/\/v1\/users\/register/, route => route.abort())
    await page.getByRole('button', { name: accountTexts.createAccount }).click()
    await page.getByText(baseTexts.registrationFailedPleaseTryAgain, { exact: true }).waitFor()
    await page.unroute(/\/v1\/users\/register/)
    await fillRegistration(page, 'mia')
    await page.getByText(accountTexts.registrationSuccessful, { exact: true }).waitFor()
    await page.clock.fastForward(9000)
    await dialog(page, 'Login').waitFor()
    await page.context().close()
  })

  test('a client toast has Close and disappears after five seconds, an error disappears only by Close', async () => {
    const page = await openPageWithClock({})
    await page.goto(addressOf('/share/nothing'))
    const notice = page.getByRole('alert').getByText(baseTexts.sharedLinkIsNotActive, { exact: true })
    await notice.waitFor()
    await waitForHome(page)
    await page.clock.fastForward(60_000)
    expect(await notice.count()).toBe(1)
    await page.getByRole('button', { name: baseTexts.close }).click()
    await page.getByRole('link', { name: baseTexts.worldMap }).click()
    await chooseFromMenu(page, 'Select Current')
    const toast = page.getByRole('status').getByText(/items selected/)
    await toast.waitFor()
    await page.getByRole('button', { name: baseTexts.close }).waitFor()
    await page.clock.fastForward(5000)
    await toast.waitFor({ state: 'detached' })
    await page.route(/\/v1\/item\/onthisday\//, route => route.fulfill(serverError))
    await page.getByRole('link', { name: baseTexts.onThisDay }).click()
    const error = page.getByText('Unknown server error: Failed to load On This Day')
    await error.waitFor()
    await page.clock.fastForward(60_000)
    expect(await error.count()).toBe(1)
    // The error stays even after a successful retry.
    await page.unroute(/\/v1\/item\/onthisday\//)
    await page.getByRole('link', { name: baseTexts.home, exact: true }).first().click()
    await waitForHome(page)
    await page.getByRole('link', { name: baseTexts.onThisDay }).click()
    await page.getByRole('button', { name: baseTexts.tryAgain }).waitFor({ state: 'detached' })
    expect(await error.count()).toBe(1)
    await page.getByRole('button', { name: baseTexts.close }).click()
    await error.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('the profile reports wrong and different passwords and other errors, and closes after three seconds', async () => {
    const page = await openPageWithClock({})
    await page.goto(addressOf('/'))
    await chooseFromMenu(page, 'Edit Profile')
    const form = dialog(page, 'Edit Profile')
    const update = form.getByRole('button', { name: baseTexts.update })
    await form.getByLabel(baseTexts.newPassword).fill('secret2')
    await form.getByLabel(accountTexts.confirmPassword).fill('secret3')
    await page.keyboard.press('Tab')
    await form.getByText(accountTexts.passwordDoesNotMatch, { exact: true }).waitFor()
    await update.click()
    const differ = form.getByText(accountTexts.newPasswordAndConfirmation, { exact: true })
    await differ.waitFor()
    await page.clock.fastForward(3000)
    await differ.waitFor({ state: 'detached' })
    await form.getByLabel(accountTexts.existingPassword).fill('wrong')
    await form.getByLabel(accountTexts.confirmPassword).fill('secret2')
    await update.click()
    const incorrect = form.getByText(baseTexts.incorrectPassword, { exact: true })
    await incorrect.waitFor()
    await page.clock.fastForward(3000)
    await incorrect.waitFor({ state: 'detached' })
    await form.getByLabel(accountTexts.existingPassword).fill('secret')
    for (const name of ['New password', 'Confirm password']) await form.getByLabel(name).fill('')
    await page.route(/\/v1\/users\/update/, route => route.fulfill(serverError))
    await update.click()
    await form.getByText(baseTexts.failedToUpdateYourProfile, { exact: true }).waitFor()
    await page.unroute(/\/v1\/users\/update/)
    await page.route(/\/v1\/users\/update/, route => route.abort())
    await update.click()
    await form.getByText(baseTexts.updateFailedPleaseTryAgain, { exact: true }).waitFor()
    await page.unroute(/\/v1\/users\/update/)
    await update.click()
    await form.getByText(accountTexts.yourProfileIsUpdated, { exact: true }).waitFor()
    await page.clock.fastForward(3000)
    await form.waitFor({ state: 'detached' })
    await page.context().close()
  })
})
