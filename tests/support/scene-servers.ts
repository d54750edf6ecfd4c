/** Servers whose libraries have something to show on every screen, for screenshots and tests of all screens. */
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { todayOnPages } from './browser.ts'
import { picture, takenAt } from './pictures.ts'
import { type RunningServer, registerAndSignIn, startServer } from './server-process.ts'
import { temporaryDirectory } from './temporary.ts'

/** `full` has pictures; `new` no account; `bare` no collection; `empty` a collection without pictures. */
const sceneLibraries = ['full', 'new', 'bare', 'empty'] as const
export type SceneLibrary = (typeof sceneLibraries)[number]

export interface SceneServers {
  servers: Record<SceneLibrary, RunningServer>
  /** Ids of the items that scenes refer to. */
  ids: { located: number; region: number; broken: number; film: number | null; album: number; person: number }
  share: string
  /** Names of two links: one that anybody can open, one with a password. */
  links: { open: string; locked: string }
  stop(): Promise<void>
}

interface Listed {
  id: number
  name: string
  type: string
  problem?: unknown
}

const captions = [
  'Boats at the old harbour',
  'غروب الشمس فوق البحر في الصيف',
  '夏の海辺で遊ぶ子どもたち',
  'The whole family on the terrace in the evening, after the long walk round the lake',
]
const keywords = ['Sea', 'Summer', 'Harbour', 'Grandmother’s birthday', 'Dog']

/** Draws pictures to use when there are no samples. */
async function drawPictures(root: string): Promise<void> {
  mkdirSync(root)
  for (let n = 1; n <= 24; n++) {
    const month = String(1 + (n % 12)).padStart(2, '0')
    const exif = takenAt(`20${10 + (n % 9)}-${month}-1${n % 9} 12:00:${String(n).padStart(2, '0')}`)
    const image = await picture({ seed: n, width: 1200, height: n % 3 === 0 ? 1600 : 900, exif })
    writeFileSync(join(root, `IMG_${1000 + n}.jpg`), image)
  }
  writeFileSync(join(root, 'broken.jpg'), Buffer.from('ffd8ffe000104a46494600', 'hex'))
}

const photographCount = 48

/** Copies some of the samples: photographs, two videos, one unreadable file. */
function copySamples(samples: string, root: string): void {
  mkdirSync(root)
  const found = readdirSync(join(samples, 'library'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const of = (extension: string, least: number) =>
    found.filter(path => extname(path).toLowerCase() === extension && statSync(path).size >= least)
  const photographs = of('.jpg', 60_000)
  const step = Math.max(1, Math.floor(photographs.length / photographCount))
  const chosen = [
    ...photographs.filter((_, n) => n % step === 0).slice(0, photographCount),
    ...of('.mp4', 500_000).slice(0, 2),
  ]
  for (const path of chosen) copyFileSync(path, join(root, basename(path)))
  copyFileSync(join(samples, 'broken/truncated/jpeg cut at 1 percent.jpg'), join(root, 'broken.jpg'))
}

async function drawToday(root: string, years: readonly number[]): Promise<void> {
  const day = todayOnPages()
  for (const year of years) {
    const image = await picture({ seed: year, width: 1200, height: 900, exif: takenAt(`${year}-${day} 15:00:00`) })
    writeFileSync(join(root, `today ${year}.jpg`), image)
  }
}

/** Adds copies of two pictures: two of the first, one of the second. */
function addCopies(root: string): void {
  const [first = '', second = ''] = readdirSync(root).filter(name => /\.jpg$/i.test(name) && name !== 'broken.jpg')
  copyFileSync(join(root, first), join(root, `copy of ${first}`))
  copyFileSync(join(root, first), join(root, `another copy of ${first}`))
  copyFileSync(join(root, second), join(root, `copy of ${second}`))
}

/** Starts a server for each library. `samples`: a directory of real pictures for the full one. */
export async function startSceneServers(samples: string | null = null): Promise<SceneServers> {
  const directory = temporaryDirectory()
  const root = join(directory, 'Family pictures')
  if (samples === null) await drawPictures(root)
  else copySamples(samples, root)
  await drawToday(root, [2012, 2015, 2016, 2019, 2021, 2024])
  addCopies(root)
  const emptyFolder = join(directory, 'Empty folder')
  mkdirSync(emptyFolder)
  const at = (library: SceneLibrary) => join(directory, library)
  cpSync(join(import.meta.dir, '../../plugins/sample-statistics'), join(at('full'), 'plugins', 'statistics'), {
    recursive: true,
  })
  const servers = {
    full: await startServer(at('full'), [root]),
    new: await startServer(at('new')),
    bare: await startServer(at('bare')),
    empty: await startServer(at('empty'), [emptyFolder]),
  }
  process.on('exit', () => {
    for (const library of sceneLibraries) servers[library].child.kill('SIGKILL')
  })
  for (const library of ['bare', 'empty'] as const) await registerAndSignIn(servers[library])
  const { address } = servers.full
  const token = await registerAndSignIn(servers.full)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(address + path, { method, headers, body: JSON.stringify(body) ?? null })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const files = readdirSync(root).length
  while ((await call('GET', '/v1/item/list/0'))._meta.total_records < files) await Bun.sleep(200)
  while ((await call('GET', '/v1/job?state=active')).length > 0) await Bun.sleep(200)
  await call('POST', '/v1/plugin/1/toggle', { active: true })
  const items: Listed[] = (await call('GET', '/v1/item/list/0?limit=500')).items
  const pictures = items.filter(({ type, name }) => type === 'image' && !/broken|corrupt|trunc/i.test(name))
  const { id: mia }: { id: number } = await call('POST', '/v1/person', { names: ['Mia Ferrer'] })
  const { id: dog }: { id: number } = await call('POST', '/v1/object', {
    name: 'Dog',
    description: '',
    isObjectId: null,
  })
  for (const [n, { id }] of pictures.slice(0, 12).entries()) {
    await call('PUT', `/v1/item/${id}/tag/Description`, { data: captions[n % captions.length] })
    await call('PUT', `/v1/item/${id}/tag/Keywords`, { data: keywords.slice(n % 3, (n % 3) + 3) })
    if (n % 2 === 0) await call('PUT', `/v1/item/${id}/tag/Category`, { data: ['Relatives'] })
    await call('PUT', `/v1/item/${id}/tag/Rating`, { data: n % 6 })
    const placeName = n < 8 ? 'Lisbon, Portugal' : 'Lagos, Faro, Portugal'
    const data = { placeName, latitude: 38.72 + (n % 4) / 500, longitude: -9.14 + (n % 5) / 400 }
    await call('PUT', `/v1/item/${id}/tag/Locations`, { data })
    const box = { x: 200, y: 90, width: 150, height: 180 }
    await call('POST', `/v1/item/${id}/tag/People/object`, { data: { person: mia, ...box } })
    await call('POST', `/v1/item/${id}/tag/Object/object`, { data: { object: dog, ...box, x: 400 } })
  }
  /** Adds what the administration screens show: the recycle bin, a missing file, people, an account. */
  async function fillAdministration() {
    const [gone, ...recycled] = pictures.slice(-4)
    for (const { id } of recycled) await call('DELETE', `/v1/item/${id}`)
    if (gone !== undefined) rmSync(join(root, gone.name))
    const [family]: { id: number }[] = (await call('GET', '/v1/collection')).slice(1)
    await call('PUT', `/v1/collection/scan/${family?.id}`)
    while ((await call('GET', '/v1/job?state=active')).length > 0) await Bun.sleep(200)
    const married = Date.UTC(2010, 5, 12) / 1000
    const names = [
      { name: 'Anna Lind', finish: married },
      { name: 'Anna Berg', start: married },
    ]
    await call('POST', '/v1/person', { names, birthdate: '1981-04-05' })
    for (const name of ['Émile', '田中 健二', 'ليلى حداد']) await call('POST', '/v1/person', { names: [name] })
    const kenji = { username: 'kenji', name: '田中 健二', email: 'k@b', password: 'secret', unlockPin: '1234' }
    const origin = { 'content-type': 'application/json', origin: address }
    await fetch(`${address}/v1/users/register`, { method: 'POST', headers: origin, body: JSON.stringify(kenji) })
  }

  const [first, second] = pictures
  if (first === undefined || second === undefined) throw new Error('there are no pictures')
  const { name: share }: { name: string } = await call('POST', `/v1/item/${second.id}/share`, { expires: 48 })
  const title = 'Summer at the sea'
  const { id: folder } = await call('POST', '/v1/albums', { kind: 'folder', name: 'Holidays' })
  const chosen = pictures.slice(0, 9).map(({ id }) => id)
  const { id: album }: { id: number } = await call('POST', '/v1/albums', { kind: 'hand', name: title, items: chosen })
  const query = { q: 'keyword:Summer' }
  await call('POST', '/v1/albums', { kind: 'search', name: 'Every summer', parent: folder, query })
  const linkTo = async (body: object): Promise<string> => {
    const { name } = await call('POST', '/v1/links', { album, title, expires: null, originals: true, ...body })
    return name
  }
  const links = { open: await linkTo({ details: true }), locked: await linkTo({ password: 'secret', title: '' }) }
  await fillAdministration()
  const broken = items.find(({ name }) => /broken|corrupt|trunc/i.test(name))
  return {
    servers,
    share,
    links,
    ids: {
      album,
      person: mia,
      located: first.id,
      region: second.id,
      broken: broken?.id ?? first.id,
      film: items.find(({ type }) => type === 'video')?.id ?? null,
    },
    async stop() {
      for (const library of sceneLibraries) await servers[library].stop()
    },
  }
}
