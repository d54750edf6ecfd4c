/** What a device may load: every picture and film of its screen saver, in every size, but no embedded metadata. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { imageSizes } from '../../schema/addresses.ts'
import { item } from '../../schema/api/items.ts'
import { screensaver } from '../../schema/api/screensavers.ts'
import { videoTools } from '../core/media/decoding.ts'
import { describeWithSamples } from '../support/samples.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { cookieOf, openTestServer } from '../support/test-server.ts'

const tools = videoTools()

/** Metadata that these tests put into pictures and films. */
const metadata = ['Secret Camera 4711', 'secret-words', '+48.1372+011.5755']
/** Markers of metadata in JPEG, WebP, PNG and video files. */
const markers = [
  'Exif\0\0',
  'EXIF',
  'eXIf',
  'ns.adobe.com/xap',
  'x:xmpmeta',
  'XMP ',
  'Photoshop 3.0',
  'com.apple.quicktime',
  '\xa9xyz',
  'loci',
  'creation_time',
]

/** Creates a film with a location and a camera model in its metadata, and returns its bytes. */
function film(path: string): Buffer {
  const input = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=15:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const tags = ['-metadata', `location=${metadata[2]}`, '-metadata', `model=${metadata[0]}`]
  const command = [...input, ...tags, '-metadata', 'creation_time=2019-06-01T10:00:00Z']
  const ffmpeg = Bun.spawnSync([
    tools?.ffmpeg ?? '',
    '-v',
    'error',
    ...command,
    '-movflags',
    'use_metadata_tags',
    '-y',
    `file:${path}`,
  ])
  if (ffmpeg.exitCode !== 0) throw new Error(ffmpeg.stderr.toString())
  return readFileSync(path)
}

const exif = { ...takenAt('2019-06-01 10:00:00'), Model: metadata[0] ?? '', ImageDescription: metadata[1] ?? '' }

function motionXmp(length: number): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MicroVideo="1"
      GCamera:MicroVideoOffset="${length}"/></rdf:RDF></x:xmpmeta>`
}

async function withMetadata(samples: string, folder: string): Promise<void> {
  for (const [from, to] of [
    ['formats/heic/iphone_7.heic', 'phone.heic'],
    ['formats/raw/canon_eos_6d.dng', 'raw.dng'],
    ['formats/png/png_with_exif_and_gps.png', 'gps.png'],
    ['live-photos/IMG_7943.HEIC', 'live.HEIC'],
    ['live-photos/IMG_7943_HEVC.MOV', 'live.MOV'],
  ] as const) {
    copyFileSync(join(samples, 'library', from), join(folder, to))
  }
  writeFileSync(join(folder, 'plain.jpg'), await picture({ seed: 1, exif, xmp: motionXmp(0) }))
  if (tools === null) return
  film(join(folder, 'film.mp4'))
  const within = film(join(temporaryDirectory(), 'within.mp4'))
  writeFileSync(
    join(folder, 'motion.jpg'),
    Buffer.concat([await picture({ seed: 2, exif, xmp: motionXmp(within.length) }), within]),
  )
}

describeWithSamples('a device', samples => {
  const testServer = openTestServer()
  const { sendJson, send, library } = testServer
  let items: { id: number; name: string; type: string }[] = []
  let ownerToken = ''
  const device = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
  let cookie = ''
  let saver = 0

  beforeAll(async () => {
    const family = await testServer.collection('family')
    await withMetadata(samples, join(testServer.directory, 'family'))
    await library.jobs.run(
      await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: family }, { inProcess: true }),
    )
    items = library.db.all('SELECT id, name, type FROM items ORDER BY name')
    const owner = await testServer.user('owner', { collectionId: family })
    ownerToken = owner.token
    const created = await sendJson('POST', `/v1/screensaver/create?name=web&collection_id=${family}`, owner.token)
    saver = screensaver.parse(created.json).id
    await sendJson('POST', '/v1/tokens', owner.token, { name: 'Television', value: device, screensaverid: saver })
    cookie = cookieOf(await send('GET', '/v1/screensaver', device), 'keepsake_device')
    // Visitors may see the collection, too, but that must not give the device more.
    await library.db.transact(terminalViewer, tx => {
      tx.run('UPDATE access_groups SET public = 1 WHERE name LIKE ?', '%visitors')
    })
    for (const { id } of items.filter(({ type }) => type === 'video')) {
      expect((await send('GET', `/v1/item/${id}/stream`, { bearer: device, prefer: 'wait=1' })).status).not.toBe(200)
      await library.jobs.run(
        await library.jobs.enqueue(terminalViewer, 'transcode', { itemId: id }, { inProcess: true }),
      )
    }
  }, 120_000)
  afterAll(() => testServer.close())

  const sizes = imageSizes.map(size => `image?pThumbnail=${size}`)
  // AVIF and PNG are refused, as for every visitor (tests/server/visitors-pictures.test.ts).
  const formats = (['webp', 'jpeg'] as const).map(format => `image?pThumbnail=small&pFormat=${format}`)
  const addresses = ['image', ...sizes, ...formats, 'stream']

  async function faultsOf(response: Response, type: string): Promise<string[]> {
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('latin1')
    const found = [...metadata, ...markers].filter(one => text.includes(one))
    if (type.startsWith('image/')) {
      const { exif, xmp, iptc } = await sharp(bytes).metadata()
      for (const [name, part] of Object.entries({ exif, xmp, iptc })) if (part !== undefined) found.push(name)
    }
    if (response.headers.get('cache-control') !== 'no-store') found.push('may be cached')
    return found
  }

  test('gets no embedded metadata from any address, in any size and format, by token or cookie', async () => {
    const names = items.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['gps.png', 'live.HEIC', 'phone.heic', 'plain.jpg', 'raw.dng']))
    const wrong: string[] = []
    let loaded = 0
    for (const { id, name } of items) {
      for (const address of addresses) {
        for (const who of [device, { cookie }]) {
          const response = await send('GET', `/v1/item/${id}/${address}`, who)
          const type = response.headers.get('content-type') ?? ''
          const about = `${name} ${address} ${typeof who === 'string' ? 'token' : 'cookie'}`
          if (response.status === 404 && address === 'stream') continue
          if (response.status !== 200) {
            wrong.push(`${about}: ${response.status} ${await response.text()}`)
            continue
          }
          loaded++
          const isPicture = ['image/jpeg', 'image/webp', 'image/png', 'image/avif'].includes(type)
          if (!isPicture && type !== 'video/mp4') wrong.push(`${about}: ${type}`)
          for (const fault of await faultsOf(response, type)) wrong.push(`${about}: ${fault}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(loaded).toBeGreaterThanOrEqual(items.length * 2 * (addresses.length - 1))
  }, 120_000)

  test('does not strip the originals that its owner loads while signed in', async () => {
    const plain = items.find(({ name }) => name === 'plain.jpg')?.id ?? 0
    const response = await send('GET', `/v1/item/${plain}/image`, { bearer: ownerToken, cookie })
    expect(Buffer.from(await response.arrayBuffer()).includes(metadata[0] ?? '')).toBe(true)
  })

  test('gets pictures without metadata, also in a browser where a user without rights is signed in', async () => {
    await library.db.transact(terminalViewer, tx => tx.run('UPDATE access_groups SET public = 0').changes)
    const stranger = await testServer.user('stranger')
    const plain = items.find(({ name }) => name === 'plain.jpg')?.id ?? 0
    expect((await send('GET', `/v1/item/${plain}/image`, stranger.token)).status).toBe(404)
    const response = await send('GET', `/v1/item/${plain}/image`, { bearer: stranger.token, cookie })
    expect(response.status).toBe(200)
    expect(await faultsOf(response, 'image/jpeg')).toEqual([])
  })

  test('gets only what its screen shows of an item: the name of the place, no coordinates and no texts', async () => {
    await library.db.transact(terminalViewer, tx => {
      const tags = {
        Locations: { v: 1, d: { latitude: 48.1, longitude: 11.5, placeName: 'Home' } },
        Description: { v: 1, d: 'x' },
      }
      tx.run('UPDATE items SET tags = ?, latitude = 48.1, longitude = 11.5', JSON.stringify(tags))
    })
    const received = item.array().parse((await sendJson('GET', `/v1/screensaver/next/${saver}`, device)).json)
    expect(received.length).toBe(items.length)
    for (const { tags } of received) {
      expect(tags).toEqual({
        Locations: expect.objectContaining({ data: { latitude: null, longitude: null, placeName: 'Home' } }),
      })
    }
    const whole = z.array(z.object({ tags: z.object({ Locations: z.object({ data: z.unknown() }) }) }))
    const [mine] = whole.parse((await sendJson('GET', `/v1/screensaver/next/${saver}`, ownerToken)).json)
    expect(mine?.tags.Locations.data).toMatchObject({ latitude: 48.1 })
  })
})
