import { beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiskPlace } from '../../../core/files/anchor.ts'
import { AttributesNotKept, whyNotReplaced } from '../../../core/files/attributes.ts'
import { createDisk } from '../../../core/files/disk.ts'
import {
  readAccessList,
  readAttribute,
  setAccessList,
  setAttribute,
  supportsAttributes,
} from '../../support/attributes.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const isRoot = process.geteuid?.() === 0
if (!isRoot) console.warn('SKIPPED: only root can give files to others')

describe('the attributes, access list, mode and owner of a file', () => {
  const disk = createDisk()
  let root = ''
  let file = ''
  const at = (path: string): DiskPlace => ({ root, path: Buffer.from(path) })
  const modeOf = (path: string) => statSync(path).mode & 0o7777

  beforeEach(() => {
    root = temporaryDirectory()
    file = join(root, 'a.jpg')
    writeFileSync(file, 'old')
    chmodSync(file, 0o640)
  })

  test.skipIf(!supportsAttributes)('are kept when it is replaced', async () => {
    setAttribute(file, 'user.xdg.tags', 'sea,beach')
    setAttribute(file, 'user.empty', '')
    setAccessList(file, 'u::rw,u:1000:rw,g::-,m::rw,o::-')
    const before = { list: readAccessList(file), mode: modeOf(file) }
    await disk.write(at('a.jpg'), Buffer.from('new'), { replace: true, keepAll: true })
    expect(Buffer.from(disk.read(at('a.jpg'), 10)).toString()).toBe('new')
    expect(readAttribute(file, 'user.xdg.tags')).toBe('sea,beach')
    expect(readAttribute(file, 'user.empty')).toBe('')
    expect({ list: readAccessList(file), mode: modeOf(file) }).toEqual(before)
  })

  test.skipIf(!supportsAttributes)('are not widened by the default access list of its directory', async () => {
    setAccessList(root, 'u::rwx,g::rwx,o::-', { forNewFiles: 'u::rwx,u:1000:rwx,g::rwx,o::r' })
    const before = readAccessList(file)
    await disk.write(at('a.jpg'), Buffer.from('new'), { replace: true, keepAll: true })
    expect({ list: readAccessList(file), mode: modeOf(file) }).toEqual({ list: before, mode: 0o640 })
  })

  test.skipIf(!supportsAttributes)('are copied to a directory that is created like another one', () => {
    mkdirSync(join(root, 'old/private'), { recursive: true })
    chmodSync(join(root, 'old'), 0o751)
    chmodSync(join(root, 'old/private'), 0o700)
    setAccessList(join(root, 'old/private'), 'u:1000:rx', { forNewFiles: 'u:1000:r' })
    setAttribute(join(root, 'old/private'), 'user.note', 'kept')
    expect(disk.makeDirectory(at('new/private'), { like: at('old/private') })).toBeNull()
    expect([modeOf(join(root, 'new')), modeOf(join(root, 'new/private'))]).toEqual([
      0o751,
      modeOf(join(root, 'old/private')),
    ])
    expect(readAccessList(join(root, 'new/private'))).toBe(readAccessList(join(root, 'old/private')))
    expect(readAttribute(join(root, 'new/private'), 'user.note')).toBe('kept')
  })

  test.each([
    [0o700, 0o755, 0o700],
    [0o750, 0o755, 0o750],
    [0o755, 0o755, 0o755],
  ])('of a directory: parent mode %o and own mode %o give the new mode %o', (around, own, expected) => {
    mkdirSync(join(root, 'old/inner'), { recursive: true })
    chmodSync(join(root, 'old/inner'), own)
    chmodSync(join(root, 'old'), around)
    expect(disk.makeDirectory(at('new'), { like: at('old/inner') })).toBeNull()
    expect(modeOf(join(root, 'new'))).toBe(expected)
  })

  test('are copied to a new sidecar of a picture, except the attributes', async () => {
    if (supportsAttributes) setAttribute(file, 'user.note', 'of the picture')
    await disk.write(at('a.jpg.xmp'), Buffer.from('new'), { like: Buffer.from('a.jpg') })
    expect(modeOf(join(root, 'a.jpg.xmp'))).toBe(0o640)
    if (supportsAttributes) expect(() => readAttribute(join(root, 'a.jpg.xmp'), 'user.note')).toThrow()
  })

  test('are kept if the mode forbids writing', async () => {
    chmodSync(file, 0o444)
    if (supportsAttributes) setAttribute(file, 'user.note', 'kept')
    await disk.write(at('a.jpg'), Buffer.from('new'), { replace: true, keepAll: true })
    expect(modeOf(file)).toBe(0o444)
    if (supportsAttributes) expect(readAttribute(file, 'user.note')).toBe('kept')
  })

  test.skipIf(!supportsAttributes)('are kept by a move to another disk, but not by a plain copy', async () => {
    setAttribute(file, 'user.note', 'kept')
    setAccessList(file, 'u::rw,u:1000:rw,g::-,m::rw,o::-')
    chmodSync(file, 0o660)
    expect(await disk.copyTemporary(at('a.jpg'), at('moved'), { keep: true })).toMatchObject({ size: 3, lost: null })
    expect(readAttribute(join(root, 'moved'), 'user.note')).toBe('kept')
    expect(readAccessList(join(root, 'moved'))).toBe(readAccessList(file))
    expect(modeOf(join(root, 'moved'))).toBe(0o660)
    // The group bits of the original stand for user 1000. The copy has no access list, so it does not get these bits.
    await disk.copyTemporary(at('a.jpg'), at('copied'), { keep: false })
    expect(modeOf(join(root, 'copied'))).toBe(0o600)
  })

  test.skipIf(!isRoot)('are kept, even if the owner is another user', async () => {
    chownSync(file, 1234, 1235)
    await disk.write(at('a.jpg'), Buffer.from('new'), { replace: true, keepAll: true })
    expect(statSync(file)).toMatchObject({ uid: 1234, gid: 1235 })
    await disk.copyTemporary(at('a.jpg'), at('moved'), { keep: true })
    expect(statSync(join(root, 'moved'))).toMatchObject({ uid: 1234, gid: 1235 })
  })

  test.skipIf(!isRoot)('make a write fail if they cannot be kept, but a copy only gets fewer permissions', async () => {
    // The temporary directories of the tests are accessible only to root, so this one is created in /tmp.
    const shared = mkdtempSync('/tmp/keepsake-test-')
    chmodSync(shared, 0o777)
    const within = (path: string): DiskPlace => ({ root: shared, path: Buffer.from(path) })
    writeFileSync(join(shared, 'b.jpg'), 'old')
    chownSync(join(shared, 'b.jpg'), 1234, 1235)
    chmodSync(join(shared, 'b.jpg'), 0o664)
    const write = () => disk.write(within('b.jpg'), Buffer.from('new'), { replace: true, keepAll: true })
    process.setegid?.(1001)
    process.seteuid?.(1001)
    try {
      const failure = await write().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(AttributesNotKept)
      expect(failure).toHaveProperty('message', 'a new file could not be given its owner (user 1234, group 1235)')
      expect(disk.open(within('b.jpg')).whyNotReplaced).toContain('it belongs to another user (1234)')
      const { lost } = await disk.copyTemporary(within('b.jpg'), within('moved'), { keep: true })
      expect(lost).toBe('its owner (user 1234, group 1235)')
      expect(Buffer.from(disk.read(within('b.jpg'), 10)).toString()).toBe('old')
      // The group of the copy does not get the permissions of the original's group.
      expect(modeOf(join(shared, 'moved'))).toBe(0o644)
    } finally {
      process.seteuid?.(0)
      process.setegid?.(0)
      rmSync(shared, { recursive: true })
    }
  })

  test('are reported before writing if they cannot be kept', () => {
    const own = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
    expect(disk.open(at('a.jpg')).whyNotReplaced).toBeNull()
    linkSync(file, join(root, 'other.jpg'))
    expect(disk.open(at('a.jpg')).whyNotReplaced).toContain('2 names (hard links)')
    expect(whyNotReplaced({ nlink: 1, ...own })).toBeNull()
    if (!isRoot) expect(whyNotReplaced({ nlink: 1, uid: own.uid + 1, gid: own.gid })).toContain('another user')
  })
})
