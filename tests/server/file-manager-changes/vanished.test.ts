import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { emptyCollections, itemsParameter, sharedFileManagerLibrary } from '../../support/file-manager-library.ts'
import { picture } from '../../support/scanning-library.ts'

let seed = 900
const manager = sharedFileManagerLibrary({ limit: '20MB' })

beforeEach(async () => {
  const { photos, put, scan } = manager()
  await emptyCollections(manager())
  for (const name of ['a/one.jpg', 'a/two.jpg', 'b/one.jpg'])
    put(join(photos.root, name), await picture({ seed: ++seed }))
  await scan(photos)
}, 60_000)

function idAt(place: string): number {
  for (const [id, at] of manager().items()) if (at === place) return id
  throw new Error(`there is no item at ${place}: ${JSON.stringify([...manager().items()])}`)
}

/** Reported faults, rows of files that do not exist, and items that are not missing but have no file. */
function faults(): unknown[] {
  const { library, photos, others, faults: reportedFaults } = manager()
  const rootOf = new Map([photos, others].map(({ id, root }) => [id, root]))
  const rows = library.db.all<{ collection_id: number; path: string; name: Uint8Array }>(
    'SELECT d.collection_id, d.path, f.name_bytes AS name FROM files AS f JOIN dirs AS d ON d.id = f.dir_id',
  )
  const pathOf = ({ collection_id, path, name }: (typeof rows)[number]) =>
    join(rootOf.get(collection_id) ?? '', path, Buffer.from(name).toString())
  return [
    ...reportedFaults(),
    ...rows.map(pathOf).filter(path => !existsSync(path)),
    ...library.db.all(
      `SELECT id, name FROM items WHERE missing IS NULL
       AND NOT EXISTS (SELECT 1 FROM files WHERE item_id = items.id AND role = 'main')`,
    ),
  ]
}

describe('the name of a file that vanished from the disk', () => {
  test('is given to another item: the item of the vanished file becomes missing, in the same step', async () => {
    const { photos, get, items, missing, library } = manager()
    const [one, two] = [idAt('Photos: a/one.jpg'), idAt('Photos: a/two.jpg')]
    const bytes = readFileSync(join(photos.root, 'a/one.jpg'))
    rmSync(join(photos.root, 'a/two.jpg'))
    const response = await get({ q: 'rename', path: '/Photos/a', item: '/Photos/a/one.jpg', name: 'two.jpg' })
    expect([response.status, response.json.message]).toEqual([200, undefined])
    expect(items().get(one)).toBe('Photos: a/two.jpg')
    expect(missing()).toEqual([two])
    expect(readFileSync(join(photos.root, 'a/two.jpg')).equals(bytes)).toBe(true)
    expect(faults()).toEqual([])
    const history = library.db.get<{ n: number }>("SELECT count(*) AS n FROM history WHERE operation = 'file.move'")
    expect(history?.n).toBe(1)
  })

  test('is given to an item of another folder, and the step can be undone after that', async () => {
    const { photos, get, items, missing, library } = manager()
    const [vanished, moved] = [idAt('Photos: a/one.jpg'), idAt('Photos: b/one.jpg')]
    rmSync(join(photos.root, 'a/one.jpg'))
    const response = await get({ q: 'move', path: '/', items: itemsParameter('/Photos/b/one.jpg'), item: '/Photos/a' })
    expect(response.status).toBe(200)
    expect(items().get(moved)).toBe('Photos: a/one.jpg')
    expect(missing()).toEqual([vanished])
    // A new file takes the old name and then vanishes too, so the undo can give the name back.
    await Bun.write(join(photos.root, 'b/one.jpg'), await picture({ seed: ++seed }))
    await manager().scan(photos)
    const second = idAt('Photos: b/one.jpg')
    rmSync(join(photos.root, 'b/one.jpg'))
    const step = library.db.get<{ step: string }>(
      "SELECT step FROM history WHERE operation = 'file.move' ORDER BY id DESC",
    )
    const job = await library.jobs.enqueue(
      terminalViewer,
      'undo',
      library.history.planUndo(terminalViewer, step?.step ?? ''),
      { inProcess: true },
    )
    expect(await library.jobs.run(job)).toMatchObject({ state: 'done' })
    expect(items().get(moved)).toBe('Photos: b/one.jpg')
    expect(missing()).toEqual([vanished, second])
    expect(faults()).toEqual([])
  })

  test('is given to a file from outside the library: that file becomes a new item', async () => {
    const { photos, files, put, get, items, missing } = manager()
    const one = idAt('Photos: a/one.jpg')
    rmSync(join(photos.root, 'a/one.jpg'))
    put(join(files, 'one.jpg'), await picture({ seed: ++seed }))
    expect(
      (await get({ q: 'move', path: '/', items: itemsParameter('/Files/one.jpg'), item: '/Photos/a' })).status,
    ).toBe(200)
    expect(missing()).toEqual([one])
    expect([...items().values()]).toContain('Photos: a/one.jpg')
    expect(idAt('Photos: a/one.jpg')).not.toBe(one)
    expect(faults()).toEqual([])
  })

  test('is given to another item: the remaining companion belongs to that item', async () => {
    const { photos, put, get, items, missing, scan } = manager()
    put(join(photos.root, 'b/two.jpg'), await picture({ seed: ++seed }))
    put(join(photos.root, 'b/two.cr2'), await picture({ seed: ++seed }))
    await scan(photos)
    const [pair, moved] = [idAt('Photos: b/two.jpg'), idAt('Photos: a/two.jpg')]
    rmSync(join(photos.root, 'b/two.jpg'))
    expect(
      (await get({ q: 'move', path: '/', items: itemsParameter('/Photos/a/two.jpg'), item: '/Photos/b' })).status,
    ).toBe(200)
    expect(items().get(moved)).toBe('Photos: b/two.jpg')
    expect(missing()).toEqual([pair])
    expect(manager().library.db.all('SELECT role FROM files WHERE item_id = ? ORDER BY role', moved)).toEqual([
      { role: 'companion' },
      { role: 'main' },
    ])
    expect(faults()).toEqual([])
  })
})

describe('a folder that vanished from the disk', () => {
  test('gives its name to another folder, and its items become missing', async () => {
    const { photos, get, items, missing } = manager()
    const gone = [idAt('Photos: a/one.jpg'), idAt('Photos: a/two.jpg')].sort((a, b) => a - b)
    const moved = idAt('Photos: b/one.jpg')
    rmSync(join(photos.root, 'a'), { recursive: true })
    expect((await get({ q: 'rename', path: '/Photos', item: '/Photos/b', name: 'a' })).status).toBe(200)
    expect(items().get(moved)).toBe('Photos: a/one.jpg')
    expect(missing()).toEqual(gone)
    expect(faults()).toEqual([])
  })
})
