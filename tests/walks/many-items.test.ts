import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { seedLibrary } from '../../bench/seed-library.ts'
import { systemClock } from '../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import { taggingTexts } from '../../web/texts/admin/tagging.ts'
import { adminTexts } from '../../web/texts/admin.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { helpTexts } from '../../web/texts/help.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { button, exportLibrary, field, openScreen } from '../support/admin-walks.ts'
import { describeWalks, openPage, saveScreenshot } from '../support/browser.ts'
import { isLong, longTest } from '../support/long.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Enough for steps with progress; more than five thousand in `npm run test:long`. */
const itemCount = isLong ? 5300 : 2600

const windowSizes = [
  [390, 844],
  [640, 900],
  [844, 390],
  [960, 800],
  ...(isLong ? [[1024, 768] as const, [1280, 800] as const, [1440, 900] as const] : []),
] as const

const formatCount = (number: number) => number.toLocaleString('en')

describeWalks('many items', () => {
  let server: RunningServer
  const data = join(temporaryDirectory(), 'data')
  beforeAll(async () => {
    mkdirSync(data)
    const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock, durable: false })
    await seedLibrary(db, { items: itemCount })
    db.close()
    server = await startServer(data)
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  test('are tagged with progress and Cancel, and restored exactly by Undo', async () => {
    const before = await exportLibrary(data)
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    await openScreen(page, 'Manage Tags')
    const status = page.getByRole('status').filter({ hasText: ' selected' })
    const readCounts = async () => {
      const [chosen = '', all = ''] = ((await status.textContent()) ?? '').split(' of ')
      return { chosen: Number(chosen.replace(/\D/g, '')), all: Number(all.replace(/\D/g, '')) }
    }
    const selectEverything = async () => {
      await button(page, 'Select Current').click()
      await waitUntil(async () => {
        const { chosen, all } = await readCounts().catch(() => ({ chosen: 0, all: 1 }))
        return chosen === all ? true : null
      })
    }
    await page.getByRole('checkbox', { name: adminTexts.selectAllOnThisPage }).waitFor()
    await selectEverything()
    const { all } = await readCounts()
    // About a hundredth of the items is hidden.
    expect(all).toBeGreaterThanOrEqual(itemCount * 0.94)
    await field(page, 'Keywords').fill('an unheard-of word, sea,')
    await page.getByLabel('What is done with Category').selectOption('Clear')

    // After Cancel, processed items have left the selection, the others have not.
    await button(page, 'Bulk Tag').click()
    const progress = page.getByRole('dialog', { name: taggingTexts.taggingPleaseStandBy })
    await progress.getByRole('progressbar').waitFor()
    await progress.getByText(new RegExp(`[1-9][\\d,]* of ${formatCount(all)}`)).waitFor()
    await saveScreenshot(page, 'tagging-progress')
    await progress.getByRole('button', { name: baseTexts.cancel }).click()
    await progress.waitFor({ state: 'detached' })
    const { chosen } = await readCounts()
    expect(chosen).toBeGreaterThan(0)
    expect(chosen).toBeLessThan(all)
    await button(page, 'Undo').click()
    await page.getByText(baseTexts.undone, { exact: true }).waitFor()
    expect(await exportLibrary(data)).toBe(before)
    // The message is closed, so that it is not taken for the next one.
    await page.locator('.toast-in').getByRole('button', { name: baseTexts.close }).click()
    await page.getByText(baseTexts.undone, { exact: true }).waitFor({ state: 'detached' })

    expect(errors).toEqual([])
    // Smaller numbers of items are tagged to the end in other walks.
    if (!isLong) return

    // This time all items are tagged.
    await selectEverything()
    await button(page, 'Bulk Tag').click()
    await progress.waitFor()
    const tagged = page.getByText(`${formatCount(all)} items tagged`, { exact: true })
    await tagged.waitFor({ timeout: 150_000 })
    await tagged.hover()
    await progress.waitFor({ state: 'detached' })
    expect((await readCounts()).chosen).toBe(0)
    expect((await exportLibrary(data)).split('an unheard-of word').length - 1).toBeGreaterThanOrEqual(all)
    await button(page, 'Undo').click()
    await page.getByText(new RegExp(`^Undoing [\\d,]+ of ${formatCount(all)}`)).waitFor()
    await page.getByText(baseTexts.undone, { exact: true }).waitFor({ timeout: 150_000 })
    expect(await exportLibrary(data)).toBe(before)
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('the controls of the table footer do not overlap while an item is selected', async () => {
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    /** A script that returns the names of those footer controls whose middle is covered. */
    const covered = `[...document.querySelectorAll('.item-foot button, .item-foot select')]
      .filter(one => one.checkVisibility({ visibilityProperty: true }))
      .filter(one => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }).map(one => one.ariaLabel ?? one.textContent)`
    for (const path of ['/admin/transfer', '/admin/tagging']) {
      await page.goto(`${server.address}${path}?page=5`)
      const row = page.getByRole('checkbox', { name: helpTexts.select, exact: false }).nth(2)
      for (const [width, height] of windowSizes) {
        await page.setViewportSize({ width, height })
        await row.check()
        await page.getByText(/^1 of /).waitFor()
        expect(await page.evaluate(covered), `${path} at ${width}`).toEqual([])
        const pages = await page.getByRole('button', { name: /^Page \d/ }).count()
        expect(pages, `pages at ${width}`).toBe(width < 600 ? 5 : 9)
        expect(await page.getByLabel(baseTexts.itemsPerPage).isVisible()).toBe(path === '/admin/tagging')
        await button(page, 'Clear').click()
        await page.getByText(/^0 of /).waitFor()
        await page.locator('[aria-label="Page 5"][aria-current]').waitFor()
      }
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  longTest('hundreds of them are deleted in one step, and restored in one step', async () => {
    const before = await exportLibrary(data)
    const { page, errors } = await openPage(server.address, { user: 'ines' })
    const collection = page.getByRole('button', { name: /^Mobo pictures, \d\d\d items$/ })
    await collection.click()
    await page.getByText(/ of \d\d\d$/).waitFor()
    await page.getByRole('button', { name: baseTexts.more }).click()
    await page.getByRole('menuitem', { name: baseTexts.selectCurrent }).click()
    const bar = page.getByRole('toolbar', { name: selectionTexts.selection })
    await bar.getByText(/^\d\d\d selected$/).waitFor()
    await bar.getByRole('button', { name: baseTexts.delete }).click()
    await page.getByRole('dialog', { name: baseTexts.delete }).getByRole('button', { name: baseTexts.delete }).click()
    await page.getByText(/^\d\d\d items deleted$/).hover()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: baseTexts.noItems }).waitFor()
    await button(page, 'Undo').click()
    await page.getByText(/^\d\d\d items restored$/).waitFor()
    await collection.waitFor()
    expect(await exportLibrary(data)).toBe(before)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
