/** Scenes of face recognition. The worker's results are invented: the sample pictures contain no faces. */
import type { Page } from 'playwright'
import { suggestPeople } from '../../schema/faces.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { button, like, type Scene } from './scene.ts'

const vector = Array.from({ length: 1024 }, (_, n) => Math.sin(n) + 1)
const otherVector = vector.map(number => number + 5)

/** A worker that finds two faces: one like that of the suggested person, and an unknown one. */
const program = `
  const faces = [
    { box: { x: 560, y: 120, width: 150, height: 150 }, confidence: 0.9, vector: ${JSON.stringify(vector)} },
    { box: { x: 760, y: 300, width: 120, height: 120 }, confidence: 0.8, vector: ${JSON.stringify(otherVector)} },
  ]
  self.onmessage = ({ data: { id, request } }) => self.postMessage({ id, faces: request.what === 'find' ? faces : [] })
`

const findsNothing = 'self.onmessage = ({ data: { id } }) => self.postMessage({ id, faces: [] })'

/** Replaces the worker's program, and suggests the last person of the list, who has no box on the picture. */
const replaceWorker = (body: string) => async (page: Page) => {
  await page.route('**/face-worker*', route => route.fulfill({ contentType: 'text/javascript', body }))
  await page.route('**/faces/suggestions', async route => {
    const people: { id: number }[] = await (
      await page.request.get(new URL('/v1/person', route.request().url()).href)
    ).json()
    const person = people.at(-1)?.id ?? 1
    const nearly = vector.map((number, n) => number + (n % 2) * 0.325)
    const { faces }: { faces: number[][] } = route.request().postDataJSON()
    const suggestions = faces.map(face => suggestPeople(face, [{ person, vector: nearly }]))
    await route.fulfill({ json: { suggestions, known: [] } })
  })
}

const bar = (page: Page) => page.getByRole('region', { name: metadataTexts.faceRecognition })

async function startFaceSearch(page: Page): Promise<void> {
  await page.locator('.editor-picture').waitFor()
  await button(page, metadataTexts.faceRecognition).click()
}

async function findFaces(page: Page): Promise<void> {
  await startFaceSearch(page)
  await bar(page)
    .getByText(baseTexts.faceCount({ count: 2 }))
    .waitFor()
}

export const faceScenes: readonly Scene[] = [
  {
    name: 'face recognition, found',
    path: ({ ids }) => `/admin/metadata?items=${ids.region},${ids.located}`,
    before: replaceWorker(program),
    act: findFaces,
  },
  {
    name: 'face recognition, somebody else',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    before: replaceWorker(program),
    act: async page => {
      await findFaces(page)
      await page.getByTitle(adminTexts.somebodyElse, { exact: true }).click()
    },
  },
  {
    name: 'face recognition, how',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    before: replaceWorker(program),
    act: async page => {
      await findFaces(page)
      await button(page, metadataTexts.faceSearchSettings).click()
    },
  },
  {
    name: 'face recognition, looking',
    path: ({ ids }) => `/admin/metadata?items=${ids.region},${ids.located}`,
    before: replaceWorker(findsNothing),
    act: async page => {
      await startFaceSearch(page)
      await bar(page).getByText(metadataTexts.noFacesFound).waitFor()
      await page.route('**/image?*large*', () => {})
      await button(page, metadataTexts.lookAtAll({ count: 2 })).click()
      await bar(page)
        .getByText(like(metadataTexts.lookingForFacesOf({ number: '*', total: 2 })))
        .waitFor()
    },
  },
  {
    name: 'face recognition, not loaded',
    path: ({ ids }) => `/admin/metadata?items=${ids.region}`,
    before: replaceWorker(
      "self.onmessage = ({ data: { id } }) => self.postMessage({ id, fault: 'models', why: 'not loaded: faceres' })",
    ),
    act: async page => {
      await startFaceSearch(page)
      await bar(page).getByRole('alert').waitFor()
    },
  },
]
