import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { person } from '../../schema/api/people.ts'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { usersTexts } from '../../web/texts/admin/users.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { describeWalks, openPage, phone } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** The rows without the header. */
const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

async function waitForRows(page: Page, table: string, expected: number): Promise<void> {
  await waitUntil(async () => ((await rows(page, table).count()) === expected ? true : null))
}

describeWalks('management', () => {
  let server: RunningServer
  let [data, root, token] = ['', '', '']
  beforeAll(async () => {
    const directory = temporaryDirectory()
    data = join(directory, 'data')
    root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 24; n++) {
      const day = String(n).padStart(2, '0')
      writeFileSync(join(root, `${day}.jpg`), await picture({ seed: n, exif: takenAt(`2019-08-${day} 12:00:00`) }))
    }
    cpSync(join(import.meta.dir, '../../plugins/sample-statistics'), join(data, 'plugins', 'statistics'), {
      recursive: true,
    })
    server = await startServer(data, [root])
    token = await registerAndSignIn(server)
    await waitUntil(async () => ((await listItems('list')).size === 24 ? true : null))
    await waitUntil(async () => ((await requestJson('GET', '/v1/job?state=active')).length === 0 ? true : null))
  })
  afterAll(() => server.stop())

  const call = (method: string, path: string, body?: unknown) =>
    fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const requestJson = async (method: string, path: string, body?: unknown) => {
    const text = await (await call(method, path, body)).text()
    return text === '' ? null : JSON.parse(text)
  }
  /** The ids of the listed items, by file name. */
  async function listItems(what: 'list' | 'deleted' | 'missing'): Promise<Map<string, number>> {
    const { items }: { items: { id: number; name: string }[] } = await requestJson(
      'GET',
      `/v1/item/${what}/0?limit=100`,
    )
    return new Map(items.map(({ id, name }) => [name, id]))
  }
  const remove = async (...names: string[]) => {
    const ids = await listItems('list')
    for (const name of names) await call('DELETE', `/v1/item/${ids.get(name)}`)
  }
  const people = async () => person.array().parse(await requestJson('GET', '/v1/person'))

  async function open(path: string, options: { viewport?: { width: number; height: number } } = {}) {
    const watched = await openPage(server.address + path, { ...options, user: 'ines' })
    return watched
  }

  describe('the recycle bin', () => {
    test('shows newly recycled items at once, restores them, and deletes them for good after a question', async () => {
      const { page, errors } = await open('/admin/manage')
      await page.getByText(managementTexts.recycleBinIsEmpty).waitFor()

      // Eleven pictures are deleted elsewhere: they appear without a reload, ten on a page.
      await remove(...Array.from({ length: 11 }, (_, n) => `${String(n + 1).padStart(2, '0')}.jpg`))
      await page.getByText('11 items').waitFor()
      await waitForRows(page, 'Recycle Bin', 10)
      expect(await page.getByRole('columnheader', { name: managementTexts.deletionTimeText }).count()).toBe(1)
      expect(await rows(page, 'Recycle Bin').first().textContent()).toContain('in 30 days')
      await page.getByLabel(baseTexts.itemsPerPage).selectOption('50')
      await waitForRows(page, 'Recycle Bin', 11)

      // One is restored.
      await button(page, 'Restore 03.jpg').click()
      await waitForRows(page, 'Recycle Bin', 10)
      expect((await listItems('list')).has('03.jpg')).toBe(true)

      // One is deleted for good, after the question was cancelled once.
      await button(page, 'Delete 04.jpg').click()
      await dialog(page, 'Delete').getByText(baseTexts.deleteQuestion).waitFor()
      await page.keyboard.press('Escape')
      await dialog(page, 'Delete').waitFor({ state: 'detached' })
      expect(existsSync(join(root, '04.jpg'))).toBe(true)
      await button(page, 'Delete 04.jpg').click()
      await dialog(page, 'Delete').getByRole('button', { name: baseTexts.delete, exact: true }).click()
      await waitForRows(page, 'Recycle Bin', 9)
      expect(existsSync(join(root, '04.jpg'))).toBe(false)
      // The focus moves to the same button of another row.
      const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
      await waitUntil(async () => (String(await focused()).startsWith('Delete ') ? true : null))

      await button(page, 'Delete all').click()
      await dialog(page, 'Delete all').getByText('Are you sure you wish to delete these 9 items').waitFor()
      await dialog(page, 'Delete all').getByRole('button', { name: managementTexts.deleteAll }).click()
      await page.getByText(managementTexts.recycleBinIsEmpty).waitFor()
      await page.getByText('9 items deleted for good').waitFor()
      expect([existsSync(join(root, '05.jpg')), existsSync(join(root, '03.jpg'))]).toEqual([false, true])
      expect(errors).toEqual([])
      await page.context().close()
    })

    test('is a list of cards on a phone', async () => {
      const { page, errors } = await open('/admin/manage', { viewport: phone })
      await remove('03.jpg')
      const cards = page.getByRole('list', { name: managementTexts.recycleBin }).getByRole('listitem')
      await waitUntil(async () => ((await cards.count()) === 1 ? true : null))
      expect(await cards.first().textContent()).toMatch(/03\.jpg[\s\S]*Will be deleted\s*in 30 days/)
      const box = await button(page, 'Restore 03.jpg').boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
      await button(page, 'Restore 03.jpg').click()
      await page.getByText(managementTexts.recycleBinIsEmpty).waitFor()
      expect(errors).toEqual([])
      await page.context().close()
    })
  })

  test('missing items appear, come back, and are removed one by one or all at once', async () => {
    const { page, errors } = await open('/admin/manage')
    await page.getByRole('tab', { name: managementTexts.missingItems }).click()
    expect(new URL(page.url()).search).toBe('?tab=missing-items')
    await page.getByText(managementTexts.noMissingItems).waitFor()

    for (const name of ['20.jpg', '21.jpg', '22.jpg', '23.jpg']) renameSync(join(root, name), join(data, name))
    expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    await waitForRows(page, 'Missing Items', 4)

    // A file that a scan finds again is not missing any more.
    renameSync(join(data, '23.jpg'), join(root, '23.jpg'))
    expect((await runCommand(['--data', data, 'scan', '--all'])).code).toBe(0)
    await waitForRows(page, 'Missing Items', 3)

    await button(page, 'Remove 20.jpg').click()
    await dialog(page, 'Remove').getByText(baseTexts.deleteQuestion).waitFor()
    await dialog(page, 'Remove').getByRole('button', { name: baseTexts.remove, exact: true }).click()
    await waitForRows(page, 'Missing Items', 2)

    // The file of one item comes back before a scan: the item is shown again instead of being removed.
    renameSync(join(data, '21.jpg'), join(root, '21.jpg'))
    await button(page, 'Remove all').click()
    await dialog(page, 'Remove all').getByText('Are you sure you wish to delete these 2 items').waitFor()
    await dialog(page, 'Remove all').getByRole('button', { name: managementTexts.removeAll }).click()
    await page.getByText(managementTexts.noMissingItems).waitFor()
    await page.getByText('The file of 1 item is there again').waitFor()
    expect((await listItems('list')).has('21.jpg')).toBe(true)
    expect(errors).toEqual([])
    await page.context().close()
  })

  describe('people', () => {
    test('are shown fifteen a page, have names over time, and always keep one name', async () => {
      for (let n = 1; n <= 17; n++)
        await call('POST', '/v1/person', { names: [`Person ${String(n).padStart(2, '0')}`] })
      const { page, errors } = await open('/admin/manage?tab=people')
      await waitForRows(page, 'People', 15)
      await button(page, 'Page 2').click()
      await waitForRows(page, 'People', 2)

      // Some letters of a name find the person.
      await page.getByLabel(managementTexts.findAPerson).fill('son 03')
      await waitForRows(page, 'People', 1)
      await button(page, 'Edit Person 03').click()
      const form = dialog(page, 'Person 03')
      expect(await form.getByRole('button', { name: 'Remove the name Person 03' }).isDisabled()).toBe(true)
      await form.getByText(managementTexts.lastNameStays).waitFor()
      for (const [label, last] of [
        ['Birthdate', `${new Date().getFullYear()}-12-31`],
        ['From', '2050-12-31'],
        ['Until', '2050-12-31'],
      ] as const) {
        const input = form.getByLabel(label, { exact: true })
        expect([await input.getAttribute('min'), await input.getAttribute('max')]).toEqual(['1700-01-01', last])
      }

      // Adds a second name from a date on.
      await form.getByLabel(managementTexts.birthdate).fill('1981-04-05')
      await form.getByLabel(managementTexts.until).fill('2010-06-11')
      await form.getByRole('button', { name: managementTexts.addAName }).click()
      const second = form.getByRole('group', { name: 'Name 2' })
      await second.getByLabel(baseTexts.name, { exact: true }).fill('Married 03')
      await second.getByLabel(managementTexts.fromDay).fill('1699-01-01')
      await second.getByText('Years are 1700 to 2050').waitFor()
      expect(await form.getByRole('button', { name: baseTexts.save }).isDisabled()).toBe(true)
      await second.getByLabel(managementTexts.fromDay).fill('2010-06-12')
      await form.getByRole('button', { name: baseTexts.save }).click()
      await form.waitFor({ state: 'detached' })
      await page.getByText('Married 03 since 12 June 2010').waitFor()
      await page.getByText('Person 03 until 11 June 2010').waitFor()
      const saved = (await people()).find(({ names }) => names.some(({ name }) => name === 'Married 03'))
      expect(saved?.birthdate).toBe('1981-04-05')
      expect(saved?.names[0]?.active_to).toBe(Date.UTC(2010, 5, 12) / 1000)

      // A name that is added elsewhere appears here.
      await call('POST', `/v1/person/${saved?.id}/names`, { name: 'Stage name 03' })
      await page.getByText('Stage name 03').waitFor()
      expect(errors).toEqual([])
      await page.context().close()
    })

    test('can be merged, and the merge can be undone', async () => {
      const known = await people()
      const idOf = (name: string) => known.find(({ names }) => names[0]?.name === name)?.id
      const items = await listItems('list')
      const region = (item: string, name: string) =>
        requestJson('POST', `/v1/item/${items.get(item)}/tag/People/object`, {
          data: { person: idOf(name), x: 100, y: 100, width: 50, height: 50 },
        })
      await region('14.jpg', 'Person 01')
      await region('15.jpg', 'Person 02')

      const { page, errors } = await open('/admin/manage?tab=people')
      await button(page, 'Merge Person 01').click()
      const merge = dialog(page, 'Merge Person 01')
      expect(await merge.getByRole('button', { name: adminTexts.merge }).isDisabled()).toBe(true)
      await merge.getByLabel(managementTexts.whoIsTheSamePerson).fill('person 02')
      await merge.getByRole('radio').check()
      await merge.getByText(/Person 01 stays and takes over the 1 item/).waitFor()
      await merge.getByRole('button', { name: adminTexts.merge }).click()
      await button(page, 'Edit Person 02').waitFor({ state: 'detached' })
      await waitUntil(async () =>
        (await people()).find(({ id }) => id === idOf('Person 01'))?.itemcount === 2 ? true : null,
      )

      await button(page, 'Undo').click()
      await button(page, 'Edit Person 02').waitFor()
      await waitUntil(async () =>
        (await people()).find(({ id }) => id === idOf('Person 02'))?.itemcount === 1 ? true : null,
      )
      expect(errors).toEqual([])
      await page.context().close()
    })

    test('are exported as people.json, and people on no item are removed', async () => {
      const { page, errors } = await open('/admin/manage?tab=people')
      const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()])
      expect(file.suggestedFilename()).toBe('people.json')
      expect(readFileSync(await file.path(), 'utf8')).toContain('Married 03')

      await button(page, 'Remove unused').click()
      await dialog(page, 'Remove unused people').getByRole('button', { name: managementTexts.removeUnused }).click()
      await waitForRows(page, 'People', 2)
      expect((await people()).map(({ names }) => names[0]?.name)).toEqual(['Person 01', 'Person 02'])
      expect(errors).toEqual([])
      await page.context().close()
    })
  })

  test('plugins are switched on and off, and their options are set; a secret is never shown', async () => {
    const { page, errors } = await open('/admin/manage?tab=plugins')
    const toggle = page.getByRole('switch', { name: 'Statistics' })
    expect(await toggle.isChecked()).toBe(false)
    await toggle.click()
    await waitUntil(async () => ((await toggle.isChecked()) ? true : null))
    const [plugin]: { id: number; active: boolean }[] = await requestJson('GET', '/v1/plugin/list')
    expect(plugin?.active).toBe(true)

    // Each option has a field for its type, in a tree of names.
    await button(page, 'Options Statistics').click()
    const form = dialog(page, 'Options of Statistics')
    const years = form.getByRole('group', { name: 'Years' })
    await form.getByLabel('Heading of the screen').fill('Numbers')
    await years.getByLabel('Order of the years').selectOption('oldest first')
    await years.getByRole('switch', { name: 'Show years without pictures' }).check()
    const most = form.getByLabel('Pictures that the report looks at')
    await most.fill('many')
    await form.getByText(managementTexts.notANumber).waitFor()
    expect(await form.getByRole('button', { name: baseTexts.save }).isDisabled()).toBe(true)
    await most.fill('500')
    const key = form.getByLabel('Key that reports are signed with')
    expect(await key.getAttribute('type')).toBe('password')
    await key.fill('hunter2')
    await form.getByRole('button', { name: baseTexts.save }).click()
    await form.waitFor({ state: 'detached' })
    expect(await requestJson('GET', `/v1/plugin/${plugin?.id}/options`)).toMatchObject({
      values: { title: 'Numbers', years: { order: 'oldest first', empty: true }, cameras: { most: 500 } },
      secrets: ['cameras.key'],
    })

    // A secret is shown only as set, and can be cleared.
    await button(page, 'Options Statistics').click()
    await form.getByText(managementTexts.secretSet).waitFor()
    expect(await key.inputValue()).toBe('')
    await form.getByRole('button', { name: adminTexts.forget }).click()
    await form.getByRole('button', { name: baseTexts.save }).click()
    await form.waitFor({ state: 'detached' })
    expect(await requestJson('GET', `/v1/plugin/${plugin?.id}/options`)).toMatchObject({ secrets: [] })

    // The page shows that the plugin was switched off by another client.
    await call('POST', `/v1/plugin/${plugin?.id}/toggle`, { active: false })
    await waitUntil(async () => ((await toggle.isChecked()) ? null : true))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('each failure shows its specified message', async () => {
    const { page } = await open('/admin/manage?tab=plugins')
    const refuse = (path: string) =>
      page.route(path, route =>
        route.request().method() === 'GET' && path.endsWith('toggle')
          ? route.fallback()
          : route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"?","code":"unexpected"}' }),
      )
    const closeError = async (text: string) => {
      await page.getByRole('alert').filter({ hasText: text }).waitFor()
      await page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: baseTexts.close }).click()
    }
    await refuse('**/v1/plugin/*/toggle')
    await page.getByRole('switch', { name: 'Statistics' }).click()
    await closeError('Failed to toggle plugin')
    expect(await page.getByRole('switch', { name: 'Statistics' }).isChecked()).toBe(false)

    await refuse('**/v1/plugin/*/options')
    await button(page, 'Options Statistics').click()
    await closeError('Failed to load plugin options')
    await page.keyboard.press('Escape')
    await page.unroute('**/v1/plugin/*/options')
    await button(page, 'Options Statistics').click()
    await dialog(page, 'Options of Statistics').getByLabel('Heading of the screen').fill('Other')
    await refuse('**/v1/plugin/*/options')
    await dialog(page, 'Options of Statistics').getByRole('button', { name: baseTexts.save }).click()
    await closeError('Failed to save plugin options')
    await page.keyboard.press('Escape')

    await page.getByRole('tab', { name: baseTexts.people }).click()
    await refuse('**/v1/export/people')
    await button(page, 'Export').click()
    await closeError('Failed to export people')
    await refuse('**/v1/person/unused')
    await button(page, 'Remove unused').click()
    await dialog(page, 'Remove unused people').getByRole('button', { name: managementTexts.removeUnused }).click()
    await closeError('Failed to remove unused people')
    await page.keyboard.press('Escape')

    await refuse('**/v1/person')
    await page.reload()
    await closeError('Failed to load person data')
    await page.unroute('**/v1/person')
    await waitForRows(page, 'People', 2)

    await refuse('**/v1/users')
    await page.goto(`${server.address}/admin/users`)
    await closeError('Unable to load users')
    await page.context().close()
  })

  describe('users', () => {
    const member = {
      username: 'kenji',
      name: '田中 健二',
      email: 'k@example.org',
      password: 'secret',
      unlockPin: '1234',
    }
    const post = (path: string, body: unknown) =>
      fetch(server.address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.address },
        body: JSON.stringify(body),
      })
    const login = async (password: string) => (await post('/v1/users/login', { username: 'kenji', password })).status

    test('are disabled and enabled, get a new password, lose their sessions, and become global admins', async () => {
      expect((await post('/v1/users/register', member)).status).toBe(201)
      expect(await login('secret')).toBe(200)
      const { page, errors } = await open('/admin/users')
      const row = rows(page, 'Users').filter({ hasText: 'kenji' })
      const choose = async (entry: string) => {
        await button(page, 'More for kenji').click()
        await page.getByRole('menuitem', { name: entry }).click()
      }
      const confirm = (title: string, action = title) =>
        dialog(page, title).getByRole('button', { name: action, exact: true }).click()
      await row.getByText('田中 健二').waitFor()

      await choose('Disable')
      await confirm('Disable')
      await row.getByText(usersTexts.disabled).waitFor()
      expect(await login('secret')).toBe(401)
      await choose('Enable')
      await row.getByText(usersTexts.active).waitFor()
      expect(await login('secret')).toBe(200)

      // A change that is made elsewhere appears without a reload.
      const all: { id: number; username: string }[] = await requestJson('GET', '/v1/users')
      const id = all.find(({ username }) => username === 'kenji')?.id
      await call('PUT', `/v1/users/${id}/disabled`, { disabled: true })
      await row.getByText(usersTexts.disabled).waitFor()
      await call('PUT', `/v1/users/${id}/disabled`, { disabled: false })
      await row.getByText(usersTexts.active).waitFor()

      await choose('Reset password')
      const reset = dialog(page, 'Reset password of kenji')
      await reset.getByRole('button', { name: baseTexts.reset }).click()
      await reset.getByText(usersTexts.passwordOrPinNeeded).waitFor()
      await reset.getByLabel(baseTexts.newPassword).fill('another')
      await reset.getByRole('button', { name: baseTexts.reset }).click()
      await reset.waitFor({ state: 'detached' })
      expect([await login('secret'), await login('another')]).toEqual([401, 200])

      await page.reload()
      await choose('End sessions')
      await confirm('End sessions')
      await page.getByText('1 session of kenji ended').waitFor()
      // A user without sessions may still have devices and scripts to sign out.
      await choose('End sessions')
      await page.getByRole('dialog').getByText('Devices and scripts are signed out, too').waitFor()
      await confirm('End sessions')
      await page.getByText('0 sessions of kenji ended').waitFor()

      await choose('Make global admin')
      await confirm('Make global admin')
      await row.getByText(usersTexts.globalAdmin).waitFor()
      await choose('Remove global admin')
      await confirm('Remove global admin', 'Remove')
      await row.getByText(usersTexts.active).waitFor()
      expect(errors).toEqual([])

      // The last global admin must stay one, and nobody can disable themselves.
      await button(page, 'More for ines').click()
      expect(await page.getByRole('menuitem', { name: usersTexts.disable }).count()).toBe(0)
      await page.getByRole('menuitem', { name: usersTexts.removeGlobalAdmin }).click()
      await confirm('Remove global admin', 'Remove')
      await page.getByText(/ines is the last global admin/).waitFor()
      await page.context().close()
    })

    test('are shown to global admins only; other users have no menu entry for them', async () => {
      const { page, errors } = await openPage(server.address)
      const response = await post('/v1/users/login', { username: 'kenji', password: 'another' })
      await page.evaluate(`localStorage.setItem('keepsake.session', ${JSON.stringify(await response.text())})`)
      await page.goto(`${server.address}/admin/users`)
      await page.getByRole('link', { name: baseTexts.management }).waitFor()
      await page.getByText('Only a global administrator sees the accounts').waitFor()
      expect(await page.getByRole('link', { name: baseTexts.users }).count()).toBe(0)
      expect(await page.getByRole('table').count()).toBe(0)
      await page.goto(`${server.address}/admin/manage?tab=people`)
      await page.getByText('No people yet').waitFor()
      expect(await button(page, 'Remove unused').count()).toBe(0)
      expect(errors).toEqual([])
      await page.context().close()
    })
  })
})
