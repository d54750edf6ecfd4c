import { expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openScanningLibrary, picture } from '../../support/scanning-library.ts'

async function scanFiles(count: number) {
  const made = openScanningLibrary()
  const bytes = await picture({ seed: 1 })
  for (let n = 0; n < count; n++)
    made.put(`${n < 5 ? 'kept' : 'lost'}/${String(n).padStart(3, '0')}.jpg`, Buffer.concat([bytes, Buffer.from([n])]))
  await made.scan()
  const id = made.library.collections.all()[0]?.id ?? 0
  return { ...made, id, list: (page = 1) => made.library.safetyFiles.list(terminalViewer, id, { page, limit: 40 }) }
}

test('files not found by a stopped scan are listed by path, until a scan succeeds', async () => {
  const { root, scan, list } = await scanFiles(65)
  expect(() => list()).toThrow('Not found')
  renameSync(join(root, 'lost'), join(root, '..', 'elsewhere'))
  expect((await scan()).state).toBe('stopped')
  const first = list()
  expect(first._meta).toEqual({ total_records: 60, limit: 40, page: 1, count: 40 })
  expect(first.files[0]?.path).toBe('lost/005.jpg')
  expect(list(2).files.at(-1)?.path).toBe('lost/064.jpg')
  renameSync(join(root, '..', 'elsewhere'), join(root, 'lost'))
  expect((await scan()).state).toBe('done')
  expect(() => list()).toThrow('Not found')
})

test('if the whole directory is empty, all files are listed', async () => {
  const { root, scan, list } = await scanFiles(6)
  rmSync(root, { recursive: true })
  mkdirSync(root)
  expect((await scan()).state).toBe('stopped')
  expect(list()._meta.total_records).toBe(6)
})
