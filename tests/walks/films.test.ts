import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { openLibrary } from '../../core/library.ts'
import { baseTexts } from '../../web/texts/base.ts'
import { galleryTexts } from '../../web/texts/gallery.ts'
import { selectionTexts } from '../../web/texts/selection.ts'
import { viewerTexts } from '../../web/texts/viewer.ts'
import { videoTools } from '../core/media/decoding.ts'
import { describeWalks, type OpenedPage, openPage, phone, saveScreenshot } from '../support/browser.ts'
import { picture, takenAt } from '../support/pictures.ts'
import { type RunningServer, registerAndSignIn, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const tools = videoTools()

/** A script that runs ffmpeg: conversions wait until the file `gate` exists, and fail while the file `broken` exists. */
function slowFfmpeg(directory: string): { path: string; gate: string; broken: string } {
  const [path, gate, broken] = ['ffmpeg', 'gate', 'broken'].map(name => join(directory, name))
  writeFileSync(
    path ?? '',
    `#!/bin/sh
case "$*" in
*-progress*)
  [ -e '${broken}' ] && { echo 'no such luck' >&2; exit 1; }
  echo out_time_us=1000000
  while [ ! -e '${gate}' ]; do sleep 0.05; done
  ;;
esac
exec '${tools?.ffmpeg}' "$@"
`,
  )
  chmodSync(path ?? '', 0o755)
  return { path: path ?? '', gate: gate ?? '', broken: broken ?? '' }
}

function encodeFilm(path: string, ...output: string[]) {
  const input = ['-f', 'lavfi', '-i', 'testsrc=s=640x360:r=10:d=2', '-f', 'lavfi', '-i', 'sine=d=2']
  const result = Bun.spawnSync([tools?.ffmpeg ?? '', '-v', 'error', ...input, ...output, '-y', `file:${path}`])
  if (result.exitCode !== 0) throw new Error(result.stderr.toString())
}

const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
/** A format that not every browser plays. */
const oldFormat = ['-c:v', 'mpeg4', '-c:a', 'mp3']

async function waitForItems(server: RunningServer, token: string, items: number) {
  await waitUntil(async () => {
    const headers = { authorization: `Bearer ${token}` }
    const list = await fetch(`${server.address}/v1/item/list/0`, { headers })
    const jobs = await fetch(`${server.address}/v1/job?state=active`, { headers })
    const { _meta }: { _meta: { total_records: number } } = JSON.parse(await list.text())
    return _meta.total_records === items && (await jobs.text()) === '[]' ? true : null
  })
}

/** Waits until the open film plays and shows a picture. */
async function waitForPlaying(page: Page) {
  await waitUntil(async () =>
    (await page.evaluate(
      '[...document.querySelectorAll("video[data-playable]")].some(film => film.videoWidth > 0 && film.currentTime > 0)',
    )) === true
      ? true
      : null,
  )
}

/** The errors, except for the 503 responses by which a page learns that a film is not ready yet. */
function unexpectedErrors({ errors }: OpenedPage): string[] {
  return errors.filter(fault => !/^503 .*\/stream\?/.test(fault))
}

const card = (page: Page, name: string) => page.getByRole('link', { name })

if (tools !== null) {
  describeWalks('films', () => {
    let server: RunningServer
    let slow: ReturnType<typeof slowFfmpeg>
    beforeAll(async () => {
      const directory = temporaryDirectory()
      const [data, root] = [join(directory, 'data'), join(directory, 'films')]
      mkdirSync(data)
      mkdirSync(root)
      slow = slowFfmpeg(directory)
      writeFileSync(join(data, 'config.toml'), `ffmpeg = "${slow.path}"\n`)
      encodeFilm(join(root, '2019-08-09 10.00.00.avi'), ...oldFormat)
      encodeFilm(join(root, '2019-08-02 10.00.00.avi'), ...oldFormat, '-vf', 'negate')
      encodeFilm(join(root, '2019-08-03 10.00.00.mp4'), ...h264)
      encodeFilm(join(root, '2019-08-04 10.00.00.mp4'), '-map', '1:a', '-c:a', 'aac')
      const whole = await picture({ seed: 1, width: 640, height: 480, exif: takenAt('2019-08-05 10:00:00') })
      writeFileSync(join(root, '2019-08-05 10.00.00.jpg'), whole.subarray(0, 250))
      server = await startServer(data, [root])
      await waitForItems(server, await registerAndSignIn(server), 5)
      const library = openLibrary({ role: 'worker', data, create: false, environment: {}, stderrLevel: 'none' })
      await library.db.transact({ userId: null }, tx => {
        tx.run(
          'UPDATE access_groups SET public = 1 WHERE id IN (SELECT group_id FROM collection_access WHERE position = 1)',
        )
      })
      library.close()
    })
    afterAll(() => server.stop())

    test('that must be converted show the progress, and then play by themselves', async () => {
      const opened = await openPage(server.address, { user: 'ines' })
      const { page } = opened
      const oldFilm = card(page, '9 August 2019')
      await oldFilm.hover()
      await page.getByText(galleryTexts.beingPrepared).waitFor()
      await saveScreenshot(page, 'film-hover')
      await page.mouse.move(2, 2)
      await page.getByText(galleryTexts.beingPrepared).waitFor({ state: 'detached' })

      await oldFilm.click()
      await page.getByText(viewerTexts.thisVideoIsBeingPrepared).waitFor()
      await page.getByText('50 %').waitFor()
      await saveScreenshot(page, 'film-preparing')

      // A visitor sees the same without the progress.
      const visitor = await openPage(server.address, { viewport: phone, theme: 'light' })
      await card(visitor.page, '9 August 2019').click()
      await visitor.page.getByText(viewerTexts.thisVideoIsBeingPrepared).waitFor()
      expect(await visitor.page.getByRole('progressbar').count()).toBe(0)
      await saveScreenshot(visitor.page, 'film-preparing-phone')

      writeFileSync(slow.gate, '')
      await waitForPlaying(page)
      expect(await page.getByText(viewerTexts.thisVideoIsBeingPrepared).count()).toBe(0)
      await waitForPlaying(visitor.page)
      await saveScreenshot(page, 'film-playing')
      expect([...unexpectedErrors(opened), ...unexpectedErrors(visitor)]).toEqual([])
      await visitor.page.context().close()
      await page.context().close()
    })

    test('play muted while the pointer is over their card, and pause when it leaves', async () => {
      const opened = await openPage(server.address, { user: 'ines' })
      const { page } = opened
      const waitForMuted = (plays: boolean) =>
        waitUntil(async () => {
          const now = await page.evaluate<unknown>(
            '[...document.querySelectorAll(".card-pic video")].map(film => [film.muted, !film.paused])',
          )
          return JSON.stringify(now) === JSON.stringify([[true, plays]]) ? true : null
        })
      await card(page, '3 August 2019').hover()
      await waitForMuted(true)
      await page.mouse.move(2, 2)
      await waitForMuted(false)
      expect(unexpectedErrors(opened)).toEqual([])
      // The variant of a film is copied as a still picture.
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await card(page, '3 August 2019').click({ button: 'right' })
      // Entries are pressed by keyboard: a pointer over another card would start converting its film.
      await page.getByRole('menuitem', { name: baseTexts.copyToClipboard }).press('Enter')
      await page.getByRole('menuitem', { name: selectionTexts.variant }).press('Enter')
      await page.getByText(selectionTexts.imageCopiedToClipboard).waitFor()
      await page.context().close()
    })

    test('and pictures that cannot be shown give a reason, and can be downloaded', async () => {
      writeFileSync(slow.broken, '')
      const opened = await openPage(server.address, { user: 'ines' })
      const { page } = opened
      await card(page, '5 August 2019').click()
      const reason = page.locator('[data-open] .viewer-fault')
      await reason.waitFor()
      await saveScreenshot(page, 'cannot-show-picture')
      expect(((await reason.getByRole('alert').textContent()) ?? '').length).toBeGreaterThan(10)
      const download = reason.getByRole('link', { name: viewerTexts.downloadOriginal })
      const downloading = page.waitForEvent('download')
      await download.click()
      expect((await downloading).suggestedFilename()).toBe('2019-08-05 10.00.00.jpg')

      // A film without pictures is shown as audio.
      await page.keyboard.press('ArrowRight')
      await page.getByText('3 of 5', { exact: true }).waitFor()
      await reason.locator('audio').waitFor()
      await saveScreenshot(page, 'cannot-show-sound')

      await page.keyboard.press('ArrowRight')
      await page.getByText('4 of 5', { exact: true }).waitFor()
      await page.locator('video[data-playable]').waitFor()
      await page.keyboard.press('Space')
      await waitForPlaying(page)

      await page.keyboard.press('ArrowRight')
      await page.getByText('5 of 5', { exact: true }).waitFor()
      await reason.getByText('The video could not be loaded').waitFor()
      await saveScreenshot(page, 'cannot-show-film')
      expect(unexpectedErrors(opened)).toEqual([])
      await page.context().close()
    })

    test('play rotated, with controls that stay upright', async () => {
      const headers = { authorization: `Bearer ${await registerAndSignIn(server)}` }
      const list = await (await fetch(`${server.address}/v1/item/list/0`, { headers })).text()
      const { items }: { items: { id: number; name: string }[] } = JSON.parse(list)
      const id = items.find(({ name }) => name.startsWith('2019-08-03'))?.id
      const rotated = await fetch(`${server.address}/v1/item/${id}/tools/rotate?direction=right`, {
        method: 'PUT',
        headers,
      })
      expect(rotated.ok).toBe(true)
      const { page, errors } = await openPage(server.address, { user: 'ines' })
      await card(page, '3 August 2019').click()
      const film = page.locator('video[data-playable]')
      await film.waitFor()
      await page.keyboard.press('Space')
      await waitForPlaying(page)
      expect(await page.evaluate("getComputedStyle(document.querySelector('video[data-playable]')).rotate")).toBe(
        '90deg',
      )
      expect(await film.getAttribute('controls')).toBeNull()
      // The picture fills the box of its rotated shape.
      const { width = 0, height = 0 } = (await film.boundingBox()) ?? {}
      expect(width / height).toBeCloseTo(360 / 640, 1)
      await saveScreenshot(page, 'film-rotated')
      const bar = page.getByRole('toolbar', { name: viewerTexts.videoControls })
      await bar.getByRole('button', { name: baseTexts.pause }).click()
      await bar.getByRole('button', { name: baseTexts.play }).waitFor()
      await bar.getByRole('slider', { name: viewerTexts.position }).fill('0')
      await waitUntil(async () =>
        (await page.evaluate('document.querySelector("video[data-playable]").currentTime')) === 0 ? true : null,
      )
      // Rotated back, the film has the controls of the browser again.
      await fetch(`${server.address}/v1/item/${id}/tools/rotate?direction=left`, { method: 'PUT', headers })
      await page.locator('video[data-playable][controls]').waitFor()
      expect(errors).toEqual([])
      await page.context().close()
    })
  })

  describeWalks('films where ffmpeg is missing', () => {
    let server: RunningServer
    beforeAll(async () => {
      const directory = temporaryDirectory()
      const [data, root] = [join(directory, 'data'), join(directory, 'films')]
      mkdirSync(data)
      mkdirSync(root)
      writeFileSync(join(data, 'config.toml'), 'ffmpeg = "/nowhere/ffmpeg"\nffprobe = "/nowhere/ffprobe"\n')
      encodeFilm(join(root, '2019-08-01 10.00.00.avi'), ...oldFormat)
      encodeFilm(join(root, '2019-08-02 10.00.00.mp4'), ...h264)
      server = await startServer(data, [root])
      await waitForItems(server, await registerAndSignIn(server), 2)
    })
    afterAll(() => server.stop())

    test('play when the browser can play them, and else report that ffmpeg is missing', async () => {
      const { page, errors } = await openPage(server.address, { viewport: phone, user: 'ines' })
      await card(page, '2 August 2019').click()
      await page.locator('video[data-playable]').waitFor()
      await page.evaluate('document.querySelector("video[data-playable]").play()')
      await waitForPlaying(page)
      await saveScreenshot(page, 'film-without-ffmpeg')
      await page.keyboard.press('ArrowRight')
      await page.locator('[data-open] .viewer-fault').getByText('ffmpeg is not installed').waitFor()
      await saveScreenshot(page, 'cannot-show-phone')
      expect(errors).toEqual([])
      await page.context().close()
    })
  })
} else test.skip('films in the browser: ffmpeg is not installed', () => {})
