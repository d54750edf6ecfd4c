import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { galleryTexts } from '../../web/texts/gallery.ts'
import { mapTexts } from '../../web/texts/map.ts'
import { searchTexts } from '../../web/texts/search.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { describeWalks, openPage, type PageOptions, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** The metadata of the pictures, one for each of the first six days of August 2019. */
const pictureData: { keywords: string[]; rating: number; mia?: boolean; town?: [string, number, number] }[] = [
  { keywords: ['Sea', 'Summer'], rating: 5, mia: true, town: ['Auckland', -36.8485, 174.7633] },
  { keywords: ['Sea', 'Snow'], rating: 3 },
  { keywords: ['Dog', 'Summer'], rating: 4, mia: true },
  { keywords: ['Dog', 'Snow'], rating: 1, town: ['Vienna', 48.2085, 16.3721] },
  { keywords: ['Sea', 'Private'], rating: 5 },
  { keywords: ['2018'], rating: 0 },
]

const cards = (page: Page) => page.getByRole('list', { name: baseTexts.items }).getByRole('link')

/** The days of August whose pictures are shown, newest first. */
async function days(page: Page): Promise<number[]> {
  const text = await page.evaluate(
    `JSON.stringify([...document.querySelectorAll('.card-link')].map(card => card.getAttribute('aria-label') ?? ''))`,
  )
  const labels: string[] = JSON.parse(String(text))
  return labels.map(label => Number(/(\d+) August/.exec(label)?.[1] ?? 0))
}

async function waitForDays(page: Page, ...expected: number[]): Promise<void> {
  try {
    await waitUntil(async () => (JSON.stringify(await days(page)) === JSON.stringify(expected) ? true : null))
  } catch {
    expect(await days(page)).toEqual(expected)
  }
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search for keywords' })
const suggested = (page: Page) => page.getByRole('listbox', { name: baseTexts.suggestions }).getByRole('option')
const search = (page: Page) => new URL(page.url()).search

describeWalks('finding', () => {
  let server: RunningServer
  let token = ''

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.status === 204 ? null : JSON.parse(await response.text())
  }

  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'Pictures')
    mkdirSync(root)
    for (const n of pictureData.keys()) {
      const exif = takenAt(`2019-08-0${n + 1} 12:00:00`)
      writeFileSync(join(root, `${n + 1}.jpg`), await picture({ seed: n + 1, exif }))
    }
    server = await startServer(join(directory, 'data'), [root])
    token = await registerAndSignIn(server)
    const listItems = (): Promise<{ items: { id: number; name: string }[] }> => call('GET', '/v1/item/list/0')
    const { items } = await waitUntil(async () => {
      const page = await listItems()
      return page.items.length === pictureData.length ? page : null
    })
    const { id: person }: { id: number } = await call('POST', '/v1/person', { names: ['Mia'] })
    for (const [n, { keywords, rating, mia, town }] of pictureData.entries()) {
      const id = items.find(({ name }) => name === `${n + 1}.jpg`)?.id
      if (keywords.length > 0) await call('POST', `/v1/item/${id}/tag/Keywords`, { data: keywords })
      if (rating > 0) await call('POST', `/v1/item/${id}/tag/Rating`, { data: rating })
      const box = { x: 100, y: 100, width: 200, height: 200 }
      if (mia === true) await call('POST', `/v1/item/${id}/tag/People/object`, { data: { person, ...box } })
      if (town !== undefined) {
        const [placeName, latitude, longitude] = town
        await call('POST', `/v1/item/${id}/tag/Locations`, { data: { placeName, latitude, longitude } })
      }
    }
    const known: { id: number; content: string }[] = await call('GET', '/v1/keystrings')
    const privateId = known.find(({ content }) => content === 'Private')?.id
    await call('PUT', `/v1/keystrings/${privateId}`, { isHidden: true, isAssociatedItemsHidden: true })
    await waitUntil(async () => ((await listItems()).items.length === pictureData.length - 1 ? true : null))
  })
  afterAll(() => server.stop())

  /** Opens a path as Inés. */
  async function open(path: string, options: PageOptions = {}) {
    return await openPage(server.address + path, { ...options, user: 'ines' })
  }

  test('suggestions and commas make chips, which are negated and moved between groups by keyboard and mouse', async () => {
    const { page, errors } = await open('/')
    await waitForDays(page, 6, 4, 3, 2, 1)

    // Two letters suggest nothing; three suggest matching words with counts, and never hidden ones.
    await page.keyboard.press('/')
    await page.keyboard.type('Su')
    expect(await suggested(page).count()).toBe(0)
    await page.keyboard.type('m')
    const summer = page.getByRole('option', { name: 'Summer, 2 items' })
    await summer.waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(await summer.getAttribute('id'))
    await saveScreenshot(page, 'finding-suggestions')
    await page.keyboard.press('Enter')
    await waitForDays(page, 3, 1)
    await page.keyboard.type('priv')
    expect(await suggested(page).count()).toBe(0)
    await page.keyboard.press('Escape')

    // A comma ends a word; duplicates are not added.
    await page.keyboard.type('sea, summer,')
    await waitForDays(page, 1)
    expect(await field(page).inputValue()).toBe('')
    expect(search(page)).toMatch(/^\?keyword=\d+\+Summer&and=sea$/)

    // A press switches the chip from AND to NOT, and a second one back.
    const sea = page.getByRole('button', { name: /^(Not )?sea$/ })
    await sea.click()
    await waitForDays(page, 3)
    expect(await sea.getAttribute('aria-pressed')).toBe('true')
    await sea.click()
    await waitForDays(page, 1)

    // 'or' starts another group: items that match either group are shown.
    await field(page).focus()
    await page.keyboard.type('or')
    await page.keyboard.press('Enter')
    await page.keyboard.type('dog')
    await page.keyboard.press('Enter')
    await waitForDays(page, 4, 3, 1)
    expect(search(page)).toMatch(/^\?keyword=\d+\+Summer&and=sea&or&and=dog$/)

    // Moves the chip 'sea' to the other group with the keyboard, and back with the mouse.
    await sea.focus()
    await page.keyboard.press('Alt+ArrowRight')
    await waitForDays(page, 3, 1)
    expect(search(page)).toMatch(/&or&and=dog&and=sea$/)
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('sea')
    const [from, to] = [await sea.boundingBox(), await page.getByRole('group', { name: 'Group 1 of 2' }).boundingBox()]
    await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 12, { steps: 5 })
    await page.mouse.up()
    await waitForDays(page, 4, 3, 1)
    // A chip that is dropped on 'or' starts a new group.
    const source = await sea.boundingBox()
    const target = await page.getByRole('button', { name: searchTexts.orBeginAnotherGroup }).boundingBox()
    await page.mouse.move((source?.x ?? 0) + 10, (source?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move((target?.x ?? 0) + 12, (target?.y ?? 0) + 12, { steps: 5 })
    await page.mouse.up()
    await waitForDays(page, 4, 3, 2, 1)
    await saveScreenshot(page, 'finding-groups')

    // The address has the whole filter: another browser shows the same, and Back undoes one step.
    const other = await open(search(page) === '' ? '/' : `/${search(page)}`, { theme: 'light' })
    await waitForDays(other.page, 4, 3, 2, 1)
    await other.page.getByRole('group', { name: 'Group 3 of 3' }).waitFor()
    await page.goBack()
    await waitForDays(page, 4, 3, 1)
    expect([...errors, ...other.errors]).toEqual([])
    await page.context().close()
    await other.page.context().close()
  })

  test('a chip finds items that match all its words, also by the year taken, and every view shows their number', async () => {
    const { page, errors } = await open('/')
    await waitForDays(page, 6, 4, 3, 2, 1)
    expect(await field(page).getAttribute('placeholder')).toBe(
      'Keywords, category, people, descriptions, places, file names',
    )
    const count = page.getByRole('search').getByRole('status')
    expect(await count.textContent()).toBe('')
    await field(page).fill('snow 2019 se')
    await page.keyboard.press('Enter')
    await waitForDays(page, 2)
    await count.getByText('1 item', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'snow 2019 se', exact: true }).click()
    await waitForDays(page, 6, 4, 3, 1)
    await count.getByText('4 items').waitFor()
    for (const view of [baseTexts.timeline, baseTexts.infiniteScroll, baseTexts.paging]) {
      await page.getByRole('button', { name: view, exact: true }).click()
      expect(await count.textContent()).toBe('4 items')
    }

    // A long chip is shown in full. The chip '2018' also finds this keyword on a picture of 2019.
    const long = 'snow on the mountains that we crossed'
    await page.goto(`${server.address}/?and=2018&and=${long.replaceAll(' ', '+')}`)
    await page.getByRole('button', { name: long, exact: true }).waitFor()
    const text = `document.querySelector('[data-position="0 1"] .truncate')`
    expect(await page.evaluate(`${text}.scrollWidth - ${text}.clientWidth`)).toBe(0)
    await count.getByText('0 items').waitFor()
    await page.getByRole('button', { name: `Remove ${long}` }).click()
    await waitForDays(page, 6)

    const onPhone = await open('/?and=snow+2019', { viewport: phone })
    await onPhone.page.getByRole('status').getByText('2 items').waitFor()
    expect(Number(await onPhone.page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    await saveScreenshot(onPhone.page, 'finding-count-phone')
    await onPhone.page.getByRole('button', { name: baseTexts.search, exact: true }).click()
    expect(await field(onPhone.page).getAttribute('placeholder')).toBe('Keywords, category, people …')
    await onPhone.page.getByText(searchTexts.alwaysSearched).waitFor()
    expect([...errors, ...onPhone.errors]).toEqual([])
    await onPhone.page.context().close()
    await page.context().close()
  })

  test('the tags to search in are chosen, are in the address, and apply in another browser', async () => {
    const { page, errors } = await open('/?and=Mia')
    await waitForDays(page, 3, 1)
    await page.getByRole('button', { name: baseTexts.options, exact: true }).click()
    const people = page.getByRole('group', { name: searchTexts.searchIn }).getByLabel(baseTexts.people)
    await people.uncheck()
    await page.getByRole('heading', { name: baseTexts.noItems }).waitFor()
    expect(new URLSearchParams(search(page)).get('in')).toBe('Keywords,Category')

    // Another browser searches in People by default, but not at the shared address.
    const other = await open(`/${search(page)}`)
    await other.page.getByRole('heading', { name: baseTexts.noItems }).waitFor()
    await other.page.getByRole('button', { name: baseTexts.options, exact: true }).click()
    const theirs = other.page.getByRole('group', { name: searchTexts.searchIn }).getByLabel(baseTexts.people)
    expect(await theirs.isChecked()).toBe(false)
    await other.page.goto(`${server.address}/?and=Mia`)
    await waitForDays(other.page, 3, 1)
    await other.page.context().close()

    await people.check()
    await waitForDays(page, 3, 1)
    expect(search(page)).toBe('?and=Mia')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a text query shows its error, becomes a chip, and can be changed', async () => {
    const { page, errors } = await open('/')
    await field(page).fill('ratng:>=4 OR dog')
    await page.keyboard.press('Enter')
    const fault = page.getByRole('alert').filter({ hasText: "There is no field 'ratng'. Did you mean 'rating'?" })
    await fault.waitFor()
    expect(await fault.locator('mark').textContent()).toBe('ratng:>=4')
    expect(await field(page).inputValue()).toBe('ratng:>=4 OR dog')
    await saveScreenshot(page, 'finding-fault')

    await field(page).fill('rating:>=4 OR dog')
    await page.keyboard.press('Enter')
    await waitForDays(page, 4, 3, 1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('rating:>=4 OR dog')

    // Pressing the chip edits its text.
    await page.getByRole('button', { name: 'Query rating:>=4 OR dog: change it' }).click()
    const query = page.getByRole('combobox', { name: searchTexts.query })
    expect(await query.inputValue()).toBe('rating:>=4 OR dog')
    await query.fill('rating:>=4 -dog')
    await page.keyboard.press('Enter')
    await waitForDays(page, 1)
    await page.getByRole('button', { name: 'Remove rating:>=4 -dog' }).click()
    await waitForDays(page, 6, 4, 3, 2, 1)

    // A help sheet explains the language.
    await field(page).focus()
    await page.getByRole('button', { name: baseTexts.howToSearch }).click()
    await page.getByRole('dialog', { name: baseTexts.howToSearch }).getByText('camera:nikon', { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    // An invalid query in the address is reported and can be removed.
    await page.goto(`${server.address}/?q=rating:banana&and=dog`)
    await page.getByRole('heading', { name: galleryTexts.thisSearchIsNotValid }).waitFor()
    await page.getByRole('button', { name: galleryTexts.searchWithoutIt }).click()
    await waitForDays(page, 4, 3)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a place with pictures is suggested, gets a radius in the sidebar, and can be removed', async () => {
    const { page, errors } = await open('/')
    expect(await page.getByRole('region', { name: baseTexts.location }).count()).toBe(0)
    await field(page).fill('vienna')
    await page.getByRole('option', { name: /^Vienna, AT, 1 item$/ }).click()
    await waitForDays(page, 4)
    const location = page.getByRole('region', { name: baseTexts.location })
    const radius = location.getByRole('slider', { name: baseTexts.radius })
    expect(await radius.getAttribute('min')).toBe('1')
    expect(await radius.getAttribute('max')).toBe('1000')
    expect(await radius.getAttribute('step')).toBe('1')
    expect(await radius.inputValue()).toBe('10')

    // The unit changes the radius in the address.
    const radiusInAddress = () => new URL(page.url()).searchParams.get('near')?.split(',')[2]
    await location.getByText('m', { exact: true }).click()
    await waitUntil(async () => (radiusInAddress() === '10' ? true : null))
    await location.getByRole('button', { name: baseTexts.reset }).click()
    await waitUntil(async () => (radiusInAddress() === '100' ? true : null))
    await location.getByText(mapTexts.km, { exact: true }).click()
    await waitUntil(async () => (radiusInAddress() === '100000' ? true : null))
    await waitForDays(page, 4)
    await location.getByRole('button', { name: searchTexts.removeTheLocationFilter }).click()
    await waitForDays(page, 6, 4, 3, 2, 1)
    expect(await location.count()).toBe(0)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('hidden items stay hidden with a wrong PIN, are shown with the right one, and hidden again by the switch', async () => {
    const { page, errors } = await open('/')
    await page.getByRole('button', { name: baseTexts.options }).click()
    const hidden = page.getByRole('switch', { name: baseTexts.showHiddenItems })
    const dialog = page.getByRole('dialog', { name: baseTexts.showHiddenItems })
    await hidden.click()
    await dialog.waitFor()
    await page.getByRole('button', { name: baseTexts.cancel }).click()
    expect(await hidden.isChecked()).toBe(false)

    await hidden.click()
    const pin = dialog.getByLabel(baseTexts.unlockPin)
    expect(await pin.getAttribute('type')).toBe('password')
    expect(await pin.getAttribute('maxlength')).toBe('4')
    await pin.fill('9999')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').filter({ hasText: baseTexts.failedToUnlock }).waitFor()
    expect(await page.locator('.toggle').isChecked()).toBe(false)
    await saveScreenshot(page, 'finding-pin')

    await pin.fill('1234')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await hidden.isChecked()).toBe(true)
    await waitForDays(page, 6, 5, 4, 3, 2, 1)
    await page.getByRole('button', { name: 'All, 6 items' }).waitFor()
    await page.getByRole('button', { name: 'Aug, 6 items' }).waitFor()
    // The picture and details of the hidden item load, and the hiding keyword is suggested.
    await page.locator('.card-pic').nth(1).locator('img.in').waitFor()
    await page.keyboard.press('Escape')
    await cards(page).nth(1).click()
    await page.getByText('2 of 6').waitFor()
    await page.keyboard.press('i')
    await page.getByText('5.jpg').first().waitFor()
    await page.keyboard.press('i')
    await page.keyboard.press('Escape')
    await page.getByText('2 of 6').waitFor({ state: 'detached' })
    await field(page).fill('priv')
    await page.getByRole('option', { name: 'Private, 1 item' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(String(await page.evaluate('JSON.stringify(localStorage)'))).not.toContain('ncludeHidden')
    expect(search(page)).toBe('')

    await page.getByRole('button', { name: baseTexts.options }).click()
    await hidden.click()
    await waitForDays(page, 6, 4, 3, 2, 1)
    await page.getByRole('button', { name: 'All, 5 items' }).waitFor()

    // Hidden items are hidden again after a quarter of an hour without input.
    await page.clock.install()
    await hidden.click()
    await pin.fill('1234')
    await page.keyboard.press('Enter')
    await waitForDays(page, 6, 5, 4, 3, 2, 1)
    await page.clock.fastForward('14:00')
    await page.mouse.move(700, 500)
    await page.clock.fastForward('14:00')
    expect(await hidden.isChecked()).toBe(true)
    await page.clock.fastForward('01:05')
    await waitForDays(page, 6, 4, 3, 2, 1)
    expect(await hidden.isChecked()).toBe(false)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a visitor is not asked for a PIN', async () => {
    const { page } = await openPage(server.address)
    await page.getByRole('button', { name: baseTexts.options }).click()
    await page.getByText(shellTexts.showPicturesRotatedBy).waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
    await page.context().close()
  })

  test('on a phone the search is a screen of its own, and every filter can be removed', async () => {
    const { page, errors } = await open('/', { viewport: phone, theme: 'light' })
    await page.getByRole('button', { name: baseTexts.search, exact: true }).click()
    const screen = page.getByRole('dialog', { name: baseTexts.search })
    await field(page).fill('mia')
    await screen.getByRole('option', { name: 'Mia, 2 items' }).click()
    await screen.getByRole('button', { name: searchTexts.orBeginAnotherGroup }).click()
    await field(page).fill('snow,')
    await screen.getByRole('button', { name: 'Show 4 items' }).waitFor()
    await saveScreenshot(page, 'finding-phone')
    await screen.getByRole('button', { name: 'snow', exact: true }).click()
    await screen.getByRole('button', { name: 'Not snow' }).waitFor()
    await screen.getByRole('button', { name: 'Show 3 items' }).click()
    expect(await screen.count()).toBe(0)

    // Date and place are chips too; the sheet has the same radius as the sidebar.
    await page.goto(`${server.address}/?year=2019&near=48.2,16.37,50000,Vienna`)
    await page.getByRole('button', { name: 'Remove 2019' }).waitFor()
    await page.getByRole('button', { name: /^Filter/ }).click()
    const sheet = page.getByRole('dialog', { name: baseTexts.filter })
    expect(await sheet.getByRole('slider', { name: baseTexts.radius }).inputValue()).toBe('50')
    await sheet.getByRole('button', { name: 'Show 1 item' }).click()
    await page.getByRole('button', { name: 'Remove 50 km round Vienna' }).click()
    await page.getByRole('button', { name: 'Remove 2019' }).click()
    await waitUntil(async () => (search(page) === '' ? true : null))
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
