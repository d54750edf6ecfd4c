/** The library of `bench/web.ts` and `bench/tui.ts`: invented items that share renditions of some hundred pictures. */
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { extname, join } from 'node:path'
import { systemClock } from '../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../core/kernel/database/database.ts'
import { imageAddress } from '../schema/addresses.ts'
import { migrations } from '../schema/migrations.ts'
import { mustRun } from './measure.ts'
import { cacheDirectory, photoSet } from './photos.ts'
import { type PictureColumns, seedLibrary } from './seed-library.ts'
import { clientOf, startServer } from './server.ts'

export const account = { username: 'bench', password: 'bench-password' }

const samples = join(import.meta.dir, '../../shared/samples/library')
const maxPhotos = 200
/** Smaller files are icons and test cards. */
const minBytes = 60_000

/** A directory with photographs of the samples where available, else with drawn pictures. */
async function linkPictures(into: string): Promise<string> {
  if (!existsSync(samples)) return (await photoSet({ count: 120, megapixels: 4 })).directory
  const photos = readdirSync(samples, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && extname(entry.name).toLowerCase() === '.jpg')
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => statSync(path).size >= minBytes)
    .sort()
    .slice(0, maxPhotos)
  mkdirSync(into)
  for (const [n, path] of photos.entries()) {
    const target = join(into, `${n}.jpg`)
    try {
      linkSync(path, target)
    } catch {
      cpSync(path, target)
    }
  }
  return into
}

/** Requests each large rendition once, because it is only made when it is first requested. */
async function requestLarge(product: readonly string[], data: string): Promise<void> {
  await mustRun([...product, '--data', data, 'user', 'create', account.username, '--admin'], `${account.password}\n`)
  const server = await startServer(product, data)
  try {
    const { token } = await clientOf(server.port, null).users.login({ body: account })
    const { items } = await clientOf(server.port, token).items.list({
      params: { collectionId: 0 },
      query: { limit: 500 },
    })
    const headers = { Cookie: `keepsake_session=${token}` }
    for (const item of items) {
      const response = await fetch(`http://127.0.0.1:${server.port}${imageAddress(item, 'large')}`, { headers })
      await response.arrayBuffer()
    }
  } finally {
    await server.stop()
  }
}

/** Lets the product read the pictures and make their renditions; returns the columns that it stored for each. */
async function pictureColumnsOf(product: readonly string[], work: string): Promise<PictureColumns[]> {
  const data = join(work, 'small')
  await mustRun([...product, '--data', data, 'scan', await linkPictures(join(work, 'pictures'))])
  await requestLarge(product, data)
  const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock })
  const pictureColumns = db.all<PictureColumns>(`SELECT content, thumbhash, phash, width, height, size FROM items
    WHERE type = 'image' AND problem IS NULL AND thumbhash IS NOT NULL AND max(width, height) >= 600 GROUP BY content`)
  db.close()
  if (pictureColumns.length < 20) throw new Error(`only ${pictureColumns.length} pictures could be read`)
  return pictureColumns
}

export interface WebLibrary {
  data: string
  pictures: number
}

/** The library for this number of items. It is made once and kept in the temporary directory. */
export async function webLibrary(product: readonly string[], items: number): Promise<WebLibrary> {
  const recipe = [
    ...['seed-library.ts', 'web-library.ts'].map(name => readFileSync(join(import.meta.dir, name), 'utf8')),
    ...migrations.map(({ sql }) => sql),
  ]
  const root = join(cacheDirectory(), 'web')
  const hash = Bun.hash(recipe.join('')).toString(36)
  const data = join(root, hash, `${items}`)
  if (!existsSync(data)) {
    // Libraries of an older recipe are useless, and large.
    if (existsSync(root))
      for (const name of readdirSync(root)) if (name !== hash) rmSync(join(root, name), { recursive: true })
    const making = join(root, hash, `making-${process.pid}`)
    mkdirSync(join(making, 'data'), { recursive: true })
    process.stderr.write(`Making a library of ${items.toLocaleString('en')} items …\n`)
    const pictureColumns = await pictureColumnsOf(product, making)
    const path = join(making, 'data', 'library.db')
    const db = openDatabase(path, { waiting: terminalWaiting, clock: systemClock, durable: false })
    await seedLibrary(db, { items, pictureColumns })
    db.checkpoint('TRUNCATE')
    db.close()
    renameSync(join(making, 'small', 'cache'), join(making, 'data', 'cache'))
    const create = ['user', 'create', account.username, '--admin']
    await mustRun([...product, '--data', join(making, 'data'), ...create], `${account.password}\n`)
    renameSync(join(making, 'data'), data)
    rmSync(making, { recursive: true })
  }
  const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock })
  const known = db.get<{ count: number }>('SELECT count(DISTINCT content) AS count FROM items')
  db.close()
  return { data, pictures: known?.count ?? 0 }
}
