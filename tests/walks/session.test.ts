import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { limits } from '../../schema/limits.ts'
import { accountTexts } from '../../web/texts/account.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { uploadsTexts } from '../../web/texts/uploads.ts'
import { describeWalks, openPage, saveScreenshot, waitForHistory } from '../support/browser.ts'
import { holdRequests, pressUntil } from '../support/files-page.ts'
import { longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory, temporaryOnDisk } from '../support/temporary.ts'

temporaryOnDisk()

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describeWalks('a session that ends', () => {
  let server: RunningServer
  let [token, root, second] = ['', '', '']

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    second = join(directory, 'second')
    mkdirSync(root)
    mkdirSync(second)
    writeFileSync(join(root, '1.jpg'), await picture({ seed: 1, exif: takenAt('2019-01-03 18:58:01') }))
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
    await waitForScans(server, token)
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

  /** Ends the session, as an administrator or the user on another device would. */
  async function endSession(page: Page) {
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
    const { page, errors } = await openPage(server.address + path, { user: 'ines' })
    return { page, errors }
  }

  /** Opens the gallery. When it returns, only the connection for changes can report the end of the session. */
  async function openIdle(viewport?: { width: number; height: number }) {
    const connected = Promise.withResolvers<void>()
    const before = async (page: Page) =>
      page.on('websocket', socket => socket.on('framereceived', () => connected.resolve()))
    const opened = await openPage(server.address, { user: 'ines', before })
    if (viewport !== undefined) await opened.page.setViewportSize(viewport)
    await opened.page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().waitFor()
    await connected.promise
    // Waits until no call runs: a refused one would open the login without a message.
    await opened.page.waitForLoadState('networkidle')
    return opened
  }

  async function fillCollectionForm(page: Page) {
    await button(page, 'Create Collection').click()
    await dialog(page, 'Create Collection').getByLabel(collectionsTexts.path, { exact: true }).fill(second)
    await dialog(page, 'Create Collection').getByLabel(baseTexts.name, { exact: true }).fill('Second')
  }

  test('and is not renewed is reported once, and opens the login', async () => {
    const { page, errors } = await openIdle()
    await endSession(page)
    const warning = page.getByText('An error occurred: Failed to renew session')
    await warning.waitFor()
    expect(await warning.count()).toBe(1)
    await logIn(page, 'ines')
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('is reported beside the login even when the keyboard leaves little room', async () => {
    for (const viewport of [
      { width: 390, height: 420 },
      { width: 760, height: 320 },
    ]) {
      const { page, errors } = await openIdle(viewport)
      await endSession(page)
      const warning = page.getByRole('alert').filter({ hasText: baseTexts.failedToRenewSession })
      await warning.waitFor()
      const sheet = dialog(page, 'Login').locator('.modal-sheet')
      const sheetButton = (name: string) => sheet.getByRole('button', { name, exact: true })
      // The dialog makes room once the message is drawn.
      await waitUntil(async () => {
        const [words, first] = [await warning.boundingBox(), await sheetButton('Close').boundingBox()]
        return words !== null && first !== null && words.y + words.height <= first.y ? true : null
      })
      // The buttons are not covered, and are visible or can be scrolled into view.
      for (const name of ['Close', 'Cancel', 'Login']) await sheetButton(name).click({ trial: true })
      await saveScreenshot(page, `session-keyboard-${viewport.width}`)
      await warning.getByRole('button', { name: baseTexts.close }).click()
      await logIn(page, 'ines')
      expect(errors).toEqual([])
      await page.context().close()
    }
  })

  longTest('stays ended when a login is cancelled before its response arrives', async () => {
    const { page, errors } = await openPage(server.address)
    const more = async (entry: string) => {
      await button(page, 'More').click()
      await page.getByRole('menuitem', { name: entry }).click()
    }
    const sessions: string[] = []
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
      const [received, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.route(
        '**/v1/users/login',
        async route => {
          const response = await route.fetch()
          sessions.push((await response.json()).token)
          received.resolve()
          await held.promise
          await route.fulfill({ response })
        },
        { times: 1 },
      )
      await more('Login')
      await dialog(page, 'Login').getByLabel(baseTexts.username).fill('ines')
      await dialog(page, 'Login').getByLabel(accountTexts.password).fill('secret')
      await page.keyboard.press('Enter')
      await received.promise
      await leave()
      await dialog(page, 'Login').waitFor({ state: 'detached' })
      const ended = page.waitForResponse('**/v1/users/logout')
      held.resolve()
      expect((await ended).status()).toBe(200)
      expect((await call('GET', '/v1/users/renew', undefined, `Bearer ${sessions.at(-1)}`)).status).toBe(401)
      expect(await page.evaluate("localStorage.getItem('keepsake.session')")).toBeNull()
      await waitForHistory(page)
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
    await page.getByText('Tom Berger').waitFor()
    await waitUntil(async () => ((await page.context().cookies()).length > 0 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('keeps a dialog during a registration, and then returns the focus to it', async () => {
    const { page, errors } = await open('/admin/collections')
    await fillCollectionForm(page)
    await endSession(page)
    await page.clock.install()
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    const form = dialog(page, 'Register')
    await form.getByLabel(baseTexts.username).fill('kim')
    await form.getByLabel(baseTexts.name, { exact: true }).fill('Kim Lund')
    await form.getByLabel(baseTexts.email).fill('kim@example.org')
    await form.getByLabel(accountTexts.password).fill('secret')
    await form.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await form.locator('button:focus').getByText(accountTexts.loginNow).waitFor()
    // Without a press, the login opens by itself.
    await page.clock.fastForward(limits.registeredDialogMs)
    await page.locator('input[type=password]:focus').waitFor()
    await logIn(page, 'ines')
    await dialog(page, 'Create Collection').locator('input:focus').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keeps a dialog under the login with its input, which can be saved afterwards', async () => {
    const { page, errors } = await open('/admin/collections')
    await fillCollectionForm(page)
    await endSession(page)
    // The username is filled in, and the focus is in the password.
    expect(await dialog(page, 'Login').getByLabel(baseTexts.username).inputValue()).toBe('ines')
    await page.locator('input[type=password]:focus').waitFor()
    expect(await page.locator('dialog:modal').count()).toBe(2)
    await logIn(page, 'ines')
    const form = dialog(page, 'Create Collection')
    expect(await form.getByLabel(baseTexts.name, { exact: true }).inputValue()).toBe('Second')
    await form.getByRole('button', { name: baseTexts.save }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Second' }).waitFor()

    // A dialog for an existing collection, whose row is still shown, is kept too.
    await page.getByRole('row').filter({ hasText: 'Second' }).getByRole('button', { name: /^Edit/ }).click()
    await dialog(page, 'Edit Second').getByLabel(baseTexts.name, { exact: true }).fill('Third')
    await endSession(page)
    await logIn(page, 'ines')
    await dialog(page, 'Edit Second').getByRole('button', { name: baseTexts.save }).click()
    await page.getByRole('row').filter({ hasText: 'Third' }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keeps a dialog that the page frame opened', async () => {
    const { page, errors } = await open('/')
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await dialog(page, 'Edit Profile').getByLabel(baseTexts.name).fill('Inés Ferrer')
    await dialog(page, 'Edit Profile').getByLabel(accountTexts.existingPassword).fill('secret')
    await endSession(page)
    await logIn(page, 'ines')
    expect(await dialog(page, 'Edit Profile').getByLabel(baseTexts.name).inputValue()).toBe('Inés Ferrer')
    await button(page, 'Update').click()
    await page.getByText(accountTexts.yourProfileIsUpdated).waitFor()
    await page.locator('dialog:modal button:focus').getByText(baseTexts.close).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keeps a dialog of the file manager and its requests', async () => {
    writeFileSync(join(second, 'notes.txt'), 'before')
    const { page, errors } = await open('/admin/files?path=/pictures')
    const handle = (name: string) => page.locator(`[role="option"][data-name="${name}"] [data-grab]`)
    await handle('1.jpg').click()
    await page.keyboard.press('F2')
    const rename = dialog(page, 'Rename')
    await rename.getByRole('textbox').fill('first.jpg')
    await endSession(page)
    // The dialog is under the login, which has the focus.
    await page.locator('input[type=password]:focus').waitFor()
    await saveScreenshot(page, 'file-manager-session')
    await page.keyboard.type('wrong')
    expect(await rename.getByRole('textbox').inputValue()).toBe('first.jpg')
    await logIn(page, 'ines')
    await page.locator('dialog:modal input:focus').waitFor()
    expect(await rename.getByRole('textbox').inputValue()).toBe('first.jpg')
    await page.keyboard.press('Enter')
    await handle('first.jpg').waitFor()
    await rename.waitFor({ state: 'detached' })

    // The frame of a crop keeps its place.
    await handle('first.jpg').dblclick()
    await page.locator('.fm-viewer[data-loaded="true"]').waitFor()
    const viewer = page.locator('dialog.fm-dialog')
    await viewer.getByRole('button', { name: adminTexts.edit, exact: true }).click()
    await viewer.getByRole('button', { name: 'Crop', exact: true }).and(page.locator(':enabled')).waitFor()
    for (const key of ['-', '-', 'Shift+ArrowLeft']) await page.keyboard.press(key)
    const frame = async () => JSON.stringify(await page.locator('cropper-selection').boundingBox())
    const drawn = await frame()
    await endSession(page)
    await logIn(page, 'ines')
    await page.locator('dialog:modal cropper-selection').waitFor()
    await waitUntil(async () => ((await frame()) === drawn ? true : null))
    expect(await viewer.locator('form').getByRole('alert').count()).toBe(0)
    // Cancel warns first.
    const canEdit = async () => (await viewer.getByRole('button', { name: adminTexts.edit, exact: true }).count()) > 0
    await pressUntil(viewer.getByRole('button', { name: baseTexts.cancel, exact: true }), canEdit)
    await viewer.locator('footer').getByRole('button', { name: baseTexts.close }).click()

    // Requests made before signing in are repeated afterwards.
    await button(page, 'New folder').click()
    const name = dialog(page, 'New folder').getByRole('textbox')
    await name.fill('trips')
    await page.route('**/v1/files?*q=newfolder*', route => route.fulfill({ status: 401, body: '{}' }), { times: 1 })
    await name.press('Enter')
    await logIn(page, 'ines')
    await handle('trips').waitFor()

    // An upload that was refused because of the session can be started again.
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

    // A running upload is refused after the login: the new session is not affected.
    await page.setInputFiles('input[type=file]', {
      name: 'later.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('l'),
    })
    const held = await holdRequests(page, 'upload')
    await upload.getByRole('button', { name: baseTexts.upload, exact: true }).click()
    const route = await held.request()
    await endSession(page)
    await logIn(page, 'ines')
    await route.fulfill({ status: 401, body: '{"message":"Sign in first."}' })
    await held.release()
    await upload.getByText('Sign in first.').first().waitFor()
    expect(await dialog(page, 'Login').count()).toBe(0)
    await upload.getByRole('button', { name: baseTexts.upload, exact: true }).click()
    await handle('later.txt').waitFor()
    expect(errors).toEqual([])

    // Another user who signs in finds no open dialog.
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
    await waitUntil(async () => ((await page.locator('dialog').count()) === 0 ? true : null))
    // The request is not repeated in the other user's name.
    expect(renames.length).toBe(1)
    await page.context().close()
  })

  longTest('returns the focus to the opener of a file manager dialog that is closed after the login', async () => {
    writeFileSync(join(root, 'notes.txt'), 'words')
    const { page, errors } = await open('/admin/files?path=/pictures')
    const row = page.locator('[role="option"][data-name="notes.txt"] [data-grab]')
    const endSessionUnderDialog = async (name: string) => {
      await page.locator('dialog:modal').getByRole('heading', { name, exact: true }).waitFor()
      await endSession(page)
      await logIn(page, 'ines')
      await page.locator('dialog:modal').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
    }
    const list = page.locator('[role="listbox"]:focus')
    await row.click()
    await page.keyboard.press('F2')
    await endSessionUnderDialog('Rename')
    await list.waitFor()
    // The next dialogs are opened by a key, by a menu, and by a button.
    await page.keyboard.press('Enter')
    await endSessionUnderDialog('notes.txt')
    await list.waitFor()
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: baseTexts.delete }).click()
    await endSessionUnderDialog('Delete files')
    await list.waitFor()
    await button(page, 'New folder').click()
    await endSessionUnderDialog('New folder')
    await page.locator('button[aria-label="New folder"]:focus').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('closes open dialogs when another user signs in, or nobody', async () => {
    const { page, errors } = await open('/admin/collections')
    await fillCollectionForm(page)
    await endSession(page)
    await logIn(page, 'tom')
    await dialog(page, 'Create Collection').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: baseTexts.collections, exact: true }).waitFor()
    expect(await button(page, 'Create Collection').count()).toBe(0)
    await page.context().close()

    const other = await open('/admin/collections')
    await fillCollectionForm(other.page)
    await endSession(other.page)
    // Cancel closes all dialogs and leaves the protected screen.
    await dialog(other.page, 'Login').getByRole('button', { name: baseTexts.cancel }).click()
    await waitUntil(async () => (new URL(other.page.url()).pathname === '/' ? true : null))
    expect(await other.page.locator('dialog:modal').count()).toBe(0)
    await button(other.page, 'More').click()
    await other.page.getByRole('menuitem', { name: baseTexts.login }).waitFor()
    expect([...errors, ...other.errors]).toEqual([])
    await other.page.context().close()
  })

  longTest('shows the login again when the registration does not load or is cancelled while it loads', async () => {
    const third = join(second, '..', 'third')
    mkdirSync(third)
    const { page, errors } = await open('/admin/collections')
    await fillCollectionForm(page)
    const form = dialog(page, 'Create Collection')
    await form.getByLabel(collectionsTexts.path, { exact: true }).fill(third)
    await form.getByLabel(baseTexts.name, { exact: true }).fill('Fourth')
    await endSession(page)
    const parts = '**/assets/*.js'
    await page.route(parts, route => route.abort())
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    await page.getByText('Keepsake server is currently not available: This could not be opened').waitFor()
    await page.locator('input[type=password]:focus').waitFor()
    expect(await dialog(page, 'Login').getByLabel(baseTexts.username).inputValue()).toBe('ines')
    await page.unroute(parts)

    // A slow registration is cancelled.
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

    // Cancelling the loaded registration cancels the login too.
    await button(page, 'Create Collection').click()
    await endSession(page)
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.register }).click()
    await dialog(page, 'Register').waitFor()
    await page.keyboard.press('Escape')
    await waitUntil(async () => (new URL(page.url()).pathname === '/' ? true : null))
    expect(await page.locator('dialog:modal').count()).toBe(0)
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.login }).waitFor()
    // React reports the part that was not loaded.
    expect(errors.filter(fault => !fault.includes('NotLoaded'))).toEqual([])
    await page.context().close()
  })

  test('while files are chosen does not lose them: they are uploaded once the same user has signed in', async () => {
    const { page, errors } = await open('/')
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
    await endSession(page)
    await first.setFiles(file)
    await dialog(page, 'Upload').waitFor({ state: 'detached' })
    await page.locator('input[type=password]:focus').waitFor()
    await logIn(page, 'ines')
    await page.getByRole('region', { name: uploadsTexts.uploads }).getByText('1 uploaded').waitFor()

    // Nothing is sent for a user who does not come back.
    const sent: string[] = []
    page.on('request', request => request.url().includes('/v1/item/upload/') && sent.push(request.url()))
    const next = await chooser()
    await endSession(page)
    await next.setFiles({ ...file, name: 'later.jpg', buffer: Buffer.from(await picture({ seed: 8 })) })
    await dialog(page, 'Upload').waitFor({ state: 'detached' })
    await dialog(page, 'Login').getByRole('button', { name: baseTexts.cancel }).click()
    // The page still works, for a visitor.
    const request = page.waitForRequest(request => request.url().includes('/v1/item/'))
    await page.getByRole('link', { name: baseTexts.onThisDay }).click()
    await request
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.login }).waitFor()
    expect(sent).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('while a PIN is checked, asks for the PIN once more after the login', async () => {
    const { page, errors } = await open('/')
    await page.getByRole('list', { name: baseTexts.items }).getByRole('link').first().waitFor()
    await button(page, 'Options').click()
    const toggle = () => page.getByRole('switch', { name: baseTexts.showHiddenItems }).click()
    await toggle()
    const pin = dialog(page, 'Show hidden items')
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/keystrings/unlock', async route => {
      await held.promise
      await route.continue()
    })
    await pin.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await endSession(page)
    held.resolve()
    await pin.getByText(baseTexts.failedToUnlock).waitFor({ state: 'attached' })
    expect(await dialog(page, 'Login').count()).toBe(1)
    expect(await pin.count()).toBe(1)
    await logIn(page, 'ines')
    await pin.getByLabel(baseTexts.unlockPin).fill('1234')
    await page.keyboard.press('Enter')
    await pin.waitFor({ state: 'detached' })
    await page.getByText('Until there is no input').waitFor()

    // When the dialog is closed before the response, even the right PIN shows nothing.
    await toggle()
    await page.getByText(shellTexts.asksForYourPin).waitFor()
    const right = Promise.withResolvers<void>()
    await page.unroute('**/v1/keystrings/unlock')
    await page.route('**/v1/keystrings/unlock', async route => {
      await right.promise
      await route.continue()
    })
    await toggle()
    await pin.getByLabel(baseTexts.unlockPin).fill('1234')
    const request = page.waitForRequest('**/v1/keystrings/unlock')
    await page.keyboard.press('Enter')
    await request
    await page.keyboard.press('Escape')
    await pin.waitFor({ state: 'detached' })
    const locked = page.waitForResponse('**/v1/keystrings/lock')
    right.resolve()
    await locked
    await page.getByText(shellTexts.asksForYourPin).waitFor()

    // A second PIN before the response to the first shows the items; the first has no effect.
    const first = Promise.withResolvers<void>()
    await page.unroute('**/v1/keystrings/unlock')
    await page.route('**/v1/keystrings/unlock', async route => {
      await first.promise
      await route.continue()
    })
    for (const leave of [true, false]) {
      await toggle()
      await pin.getByLabel(baseTexts.unlockPin).fill('1234')
      await page.keyboard.press('Enter')
      if (!leave) continue
      await page.keyboard.press('Escape')
      await pin.waitFor({ state: 'detached' })
    }
    first.resolve()
    await pin.waitFor({ state: 'detached' })
    await page.getByText('Until there is no input').waitFor()
    await toggle()
    await page.getByText(shellTexts.asksForYourPin).waitFor()

    // A late refusal does not open the dialog again.
    const late = Promise.withResolvers<void>()
    await page.unroute('**/v1/keystrings/unlock')
    await page.route('**/v1/keystrings/unlock', async route => {
      await late.promise
      await route.continue()
    })
    await toggle()
    await pin.getByLabel(baseTexts.unlockPin).fill('9999')
    await page.keyboard.press('Enter')
    const response = page.waitForResponse('**/v1/keystrings/unlock')
    await page.keyboard.press('Escape')
    await pin.waitFor({ state: 'detached' })
    late.resolve()
    await response
    await page.keyboard.press('Escape')
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await dialog(page, 'Edit Profile').waitFor()
    expect(await pin.count()).toBe(0)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('by logging out in another tab leaves no dialog for the next user', async () => {
    const { page, errors } = await open('/')
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
    await page.getByText('Tom Berger').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByText(baseTexts.failedToRenewSession).count()).toBe(0)
    expect(errors).toEqual([])
    await page.context().close()
  })
})

describeWalks('a part of the page', () => {
  test('shows that it could not be loaded, and loads when the server is back', async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    writeFileSync(join(root, '1.jpg'), await picture({ seed: 1 }))
    const server = await startServer(join(directory, 'data'), [root])
    await registerAndSignIn(server)
    const { page } = await openPage(server.address, {
      user: 'ines',
      // Parts are not preloaded, so that their code is missing however slow the machine is.
      before: watched =>
        watched.addInitScript(() => {
          const later = globalThis.setTimeout
          Object.assign(globalThis, {
            setTimeout: (act: () => void, ms?: number) => (ms === 1500 ? 0 : later(act, ms)),
          })
        }),
    })
    const scripts = '**/assets/*.js'
    await page.waitForLoadState('networkidle')
    await page.route(scripts, route => route.abort())

    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.downloadAsSlideshow }).click()
    await page.getByText('Keepsake server is currently not available: This could not be opened').waitFor()
    await page.getByRole('link', { name: baseTexts.worldMap }).click()
    await page.getByRole('heading', { name: 'Keepsake is not responding' }).waitFor()

    await page.unroute(scripts)
    await button(page, 'Try again').click()
    await page.getByLabel(mapTexts.findAPlace).waitFor()
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await dialog(page, 'Edit Profile').waitFor()
    await page.context().close()
    await server.stop()
  })

  longTest('can be cancelled while it loads', async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    writeFileSync(join(root, '1.jpg'), await picture({ seed: 1 }))
    const server = await startServer(join(directory, 'data'), [root])
    await registerAndSignIn(server)
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async route => {
      await held.promise
      await route.continue()
    })
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.editProfile }).click()
    await page.getByRole('status', { name: baseTexts.loading }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('status', { name: baseTexts.loading }).waitFor({ state: 'detached' })
    held.resolve()
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: baseTexts.downloadAsSlideshow }).click()
    await dialog(page, 'Slideshow').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(errors).toEqual([])
    await page.context().close()
    await server.stop()
  })
})
