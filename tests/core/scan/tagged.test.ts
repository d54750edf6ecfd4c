import { describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../../support/scanning-library.ts'
import { editTags } from '../../support/tagging.ts'

/** Adds a comment at the beginning of a JPEG, as tagging software does. */
function addComment(jpeg: Uint8Array, comment: string): Buffer {
  const text = Buffer.from(comment)
  const head = Buffer.from([0xff, 0xfe, (text.length + 2) >> 8, (text.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, text, jpeg.subarray(2)])
}

/** Adds a text chunk after the header of a PNG. */
function taggedPng(png: Uint8Array, text: string): Buffer {
  const chunk = Buffer.from(`tEXt${text}`, 'latin1')
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(chunk.length - 4)
  sum.writeUInt32BE(Bun.hash.crc32(chunk))
  return Buffer.concat([png.subarray(0, 33), length, chunk, sum, png.subarray(33)])
}

function at(library: ScanningLibrary, path: string): string {
  return join(library.root, path)
}

/** Tags a file as other software would, and moves it to another path. */
function tagAndMove(library: ScanningLibrary, from: string, to: string, comment = 'tagged elsewhere'): void {
  const bytes = readFileSync(at(library, from))
  library.put(to, from.endsWith('.png') ? taggedPng(bytes, `Comment\0${comment}`) : addComment(bytes, comment))
  rmSync(at(library, from))
}

async function openScannedLibrary(): Promise<ScanningLibrary> {
  const library = openScanningLibrary()
  library.put('a/one.jpg', await picture({ seed: 1 }))
  library.put('a/two.jpg', await picture({ seed: 2 }))
  const png = { create: { width: 20, height: 20, channels: 3 as const, background: '#123456' } }
  library.put('a/three.png', await sharp(png).png().toBuffer())
  await library.scan()
  for (const [path, { id }] of library.items()) await editTags(library.library, id, { description: `mine: ${path}` })
  return library
}

const idOf = (library: ScanningLibrary, path: string) => library.items().get(path)?.id
const descriptionOf = (library: ScanningLibrary, path: string) => library.items().get(path)?.tags.Description?.d

describe('a file that other software tagged and moved between two scans', () => {
  test('keeps its item', async () => {
    const library = await openScannedLibrary()
    const before = library.items()
    tagAndMove(library, 'a/one.jpg', 'b/uno.jpg')
    tagAndMove(library, 'a/three.png', 'b/tre.png')
    expect((await library.scan()).figures).toMatchObject({ moved: 2, new: 0, missing: 0 })
    expect([...library.items().keys()].sort()).toEqual(['a/two.jpg', 'b/tre.png', 'b/uno.jpg'])
    expect(idOf(library, 'b/uno.jpg')).toBe(before.get('a/one.jpg')?.id)
    expect(idOf(library, 'b/tre.png')).toBe(before.get('a/three.png')?.id)
    expect(descriptionOf(library, 'b/uno.jpg')).toBe('mine: a/one.jpg')
    expect(library.items().get('b/uno.jpg')?.content).not.toBe(before.get('a/one.jpg')?.content ?? '')
  })

  test('keeps its item if it was missing before, or is tagged and moved again', async () => {
    const library = await openScannedLibrary()
    const id = idOf(library, 'a/one.jpg')
    renameSync(at(library, 'a/one.jpg'), `${library.root}-kept.jpg`)
    await library.scan()
    expect(library.items().get('a/one.jpg')?.missing).not.toBeNull()
    mkdirSync(at(library, 'b'))
    writeFileSync(at(library, 'b/uno.jpg'), addComment(readFileSync(`${library.root}-kept.jpg`), 'first'))
    expect((await library.scan()).figures).toMatchObject({ moved: 1, new: 0 })
    tagAndMove(library, 'b/uno.jpg', 'c/ein.jpg', 'second')
    await library.scan()
    expect(idOf(library, 'c/ein.jpg')).toBe(id)
    expect(library.items().get('c/ein.jpg')?.missing).toBeNull()
  })

  test('is a new item if the old file still exists or was changed in place', async () => {
    const library = await openScannedLibrary()
    const [one, two] = [idOf(library, 'a/one.jpg'), idOf(library, 'a/two.jpg')]
    library.put('b/copy.jpg', addComment(readFileSync(at(library, 'a/one.jpg')), 'a copy'))
    library.put('b/other.jpg', addComment(readFileSync(at(library, 'a/two.jpg')), 'a copy'))
    library.put('a/two.jpg', addComment(readFileSync(at(library, 'a/two.jpg')), 'tagged in its place'))
    expect((await library.scan()).figures).toMatchObject({ new: 2, changed: 1, moved: 0 })
    expect([idOf(library, 'a/one.jpg'), idOf(library, 'a/two.jpg')]).toEqual([one, two])
  })

  test('is a new item if several missing files have the same picture', async () => {
    const library = openScanningLibrary()
    const bytes = await picture({ seed: 4 })
    library.put('a.jpg', addComment(bytes, 'one'))
    library.put('b.jpg', addComment(bytes, 'two'))
    library.put('kept.jpg', await picture({ seed: 5 }))
    await library.scan()
    rmSync(at(library, 'a.jpg'))
    rmSync(at(library, 'b.jpg'))
    library.put('c/c.jpg', addComment(bytes, 'three'))
    expect((await library.scan()).figures).toMatchObject({ new: 1, moved: 0, missing: 2 })
  })

  test('does not share its item with an untagged copy of the old file', async () => {
    const library = await openScannedLibrary()
    const one = idOf(library, 'a/one.jpg')
    copyFileSync(at(library, 'a/one.jpg'), `${library.root}-kept.jpg`)
    tagAndMove(library, 'a/one.jpg', 'b/uno.jpg')
    library.put('c/same.jpg', readFileSync(`${library.root}-kept.jpg`))
    await library.scan()
    const found = [idOf(library, 'b/uno.jpg'), idOf(library, 'c/same.jpg')]
    // Which of the two is read first is not defined, but only one gets the item.
    expect(found.filter(id => id === one)).toHaveLength(1)
  })

  test('is recognized by hashes that a job adds to older items', async () => {
    const library = await openScannedLibrary()
    const { db, jobs } = library.library
    const id = idOf(library, 'a/one.jpg')
    const made = db.all('SELECT * FROM picture_hashes ORDER BY item_id')
    expect(made).toHaveLength(3)
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM picture_hashes')
      tx.run("INSERT INTO choices (name, value) VALUES ('picture-hashes-due', '3')")
    })
    await jobs.run(await jobs.enqueue(terminalViewer, 'renditions', {}, { inProcess: true }))
    expect(db.all('SELECT * FROM picture_hashes ORDER BY item_id')).toEqual(made)
    expect(db.all("SELECT 1 FROM choices WHERE name = 'picture-hashes-due'")).toEqual([])
    tagAndMove(library, 'a/one.jpg', 'b/uno.jpg')
    await library.scan()
    expect(idOf(library, 'b/uno.jpg')).toBe(id)
  })
})
