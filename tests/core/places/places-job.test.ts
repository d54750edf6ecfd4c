import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { countPlacesDue } from '../../../core/places/places-job.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../../support/scanning-library.ts'

/** A picture with a position, and perhaps a place name. */
async function createPlacedPicture(seed: number, latitude: number, longitude: number, name?: string): Promise<Buffer> {
  const axis = (value: number, letters: string) =>
    `${Math.floor(Math.abs(value))},${((Math.abs(value) % 1) * 60).toFixed(6)}${letters[value < 0 ? 1 : 0]}`
  const placeProperty = name === undefined ? '' : ` Iptc4xmpCore:Location="${name}"`
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
      exif:GPSLatitude="${axis(latitude, 'NS')}" exif:GPSLongitude="${axis(longitude, 'EW')}"${placeProperty}/>
    </rdf:RDF></x:xmpmeta>`
  return picture({ seed, xmp })
}

let setup: ScanningLibrary
const idOf = (name: string) => setup.items().get(name)?.id ?? 0

async function runPlacesJob() {
  const { jobs } = setup.library
  await jobs.run(await jobs.enqueue(terminalViewer, 'places', {}, { inProcess: true }))
}
const api = () => setup.library.as(terminalViewer)
const placeOf = async (name: string) =>
  (await api().items.get({ params: { id: idOf(name) } })).tags.Locations?.data ?? null
const found = async (q: string) =>
  (await api().items.list({ params: { collectionId: 0 }, query: { q } })).items.map(({ name }) => name).sort()

beforeAll(async () => {
  setup = openScanningLibrary()
  setup.put('brandenburg-gate.jpg', await createPlacedPicture(1, 52.5163, 13.3777))
  setup.put('garching.jpg', await createPlacedPicture(2, 48.249, 11.651))
  setup.put('atlantic.jpg', await createPlacedPicture(3, 35.5, -40.25))
  setup.put('named.jpg', await createPlacedPicture(4, 52.52, 13.4, 'Our garden'))
  setup.put('nowhere.jpg', await picture({ seed: 5 }))
  // Fiji has towns on both sides of the date line.
  setup.put('suva.jpg', await createPlacedPicture(6, -18.1416, 178.4419))
  await setup.scan()
  await runPlacesJob()
}, 60_000)

describe('a position without a name', () => {
  test('is named after the nearest city, marked as a guess', async () => {
    expect(await placeOf('brandenburg-gate.jpg')).toMatchObject({ placeName: 'Berlin, Germany', guessed: true })
    expect(await placeOf('garching.jpg')).toMatchObject({
      placeName: expect.stringContaining('Garching'),
      guessed: true,
    })
    expect(await placeOf('suva.jpg')).toMatchObject({ placeName: 'Suva, Central, Fiji', guessed: true })
  })

  test('is not named at sea, nor is an item without a position or with a name of its own', async () => {
    expect(await placeOf('atlantic.jpg')).toEqual({ latitude: 35.5, longitude: -40.25, placeName: '' })
    expect(await placeOf('named.jpg')).toEqual({ latitude: 52.52, longitude: 13.4, placeName: 'Our garden' })
    expect(await placeOf('nowhere.jpg')).toBeNull()
    expect(countPlacesDue(setup.library.db)).toBe(0)
  })

  test('is found by the guessed name, in free text and by place', async () => {
    for (const q of ['berlin', 'place:germany place:berl', 'place:="Berlin, Germany"']) {
      expect([q, await found(q)]).toEqual([q, ['brandenburg-gate.jpg']])
    }
    expect(await found('place:fiji')).toEqual(['suva.jpg'])
  })

  test('keeps its version and history', async () => {
    const { db } = setup.library
    const row = db.get<{ version: number }>('SELECT version FROM items WHERE id = ?', idOf('garching.jpg'))
    expect(row?.version).toBe(1)
    expect((await api().items.get({ params: { id: idOf('garching.jpg') } })).tags.Locations?.version).toBe(1)
    expect(db.all('SELECT 1 FROM history WHERE item_id IS NOT NULL')).toEqual([])
  })

  test('keeps its guessed name when a scan reads the file again', async () => {
    await setup.scan({ full: true })
    expect(countPlacesDue(setup.library.db)).toBe(0)
    expect(await placeOf('brandenburg-gate.jpg')).toMatchObject({ placeName: 'Berlin, Germany', guessed: true })
    expect(await found('place:berlin')).toEqual(['brandenburg-gate.jpg'])
  })

  test('is marked as a guess in exports', async () => {
    const { collectionExport } = setup.library
    const { lines } = collectionExport.csv(terminalViewer, 1, {})
    const csv = [...lines].join('')
    expect(csv).toContain('"Berlin, Germany (guessed)"')
    expect(csv).toContain(',Our garden,')
  })
})

test('a name that was looked up earlier gets its region', async () => {
  const { db } = setup.library
  const id = idOf('suva.jpg')
  const setName = (placeName: string) =>
    db.transact(terminalViewer, tx => {
      tx.run("UPDATE items SET tags = json_set(tags, '$.Locations.d.placeName', ?) WHERE id = ?", placeName, id)
      tx.run('INSERT INTO place_due (item_id) VALUES (?)', id)
    })
  await setName('Suva, Fiji')
  await runPlacesJob()
  expect(await placeOf('suva.jpg')).toMatchObject({ placeName: 'Suva, Central, Fiji', guessed: true })
})

describe('an edit', () => {
  const put = (name: string, data: unknown) =>
    api().tags.update({ params: { id: idOf(name), tagName: 'Locations' }, body: { data } })
  const history = () => setup.library.db.all('SELECT 1 FROM history WHERE item_id IS NOT NULL').length

  test('with the unchanged guess changes nothing, and with another position drops the name', async () => {
    const before = await placeOf('garching.jpg')
    await put('garching.jpg', { ...before })
    await put('garching.jpg', {
      latitude: before?.latitude,
      longitude: before?.longitude,
      placeName: before?.placeName,
    })
    expect(history()).toBe(0)
    expect(await placeOf('garching.jpg')).toEqual(before)
    await put('garching.jpg', { latitude: 48.858, longitude: 2.294, placeName: before?.placeName })
    expect(await placeOf('garching.jpg')).toEqual({ latitude: 48.858, longitude: 2.294, placeName: '' })
    expect(countPlacesDue(setup.library.db)).toBe(1)
    await runPlacesJob()
    expect(await placeOf('garching.jpg')).toMatchObject({ placeName: 'Paris, Île-de-France, France', guessed: true })
    expect(await found('place:garching')).toEqual([])
  })

  test('can be undone after the new position was named', async () => {
    const { step = '' } =
      setup.library.db.get<{ step: string }>('SELECT step FROM history ORDER BY id DESC LIMIT 1') ?? {}
    await api().history.undo({ params: { step } })
    const [job] = setup.library.jobs.waiting()
    if (job !== undefined) await setup.library.jobs.run(job.id)
    expect(await placeOf('garching.jpg')).toMatchObject({ latitude: 48.249, placeName: '' })
    await runPlacesJob()
    expect(await placeOf('garching.jpg')).toMatchObject({
      placeName: expect.stringContaining('Garching'),
      guessed: true,
    })
  })

  test('can confirm or replace a guess', async () => {
    const guess = await placeOf('brandenburg-gate.jpg')
    await put('brandenburg-gate.jpg', { ...guess, guessed: false })
    expect(await placeOf('brandenburg-gate.jpg')).toEqual({
      latitude: guess?.latitude ?? 0,
      longitude: guess?.longitude ?? 0,
      placeName: 'Berlin, Germany',
    })
    await put('suva.jpg', { latitude: -18.1416, longitude: 178.4419, placeName: 'Aunt Lani’s' })
    await runPlacesJob()
    expect(await placeOf('suva.jpg')).toMatchObject({ placeName: 'Aunt Lani’s' })
    expect(await placeOf('suva.jpg')).not.toHaveProperty('guessed')
  })

  test('of another tag keeps the guess, which is never written to a file', async () => {
    const { library, root } = setup
    await library.db.transact(terminalViewer, tx => tx.run("UPDATE collections SET write_back = 'sidecar'"))
    await api().tags.update({
      params: { id: idOf('garching.jpg'), tagName: 'Description' },
      body: { data: 'On the way' },
    })
    expect(await placeOf('garching.jpg')).toMatchObject({ guessed: true })
    await library.jobs.run(
      await library.jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 }, { inProcess: true }),
    )
    const sidecar = readFileSync(join(root, 'garching.jpg.xmp'), 'utf8')
    expect(sidecar).toContain('On the way')
    expect(sidecar).not.toContain('Garching')
  })
})
