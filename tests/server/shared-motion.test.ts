import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { openLibrary } from '../../core/library.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { videoTools } from '../core/media/decoding.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const tools = videoTools()

/** Camera metadata that is in the motion parts and must not appear in shares. */
const secrets = ['+48.1372+011.5755', 'Secret Phone 4711', 'secret-handler']

function motionPart(path: string, ...output: string[]): Buffer {
  const input = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=15:d=1', '-f', 'lavfi', '-i', 'sine=d=1']
  const tags = ['-metadata', `location=${secrets[0]}`, '-metadata', `model=${secrets[1]}`]
  const more = ['-metadata', 'creation_time=2019-06-01T10:00:00Z', '-metadata:s:v', `handler_name=${secrets[2]}`]
  const command = [...input, ...output, '-c:a', 'aac', ...tags, ...more, '-movflags', 'use_metadata_tags']
  const ffmpeg = Bun.spawnSync([tools?.ffmpeg ?? '', '-v', 'error', ...command, '-y', `file:${path}`])
  if (ffmpeg.exitCode !== 0) throw new Error(ffmpeg.stderr.toString())
  const bytes = readFileSync(path)
  for (const secret of secrets) expect(bytes.includes(secret)).toBe(true)
  return bytes
}

const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']

/** A library with two shared live pictures: one with its motion part in a separate file, one with it embedded. */
async function openSharing(settings: Record<string, string>) {
  const directory = temporaryDirectory()
  const root = join(directory, 'pictures')
  mkdirSync(root)
  const exif = takenAt('2019-06-01 10:00:00')
  motionPart(join(root, 'beside.mov'), ...h264)
  writeFileSync(join(root, 'beside.jpg'), await picture({ seed: 1, exif }))
  const within = motionPart(join(directory, 'within.mp4'), '-c:v', 'mpeg4')
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MicroVideo="1"
      GCamera:MicroVideoOffset="${within.length}"/></rdf:RDF></x:xmpmeta>`
  writeFileSync(join(root, 'within.jpg'), Buffer.concat([await picture({ seed: 2, exif, xmp }), within]))
  const library = openLibrary({
    role: 'worker',
    data: join(directory, 'data'),
    create: true,
    environment: {},
    flags: settings,
    stderrLevel: 'none',
  })
  const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
  await library.jobs.run(
    await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }),
  )
  const user = await library.users.create(terminalViewer, {
    username: 'ines',
    name: 'Inés',
    email: 'a@b',
    password: 'secret',
    unlockPin: '1234',
    globalAdmin: true,
  })
  const { token } = await library.sessions.open(user, 'test')
  const owner = (await library.sessions.of(token))?.viewer ?? terminalViewer
  const media = createMediaOnDemand(library)
  const app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
  const items = library.db.all<{ id: number; name: string; motion: number }>('SELECT id, name, motion FROM items')
  expect(items.map(({ name, motion }) => [name, motion]).sort()).toEqual([
    ['beside.jpg', 1],
    ['within.jpg', 1],
  ])
  const shares = new Map<string, string>()
  for (const { id, name } of items) shares.set(name, (await library.shares.create(owner, id, 24)).name)
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.request(`http://keepsake.test${path}`, { headers })
  return {
    library,
    token,
    get,
    shared: (name: string, path: string, headers?: Record<string, string>) =>
      get(`/v1/share/${shares.get(name)}${path}`, headers),
    itemOf: (name: string) => items.find(item => item.name === name)?.id ?? 0,
    async close() {
      await media.close()
      library.close()
    },
  }
}

function codecsOf(bytes: Uint8Array): string {
  const path = join(temporaryDirectory(), 'part.mp4')
  writeFileSync(path, bytes)
  const query = ['-show_entries', 'stream=codec_name', '-of', 'default=nokey=1:noprint_wrappers=1']
  return Bun.spawnSync([tools?.ffprobe ?? '', '-v', 'error', ...query, path]).stdout.toString()
}

if (tools === null) test.skip('motion parts of shared pictures, as ffmpeg is not installed', () => {})
else {
  describe('the motion part of a shared picture', () => {
    let testServer: Awaited<ReturnType<typeof openSharing>>
    beforeAll(async () => {
      testServer = await openSharing({})
    }, 60_000)
    afterAll(() => testServer?.close())

    for (const name of ['beside.jpg', 'within.jpg']) {
      test(`is sent without the metadata of its camera: ${name}`, async () => {
        expect(JSON.parse(await (await testServer.shared(name, '')).text())).toMatchObject({
          type: 'image',
          live: true,
        })
        const response = await testServer.shared(name, '/stream')
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
        expect(response.headers.get('cache-control')).toBe('no-store')
        const bytes = Buffer.from(await response.arrayBuffer())
        for (const secret of [...secrets, '2019']) expect([secret, bytes.includes(secret)]).toEqual([secret, false])
        expect(codecsOf(bytes)).toBe('h264\naac\n')
        const part = await testServer.shared(name, '/stream', { range: 'bytes=4-7' })
        expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
        expect(readdirSync(join(testServer.library.cache, 'renditions', 'tmp'))).toEqual([])
      }, 60_000)
    }

    test('is sent without metadata to visitors of a collection with keepPrivate, unchanged to its users', async () => {
      await testServer.library.db.transact(terminalViewer, tx => {
        tx.run('UPDATE collections SET keep_private = 1')
        tx.run('UPDATE access_groups SET public = 1 WHERE id = (SELECT max(group_id) FROM collection_access)')
      })
      for (const name of ['beside.jpg', 'within.jpg']) {
        const path = `/v1/item/${testServer.itemOf(name)}/stream`
        const clean = Buffer.from(await (await testServer.get(path)).arrayBuffer())
        expect([name, clean.includes('ftyp'), secrets.some(secret => clean.includes(secret))]).toEqual([
          name,
          true,
          false,
        ])
        const whole = await testServer.get(path, { authorization: `Bearer ${testServer.token}` })
        expect(Buffer.from(await whole.arrayBuffer()).includes(secrets[0] ?? '')).toBe(true)
      }
    }, 60_000)
  })

  test('a shared picture has no motion part without ffmpeg', async () => {
    const testServer = await openSharing({ ffmpeg: '/nowhere/ffmpeg', ffprobe: '/nowhere/ffprobe' })
    for (const name of ['beside.jpg', 'within.jpg']) {
      expect(JSON.parse(await (await testServer.shared(name, '')).text())).toMatchObject({ live: false })
      expect((await testServer.shared(name, '/stream')).status).toBe(404)
    }
    await testServer.close()
  }, 60_000)
}
