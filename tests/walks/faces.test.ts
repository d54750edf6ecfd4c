import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import type { FaceStatus } from '../../schema/api/faces.ts'
import type { Item } from '../../schema/api/items.ts'
import type { Face, Person } from '../../schema/api/people.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { describeWalks, keep, openPage, phone, signInPage } from '../support/browser.ts'
import { mustNotSkip, samplesDirectory } from '../support/samples.ts'
import { picture, takenAt } from '../support/scanning.ts'
import { type Serving, serve, signIn, until } from '../support/serving.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const bar = (page: Page) => page.getByRole('region', { name: metadataTexts.faceRecognition })
const rows = (page: Page) => page.getByRole('group', { name: metadataTexts.facesWithoutAName }).getByRole('listitem')
const box = (page: Page, name: string | RegExp) => page.locator('.box-edit').filter({ hasText: name })

interface House {
  server: Serving
  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  remove(path: string): Promise<void>
  idOf(name: string): Promise<number>
  peopleOn(name: string): Promise<string[]>
}

/** A server with these pictures, when all of them are there. */
async function openHouse(root: string): Promise<House> {
  const server = await serve(join(temporaryDirectory(), 'data'), [root])
  const token = await signIn(server)
  async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(server.address + path, { method, headers, body: JSON.stringify(body) ?? null })
    return JSON.parse(await answer.text())
  }
  const listed = async () => (await ask<{ items: Item[] }>('GET', '/v1/item/list/0?limit=100')).items
  const count = readdirSync(root).length
  await until(async () => ((await listed()).length === count ? true : null))
  const idOf = async (name: string) => (await listed()).find(item => item.name === name)?.id ?? 0
  return {
    server,
    ask,
    async remove(path) {
      await fetch(server.address + path, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
    },
    idOf,
    async peopleOn(name) {
      const { tags } = await ask<Item>('GET', `/v1/item/${await idOf(name)}`)
      return (tags.People?.data ?? []).map(one => one.name).sort()
    },
  }
}

async function openEditor({ server }: House, ids: readonly number[], viewport?: typeof phone) {
  const watched = await openPage(server.address, viewport === undefined ? {} : { viewport })
  await signInPage(watched.page)
  await watched.page.goto(`${server.address}/admin/metadata?items=${ids.join(',')}`)
  await watched.page.locator('.editor-picture').waitFor()
  return watched
}

/** Looks for faces on the shown picture. Returns the message. */
async function look(page: Page): Promise<string> {
  await button(page, 'Face recognition').click()
  return told(page)
}

async function told(page: Page): Promise<string> {
  await bar(page).getByRole('button', { name: baseTexts.close }).waitFor()
  return (await bar(page).getByRole('status').textContent()) ?? ''
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click()
  await until(async () => ((await page.locator('.editor-status').textContent()) === '' ? true : null))
}

describeWalks('face recognition', () => {
  let house: House
  beforeAll(async () => {
    const root = join(temporaryDirectory(), 'pictures')
    mkdirSync(root)
    for (let n = 1; n <= 3; n++) {
      const exif = takenAt(`2019-08-0${n} 12:00:00`)
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif, width: 800, height: 600 }))
    }
    house = await openHouse(root)
  })
  afterAll(() => house.server.stop())

  test('a picture without faces says so, and nobody but this server is asked for anything', async () => {
    const { page, faults } = await openEditor(house, [await house.idOf('1.jpg')])
    const strangers: string[] = []
    page.on('request', request => {
      if (!request.url().startsWith(house.server.address) && !/^(data|blob):/.test(request.url())) {
        strangers.push(request.url())
      }
    })
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    // How sure it must be is chosen before the first look, too.
    await button(page, 'How faces are found').click()
    expect(await page.getByRole('slider', { name: metadataTexts.confidence }).inputValue()).toBe('5')
    await page.keyboard.press('Escape')
    expect(await look(page)).toBe('No faces found')
    expect(asked.some(path => path.endsWith('/faceres.bin'))).toBe(true)
    expect(await page.locator('.box-edit').count()).toBe(0)
    expect(strangers).toEqual([])
    expect(faults).toEqual([])

    // The slider goes from 1 to 10 and starts at 5; the choice is remembered.
    await button(page, 'How faces are found').click()
    const slider = page.getByRole('slider', { name: metadataTexts.confidence })
    expect([await slider.getAttribute('min'), await slider.getAttribute('max')]).toEqual(['1', '10'])
    expect(await slider.inputValue()).toBe('5')
    await slider.fill('10')
    await button(page, 'Look again').click()
    expect(await told(page)).toBe('No faces found')
    await page.reload()
    expect(await look(page)).toBe('No faces found')
    await button(page, 'How faces are found').click()
    expect(await slider.inputValue()).toBe('10')
    await page.context().close()
  })

  test('several are searched one after the other, and that can be cancelled', async () => {
    const ids = await Promise.all([1, 2, 3].map(n => house.idOf(`${n}.jpg`)))
    const { page, faults } = await openEditor(house, ids)
    await look(page)
    await button(page, 'Look at all 3').click()
    expect(await told(page)).toBe('No faces found on 3 items')
    // The second one does not come before it is cancelled.
    let let_go = () => {}
    const held = new Promise<void>(done => {
      let_go = done
    })
    await page.route(`**/v1/item/${ids[1]}/image?*large*`, async route => {
      await held
      await route.abort()
    })
    await page.reload()
    // By keyboard: buttons come and go, the focus stays with them, and goes back to where it came from.
    await button(page, 'Face recognition').focus()
    await page.keyboard.press('Enter')
    await told(page)
    const focused = () => page.locator(':focus').getAttribute('aria-label')
    expect(await focused()).toBe('Face recognition')
    await button(page, 'Look at all 3').press('Enter')
    await bar(page).getByText('Looking for faces: 2 of 3').waitFor()
    expect(await focused()).toBe('Face recognition')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await told(page)).toBe('Stopped. No faces found on 1 item')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('How faces are found')
    let_go()
    await button(page, 'Close').press('Enter')
    await until(async () => ((await bar(page).count()) === 0 ? true : null))
    expect(await page.locator(':focus').getAttribute('class')).toBe('editor-tool')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what cannot be done is said in its place', async () => {
    const { page } = await openEditor(house, [await house.idOf('2.jpg')])
    // A model that does not come.
    await page.route('**/faceres.bin', route => route.abort())
    await button(page, 'Face recognition').click()
    await bar(page).getByRole('alert').getByText(metadataTexts.faceRecognitionNotLoaded).waitFor()
    await keep(page, 'faces-not-loaded')
    await page.unroute('**/faceres.bin')
    await button(page, 'Try again').click()
    expect(await told(page)).toBe('No faces found')

    // The picture does not come.
    await page.route('**/image?*large*', route => route.abort())
    await page.reload()
    await button(page, 'Face recognition').click()
    await bar(page).getByText(metadataTexts.pictureNotProcessed).waitFor()
    await page.context().close()

    // A browser without WebAssembly: its worker has none either.
    const plain = await openEditor(house, [await house.idOf('2.jpg')])
    await plain.page.route('**/face-worker*', async route => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: `delete self.WebAssembly;${await answer.text()}` })
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
    let house: House
    beforeAll(async () => {
      const root = join(temporaryDirectory(), 'pictures')
      mkdirSync(root)
      const faces = join(samples, 'faces')
      for (const name of ['obama.jpg', 'obama1.jpg', 'obama2.jpg', 'obama3.jpg', 'obama-720p.jpg']) {
        copyFileSync(join(faces, 'Barack Obama', name), join(root, name))
      }
      copyFileSync(join(faces, '_several people/obama_and_biden.jpg'), join(root, 'obama_and_biden.jpg'))
      for (const name of salley) copyFileSync(join(faces, 'John Salley', name), join(root, name))
      house = await openHouse(root)
    })
    afterAll(() => house.server.stop())

    test('one is named and suggested on the next pictures: accepted, refused, or another name', async () => {
      const { page, faults } = await openEditor(house, [await house.idOf('obama.jpg')])
      expect(await look(page)).toBe('1 face')
      await rows(page).getByText(metadataTexts.noMatch).waitFor()
      // Unnamed faces are not to be saved.
      expect(await button(page, 'Save').isDisabled()).toBe(true)
      await button(page, 'Name Face 1').click()
      await page.keyboard.type('Barack Obama')
      await page.getByRole('option', { name: 'New person “Barack Obama”' }).waitFor()
      await page.keyboard.press('Enter')
      await box(page, 'Barack Obama').waitFor()
      expect(await rows(page).count()).toBe(0)
      await save(page)
      const [first] = await house.ask<Face[]>('GET', '/v1/person/faces')
      expect(first).toMatchObject({ model: 'human-faceres-1' })
      expect(first?.embedding_data).toHaveLength(1024)
      const { tags } = await house.ask<Item>('GET', `/v1/item/${await house.idOf('obama.jpg')}`)
      expect(tags.People?.data).toMatchObject([{ name: 'Barack Obama', face: first?.id, id: first?.object }])

      // A saved person is recognised at the same place: no second box.
      expect(await look(page)).toBe('1 face')
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(await button(page, 'Save').isDisabled()).toBe(true)
      // Also on the picture that was turned.
      await button(page, 'Rotate right').click()
      await until(async () => {
        const { properties } = await house.ask<Item>('GET', `/v1/item/${await house.idOf('obama.jpg')}`)
        return properties.some(({ name, value }) => name === 'Rotation' && value === 90) ? true : null
      })
      await look(page)
      expect(await page.locator('.box-edit').count()).toBe(1)
      await button(page, 'Rotate left').click()

      // One match is enough for a suggestion.
      await page.goto(`${house.server.address}/admin/metadata?items=${await house.idOf('obama1.jpg')}`)
      await page.locator('.editor-picture').waitFor()
      expect(await look(page)).toBe('1 face: 1 with a suggestion')
      await rows(page)
        .getByText(/^Suggested, \d\d % alike$/)
        .waitFor()
      await box(page, /^Barack Obama\? \d\d %$/).waitFor()
      await keep(page, 'faces-suggested')
      await button(page, 'Yes, Barack Obama').click()
      await page.getByText('1 change').waitFor()
      await save(page)
      expect(await house.peopleOn('obama1.jpg')).toEqual(['Barack Obama'])

      // Two faces: the one is refused and named otherwise, the other one stays without a name and is not saved.
      await page.goto(`${house.server.address}/admin/metadata?items=${await house.idOf('obama_and_biden.jpg')}`)
      await page.locator('.editor-picture').waitFor()
      expect(await look(page)).toBe('2 faces: 1 with a suggestion')
      await button(page, /^No, not Barack Obama \(face [12]\)$/).click()
      await rows(page).getByText(metadataTexts.noMatch).nth(1).waitFor()
      await button(page, 'Name Face 1').click()
      await page.keyboard.type('Somebody Else')
      await page.keyboard.press('Enter')
      await page.getByText('1 change').waitFor()
      await save(page)
      expect(await house.peopleOn('obama_and_biden.jpg')).toEqual(['Somebody Else'])
      expect(await rows(page).count()).toBe(1)
      // It is no face: its box goes.
      await button(page, 'Face 1 is no face').click()
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(faults).toEqual([])
      await page.context().close()
    })

    test('at a picture that the server has not searched, it is asked about the faces on it: nobody’s are loaded', async () => {
      const { page, faults } = await openEditor(house, [await house.idOf('obama2.jpg')])
      const paths: string[] = []
      const sent: number[] = []
      page.on('request', request => {
        const { pathname } = new URL(request.url())
        paths.push(pathname)
        if (pathname.endsWith('/faces/suggestions')) sent.push(request.postDataJSON().faces.length)
      })
      expect(await look(page)).toBe('1 face: 1 with a suggestion')
      expect(sent).toEqual([1])
      expect(paths).not.toContain('/v1/person/faces')

      // Another browser removes the names, and restores them: the suggestions here follow.
      const before = await house.ask<Person[]>('GET', '/v1/person')
      const barack = before.find(({ names }) => names.some(({ name }) => name === 'Barack Obama'))?.id
      const faces = (await house.ask<Face[]>('GET', '/v1/person/faces')).filter(({ person }) => person === barack)
      for (const { id } of faces) await house.remove(`/v1/person/${barack}/faces/${id}`)
      await rows(page).getByText(metadataTexts.noMatch).waitFor()
      for (const { object, embedding_data } of faces) {
        await house.ask('POST', `/v1/person/${barack}/faces`, { object, embedding_data })
      }
      await button(page, 'Yes, Barack Obama').waitFor()
      expect(faults).toEqual([])

      // The response does not arrive: faces are found all the same.
      await page.route('**/faces/suggestions', route =>
        route.fulfill({ status: 500, json: { error: 'x', code: 'unexpected' } }),
      )
      await page.reload()
      await page.locator('.editor-picture').waitFor()
      expect(await look(page)).toBe('1 face')
      await page.getByText(baseTexts.failedToLoadPersonData).waitFor()
      await page.context().close()
    })

    test('boxes with names teach, and whoever matches more than five faces is named without being asked', async () => {
      const { id: person } = await house.ask<Person>('POST', '/v1/person', { names: ['John Salley'] })
      const ids = await Promise.all(salley.map(house.idOf))
      // As another program would have left them: boxes with a name on all but the last two.
      for (const id of ids.slice(0, -2)) {
        const data = { person, x: 20, y: 20, width: 960, height: 960 }
        await house.ask('POST', `/v1/item/${id}/tag/People/object`, { data })
      }
      const { page, faults } = await openEditor(house, ids)
      await look(page)
      await button(page, 'How faces are found').click()
      await page.getByRole('switch', { name: metadataTexts.namePeopleAutomatically }).check()
      await page.keyboard.press('Escape')
      await button(page, `Look at all ${ids.length}`).click()
      const text = await told(page)
      expect(text).toStartWith('9 faces on 9 of 9 items: 2 named')
      await keep(page, 'faces-of-many')
      // Named is not saved yet.
      expect(await house.peopleOn(salley.at(-1) ?? '')).toEqual([])
      await button(page, 'Save all 2').click()
      for (const name of salley.slice(-2)) {
        await until(async () => ((await house.peopleOn(name))[0] === 'John Salley' ? true : null))
      }
      const known = async () =>
        (await house.ask<Face[]>('GET', '/v1/person/faces')).filter(face => face.person === person).length
      await until(async () => ((await known()) === 9 ? true : null))
      // Once more: everybody is known already.
      await look(page)
      expect(await known()).toBe(9)
      expect(faults).toEqual([])
      await page.context().close()
    })

    test('a person without a box gets the box of their face', async () => {
      const [barack] = (await house.ask<Person[]>('GET', '/v1/person')).filter(({ names }) =>
        names.some(({ name }) => name === 'Barack Obama'),
      )
      const id = await house.idOf('obama2.jpg')
      const data = { person: barack?.id, x: 0, y: 0, width: 0, height: 0 }
      await house.ask('POST', `/v1/item/${id}/tag/People/object`, { data })
      const { page, faults } = await openEditor(house, [id])
      expect(await look(page)).toBe('1 face: 1 with a suggestion')
      await button(page, 'Yes, Barack Obama').click()
      await page.getByText('1 change').waitFor()
      expect(await page.locator('.box-chips .chip-text').allTextContents()).toEqual(['Barack Obama'])
      await save(page)
      expect(await house.peopleOn('obama2.jpg')).toEqual(['Barack Obama'])
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(faults).toEqual([])
      await page.context().close()
    })

    test('two browsers find the same face: one box, and what was named wrongly is forgotten when it is taken back', async () => {
      const id = await house.idOf('obama3.jpg')
      const [first, second] = [await openEditor(house, [id]), await openEditor(house, [id])]
      for (const { page } of [first, second]) expect(await look(page)).toBe('1 face: 1 with a suggestion')
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
        (await house.ask<Face[]>('GET', '/v1/person/faces')).filter(face => face.object !== null && face.person === kit)
      const kit = (await house.ask<Person[]>('GET', '/v1/person')).find(
        ({ names }) => names[0]?.name === 'Kit Wrong',
      )?.id
      await until(async () => ((await known()).length === 1 ? true : null))

      await button(second.page, 'Remove Kit Wrong').click()
      await save(second.page)
      expect(await known()).toEqual([])
      await box(first.page, 'Kit Wrong').waitFor({ state: 'detached' })
      // Nobody is recognised as this person any more.
      expect(await look(second.page)).toBe('1 face: 1 with a suggestion')
      await button(second.page, 'Yes, Barack Obama').waitFor()
      expect([...first.faults, ...second.faults]).toEqual([])
      await first.page.context().close()
      await second.page.context().close()
    })

    test('where the server has looked, its faces are shown and no model is loaded', async () => {
      await house.ask('POST', '/v1/faces/index', {})
      await until(async () => {
        const { due, job } = await house.ask<FaceStatus>('GET', '/v1/faces/status')
        return due === 0 && job === null ? true : null
      })
      const [first, second] = [await house.idOf('obama3.jpg'), await house.idOf('obama-720p.jpg')]
      const { page, faults } = await openEditor(house, [first, second])
      const asked: string[] = []
      page.on('request', request => asked.push(new URL(request.url()).pathname))
      expect(await look(page)).toStartWith('1 face')
      expect(await page.locator('.box-edit').count()).toBe(1)
      expect(asked).toContain(`/v1/item/${first}/faces`)
      expect(asked.filter(path => /face-worker|faceFiles/.test(path))).toEqual([])
      // Fainter faces than the server was requested: the browser looks itself.
      await button(page, 'How faces are found').click()
      await page.getByRole('slider', { name: metadataTexts.confidence }).fill('3')
      await button(page, 'Look again').click()
      expect(await told(page)).toStartWith('1 face')
      expect(asked.some(path => path.endsWith('/faceres.bin'))).toBe(true)
      expect(faults).toEqual([])
      await page.context().close()
    })

    for (const viewport of [undefined, phone]) {
      test(`long names stay within what they stand in, ${viewport === undefined ? 'on a laptop' : 'on a phone'}`, async () => {
        const { page, faults } = await openEditor(house, [await house.idOf('obama-720p.jpg')], viewport)
        const long = `Barack Obama ${'von und zu Hohenzollern-Sigmaringen '.repeat(3)}`.trim()
        await page.route(/\/v1\/person(\?.*)?$/, async route => {
          const answer = await route.fetch()
          await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('Barack Obama', long) })
        })
        await look(page)
        const sides = async (selector: string) => {
          const at = await page.locator(selector).first().boundingBox()
          return {
            left: at?.x ?? -1,
            right: (at?.x ?? 0) + (at?.width ?? 0),
            top: at?.y ?? -1,
            bottom: (at?.y ?? 0) + (at?.height ?? 0),
          }
        }
        // The notification of the search is under the picture.
        expect((await sides('.editor-room')).bottom).toBeLessThanOrEqual((await sides('.face-bar')).top)
        await button(page, /^Not /).click()
        await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('dialog').getByRole('combobox')).waitFor()
        for (const [inner, outer] of [
          ['.box-edit > b', '.editor-room'],
          ['.face-choices .btn', ':is(dialog:modal, [role="dialog"])'],
          ['.face-choices .btn .soft', '.face-choices .btn'],
        ] as const) {
          const [one, around] = [await sides(inner), await sides(outer)]
          expect(one.left, inner).toBeGreaterThanOrEqual(around.left)
          expect(one.right, inner).toBeLessThanOrEqual(around.right)
        }
        await keep(page, `faces-long-names${viewport === undefined ? '' : '-phone'}`)
        expect(faults).toEqual([])
        await page.context().close()
      })
    }

    test('on a phone', async () => {
      const { page, faults } = await openEditor(house, [await house.idOf('obama-720p.jpg')], phone)
      expect(await look(page)).toBe('1 face: 1 with a suggestion')
      await button(page, 'Yes, Barack Obama').scrollIntoViewIfNeeded()
      await keep(page, 'faces-phone')
      await button(page, 'Not Barack Obama').click()
      // As a sheet, with those who may be meant above the field.
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Barack Obama \d\d %$/ })
        .click()
      await save(page)
      expect(await house.peopleOn('obama-720p.jpg')).toEqual(['Barack Obama'])
      expect(faults).toEqual([])
      await page.context().close()
    })
  })
}
