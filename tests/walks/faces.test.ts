import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import type { FaceStatus } from '../../schema/api/faces.ts'
import type { Item } from '../../schema/api/items.ts'
import type { Face, Person } from '../../schema/api/people.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { mustNotSkip, samplesDirectory } from '../support/samples.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const bar = (page: Page) => page.getByRole('region', { name: metadataTexts.faceRecognition })
const rows = (page: Page) => page.getByRole('group', { name: metadataTexts.facesWithoutAName }).getByRole('listitem')
const box = (page: Page, name: string | RegExp) => page.locator('.box-edit').filter({ hasText: name })

interface TestServer {
  server: RunningServer
  requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result>
  remove(path: string): Promise<void>
  idOf(name: string): Promise<number>
  peopleOn(name: string): Promise<string[]>
}

/** A server that has scanned these pictures. */
async function openTestServer(root: string): Promise<TestServer> {
  const server = await startServer(join(temporaryDirectory(), 'data'), [root])
  const token = await registerAndSignIn(server)
  async function requestJson<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(server.address + path, { method, headers, body: JSON.stringify(body) ?? null })
    return JSON.parse(await response.text())
  }
  const listItems = async () => (await requestJson<{ items: Item[] }>('GET', '/v1/item/list/0?limit=100')).items
  const count = readdirSync(root).length
  await waitUntil(async () => ((await listItems()).length === count ? true : null))
  const idOf = async (name: string) => (await listItems()).find(item => item.name === name)?.id ?? 0
  return {
    server,
    requestJson,
    async remove(path) {
      await fetch(server.address + path, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
    },
    idOf,
    async peopleOn(name) {
      const { tags } = await requestJson<Item>('GET', `/v1/item/${await idOf(name)}`)
      return (tags.People?.data ?? []).map(one => one.name).sort()
    },
  }
}

async function openEditor({ server }: TestServer, ids: readonly number[], viewport?: typeof phone) {
  const opened = await openPage(`${server.address}/admin/metadata?items=${ids.join(',')}`, { viewport, user: 'ines' })
  await opened.page.locator('.editor-picture').waitFor()
  return opened
}

/** Searches the shown picture for faces and returns the message of the search. */
async function searchForFaces(page: Page): Promise<string> {
  await button(page, 'Face recognition').click()
  return searchMessage(page)
}

async function searchMessage(page: Page): Promise<string> {
  await bar(page).getByRole('button', { name: baseTexts.close }).waitFor()
  return (await bar(page).getByRole('status').textContent()) ?? ''
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click()
  await waitUntil(async () => ((await page.locator('.editor-status').textContent()) === '' ? true : null))
}

describeWalks('face recognition', () => {
  let testServer: TestServer
  beforeAll(async () => {
    const root = join(temporaryDirectory(), 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 3; n++) {
      const exif = takenAt(`2019-08-0${n} 12:00:00`)
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif, width: 800, height: 600 }))
    }
    testServer = await openTestServer(root)
  })
  afterAll(() => testServer.server.stop())

  test('reports a picture without faces, and sends no request to another server', async () => {
    const { page, errors } = await openEditor(testServer, [await testServer.idOf('1.jpg')])
    const foreignRequests: string[] = []
    page.on('request', request => {
      if (!request.url().startsWith(testServer.server.address) && !/^(data|blob):/.test(request.url())) {
        foreignRequests.push(request.url())
      }
    })
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    // The confidence can be set before the first search.
    await button(page, 'Face search settings').click()
    expect(await page.getByRole('slider', { name: metadataTexts.confidence }).inputValue()).toBe('5')
    await page.keyboard.press('Escape')
    expect(await searchForFaces(page)).toBe('No faces found')
    expect(requested.some(path => path.endsWith('/faceres.bin'))).toBe(true)
    expect(await page.locator('.box-edit').count()).toBe(0)
    expect(foreignRequests).toEqual([])
    expect(errors).toEqual([])

    // The slider goes from 1 to 10 and starts at 5; the choice is remembered.
    await button(page, 'Face search settings').click()
    const slider = page.getByRole('slider', { name: metadataTexts.confidence })
    expect([await slider.getAttribute('min'), await slider.getAttribute('max')]).toEqual(['1', '10'])
    expect(await slider.inputValue()).toBe('5')
    await slider.fill('10')
    await button(page, 'Look again').click()
    expect(await searchMessage(page)).toBe('No faces found')
    await page.reload()
    expect(await searchForFaces(page)).toBe('No faces found')
    await button(page, 'Face search settings').click()
    expect(await slider.inputValue()).toBe('10')
    await page.context().close()
  })

  longTest('searches several pictures one after the other, and can be cancelled', async () => {
    const ids = await Promise.all([1, 2, 3].map(n => testServer.idOf(`${n}.jpg`)))
    const { page, errors } = await openEditor(testServer, ids)
    await searchForFaces(page)
    await button(page, 'Look at all 3').click()
    expect(await searchMessage(page)).toBe('No faces found on 3 items')
    // The second picture does not load before the search is cancelled.
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    await page.route(`**/v1/item/${ids[1]}/image?*large*`, async route => {
      await held
      await route.abort()
    })
    await page.reload()
    // With the keyboard: the focus stays in the bar while its buttons change, and returns to the tool at the end.
    await button(page, 'Face recognition').focus()
    await page.keyboard.press('Enter')
    await searchMessage(page)
    const focused = () => page.locator(':focus').getAttribute('aria-label')
    expect(await focused()).toBe('Face recognition')
    await button(page, 'Look at all 3').press('Enter')
    await bar(page).getByText('Looking for faces: 2 of 3').waitFor()
    expect(await focused()).toBe('Face recognition')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await searchMessage(page)).toBe('Stopped. No faces found on 1 item')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Face search settings')
    release()
    await button(page, 'Close').press('Enter')
    await waitUntil(async () => ((await bar(page).count()) === 0 ? true : null))
    expect(await page.locator(':focus').getAttribute('class')).toBe('editor-tool')
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('reports a model or picture that cannot be loaded, and a browser without WebAssembly', async () => {
    const { page } = await openEditor(testServer, [await testServer.idOf('2.jpg')])
    // The model cannot be loaded.
    await page.route('**/faceres.bin', route => route.abort())
    await button(page, 'Face recognition').click()
    await bar(page).getByRole('alert').getByText(metadataTexts.faceRecognitionNotLoaded).waitFor()
    await saveScreenshot(page, 'faces-not-loaded')
    await page.unroute('**/faceres.bin')
    await button(page, 'Try again').click()
    expect(await searchMessage(page)).toBe('No faces found')

    // The picture cannot be loaded.
    await page.route('**/image?*large*', route => route.abort())
    await page.reload()
    await button(page, 'Face recognition').click()
    await bar(page).getByText(metadataTexts.pictureNotProcessed).waitFor()
    await page.context().close()

    // The worker has no WebAssembly, as in a browser without it.
    const plain = await openEditor(testServer, [await testServer.idOf('2.jpg')])
    await plain.page.route('**/face-worker*', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `delete self.WebAssembly;${await response.text()}` })
    })
    await button(plain.page, 'Face recognition').click()
    await bar(plain.page).getByText(metadataTexts.thisBrowserCantRecogniseFaces).waitFor()
    expect(await button(plain.page, 'Try again').count()).toBe(0)
    await plain.page.context().close()
  })
})

const samples = samplesDirectory()
const message = 'recognising people: the samples are missing (set KEEPSAKE_SAMPLES)'

if (samples === null) {
  if (mustNotSkip()) test(message, () => expect(samples).not.toBeNull())
  else {
    console.warn(`skipped: ${message}`)
    test.skip(message, () => {})
  }
} else {
  describeWalks('recognising people', () => {
    const salley = readdirSync(join(samples, 'faces/John Salley')).sort().slice(0, 9)
    let testServer: TestServer
    beforeAll(async () => {
      const root = join(temporaryDirectory(), 'pictures')
      mkdirSync(root)
      const faces = join(samples, 'faces')
      for (const name of ['obama.jpg', 'obama1.jpg', 'obama2.jpg', 'obama3.jpg', 'obama-720p.jpg']) {
        copyFileSync(join(faces, 'Barack Obama', name), join(root, name))
      }
      copyFileSync(join(faces, '_several people/obama_and_biden.jpg'), join(root, 'obama_and_biden.jpg'))
      for (const name of salley) copyFileSync(join(faces, 'John Salley', name), join(root, name))
      testServer = await openTestServer(root)
    })
    afterAll(() => testServer.server.stop())

    test('a named person is suggested on the next pictures, and accepted or replaced by another name', async () => {
      const { page, errors } = await openEditor(testServer, [await testServer.idOf('obama.jpg')])
      expect(await searchForFaces(page)).toBe('1 face')
      await rows(page).getByText(metadataTexts.noMatch).waitFor()
      // Unnamed faces are not saved.
      expect(await button(page, 'Save').isDisabled()).toBe(true)
      await button(page, 'Name Face 1').click()
      await page.keyboard.type('Barack Obama')
      await page.getByRole('option', { name: 'New person “Barack Obama”' }).waitFor()
      await page.keyboard.press('Enter')
      await box(page, 'Barack Obama').waitFor()
      expect(await rows(page).count()).toBe(0)
      await save(page)
      const [first] = await testServer.requestJson<Face[]>('GET', '/v1/person/faces')
      expect(first).toMatchObject({ model: 'human-faceres-1' })
      expect(first?.embedding_data).toHaveLength(1024)
      const { tags } = await testServer.requestJson<Item>('GET', `/v1/item/${await testServer.idOf('obama.jpg')}`)
      expect(tags.People?.data).toMatchObject([{ name: 'Barack Obama', face: first?.id, id: first?.object }])

      // A saved person is recognised at the same place and gets no second box.
      expect(await searchForFaces(page)).toBe('1 face')
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(await button(page, 'Save').isDisabled()).toBe(true)
      // The box is recognised after a rotation too.
      await button(page, 'Rotate right').click()
      await waitUntil(async () => {
        const { properties } = await testServer.requestJson<Item>(
          'GET',
          `/v1/item/${await testServer.idOf('obama.jpg')}`,
        )
        return properties.some(({ name, value }) => name === 'Rotation' && value === 90) ? true : null
      })
      await searchForFaces(page)
      expect(await page.locator('.box-edit').count()).toBe(1)
      await button(page, 'Rotate left').click()

      // One match is enough for a suggestion.
      await page.goto(`${testServer.server.address}/admin/metadata?items=${await testServer.idOf('obama1.jpg')}`)
      await page.locator('.editor-picture').waitFor()
      expect(await searchForFaces(page)).toBe('1 face: 1 with a suggestion')
      await rows(page)
        .getByText(/^Suggested, \d\d % alike$/)
        .waitFor()
      await box(page, /^Barack Obama\? \d\d %$/).waitFor()
      await saveScreenshot(page, 'faces-suggested')
      await button(page, 'Yes, Barack Obama').click()
      await page.getByText('1 change').waitFor()
      await save(page)
      expect(await testServer.peopleOn('obama1.jpg')).toEqual(['Barack Obama'])

      // Two faces: one gets another name than suggested, the other one has no name and is not saved.
      await page.goto(
        `${testServer.server.address}/admin/metadata?items=${await testServer.idOf('obama_and_biden.jpg')}`,
      )
      await page.locator('.editor-picture').waitFor()
      expect(await searchForFaces(page)).toBe('2 faces: 1 with a suggestion')
      await button(page, /^No, not Barack Obama \(face [12]\)$/).click()
      await rows(page).getByText(metadataTexts.noMatch).nth(1).waitFor()
      await button(page, 'Name Face 1').click()
      await page.keyboard.type('Somebody Else')
      await page.keyboard.press('Enter')
      await page.getByText('1 change').waitFor()
      await save(page)
      expect(await testServer.peopleOn('obama_and_biden.jpg')).toEqual(['Somebody Else'])
      expect(await rows(page).count()).toBe(1)
      // A face that is marked as no face loses its box.
      await button(page, metadataTexts.isNotAFace({ who: 'Face 1' })).click()
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(errors).toEqual([])
      await page.context().close()
    })

    test('gets suggestions from the server for faces that the browser found, and does not load the known faces', async () => {
      const { page, errors } = await openEditor(testServer, [await testServer.idOf('obama2.jpg')])
      const paths: string[] = []
      const sentCounts: number[] = []
      page.on('request', request => {
        const { pathname } = new URL(request.url())
        paths.push(pathname)
        if (pathname.endsWith('/faces/suggestions')) sentCounts.push(request.postDataJSON().faces.length)
      })
      expect(await searchForFaces(page)).toBe('1 face: 1 with a suggestion')
      expect(sentCounts).toEqual([1])
      expect(paths).not.toContain('/v1/person/faces')

      // Another client removes the known faces and restores them: the suggestions follow.
      const before = await testServer.requestJson<Person[]>('GET', '/v1/person')
      const barack = before.find(({ names }) => names.some(({ name }) => name === 'Barack Obama'))?.id
      const faces = (await testServer.requestJson<Face[]>('GET', '/v1/person/faces')).filter(
        ({ person }) => person === barack,
      )
      for (const { id } of faces) await testServer.remove(`/v1/person/${barack}/faces/${id}`)
      await rows(page).getByText(metadataTexts.noMatch).waitFor()
      for (const { object, embedding_data } of faces) {
        await testServer.requestJson('POST', `/v1/person/${barack}/faces`, { object, embedding_data })
      }
      await button(page, 'Yes, Barack Obama').waitFor()
      expect(errors).toEqual([])

      // Faces are found even when the request for suggestions fails.
      await page.route('**/faces/suggestions', route =>
        route.fulfill({ status: 500, json: { error: 'x', code: 'unexpected' } }),
      )
      await page.reload()
      await page.locator('.editor-picture').waitFor()
      expect(await searchForFaces(page)).toBe('1 face')
      await page.getByText(baseTexts.failedToLoadPersonData).waitFor()
      await page.context().close()
    })

    test('gets known faces from named boxes, and names a person with more than five matches automatically', async () => {
      const { id: person } = await testServer.requestJson<Person>('POST', '/v1/person', { names: ['John Salley'] })
      const ids = await Promise.all(salley.map(testServer.idOf))
      // Named boxes, as another program writes them, on all but the last two pictures.
      for (const id of ids.slice(0, -2)) {
        const data = { person, x: 20, y: 20, width: 960, height: 960 }
        await testServer.requestJson('POST', `/v1/item/${id}/tag/People/object`, { data })
      }
      const { page, errors } = await openEditor(testServer, ids)
      await searchForFaces(page)
      await button(page, 'Face search settings').click()
      await page.getByRole('switch', { name: metadataTexts.namePeopleAutomatically }).check()
      await page.keyboard.press('Escape')
      await button(page, `Look at all ${ids.length}`).click()
      const text = await searchMessage(page)
      expect(text).toStartWith('9 faces on 9 of 9 items: 2 named')
      await saveScreenshot(page, 'faces-of-many')
      // The names are not saved yet.
      expect(await testServer.peopleOn(salley.at(-1) ?? '')).toEqual([])
      await button(page, 'Save all 2').click()
      for (const name of salley.slice(-2)) {
        await waitUntil(async () => ((await testServer.peopleOn(name))[0] === 'John Salley' ? true : null))
      }
      const known = async () =>
        (await testServer.requestJson<Face[]>('GET', '/v1/person/faces')).filter(face => face.person === person).length
      await waitUntil(async () => ((await known()) === 9 ? true : null))
      // A second search adds no known faces.
      await searchForFaces(page)
      expect(await known()).toBe(9)
      expect(errors).toEqual([])
      await page.context().close()
    })

    test('a person without a box gets the box of the face', async () => {
      const [barack] = (await testServer.requestJson<Person[]>('GET', '/v1/person')).filter(({ names }) =>
        names.some(({ name }) => name === 'Barack Obama'),
      )
      const id = await testServer.idOf('obama2.jpg')
      const data = { person: barack?.id, x: 0, y: 0, width: 0, height: 0 }
      await testServer.requestJson('POST', `/v1/item/${id}/tag/People/object`, { data })
      const { page, errors } = await openEditor(testServer, [id])
      expect(await searchForFaces(page)).toBe('1 face: 1 with a suggestion')
      await button(page, 'Yes, Barack Obama').click()
      await page.getByText('1 change').waitFor()
      expect(await page.locator('.box-chips .chip-text').allTextContents()).toEqual(['Barack Obama'])
      await save(page)
      expect(await testServer.peopleOn('obama2.jpg')).toEqual(['Barack Obama'])
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(errors).toEqual([])
      await page.context().close()
    })

    test('a face found in two browsers gets one box, and removing a wrong name forgets its face', async () => {
      const id = await testServer.idOf('obama3.jpg')
      const [first, second] = [await openEditor(testServer, [id]), await openEditor(testServer, [id])]
      for (const { page } of [first, second]) expect(await searchForFaces(page)).toBe('1 face: 1 with a suggestion')
      await button(first.page, 'Not Barack Obama').click()
      await first.page.keyboard.type('Kit Wrong')
      await first.page.getByRole('option', { name: 'New person “Kit Wrong”' }).waitFor()
      await first.page.keyboard.press('Enter')
      await save(first.page)
      await box(second.page, /^Kit Wrong$/).waitFor()
      expect(await second.page.locator('.box-edit').count()).toBe(1)
      expect(await rows(second.page).count()).toBe(0)
      expect(await button(second.page, 'Save').isDisabled()).toBe(true)
      const known = async () =>
        (await testServer.requestJson<Face[]>('GET', '/v1/person/faces')).filter(
          face => face.object !== null && face.person === kit,
        )
      const kit = (await testServer.requestJson<Person[]>('GET', '/v1/person')).find(
        ({ names }) => names[0]?.name === 'Kit Wrong',
      )?.id
      await waitUntil(async () => ((await known()).length === 1 ? true : null))

      await button(second.page, 'Remove Kit Wrong').click()
      await save(second.page)
      expect(await known()).toEqual([])
      await box(first.page, 'Kit Wrong').waitFor({ state: 'detached' })
      // Kit Wrong is not suggested any more.
      expect(await searchForFaces(second.page)).toBe('1 face: 1 with a suggestion')
      await button(second.page, 'Yes, Barack Obama').waitFor()
      expect([...first.errors, ...second.errors]).toEqual([])
      await first.page.context().close()
      await second.page.context().close()
    })

    test('shows the faces that the server has found, and loads a model only for a lower confidence', async () => {
      await testServer.requestJson('POST', '/v1/faces/index', {})
      await waitUntil(async () => {
        const { due, job } = await testServer.requestJson<FaceStatus>('GET', '/v1/faces/status')
        return due === 0 && job === null ? true : null
      })
      const [first, second] = [await testServer.idOf('obama3.jpg'), await testServer.idOf('obama-720p.jpg')]
      const { page, errors } = await openEditor(testServer, [first, second])
      const requested: string[] = []
      page.on('request', request => requested.push(new URL(request.url()).pathname))
      expect(await searchForFaces(page)).toStartWith('1 face')
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(requested).toContain(`/v1/item/${first}/faces`)
      expect(requested.filter(path => /face-worker|faceFiles/.test(path))).toEqual([])
      // With a lower confidence than the server's, the search runs in the browser.
      await button(page, 'Face search settings').click()
      await page.getByRole('slider', { name: metadataTexts.confidence }).fill('3')
      await button(page, 'Look again').click()
      expect(await searchMessage(page)).toStartWith('1 face')
      expect(requested.some(path => path.endsWith('/faceres.bin'))).toBe(true)
      expect(errors).toEqual([])
      await page.context().close()
    })

    for (const viewport of [undefined, phone]) {
      longTest(
        `long names fit the picture area and buttons, ${viewport === undefined ? 'on a laptop' : 'on a phone'}`,
        async () => {
          const { page, errors } = await openEditor(testServer, [await testServer.idOf('obama-720p.jpg')], viewport)
          const long = `Barack Obama ${'von und zu Hohenzollern-Sigmaringen '.repeat(3)}`.trim()
          await page.route(/\/v1\/person(\?.*)?$/, async route => {
            const response = await route.fetch()
            await route.fulfill({ response, body: (await response.text()).replaceAll('Barack Obama', long) })
          })
          await searchForFaces(page)
          const sides = async (selector: string) => {
            const at = await page.locator(selector).first().boundingBox()
            return {
              left: at?.x ?? -1,
              right: (at?.x ?? 0) + (at?.width ?? 0),
              top: at?.y ?? -1,
              bottom: (at?.y ?? 0) + (at?.height ?? 0),
            }
          }
          // The bar of the search is under the picture.
          expect((await sides('.editor-room')).bottom).toBeLessThanOrEqual((await sides('.face-bar')).top)
          await button(page, /^Not /).click()
          await page
            .getByRole('dialog')
            .getByRole('textbox')
            .or(page.getByRole('dialog').getByRole('combobox'))
            .waitFor()
          for (const [inner, outer] of [
            ['.box-edit > b', '.editor-room'],
            ['.face-choices .btn', ':is(dialog:modal, [role="dialog"])'],
            ['.face-choices .btn .soft', '.face-choices .btn'],
          ] as const) {
            const [one, around] = [await sides(inner), await sides(outer)]
            expect(one.left, inner).toBeGreaterThanOrEqual(around.left)
            expect(one.right, inner).toBeLessThanOrEqual(around.right)
          }
          await saveScreenshot(page, `faces-long-names${viewport === undefined ? '' : '-phone'}`)
          expect(errors).toEqual([])
          await page.context().close()
        },
      )
    }

    test('on a phone a suggestion is accepted on a sheet', async () => {
      const { page, errors } = await openEditor(testServer, [await testServer.idOf('obama-720p.jpg')], phone)
      expect(await searchForFaces(page)).toBe('1 face: 1 with a suggestion')
      await button(page, 'Yes, Barack Obama').scrollIntoViewIfNeeded()
      await saveScreenshot(page, 'faces-phone')
      await button(page, 'Not Barack Obama').click()
      // The sheet has the suggested people above the field.
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Barack Obama \d\d %$/ })
        .click()
      await save(page)
      expect(await testServer.peopleOn('obama-720p.jpg')).toEqual(['Barack Obama'])
      expect(errors).toEqual([])
      await page.context().close()
    })
  })
}
