import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright'
import { systemClock } from '../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import type { FaceGroup } from '../../schema/api/faces.ts'
import type { Item } from '../../schema/api/items.ts'
import type { Job } from '../../schema/api/jobs.ts'
import type { Person } from '../../schema/api/people.ts'
import { managementTexts } from '../../web/texts/admin/management.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { peopleTexts } from '../../web/texts/people.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { addDetectedFaces, type FaceOptions } from '../support/faces.ts'
import { longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const pictureCount = 16
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const groups = (page: Page) => page.getByRole('region', { name: /^Group of/ })
const group = (page: Page, faces: number) => page.getByRole('region', { name: `Group of ${faces} face` })
const face = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(`^Face on ${name}, `) })
const toast = (page: Page, text: string) => page.locator('.toasts').getByText(text)

/** A server whose pictures show no faces: `replaceFaces` writes made-up ones into its database. */
interface TestServer {
  server: RunningServer
  data: string
  ids: number[]
  requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result>
}

async function openTestServer(): Promise<TestServer> {
  const directory = temporaryDirectory()
  const root = join(directory, 'pictures')
  mkdirSync(root)
  for (let n = 1; n <= pictureCount; n++) {
    const exif = takenAt(`${n <= 8 ? 2009 : 2019}-08-${String(n).padStart(2, '0')} 12:00:00`)
    writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif, width: 800, height: 600 }))
  }
  const data = join(directory, 'data')
  const server = await startServer(data, [root])
  const token = await registerAndSignIn(server)
  async function requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(server.address + path, { method, headers, body: JSON.stringify(body) ?? null })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? JSON.parse('null') : JSON.parse(text)
  }
  const idle = () =>
    waitUntil(async () => ((await requestJson<Job[]>('GET', '/v1/job?state=active')).length === 0 ? true : null))
  const listItems = async () => (await requestJson<{ items: Item[] }>('GET', '/v1/item/list/0?limit=100')).items
  await waitUntil(async () => ((await listItems()).length === pictureCount ? true : null))
  await idle()
  const items = await listItems()
  const ids = Array.from({ length: pictureCount }, (_, n) => items.find(({ name }) => name === `${n + 1}.jpg`)?.id ?? 0)
  return { server, data, ids, requestJson }
}

/** The faces on each picture, by the picture's number. */
type FacesByPicture = Record<number, FaceOptions[]>

/** Replaces all face data with these faces, and groups them. */
async function replaceFaces({ data, ids, requestJson }: TestServer, faces: FacesByPicture): Promise<void> {
  for (const id of ids) {
    const { tags } = await requestJson<Item>('GET', `/v1/item/${id}`)
    for (const region of tags.People?.data ?? [])
      await requestJson('DELETE', `/v1/item/${id}/tag/People/object/${region.id}`)
  }
  await requestJson('DELETE', '/v1/person/unused')
  await requestJson('DELETE', '/v1/faces?all=true')
  const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock, durable: false })
  for (const [n, id] of ids.entries()) await addDetectedFaces(db, id, faces[n + 1] ?? [])
  db.close()
  const { taskid } = await requestJson<{ taskid: number }>('POST', '/v1/faces/groups')
  await waitUntil(async () => ((await requestJson<Job>('GET', `/v1/job/${taskid}`)).state === 'done' ? true : null))
}

const groupSizes = async ({ requestJson }: TestServer) =>
  (await requestJson<{ groups: FaceGroup[] }>('GET', '/v1/faces/groups')).groups.map(({ count }) => count)

async function peopleOn({ requestJson, ids }: TestServer): Promise<Record<number, string[]>> {
  const on: Record<number, string[]> = {}
  for (const [n, id] of ids.entries()) {
    const { tags } = await requestJson<Item>('GET', `/v1/item/${id}`)
    const names = (tags.People?.data ?? []).map(({ name }) => name)
    if (names.length > 0) on[n + 1] = names.sort()
  }
  return on
}

/** The faces of only the person `who` on the pictures `first` to `last`. */
const facesOn = (first: number, last: number, who: number): FacesByPicture =>
  Object.fromEntries(Array.from({ length: last - first + 1 }, (_, n) => [first + n, [{ who }]]))

/** Opens the screen as the user `username`. */
async function enter({ server }: TestServer, username: string) {
  return await openPage(`${server.address}/admin/faces`, { user: username })
}

async function open({ server }: TestServer, viewport?: typeof phone) {
  return await openPage(`${server.address}/admin/faces`, { viewport, user: 'ines' })
}

describeWalks('unnamed faces', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await openTestServer()
  })
  afterAll(() => testServer.server.stop())

  test('a global admin starts the first search, which finds no faces on pictures without faces', async () => {
    const { page, errors } = await open(testServer)
    await page.getByRole('heading', { name: peopleTexts.noFacesYet }).waitFor()
    await page.getByText(peopleTexts.noFacesYetHint({ count: pictureCount })).waitFor()
    await button(page, 'Look for faces').click()
    await page.getByRole('heading', { name: peopleTexts.nobodyIsLeft }).waitFor()
    await page.getByText(`${pictureCount} pictures looked at`).waitFor()
    // The people tab of the management screen links to this screen.
    await page.goto(`${testServer.server.address}/admin/manage?tab=people`)
    await page.getByRole('tabpanel').getByRole('link', { name: managementTexts.unnamedFaces }).click()
    await page.getByRole('heading', { name: baseTexts.unnamedFaces }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a deselected face is not named but gets the name of the others suggested, and naming can be undone', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 11, 1), ...facesOn(12, 14, 2) })
    const { page, errors } = await open(testServer)
    await group(page, 11).waitFor()
    expect(await groups(page).count()).toBe(2)
    // Eight faces are shown; a face opens its picture.
    const first = group(page, 11)
    expect(await first.getByRole('checkbox', { name: /^Face on/ }).count()).toBe(8)
    const opened = first.getByRole('button', { name: /^Open / }).first()
    const name = (await opened.getAttribute('aria-label'))?.replace('Open ', '') ?? ''
    await opened.click()
    await page
      .getByRole('dialog', { name: new RegExp(name) })
      .or(page.locator('.viewer'))
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.viewer').waitFor({ state: 'detached' })

    await first
      .getByRole('checkbox', { name: /^Face on/ })
      .first()
      .uncheck()
    // Faces that are not shown are counted and named too.
    await first.getByText('10 ticked').waitFor()
    await first.getByRole('combobox', { name: 'Name 10 faces' }).fill('Mia Ferrer')
    await page.getByRole('option', { name: 'New person “Mia Ferrer”' }).waitFor()
    await saveScreenshot(page, 'face-groups-naming')
    await page.keyboard.press('Enter')
    await toast(page, '10 faces are Mia Ferrer').waitFor()
    expect(Object.values(await peopleOn(testServer)).flat()).toEqual(Array.from({ length: 10 }, () => 'Mia Ferrer'))

    // The remaining face is not named silently: it stays in the group with a suggestion.
    const rest = group(page, 1)
    await rest.getByText('10 faces are Mia Ferrer. 1 face left in the group').waitFor()
    await rest.getByRole('button', { name: /^Mia Ferrer \d+ %\s*: name 1 face$/ }).waitFor()
    await saveScreenshot(page, 'face-groups-rest')
    await rest.getByRole('button', { name: /^Mia Ferrer/ }).click()
    await rest.waitFor({ state: 'detached' })
    expect(Object.values(await peopleOn(testServer)).flat().length).toBe(11)

    // Undo removes the name that was given last.
    const last = page.locator('.toast-in').filter({ hasText: '1 face is Mia Ferrer' })
    await last.getByRole('button', { name: baseTexts.undo }).click()
    await toast(page, '1 face without a name again').waitFor()
    await group(page, 1).waitFor()
    expect(Object.values(await peopleOn(testServer)).flat().length).toBe(10)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('are named with the keyboard alone', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 5, 1), ...facesOn(6, 9, 2), ...facesOn(10, 12, 3) })
    const { page, errors } = await open(testServer)
    const focused = () => page.locator(':focus').getAttribute('aria-label')
    await face(page, '.+').first().focus()
    const one = await focused()
    await page.keyboard.press('ArrowRight')
    const two = await focused()
    expect(two).toStartWith('Face on')
    expect(two).not.toBe(one)
    await page.keyboard.press('Space')
    await group(page, 5).getByText('4 ticked').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.viewer').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.viewer').waitFor({ state: 'detached' })
    expect(await focused()).toBe(two)
    // All faces of a group are one tab stop, followed by the field.
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Name 4 faces')
    await page.keyboard.type('Ben')
    await page.keyboard.press('Enter')
    await group(page, 1).waitFor()
    await page.keyboard.press('Escape')
    expect(await groupSizes(testServer)).toEqual([4, 3, 1])
    // The group keeps its place, and the field keeps the focus.
    expect(await focused()).toBe('Name 1 face')
    const names: (string | null)[] = []
    for (const one of await groups(page).all()) names.push(await one.getAttribute('aria-label'))
    expect(names).toEqual(['Group of 1 face', 'Group of 4 faces', 'Group of 3 faces'])
    // Three letters suggest the name; the next group gets the same person.
    await group(page, 4).getByRole('combobox').focus()
    await page.keyboard.type('ben')
    await page.getByRole('option', { name: /^Ben/ }).waitFor()
    await page.keyboard.press('Enter')
    await group(page, 4).waitFor({ state: 'detached' })
    // The group is gone: the focus is in the field of the next one.
    await waitUntil(async () => ((await focused()) === 'Name 3 faces' ? true : null))
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toStartWith('Face on')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toStartWith('Face on')
    expect(await group(page, 1).locator(':focus').count()).toBe(1)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('groups are merged, faces are split off, and both can be undone', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 6, 1), ...facesOn(7, 11, 2), ...facesOn(12, 14, 3) })
    const { page, errors } = await open(testServer)
    await group(page, 6)
      .getByRole('checkbox', { name: /^Choose this group/ })
      .check()
    const bar = page.getByRole('toolbar', { name: peopleTexts.chosenGroups })
    await bar.getByText('1 group chosen').waitFor()
    expect(await bar.getByRole('button', { name: adminTexts.merge }).isDisabled()).toBe(true)
    await group(page, 5)
      .getByRole('checkbox', { name: /^Choose this group/ })
      .check()
    await group(page, 3)
      .getByRole('checkbox', { name: /^Choose this group/ })
      .check()
    await saveScreenshot(page, 'face-groups-merge')
    await bar.getByRole('button', { name: adminTexts.merge }).click()
    await toast(page, '3 groups merged').waitFor()
    await group(page, 14).waitFor()
    expect(await groupSizes(testServer)).toEqual([14])
    await bar.waitFor({ state: 'detached' })
    await button(page, 'Undo').click()
    await toast(page, 'The groups are as they were').waitFor()
    expect(await groupSizes(testServer)).toEqual([6, 5, 3])

    const boxes = group(page, 6).getByRole('checkbox', { name: /^Face on/ })
    await boxes.nth(0).uncheck()
    await boxes.nth(3).uncheck()
    await button(page, 'Split off 2').click()
    await group(page, 2).waitFor()
    expect(await groupSizes(testServer)).toEqual([5, 4, 3, 2])
    await page
      .locator('.toast-in')
      .filter({ hasText: '2 faces split off' })
      .getByRole('button', { name: baseTexts.undo })
      .click()
    await group(page, 6).waitFor()
    expect(await groupSizes(testServer)).toEqual([6, 5, 3])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('groups are ignored, shown again, and restored', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 6, 1), ...facesOn(7, 11, 2) })
    const { page, errors } = await open(testServer)
    await group(page, 5).getByRole('button', { name: peopleTexts.ignore }).click()
    await group(page, 5).waitFor({ state: 'detached' })
    await toast(page, '5 faces ignored').waitFor()
    await button(page, 'Show ignored').click()
    await group(page, 5).waitFor()
    expect(new URL(page.url()).search).toBe('?ignored=true')
    await group(page, 5).getByRole('button', { name: adminTexts.restore }).click()
    await page.getByRole('heading', { name: peopleTexts.nobodyIsIgnored }).waitFor()
    // The list loads slowly and changes meanwhile: it is requested again and shown.
    const slow = Promise.withResolvers<Route>()
    await page.route(/faces\/groups\?(?!.*ignored=true)/, route => slow.resolve(route), { times: 1 })
    await button(page, 'Show the others').click()
    const first = await slow.promise
    const again = page.waitForRequest(/faces\/groups\?/)
    const { groups } = await testServer.requestJson<{ groups: FaceGroup[] }>('GET', '/v1/faces/groups')
    for (const ignored of [true, false])
      await testServer.requestJson('PUT', `/v1/faces/groups/${groups[0]?.id}`, { ignored })
    await again
    await first.continue()
    await group(page, 5).waitFor()
    expect(await groupSizes(testServer)).toEqual([6, 5])
    // All faces of a group are shown on request.
    await replaceFaces(testServer, facesOn(1, 12, 1))
    await page.reload()
    await group(page, 12).getByRole('button', { name: 'Show all 12' }).click()
    await group(page, 12).getByRole('combobox', { name: 'Name 12 faces' }).waitFor()
    await button(page, 'Tick none').click()
    await page.getByText('Tick the faces that you want to name').waitFor()
    await button(page, 'Tick all').click()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('names a person once per picture, with their name at the date of the picture', async () => {
    await replaceFaces(testServer, {
      ...facesOn(1, 3, 1),
      4: [
        { who: 1, x: 100 },
        { who: 2, x: 600, score: 0.8 },
      ],
      ...facesOn(9, 10, 1),
      ...facesOn(11, 11, 2),
    })
    // Only a merge by a user puts two faces of one picture into a group.
    const [one, other] = (await testServer.requestJson<{ groups: FaceGroup[] }>('GET', '/v1/faces/groups')).groups
    await testServer.requestJson('POST', `/v1/faces/groups/${one?.id}/merge`, { groups: [other?.id] })
    const names = [
      { name: 'Anna Lind', finish: Date.UTC(2012, 0, 1) / 1000 },
      { name: 'Anna Berg', start: Date.UTC(2012, 0, 1) / 1000 },
    ]
    await testServer.requestJson<Person>('POST', '/v1/person', { names })
    const { page, errors } = await open(testServer)
    await group(page, 8).getByRole('combobox').fill('anna b')
    await page.getByRole('option', { name: /^Anna Berg/ }).click()
    await toast(page, '7 faces are Anna Berg').waitFor()
    await group(page, 1)
      .getByText(/1 face skipped: Anna Berg is on that picture already/)
      .waitFor()
    expect(await peopleOn(testServer)).toEqual({
      1: ['Anna Lind'],
      2: ['Anna Lind'],
      3: ['Anna Lind'],
      4: ['Anna Lind'],
      9: ['Anna Berg'],
      10: ['Anna Berg'],
      11: ['Anna Berg'],
    })
    // The remaining face is on a picture from 2009, when the person had the earlier name.
    await group(page, 1)
      .getByRole('button', { name: /^Anna Lind \d+ %/ })
      .waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('two groups that get the same new name at the same time become one person', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 6, 1), ...facesOn(7, 11, 2) })
    const { page, errors } = await open(testServer)
    const held: Route[] = []
    let isHeld = true
    await page.route(/\/v1\/faces\/groups\/\d+\/name$/, route => (isHeld ? void held.push(route) : route.continue()))
    for (const [faces, name] of [
      [6, 'Eva Noon'],
      [5, 'eva noon'],
    ] as const) {
      await group(page, faces).getByRole('combobox').fill(name)
      await page.getByRole('option', { name: `New person “${name}”` }).click()
      await page.locator(`.face-group[aria-busy=true][aria-label^="Group of ${faces}"]`).waitFor()
    }
    isHeld = false
    for (const route of held) await route.continue()
    await page.getByRole('heading', { name: peopleTexts.nobodyIsLeft }).waitFor()
    const people = await testServer.requestJson<Person[]>('GET', '/v1/person')
    const itemcounts = people.filter(({ names }) => /eva/i.test(names[0]?.name ?? '')).map(one => one.itemcount)
    expect(itemcounts).toEqual([11])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('shows changes by others at once', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 6, 1), ...facesOn(7, 11, 2) })
    const { page, errors } = await open(testServer)
    await group(page, 6).waitFor()
    const [largest] = (await testServer.requestJson<{ groups: FaceGroup[] }>('GET', '/v1/faces/groups')).groups
    const { id } = await testServer.requestJson<Person>('POST', '/v1/person', { names: ['Zoe'] })
    const faces = largest?.faces.slice(0, 4).map(one => one.id)
    await testServer.requestJson('POST', `/v1/faces/groups/${largest?.id}/name`, { person: id, faces })
    await group(page, 2)
      .getByRole('button', { name: /^Zoe \d+ %/ })
      .waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('forgets the face data of one person, and of all', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 6, 1), ...facesOn(7, 11, 2) })
    const { page, errors } = await open(testServer)
    await group(page, 6).getByRole('combobox').fill('Zoe')
    await page.getByRole('option', { name: 'New person “Zoe”' }).click()
    await group(page, 6).waitFor({ state: 'detached' })
    await button(page, 'More about faces').click()
    await page.getByRole('menuitem', { name: peopleTexts.forgetFaces }).click()
    const dialog = page.getByRole('dialog', { name: peopleTexts.forgetFacesTitle })
    expect(await dialog.getByRole('button', { name: adminTexts.forget }).isDisabled()).toBe(true)
    await dialog.getByRole('combobox', { name: peopleTexts.person }).fill('zoe')
    await page.getByRole('option', { name: /^Zoe/ }).click()
    await dialog.getByRole('button', { name: 'Forget Zoe' }).click()
    await toast(page, 'What Zoe looks like is forgotten').waitFor()
    expect((await testServer.requestJson<unknown[]>('GET', '/v1/person/faces')).length).toBe(0)
    expect(Object.keys(await peopleOn(testServer)).length).toBe(6)
    await button(page, 'More about faces').click()
    await page.getByRole('menuitem', { name: peopleTexts.forgetFaces }).click()
    await dialog.getByText(adminTexts.everybody).click()
    await dialog.getByRole('button', { name: peopleTexts.forgetAll }).click()
    await page.getByRole('heading', { name: peopleTexts.noFacesYet }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('groups are shown in pages, and groups from different pages can be merged', async () => {
    const people = Array.from({ length: 32 }, (_, n) => n + 1)
    const faces: FacesByPicture = {}
    for (const who of people) {
      // The last person has three faces, so their group comes first.
      const on = [1, 2, ...(who === 32 ? [3] : [])].map(n => ((who * 3 + n) % pictureCount) + 1)
      for (const n of on) {
        const there = faces[n] ?? []
        faces[n] = [...there, { who, x: 10 + there.length * 150 }]
      }
    }
    await replaceFaces(testServer, faces)
    const { page, errors } = await open(testServer)
    await group(page, 3).waitFor()
    expect(await groups(page).count()).toBe(30)
    await groups(page)
      .nth(1)
      .getByRole('checkbox', { name: /^Choose/ })
      .check()
    await button(page, 'Page 2').click()
    await waitUntil(async () => ((await groups(page).count()) === 2 ? true : null))
    expect(new URL(page.url()).search).toBe('?sheet=2')
    await groups(page)
      .first()
      .getByRole('checkbox', { name: /^Choose/ })
      .check()
    await page.getByRole('toolbar').getByText('2 groups chosen').waitFor()
    await button(page, 'Merge').click()
    await toast(page, '2 groups merged').waitFor()
    await waitUntil(async () => ((await groups(page).count()) === 1 ? true : null))
    // When the last group of a page is ignored, the previous page is shown.
    await groups(page).getByRole('button', { name: peopleTexts.ignore }).click()
    await waitUntil(async () => ((await groups(page).count()) === 30 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a user with the right to update items names faces, a user without it has nothing to name', async () => {
    await replaceFaces(testServer, facesOn(1, 6, 1))
    for (const username of ['tom', 'mia']) {
      const account = { username, name: username, email: 'a@b', password: 'secret', unlockPin: '1234' }
      const headers = { 'content-type': 'application/json', origin: testServer.server.address }
      const body = JSON.stringify(account)
      await fetch(`${testServer.server.address}/v1/users/register`, { method: 'POST', headers, body })
    }
    const allowed = { group: { name: 'Editors', view: true, update: true } }
    const { id } = await testServer.requestJson<{ id: number }>('POST', '/v1/access', allowed)
    await testServer.requestJson('PUT', `/v1/users/access/${id}/tom`)
    const [item] = (await testServer.requestJson<{ items: Item[] }>('GET', '/v1/item/list/0?limit=1')).items
    await testServer.requestJson('PUT', `/v1/collection/access/${item?.collection_id}/${id}`)

    const mia = await enter(testServer, 'mia')
    await mia.page.getByRole('heading', { name: peopleTexts.nothingToName }).waitFor()
    const tom = await enter(testServer, 'tom')
    await group(tom.page, 6).getByRole('combobox').fill('Zoe')
    await tom.page.getByRole('option', { name: 'New person “Zoe”' }).click()
    await toast(tom.page, '6 faces are Zoe').waitFor()
    await tom.page.getByRole('heading', { name: peopleTexts.nobodyIsLeft }).waitFor()
    // Only global admins may search for faces and forget them.
    expect(await button(tom.page, 'Look for faces').count()).toBe(0)
    expect(await button(tom.page, 'More about faces').count()).toBe(0)
    expect([...mia.errors, ...tom.errors]).toEqual([])
    await mia.page.context().close()
    await tom.page.context().close()
  })

  longTest('reports errors and keeps the groups', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 6, 1), ...facesOn(7, 11, 2) })
    const { page } = await open(testServer)
    await group(page, 6).waitFor()
    // The group is merged elsewhere while it is shown here.
    const shown = (await testServer.requestJson<{ groups: FaceGroup[] }>('GET', '/v1/faces/groups')).groups
    await testServer.requestJson('POST', `/v1/faces/groups/${shown[0]?.id}/merge`, { groups: [shown[1]?.id] })
    await group(page, 5).getByRole('button', { name: peopleTexts.ignore }).click()
    await toast(page, 'Failed to ignore the group').waitFor()
    await group(page, 11).waitFor()
    expect(await groups(page).count()).toBe(1)
    // The server fails: the list stays, and naming reports the failure.
    const failing = (route: Route) => route.fulfill({ status: 500, json: { error: 'x', code: 'unexpected' } })
    await page.route('**/v1/faces/groups/*/name', failing)
    await testServer.requestJson('POST', '/v1/person', { names: ['Zoe'] })
    await page.reload()
    await group(page, 11).getByRole('combobox').fill('Zoe')
    await page.getByRole('option', { name: /^Zoe/ }).click()
    await toast(page, 'Failed to name faces').waitFor()
    await group(page, 11).waitFor()
    expect(await peopleOn(testServer)).toEqual({})
    // The list cannot be loaded.
    await page.route('**/v1/faces/groups?*', failing)
    await page.reload()
    await toast(page, 'Failed to load faces').waitFor()
    await page.unroute('**/v1/faces/groups?*')
    await group(page, 11).waitFor()
    await page.context().close()
  })

  for (const viewport of [undefined, phone]) {
    longTest(
      `a long name stays within its button, ${viewport === undefined ? 'on a laptop' : 'on a phone'}`,
      async () => {
        await replaceFaces(testServer, { ...facesOn(1, 9, 1) })
        const long = `Barack ${'von und zu Hohenzollern-Sigmaringen '.repeat(4)}`.trim()
        const { id } = await testServer.requestJson<Person>('POST', '/v1/person', { names: [long] })
        const [first] = (await testServer.requestJson<{ groups: FaceGroup[] }>('GET', '/v1/faces/groups')).groups
        const faces = first?.faces.slice(0, 3).map(one => one.id)
        await testServer.requestJson('POST', `/v1/faces/groups/${first?.id}/name`, { person: id, faces })
        const { page, errors } = await open(testServer, viewport)
        const suggested = group(page, 6).getByRole('button', { name: /^Barack von/ })
        await suggested.waitFor()
        await saveScreenshot(page, `face-groups-long-name${viewport === undefined ? '' : '-phone'}`)
        const [around, percent] = [await suggested.boundingBox(), await suggested.getByText(/%/).boundingBox()]
        expect((percent?.x ?? 0) + (percent?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0))
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
        expect(errors).toEqual([])
        await page.context().close()
      },
    )
  }

  test('on a phone, targets are large enough to tap, and messages are above the bar of chosen groups', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 9, 1), ...facesOn(10, 12, 2) })
    const { page, errors } = await open(testServer, phone)
    await group(page, 9).waitFor()
    await saveScreenshot(page, 'face-groups-phone')
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(wide).toBe(0)
    for (const target of await group(page, 9).locator('button:visible, label:visible').all()) {
      const box = await target.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), (await target.textContent()) ?? '').toBeGreaterThanOrEqual(44)
    }
    await group(page, 9).locator('.found-face-tick').first().tap()
    await group(page, 9).getByText('8 ticked').waitFor()
    await group(page, 9).getByRole('combobox').fill('Kit')
    await page.getByRole('option', { name: 'New person “Kit”' }).tap()
    await group(page, 1)
      .getByRole('button', { name: /^Kit \d+ %/ })
      .waitFor()
    // Messages are above the bar of chosen groups.
    await toast(page, '8 faces are Kit').waitFor()
    await groups(page)
      .first()
      .getByRole('checkbox', { name: /^Choose this group/ })
      .tap()
    const chosen = await page.getByRole('toolbar', { name: peopleTexts.chosenGroups }).boundingBox()
    const toastBottom = await page.evaluate<number>("document.querySelector('.toasts').getBoundingClientRect().bottom")
    expect(toastBottom).toBeLessThanOrEqual(chosen?.y ?? 0)
    await saveScreenshot(page, 'face-groups-phone-chosen')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('suggests people on pictures that the server has searched, without loading a model in the browser', async () => {
    await replaceFaces(testServer, { ...facesOn(1, 3, 1), 4: [{ who: 1 }, { who: 2 }] })
    const [first, second] = [testServer.ids[0] ?? 0, testServer.ids[3] ?? 0]
    const { page, errors } = await open(testServer)
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    page.on('worker', worker => requested.push(new URL(worker.url()).pathname))
    const startFaceSearch = async (id: number) => {
      await page.goto(`${testServer.server.address}/admin/metadata?items=${id}`)
      await page.locator('.editor-picture').waitFor()
      await button(page, 'Face recognition').click()
    }
    const rows = page.getByRole('group', { name: metadataTexts.facesWithoutAName }).getByRole('listitem')
    await startFaceSearch(first)
    await rows.getByText(metadataTexts.noMatch).waitFor()
    await button(page, 'Name Face 1').click()
    await page.keyboard.type('Mia Ferrer')
    await page.keyboard.press('Enter')
    await button(page, 'Save').click()
    await waitUntil(async () => ((await page.locator('.editor-status').textContent()) === '' ? true : null))
    await startFaceSearch(second)
    await rows.getByText(/^Suggested, \d+ % alike$/).waitFor()
    await rows.getByText(metadataTexts.noMatch).waitFor()
    expect(requested.filter(path => /face-worker|faceres|blazeface|\.wasm$/.test(path))).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })
})
