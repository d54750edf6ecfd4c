import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FileResponse, itemsParameter, sharedFileManagerLibrary } from '../../support/file-manager-library.ts'
import { picture } from '../../support/scanning-library.ts'

let seed = 950
const manager = sharedFileManagerLibrary({ limit: '20MB' })

/** Folders `a` and `b` with a picture each, in a collection and outside of any. */
beforeEach(async () => {
  const { photos, files, put, scan } = manager()
  for (const root of [photos.root, files]) {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
    put(join(root, 'kept.txt'))
    for (const name of ['a/one.jpg', 'b/two.jpg']) put(join(root, name), await picture({ seed: ++seed }))
  }
  await scan(photos)
}, 60_000)

const move = (item: string, target: string): Promise<FileResponse> =>
  manager().get({ q: 'move', path: '/', items: itemsParameter(item), item: target })

describe('two simultaneous moves', () => {
  for (const top of ['/Photos', '/Files'])
    test(`of two folders of ${top} into each other: one is performed, the other finds nothing`, async () => {
      const { photos, files, faults } = manager()
      const root = top === '/Photos' ? photos.root : files
      const results = await Promise.all([move(`${top}/a`, `${top}/b`), move(`${top}/b`, `${top}/a`)])
      expect(results.map(({ status }) => status).sort()).toEqual([200, 404])
      const [gone, other] = results[0]?.status === 200 ? ['a', 'b'] : ['b', 'a']
      const late = results.find(({ status }) => status === 404)
      expect(late?.json.message).toBe(`There is no ${top}/${gone}. Refresh the folder.`)
      expect(readdirSync(root).sort()).toEqual([other, 'kept.txt'])
      expect(readdirSync(join(root, other, gone))).toEqual([gone === 'a' ? 'one.jpg' : 'two.jpg'])
      expect(faults()).toEqual([])
    })

  test('of a picture into a folder that is moved away: the folder is not created again', async () => {
    const { photos, files, items, faults } = manager()
    mkdirSync(join(files, 'c'))
    const [away, into] = await Promise.all([move('/Photos/a', '/Files/c'), move('/Photos/b/two.jpg', '/Photos/a')])
    expect(away.status).toBe(200)
    expect(existsSync(join(photos.root, 'a'))).toBe(false)
    // If the picture was moved first, it went along with the folder.
    expect(existsSync(join(files, 'c/a/two.jpg'))).toBe(into.status === 200)
    expect([...items().values()]).toEqual(into.status === 404 ? ['Photos: b/two.jpg'] : [])
    expect(faults()).toEqual([])
  })

  test('of a folder into one that is renamed: the old folder is not created again', async () => {
    const { photos, get, faults } = manager()
    const [renamed, into] = await Promise.all([
      get({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'c' }),
      move('/Photos/b', '/Photos/a'),
    ])
    expect(renamed.status).toBe(200)
    expect(existsSync(join(photos.root, 'a'))).toBe(false)
    expect(existsSync(join(photos.root, 'c/b/two.jpg'))).toBe(into.status === 200)
    expect(existsSync(join(photos.root, 'b/two.jpg'))).toBe(into.status === 404)
    expect(faults()).toEqual([])
  })
})
