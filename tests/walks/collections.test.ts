import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { collectionsTexts } from '../../web/texts/collections.ts'
import { jobsTexts } from '../../web/texts/jobs.ts'
import { saverTexts } from '../../web/texts/saver.ts'
import { describeWalks, laptop, openPage, phone } from '../support/browser.ts'
import { longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory, temporaryOnDisk } from '../support/temporary.ts'

temporaryOnDisk()

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The table row of a collection. */
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function choose(page: Page, collection: string, entry: string): Promise<void> {
  await button(page, `More for ${collection}`).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

const serverError = { status: 500, contentType: 'application/json', body: '{"error":"?","code":"unexpected"}' }

describeWalks('the administration of collections', () => {
  let server: RunningServer
  let [root, token] = ['', '']

  beforeAll(async () => {
    const directory = temporaryDirectory()
    root = join(directory, 'pictures')
    for (const [folder, count] of [
      ['phone', 5],
      ['scans', 2],
      ['shoebox', 1],
    ] as const) {
      mkdirSync(join(root, folder), { recursive: true })
      for (let n = 1; n <= count; n++) {
        const exif = takenAt(`2019-0${n}-03 18:58:0${n}`)
        writeFileSync(join(root, folder, `${folder} ${n}.jpg`), await picture({ seed: n + 10 * count, exif }))
      }
    }
    // This one has no date.
    writeFileSync(join(root, 'phone', 'undated.jpg'), await picture({ seed: 99 }))
    server = await startServer(join(directory, 'data'))
    token = await registerAndSignIn(server)
    for (const [username, name] of [
      ['tom', 'Tom Berger'],
      ['mia', 'Mia Ferrer'],
    ] as const) {
      const account = { username, name, email: 'a@b', password: 'secret', unlockPin: '1234' }
      await call('POST', '/v1/users/register', account)
    }
  })
  afterAll(() => server.stop())

  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin: server.address },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }

  /** A page of a signed-in user. */
  async function enter(username: string, path = '/admin/collections', viewport = laptop) {
    return await openPage(server.address + path, { viewport, user: username })
  }

  async function waitForJobs(page: Page): Promise<void> {
    await waitUntil(async () => ((await call('GET', '/v1/job?state=active')).length === 0 ? true : null))
    await waitUntil(async () => ((await page.getByRole('button', { name: /^Stop/ }).count()) === 0 ? true : null))
  }

  test('the form reports invalid input, a folder is chosen, and the new collection is scanned', async () => {
    const { page, errors } = await enter('ines', '/admin/collections?create=true')
    const create = dialog(page, 'Create Collection')
    await create.waitFor()
    // The parameter that opened the form is removed from the address.
    await waitUntil(async () => (new URL(page.url()).search === '' ? true : null))
    const save = create.getByRole('button', { name: baseTexts.save })
    expect(await save.isDisabled()).toBe(true)

    // A field shows no fault until it loses the focus; then the fault follows the input.
    expect(await create.getByRole('alert').count()).toBe(0)
    const path = create.getByLabel(collectionsTexts.path, { exact: true })
    const name = create.getByLabel(baseTexts.name, { exact: true })
    await path.fill('pictures')
    // Only folder and name are asked for; the rest is behind 'More'.
    expect(await create.getByLabel(collectionsTexts.variantsPath, { exact: true }).isVisible()).toBe(false)
    await create.getByText(baseTexts.more, { exact: true }).click()
    await create.getByLabel(collectionsTexts.variantsPath, { exact: true }).fill('edited')
    await name.fill('Ph')
    await path.focus()
    await create.getByText('Name must be more than 2 characters').waitFor()
    expect(await create.getByText('Path is invalid').count()).toBe(2)
    await path.fill('')
    await name.fill('')
    await path.focus()
    await create.getByText(baseTexts.nameIsRequired).waitFor()
    await name.focus()
    await create.getByText('Path is required').waitFor()
    expect(await create.getByText('Path is invalid').count()).toBe(1)
    await create.getByLabel(collectionsTexts.variantsPath, { exact: true }).fill('')

    // The settings of managed collections are shown only while Managed is on.
    expect(await create.getByLabel(collectionsTexts.folderFormat).count()).toBe(0)
    await create.getByRole('switch', { name: collectionsTexts.managed }).click()
    const format = create.getByLabel(collectionsTexts.folderFormat)
    const prefix = create.getByLabel(collectionsTexts.filenamePrefix)
    await prefix.fill('')
    for (const [text, fault] of [
      ['{{', 'Overlapping open brackets'],
      ['Year}', 'Overlapping close brackets'],
      ['{Monht}', 'Invalid token (Monht)'],
      ['{Year', 'Unclosed token'],
      ['a b', 'Invalid characters in path'],
    ] as const) {
      await format.fill(text)
      await prefix.focus()
      await create.getByText(fault, { exact: true }).waitFor()
    }
    await format.focus()
    await create.getByText(collectionsTexts.prefixIsRequired).waitFor()
    await prefix.fill('P_')
    await format.fill('')
    await create.getByRole('button', { name: 'Insert {Year}' }).click()
    await page.keyboard.type('/')
    await create.getByRole('button', { name: 'Insert {MonthName}' }).click()
    expect(await format.inputValue()).toBe('{Year}/{MonthName}')
    await create.getByText('2019/August/P_20190803_185800.jpg').waitFor()

    // The folder is chosen with the keyboard, and the name is filled in.
    await path.fill(root)
    await create.getByRole('button', { name: 'Choose the path' }).click()
    const picker = dialog(page, 'Choose a folder')
    await picker.getByRole('option', { name: 'phone' }).waitFor()
    await waitUntil(async () => ((await picker.locator('[role="listbox"]:focus').count()) === 1 ? true : null))
    await page.keyboard.type('ph')
    await page.keyboard.press('Enter')
    await picker.getByText('No folders in here').waitFor()
    await picker.getByRole('button', { name: 'Select Path' }).click()
    await picker.waitFor({ state: 'detached' })
    expect([await path.inputValue(), await name.inputValue()]).toEqual([join(root, 'phone'), 'phone'])
    await name.fill('Phone uploads')
    await save.click()
    await create.waitFor({ state: 'detached' })

    // A new collection is scanned at once.
    await row(page, 'Phone uploads').getByText(collectionsTexts.upToDate).waitFor()
    await waitUntil(async () =>
      (await row(page, 'Phone uploads').getByRole('cell').nth(2).textContent()) === '6' ? true : null,
    )
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('on a phone a folder is chosen by tapping, and the picker explains why a folder cannot be chosen', async () => {
    const { page, errors } = await enter('ines', '/admin/collections?create=true', phone)
    const create = dialog(page, 'Create Collection')
    // The picker starts at the nearest folder that exists.
    await create.getByLabel(collectionsTexts.path, { exact: true }).fill(join(root, 'scans', 'no', 'such'))
    await create.getByRole('button', { name: 'Choose the path' }).tap()
    const picker = dialog(page, 'Choose a folder')
    const select = picker.getByRole('button', { name: 'Select Path' })
    await picker.getByText('No folders in here').waitFor()
    await picker.getByRole('button', { name: 'Go up' }).tap()
    await picker.getByRole('option', { name: 'shoebox' }).waitFor()
    // The picker does not create folders.
    expect(await picker.getByRole('button', { name: 'New folder' }).count()).toBe(0)
    const known = picker.getByRole('option', { name: 'phone' })
    await known.getByText('Collection Phone uploads').waitFor()
    await known.tap()
    await picker.getByText('This is the collection Phone uploads already').waitFor()
    expect(await select.isDisabled()).toBe(true)
    await picker.getByRole('button', { name: baseTexts.home }).tap()
    await picker.getByText(collectionsTexts.openAFolder).waitFor()
    expect(await select.isDisabled()).toBe(true)
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    await picker.getByRole('button', { name: baseTexts.close }).tap()
    await picker.waitFor({ state: 'detached' })
    await create.getByText(baseTexts.more, { exact: true }).tap()
    await create.getByRole('button', { name: 'Choose the variants path' }).tap()
    await picker.getByRole('option').first().waitFor()
    for (const name of root.split('/').filter(part => part !== '')) {
      await picker.getByRole('searchbox', { name: 'Search here' }).fill(name)
      await picker.getByText('1 items found.').waitFor()
      await picker.getByRole('option', { name, exact: true }).tap()
    }
    await picker.getByRole('option', { name: 'shoebox' }).tap()
    await picker.getByText('No folders in here').waitFor()
    await select.tap()
    expect(await create.getByLabel(collectionsTexts.variantsPath, { exact: true }).inputValue()).toBe(
      join(root, 'shoebox'),
    )
    expect(errors).toEqual([])
    await page.context().close()
  })

  test("shows a refusal at the path field, and other errors as 'Failed to save collection'", async () => {
    const { page } = await enter('ines', '/admin/collections?create=true')
    const create = dialog(page, 'Create Collection')
    await create.getByLabel(collectionsTexts.path, { exact: true }).fill(join(root, 'nothing'))
    await create.getByLabel(baseTexts.name, { exact: true }).fill('Nothing')
    await create.getByRole('button', { name: baseTexts.save }).click()
    await create.getByText(`There is no directory ${join(root, 'nothing')}.`).waitFor()
    await create.getByLabel(collectionsTexts.path, { exact: true }).fill(join(root, 'phone'))
    await create.getByRole('button', { name: baseTexts.save }).click()
    await create.getByText(/overlaps the collection 'Phone uploads'/).waitFor()
    expect(await create.getByLabel(collectionsTexts.path, { exact: true }).getAttribute('aria-invalid')).toBe('true')
    // A refusal of the name is shown at the path field too, until the form changes.
    await create.getByLabel(collectionsTexts.path, { exact: true }).fill(join(root, 'scans'))
    await create.getByLabel(baseTexts.name, { exact: true }).fill('Phone uploads')
    await create.getByRole('button', { name: baseTexts.save }).click()
    await create.getByText("There is already a collection 'Phone uploads'.").waitFor()
    expect(await create.getByLabel(collectionsTexts.path, { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await create.getByLabel(baseTexts.name, { exact: true }).getAttribute('aria-invalid')).toBe('false')
    await create.getByLabel(baseTexts.name, { exact: true }).fill('Nothing')
    expect(await create.getByLabel(collectionsTexts.path, { exact: true }).getAttribute('aria-invalid')).toBe('false')
    await page.route(/\/v1\/collection$/, route =>
      route.request().method() === 'POST' ? route.fulfill(serverError) : route.fallback(),
    )
    await create.getByLabel(collectionsTexts.path, { exact: true }).fill(join(root, 'scans'))
    await create.getByRole('button', { name: baseTexts.save }).click()
    await page.getByRole('alert').getByText(baseTexts.failedToSaveCollection).first().waitFor()
    await page.context().close()
  })

  test('editing a collection keeps its path, saves its switches, and updates another browser', async () => {
    const scans = await call('POST', '/v1/collection', { name: 'Scanned prints', path: join(root, 'scans') })
    await call('PUT', `/v1/collection/scan/${scans.id}`)
    const [{ page, errors }, other] = [await enter('ines'), await enter('ines')]
    await button(page, 'Edit Scanned prints').click()
    const edit = dialog(page, 'Edit Scanned prints')
    const path = edit.getByLabel(collectionsTexts.path, { exact: true })
    expect([await path.inputValue(), await path.getAttribute('readonly')]).toEqual([join(root, 'scans'), ''])
    await edit.getByLabel(baseTexts.name, { exact: true }).fill('Old prints')
    await edit.getByRole('switch', { name: collectionsTexts.readOnly }).click()
    await edit.getByRole('switch', { name: collectionsTexts.keepPeopleAndPlaces }).click()
    await edit.getByText(collectionsTexts.sidecarFiles).click()
    await edit.getByText(collectionsTexts.nothingIsWrittenWhile).waitFor()
    await edit.getByRole('button', { name: baseTexts.save }).click()
    await edit.waitFor({ state: 'detached' })
    // The focus returns to the button.
    await waitUntil(async () =>
      (await page.evaluate('document.activeElement?.getAttribute("aria-label")')) === 'Edit Old prints' ? true : null,
    )
    for (const one of [page, other.page]) await row(one, 'Old prints').getByLabel(collectionsTexts.readOnly).waitFor()
    const [, ...all]: { name: string }[] = await call('GET', '/v1/collection')
    expect(all.find(({ name }) => name === 'Old prints')).toMatchObject({
      readonly: true,
      keepPrivate: true,
      writeBack: 'sidecar',
      managed: false,
    })
    expect([...errors, ...other.errors]).toEqual([])
    await page.context().close()
    await other.page.context().close()
  })

  test('a sort lists all moves first, optionally with guessed dates, and then performs them', async () => {
    const { page, errors } = await enter('ines')
    await waitForJobs(page)
    await choose(page, 'Phone uploads', 'Sort…')
    const sort = dialog(page, 'Sort Phone uploads')
    await sort.getByText('5 items would be moved, 1 would stay where it is.').waitFor()
    await sort.getByText('2019/January/P_20190103_185801.jpg').waitFor()
    await sort.getByText('Stays (1)').click()
    await sort.getByText('Only the date of the file is known.').waitFor()
    await sort.getByRole('switch', { name: collectionsTexts.guessDates }).click()
    await sort.getByText('6 items would be moved.').waitFor()
    await sort.getByRole('switch', { name: collectionsTexts.guessDates }).click()
    await sort.getByRole('button', { name: 'Sort 5 items' }).click()
    await sort.waitFor({ state: 'detached' })
    await page.getByText('5 items sorted').waitFor()
    await page.getByRole('button', { name: baseTexts.undo }).waitFor()
    await waitUntil(async () => (existsSync(join(root, 'phone/2019/May/P_20190503_185805.jpg')) ? true : null))
    await waitForJobs(page)
    expect(readdirSync(join(root, 'phone')).sort()).toEqual(['2019', 'undated.jpg'])

    // A second sort has nothing to do.
    await choose(page, 'Phone uploads', 'Sort…')
    await sort.getByText('Nothing would be moved, 1 would stay where it is.').waitFor()
    expect(await sort.getByRole('button', { name: collectionsTexts.sortNow, exact: true }).isDisabled()).toBe(true)
    await sort.getByRole('button', { name: baseTexts.cancel }).click()
    // After a dialog that was opened from a menu, the focus returns to the button of the menu.
    await waitUntil(async () =>
      (await page.evaluate('document.activeElement?.getAttribute("aria-label")')) === 'More for Phone uploads'
        ? true
        : null,
    )
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('exports and imports metadata, imports another collection, and exports a CSV file', async () => {
    const { page, errors } = await enter('ines')
    await waitForJobs(page)
    await choose(page, 'Phone uploads', 'Export metadata…')
    await dialog(page, 'Export metadata of Phone uploads')
      .getByRole('button', { name: collectionsTexts.exportMetadata })
      .click()
    await waitUntil(async () => ((await call('GET', '/v1/job?state=all'))[0].kind === 'metadata-export' ? true : null))
    await waitForJobs(page)
    await choose(page, 'Phone uploads', 'Import metadata…')
    await dialog(page, 'Import metadata of Phone uploads')
      .getByRole('button', { name: collectionsTexts.importMetadataTitle })
      .click()
    await waitUntil(async () => ((await call('GET', '/v1/job?state=all'))[0].kind === 'metadata-import' ? true : null))
    await waitForJobs(page)

    await choose(page, 'Phone uploads', 'Import from a collection…')
    const copy = dialog(page, 'Import into Phone uploads')
    expect(await copy.getByRole('button', { name: collectionsTexts.import, exact: true }).isDisabled()).toBe(true)
    await copy.getByText('Old prints').click()
    await copy.getByRole('button', { name: collectionsTexts.import, exact: true }).click()
    await waitUntil(async () =>
      (await row(page, 'Phone uploads').getByRole('cell').nth(2).textContent()) === '8' ? true : null,
    )
    await waitForJobs(page)
    // The other collection keeps its files.
    expect(readdirSync(join(root, 'scans'))).toHaveLength(2)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose(page, 'Phone uploads', 'Export as CSV'),
    ])
    expect(download.suggestedFilename()).toBe('Phone uploads.csv')
    const csv = readFileSync(await download.path(), 'utf8')
    expect(csv.split('\n')[0]).toContain('id,path,name,type')
    expect(csv.trimEnd().split('\n')).toHaveLength(9)

    // The menu of a read-only collection has no entries that would change its files.
    await button(page, 'More for Old prints').click()
    await page.getByRole('menuitem', { name: collectionsTexts.importMetadataDialog }).waitFor()
    for (const name of ['Sort…', 'Export metadata…', 'Import from a collection…']) {
      expect(await page.getByRole('menuitem', { name }).count()).toBe(0)
    }
    await page.keyboard.press('Escape')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('each entry of the menu of a collection reports a server error with a message of its own', async () => {
    const { page } = await enter('ines')
    for (const [text, entry, verb, address] of [
      ['Failed to sort collection', 'Sort…', '', /\/v1\/collection\/sort\//],
      ['Failed to import metadata for collection', 'Import metadata…', 'Import metadata', /\/meta\/import\//],
      ['Failed to export metadata for collection', 'Export metadata…', 'Export metadata', /\/meta\/export\//],
      ['Failed to export collection', 'Export as CSV', '', /\/v1\/export\/collection\//],
      ['Failed to import collection', 'Import from a collection…', 'Import', /\/v1\/collection\/import\//],
      ['Failed to delete collection', 'Delete…', 'Delete collection', /\/v1\/collection\/\d+$/],
    ] as const) {
      await page.route(address, route => route.fulfill(serverError))
      await choose(page, 'Phone uploads', entry)
      const shown = page.getByRole('dialog')
      if (verb === 'Import') await shown.getByText('Old prints').click()
      if (verb !== '') await shown.getByRole('button', { name: verb, exact: true }).click()
      await page.getByRole('alert').getByText(text).first().waitFor()
      await page.unroute(address)
      await page.keyboard.press('Escape')
      await shown.waitFor({ state: 'detached' })
    }
    await page.context().close()
  })

  test('changes of access are collected: Cancel discards them, and Save applies them', async () => {
    const { page, errors } = await enter('ines')
    await button(page, 'Access to Old prints').click()
    const access = dialog(page, 'Access to Old prints')
    const groups = ['Scanned prints administrators', 'Scanned prints visitors'] as const
    const group = (name: string) => access.getByRole('region', { name, exact: true })
    const box = (of: string, name: string) => group(of).getByRole('checkbox', { name })
    await group(groups[0]).waitFor()
    const save = access.getByRole('button', { name: baseTexts.save })
    expect(await save.isDisabled()).toBe(true)

    // The only admin group cannot be public or be removed. The group of visitors cannot be admin.
    expect(await box(groups[0], 'Public').isDisabled()).toBe(true)
    expect(await box(groups[1], 'Admin').isDisabled()).toBe(true)
    expect(
      await group(groups[0])
        .getByRole('button', { name: /^Remove the group/ })
        .isDisabled(),
    ).toBe(true)
    // An admin group has all rights, a public group at least View: the boxes of both are fixed.
    for (const name of ['View', 'Create', 'Update']) {
      expect([await box(groups[0], name).isChecked(), await box(groups[0], name).isDisabled()]).toEqual([true, true])
      expect(await box(groups[1], name).isDisabled()).toBe(false)
    }
    await box(groups[1], 'Public').check()
    expect(await box(groups[1], 'View').isChecked()).toBe(true)
    for (const name of ['View', 'Create', 'Update']) expect(await box(groups[1], name).isDisabled()).toBe(true)

    // Users are added by username.
    const username = group(groups[1]).getByLabel('Username to add to Scanned prints visitors')
    await username.fill('nobody')
    await page.keyboard.press('Enter')
    await group(groups[1]).getByText("There is no user 'nobody'.").waitFor()
    await username.fill('mia')
    await page.keyboard.press('Enter')
    await group(groups[1]).getByRole('button', { name: 'Remove mia from Scanned prints visitors' }).waitFor()
    await access.getByText('2 changes').waitFor()

    // Cancel discards all changes.
    await access.getByRole('button', { name: baseTexts.cancel }).click()
    const stored = async () => {
      const found: {
        name: string
        id: number
        access: { id: number; name: string; public: boolean; admin: boolean }[]
      }[] = await call('GET', '/v1/collection')
      return found.find(({ name }) => name === 'Old prints')?.access ?? []
    }
    expect((await stored()).map(one => one.public)).toEqual([false, false])

    // This time a new group with a member is added, and a group is removed.
    await button(page, 'Access to Old prints').click()
    await access.getByRole('button', { name: collectionsTexts.addGroup }).click()
    await page.getByRole('menuitem', { name: collectionsTexts.newGroup }).click()
    const name = access.getByLabel(collectionsTexts.nameOfTheGroup).last()
    await name.fill('Cousins')
    await box('Cousins', 'Admin').check()
    await group('Cousins').getByLabel('Username to add to Cousins').fill('tom')
    await page.keyboard.press('Enter')
    await group(groups[1])
      .getByRole('button', { name: /^Remove the group/ })
      .click()
    await access.getByText('3 changes').waitFor()
    await save.click()
    await access.waitFor({ state: 'detached' })
    const now = await stored()
    expect(now.map(one => [one.name, one.admin])).toEqual([
      ['Scanned prints administrators', true],
      ['Cousins', true],
    ])
    const members: { username: string }[] = await call('GET', `/v1/users/access/${now[1]?.id}`)
    expect(members.map(one => one.username)).toEqual(['tom'])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('shows the members of a group before it is attached, and refuses the group when they have changed', async () => {
    const family = await call('POST', '/v1/access', { group: { name: 'Family', view: true } })
    await call('POST', '/v1/access', { group: { name: 'Empty', view: true } })
    await call('PUT', `/v1/users/access/${family.id}/tom`)
    const { page } = await enter('ines')
    await button(page, 'Access to Old prints').click()
    const access = dialog(page, 'Access to Old prints')
    const attach = async (name: string) => {
      await access.getByRole('button', { name: collectionsTexts.addGroup }).click()
      await page.getByRole('menuitem', { name: `${name} (not used yet)` }).click()
    }
    const group = (name: string) => access.getByRole('region', { name, exact: true })
    await access.getByRole('button', { name: collectionsTexts.addGroup }).waitFor()
    await attach('Empty')
    await group('Empty').getByText(collectionsTexts.nobodyIsInItYet).waitFor()
    await button(page, 'Remove the group Empty').click()
    await attach('Family')
    await group('Family').getByText('1 person is in it, and will get what it allows:').waitFor()
    await group('Family').getByText('Tom Berger (tom)').waitFor()

    await call('PUT', `/v1/users/access/${family.id}/mia`)
    await access.getByRole('button', { name: baseTexts.save }).click()
    await page.getByText("The group 'Family' has changed meanwhile. Check its members again.").first().waitFor()
    await group('Family').waitFor({ state: 'detached' })
    await attach('Family')
    await group('Family').getByText('2 people are in it, and will get what it allows:').waitFor()
    await access.getByRole('button', { name: baseTexts.save }).click()
    await access.waitFor({ state: 'detached' })
    const [, ...all]: { name: string; access: { name: string }[] }[] = await call('GET', '/v1/collection')
    expect(all.find(({ name }) => name === 'Old prints')?.access.map(({ name }) => name)).toContain('Family')
    await page.context().close()
  })

  test('an administrator of one collection cannot create or change collections', async () => {
    const { page, errors } = await enter('tom')
    await row(page, 'Old prints').waitFor()
    expect(await button(page, 'Create Collection').count()).toBe(0)
    await button(page, 'Settings Old prints').click()
    const settings = dialog(page, 'Settings of Old prints')
    await settings.getByText(collectionsTexts.onlyGlobalAdminChanges).waitFor()
    expect(await settings.getByRole('button', { name: baseTexts.save }).count()).toBe(0)
    expect(await settings.getByRole('button', { name: collectionsTexts.delete }).count()).toBe(0)
    expect(await settings.getByLabel(baseTexts.name, { exact: true }).getAttribute('readonly')).toBe('')
    await settings.getByRole('button', { name: baseTexts.close }).last().click()
    await button(page, 'More for Old prints').click()
    await page.getByRole('menuitem', { name: collectionsTexts.exportAsCsv }).waitFor()
    expect(await page.getByRole('menuitem', { name: collectionsTexts.delete }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a scan that misses too many files stops, and marks them missing only after a confirmation', async () => {
    const many = join(root, 'many')
    mkdirSync(many)
    const bytes = [await picture({ seed: 1 }), await picture({ seed: 2 })]
    // The appended number makes every file different; decoders ignore it.
    for (let n = 0; n < 60; n++) {
      writeFileSync(join(many, `${n}.jpg`), Buffer.concat([bytes[n % 2] ?? Buffer.alloc(0), Buffer.from(`${n}`)]))
    }
    const created = await call('POST', '/v1/collection', { name: 'Many', path: many })
    await call('PUT', `/v1/collection/scan/${created.id}`)
    const { page, errors } = await enter('ines')
    await waitUntil(async () =>
      (await row(page, 'Many').getByRole('cell').nth(2).textContent()) === '60' ? true : null,
    )
    await waitForJobs(page)
    for (let n = 0; n < 55; n++) rmSync(join(many, `${n}.jpg`))
    await button(page, 'Scan Many').click()
    const stop = page.getByRole('alert').filter({ hasText: 'Scan of Many stopped' })
    await stop.getByText('The scan of Many stopped: 55 items were not there.').waitFor()
    await row(page, 'Many').getByText(adminTexts.stopped).waitFor()
    await stop.getByRole('button', { name: collectionsTexts.showTheFiles }).click()
    const files = dialog(page, 'Files of Many that were not there')
    await files.getByText('17.jpg').waitFor()
    await page.keyboard.press('Escape')
    await stop.getByRole('button', { name: 'Mark 55 items missing' }).click()
    await dialog(page, 'Mark 55 items missing').getByRole('button', { name: 'Mark 55 items missing' }).click()
    await waitUntil(async () =>
      (await row(page, 'Many').getByRole('cell').nth(2).textContent()) === '5' ? true : null,
    )
    await stop.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('shows a job in the row of its collection, with its progress, and can stop it', async () => {
    const { page, errors } = await enter('ines')
    await row(page, 'Many').waitFor()
    await waitForJobs(page)
    // A mocked running job: a real one may be finished before the page shows it.
    const job = {
      id: 4711,
      kind: 'metadata-export',
      collection_id: (await call('GET', '/v1/collection')).find(({ name }: { name: string }) => name === 'Many').id,
      state: 'running',
      done: 20,
      total: 80,
      message: 'trips/17.jpg',
      counts: { written: 18, skipped: 2 },
      problems: 0,
      error: null,
      created: Date.now(),
      started: Date.now(),
      finished: null,
    }
    await page.route(/\/v1\/job\?state=active/, route => route.fulfill({ json: [job] }))
    await page.route(/\/v1\/job\/4711$/, route => route.fulfill({ json: { ...job, state: 'cancelled' } }))
    let cancelRequests = 0
    await page.route(/\/v1\/job\/4711\/cancel$/, route => {
      cancelRequests++
      return route.fulfill({ json: job })
    })
    await page.reload()
    await row(page, 'Many').getByText('Writing metadata, 25 %').waitFor()
    const bar = page.getByRole('progressbar', { name: 'Writing metadata' })
    expect(await bar.getAttribute('aria-valuenow')).toBe('25')
    await page.getByText('of 80 items').waitFor()
    await page.getByText('18 written, 2 left as they are').waitFor()
    await page.getByText('trips/17.jpg').waitFor()
    await button(page, 'Stop: Metadata export of Many').click()
    await waitUntil(async () => (cancelRequests === 1 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('screens that could not be loaded load again by themselves', async () => {
    const { page } = await enter('ines')
    const { items } = await call('GET', '/v1/item/list/0?limit=1')
    const [{ id, name }] = items
    const [, { name: first }] = await call('GET', '/v1/collection')
    const heading = (text: string) => (shown: Page) => shown.getByRole('heading', { name: text })
    const screens: [string, string, (shown: Page) => Locator][] = [
      ['/admin/collections', '/v1/collection', shown => row(shown, first)],
      ['/screen-saver', '/v1/screensaver', shown => shown.getByRole('combobox', { name: saverTexts.screenSaver })],
      [`/admin/metadata?items=${id}`, `/v1/item/${id}`, heading(name)],
      ['/admin/files', '/v1/files', shown => shown.getByRole('listbox').getByRole('option').first()],
      ['/admin/duplicates', '/v1/collection', heading(baseTexts.duplicates)],
      ['/admin/manage', '/v1/collection', heading(baseTexts.management)],
      ['/admin/faces', '/v1/collection', heading(baseTexts.unnamedFaces)],
      ['/admin/jobs', '/v1/collection', heading(baseTexts.jobs)],
      ['/admin/jobs?tab=problems', '/v1/problem/0', shown => shown.getByText(jobsTexts.noProblems)],
    ]
    // Each screen waits for its next attempt, so they are opened side by side.
    await Promise.all(
      screens.map(async ([path, requested, contentOf]) => {
        const shown = await page.context().newPage()
        const again = shown.getByRole('button', { name: baseTexts.tryAgain })
        let isDown = true
        await shown.route(
          ({ pathname }) => pathname === requested,
          route => (isDown ? route.fulfill({ status: 503, body: '<html>' }) : route.fallback()),
        )
        await shown.goto(server.address + path)
        await again.first().waitFor()
        await shown
          .getByText(/Unknown server error/)
          .first()
          .waitFor()
        isDown = false
        await waitUntil(async () => ((await again.count()) === 0 ? true : null))
        await contentOf(shown).waitFor()
      }),
    )
    await page.context().close()
  })

  test('shows cards and a menu sheet on a phone; deleting a collection keeps its files', async () => {
    await call('POST', '/v1/collection', { name: 'Shoebox', path: join(root, 'shoebox') })
    const { page, errors } = await enter('ines', '/admin/collections', phone)
    const card = page.getByRole('listitem').filter({ hasText: 'Shoebox' })
    await card.waitFor()
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    await card.getByText(collectionsTexts.notScanned).waitFor()
    await button(page, 'Scan Shoebox').click()
    await card.getByText(collectionsTexts.upToDate).waitFor()
    await waitUntil(async () => ((await call('GET', '/v1/job?state=active')).length === 0 ? true : null))
    await choose(page, 'Shoebox', 'Delete…')
    const question = dialog(page, 'Delete Shoebox')
    await question.getByText('The one item of Shoebox leaves the library').waitFor()
    await question.getByText(/The files in .*shoebox are not touched\./).waitFor()
    await question.getByRole('button', { name: collectionsTexts.deleteCollection }).click()
    await card.waitFor({ state: 'detached' })
    expect(readdirSync(join(root, 'shoebox'))).toEqual(['shoebox 1.jpg'])
    expect(errors).toEqual([])
    await page.context().close()
  })
})
