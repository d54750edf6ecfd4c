/** Scenes of the groups of unnamed faces. The faces are invented: the sample pictures contain none. */
import type { Page } from 'playwright'
import { figure } from '../../schema/figures.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { peopleTexts } from '../../web/texts/people.ts'
import { button, like, respondWith, type Scene } from './scene.ts'

interface Listed {
  id: number
  name: string
  type: string
  problem: string | null
  [part: string]: unknown
}

const status = {
  model: 'human-faceres-1',
  looked: 1204,
  due: 30,
  faces: 640,
  named: 410,
  groups: 34,
  known: 380,
  job: null,
}

const nothing = { _meta: { total_records: 0, limit: 30, page: 1, count: 0 }, groups: [] }

const okWith = (json: unknown) => ({ status: 200, body: JSON.stringify(json) })
const respondWithStatus = (change: object) => respondWith('**/v1/faces/status', okWith({ ...status, ...change }))

/** Groups of these sizes, on the library's own pictures. */
const groupsOf = (...sizes: number[]) =>
  async function groups(page: Page): Promise<void> {
    await respondWithStatus({})(page)
    await page.route('**/v1/faces/groups?*', async route => {
      const get = (path: string) => page.request.get(new URL(path, route.request().url()).href)
      const { items }: { items: Listed[] } = await (await get('/v1/item/list/0?limit=60')).json()
      const people: { id: number }[] = await (await get('/v1/person')).json()
      const pictures = items.filter(({ type, problem }) => type === 'image' && problem === null)
      let next = 0
      const faceOf = () => {
        const item = pictures[next++ % pictures.length]
        return { id: next, x: 380, y: 160, width: 150, height: 170, score: 0.9, item }
      }
      const suggestionOf = (n: number) => ({ person: people[n]?.id ?? 1, similarity: 0.87 - n / 5, matches: 6 - n })
      await route.fulfill({
        json: {
          _meta: { total_records: 34, limit: 30, page: 1, count: sizes.length },
          groups: sizes.map((count, n) => ({
            id: n + 1,
            count,
            ignored: false,
            suggestions: [[], [suggestionOf(0)], [suggestionOf(0), suggestionOf(1)]][n % 3],
            faces: Array.from({ length: Math.min(count, 8) }, faceOf),
          })),
        },
      })
    })
  }

const noGroups = (change: object) => async (page: Page) => {
  await respondWithStatus(change)(page)
  await respondWith('**/v1/faces/groups?*', okWith(nothing))(page)
}

const group = (page: Page, at: number) =>
  page.getByRole('region', { name: like(peopleTexts.groupOfFaces({ count: 42 }).replace(figure(42), '*')) }).nth(at)

export const faceGroupScenes: readonly Scene[] = [
  {
    name: 'unnamed faces',
    path: '/admin/faces',
    before: groupsOf(42, 12, 7, 3, 2),
    act: page => group(page, 0).waitFor(),
  },
  {
    name: 'unnamed faces, naming',
    path: '/admin/faces',
    before: groupsOf(42, 12, 7),
    act: async page => {
      await group(page, 1)
        .getByRole('checkbox', { name: like(peopleTexts.faceOn({ where: '*' })) })
        .nth(1)
        .uncheck()
      await group(page, 1).getByRole('combobox').fill('Ann')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'unnamed faces, merging',
    path: '/admin/faces',
    before: groupsOf(42, 12, 7),
    act: async page => {
      for (const at of [0, 1])
        await group(page, at)
          .getByRole('checkbox', {
            name: like(peopleTexts.chooseThisGroupOfFaces({ count: 42 }).replace(figure(42), '*')),
          })
          .check()
      await page.getByRole('toolbar', { name: peopleTexts.chosenGroups }).waitFor()
    },
  },
  {
    name: 'unnamed faces, never looked',
    path: '/admin/faces',
    before: noGroups({ looked: 0, due: 1234, faces: 0, groups: 0 }),
    act: page => page.getByRole('heading', { name: peopleTexts.noFacesYet }).waitFor(),
  },
  {
    name: 'unnamed faces, nobody left',
    path: '/admin/faces',
    before: noGroups({ groups: 0, due: 0 }),
    act: page => page.getByRole('heading', { name: peopleTexts.nobodyIsLeft }).waitFor(),
  },
  {
    name: 'unnamed faces, nobody ignored',
    path: '/admin/faces?ignored=true',
    before: noGroups({}),
    act: page => page.getByRole('heading', { name: peopleTexts.nobodyIsIgnored }).waitFor(),
  },
  {
    name: 'unnamed faces, forget',
    path: '/admin/faces',
    before: groupsOf(12, 7),
    act: async page => {
      await button(page, peopleTexts.moreAboutFaces).click()
      await page.getByRole('menuitem', { name: peopleTexts.forgetFaces }).click()
      await page.getByRole('dialog', { name: peopleTexts.forgetFacesTitle }).waitFor()
    },
  },
  {
    name: 'unnamed faces, loading',
    path: '/admin/faces',
    before: respondWith('**/v1/faces/groups?*', 'never'),
    act: page => page.getByRole('status', { name: baseTexts.loading }).waitFor(),
  },
]
