/** Links over HTTP, with real files: what visitors get, in which bytes, and that every other request gets the same 404. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../core/accounts/access.ts'
import { type Link, link as linkShape } from '../../schema/api/shares.ts'
import { videoTools } from '../core/media/decoding.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { waitUntil } from '../support/server-process.ts'
import { openTestServer } from '../support/test-server.ts'
import { unzip } from '../support/unzip.ts'

const testServer = openTestServer()
const { sendJson, send, library, clock } = testServer
const tools = videoTools()

/** Words in files, names, folders and collections that visitors of a link without details must not get. */
const secrets = ['SN-4711', 'Mia', 'Lisbon', 'secret-', 'Family album', 'Attic', 'GPS', 'Exif', 'xpacket']
const files = ['secret-sea.jpg', 'secret-hills.jpg', 'secret-film.mp4', 'secret-attic.jpg'] as const
let [sea, hills, film, attic] = [0, 0, 0, 0]
let ines = { id: 0, token: '' }
let admin = { id: 0, token: '' }
let uma = { id: 0, token: '' }
let family = 0
let privateCollection = 0

const idOf = (name: string) => library.db.get<{ id: number }>('SELECT id FROM items WHERE name = ?', name)?.id ?? 0
const change = (text: string, ...values: (string | number | null)[]) =>
  library.db.transact(terminalViewer, tx => tx.run(text, ...values).changes)
const soon = (seconds = 3600) => Math.floor(clock.now() / 1000) + seconds
async function linkOf(more: object): Promise<Link> {
  const made = await sendJson('POST', '/v1/links', ines.token, { expires: soon(), ...more })
  expect(made).toMatchObject({ status: 201 })
  return linkShape.parse(made.json)
}
const secretsIn = (bytes: string | Uint8Array) => {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  return secrets.filter(secret => text.includes(secret))
}
const itemsOf = async (name: string, key = '') =>
  (await sendJson('GET', `/v1/link/${name}/items${key}`)).json as { items: Record<string, unknown>[]; total: number }

function filmFile(): Uint8Array {
  const input = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=5:d=1', '-c:v', 'mpeg4']
  const tags = ['-metadata', 'location=GPS+38.7', '-metadata', 'model=SN-4711', '-metadata', 'title=Mia in Lisbon']
  const path = join(testServer.directory, 'film.mp4')
  const made = Bun.spawnSync([
    tools?.ffmpeg ?? '',
    ...['-v', 'error', ...input, ...tags, '-movflags', 'use_metadata_tags', '-y', path],
  ])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  return readFileSync(path)
}

beforeAll(async () => {
  family = await testServer.collection('Family album')
  privateCollection = await testServer.collection('Attic')
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
    <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Mia</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>
    </rdf:Description></rdf:RDF></x:xmpmeta>`
  const put = async (path: string, seed: number, width = 900) => {
    const plain = await picture({ seed, width, xmp })
    const exif = { ...takenAt('2019-06-01 10:00:00'), BodySerialNumber: 'SN-4711' }
    const place = {
      GPSLatitude: '38/1 42/1 0/1',
      GPSLatitudeRef: 'N',
      GPSLongitude: '9/1 6/1 0/1',
      GPSLongitudeRef: 'W',
    }
    const whole = sharp(plain)
      .keepXmp()
      .withExif({ IFD0: { Make: 'Test' }, IFD2: exif, IFD3: place })
    writeFileSync(join(testServer.directory, path), await whole.jpeg().toBuffer())
  }
  mkdirSync(join(testServer.directory, 'Family album/Lisbon'))
  await put('Family album/Lisbon/secret-sea.jpg', 1)
  await put('Family album/secret-hills.jpg', 2, 2400)
  await put('Attic/secret-attic.jpg', 3)
  if (tools !== null) writeFileSync(join(testServer.directory, 'Family album/secret-film.mp4'), filmFile())
  for (const collectionId of [family, privateCollection])
    await library.jobs.run(await library.jobs.enqueue(terminalViewer, 'scan', { collectionId }, { inProcess: true }))
  ;[sea, hills, film, attic] = files.map(idOf) as [number, number, number, number]
  await change('UPDATE collections SET keep_private = 1 WHERE id = ?', privateCollection)
  admin = await testServer.user('admin', { globalAdmin: true })
  ines = await testServer.user('ines', { collectionId: family })
  await change(
    'INSERT INTO access_members (group_id, user_id) SELECT group_id, ? FROM collection_access WHERE collection_id = ? AND position = 0',
    ines.id,
    privateCollection,
  )
  uma = await testServer.user('uma', { collectionId: family, right: 'admin' })
  for (const id of [sea, attic])
    await sendJson('PUT', `/v1/item/${id}/tag/Locations`, admin.token, {
      data: { latitude: 38.7, longitude: -9.1, placeName: 'Lisbon' },
    })
}, 60_000)
afterAll(() => testServer.close())

let name = ''
beforeEach(async () => {
  await change('DELETE FROM links')
  name = (await linkOf({ items: [sea, hills, attic] })).name
})

test('pictures have no metadata in any size and format, and are neither cached nor indexed', async () => {
  const original = await sharp(join(testServer.directory, 'Family album/Lisbon/secret-sea.jpg')).metadata()
  expect(original.exif?.toString('latin1')).toContain('SN-4711')
  expect(original.xmp?.toString()).toContain('Mia')
  for (const id of [sea, attic])
    for (const size of ['', 'tiny', 'small', 'medium', 'large', 'variant', 'original'])
      for (const format of ['', 'webp', 'jpeg']) {
        const query = [size && `pThumbnail=${size}`, format && `pFormat=${format}`].filter(Boolean).join('&')
        const response = await send('GET', `/v1/link/${name}/image/${id}?${query}`, id === sea ? null : ines.token)
        expect({ query, status: response.status }).toEqual({ query, status: 200 })
        expect(response.headers.get('cache-control')).toBe('no-store')
        expect(response.headers.get('x-robots-tag')).toBe('noindex')
        expect([response.headers.get('etag'), response.headers.get('content-disposition')]).toEqual([null, null])
        const bytes = Buffer.from(await response.arrayBuffer())
        expect(secretsIn(bytes)).toEqual([])
        const { exif, xmp, iptc } = await sharp(bytes).metadata()
        expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined])
      }
  for (const format of ['avif', 'png'])
    expect((await send('GET', `/v1/link/${name}/image/${sea}?pFormat=${format}`)).status).toBe(403)
  const head = await send('HEAD', `/v1/link/${name}/image/${sea}`)
  expect([head.status, await head.text(), head.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
}, 60_000)

test('without details, the calls of the page return no names, places or paths', async () => {
  for (const path of ['', '/items']) {
    const response = await send('GET', `/v1/link/${name}${path}`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(secretsIn(await response.text())).toEqual([])
  }
  expect((await send('HEAD', `/v1/link/${name}`)).status).toBe(405)
  expect((await send('HEAD', `/v1/link/${name}/items`)).status).toBe(200)
  expect((await send('GET', `/link/${name}`)).headers.get('x-robots-tag')).toBe('noindex')
})

test('with details, the calls of the page return places and people, but not those of private collections', async () => {
  const open = await linkOf({ items: [sea, attic], details: true })
  expect((await itemsOf(open.name)).items).toMatchObject([
    { id: sea, place: 'Lisbon', people: ['Mia'] },
    { id: attic, place: null, people: null },
  ])
})

test('each view is counted, but not what is refused', async () => {
  const locked = await linkOf({ items: [sea], password: 'boat' })
  for (const path of [`/v1/link/${name}`, `/v1/link/${name}`, `/v1/link/${locked.name}`]) await send('GET', path)
  const { json } = await sendJson('GET', '/v1/links', ines.token)
  expect(json).toMatchObject({
    links: [
      { id: locked.id, views: 0, viewed: null },
      { name, views: 2, viewed: soon(0) },
    ],
  })
})

/** The responses to a visitor at all addresses of a link that show something of an item. */
async function responsesOf(of: string, id: number, key = '') {
  const all = []
  for (const method of ['GET', 'HEAD'])
    for (const path of ['/items', `/image/${id}`, `/image/${id}?pThumbnail=small`, `/stream/${id}`, '/download', '']) {
      if (path === '' && (key !== '' || method === 'HEAD')) continue
      if (path === '/items' && key !== '' && method === 'HEAD') continue
      const more = key === '' ? '' : `${path.includes('?') ? '&' : '?'}key=${key}`
      const response = await send(method, `/v1/link/${of}${path}${more}`)
      const { status, headers } = response
      all.push({
        method,
        path: path.replace(String(id), ':id'),
        status,
        body: await response.text(),
        headers: [...headers],
      })
    }
  return all
}

type Cause = [what: string, end: () => Promise<unknown>, back: () => Promise<unknown>]
const toggled = (what: string, end: string, back: string, ...values: number[]): Cause => [
  what,
  () => change(end, ...values),
  () => change(back, ...values),
]

describe('the same 404', () => {
  test('is returned for a link that ended for any reason', async () => {
    const unknown = await responsesOf('x'.repeat(22), sea)
    expect(unknown.map(({ status }) => status)).toEqual(unknown.map(() => 404))
    for (const { headers } of unknown)
      expect(Object.fromEntries(headers)).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    for (const strange of ['short', 'y'.repeat(500)]) expect(await responsesOf(strange, sea)).toEqual(unknown)
    const { id, name: own } = await linkOf({ items: [sea], originals: true })
    const causes: Cause[] = [
      toggled(
        'the sharer is disabled',
        'UPDATE users SET disabled = 1 WHERE id = ?',
        'UPDATE users SET disabled = 0 WHERE id = ?',
        ines.id,
      ),
      [
        'it was ended',
        () => sendJson('DELETE', `/v1/links/${id}`, ines.token),
        () => sendJson('PUT', `/v1/links/${id}`, ines.token, { expires: soon() }),
      ],
    ]
    for (const [what, end, back] of causes) {
      const pages = async () => [
        (await send('GET', `/v1/link/${own}`)).status,
        (await send('GET', `/link/${own}`)).status,
      ]
      expect({ what, pages: await pages() }).toEqual({ what, pages: [200, 200] })
      await end()
      expect({ what, answers: await responsesOf(own, sea) }).toEqual({ what, answers: unknown })
      expect({ what, pages: await pages() }).toEqual({ what, pages: [404, 404] })
      await back()
    }
    clock.advance(3599)
    expect((await send('GET', `/v1/link/${own}/image/${sea}`)).status).toBe(200)
    clock.advance(1)
    expect(await responsesOf(own, sea)).toEqual(unknown)
    await change('DELETE FROM links')
    expect(await responsesOf(own, sea)).toEqual(unknown)
  }, 60_000)

  test('is returned for an item that its sharer may not share any more, or that is not in the link', async () => {
    const bytesOf = async (id: number) => (await responsesOf(name, id)).filter(({ path }) => path.includes(':id'))
    const unknown = (await responsesOf('x'.repeat(22), sea)).filter(({ path }) => path.includes(':id'))
    const other = await linkOf({ items: [sea] })
    expect((await responsesOf(other.name, hills)).filter(({ path }) => path.includes(':id'))).toEqual(unknown)
    expect(await bytesOf(98_765)).toEqual(unknown)
    const onItem = (what: string, column: string, off: string) =>
      toggled(
        what,
        `UPDATE items SET ${column} = 1 WHERE id = ?`,
        `UPDATE items SET ${column} = ${off} WHERE id = ?`,
        sea,
      )
    const causes = [
      onItem('hidden', 'hidden_by', '0'),
      onItem('recycled', 'deleted', 'NULL'),
      onItem('missing', 'missing', 'NULL'),
      toggled(
        'the right is lost',
        'UPDATE access_groups SET "view" = 0 WHERE name = \'view\' AND ? > 0',
        'UPDATE access_groups SET "view" = 1 WHERE name = \'view\' AND ? > 0',
        sea,
      ),
    ]
    for (const [what, end, back] of causes) {
      expect({ what, total: (await itemsOf(name)).items.map(({ id }) => id) }).toEqual({
        what,
        total: [sea, hills, attic],
      })
      await end()
      expect({ what, answers: await bytesOf(sea) }).toEqual({ what, answers: unknown })
      expect((await itemsOf(name)).items.map(({ id }) => id)).not.toContain(sea)
      await back()
    }
    await change("UPDATE items SET problem = 'secret-reason' WHERE id = ?", sea)
    const { status, json } = await sendJson('GET', `/v1/link/${name}/image/${sea}`)
    expect({ status, json }).toMatchObject({ status: 404, json: { error: 'Not found' } })
    await change('UPDATE items SET problem = NULL WHERE id = ?', sea)
  }, 60_000)

  test('is returned for a missing or wrong key, and for the key of another link or an earlier password', async () => {
    const unknown = (await responsesOf('x'.repeat(22), sea)).filter(({ path }) => path !== '')
    const withKey = (await responsesOf('x'.repeat(22), sea, 'k'.repeat(43))).filter(({ path }) => path !== '')
    const { id, name: own } = await linkOf({ items: [sea], password: 'boat', originals: true, title: 'Secret title' })
    const other = await linkOf({ items: [sea], password: 'boat' })
    const keyOf = async (of: string, password: string) =>
      ((await sendJson('POST', `/v1/link/${of}/unlock`, null, { password })).json as { key: string }).key
    const key = await keyOf(own, 'boat')
    expect((await responsesOf(own, sea)).filter(({ path }) => path !== '')).toEqual(unknown)
    for (const wrong of ['k'.repeat(43), await keyOf(other.name, 'boat')])
      expect(await responsesOf(own, sea, wrong)).toEqual(withKey)
    expect(await sendJson('GET', `/v1/link/${own}`)).toMatchObject({ status: 200, json: { link: null } })
    expect((await itemsOf(own, `?key=${key}`)).total).toBe(1)
    for (const path of [`image/${sea}`, 'download'])
      expect((await send('GET', `/v1/link/${own}/${path}?key=${key}`)).status).toBe(200)
    await sendJson('PUT', `/v1/links/${id}`, ines.token, { password: 'boat' })
    expect(await responsesOf(own, sea, key)).toEqual(withKey)
  }, 60_000)
})

test('wrong passwords are limited by address and in all, also at the same time', async () => {
  const { name: own } = await linkOf({ items: [sea], password: 'boat' })
  const guess = (password: string) => sendJson('POST', `/v1/link/${own}/unlock`, null, { password })
  const guesses = await Promise.all(Array.from({ length: 12 }, (_, n) => guess(`guess ${n}`)))
  expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(403), ...Array(7).fill(429)])
  expect((await guess('boat')).status).toBe(429)
  clock.advance(61)
  expect((await guess('boat')).status).toBe(200)
  const { links } = library
  const spread = Array.from({ length: 55 }, (_, n) =>
    links.unlock(own, 'guess', `192.0.2.${n}`).catch(({ code }) => code),
  )
  const codes = await Promise.all(spread)
  expect(codes.sort()).toEqual([...Array(50).fill('denied'), ...Array(5).fill('tooMany')])
}, 60_000)

test('a password is only taken from our own pages', async () => {
  const { name: own } = await linkOf({ items: [sea], password: 'boat' })
  const sent: Record<string, string>[] = [{}, { origin: 'http://elsewhere.test' }, { 'sec-fetch-site': 'cross-site' }]
  for (const headers of sent) {
    const response = await testServer.app.request(`http://keepsake.test/v1/link/${own}/unlock`, {
      method: 'POST',
      body: JSON.stringify({ password: 'boat' }),
      headers: { host: 'keepsake.test', 'content-type': 'application/json', 'content-length': '19', ...headers },
    })
    expect({ headers, status: response.status }).toEqual({ headers, status: 403 })
  }
})

test('administrators see and end links to their items, but do not learn the address', async () => {
  const { id, username } = await linkOf({ items: [sea, attic] })
  const album = (
    await sendJson('POST', '/v1/albums', ines.token, { kind: 'search', name: 'All', query: { q: 'file:hills' } })
  ).json as { id: number }
  const ofAlbum = await linkOf({ album: album.id })
  const onlyAttic = await linkOf({ items: [attic] })
  const { links } = (await sendJson('GET', '/v1/links', uma.token)).json as { links: Link[] }
  expect(links.map(one => [one.id, one.name])).toEqual(
    expect.arrayContaining([
      [id, ''],
      [ofAlbum.id, ''],
    ]),
  )
  expect(links.map(one => one.id)).not.toContain(onlyAttic.id)
  expect(username).toBe('ines')
  for (const one of [id, ofAlbum.id]) expect((await sendJson('DELETE', `/v1/links/${one}`, uma.token)).status).toBe(204)
  expect((await sendJson('DELETE', `/v1/links/${onlyAttic.id}`, uma.token)).status).toBe(404)
  expect((await sendJson('PUT', `/v1/links/${id}`, uma.token, { expires: soon() })).status).toBe(404)
})

describe('the download', () => {
  const download = (of: string, method = 'GET') => send(method, `/v1/link/${of}/download`)
  const unzipped = async (of: string) => unzip(new Uint8Array(await (await download(of)).arrayBuffer()))

  test('without originals has smaller pictures without metadata and names, even with details', async () => {
    await change('UPDATE links SET details = 1')
    const archive = join(testServer.directory, 'link.zip')
    writeFileSync(archive, new Uint8Array(await (await download(name)).arrayBuffer()))
    for (const [file, width] of Object.entries({ '0001.jpg': 900, '0002.jpg': 2048, '0003.jpg': 900 })) {
      const bytes = Bun.spawnSync(['unzip', '-p', archive, file]).stdout
      expect({ file, secrets: secretsIn(bytes) }).toEqual({ file, secrets: [] })
      const metadata = await sharp(bytes).metadata()
      expect(metadata).toMatchObject({ format: 'jpeg', width })
      expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined])
    }
  }, 60_000)

  test('without details has neither metadata nor names; videos whose conversion is cancelled are left out', async () => {
    const { name: own } = await linkOf({
      items: [sea, hills, ...(film > 0 ? [film] : [])],
      originals: true,
      title: 'Summer',
    })
    const response = await download(own)
    expect(response.headers.get('content-disposition')).toContain('Summer.zip')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    const body = response.arrayBuffer()
    if (film > 0) {
      const conversion = await waitUntil(async () => library.jobs.list(terminalViewer, 'active')[0] ?? null)
      await library.jobs.cancel(terminalViewer, conversion.id)
    }
    const bytes = new Uint8Array(await body)
    expect(secretsIn(bytes)).toEqual([])
    const found = unzip(bytes)
    const leftOut = film > 0 ? ['Left out.txt'] : []
    expect(Object.keys(found).sort()).toEqual(['0001.jpg', '0002.jpg', ...leftOut])
    if (film > 0) expect(found['Left out.txt']).toContain('0003.mp4')
  }, 60_000)

  test('with details has the originals, but no metadata of private collections', async () => {
    const { name: own } = await linkOf({ items: [sea, attic], originals: true, details: true })
    const found = await unzipped(own)
    expect(Object.keys(found).sort()).toEqual(['0002.jpg', 'secret-sea.jpg'])
    expect(secretsIn(found['secret-sea.jpg'] ?? '')).toEqual(expect.arrayContaining(['SN-4711', 'Mia', 'Exif']))
    expect(secretsIn(found['0002.jpg'] ?? '')).toEqual([])
  }, 60_000)

  test('that is requested with HEAD keeps no place in the queue', async () => {
    const { name: own } = await linkOf({ items: [sea], originals: true })
    for (let n = 0; n < 10; n++) expect((await download(own, 'HEAD')).status).toBe(200)
    expect(Object.keys(await unzipped(own))).toEqual(['0001.jpg'])
  }, 60_000)
})

test.if(tools !== null)(
  'a video is streamed without metadata, also a part of it',
  async () => {
    const { name: own } = await linkOf({ items: [film], originals: true })
    // A cancelled conversion is not repeated for ten minutes.
    clock.advance(601)
    const stream = (path: string, more = {}) =>
      testServer.app.request(`http://keepsake.test/v1/link/${own}/${path}/${film}`, {
        headers: { host: 'keepsake.test', prefer: 'wait=0', ...more },
      })
    const waiting = await stream('stream')
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await waiting.json()).not.toHaveProperty('current')
    const [job] = library.jobs.list(terminalViewer, 'active')
    await library.jobs.cancel(terminalViewer, job?.id ?? 0)
    await library.jobs.run(
      await library.jobs.enqueue(terminalViewer, 'transcode', { itemId: film, forVisitor: false }, { inProcess: true }),
    )
    for (const path of ['stream', 'image']) {
      const response = await stream(path)
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
      expect(secretsIn(bytes)).toEqual([])
    }
    const part = await stream('stream', { range: 'bytes=4-7' })
    expect([part.status, await part.text(), part.headers.get('etag')]).toEqual([206, 'ftyp', null])
    const archive = await send('GET', `/v1/link/${own}/download`)
    const bytes = new Uint8Array(await archive.arrayBuffer())
    expect(Object.keys(unzip(bytes))).toEqual(['0001.mp4'])
    expect(secretsIn(bytes)).toEqual([])
  },
  60_000,
)
