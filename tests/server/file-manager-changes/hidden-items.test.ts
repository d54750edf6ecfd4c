/**
 * Hidden items in the file manager of a locked session: their sidecars, and the folders that they are in.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { emptyCollections, sharedFileManagerLibrary } from '../../support/file-manager-library.ts'
import { picture } from '../../support/scanning-library.ts'
import { editTags } from '../../support/tagging.ts'

const manager = sharedFileManagerLibrary({ limit: '20MB' })
const long = 'a very long name of a picture that Google has cut in its export'
let seed = 700

/** Folder `a` has a visible picture, and three that a keyword hides. */
beforeEach(async () => {
  const { photos, put, scan, items, library } = manager()
  await emptyCollections(manager())
  for (const name of ['shown.jpg', 'b(1).jpg', 'c-edited.jpg', `${long}.jpg`])
    put(join(photos.root, 'a', name), await picture({ seed: ++seed }))
  await scan(photos)
  for (const [id, place] of items()) if (!place.includes('shown')) await editTags(library, id, { keywords: ['Secret'] })
  const word = library.db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Secret'")?.id ?? 0
  await library.keystrings.update(terminalViewer, word, { isAssociatedItemsHidden: true })
  for (const { id } of library.jobs.waiting()) await library.jobs.run(id)
}, 60_000)

describe('a Takeout sidecar that was not scanned yet', () => {
  const sidecars = ['b.jpg(1).json', 'b.jpg.supplemental-metad(1).json', 'c.jpg.json', `${long.slice(0, 46)}.json`]

  for (const name of sidecars)
    test(`is not found when its item is hidden: ${name}`, async () => {
      const { photos, put, get } = manager()
      const path = `/Photos/a/${name}`
      const response = await get({ q: 'rename', path: '/Photos/a', item: '/Photos/a/shown.jpg', name })
      expect(response.status).toBe(409)
      put(join(photos.root, 'a', name), '{"description":"secret"}')
      const { json } = await get({ q: 'index', path: '/Photos/a' })
      expect(json.files?.map(({ basename }) => basename)).toEqual(['shown.jpg'])
      for (const q of ['preview', 'download']) expect((await get({ q, path })).status).toBe(404)
    })

  test('is listed when its item is visible, like any other JSON file', async () => {
    const { photos, put, get } = manager()
    for (const name of ['shown.jpg.json', 'b.txt.json', 'notes.json']) put(join(photos.root, 'a', name), '{}')
    const { json } = await get({ q: 'index', path: '/Photos/a' })
    expect(json.files?.map(({ basename }) => basename).sort()).toEqual([
      'b.txt.json',
      'notes.json',
      'shown.jpg',
      'shown.jpg.json',
    ])
  })
})

test('a locked session can neither move a folder with hidden items nor undo its move', async () => {
  const { photos, library, get } = manager()
  const step = 'a step of an unlocked session'
  const at = (path: string) => ({ bytes: Buffer.from(path).toString('base64') })
  expect((await get({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'z' })).status).toBe(409)
  await library.db.transact({ userId: null, step }, tx =>
    tx.history({ operation: 'folder.move', collectionId: photos.id, before: at('b'), after: at('a') }),
  )
  const undo = library.history.planUndo(terminalViewer, step)
  const run = async (showsHidden: boolean) => {
    const job = await library.jobs.enqueue(terminalViewer, 'undo', { ...undo, showsHidden }, { inProcess: true })
    return JSON.parse((await library.jobs.run(job))?.counts ?? '{}')
  }
  expect(await run(false)).toMatchObject({ undone: 0, refused: 1 })
  expect(existsSync(join(photos.root, 'a/shown.jpg'))).toBe(true)
  expect(await run(true)).toMatchObject({ undone: 1, refused: 0 })
  expect(existsSync(join(photos.root, 'b/shown.jpg'))).toBe(true)
})
