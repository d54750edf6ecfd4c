import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import { itemState } from '../../../schema/tables/items.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../../support/scanning-library.ts'
import { editTags } from '../../support/tagging.ts'

async function setup(writeBack: 'sidecar' | 'file' | 'off') {
  const made = openScanningLibrary()
  made.put('a.jpg', await picture({ seed: 1 }))
  made.put('b.jpg', await picture({ seed: 2 }))
  await made.scan()
  await made.library.db.transact(
    { userId: null },
    tx => void tx.run('UPDATE collections SET write_back = ?', writeBack),
  )
  const id = made.items().get('a.jpg')?.id ?? 0
  const { jobs } = made.library
  const write = async () =>
    jobs.run(await jobs.enqueue(terminalViewer, 'metadata-write', { collectionId: 1 }, { inProcess: true }))
  return { ...made, id, write, bytes: (name: string) => readFileSync(join(made.root, name)) }
}

/** The states of the items in a new library of the same files. */
async function statesInNewLibrary({ data, root }: Pick<ScanningLibrary, 'data' | 'root'>) {
  const fresh = openLibrary({
    role: 'worker',
    data: `${data}-${crypto.randomUUID()}`,
    create: true,
    environment: {},
    stderrLevel: 'none',
  })
  const { row } = await fresh.collections.resolve(terminalViewer, root, { create: true })
  await fresh.jobs.run(await fresh.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }))
  const found = fresh.db.all<{ name: string; state: number; deleted: number | null }>(
    'SELECT name, state, deleted FROM items ORDER BY name',
  )
  fresh.close()
  return found
}

test.each(['sidecar', 'file'] as const)(
  'a new library recycles items whose sidecar says that they are recycled (write-back: %s)',
  async writeBack => {
    const made = await setup(writeBack)
    const before = made.bytes('a.jpg')
    await made.library.recycle.remove(terminalViewer, made.id)
    await made.write()
    expect(made.bytes('a.jpg').equals(before)).toBe(true)
    expect(made.bytes('a.jpg.xmp').toString()).toContain('keepsake:Recycled')
    expect(existsSync(join(made.root, 'b.jpg.xmp'))).toBe(false)
    const [a, b] = await statesInNewLibrary(made)
    expect([a?.state, b?.state]).toEqual([itemState.deleted, itemState.shown])
    // The time in the recycle bin starts again: the sidecar may be old, or from another library.
    expect(Math.abs((a?.deleted ?? 0) - Date.now() / 1000)).toBeLessThan(60)

    await made.library.recycle.restore(terminalViewer, made.id)
    await made.write()
    expect(made.bytes('a.jpg.xmp').toString()).not.toContain('Recycled')
    expect((await statesInNewLibrary(made)).map(({ state }) => state)).toEqual([itemState.shown, itemState.shown])
  },
  60_000,
)

test('edits of recycled items are still written, and the state in the library overrides the state in a sidecar', async () => {
  const made = await setup('file')
  await editTags(made.library, made.id, { keywords: ['beach'] })
  await made.library.recycle.remove(terminalViewer, made.id)
  await made.write()
  expect(made.bytes('a.jpg').toString('latin1')).toContain('beach')
  expect(made.bytes('a.jpg').toString('latin1')).not.toContain('Recycled')
  // The item is restored, but a full scan reads its sidecar before that is updated.
  await made.library.recycle.restore(terminalViewer, made.id)
  await made.scan({ full: true })
  expect(made.library.db.get('SELECT state FROM items WHERE id = ?', made.id)).toEqual({ state: itemState.shown })
}, 60_000)

test('a picture whose own metadata says that it is recycled is shown', async () => {
  const made = openScanningLibrary()
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:keepsake="urn:keepsake:xmp:1.0#" keepsake:Recycled="True"/></rdf:RDF></x:xmpmeta>`
  made.put('a.jpg', await picture({ seed: 1, xmp }))
  await made.scan()
  expect(made.library.db.all('SELECT state FROM items')).toEqual([{ state: itemState.shown }])
}, 60_000)

test('without write-back nothing is due to be written', async () => {
  const made = await setup('off')
  await made.library.recycle.remove(terminalViewer, made.id)
  expect(made.library.db.all('SELECT * FROM metadata_due')).toEqual([])
}, 60_000)
