import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import type { ItemPage } from '../../schema/api/items.ts'
import { taggingTexts } from '../../web/texts/admin/tagging.ts'
import { albumsTexts } from '../../web/texts/albums.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { manyTexts } from '../../web/texts/many-items.ts'
import { metadataTexts } from '../../web/texts/metadata.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { describeWalks, laptop, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const bar = (page: Page) => page.getByRole('toolbar', { name: selectionTexts.selection })
const buttonsOf = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('.selection-bar button')].map(one => one.ariaLabel ?? one.title)`,
  )

describeWalks('the selection bar', () => {
  let server: RunningServer
  let headers: Record<string, string> = {}
  beforeAll(async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'Family')
    mkdirSync(root)
    const writePicture = async (n: number, exif: Record<string, string>) =>
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, exif }))
    await writePicture(1, takenAt('2019-08-03 08:12:00'))
    await writePicture(2, takenAt('2019-08-03 23:31:00'))
    await writePicture(3, { ...takenAt('2019-08-02 16:20:00'), OffsetTimeOriginal: '+02:00' })
    server = await startServer(join(directory, 'data'), [root])
    headers = { authorization: `Bearer ${await registerAndSignIn(server)}`, 'content-type': 'application/json' }
  })
  afterAll(() => server.stop())

  /** By the name of each item: its date, keywords, rating and place. */
  async function storedItems() {
    const response = await fetch(`${server.address}/v1/item/list/0`, { headers })
    const { items } = (await response.json()) as ItemPage
    const lines = items.map(({ name, taken_at, tags, rating }) => [
      name,
      `${taken_at.slice(5, 16)} ${(tags.Keywords?.data ?? []).map(({ content }) => content)} ${rating ?? ''} ${tags.Locations?.data.placeName ?? ''}`.trim(),
    ])
    return Object.fromEntries(lines) as Record<string, string>
  }
  const waitForItems = (wanted: Record<string, string>) =>
    waitUntil(async () => (Bun.deepEquals(await storedItems(), wanted) ? true : null))

  async function selectAll(page: Page) {
    await page.keyboard.press('ControlOrMeta+a')
    await bar(page).getByText('3 selected').waitFor()
  }
  /** Presses Undo in the toast with this text. */
  const undo = (page: Page, text: string) =>
    page
      .locator('.toasts > *')
      .filter({ has: page.getByText(text, { exact: true }) })
      .getByRole('button', { name: baseTexts.undo })
      .click()

  test('shows the actions that fit, and the others in its menu; the slideshow plays at once', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await page.getByRole('button', { name: 'All, 3 items' }).waitFor()
    await selectAll(page)
    const before = [selectionTexts.clearTheSelection, selectionTexts.tag]
    const after = [selectionTexts.moreActions, baseTexts.delete]
    const { date, place, share, transfer } = selectionTexts
    const most = [date, place, albumsTexts.addToAlbum, share, transfer, baseTexts.download, baseTexts.slideshow]
    await waitUntil(async () => (Bun.deepEquals(await buttonsOf(page), [...before, ...most, ...after]) ? true : null))
    // At every width the buttons fit into the bar, and the most important ones stay.
    for (const width of [1279, 960, 700, 610, laptop.width]) {
      await page.setViewportSize({ width, height: 900 })
      await waitUntil(async () => {
        const names = await buttonsOf(page)
        const fits = await page.evaluate(
          `(bar => bar.scrollWidth <= bar.clientWidth)(document.querySelector('.selection-bar'))`,
        )
        const stays = [...before, albumsTexts.addToAlbum, ...after].every(name => names.includes(name))
        return fits && stays && (width < laptop.width || names.length === most.length + 4) ? true : null
      })
    }
    await bar(page).getByRole('button', { name: baseTexts.slideshow }).click()
    const show = page.getByRole('dialog', { name: baseTexts.slideshow })
    await show.locator('img').first().waitFor()
    await saveScreenshot(page, 'selection-slideshow')
    await page.mouse.move(300, 300)
    await show.getByRole('button', { name: baseTexts.stop }).click()
    await show.waitFor({ state: 'detached' })
    await bar(page).getByRole('button', { name: selectionTexts.moreActions }).click()
    await page.getByRole('menuitem', { name: baseTexts.downloadAsSlideshow }).click()
    await page.getByRole('dialog', { name: baseTexts.downloadAsSlideshow }).getByText('3 items').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('changes tags, dates and places of the selected items, each in one step that can be undone', async () => {
    const untouched = { '1.jpg': '08-03 08:12', '2.jpg': '08-03 23:31', '3.jpg': '08-02 16:20' }
    expect(await storedItems()).toEqual(untouched)
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await page.getByRole('button', { name: 'All, 3 items' }).waitFor()
    await selectAll(page)
    await bar(page).getByRole('button', { name: selectionTexts.tag }).click()
    const tags = page.getByRole('dialog', { name: manyTexts.tagItems({ count: 3 }) })
    await tags.getByLabel(manyTexts.addKeywords).fill('Lisbon,')
    await tags.getByLabel(manyTexts.addKeywords).fill('Sea,')
    await tags.getByRole('button', { name: manyTexts.removeFromAll({ name: 'Sea' }) }).click()
    await tags.getByText(manyTexts.otherTags, { exact: true }).click()
    await tags.getByLabel(manyTexts.rating).selectOption('4')
    await tags.getByText(manyTexts.changesInItems({ count: 2, items: '3 items' })).waitFor()
    await tags.getByRole('button', { name: manyTexts.tagItems({ count: 3 }) }).click()
    await page.getByText(`${taggingTexts.itemTaggedCount({ count: 3 })}: Lisbon`).waitFor()
    await waitForItems({
      '1.jpg': '08-03 08:12 Lisbon 4',
      '2.jpg': '08-03 23:31 Lisbon 4',
      '3.jpg': '08-02 16:20 Lisbon 4',
    })
    // A keyword that all of them have is removed from all, and Undo restores it.
    await selectAll(page)
    await bar(page).getByRole('button', { name: selectionTexts.tag }).click()
    await tags.getByRole('button', { name: manyTexts.removeFromAll({ name: 'Lisbon' }) }).click()
    await tags.getByRole('button', { name: manyTexts.takeBack({ name: 'Lisbon' }) }).waitFor()
    await saveScreenshot(page, 'many-tag')
    await tags.getByRole('button', { name: manyTexts.tagItems({ count: 3 }) }).click()
    await waitForItems({ '1.jpg': '08-03 08:12  4', '2.jpg': '08-03 23:31  4', '3.jpg': '08-02 16:20  4' })
    await undo(page, taggingTexts.itemTaggedCount({ count: 3 }))
    const tagged = { '1.jpg': '08-03 08:12 Lisbon 4', '2.jpg': '08-03 23:31 Lisbon 4', '3.jpg': '08-02 16:20 Lisbon 4' }
    await waitForItems(tagged)

    // A shift: the result equals the preview, and an item with a time zone keeps its time.
    await selectAll(page)
    await bar(page).getByRole('button', { name: selectionTexts.date }).click()
    const dates = page.getByRole('dialog', { name: manyTexts.dateOfItems({ count: 3 }) })
    const hours = dates.getByRole('spinbutton', { name: manyTexts.hours })
    await hours.fill('2')
    await hours.press('ArrowDown')
    await dates.getByRole('row', { name: /2\.jpg.*23:31.*00:31.*Next day/ }).waitFor()
    await dates.getByRole('row', { name: /3\.jpg.*16:20.*16:20.*Has a time zone/ }).waitFor()
    await dates.getByText('2 items become later, 1 stays as it is.').waitFor()
    await saveScreenshot(page, 'many-date')
    await dates.getByRole('button', { name: manyTexts.shiftItems({ count: 2, amount: '1 hour' }) }).click()
    await waitForItems({ ...tagged, '1.jpg': '08-03 09:12 Lisbon 4', '2.jpg': '08-04 00:31 Lisbon 4' })
    await undo(page, manyTexts.datesChanged({ count: 2 }))
    await waitForItems(tagged)

    await selectAll(page)
    await bar(page).getByRole('button', { name: selectionTexts.place }).click()
    const places = page.getByRole('dialog', { name: manyTexts.placeOfItems({ count: 3 }) })
    await places.getByLabel(metadataTexts.latitude).fill('38.7')
    expect(await places.getByRole('button', { name: manyTexts.setPlace({ count: 3 }) }).isDisabled()).toBe(true)
    await places.getByLabel(metadataTexts.longitude).fill('-9.1')
    await places.getByLabel(metadataTexts.placeName).fill('Alfama')
    await places.getByRole('button', { name: manyTexts.setPlace({ count: 3 }) }).click()
    await waitForItems(Object.fromEntries(Object.entries(tagged).map(([name, line]) => [name, `${line} Alfama`])))
    await undo(page, manyTexts.placesSet({ count: 3 }))
    await waitForItems(tagged)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('on a phone the dialogs fit, and a date is set from the menu', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines', viewport: phone })
    await page.getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: baseTexts.selectCurrent }).click()
    await bar(page).getByRole('button', { name: selectionTexts.tag }).click()
    await page.getByRole('dialog', { name: manyTexts.tagItems({ count: 3 }) }).waitFor()
    await saveScreenshot(page, 'many-tag-phone')
    await page.keyboard.press('Escape')
    await bar(page).getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: selectionTexts.date, exact: true }).click()
    const dates = page.getByRole('dialog', { name: manyTexts.dateOfItems({ count: 3 }) })
    await dates.getByText(manyTexts.setADate, { exact: true }).click()
    await dates.getByLabel(metadataTexts.dateTaken).fill('2019-08-01')
    await dates
      .getByRole('row')
      .filter({ hasText: '1 day earlier' })
      .or(dates.getByText(manyTexts.dayBefore))
      .first()
      .waitFor()
    await saveScreenshot(page, 'many-date-phone')
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
    await dates.getByRole('button', { name: manyTexts.setDateOfItems({ count: 3 }) }).click()
    await page.getByText(manyTexts.datesChanged({ count: 3 })).waitFor()
    await waitUntil(async () =>
      Object.values(await storedItems()).every(line => line.startsWith('08-01 12:00')) ? true : null,
    )
    expect(errors).toEqual([])
    await page.context().close()
  })
})
