import { expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { startMerge } from '../../../core/vocabulary/merge-jobs.ts'
import { openScanningLibrary, picture } from '../../support/scanning-library.ts'
import { editTags } from '../../support/tagging.ts'

/** A sidecar with a keyword, a category, an author and an object's region; `title` makes it a different file. */
function sidecar(word: string, thing: string, title: string): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
  xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
  photoshop:Category="${word}">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>
<dc:subject><rdf:Bag><rdf:li>${word}</rdf:li></rdf:Bag></dc:subject>
<dc:creator><rdf:Seq><rdf:li>${word}</rdf:li></rdf:Seq></dc:creator>
<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">
<mwg-rs:Name>${thing}</mwg-rs:Name><mwg-rs:Type>Pet</mwg-rs:Type>
<mwg-rs:Area stArea:x="0.25" stArea:y="0.5" stArea:w="0.2" stArea:h="0.2" stArea:unit="normalized"/>
</rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>`
}

test('an item keeps a renamed or merged keystring although its file has the old word', async () => {
  const setup = openScanningLibrary()
  const { db, jobs, keystrings, objects } = setup.library
  setup.put('a.jpg', await picture({ seed: 1 }))
  setup.put('a.jpg.xmp', sidecar('Hunde', 'Rex', 'first'))
  await setup.scan()
  const itemTags = () => {
    const tags: Record<string, { d?: unknown }> = JSON.parse(
      db.get<{ tags: string }>('SELECT tags FROM items')?.tags ?? '',
    )
    const thing = db.get<{ id: number }>('SELECT object_id AS id FROM regions')?.id
    return [tags.Keywords?.d, tags.Category?.d, tags.Author?.d, thing]
  }
  const words = () => db.all<{ content: string }>('SELECT content FROM keystrings ORDER BY id').map(row => row.content)
  const idOf = (content: string) => keystrings.listAll(terminalViewer, {}).find(row => row.content === content)?.id ?? 0
  const [id, thing] = [idOf('Hunde'), objects.list(terminalViewer, {})[0]?.id ?? 0]
  await keystrings.update(terminalViewer, id, { content: 'Tiere' })
  await objects.update(terminalViewer, thing, { name: 'Rexi' })
  for (const [n, [word, name]] of [
    ['hunde', 'REX'],
    ['Tiere', 'Rexi'],
    ['Hunde', 'Rex'],
  ].entries()) {
    setup.put('a.jpg.xmp', sidecar(word ?? '', name ?? '', `change ${n}`))
    expect((await setup.scan()).figures).toMatchObject({ changed: 1 })
    expect(itemTags()).toEqual([[id], [id], [id], thing])
  }
  expect(words()).toEqual(['Tiere'])

  // Renamed back: both words mean the same keystring.
  await keystrings.update(terminalViewer, id, { content: 'Hunde' })
  setup.put('a.jpg.xmp', sidecar('Tiere', 'Rex', 'renamed back'))
  await setup.scan()
  expect([itemTags()[0], words()]).toEqual([[id], ['Hunde']])

  // The keystring is merged into another one, which is then renamed.
  await keystrings.update(terminalViewer, id, { content: 'Hündchen' })
  const into = await db.transact(terminalViewer, tx => {
    return tx.run("INSERT INTO keystrings (content, content_key) VALUES ('Haustiere', 'haustiere')").lastInsertRowid
  })
  const merge = await startMerge({ db, jobs }, terminalViewer, 'merge-keystrings', { id: into, otherId: id })
  await jobs.run(merge.taskid)
  await keystrings.update(terminalViewer, into, { content: 'Pets' })
  for (const word of ['Hunde', 'HÜNDCHEN', 'Haustiere']) {
    setup.put('a.jpg.xmp', sidecar(word, 'Rex', `merged ${word}`))
    await setup.scan()
    expect([itemTags()[0], words()]).toEqual([[into], ['Pets']])
  }

  // The old word is a new keystring for other pictures, but not for this one.
  await db.transact(terminalViewer, tx =>
    tx.run("INSERT INTO keystrings (content, content_key) VALUES ('Hunde', 'hunde')"),
  )
  setup.put('a.jpg.xmp', sidecar('Hunde', 'Rex', 'anew'))
  await setup.scan()
  expect(itemTags()[0]).toEqual([into])
})

test('a picture that never had the renamed keystring gets a new one', async () => {
  const setup = openScanningLibrary()
  const { db, keystrings } = setup.library
  setup.put('a.jpg', await picture({ seed: 1 }))
  setup.put('a.jpg.xmp', sidecar('Paris', 'Rex', 'first'))
  setup.put('b.jpg', await picture({ seed: 2 }))
  setup.put('b.jpg.xmp', sidecar('Rome', 'Rex', 'second'))
  await setup.scan()
  const words = () =>
    db
      .all<{ content: string }>(
        `SELECT k.content FROM items, json_each(tags, '$.Keywords.d') JOIN keystrings AS k ON k.id = value ORDER BY name`,
      )
      .map(row => row.content)
  const id = keystrings.listAll(terminalViewer, {}).find(({ content }) => content === 'Paris')?.id ?? 0
  await keystrings.update(terminalViewer, id, { content: 'Paris 2019' })
  // One picture had the word before, one gets it for the first time, and one is new.
  setup.put('a.jpg.xmp', sidecar('Paris', 'Rex', 'changed'))
  await setup.scan()
  expect(words()).toEqual(['Paris 2019', 'Rome'])
  setup.put('b.jpg.xmp', sidecar('Paris', 'Rex', 'changed'))
  setup.put('c.jpg', await picture({ seed: 3 }))
  setup.put('c.jpg.xmp', sidecar('Paris', 'Rex', 'third'))
  await setup.scan()
  expect(words()).toEqual(['Paris 2019', 'Paris', 'Paris'])
  // The new keystring does not affect the picture with the renamed one.
  setup.put('a.jpg.xmp', sidecar('Paris', 'Rex', 'changed again'))
  await setup.scan()
  expect(words()).toEqual(['Paris 2019', 'Paris', 'Paris'])
})

test('a scan creates no keystrings for tags that a user has edited', async () => {
  const setup = openScanningLibrary()
  const { db, keystrings } = setup.library
  setup.put('a.jpg', await picture({ seed: 1 }))
  setup.put('a.jpg.xmp', sidecar('Paris', 'Rex', 'first'))
  await setup.scan()
  const item = db.get<{ id: number }>('SELECT id FROM items')?.id ?? 0
  await editTags(setup.library, item, { keywords: ['sea'], category: [], author: [] })
  setup.put('a.jpg.xmp', sidecar('Rome', 'Rex', 'second'))
  await setup.scan()
  expect(keystrings.listAll(terminalViewer, {}).map(({ content }) => content)).not.toContain('Rome')
})
