import { expect, test } from 'bun:test'
import type { Album } from '../../schema/api/albums.ts'
import { folderLine } from '../../web/albums/album-text.ts'

test('the line of a folder leaves out what it does not contain', () => {
  const line = (...kinds: Album['kind'][]) => folderLine(kinds.map(kind => ({ kind })))
  expect(line('hand', 'search')).toBe('2 albums')
  expect(line('folder')).toBe('1 folder')
  expect(line('hand', 'folder')).toBe('1 album, 1 folder')
  expect(line()).toBe('Empty')
})
