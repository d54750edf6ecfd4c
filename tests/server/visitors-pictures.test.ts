import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../core/accounts/access.ts'
import { filmPath, isForVisitor } from '../../core/items/transcode-job.ts'
import { renditionPath } from '../../core/media/cache/renditions.ts'
import { screensaver } from '../../schema/api/screensavers.ts'
import { share } from '../../schema/api/shares.ts'
import { videoTools } from '../core/media/decoding.ts'
import { picture } from '../support/scanning-library.ts'
import { type Credentials, cookieOf, openTestServer } from '../support/test-server.ts'

const testServer = openTestServer()
const { sendJson, send, library } = testServer
const floodCount = 20
let user = ''
let shared = ''
let television = ''
let cookie = ''

const idOf = (name: string) => library.db.get<{ id: number }>('SELECT id FROM items WHERE name = ?', name)?.id ?? 0
const contentOf = (name: string) =>
  library.db.get<{ content: string }>('SELECT content FROM items WHERE name = ?', name)?.content ?? ''

beforeAll(async () => {
  const collection = await testServer.collection('open')
  const put = async (name: string, seed: number, width: number, height: number) =>
    writeFileSync(
      join(testServer.directory, 'open', name),
      await sharp(await picture({ seed, width, height }))
        .tiff()
        .toBuffer(),
    )
  await put('mine.tif', 1, 300, 200)
  await put('shown.tif', 2, 300, 200)
  for (let n = 0; n < floodCount; n++) await put(`flood-${n}.tif`, 10 + n, 2400, 1600)
  await library.jobs.run(
    await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: collection }, { inProcess: true }),
  )
  await library.db.transact(terminalViewer, tx =>
    tx.run('UPDATE access_groups SET public = 1 WHERE id = (SELECT max(group_id) FROM collection_access)'),
  )
  user = (await testServer.user('ana', { collectionId: collection, right: 'update' })).token
  shared = share.parse((await sendJson('POST', `/v1/item/${idOf('shown.tif')}/share`, user, { expires: 24 })).json).name
  const saver = screensaver.parse(
    (await sendJson('POST', `/v1/screensaver/create?name=web&collection_id=${collection}`, user)).json,
  )
  television = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
  await sendJson('POST', '/v1/tokens', user, { name: 'Television', value: television, screensaverid: saver.id })
  cookie = cookieOf(await send('GET', '/v1/screensaver', television), 'keepsake_device')
}, 120_000)
afterAll(() => testServer.close())

describe('formats', () => {
  const image = () => `/v1/item/${idOf('shown.tif')}/image`
  const callers: [
    who: string,
    path: () => string,
    credentials: () => Credentials | string | null,
    mayRequestAll: boolean,
  ][] = [
    ['a signed-in user', image, () => user, true],
    ['a visitor', image, () => null, false],
    ['a device by its token', image, () => television, false],
    ['a device by its cookie', image, () => ({ cookie }), false],
    ['a visitor with a share', () => `/v1/share/${shared}/image`, () => null, false],
    ['a user who opens a share', () => `/v1/share/${shared}/image`, () => user, false],
  ]
  for (const [who, path, credentials, mayRequestAll] of callers) {
    test(`${who} gets ${mayRequestAll ? 'all formats' : 'only JPEG and WebP'} in every size`, async () => {
      for (const size of ['tiny', 'large', 'variant', 'original']) {
        for (const format of ['webp', 'jpeg', 'avif', 'png']) {
          const response = await send('GET', `${path()}?pThumbnail=${size}&pFormat=${format}`, credentials())
          const allowed = mayRequestAll || format === 'webp' || format === 'jpeg'
          expect([size, format, response.status]).toEqual([size, format, allowed ? 200 : 403])
          if (allowed) await response.arrayBuffer()
          else {
            expect(await response.json()).toMatchObject({
              code: 'denied',
              error: 'AVIF and PNG are only made for signed-in users. Request webp or jpeg.',
            })
          }
        }
      }
    })
  }

  test('an unknown item or share is not found, rather than refused for the format', async () => {
    expect((await send('GET', '/v1/item/98765/image?pThumbnail=large&pFormat=png')).status).toBe(404)
    expect((await send('GET', '/v1/share/nothing/image?pThumbnail=large&pFormat=png')).status).toBe(404)
  })

  test('a variant is a JPEG for visitors who request no format', async () => {
    const response = await send('GET', `${image()}?pThumbnail=variant`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })
})

test('a signed-in user’s picture comes before many that a visitor requested earlier', async () => {
  let done = 0
  const flood = Array.from({ length: floodCount }, async (_, n) => {
    const response = await send('GET', `/v1/item/${idOf(`flood-${n}.tif`)}/image?pThumbnail=variant`)
    done++
    return response
  })
  const mine = await send('GET', `/v1/item/${idOf('mine.tif')}/image?pThumbnail=variant`, user)
  expect(mine.status).toBe(200)
  expect(done).toBeLessThan(floodCount / 2)
  for (const response of await Promise.all(flood)) {
    expect([200, 503]).toContain(response.status)
    if (response.status === 503) expect(response.headers.get('retry-after')).toBe('5')
  }
}, 120_000)

test('aborted requests create no pictures, except those whose turn had come', async () => {
  const { cache } = library
  const flood = Array.from({ length: floodCount }, (_, n) =>
    renditionPath(cache, contentOf(`flood-${n}.tif`), 'large', 'jpeg'),
  )
  for (const path of flood) rmSync(path, { force: true })
  const gone = new AbortController()
  const requests = flood.map((_, n) =>
    testServer.app.request(
      `http://keepsake.test/v1/item/${idOf(`flood-${n}.tif`)}/image?pThumbnail=large&pFormat=jpeg`,
      {
        signal: gone.signal,
      },
    ),
  )
  // By now, all requests have found their items: one waits for its worker, the others for their turn.
  await send('GET', `/v1/item/${idOf('mine.tif')}/image?pThumbnail=large`, user)
  gone.abort()
  await Promise.allSettled(requests)
  await send('GET', `/v1/item/${idOf('mine.tif')}/image?pThumbnail=large&pFormat=jpeg`)
  expect(flood.filter(path => existsSync(path)).length).toBeLessThan(floodCount / 2)
}, 60_000)

test('a picture removed from the cache is created again; one removed while it is sent arrives complete', async () => {
  const path = renditionPath(library.cache, contentOf('mine.tif'), 'large')
  const address = `/v1/item/${idOf('mine.tif')}/image?pThumbnail=large`
  await (await send('GET', address, user)).arrayBuffer()
  expect(readdirSync(join(library.cache, 'made')).length).toBeGreaterThan(0)
  rmSync(path)
  expect((await send('GET', address, user)).status).toBe(200)
  const response = await send('GET', address, user)
  expect(response.status).toBe(200)
  rmSync(path)
  expect((await sharp(await response.arrayBuffer()).metadata()).width).toBe(300)
})

const tools = videoTools()
test.if(tools !== null)(
  'conversions for visitors are limited, and a user’s request takes them over',
  async () => {
    const films = ['one.avi', 'two.avi', 'three.avi']
    for (const [n, name] of films.entries()) {
      const source = ['-f', 'lavfi', '-i', `testsrc=s=64x48:r=5:d=${n + 1}`, '-c:v', 'mpeg4']
      const path = join(testServer.directory, 'open', name)
      expect(Bun.spawnSync([tools?.ffmpeg ?? '', '-v', 'error', ...source, `file:${path}`]).exitCode).toBe(0)
    }
    const { jobs, db } = library
    const collectionId = db.get<{ id: number }>('SELECT max(id) AS id FROM collections')?.id ?? 0
    await jobs.run(await jobs.enqueue(terminalViewer, 'scan', { collectionId }, { inProcess: true }))
    const watch = (name: string, who: string | null) =>
      testServer.app.request(`http://keepsake.test/v1/item/${idOf(name)}/stream`, {
        headers: { prefer: 'wait=0', ...(who === null ? {} : { authorization: `Bearer ${who}` }) },
      })
    const waiting = () => jobs.waiting().map(job => [JSON.parse(job.input).itemId, isForVisitor(job)])

    expect((await watch('one.avi', null)).status).toBe(503)
    expect((await watch('two.avi', null)).status).toBe(503)
    const third = await watch('three.avi', null)
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await third.json()).toMatchObject({ error: 'Other videos are being prepared. Try again in a minute.' })
    expect(waiting()).toEqual([
      [idOf('one.avi'), true],
      [idOf('two.avi'), true],
    ])
    // A film in preparation may be requested again, and a user's request takes it over.
    expect((await watch('two.avi', null)).headers.get('retry-after')).toBe('1')
    expect((await watch('two.avi', user)).status).toBe(503)
    expect((await watch('three.avi', user)).status).toBe(503)
    expect(waiting()).toEqual([
      [idOf('one.avi'), true],
      [idOf('two.avi'), false],
      [idOf('three.avi'), false],
    ])
    // A converted film needs no conversion.
    const target = filmPath(library.cache, contentOf('three.avi'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, 'converted')
    expect((await watch('three.avi', null)).status).toBe(200)
  },
  60_000,
)
