import { describe, expect, test } from 'bun:test'
import { mergeMetadata } from '../../../../core/metadata/merge.ts'
import { noMetadata } from '../../../../core/metadata/metadata.ts'
import {
  differingSets,
  type WantedTags,
  type WrittenSet,
  writtenSets,
} from '../../../../core/metadata/write/written-tags.ts'
import { writeXmpTags } from '../../../../core/metadata/write/xmp-tags.ts'
import { parseXmpSidecar } from '../../../../core/metadata/xmp/sidecar.ts'
import { noTags } from '../../../support/no-tags.ts'
import { xmp } from '../build.ts'

const picture = { width: 4000, height: 3000, orientation: 1 }

function write(before: string | Uint8Array | null, tags: Partial<WantedTags>, ...sets: WrittenSet[]): string {
  const bytes = typeof before === 'string' ? Buffer.from(before) : before
  const written = writeXmpTags(bytes, {
    wanted: { ...noTags, ...tags },
    sets: new Set(sets.length === 0 ? writtenSets : sets),
    picture,
    complete: [],
    padding: null,
  })
  if (written === null) throw new Error('it was not written')
  return Buffer.from(written).toString()
}

function read(packet: string) {
  return mergeMetadata({
    file: { ...noMetadata(), width: 4000, height: 3000 },
    sidecars: [{ kind: 'xmp', data: parseXmpSidecar(Buffer.from(packet)) }],
    name: 'a.jpg',
    mtimeMs: 0,
    now: Date.UTC(2026, 0, 1),
    zone: 'UTC',
  })
}

const full: WantedTags = {
  date: { local: '2019-08-01 14:22:33', offset: -210 },
  description: 'Two lines\r\nof <text> & "more" ]]> 😀',
  keywords: ['sea', 'Straße', 'שלום', 'a|b', 'c/d', 'e;f, g'],
  category: ['Holiday', 'SOI'],
  author: ['Jo', 'Ann & Co; Ltd'],
  position: { latitude: -12.345678912, longitude: 179.999999999 },
  placeName: 'Harbour, Old Town, Munich, Bavaria, Germany',
  rating: -1,
  rotation: 270,
  regions: [
    { kind: 'person', name: 'Anna', x: 100.05, y: 50, width: 200, height: 210.55 },
    { kind: 'person', name: 'Anna', x: 600, y: 50, width: 100, height: 100 },
    { kind: 'object', name: 'Dog', x: 500, y: 400, width: 20, height: 20 },
  ],
  people: ['Zoe'],
  objects: ['Cup'],
  albums: [
    { uid: 'aaaaaaaa', name: 'Summer | & <2019> 😀' },
    { uid: 'bbbb_bb-', name: 'Winter' },
  ],
}

describe('a packet', () => {
  test('has the tags that were written, and writing them again changes nothing', () => {
    const once = write(null, full)
    expect([...differingSets(full, read(once))]).toEqual([])
    expect(write(once, full)).toBe(once)
    expect([...differingSets(noTags, read(write(once, noTags)))]).toEqual([])
  })

  test('that is damaged or not XMP is not written', () => {
    for (const text of ['<a><b></a>', '<a/>', 'text', '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF']) {
      const written = writeXmpTags(Buffer.from(text), {
        wanted: full,
        sets: new Set(writtenSets),
        picture,
        complete: [],
        padding: null,
      })
      expect(written).toBeNull()
    }
  })

  test('keeps other properties verbatim', () => {
    const before = xmp(
      '<darktable:history xmlns:darktable="http://darktable.sf.net/"><rdf:Seq><rdf:li darktable:num="0" />\n</rdf:Seq></darktable:history><!-- mine -->',
      'crs:Exposure2012="+0.35" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmp:Rating=\'3\' dc:format="image/jpeg"',
    )
    const after = write(before, { rating: 5, keywords: ['sea'] }, 'Rating', 'Keywords')
    const without = after
      .replace("xmp:Rating='5'", "xmp:Rating='3'")
      .replace(/\s*<dc:subject>[\s\S]*<\/dc:subject>\s*/, '')
    expect(without).toBe(before)
    expect(after).toContain('<rdf:li>sea</rdf:li>')
  })

  test('keeps bytes that are not UTF-8, and a document in UTF-16 is not written', () => {
    const odd = Buffer.from(xmp('<x:name xmlns:x="urn:x">M\xfcnchen</x:name>'), 'latin1')
    const written = writeXmpTags(odd, {
      wanted: { ...noTags, keywords: ['Köln'] },
      sets: new Set(['Keywords']),
      picture,
      complete: [],
      padding: null,
    })
    const text = Buffer.from(written ?? []).toString('latin1')
    expect(text).toContain('M\xfcnchen')
    expect(text).toContain('K&#xf6;ln')

    const wide = Buffer.from(`\ufeff${xmp('<x:name xmlns:x="urn:x">Zürich</x:name>')}`, 'utf16le')
    const changed = writeXmpTags(wide, {
      wanted: { ...noTags, keywords: ['Köln'] },
      sets: new Set(['Keywords']),
      picture,
      complete: [],
      padding: null,
    })
    expect(changed).toBeNull()
  })

  test('without an rdf:Description, or with an empty one, gets the tags', () => {
    const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    for (const packet of [
      `<rdf:RDF ${rdf}/>`,
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${rdf}></rdf:RDF></x:xmpmeta>`,
      `<rdf:RDF ${rdf}><rdf:Description rdf:about=""/></rdf:RDF>`,
      `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about=''></r:Description></r:RDF>`,
      '',
    ]) {
      expect(read(write(packet, { keywords: ['a', 'b'], description: 'c' }))).toMatchObject({
        keywords: ['a', 'b'],
        description: 'c',
      })
    }
  })

  test('that uses our prefix for another namespace keeps it, and our properties get another prefix', () => {
    const odd = xmp('').replace('xmlns:dc="http://purl.org/dc/elements/1.1/"', 'xmlns:dc="urn:mine" dc:title="theirs"')
    const written = write(odd, { keywords: ['ours'] }, 'Keywords')
    expect(written).toContain('dc:title="theirs"')
    expect(written).toContain('xmlns:dc1="http://purl.org/dc/elements/1.1/"')
  })
})

describe('keywords', () => {
  test('are also removed from the hierarchies of Lightroom and digiKam; new ones are added only to that of digiKam', () => {
    const list = (name: string, ...items: string[]) =>
      `<${name}><rdf:Bag>${items.map(item => `<rdf:li>${item}</rdf:li>`).join('\n')}</rdf:Bag></${name}>`
    const before = xmp(
      [
        list('dc:subject', 'Lake', 'Rex'),
        list('lr:hierarchicalSubject', 'Places|Europe|Lake', 'Animals|Rex'),
        list('digiKam:TagsList', 'Places/Europe/Lake', 'Animals/Rex'),
      ].join(''),
    )
    const after = write(before, { keywords: ['Lake', 'New'] }, 'Keywords')
    expect(after).toContain('<rdf:li>Places|Europe|Lake</rdf:li>')
    expect(after).toContain('<rdf:li>Places/Europe/Lake</rdf:li>')
    expect(after.match(/<rdf:li>New<\/rdf:li>/g)).toHaveLength(2)
    expect(after).not.toContain('Rex')
    expect(read(after).keywords).toEqual(['Lake', 'New'])
    const none = write(before, { keywords: [] }, 'Keywords')
    expect(none).not.toContain('TagsList>')
    expect(read(none).keywords).toEqual([])
  })
})

test('the hierarchy of Lightroom gets no new keywords, because darktable and Lightroom would take them for root nodes', () => {
  const before = xmp(
    '<lr:hierarchicalSubject><rdf:Bag><rdf:li>Places|Europe|Lake</rdf:li></rdf:Bag></lr:hierarchicalSubject><digiKam:TagsList><rdf:Seq><rdf:li>Places/Europe/Lake</rdf:li></rdf:Seq></digiKam:TagsList>',
  )
  const after = write(before, { keywords: ['Places', 'Europe', 'Lake', 'New'] }, 'Keywords')
  expect(after).toContain('<lr:hierarchicalSubject><rdf:Bag><rdf:li>Places|Europe|Lake</rdf:li></rdf:Bag>')
  expect(after.match(/<rdf:li>Europe<\/rdf:li>/g)).toHaveLength(1)
  expect(read(after).keywords).toEqual(['Places', 'Europe', 'Lake', 'New'])
})

test('pdf:Keywords, which lists all keywords, is updated, but removed if a keyword contains a comma', () => {
  const before = xmp('', 'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" pdf:Keywords="old, older"')
  expect(write(before, { keywords: ['sea', 'boat'] }, 'Keywords')).toContain('pdf:Keywords="sea, boat"')
  const after = write(before, { keywords: ['sea, boat'] }, 'Keywords')
  expect(after).not.toContain('pdf:Keywords')
  expect(read(after).keywords).toEqual(['sea, boat'])
})

describe('a description', () => {
  test('in another language is kept', () => {
    const before = xmp(
      '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">old</rdf:li><rdf:li xml:lang="de">alt</rdf:li></rdf:Alt></dc:description>',
    )
    const after = write(before, { description: 'new' }, 'Description')
    expect(after).toContain('<rdf:li xml:lang="de">alt</rdf:li>')
    expect(read(after).description).toBe('new')
    expect(read(write(before, { description: '' }, 'Description')).description).toBeNull()
  })
})

describe('a place', () => {
  test.each([
    'Munich',
    'Munich, Germany',
    'Munich, Bavaria, Germany',
    'Port, Munich, Bavaria, Germany',
    'Berlin, Berlin, Germany',
    'a,b',
    ', ',
    'x, , y',
    'a,  b',
  ])("named '%s' can be read back", name => {
    expect(read(write(null, { placeName: name })).placeName).toBe(name.trim() === ',' ? ',' : name)
  })

  test('that did not change keeps its parts when the position changes', () => {
    const before = xmp('', 'photoshop:City="Bonn" exif:GPSLatitude="10,30.0N" exif:GPSLongitude="7,0.0E"')
    const after = write(before, { placeName: 'Bonn', position: { latitude: 10.5, longitude: 8 } }, 'Locations')
    expect(after).toContain('photoshop:City="Bonn" exif:GPSLatitude="10,30.0N" exif:GPSLongitude="8,0.000000000E"')
  })
})

describe('regions', () => {
  const region = (name: string, type: string, x: number, more = '') =>
    `<rdf:li rdf:parseType="Resource">${name === '' ? '' : `<mwg-rs:Name>${name}</mwg-rs:Name>`}<mwg-rs:Type>${type}</mwg-rs:Type>${more}<mwg-rs:Area stArea:x="${x}" stArea:y="0.5" stArea:w="0.1" stArea:h="0.1" stArea:unit="normalized"/></rdf:li>`
  const regions = (...items: string[]) =>
    `<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="4000" stDim:h="3000" stDim:unit="pixel"/><mwg-rs:RegionList><rdf:Bag>${items.join('')}</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>`
  const anna = { kind: 'person' as const, name: 'Anna', x: 150, y: 337.5, width: 100, height: 75 }

  test('that are unchanged keep extra properties, and the focus region of a camera is kept too', () => {
    const kept = region('Anna', 'Face', 0.2, '<mwg-rs:Description>hers</mwg-rs:Description>')
    const focus = region('', 'Focus', 0.4)
    const before = xmp(regions(kept, region('Bob', 'Face', 0.8), focus))
    const after = write(before, { regions: [anna], people: ['Zoe'] }, 'People')
    expect(after).toContain(kept)
    expect(after).toContain(focus)
    expect(after).not.toContain('Bob')
    expect(read(after)).toMatchObject({ regions: [anna], people: ['Zoe'] })
  })

  test('that are moved or renamed keep extra properties', () => {
    const more = '<mwg-rs:Extensions rdf:parseType="Resource"><x:id xmlns:x="urn:x">7</x:id></mwg-rs:Extensions>'
    const before = xmp(regions(region('Anna', 'Face', 0.2, more), region('Rex', 'Pet', 0.8, more)))
    const moved = write(before, { regions: [{ ...anna, x: 400, y: 100 }] }, 'People')
    expect(moved).toContain(more)
    expect(read(moved).regions).toContainEqual({ ...anna, x: 400, y: 100 })
    expect(moved.match(/<mwg-rs:Name>Anna</g)).toHaveLength(1)
    const renamed = write(before, { regions: [{ ...anna, name: 'Cleo' }] }, 'People')
    expect(renamed.split(more)).toHaveLength(3)
    expect(read(renamed).regions).toContainEqual({ ...anna, name: 'Cleo' })
    expect(renamed).not.toContain('Anna')
    // A pet stays a pet.
    const rex = { kind: 'object' as const, name: 'Rex', x: 100, y: 100, width: 50, height: 50 }
    const pet = write(before, { regions: [rex] }, 'Object')
    expect(pet).toContain('<mwg-rs:Type>Pet</mwg-rs:Type>')
    expect(read(pet).regions).toContainEqual(rex)
  })

  test('of Microsoft that are moved keep their email digest', () => {
    const entry = (rectangle: string) =>
      `<rdf:li><rdf:Description MPReg:PersonEmailDigest="abc" MPReg:Rectangle="${rectangle}" MPReg:PersonDisplayName="Anna"/></rdf:li>`
    const before = xmp(
      `<MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>${entry('0.15, 0.45, 0.1, 0.1')}</rdf:Bag></MPRI:Regions></MP:RegionInfo>`,
    )
    expect(write(before, { regions: [{ ...anna, x: 500 }] }, 'People')).toContain(entry('0.5, 0.45, 0.1, 0.1'))
  })

  test('of a picture of unknown size are written as names only', () => {
    const change = { sets: new Set(writtenSets), picture: null, complete: [], padding: null }
    const tags = { ...noTags, regions: [anna, { ...anna, kind: 'object' as const, name: 'Dog' }], people: ['Zoe'] }
    const after = Buffer.from(writeXmpTags(null, { ...change, wanted: tags }) ?? []).toString()
    expect(read(after)).toMatchObject({ regions: [], people: ['Zoe', 'Anna'], objects: ['Dog'] })
  })

  test('of objects are kept when people are written', () => {
    const pet = region('Rex', 'Pet', 0.2)
    const after = write(xmp(regions(pet)), { regions: [anna] }, 'People')
    expect(after).toContain(pet)
    expect(read(after).regions).toHaveLength(2)
    expect(read(write(after, { regions: [] }, 'Object')).regions).toEqual([expect.objectContaining({ name: 'Anna' })])
  })

  test('of Microsoft are updated if there are any', () => {
    const box = (name: string, rectangle: string) =>
      `<rdf:li MPReg:Rectangle="${rectangle}" MPReg:PersonDisplayName="${name}"/>`
    const before = xmp(
      `<MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>${box('Anna', '0.15, 0.45, 0.1, 0.1')}${box('Bob', '0.5, 0.5, 0.1, 0.1')}</rdf:Bag></MPRI:Regions></MP:RegionInfo>`,
    )
    const after = write(before, { regions: [anna, { ...anna, name: 'Cleo', x: 500 }] }, 'People')
    expect(after).toContain(box('Anna', '0.15, 0.45, 0.1, 0.1'))
    expect(after).not.toContain('Bob')
    expect(after).toContain('<MPReg:PersonDisplayName>Cleo</MPReg:PersonDisplayName>')
    expect(after).toContain('<mwg-rs:Name>Cleo</mwg-rs:Name>')
  })

  test('on rotated pictures can be read back, from a new packet and from one whose region was applied to the swapped size', () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const turned = { width: 4000, height: 3000, orientation }
      const wanted = { ...noTags, regions: [{ ...anna, x: 20, y: 700 - anna.height }] }
      const change = { wanted, sets: new Set<WrittenSet>(['People']), picture: turned, complete: [], padding: null }
      const sideways = xmp(
        regions(region('Bob', 'Face', 0.5))
          .replace('"4000"', '"3000"')
          .replace('"3000" stDim:unit', '"4000" stDim:unit'),
      )
      for (const before of [null, Buffer.from(sideways)]) {
        const data = parseXmpSidecar(writeXmpTags(before, change) ?? new Uint8Array())
        const found = mergeMetadata({
          file: { ...noMetadata(), ...turned },
          sidecars: [{ kind: 'xmp', data }],
          name: 'a.jpg',
          mtimeMs: 0,
          now: 0,
          zone: 'UTC',
        })
        expect([...differingSets(wanted, found)].filter(set => set === 'People')).toEqual([])
      }
    }
  })
})
