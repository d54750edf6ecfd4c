import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { filmPath } from '../../core/items/transcode-job.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { videoTools } from '../core/media/decoding.ts'
import { openScanningLibrary, type ScanningLibrary } from '../support/scanning-library.ts'

const tools = videoTools()

let scanned: ScanningLibrary
let app: ReturnType<typeof createApp>
let media: ReturnType<typeof createMediaOnDemand>
let token = ''
let id = 0

beforeAll(async () => {
  scanned = openScanningLibrary()
  const film = Bun.spawnSync([
    tools?.ffmpeg ?? 'ffmpeg',
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=64x48:r=5:d=1', '-c:v', 'mpeg4', '-f', 'avi', '-'],
  ])
  scanned.put('old.avi', film.stdout)
  await scanned.scan()
  id = scanned.items().get('old.avi')?.id ?? 0
  const { library } = scanned
  const user = await library.users.create(terminalViewer, {
    username: 'ines',
    name: 'Inés',
    email: 'a@b',
    password: 'secret',
    unlockPin: '1234',
    globalAdmin: true,
  })
  token = (await library.sessions.open(user, 'test')).token
  media = createMediaOnDemand(library)
  app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
})
afterAll(() => media.close())

function request(headers: Record<string, string>): Promise<Response> | Response {
  return app.request(`http://keepsake.test/v1/item/${id}/stream?reloads=x`, {
    headers: { authorization: `Bearer ${token}`, range: 'bytes=0-0', ...headers },
  })
}

// No process runs jobs here, so that the film stays in preparation.
test.if(tools !== null)(
  'a request with wait=0 for a film that is being converted returns 503 with its job',
  async () => {
    for (const prefer of ['wait=0', 'respond-async, wait=0']) {
      const response = await request({ prefer })
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      const [job] = scanned.library.jobs.list(terminalViewer, 'active')
      expect(job?.kind).toBe('transcode')
      expect(await response.json()).toMatchObject({ code: 'unavailable', current: { job: job?.id } })
    }
    expect(scanned.library.jobs.list(terminalViewer, 'active')).toHaveLength(1)
  },
)

test.if(tools !== null)('a request for the first byte succeeds once the film is converted', async () => {
  const target = filmPath(scanned.library.cache, scanned.items().get('old.avi')?.content ?? '')
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, 'converted')
  const response = await request({ prefer: 'wait=0' })
  expect([response.status, response.headers.get('content-type')]).toEqual([206, 'video/mp4'])
  expect(await response.text()).toBe('c')
})
