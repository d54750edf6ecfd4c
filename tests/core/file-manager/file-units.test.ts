import { describe, expect, test } from 'bun:test'
import { namesWithName, notMoved, refusalOf } from '../../../core/file-manager/file-units.ts'
import type { ItemFile } from '../../../core/items/item-files.ts'

function member(raw: string, role: ItemFile['role']): ItemFile {
  const file = { raw, name: raw, size: 1, mtimeSeconds: 0, mtimeNanoseconds: 0 }
  return { raw, role, file, rowId: null, isKnown: true, stays: false, newOwner: null }
}

describe('names of the files of an item whose main file is renamed', () => {
  const files = [
    member('IMG_1.JPG', 'main'),
    member('IMG_1.CR2', 'companion'),
    member('IMG_1.MOV', 'motion'),
    member('IMG_1.JPG.xmp', 'sidecar'),
    member('IMG_1.xmp', 'sidecar'),
    member('IMG_1.JPG.supplemental-metadata.json', 'sidecar'),
  ]
  const cases: [string, Record<string, string>][] = [
    [
      'Beach.JPG',
      {
        'IMG_1.JPG': 'Beach.JPG',
        'IMG_1.CR2': 'Beach.CR2',
        'IMG_1.MOV': 'Beach.MOV',
        'IMG_1.JPG.xmp': 'Beach.JPG.xmp',
        'IMG_1.xmp': 'Beach.xmp',
        'IMG_1.JPG.supplemental-metadata.json': 'Beach.JPG.supplemental-metadata.json',
      },
    ],
    [
      'Beach.jpeg',
      {
        'IMG_1.JPG': 'Beach.jpeg',
        'IMG_1.CR2': 'Beach.CR2',
        'IMG_1.MOV': 'Beach.MOV',
        'IMG_1.JPG.xmp': 'Beach.jpeg.xmp',
        'IMG_1.xmp': 'Beach.xmp',
        'IMG_1.JPG.supplemental-metadata.json': 'Beach.jpeg.supplemental-metadata.json',
      },
    ],
    [
      'IMG_1.jpg',
      {
        'IMG_1.JPG': 'IMG_1.jpg',
        'IMG_1.CR2': 'IMG_1.CR2',
        'IMG_1.MOV': 'IMG_1.MOV',
        'IMG_1.JPG.xmp': 'IMG_1.jpg.xmp',
        'IMG_1.xmp': 'IMG_1.xmp',
        'IMG_1.JPG.supplemental-metadata.json': 'IMG_1.jpg.supplemental-metadata.json',
      },
    ],
  ]
  test.each(cases)('to %s', (name, expected) => {
    expect(Object.fromEntries(namesWithName(files, name) ?? [])).toEqual(expected)
  })

  test('are null if two files would get the same name', () => {
    expect(namesWithName(files, 'Beach.CR2')).toBeNull()
  })
})

test('a failed move has the HTTP status of its error code', () => {
  expect(notMoved('/a', 'No space left on the disk (ENOSPC)', 'noSpace').status).toBe(507)
  expect(notMoved('/a', 'Permission denied (EACCES)', 'denied').status).toBe(403)
  expect(notMoved('/a', 'something else').status).toBe(409)
})

describe('the reason why a file was not moved', () => {
  const placeAt = (root: string, path: string, virtual: string) => ({ at: { root, path: Buffer.from(path) }, virtual })
  const step = {
    from: placeAt('/disk/one', 'sub/a.jpg', '/One/sub/a.jpg'),
    to: placeAt('/disk/two', 'b.jpg', '/Two/b.jpg'),
  }
  test.each([
    [
      'There is already something at /disk/two/b.jpg.',
      'There is already something named /Two/b.jpg. Choose another name.',
    ],
    [
      'There is already something at /disk/two/b.xmp.',
      '/One/sub/a.jpg was not moved: There is already something at /Two/b.xmp.',
    ],
    [
      '/disk/one/sub/a.jpg has changed meanwhile.',
      '/One/sub/a.jpg was not moved: /One/sub/a.jpg has changed meanwhile.',
    ],
    ['Nobody knows.', '/One/sub/a.jpg was not moved: Nobody knows.'],
  ])('%p is reported with paths of the file manager', (reason, expected) => {
    const [, path] = /^There is already something at \/disk\/two\/(.*)\.$/.exec(reason) ?? []
    const taken = path === undefined ? null : { root: '/disk/two', path: Buffer.from(path) }
    expect(refusalOf(step, { reason, code: 'conflict', taken }).message).toBe(expected)
  })
})
