import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { systemClock } from '../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import type { ItemFaces } from '../../schema/api/faces.ts'
import type { Item } from '../../schema/api/items.ts'
import type { Job } from '../../schema/api/jobs.ts'
import type { Face, Person } from '../../schema/api/people.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { addDetectedFaces, type FaceOptions } from '../support/faces.ts'
import { isLong } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const model = 'made-up-1'
const pictureCount = 15
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const bar = (page: Page) => page.getByRole('region', { name: metadataTexts.faceRecognition })
const rows = (page: Page) => page.getByRole('group', { name: metadataTexts.facesWithoutAName }).getByRole('listitem')

/** A server with an added face model. Its pictures show no faces: the faces that it has found are made up. */
interface TestServer {
  server: RunningServer
  ids: number[]
  requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result>
}

/** The faces on each picture, by the picture's number. */
const facesByPicture: Record<number, FaceOptions[]> = {
  1: [{ who: 1 }],
  // One person and their mirror image.
  2: [
    { who: 1, x: 100 },
    { who: 1, x: 600 },
  ],
  3: [
    { who: 1, x: 100, width: 30, height: 30 },
    { who: 3, x: 400, width: 60, height: 60 },
  ],
  ...Object.fromEntries([4, 5, 6, 7, 8, 9, 10].map(n => [n, [{ who: 2, x: 300 }]])),
  11: [{ who: 1 }, { who: 4 }],
  // Picture 12 has not been searched.
  ...Object.fromEntries([13, 14, 15].map(n => [n, [{ who: 5 }]])),
}

async function openTestServer(): Promise<TestServer> {
  const directory = temporaryDirectory()
  const [root, data] = [join(directory, 'pictures'), join(directory, 'data')]
  for (const path of [root, data]) mkdirSync(path, { mode: 0o700 })
  for (let n = 1; n <= pictureCount; n++) {
    const exif = takenAt(`2019-08-${String(n).padStart(2, '0')} 12:00:00`)
    writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif, width: 800, height: 600 }))
  }
  writeFileSync(join(data, 'config.toml'), `[faces]\nmodel = "${model}"\n`)
  const server = await startServer(data, [root])
  const token = await registerAndSignIn(server)
  async function requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(server.address + path, { method, headers, body: JSON.stringify(body) ?? null })
    return JSON.parse(await response.text())
  }
  const listItems = async () => (await requestJson<{ items: Item[] }>('GET', '/v1/item/list/0?limit=100')).items
  await waitUntil(async () => ((await listItems()).length === pictureCount ? true : null))
  await waitUntil(async () => ((await requestJson<Job[]>('GET', '/v1/job?state=active')).length === 0 ? true : null))
  const items = await listItems()
  const ids = Array.from({ length: pictureCount }, (_, n) => items.find(({ name }) => name === `${n + 1}.jpg`)?.id ?? 0)
  const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock, durable: false })
  for (const [n, faces] of Object.entries(facesByPicture))
    await addDetectedFaces(db, ids[Number(n) - 1] ?? 0, faces, 1, model)
  db.close()
  return { server, ids, requestJson }
}

async function openEditor({ server, ids }: TestServer, shown: readonly number[], viewport?: typeof phone) {
  const requested: string[] = []
  const opened = await openPage(`${server.address}/admin/metadata?items=${shown.map(n => ids[n - 1]).join(',')}`, {
    viewport,
    user: 'ines',
    before: async page => page.on('request', request => requested.push(new URL(request.url()).pathname)),
  })
  await opened.page.locator('.editor-picture').waitFor()
  return { ...opened, hasLoadedModels: () => requested.some(path => /face-worker|faceres/.test(path)) }
}

async function searchMessage(page: Page): Promise<string> {
  await bar(page).getByRole('button', { name: baseTexts.close }).waitFor()
  return (await bar(page).getByRole('status').textContent()) ?? ''
}

async function searchForFaces(page: Page): Promise<string> {
  await button(page, 'Face recognition').click()
  return searchMessage(page)
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click()
  await waitUntil(async () => ((await page.locator('.editor-status').textContent()) === '' ? true : null))
}

describeWalks('the faces of the server in the editor', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await openTestServer()
  })
  afterAll(() => testServer.server.stop())

  const peopleOn = async (n: number) => {
    const { tags } = await testServer.requestJson<Item>('GET', `/v1/item/${testServer.ids[n - 1]}`)
    return (tags.People?.data ?? []).map(({ name }) => name)
  }
  const facesOf = (n: number) => testServer.requestJson<ItemFaces>('GET', `/v1/item/${testServer.ids[n - 1]}/faces`)

  test('a person named on one picture is suggested on another, and the browser loads no model', async () => {
    const { page, errors, hasLoadedModels } = await openEditor(testServer, [1])
    expect(await searchForFaces(page)).toBe('1 face')
    await rows(page).getByText(metadataTexts.noMatch).waitFor()
    await button(page, 'Name Face 1').click()
    await page.keyboard.type('Ann Winter')
    await page.getByRole('option', { name: 'New person “Ann Winter”' }).waitFor()
    await page.keyboard.press('Enter')
    await save(page)
    // The person has one known face of this model, and the detected face has its box.
    const [known, ...more] = await testServer.requestJson<Face[]>('GET', '/v1/person/faces')
    expect(more).toEqual([])
    const { faces } = await facesOf(1)
    expect(known).toMatchObject({ model, object: faces[0]?.object, person: faces[0]?.person })
    expect(known?.embedding_data).toEqual(faces[0]?.embedding_data)

    await page.goto(`${testServer.server.address}/admin/metadata?items=${testServer.ids[10]}`)
    await page.locator('.editor-picture').waitFor()
    expect(await searchForFaces(page)).toBe('2 faces: 1 with a suggestion')
    const [theirs] = (await facesOf(11)).faces.flatMap(({ suggestions }) => suggestions)
    await rows(page)
      .getByText(`Suggested, ${Math.round(100 * (theirs?.similarity ?? 0))} % alike`)
      .waitFor()
    await button(page, 'Yes, Ann Winter (face 1)').click()
    await save(page)
    expect(await peopleOn(11)).toEqual(['Ann Winter'])
    await waitUntil(async () =>
      (await testServer.requestJson<Face[]>('GET', '/v1/person/faces')).length === 2 ? true : null,
    )
    expect(hasLoadedModels()).toBe(false)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a person named on one of several pictures is suggested on the others, but not without their face data', async () => {
    const { page, errors } = await openEditor(testServer, [13, 14, 15])
    await searchForFaces(page)
    await button(page, 'Look at all 3').click()
    await bar(page).getByText('3 faces on 3 of 3 items').waitFor()
    const requested: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('/faces')) requested.push(pathname)
    })
    await button(page, 'Name Face 1').click()
    await page.keyboard.type('Cy Autumn')
    await page.getByRole('option', { name: 'New person “Cy Autumn”' }).waitFor()
    await page.keyboard.press('Enter')
    await save(page)
    const suggested = rows(page).getByText(/^Suggested, \d+ % alike/)
    await button(page, 'Next').click()
    await suggested.waitFor()
    await button(page, 'Next').click()
    await suggested.waitFor()
    // The faces of a picture are requested only when it is shown, and not at all when all of them are named.
    expect([...new Set(requested)]).toEqual([14, 15].map(n => `/v1/item/${testServer.ids[n - 1]}/faces`))

    // The face data of the person is removed, and added again.
    const person = (await facesOf(13)).faces[0]?.person
    await testServer.requestJson('DELETE', `/v1/faces?person=${person}`)
    await rows(page).getByText(metadataTexts.noMatch).waitFor()
    const [face] = (await facesOf(14)).faces
    if (face === undefined) throw new Error('there is no face')
    const { x, y, width, height } = face
    await testServer.requestJson('POST', `/v1/item/${testServer.ids[13]}/tag/People/object`, {
      data: { person, x, y, width, height },
    })
    await suggested.waitFor()
    await button(page, 'Yes, Cy Autumn').click()
    await save(page)
    expect(await peopleOn(15)).toEqual(['Cy Autumn'])
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('suggests nobody twice on a picture, but a person can be named twice', async () => {
    const { page, errors, hasLoadedModels } = await openEditor(testServer, [2])
    expect(await searchForFaces(page)).toBe('2 faces: 1 with a suggestion')
    expect(await page.locator('.box-edit[data-guess]').count()).toBe(1)
    // A person who was refused for one face is suggested for the other.
    await button(page, 'No, not Ann Winter (face 1)').click()
    await button(page, 'Yes, Ann Winter (face 2)').click()
    await page.getByText('1 change').waitFor()
    expect(await button(page, /^Yes, /).count()).toBe(0)
    await button(page, 'Name Face 1').click()
    expect(await page.locator('.face-choices').count()).toBe(0)
    await page.keyboard.type('Ann Wint')
    await page.getByRole('option', { name: 'Ann Winter' }).first().click()
    await page.getByText('2 changes').waitFor()
    await save(page)
    expect(await peopleOn(2)).toEqual(['Ann Winter', 'Ann Winter'])
    expect(hasLoadedModels()).toBe(false)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('more than five matches name a person automatically', async () => {
    const { id } = await testServer.requestJson<Person>('POST', '/v1/person', { names: ['Ben Summer'] })
    for (const n of [4, 5, 6, 7, 8, 9]) {
      const data = { person: id, x: 300, y: 100, width: 100, height: 100 }
      await testServer.requestJson('POST', `/v1/item/${testServer.ids[n - 1]}/tag/People/object`, { data })
    }
    const { page, errors, hasLoadedModels } = await openEditor(testServer, [10])
    expect(await searchForFaces(page)).toBe('1 face: 1 with a suggestion')
    await button(page, 'Face search settings').click()
    await page.getByRole('switch', { name: metadataTexts.namePeopleAutomatically }).check()
    await button(page, 'Look again').click()
    await bar(page).getByText('1 face: 1 named').waitFor()
    await save(page)
    expect(await peopleOn(10)).toEqual(['Ben Summer'])
    expect(hasLoadedModels()).toBe(false)
    expect(errors).toEqual([])
    await page.context().close()
  })

  for (const viewport of isLong ? [undefined, phone] : [phone]) {
    const where = viewport === undefined ? 'on a laptop' : 'on a phone'
    test(`the suggestion for a small face is recognisable as a question, ${where}`, async () => {
      const { page, errors } = await openEditor(testServer, [3], viewport)
      expect(await searchForFaces(page)).toBe('2 faces: 1 with a suggestion')
      const label = page.locator('.box-edit[data-guess] > b')
      const [around, mark] = [await label.boundingBox(), await label.getByText('?', { exact: true }).boundingBox()]
      if (around === null || mark === null) throw new Error('the label is not shown')
      expect(mark.width).toBeGreaterThan(0)
      expect(mark.x).toBeGreaterThanOrEqual(around.x)
      expect(mark.x + mark.width).toBeLessThanOrEqual(around.x + around.width)
      expect(mark.y + mark.height).toBeLessThanOrEqual(around.y + around.height)
      const borderStyle = (selector: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).borderTopStyle`)
      expect(await borderStyle('.box-edit[data-guess]')).toBe('dashed')
      await saveScreenshot(page, `server-faces-small${viewport === undefined ? '' : '-phone'}`)
      await button(page, /^Yes, Ann Winter/).click()
      await page.getByText('1 change').waitFor()
      expect(await borderStyle('.box-edit[data-new]:not([data-found])')).toBe('solid')
      expect(errors).toEqual([])
      await page.context().close()
    })
  }

  test('the browser searches for fainter faces and on unsearched pictures, and keeps the faces of the server', async () => {
    const { page, errors, hasLoadedModels } = await openEditor(testServer, [11])
    // Ann has a box; the other face has no name.
    expect(await searchForFaces(page)).toBe('2 faces')
    expect(hasLoadedModels()).toBe(false)
    await button(page, 'Face search settings').click()
    await page.getByRole('slider', { name: metadataTexts.confidence }).fill('4')
    await button(page, 'Look again').click()
    await waitUntil(async () => (hasLoadedModels() ? true : null))
    expect(await searchMessage(page)).toBe('2 faces')
    await page.context().close()

    const other = await openEditor(testServer, [12])
    expect(await searchForFaces(other.page)).toBe('No faces found')
    expect(other.hasLoadedModels()).toBe(true)
    expect([...errors, ...other.errors]).toEqual([])
    await other.page.context().close()
  })
})
