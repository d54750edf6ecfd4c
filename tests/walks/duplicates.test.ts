import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { duplicatesTexts } from '../../web/texts/admin/duplicates.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { describeWalks, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** A blurred pattern of many colours that stays recognisable at any size. */
async function photograph(seed: number, width: number, date?: string): Promise<Buffer> {
  let state = seed * 7919
  const pixels = Uint8Array.from({ length: 8 * 6 * 3 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state >> 16
  })
  const scaled = sharp(pixels, { raw: { width: 8, height: 6, channels: 3 } }).resize(width, (width * 3) / 4)
  return (date === undefined ? scaled : scaled.withExif({ IFD2: takenAt(date) })).jpeg().toBuffer()
}

const group = (page: Page, name: RegExp) => page.getByRole('region', { name })

describeWalks('duplicates', () => {
  let server: RunningServer
  let token = ''
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(join(root, 'copies'), { recursive: true })
    const put = (path: string, bytes: Buffer) => writeFileSync(join(root, path), bytes)
    const copy = (from: string, to: string) => copyFileSync(join(root, from), join(root, 'copies', to))
    put('boat.jpg', await photograph(1, 1600, '2019-08-01 12:00:00'))
    copy('boat.jpg', 'boat again.jpg')
    copy('boat.jpg', 'boat once more.jpg')
    put('tree.jpg', await photograph(2, 800, '2019-08-02 12:00:00'))
    copy('tree.jpg', 'tree again.jpg')
    put('house.jpg', await photograph(3, 800, '2019-08-03 12:00:00'))
    put('copies/house small.jpg', await photograph(3, 320))
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  async function requestJson(method: string, path: string, body?: unknown) {
    const response = await fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return JSON.parse(await response.text())
  }

  async function items(): Promise<
    { id: number; name: string; tags: { Keywords?: { data: { content: string }[] } } }[]
  > {
    return (await requestJson('GET', '/v1/item/list/0?limit=50')).items
  }
  const named = async (name: string) => (await items()).find(item => item.name === name)
  const keywordsOf = async (name: string) =>
    ((await named(name))?.tags.Keywords?.data ?? []).map(({ content }) => content)

  test('are reviewed: one is kept with the metadata of the others, and this can be undone', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await waitUntil(async () => ((await items()).length === 7 ? true : null))
    for (const [name, word] of [
      ['boat.jpg', 'Sea'],
      ['boat again.jpg', 'Sand'],
      ['boat once more.jpg', 'Wind'],
    ] as const) {
      await requestJson('POST', `/v1/item/${(await named(name))?.id}/tag/Keywords`, { data: [word] })
    }
    await page.getByRole('button', { name: baseTexts.admin }).click()
    await page.getByRole('link', { name: baseTexts.duplicates }).click()
    const boats = group(page, /^3 copies/)
    await boats.waitFor()
    await group(page, /^2 copies/).waitFor()
    expect(await boats.getByRole('radio', { checked: true }).count()).toBe(1)
    await saveScreenshot(page, 'duplicates')

    // Keeps another copy than the proposed one. A third copy is first kept, then deleted after all.
    await boats.getByText('boat again.jpg').click()
    await boats.getByText(duplicatesTexts.yourChoice).waitFor()
    await boats.getByRole('checkbox', { name: 'Delete boat once more.jpg' }).uncheck()
    await boats.getByRole('button', { name: 'Keep 2, delete 1' }).waitFor()
    await boats.getByRole('checkbox', { name: 'Delete boat once more.jpg' }).check()
    await boats.getByRole('button', { name: 'Keep 1, delete 2' }).click()
    await page.getByText('2 duplicates deleted').waitFor()
    await boats.waitFor({ state: 'detached' })
    expect((await keywordsOf('boat again.jpg')).sort()).toEqual(['Sand', 'Sea', 'Wind'])
    expect((await items()).length).toBe(5)

    await page.getByRole('button', { name: baseTexts.undo }).click()
    await page.getByText(duplicatesTexts.duplicatesAreBack).waitFor()
    await boats.waitFor()
    expect(await keywordsOf('boat again.jpg')).toEqual(['Sand'])
    expect((await items()).length).toBe(7)

    // Opens a picture among its copies, and returns to the unchanged screen.
    await boats.getByRole('button', { name: 'Look at boat.jpg' }).click()
    await page.getByText(/of 3/).waitFor()
    await page.keyboard.press('Escape')
    await boats.waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a page with only skipped groups is passed over, unless the user opens it', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    // Fifteen groups on two pages, copied from the first group.
    await page.route('**/v1/item/duplicates/0?*', async route => {
      const url = new URL(route.request().url())
      const isSecondPage = url.searchParams.get('page') === '2'
      url.searchParams.set('page', '1')
      const response = await route.fetch({ url: url.href })
      const body: { _meta: object; groups: { id: number }[][] } = await response.json()
      const groups = Array.from({ length: isSecondPage ? 5 : 10 }, (_, n) =>
        (body.groups[0] ?? []).map(one => ({ ...one, id: one.id + 1000 * (isSecondPage ? n + 11 : n + 1) })),
      )
      await route.fulfill({ response, json: { _meta: { ...body._meta, total_records: 15 }, groups } })
    })
    await page.goto(`${server.address}/admin/duplicates`)
    const skipButtons = page.getByRole('button', { name: duplicatesTexts.skip, exact: true })
    await waitUntil(async () => ((await skipButtons.count()) === 10 ? true : null))
    for (let n = 0; n < 10; n++) await skipButtons.first().click()
    await waitUntil(async () => ((await skipButtons.count()) === 5 ? true : null))
    expect(new URL(page.url()).searchParams.get('sheet')).toBe('2')
    // It is passed over after a reload too.
    await page.goto(`${server.address}/admin/duplicates`)
    await waitUntil(async () => ((await skipButtons.count()) === 5 ? true : null))
    await page.getByRole('button', { name: 'Page 1', exact: true }).click()
    await page.getByText(duplicatesTexts.thatIsAll).waitFor()
    await page.getByRole('button', { name: 'Show skipped (10)' }).click()
    await waitUntil(async () => ((await skipButtons.count()) === 10 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('are reviewed with keys, stay skipped after a reload, and can be deleted all at once', async () => {
    const { page, errors } = await openPage(`${server.address}/admin/duplicates`, { user: 'ines' })
    const boats = group(page, /^3 copies/)
    const trees = group(page, /^2 copies/)
    await boats.getByRole('radio', { checked: true }).focus()
    const first = await boats.getByRole('radio', { checked: true }).getAttribute('aria-label')
    await page.keyboard.press('ArrowRight')
    expect(await boats.getByRole('radio', { checked: true }).getAttribute('aria-label')).not.toBe(first)
    await page.keyboard.press('ArrowDown')
    expect(await trees.locator('input[type="radio"]:checked:focus').count()).toBe(1)
    await page.keyboard.press('ArrowUp')

    // S skips a group and moves the focus.
    await page.keyboard.press('s')
    await boats.waitFor({ state: 'detached' })
    await page.keyboard.press('s')
    await page.getByText(duplicatesTexts.thatIsAll).waitFor()

    // This browser remembers skipped groups, and shows them on request.
    await page.reload()
    await page.getByText(duplicatesTexts.thatIsAll).waitFor()
    await saveScreenshot(page, 'duplicates-left')
    await page.getByRole('button', { name: 'Show skipped (2)' }).click()
    await boats.waitFor()
    await trees.getByRole('button', { name: duplicatesTexts.skip, exact: true }).click()
    await trees.waitFor({ state: 'detached' })
    await page.reload()
    await boats.waitFor()
    expect(await trees.count()).toBe(0)
    await page.getByRole('button', { name: 'Show skipped (1)' }).click()
    await trees.waitFor()
    expect(await page.getByRole('button', { name: /^Show skipped/ }).count()).toBe(0)

    await page.getByRole('button', { name: duplicatesTexts.keepTheBestOfAll }).click()
    const dialog = page.getByRole('dialog', { name: duplicatesTexts.keepTheBestOfAll })
    await dialog.getByText('Of 2 groups the best stays').waitFor()
    await saveScreenshot(page, 'duplicates-all')
    await dialog.getByRole('button', { name: 'Delete 3 duplicates' }).click()
    await page.getByText('3 duplicates deleted').waitFor()
    await page.getByText(duplicatesTexts.noExactDuplicates).waitFor()
    expect((await items()).length).toBe(4)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('that look alike are found and reviewed on a phone', async () => {
    const { page, errors } = await openPage(`${server.address}/admin/duplicates`, { viewport: phone, user: 'ines' })
    await page.getByRole('tab', { name: duplicatesTexts.lookAlike }).click()
    // There is no result before the first search.
    await page.getByRole('heading', { name: duplicatesTexts.notSearchedYet }).waitFor()
    expect(await page.getByText(/The last search/).count()).toBe(0)
    await page.getByRole('tabpanel').getByRole('button', { name: baseTexts.search, exact: true }).click()
    const houses = group(page, /^2 copies/)
    await houses.waitFor()
    // The large picture with a date of its own is the better one.
    await houses.getByRole('radio', { name: 'Keep house.jpg', checked: true }).waitFor({ state: 'attached' })
    await houses.getByText(/largest picture/).waitFor()
    await saveScreenshot(page, 'duplicates-phone')
    await houses.getByRole('button', { name: 'Keep 1, delete 1' }).click()
    await page.getByText('1 duplicate deleted').waitFor()
    await page.getByRole('heading', { name: duplicatesTexts.noDuplicates }).waitFor()
    await page.getByText(/^The last search found no pictures that look alike/).waitFor()
    expect(await named('house small.jpg')).toBeUndefined()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
