import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { accountTexts } from '../../web/texts/account.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { uploadsTexts } from '../../web/texts/uploads.ts'
import { describeWalks, keep, openPage, settled, signInPage } from '../support/browser.ts'
import { heldCalls, pressUntil } from '../support/files-page.ts'
import { picture, takenAt } from '../support/scanning.ts'
import { type Serving, scanned, serve, signIn, until } from '../support/serving.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describeWalks('a session that ends', () => {
  let server: Serving
  let [token, root, second] = ['', '', '']

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    second = join(directory, 'second')
    mkdirSync(root)
    mkdirSync(second)
    writeFileSync(join(root, '1.jpg'), await picture({ seed: 1, exif: takenAt('2019-01-03 18:58:01') }))
    server = await serve(join(directory, 'data'), [root])
    token = await signIn(server)
    await scanned(server, token)
    await call('POST', '/v1/users/register', {
      username: 'tom',
      name: 'Tom Berger',
      email: 'a@b',
      password: 'secret',
      unlockPin: '1234',
    })
  })
  afterAll(() => server.stop())

  async function call(method: string, path: string, body?: unknown, authorization = `Bearer ${token}`) {
    return await fetch(server.address + path, {
      method,
      headers: { authorization, 'content-type': 'application/json', origin: server.address },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** It is ended by the administrator, or by the user on another device. */
  async function end(page: Page) {
    const stored = await page.evaluate("localStorage.getItem('keepsake.session')")
    const { token: own }: { token: string } = JSON.parse(String(stored))
    await call('GET', '/v1/users/logout', undefined, `Bearer ${own}`)
    await dialog(page, 'Login').waitFor()
  }

  async function logIn(page: Page, username: string) {
    await dialog(page, 'Login').getByLabel(baseTexts.username).fill(username)
    await dialog(page, 'Login').getByLabel(accountTexts.password).fill('secret')
    await page.keyboard.press('Enter')
    await dialog(page, 'Login').waitFor({ state: 'detached' })
  }

  async function open(path: string) {
    const { page, faults } = await openPage(server.address)
    await signInPage(page)
    await page.goto(server.address + path)
    return { page, faults }
  }

  async function begin(page: Page) {
    await button(page, 'Create Collection').click()
    await dialog(page, 'Create Collection').getByLabel(collectionsTexts.path, { exact: true }).fill(second)
    await dialog(page, 'Create Collection').getByLabel(baseTexts.name, { exact: true }).fill('Second')
  }

  test('and is not renewed says so once, and asks for the login', async () => {
    const { page, faults } = await open('/')
    await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().waitFor()
    await end(page)
    const said = page.getByText('An error occurred: Failed to renew session')
    await said.waitFor()
    expect(await said.count()).toBe(1)
    await logIn(page, 'ines')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('says so beside the login also where a keyboard leaves little room', async () => {
    for (const viewport of [
      { width: 390, height: 420 },
      { width: 760, height: 320 },
    ]) {
      const { page, faults } = await openPage(server.address)
      await signInPage(page)
      await page.setViewportSize(viewport)
      await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().waitFor()
      await end(page)
      const said = page.getByRole('alert').filter({ hasText: baseTexts.failedToRenewSession })
      await said.waitFor()
      const sheet = dialog(page, 'Login').locator('.modal-sheet')
      const own = (name: string) => sheet.getByRole('button', { name, exact: true })
      // It makes room once it has been drawn.
      await until(async () => {
        const [words, first] = [await said.boundingBox(), await own('Close').boundingBox()]
        return words !== null && first !== null && words.y + words.height <= first.y ? true : null
      })
      // Nothing covers them, and they are in view or can be scrolled into it.
      for (const name of ['Close', 'Cancel', 'Login']) await own(name).click({ trial: true })
      await keep(page, `session-keyboard-${viewport.width}`)
      await said.getByRole('button', { name: baseTexts.close }).click()
      await logIn(page, 'ines')
      expect(faults).toEqual([])
      await page.context().close()
    }
  })

  test('is asked for by a login that is cancelled before it is answered: nobody is signed in', async () => {
    const { page, faults } = await openPage(server.address)
    const more = async (entry: string) => {
      await button(page, 'More').click()
      await page.getByRole('menuitem', { name: entry }).click()
    }
    const begun: string[] = []
    for (const leave of [
      () => dialog(page, 'Login').getByRole('button', { name: baseTexts.cancel }).click(),
      () => page.keyboard.press('Escape'),
      () => page.goBack(),
      async () => {
        await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
        await dialog(page, 'Register').waitFor()
        await page.keyboard.press('Escape')
        await dialog(page, 'Register').waitFor({ state: 'detached' })
      },
    ]) {
      const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.route(
        '**/v1/users/login',
        async route => {
          const response = await route.fetch()
          begun.push((await response.json()).token)
          asked.resolve()
          await held.promise
          await route.fulfill({ response })
        },
        { times: 1 },
      )
      await more('Login')
      await dialog(page, 'Login').getByLabel(baseTexts.username).fill('ines')
      await dialog(page, 'Login').getByLabel(accountTexts.password).fill('secret')
      await page.keyboard.press('Enter')
      await asked.promise
      await leave()
      await dialog(page, 'Login').waitFor({ state: 'detached' })
      const ended = page.waitForResponse('**/v1/users/logout')
      held.resolve()
      expect((await ended).status()).toBe(200)
      expect((await call('GET', '/v1/users/renew', undefined, `Bearer ${begun.at(-1)}`)).status).toBe(401)
      expect(await page.evaluate("localStorage.getItem('keepsake.session')")).toBeNull()
      await settled(page)
    }

    // A user who signs in before the cancelled request returns stays signed in, with their cookie.
    const held = Promise.withResolvers<void>()
    await page.route(
      '**/v1/users/login',
      async route => {
        await held.promise
        await route.continue()
      },
      { times: 1 },
    )
    await more('Login')
    const sent = page.waitForRequest('**/v1/users/login')
    await dialog(page, 'Login').getByLabel(baseTexts.username).fill('ines')
    await dialog(page, 'Login').getByLabel(accountTexts.password).fill('secret')
    await page.keyboard.press('Enter')
    await sent
    await page.keyboard.press('Escape')
    await dialog(page, 'Login').waitFor({ state: 'detached' })
    await more('Login')
    await logIn(page, 'tom')
    const renewed = page.waitForResponse('**/v1/users/renew')
    held.resolve()
    await renewed
    await button(page, 'More').click()
    await page.getByText('Tom Berger · tom').waitFor()
    await until(async () => ((await page.context().cookies()).length > 0 ? true : null))
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('lets a dialog wait while an account is made: the keys are in what is shown, and in the dialog afterwards', async () => {
    const { page, faults } = await open('/admin/collections')
    await begin(page)
    await end(page)
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    const form = dialog(page, 'Register')
    await form.getByLabel(baseTexts.username).fill('kim')
    await form.getByLabel(baseTexts.name, { exact: true }).fill('Kim Lund')
    await form.getByLabel(baseTexts.email).fill('kim@example.org')
    await form.getByLabel(accountTexts.password).fill('secret')
    await form.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await form.locator('button:focus').getByText(accountTexts.loginNow).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('input[type=password]:focus').waitFor()
    await logIn(page, 'ines')
    await dialog(page, 'Create Collection').locator('input:focus').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('lets a dialog wait under the login with what was typed, which is saved afterwards', async () => {
    const { page, faults } = await open('/admin/collections')
    await begin(page)
    await end(page)
    // The name is filled in, and the focus is in the password.
    expect(await dialog(page, 'Login').getByLabel(baseTexts.username).inputValue()).toBe('ines')
    await page.locator('input[type=password]:focus').waitFor()
    expect(await page.locator('dialog:modal').count()).toBe(2)
    await logIn(page, 'ines')
    const form = dialog(page, 'Create Collection')
    expect(await form.getByLabel(baseTexts.name, { exact: true }).inputValue()).toBe('Second')
    await form.getByRole('button', { name: baseTexts.save }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Second' }).waitFor()

    // An existing one too: the row whose dialog it is is still there.
    await page.getByRole('row').filter({ hasText: 'Second' }).getByRole('button', { name: /^Edit/ }).click()
    await dialog(page, 'Edit Second').getByLabel(baseTexts.name, { exact: true }).fill('Third')
    await end(page)
    await logIn(page, 'ines')
    await dialog(page, 'Edit Second').getByRole('button', { name: baseTexts.save }).click()
    await page.getByRole('row').filter({ hasText: 'Third' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('lets a dialog of the frame wait too', async () => {
    const { page, faults } = await open('/')
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await dialog(page, 'Edit Profile').getByLabel(baseTexts.name).fill('Inés Ferrer')
    await dialog(page, 'Edit Profile').getByLabel(accountTexts.existingPassword).fill('secret')
    await end(page)
    await logIn(page, 'ines')
    expect(await dialog(page, 'Edit Profile').getByLabel(baseTexts.name).inputValue()).toBe('Inés Ferrer')
    await button(page, 'Update').click()
    await page.getByText(accountTexts.yourProfileIsUpdated).waitFor()
    await page.locator('dialog:modal button:focus').getByText(baseTexts.close).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('lets a dialog of the file manager wait, and what it asks', async () => {
    writeFileSync(join(second, 'notes.txt'), 'before')
    const { page, faults } = await open('/admin/files?path=/pictures')
    const handle = (name: string) => page.locator(`[role="option"][data-name="${name}"] [data-grab]`)
    await handle('1.jpg').click()
    await page.keyboard.press('F2')
    const rename = dialog(page, 'Rename')
    await rename.getByRole('textbox').fill('first.jpg')
    await end(page)
    // It is under the login: the focus is in the password, and nothing of it can be reached.
    await page.locator('input[type=password]:focus').waitFor()
    await keep(page, 'file-manager-session')
    await page.keyboard.type('wrong')
    expect(await rename.getByRole('textbox').inputValue()).toBe('first.jpg')
    await logIn(page, 'ines')
    await page.locator('dialog:modal input:focus').waitFor()
    expect(await rename.getByRole('textbox').inputValue()).toBe('first.jpg')
    await page.keyboard.press('Enter')
    await handle('first.jpg').waitFor()
    await rename.waitFor({ state: 'detached' })

    // A crop's frame stays where it was drawn.
    await handle('first.jpg').dblclick()
    await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    const viewer = page.locator('dialog.fm-dialog')
    await viewer.getByRole('button', { name: adminTexts.edit, exact: true }).click()
    await viewer.getByRole('button', { name: 'Crop', exact: true }).and(page.locator(':enabled')).waitFor()
    for (const key of ['-', '-', 'Shift+ArrowLeft']) await page.keyboard.press(key)
    const frame = async () => JSON.stringify(await page.locator('cropper-selection').boundingBox())
    const drawn = await frame()
    await end(page)
    await logIn(page, 'ines')
    await page.locator('dialog:modal cropper-selection').waitFor()
    await until(async () => ((await frame()) === drawn ? true : null))
    expect(await viewer.locator('form').getByRole('alert').count()).toBe(0)
    // Nor by a slip: it is said first.
    const isRead = async () => (await viewer.getByRole('button', { name: adminTexts.edit, exact: true }).count()) > 0
    await pressUntil(viewer.getByRole('button', { name: baseTexts.cancel, exact: true }), isRead)
    await viewer.locator('footer').getByRole('button', { name: baseTexts.close }).click()

    // Requests made before signing in are repeated afterwards.
    await button(page, 'New folder').click()
    const name = dialog(page, 'New folder').getByRole('textbox')
    await name.fill('trips')
    await page.route('**/v1/files?*q=newfolder*', route => route.fulfill({ status: 401, body: '{}' }), { times: 1 })
    await name.press('Enter')
    await logIn(page, 'ines')
    await handle('trips').waitFor()

    // An upload that is refused so has its button still.
    await button(page, 'Upload').click()
    await page.setInputFiles('input[type=file]', {
      name: 'late.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('late'),
    })
    await page.route('**/v1/files?*q=upload*', route => route.fulfill({ status: 401, body: '{}' }), { times: 1 })
    const upload = dialog(page, 'Upload files')
    await upload.getByRole('button', { name: baseTexts.upload, exact: true }).click()
    await logIn(page, 'ines')
    await upload.getByRole('button', { name: baseTexts.upload, exact: true }).click()
    await handle('late.txt').waitFor()

    // One that is under way when the session ends is refused after the login: that one stays good.
    await page.setInputFiles('input[type=file]', {
      name: 'later.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('l'),
    })
    const held = await heldCalls(page, 'upload')
    await upload.getByRole('button', { name: baseTexts.upload, exact: true }).click()
    const route = await held.asked()
    await end(page)
    await logIn(page, 'ines')
    await route.fulfill({ status: 401, body: '{"message":"Sign in first."}' })
    await held.end()
    await upload.getByText('Sign in first.').first().waitFor()
    expect(await dialog(page, 'Login').count()).toBe(0)
    await upload.getByRole('button', { name: baseTexts.upload, exact: true }).click()
    await handle('later.txt').waitFor()
    expect(faults).toEqual([])

    // Nothing of another user stays.
    await upload.getByRole('button', { name: baseTexts.close, exact: true }).first().click()
    await handle('late.txt').click()
    await page.keyboard.press('F2')
    await dialog(page, 'Rename').getByRole('textbox').fill('in my name.txt')
    const renames: string[] = []
    const isRename = (address: string) => new URL(address).searchParams.get('q') === 'rename'
    page.on('request', request => isRename(request.url()) && renames.push(request.url()))
    await page.route('**/v1/files?*q=rename*', route => route.fulfill({ status: 401, body: '{}' }))
    await page.keyboard.press('Enter')
    await logIn(page, 'tom')
    await page.getByText('Only a global administrator').waitFor()
    await until(async () => ((await page.locator('dialog').count()) === 0 ? true : null))
    // The request is not repeated in their name.
    expect(renames.length).toBe(1)
    await page.context().close()
  })

  test('leaves the focus on what opened a dialog of the file manager, when that is closed after the login', async () => {
    writeFileSync(join(root, 'notes.txt'), 'words')
    const { page, faults } = await open('/admin/files?path=/pictures')
    const row = page.locator('[role="option"][data-name="notes.txt"] [data-grab]')
    const endOver = async (name: string) => {
      await page.locator('dialog:modal').getByRole('heading', { name, exact: true }).waitFor()
      await end(page)
      await logIn(page, 'ines')
      await page.locator('dialog:modal').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
    }
    const list = page.locator('[role="listbox"]:focus')
    await row.click()
    await page.keyboard.press('F2')
    await endOver('Rename')
    await list.waitFor()
    // By a key, by a menu, by a button.
    await page.keyboard.press('Enter')
    await endOver('notes.txt')
    await list.waitFor()
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: baseTexts.delete }).click()
    await endOver('Delete files')
    await list.waitFor()
    await button(page, 'New folder').click()
    await endOver('New folder')
    await page.locator('button[aria-label="New folder"]:focus').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('and another user signs in, or nobody: what was open is dropped', async () => {
    const { page, faults } = await open('/admin/collections')
    await begin(page)
    await end(page)
    await logIn(page, 'tom')
    await dialog(page, 'Create Collection').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: baseTexts.collections, exact: true }).waitFor()
    expect(await button(page, 'Create Collection').count()).toBe(0)
    await page.context().close()

    const other = await open('/admin/collections')
    await begin(other.page)
    await end(other.page)
    // Back works like the button, and leads to the screen before the protected one.
    await dialog(other.page, 'Login').getByRole('button', { name: baseTexts.cancel }).click()
    await until(async () => (new URL(other.page.url()).pathname === '/' ? true : null))
    expect(await other.page.locator('dialog:modal').count()).toBe(0)
    await button(other.page, 'More').click()
    await other.page.getByRole('menuitem', { name: baseTexts.login }).waitFor()
    expect([...faults, ...other.faults]).toEqual([])
    await other.page.context().close()
  })

  test('stays so when the registration does not come, or is taken back: the login is asked again', async () => {
    const third = join(second, '..', 'third')
    mkdirSync(third)
    const { page, faults } = await open('/admin/collections')
    await begin(page)
    const form = dialog(page, 'Create Collection')
    await form.getByLabel(collectionsTexts.path, { exact: true }).fill(third)
    await form.getByLabel(baseTexts.name, { exact: true }).fill('Fourth')
    await end(page)
    const parts = '**/assets/*.js'
    await page.route(parts, route => route.abort())
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    await page.getByText('Keepsake server is currently not available: This could not be opened').waitFor()
    await page.locator('input[type=password]:focus').waitFor()
    expect(await dialog(page, 'Login').getByLabel(baseTexts.username).inputValue()).toBe('ines')
    await page.unroute(parts)

    // It is slow, and taken back.
    const held = Promise.withResolvers<void>()
    await page.route(parts, async route => {
      await held.promise
      await route.continue()
    })
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    await page.getByRole('status', { name: baseTexts.loading }).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Login').waitFor()
    held.resolve()
    await logIn(page, 'ines')
    await form.getByRole('button', { name: baseTexts.save }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Fourth' }).waitFor()

    // The one that has come is given up as the login is.
    await button(page, 'Create Collection').click()
    await end(page)
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    await dialog(page, 'Register').waitFor()
    await page.keyboard.press('Escape')
    await until(async () => (new URL(page.url()).pathname === '/' ? true : null))
    expect(await page.locator('dialog:modal').count()).toBe(0)
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.login }).waitFor()
    // React reports the part that did not load.
    expect(faults.filter(fault => !fault.includes('NotLoaded'))).toEqual([])
    await page.context().close()
  })

  test('while files are chosen: they are sent once the same person has signed in', async () => {
    const { page, faults } = await open('/')
    await page.getByRole('button', { name: /^pictures, / }).click()
    const file = { name: 'late.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await picture({ seed: 7 })) }
    const chooser = async () => {
      await button(page, 'More').click()
      await page.getByRole('menuitem', { name: baseTexts.upload }).click()
      const upload = dialog(page, 'Upload')
      const choosing = page.waitForEvent('filechooser')
      await upload.getByRole('button', { name: uploadsTexts.chooseFiles }).click()
      return await choosing
    }
    const first = await chooser()
    await end(page)
    await first.setFiles(file)
    await dialog(page, 'Upload').waitFor({ state: 'detached' })
    await page.locator('input[type=password]:focus').waitFor()
    await logIn(page, 'ines')
    await page.getByRole('region', { name: uploadsTexts.uploads }).getByText('1 uploaded').waitFor()

    // Nothing is sent for a user who does not come back.
    const sent: string[] = []
    page.on('request', request => request.url().includes('/v1/item/upload/') && sent.push(request.url()))
    const next = await chooser()
    await end(page)
    await next.setFiles({ ...file, name: 'later.jpg', buffer: Buffer.from(await picture({ seed: 8 })) })
    await dialog(page, 'Upload').waitFor({ state: 'detached' })
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.cancel }).click()
    // The page lives, and is a visitor's.
    const asked = page.waitForRequest(request => request.url().includes('/v1/item/'))
    await page.getByRole('link', { name: baseTexts.onThisDay }).click()
    await asked
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.login }).waitFor()
    expect(sent).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('while a PIN is looked at: it is asked for again under the login, once', async () => {
    const { page, faults } = await open('/')
    await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().waitFor()
    await button(page, 'Options').click()
    const ask = () => page.getByRole('switch', { name: baseTexts.showHiddenItems }).click()
    await ask()
    const pin = dialog(page, 'Show hidden items')
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/keystrings/unlock', async route => {
      await held.promise
      await route.continue()
    })
    await pin.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await end(page)
    held.resolve()
    await pin.getByText(baseTexts.failedToUnlock).waitFor({ state: 'attached' })
    expect(await dialog(page, 'Login').count()).toBe(1)
    expect(await pin.count()).toBe(1)
    await logIn(page, 'ines')
    await pin.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await pin.waitFor({ state: 'detached' })
    await page.getByText('Until there is no input').waitFor()

    // Closed before it was answered, nothing is shown, also where it was the right one.
    await ask()
    await page.getByText(shellTexts.asksForYourPin).waitFor()
    const right = Promise.withResolvers<void>()
    await page.unroute('**/v1/keystrings/unlock')
    await page.route('**/v1/keystrings/unlock', async route => {
      await right.promise
      await route.continue()
    })
    await ask()
    await pin.getByLabel(baseTexts.unlockPin).fill('1234')
    const asked = page.waitForRequest('**/v1/keystrings/unlock')
    await page.keyboard.press('Enter')
    await asked
    await page.keyboard.press('Escape')
    await pin.waitFor({ state: 'detached' })
    const locked = page.waitForResponse('**/v1/keystrings/lock')
    right.resolve()
    await locked
    await page.getByText(shellTexts.asksForYourPin).waitFor()

    // Given again before the first was answered, it shows them, and what the first began is over.
    const first = Promise.withResolvers<void>()
    await page.unroute('**/v1/keystrings/unlock')
    await page.route('**/v1/keystrings/unlock', async route => {
      await first.promise
      await route.continue()
    })
    for (const leave of [true, false]) {
      await ask()
      await pin.getByLabel(baseTexts.unlockPin).fill('1234')
      await page.keyboard.press('Enter')
      if (!leave) continue
      await page.keyboard.press('Escape')
      await pin.waitFor({ state: 'detached' })
    }
    first.resolve()
    await pin.waitFor({ state: 'detached' })
    await page.getByText('Until there is no input').waitFor()
    await ask()
    await page.getByText(shellTexts.asksForYourPin).waitFor()

    // Nor does it come back.
    const late = Promise.withResolvers<void>()
    await page.unroute('**/v1/keystrings/unlock')
    await page.route('**/v1/keystrings/unlock', async route => {
      await late.promise
      await route.continue()
    })
    await ask()
    await pin.getByLabel(baseTexts.unlockPin).fill('9999')
    await page.keyboard.press('Enter')
    const answered = page.waitForResponse('**/v1/keystrings/unlock')
    await page.keyboard.press('Escape')
    await pin.waitFor({ state: 'detached' })
    late.resolve()
    await answered
    await page.keyboard.press('Escape')
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await dialog(page, 'Edit Profile').waitFor()
    expect(await pin.count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('by logging out in another tab: nothing that was started here is left for whoever comes', async () => {
    const { page, faults } = await open('/')
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await dialog(page, 'Edit Profile').getByLabel(baseTexts.name).fill('Typed by Inés')
    const other = await page.context().newPage()
    await other.goto(server.address)
    await button(other, 'More').click()
    await other.getByRole('menuitem', { name: baseTexts.logout }).click()
    await dialog(page, 'Edit Profile').waitFor({ state: 'detached' })
    await button(other, 'More').click()
    await other.getByRole('menuitem', { name: baseTexts.login }).click()
    await logIn(other, 'tom')
    await button(page, 'More').click()
    await page.getByText('Tom Berger · tom').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByText(baseTexts.failedToRenewSession).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describeWalks('a part of the page that could not be loaded', () => {
  test('is said to be, and loaded as soon as the server is back', async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    writeFileSync(join(root, '1.jpg'), await picture({ seed: 1 }))
    const server = await serve(join(directory, 'data'), [root])
    await signIn(server)
    const { page } = await openPage(server.address)
    await signInPage(page)
    const gone = '**/assets/*.js'
    await page.route(gone, route => route.abort())

    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.myShares }).click()
    await page.getByText('Keepsake server is currently not available: This could not be opened').waitFor()
    await page.getByRole('link', { name: baseTexts.worldMap }).click()
    await page.getByRole('heading', { name: 'Keepsake is not answering' }).waitFor()

    await page.unroute(gone)
    await button(page, 'Try again').click()
    await page.getByLabel(mapTexts.findAPlace).waitFor()
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.myShares }).click()
    await dialog(page, 'My shares').waitFor()
    await page.context().close()
    await server.stop()
  })

  test('can be taken back while it is coming', async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    writeFileSync(join(root, '1.jpg'), await picture({ seed: 1 }))
    const server = await serve(join(directory, 'data'), [root])
    await signIn(server)
    const { page, faults } = await openPage(server.address)
    await signInPage(page)
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async route => {
      await held.promise
      await route.continue()
    })
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.myShares }).click()
    await page.getByRole('status', { name: baseTexts.loading }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('status', { name: baseTexts.loading }).waitFor({ state: 'detached' })
    held.resolve()
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.slideshow }).click()
    await dialog(page, 'Slideshow').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(faults).toEqual([])
    await page.context().close()
    await server.stop()
  })
})
