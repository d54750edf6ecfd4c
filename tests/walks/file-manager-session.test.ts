import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describeWalks } from '../support/browser.ts'
import { button, dialog, dragHandle, fileEntry, holdRequests, openFileManager } from '../support/files-page.ts'
import { longTest } from '../support/long.ts'
import { picture } from '../support/pictures.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory, temporaryOnDisk } from '../support/temporary.ts'

temporaryOnDisk()

describeWalks('the file manager when a session ends', () => {
  let server: RunningServer
  let root = ''
  /** One page for all tests; each closes what it opened. */
  let page: Page

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    mkdirSync(join(root, 'inner'), { recursive: true })
    writeFileSync(join(root, 'photo.jpg'), await picture({ seed: 1, width: 1200, height: 800 }))
    writeFileSync(join(root, 'notes.txt'), 'words')
    server = await startServer(join(directory, 'data'), [root])
    await waitForScans(server, await registerAndSignIn(server))
    ;({ page } = await enter())
  })
  afterAll(() => server.stop())

  const enter = () => openFileManager(server, { first: 'photo.jpg' })
  const closeDialog = async (page: Page) => {
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  const login = (page: Page) => page.getByRole('dialog', { name: 'Login', exact: true })
  const fileDialog = (page: Page) => page.locator('dialog.fm-dialog')

  /** Ends the session of the page, as a logout on another device would. */
  async function endSession(page: Page) {
    const { token }: { token: string } = JSON.parse(
      String(await page.evaluate("localStorage.getItem('keepsake.session')")),
    )
    await fetch(`${server.address}/v1/users/logout`, {
      headers: { authorization: `Bearer ${token}`, origin: server.address },
    })
  }

  async function logIn(page: Page) {
    await login(page).waitFor()
    await login(page).getByLabel('Username').fill('ines')
    await login(page).getByLabel('Password').fill('secret')
    await page.keyboard.press('Enter')
    await login(page).waitFor({ state: 'detached' })
  }

  /** Uploads five files. The server stores the first two, but their responses are held back. */
  async function startUploads(page: Page, prefix: string) {
    await button(page, 'Upload').click()
    const names = ['a', 'b', 'c', 'd', 'e'].map(letter => `${prefix} ${letter}.txt`)
    await page.setInputFiles(
      'input[type=file]',
      names.map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })),
    )
    const statuses: number[] = []
    page.on('response', response => {
      if (new URL(response.url()).searchParams.get('q') === 'upload') statuses.push(response.status())
    })
    const held = await holdRequests(page, 'upload')
    await fileDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
    const routes = [await held.request(0), await held.request(1)]
    const responses = await Promise.all(routes.map(route => route.fetch()))
    return {
      respond: async (which: number) => {
        const response = responses[which]
        if (response !== undefined) await routes[which]?.fulfill({ response })
      },
      held,
      statuses,
      waitForDone: (count: number) =>
        waitUntil(async () =>
          (await fileDialog(page).locator('[data-state="done"]').count()) === count ? true : null,
        ),
      countUploaded: () => readdirSync(root).filter(name => name.startsWith(prefix)).length,
    }
  }

  test('waiting uploads use the new session after a login', async () => {
    const { respond, held, waitForDone, countUploaded, statuses } = await startUploads(page, 'since')
    await endSession(page)
    await logIn(page)
    await respond(0)
    await respond(1)
    await held.release()
    await waitForDone(5)
    expect([countUploaded(), statuses]).toEqual([5, [200, 200, 200, 200, 200]])
    expect(await fileDialog(page).locator('form').getByRole('alert').count()).toBe(0)
    await closeDialog(page)
  })

  test('waiting uploads are not sent before the login', async () => {
    const { respond, held, waitForDone, countUploaded, statuses } = await startUploads(page, 'under')
    await endSession(page)
    await login(page).waitFor()
    await respond(0)
    await waitForDone(1)
    await respond(1)
    await waitForDone(2)
    await held.release()
    expect([countUploaded(), statuses]).toEqual([2, [200, 200]])
    await logIn(page)
    await waitForDone(5)
    expect([countUploaded(), statuses]).toEqual([5, [200, 200, 200, 200, 200]])
    await closeDialog(page)
  })

  test('a picture that was refused before the login loads after it', async () => {
    await fileEntry(page, 'photo.jpg').locator('img[data-loaded="true"]').waitFor()
    const held = await holdRequests(page, 'preview')
    await dragHandle(page, 'photo.jpg').dblclick()
    const route = await held.request()
    await fileDialog(page).waitFor()
    await endSession(page)
    await login(page).waitFor()
    await route.continue()
    await held.release()
    await logIn(page)
    await fileDialog(page).locator('.fm-stage img').and(page.locator(':visible')).waitFor()
    await button(fileDialog(page), 'Edit').and(page.locator(':enabled')).waitFor()
    expect(await fileDialog(page).locator('form').getByRole('alert').count()).toBe(0)
    await closeDialog(page)
  })

  longTest('a repeated request is repeated again when the session ends again', async () => {
    await dragHandle(page, 'notes.txt').click()
    await page.keyboard.press('F2')
    await dialog(page).getByRole('textbox').fill('other.txt')
    const held = await holdRequests(page, 'rename')
    await page.keyboard.press('Enter')
    for (const time of [0, 1]) {
      const route = await held.request(time)
      await endSession(page)
      await login(page).waitFor()
      await route.continue()
      await logIn(page)
    }
    await (await held.request(2)).continue()
    await held.release()
    await fileEntry(page, 'other.txt').waitFor()
    // The list may be updated by an event before the response arrives.
    await dialog(page).waitFor({ state: 'detached' })
    expect(readFileSync(join(root, 'other.txt'), 'utf8')).toBe('words')
  })

  longTest('the folders of the folder chooser load after the login', async () => {
    await page.goto(`${server.address}/admin/collections`)
    await button(page, 'Create Collection').click()
    await page.route(
      '**/v1/paths*',
      async route => {
        await endSession(page)
        await route.continue()
      },
      { times: 1 },
    )
    await button(page, 'Choose the path').click()
    await logIn(page)
    const picker = page.getByRole('dialog', { name: 'Choose a folder' })
    await picker.locator('[role="option"]').first().waitFor()
    expect(await picker.locator('.modal-sheet').getByText('Sign in first.').count()).toBe(0)
  })
})
