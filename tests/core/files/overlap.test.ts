import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseMounts, pathsOverlap, placeOnDevice } from '../../../core/files/overlap.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

describe('directories', () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'photos/2019'), { recursive: true })
  mkdirSync(join(root, 'photos-old'))
  mkdirSync(join(root, 'data'))
  symlinkSync('photos/2019', join(root, 'shortcut'))
  symlinkSync('nowhere', join(root, 'dangling'))

  test.each([
    ['photos', 'photos', true],
    ['photos', 'photos/2019', true],
    ['photos', 'photos/2019/not/there', true],
    ['photos/../data', 'data', true],
    ['shortcut', 'photos', true],
    ['shortcut/below', 'photos/2019', true],
    ['photos', 'shortcut/new', true],
    ['.', 'data', true],
    ['photos', 'photos-old', false],
    ['photos', 'data', false],
    ['shortcut', 'data', false],
    ['photos/2018', 'photos/2019', false],
    ['not/there', 'not/either', false],
    ['dangling', 'data', false],
  ])('%s and %s overlap: %p', (a, b, overlap) => {
    expect(pathsOverlap(join(root, a), join(root, b))).toBe(overlap)
    expect(pathsOverlap(join(root, b), join(root, a))).toBe(overlap)
  })

  test('everything is within /', () => {
    expect(pathsOverlap('/', root)).toBe(true)
  })
})

describe('mounts', () => {
  const mounts = parseMounts(
    [
      '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
      '30 22 8:2 / /srv rw - ext4 /dev/sdb1 rw',
      '31 22 8:2 /pictures/family /mnt/my\\040pictures rw - ext4 /dev/sdb1 rw',
      '32 22 8:2 /pictures/family /data rw - ext4 /dev/sdb1 rw',
      '33 32 0:44 / /data rw - tmpfs tmpfs rw',
      '',
    ].join('\n'),
  )

  test.each([
    ['/', '8:1', '/'],
    ['/home/a', '8:1', '/home/a'],
    ['/srv', '8:2', '/'],
    ['/srv/pictures/family/2019', '8:2', '/pictures/family/2019'],
    ['/mnt/my pictures/2019', '8:2', '/pictures/family/2019'],
    ['/mnt/my pictures', '8:2', '/pictures/family'],
    // The later mount covers the earlier one.
    ['/data/x', '0:44', '/x'],
    ['/database', '8:1', '/database'],
  ])('%s is on device %s at %s', (path, device, place) => {
    expect(placeOnDevice(mounts, path)).toEqual({ device, path: place })
  })

  test('are unknown without a mount table', () => {
    expect(placeOnDevice([], '/a')).toBeNull()
  })
})
