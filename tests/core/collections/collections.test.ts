import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openScanningLibrary } from '../../support/scanning-library.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

test('the path and the variants path of a collection must not be within each other', async () => {
  const { library } = openScanningLibrary()
  const root = temporaryDirectory()
  for (const name of ['pictures/inner', 'variants']) mkdirSync(join(root, name), { recursive: true })
  const create = (path: string, pathVariant: string) =>
    library.collections.create(terminalViewer, {
      name: 'Family',
      path: join(root, path),
      pathVariant: join(root, pathVariant),
    })
  for (const [path, variants] of [
    ['pictures', 'pictures'],
    ['pictures', 'pictures/inner'],
    ['pictures/inner', 'pictures'],
    ['pictures', 'pictures/not made yet'],
  ] as const) {
    await expect(create(path, variants)).rejects.toMatchObject({ code: 'conflict', field: 'pathVariant' })
  }
  expect(library.collections.all()).toEqual([])
  expect(await create('pictures', 'variants')).toMatchObject({ name: 'Family', pathVariant: join(root, 'variants') })
})

test('a preview returns the collection of a directory without creating it', async () => {
  const { library, root } = openScanningLibrary()
  const preview = library.collections.preview(terminalViewer, root)
  expect(preview).toMatchObject({ isNew: true, below: null, row: { id: 0, name: 'pictures', path: root } })
  expect(library.collections.all()).toEqual([])
  const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
  // The created collection equals its preview, apart from id and time.
  expect({ ...row, id: 0, created_at: 0 }).toEqual({ ...preview.row, created_at: 0 })
  expect(library.collections.preview(terminalViewer, 'pictures')).toEqual({ row, below: null, isNew: false })
})
