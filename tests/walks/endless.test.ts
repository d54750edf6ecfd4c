import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { seedLibrary } from '../../bench/seed-library.ts'
import { systemClock } from '../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import { describeWalks, openPage } from '../support/browser.ts'
import { type RunningServer, registerAndSignIn, startServer } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/**
 * A script that scrolls in every frame, without a pause, beyond card number `to`. It returns how many frames showed
 * only loaded cards beyond the first two hundred, and the largest number of elements in the grid.
 */
const scrollBeyond = (to: number) => `new Promise(done => {
  const scroller = document.querySelector('.grid-scroller')
  const seen = { whole: 0, elements: 0 }
  const frame = () => {
    const { top, bottom } = scroller.getBoundingClientRect()
    const cards = [...scroller.querySelectorAll('.card-link')].filter(card => {
      const box = card.getBoundingClientRect()
      return box.bottom > top && box.top < bottom
    })
    const first = Math.min(...cards.map(card => Number(card.dataset.index)))
    const whole = cards.length > 0 && cards.every(card => card.getAttribute('aria-label') !== null)
    if (whole && first > 200) seen.whole++
    seen.elements = Math.max(seen.elements, scroller.querySelectorAll('*').length)
    if (first > ${to}) return done(seen)
    // Fast through the pages that are loaded at first.
    scroller.scrollBy(0, first < 180 ? 500 : 100)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
})`

describeWalks('the endless gallery', () => {
  let server: RunningServer
  beforeAll(async () => {
    const data = join(temporaryDirectory(), 'data')
    mkdirSync(data)
    const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock, durable: false })
    await seedLibrary(db, { items: 2000 })
    db.close()
    server = await startServer(data)
    await registerAndSignIn(server)
  })
  afterAll(() => server.stop())

  test('shows loaded cards while it scrolls, and keeps the number of elements small', async () => {
    // The window is small: without a graphics card, large frames take long to draw.
    const { page, errors } = await openPage(server.address, { viewport: { width: 960, height: 600 } })
    await page.evaluate(`localStorage.setItem('keepsake.options', JSON.stringify({ view: 'Infinite Scroll' }))`)
    await page.reload()
    await page.locator('.endless .card-pic .foot').first().waitFor()
    const result: { whole: number; elements: number } = JSON.parse(
      JSON.stringify(await page.evaluate<unknown>(scrollBeyond(250))),
    )
    expect(result.whole).toBeGreaterThan(0)
    expect(result.elements).toBeLessThan(600)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
