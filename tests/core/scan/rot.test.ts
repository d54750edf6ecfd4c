import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openScanningLibrary, picture, type ScanningLibrary, takenAt } from '../../support/scanning-library.ts'
import { editTags } from '../../support/tagging.ts'

/** Flips a bit of a file, by default in the middle, and keeps its modification time. */
function damage(path: string, at = readFileSync(path).length >> 1): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  replace(path, bytes)
}

/** Replaces the bytes of a file and keeps its modification time. */
function replace(path: string, bytes: Uint8Array): void {
  writeFileSync(`${path}.tmp`, bytes)
  Bun.spawnSync(['touch', '-r', path, `${path}.tmp`])
  renameSync(`${path}.tmp`, path)
}

function problemsOf({ library }: ScanningLibrary): string[] {
  return library.db
    .all<{ path: string; code: string }>('SELECT path, code FROM problems ORDER BY path, code')
    .map(({ path, code }) => `${code} ${path}`)
}

async function verify({ library }: ScanningLibrary): Promise<void> {
  await library.jobs.run(await library.verify(terminalViewer, { collectionId: null, restart: true }))
}

async function openScannedLibrary(): Promise<ScanningLibrary> {
  const library = openScanningLibrary()
  library.put('a.jpg', await picture({ seed: 1, width: 400, height: 300, exif: takenAt('2019-08-01 14:22:33') }))
  library.put('b.jpg', await picture({ seed: 2, width: 400, height: 300 }))
  await library.scan()
  return library
}

describe('a file with other bytes at the same size and time', () => {
  test('is not treated as an edit by a full scan: the item does not change, but has a problem', async () => {
    const library = await openScannedLibrary()
    const before = library.items()
    damage(join(library.root, 'a.jpg'))
    await verify(library)
    expect(problemsOf(library)).toEqual(['verify-rot a.jpg'])
    const ended = await library.scan({ full: true })
    expect(ended.figures).toMatchObject({ changed: 1, failed: 1 })
    expect(problemsOf(library)).toEqual(['verify-rot a.jpg'])
    expect(library.items()).toEqual(before)
    await verify(library)
    expect(problemsOf(library)).toEqual(['verify-rot a.jpg'])
  })

  test('is found by a full scan and by a metadata import', async () => {
    const library = await openScannedLibrary()
    const before = library.items()
    damage(join(library.root, 'a.jpg'))
    await library.scan({ full: true })
    expect(problemsOf(library)).toEqual(['verify-rot a.jpg'])
    await library.library.db.transact({ userId: null }, tx => tx.run('DELETE FROM problems'))
    const { jobs } = library.library
    await jobs.run(await jobs.enqueue(terminalViewer, 'metadata-import', { collectionId: 1 }, { inProcess: true }))
    expect(problemsOf(library)).toEqual(['verify-rot a.jpg'])
    expect(library.items()).toEqual(before)
  })

  test('is found when a sidecar changes; the sidecar is read only after the file is restored', async () => {
    const library = await openScannedLibrary()
    const path = join(library.root, 'a.jpg')
    const good = readFileSync(path)
    const content = library.items().get('a.jpg')?.content
    damage(path)
    library.put(
      'a.jpg.xmp',
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>
       <rdf:li xml:lang="x-default">from the sidecar</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>`,
    )
    await library.scan()
    expect(problemsOf(library)).toEqual(['verify-rot a.jpg'])
    expect(library.items().get('a.jpg')?.content).toBe(content ?? '')
    replace(path, good)
    await library.scan()
    expect(problemsOf(library)).toEqual([])
    expect(library.items().get('a.jpg')?.tags.Description?.d).toBe('from the sidecar')
  })

  test('is accepted when its modification time changes, and has no problem when its old bytes are back', async () => {
    const library = await openScannedLibrary()
    const [a, b] = ['a.jpg', 'b.jpg'].map(name => join(library.root, name))
    const good = readFileSync(b ?? '')
    const before = library.items()
    damage(a ?? '')
    damage(b ?? '')
    await library.scan({ full: true })
    expect(problemsOf(library)).toEqual(['verify-rot a.jpg', 'verify-rot b.jpg'])
    Bun.spawnSync(['touch', a ?? ''])
    replace(b ?? '', good)
    await library.scan()
    expect(problemsOf(library)).toEqual(['verify-rot b.jpg'])
    expect(library.items().get('a.jpg')?.content).not.toBe(before.get('a.jpg')?.content ?? '')
    await library.scan({ full: true })
    expect(problemsOf(library)).toEqual([])
    expect(library.items().get('b.jpg')).toEqual(before.get('b.jpg'))
  })

  test('that is a companion is found, and keeps its stored content key', async () => {
    const library = openScanningLibrary()
    library.put('c.jpg', await picture({ seed: 3 }))
    library.put('c.cr2', await picture({ seed: 4, width: 400, height: 300 }))
    await library.scan()
    const known = library.library.db.all("SELECT content FROM files WHERE role = 'companion'")
    damage(join(library.root, 'c.cr2'))
    await library.scan({ full: true })
    expect(problemsOf(library)).toContain('verify-rot c.cr2')
    expect(library.library.db.all("SELECT content FROM files WHERE role = 'companion'")).toEqual(known)
  })

  test('keeps its problem until verification if the content key is computed from samples', async () => {
    const library = openScanningLibrary()
    const path = join(library.root, 'large.jpg')
    library.put('large.jpg', await picture({ seed: 5 }))
    truncateSync(path, 40 * 1024 * 1024)
    await library.scan()
    const hash = new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')
    await library.library.db.transact({ userId: null }, tx => tx.run('UPDATE files SET full_hash = ?', hash))
    // This byte lies between two samples of the content key.
    damage(path, 3 * 1024 * 1024)
    await verify(library)
    expect(problemsOf(library)).toContain('verify-rot large.jpg')
    await library.scan({ full: true })
    expect(problemsOf(library)).toContain('verify-rot large.jpg')
    // The same bit is flipped back.
    damage(path, 3 * 1024 * 1024)
    await verify(library)
    expect(problemsOf(library)).not.toContain('verify-rot large.jpg')
  })

  test('gets no metadata written, because that would make the damage permanent', async () => {
    const library = await openScannedLibrary()
    const { jobs, db } = library.library
    await db.transact({ userId: null }, tx => tx.run("UPDATE collections SET write_back = 'file'"))
    const path = join(library.root, 'b.jpg')
    damage(path)
    const damaged = readFileSync(path)
    await editTags(library.library, library.items().get('b.jpg')?.id ?? 0, { description: 'new' })
    await jobs.run(await jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 }, { inProcess: true }))
    expect(readFileSync(path).equals(damaged)).toBe(true)
    expect(problemsOf(library).some(problem => problem.endsWith(' b.jpg'))).toBe(true)
    await verify(library)
    expect(problemsOf(library)).toContain('verify-rot b.jpg')
    expect(existsSync(`${path}.xmp`)).toBe(false)
  })
})
