import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import type { FaceStatus } from '../../schema/api/faces.ts'
import type { Item } from '../../schema/api/items.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { describeWalks, openPage, saveScreenshot } from '../support/browser.ts'
import { mustNotSkip, samplesDirectory } from '../support/samples.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const samples = samplesDirectory()
const message = 'recognising people on the server: the samples are missing (set KEEPSAKE_SAMPLES)'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const rows = (page: Page) => page.getByRole('group', { name: metadataTexts.facesWithoutAName }).getByRole('listitem')

if (samples === null) {
  if (mustNotSkip()) test(message, () => expect(samples).not.toBeNull())
  else {
    console.warn(`skipped: ${message}`)
    test.skip(message, () => {})
  }
} else {
  describeWalks('people are recognised', () => {
    const salley = readdirSync(join(samples, 'faces/John Salley')).sort()
    const simm = readdirSync(join(samples, 'faces/John Simm')).sort()
    let server: RunningServer
    let token = ''
    beforeAll(async () => {
      const directory = temporaryDirectory()
      const root = join(directory, 'pictures')
      mkdirSync(root)
      for (const [person, names] of [
        ['John Salley', salley],
        ['John Simm', simm],
      ] as const) {
        for (const name of names) copyFileSync(join(samples, 'faces', person, name), join(root, name))
      }
      server = await startServer(join(directory, 'data'), [root])
      token = await registerAndSignIn(server)
      await waitUntil(async () => ((await items()).length === salley.length + simm.length ? true : null))
    })
    afterAll(() => server.stop())

    async function requestJson<Result>(path: string): Promise<Result> {
      const response = await fetch(server.address + path, { headers: { authorization: `Bearer ${token}` } })
      return JSON.parse(await response.text())
    }
    const items = async () => (await requestJson<{ items: Item[] }>('/v1/item/list/0?limit=100')).items
    const idOf = async (name: string | undefined) => (await items()).find(item => item.name === name)?.id ?? 0
    const namedCount = async () =>
      (await items()).filter(({ tags }) => tags.People?.data.some(({ name }) => name === 'John Salley')).length

    async function openFaceRows(page: Page, name: string | undefined): Promise<void> {
      await page.goto(`${server.address}/admin/metadata?items=${await idOf(name)}`)
      await page.locator('.editor-picture').waitFor()
      await button(page, 'Face recognition').click()
      await rows(page).first().waitFor()
    }

    async function save(page: Page): Promise<void> {
      await button(page, 'Save').click()
      await waitUntil(async () => ((await page.locator('.editor-status').textContent()) === '' ? true : null))
    }

    test('a person who was named once is suggested on other pictures, and named on the rest in groups', async () => {
      const { page, errors } = await openPage(server.address, { user: 'ines' })
      // The server has not searched yet, so the browser does.
      await openFaceRows(page, salley[0])
      await rows(page).getByText(metadataTexts.noMatch).waitFor()
      await button(page, 'Name Face 1').click()
      await page.keyboard.type('John Salley')
      await page.keyboard.press('Enter')
      await save(page)

      // One match is enough for a suggestion.
      await openFaceRows(page, salley[1])
      await rows(page)
        .getByText(/^Suggested, \d\d % alike$/)
        .waitFor()
      await button(page, 'Yes, John Salley').click()
      await save(page)
      expect(await namedCount()).toBe(2)

      // The server searches all pictures.
      await page.goto(`${server.address}/admin/faces`)
      await button(page, 'Look for faces').click()
      await page
        .getByRole('region', { name: /^Group of/ })
        .first()
        .waitFor()
      const { looked, due } = await requestJson<FaceStatus>('/v1/faces/status')
      expect([looked, due]).toEqual([salley.length + simm.length, 0])

      // The next suggestion comes from the faces that the server has found.
      const models: string[] = []
      page.on('request', request => {
        if (/faceres|blazeface/.test(request.url())) models.push(request.url())
      })
      await openFaceRows(page, salley[2])
      await button(page, 'Yes, John Salley').click()
      await save(page)
      expect(models).toEqual([])

      // The group of the known person has a suggestion, the other one has none. Nobody is named without confirmation.
      await page.goto(`${server.address}/admin/faces`)
      const suggested = button(page, /^John Salley \d+ %\s*: name \d+ faces?$/)
      await suggested.waitFor()
      expect(await namedCount()).toBe(3)
      await saveScreenshot(page, 'face-groups-people')
      while (await suggested.count()) {
        const before = await namedCount()
        await suggested.first().click()
        await waitUntil(async () => ((await namedCount()) > before ? true : null))
        await page.locator('.face-group[aria-busy=true]').waitFor({ state: 'detached' })
      }
      // All faces that the detector finds are named, except for those of the other man.
      expect(await namedCount()).toBeGreaterThanOrEqual(salley.length - 1)
      await page
        .getByRole('region', { name: /^Group of/ })
        .first()
        .waitFor()
      for (const name of simm) {
        const { tags } = await requestJson<Item>(`/v1/item/${await idOf(name)}`)
        expect(tags.People?.data ?? []).toEqual([])
      }
      expect(errors).toEqual([])
      await page.context().close()
    })
  })
}
