import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { shellTexts } from '../../web/texts/shell.ts'
import { describeWalks, openPage, type PageOptions, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import {
  type RunningServer,
  registerAndSignIn,
  startServer,
  waitForScans,
  waitUntil,
} from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const sizes = [
  [400, 300],
  [300, 400],
  [480, 270],
  [300, 300],
] as const

/** Pictures of four shapes: 9 of 3 August, 2 of 1 August, 60 of June, and one of May 2019. */
async function writePictures(root: string) {
  mkdirSync(root)
  const days = [
    ...Array.from({ length: 9 }, () => '2019-08-03'),
    ...Array.from({ length: 2 }, () => '2019-08-01'),
    ...Array.from({ length: 60 }, (_, n) => `2019-06-${String(1 + (n % 20)).padStart(2, '0')}`),
    '2019-05-12',
  ]
  for (const [n, day] of days.entries()) {
    const [width, height] = sizes[n % sizes.length] ?? [1, 1]
    const exif = takenAt(`${day} 12:00:${String(n % 60).padStart(2, '0')}`)
    writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n, width, height, exif }))
  }
}

const tiles = (page: Page) => page.locator('.tile .card-link')
const heading = (page: Page, text: string) => page.locator('.grid-spacer').getByRole('heading', { name: text })
const day = (page: Page, text: string) => page.locator('.grid-spacer').getByRole('checkbox', { name: text })
const bar = (page: Page) => page.getByRole('toolbar', { name: selectionTexts.selection })

interface ShownTiles {
  /** Width / height of each loaded tile, and of its picture. */
  ratios: [number, number][]
  heights: number[]
  /** How many tiles overlap another one, or reach beyond the view. */
  overlaps: number
}

/** The tiles as they are on the screen. */
async function readTiles(page: Page): Promise<ShownTiles> {
  await waitUntil(async () =>
    (await page.evaluate("[...document.querySelectorAll('.tile > img')].every(one => one.complete)")) === true
      ? true
      : null,
  )
  return JSON.parse(
    String(
      await page.evaluate(`(() => {
        const tiles = [...document.querySelectorAll('.tile')]
        const boxes = tiles.map(tile => tile.getBoundingClientRect())
        const room = document.querySelector('.grid-scroller').getBoundingClientRect()
        const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
        return JSON.stringify({
          ratios: tiles.flatMap(tile => {
            const image = tile.querySelector('img')
            return image === null ? [] : [[tile.clientWidth / tile.clientHeight, image.naturalWidth / image.naturalHeight]]
          }),
          heights: boxes.map(box => box.height),
          overlaps: boxes.filter((box, n) => box.right > room.right + 0.5 || box.left < room.left - 0.5 ||
            boxes.some((other, m) => m > n && !apart(box, other))).length,
        })
      })()`),
    ),
  )
}

/** In the page: the index of the tile at a point of the window. */
const tileAt = `(x, y) => [...document.querySelectorAll('.tile')].find(tile => {
  const box = tile.getBoundingClientRect()
  return box.left <= x && x < box.right && box.top <= y && y < box.bottom
})?.querySelector('[data-index]').dataset.index`

/** The first tile that is at least partly visible, and its top in pixels. */
async function firstTile(page: Page): Promise<{ index: number; top: number }> {
  return JSON.parse(
    String(
      await page.evaluate(`(() => {
        const edge = document.querySelector('.grid-scroller').getBoundingClientRect().top
        const seen = [...document.querySelectorAll('.tile')].filter(tile => tile.getBoundingClientRect().bottom > edge + 4)
        const first = seen.sort((a, b) => a.querySelector('[data-index]').dataset.index - b.querySelector('[data-index]').dataset.index)[0]
        return JSON.stringify({
          index: Number(first.querySelector('[data-index]').dataset.index),
          top: Math.round(first.getBoundingClientRect().top - edge),
        })
      })()`),
    ),
  )
}

describeWalks('the timeline', () => {
  let server: RunningServer
  beforeAll(async () => {
    const root = join(temporaryDirectory(), 'pictures')
    await writePictures(root)
    server = await startServer(join(root, '../data'), [root])
    await waitForScans(server, await registerAndSignIn(server))
  })
  afterAll(() => server.stop())

  async function open(options: PageOptions = {}) {
    const opened = await openPage(server.address, { ...options, user: 'ines' })
    await opened.page.locator('.card-link').first().waitFor()
    return opened
  }

  test('shows whole pictures under their days, in sizes from 400 pixels to months', async () => {
    const { page, errors } = await open()
    await page.getByRole('button', { name: baseTexts.timeline, exact: true }).click()
    await heading(page, 'Sat, 3 August 2019').waitFor()
    const slider = page.getByRole('slider', { name: shellTexts.pictureSize })
    expect(await slider.getAttribute('aria-valuetext')).toBe('Rows of 200 pixels')
    const seen = await readTiles(page)
    expect(seen.overlaps).toBe(0)
    expect(seen.ratios.length).toBeGreaterThan(20)
    for (const [box, image] of seen.ratios) expect(Math.abs(box / image - 1)).toBeLessThan(0.03)
    expect(Math.max(...seen.heights)).toBeLessThan(261)
    await saveScreenshot(page, 'timeline')

    // '+' enlarges; the smallest size groups by month.
    await page.keyboard.press('+')
    await waitUntil(async () => ((await slider.getAttribute('aria-valuetext')) === 'Rows of 240 pixels' ? true : null))
    await slider.focus()
    await page.keyboard.press('End')
    await waitUntil(async () => (Math.max(...(await readTiles(page)).heights) > 281 ? true : null))
    await page.keyboard.press('Home')
    await heading(page, 'August 2019').waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toBe(shellTexts.smallByMonth)
    expect((await readTiles(page)).overlaps).toBe(0)
    await saveScreenshot(page, 'timeline-months')

    // Ctrl and the wheel keep the picture under the pointer in its place.
    const first = page.locator('.tile [data-index="40"]')
    const before = await first.boundingBox()
    await page.mouse.move((before?.x ?? 0) + 5, (before?.y ?? 0) + 5)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await waitUntil(async () => ((await slider.getAttribute('aria-valuetext')) === 'Rows of 80 pixels' ? true : null))
    await page.reload()
    await heading(page, 'Sat, 3 August 2019').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('selects days with their circles, and moves by keys from row to row', async () => {
    const { page, errors } = await open()
    await page.getByRole('button', { name: baseTexts.timeline, exact: true }).click()
    await tiles(page).first().hover()
    await page.getByText('Select all 9').click()
    await bar(page).getByText('9 selected').waitFor()
    expect(await day(page, 'Sat, 3 August 2019').getAttribute('aria-checked')).toBe('true')
    await page.locator('.tile').first().getByRole('checkbox').click()
    await bar(page).getByText('8 selected').waitFor()
    expect(await day(page, 'Sat, 3 August 2019').getAttribute('aria-checked')).toBe('mixed')
    await day(page, 'Sat, 3 August 2019').getByText('8 of 9').waitFor()
    await day(page, 'Sat, 3 August 2019').click()
    await bar(page).getByText('9 selected').waitFor()
    await day(page, 'Sat, 3 August 2019').click()
    await bar(page).waitFor({ state: 'detached' })

    await tiles(page).first().focus()
    const focused = async () => Number(await page.evaluate('document.activeElement.dataset.index'))
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe(1)
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBeGreaterThan(2)
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBeLessThan(4)
    await page.keyboard.press('End')
    await waitUntil(async () => ((await focused()) === 71 ? true : null))
    await page.keyboard.press('Home')
    await waitUntil(async () => ((await focused()) === 0 ? true : null))

    // The viewer opens, steps, and returns to the same place.
    await page.keyboard.press('Enter')
    await page.locator('.viewer-stage').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await waitUntil(async () => ((await focused()) === 1 ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('jumps by the scrubber, keeps the heading of the first row, and follows the filter', async () => {
    const { page, errors } = await open()
    await page.getByRole('button', { name: baseTexts.timeline, exact: true }).click()
    await heading(page, 'Sat, 3 August 2019').waitFor()
    await page.getByRole('slider', { name: baseTexts.timeline }).focus()
    await page.keyboard.press('End')
    await heading(page, 'Sun, 12 May 2019').waitFor()
    await page.keyboard.press('Home')
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 120)
    await page.locator('.tl-stuck').getByText('Sat, 3 August 2019').waitFor()
    // A filter has its own timeline.
    await page.goto(`${server.address}/?year=2019&month=5`)
    await heading(page, 'Sun, 12 May 2019').waitFor()
    expect(await tiles(page).count()).toBe(1)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('shows the same picture at the same height after a reload in the middle', async () => {
    const { page, errors } = await open()
    await page.getByRole('button', { name: baseTexts.timeline, exact: true }).click()
    await heading(page, 'Sat, 3 August 2019').waitFor()
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 1130)
    const read = async () => {
      await readTiles(page)
      return firstTile(page)
    }
    const isPlaceSaved = () => page.evaluate(`JSON.stringify(history.state).includes('"rest"')`)
    await waitUntil(async () => ((await isPlaceSaved()) === true ? true : null))
    const before = await read()
    expect(before?.index).toBeGreaterThan(10)
    // Until the shapes of the pictures are loaded, the page guesses the rows, and they begin with other pictures.
    await page.route('**/v1/item/layout/**', async route => {
      await new Promise(done => setTimeout(done, 400))
      await route.continue()
    })
    await page.reload()
    await tiles(page).first().waitFor()
    expect(
      await waitUntil(async () => ((await page.locator('.tile > img').count()) > 0 ? await read() : null)),
    ).toEqual(before)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('from right to left everything is mirrored, keys too', async () => {
    const { page, errors } = await open()
    await page.getByRole('button', { name: baseTexts.timeline, exact: true }).click()
    await heading(page, 'Sat, 3 August 2019').waitFor()
    const positions = async () => {
      const boxes = await Promise.all(
        [
          '.tile [data-index="0"]',
          '.tile [data-index="1"]',
          '.grid-spacer .tl-head h2',
          '.scrub-lane',
          '.grid-scroller',
        ].map(one => page.locator(one).first().boundingBox()),
      )
      return boxes.map(box => ({
        left: Math.round(box?.x ?? 0),
        right: Math.round(1440 - (box?.x ?? 0) - (box?.width ?? 0)),
      }))
    }
    const before = await positions()
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    const after = await positions()
    expect(after).toEqual(before.map(({ left, right }) => ({ left: right, right: left })))
    expect((await readTiles(page)).overlaps).toBe(0)
    await tiles(page).first().focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.evaluate('document.activeElement.dataset.index')).toBe('1')
    await saveScreenshot(page, 'timeline-rtl')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('two fingers change the size and hold the picture between them, with a cross-fade unless motion is reduced', async () => {
    const { page, errors } = await open({ viewport: phone })
    await page.evaluate(
      `localStorage.setItem('keepsake.options', JSON.stringify({ view: 'Timeline', rowHeight: 144 }))`,
    )
    await page.reload()
    await heading(page, 'Sat, 3 August 2019').waitFor()
    await readTiles(page)
    const touch = await page.context().newCDPSession(page)
    const [x, y] = [195, 500]
    const pinch = async (from: number, to: number) => {
      const at = (apart: number) => [
        { x: x - apart, y, id: 1 },
        { x: x + apart, y, id: 2 },
      ]
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(to) })
    }
    const end = () => touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    const rowHeight = () => page.evaluate(`JSON.parse(localStorage.getItem('keepsake.options')).rowHeight`)
    const crossFades = `document.getAnimations().filter(one => /-(old|new)/.test(one.effect.pseudoElement ?? '')).map(one => one.effect.getTiming().duration)`

    const held = String(await page.evaluate(`(${tileAt})(${x}, ${y})`))
    // Rows break at other pictures, so the held one may move sideways.
    const isHeld = () =>
      page.evaluate(`(() => {
        const { top, bottom } = document.querySelector('.tile [data-index="${held}"]').getBoundingClientRect()
        return top <= ${y} && ${y} <= bottom
      })()`)
    await page.evaluate(`addEventListener('touchmove', () => { requestAnimationFrame(function look() {
      const seen = ${crossFades}; if (seen.length > 0) window.crossed = Math.max(...seen); else requestAnimationFrame(look) }) })`)
    await pinch(60, 90)
    await waitUntil(async () => ((await rowHeight()) === 200 ? true : null))
    expect(await waitUntil(async () => (await page.evaluate('window.crossed ?? null')) as number | null)).toBe(160)
    await end()
    await waitUntil(async () => ((await isHeld()) === true ? true : null))
    // During the cross-fade, the browser sends touches to the whole page instead of the rows.
    await waitUntil(async () => ((await page.evaluate(`${crossFades}.length`)) === 0 ? true : null))

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await pinch(90, 60)
    await waitUntil(async () => ((await rowHeight()) === 144 ? true : null))
    expect(await page.evaluate(`${crossFades}.length`)).toBe(0)
    await end()
    await waitUntil(async () => ((await isHeld()) === true ? true : null))
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('a phone in landscape shows rows automatically; in portrait the timeline is chosen in the options', async () => {
    const { page, errors } = await open({ viewport: phone })
    expect(await page.locator('.tile').count()).toBe(0)
    await page.setViewportSize({ width: 844, height: 390 })
    await heading(page, 'Sat, 3 August 2019').waitFor()
    const room = await page.locator('.grid-scroller').boundingBox()
    expect(Math.max(...(await readTiles(page)).heights)).toBeLessThan((room?.height ?? 0) * 0.8)
    await page.setViewportSize(phone)
    await page.locator('.card-pic:not(.tile)').first().waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: baseTexts.options }).click()
    await page.getByText(baseTexts.timeline, { exact: true }).click()
    await page.keyboard.press('Escape')
    await heading(page, 'Sat, 3 August 2019').waitFor()
    const seen = await readTiles(page)
    expect(seen.overlaps).toBe(0)
    await saveScreenshot(page, 'timeline-phone')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('in landscape, the bars lie over the rows, slide away and come back, and no picture moves or changes size', async () => {
    const { page, errors } = await open({ viewport: { width: 844, height: 390 } })
    const upper = page.locator('.frame > .bars')
    const lower = page.locator('.bottom-bar')
    /** Waits until both bars are shown (or hidden). */
    const waitForBars = (shown: boolean) =>
      waitUntil(async () => {
        const [above, below] = [await upper.boundingBox(), await lower.boundingBox()]
        const isShown = above?.y === 0 && below?.y === 346
        const isAway = above?.y === -44 && below?.y === 390
        return (shown ? isShown : isAway) ? true : null
      })
    const scroll = (by: number) => page.mouse.wheel(0, by)
    const scroller = page.locator('.grid-scroller')
    const boxes = async () => [await scroller.boundingBox(), (await readTiles(page)).heights.slice(0, 3)]
    await page.mouse.move(400, 200)
    await waitForBars(true)
    const before = await boxes()
    expect(before[0]).toEqual({ x: 0, y: 0, width: 844, height: 390 })
    expect(Math.max(...(await readTiles(page)).heights)).toBeLessThanOrEqual(390 * 0.6)
    expect((await tiles(page).first().boundingBox())?.y).toBe(88)
    await scroll(100)
    await waitForBars(false)
    expect(await boxes()).toEqual(before)
    const pill = page.locator('.tl-pill')
    expect(await pill.textContent()).toBe('Sat, 3 August 2019')
    await saveScreenshot(page, 'timeline-on-its-side')
    await scroll(-40)
    await waitForBars(true)
    await scroll(300)
    await waitForBars(false)
    await pill.click()
    await waitForBars(true)
    await page.mouse.move(400, 200)
    await scroll(300)
    await waitForBars(false)
    // When the keyboard moves the focus to the bars, they come back.
    await upper.getByRole('button', { name: 'More', exact: true }).focus()
    await page.keyboard.press('Shift+Tab')
    await waitForBars(true)
    await page.evaluate('document.activeElement.blur()')
    await waitForBars(false)

    // After a rotation of the phone, and back, the first picture is still on the screen.
    const first = async () =>
      Number(
        await page.evaluate(`[...document.querySelectorAll('.card-link')]
          .find(one => one.getBoundingClientRect().bottom > 45)?.dataset.index`),
      )
    await page.mouse.move(400, 200)
    await scroll(400)
    const [at = 0] = [await first()]
    await page.setViewportSize(phone)
    await page.locator('.card-pic:not(.tile)').first().waitFor()
    const topOf = async () => (await page.locator(`.card-link[data-index="${at}"]`).boundingBox())?.y ?? -1000
    await waitUntil(async () => (Math.abs(await topOf()) < 500 ? true : null))
    await page.setViewportSize({ width: 844, height: 390 })
    await waitForBars(false)
    await waitUntil(async () => (Math.abs(await topOf()) < 390 ? true : null))

    // The last row does not end behind the lower bar.
    await scroll(100_000)
    await waitUntil(async () => ((await page.locator('.card-link[data-index="71"]').count()) > 0 ? true : null))
    const last = await page.locator('.card-link[data-index="71"]').boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(346)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
