/** Reads sidecars. */
import { describe, expect, test } from 'bun:test'
import { noMetadata } from '../../../core/metadata/metadata.ts'
import { parseTakeout, parseXmpSidecar } from '../../../core/metadata/xmp/sidecar.ts'
import { bag, utf8, xmp } from './build.ts'

const sidecar = (properties: string, attributes = '') => parseXmpSidecar(utf8(xmp(properties, attributes)))

describe('an XMP sidecar', () => {
  test('may have properties as attributes or as elements', () => {
    const asAttributes = sidecar('', 'xmp:Rating="4" photoshop:City="Ulm" exif:DateTimeOriginal="2019-08-01T10:11:12"')
    const asElements = sidecar(
      '<xmp:Rating>4</xmp:Rating><photoshop:City>Ulm</photoshop:City><exif:DateTimeOriginal>2019-08-01T10:11:12</exif:DateTimeOriginal>',
    )
    expect(asAttributes).toEqual(asElements)
    expect(asElements).toEqual({
      ...noMetadata(),
      rating: 4,
      placeName: 'Ulm',
      dates: [{ local: '2019-08-01 10:11:12', offset: null, source: 'xmp-original' }],
    })
  })

  test('may use any prefixes', () => {
    const text = xmp('').replace(
      '</rdf:RDF>',
      `<r:Description xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:q="http://purl.org/dc/elements/1.1/"><q:subject><r:Bag><r:li>lake</r:li></r:Bag></q:subject></r:Description></rdf:RDF>`,
    )
    expect(parseXmpSidecar(utf8(text)).keywords).toEqual(['lake'])
  })

  test('without any properties has no warnings, unless it is not XMP', () => {
    for (const text of [xmp(''), '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'])
      expect(parseXmpSidecar(utf8(text)).warnings).toEqual([])
    expect(parseXmpSidecar(utf8('<svg/>')).warnings).toEqual(['The sidecar holds no XMP'])
  })

  test('has the keywords of all schemas, and the leaves of hierarchies', () => {
    const { keywords } = sidecar(
      `<dc:subject>${bag('Lake', 'lake', ' holiday ', '')}</dc:subject>` +
        `<lr:hierarchicalSubject>${bag('Places|Europe|Lake', 'People|Anna')}</lr:hierarchicalSubject>` +
        `<digiKam:TagsList>${bag('Animals/Cat')}</digiKam:TagsList>`,
    )
    expect(keywords).toEqual(['Lake', 'holiday', 'Anna', 'Cat'])
  })

  test('has supplemental categories before the category', () => {
    const { category } = sidecar(
      `<photoshop:SupplementalCategories>${bag('Travel', 'Family')}</photoshop:SupplementalCategories>`,
      'photoshop:Category="TRA"',
    )
    expect(category).toEqual(['Travel', 'Family', 'TRA'])
  })

  test('has texts in the default language', () => {
    const { description } = sidecar(
      '<dc:description><rdf:Alt><rdf:li xml:lang="de">See</rdf:li><rdf:li xml:lang="x-default">Lake</rdf:li></rdf:Alt></dc:description>',
    )
    expect(description).toBe('Lake')
  })

  test('has positions in degrees and minutes, in seconds, or in decimals', () => {
    const at = (latitude: string, longitude: string) => {
      const { latitude: north, longitude: east } = sidecar(
        '',
        `exif:GPSLatitude="${latitude}" exif:GPSLongitude="${longitude}"`,
      )
      return [north, east]
    }
    expect(at('52,31.2N', '13,24.3W')).toEqual([52.52, -13.405])
    expect(at('33,51,30S', '151,12,36E')).toEqual([-33.858333333, 151.21])
    expect(at('10.5', '-20.25')).toEqual([10.5, -20.25])
    expect(at('0,0N', '0,0E')).toEqual([undefined, undefined])
    expect(at('95,0N', '0,0E')).toEqual([undefined, undefined])
  })

  test('has people and objects with their boxes', () => {
    const area = (x: number, y: number, w: number, h: number) =>
      `<mwg-rs:Area stArea:x="${x}" stArea:y="${y}" stArea:w="${w}" stArea:h="${h}" stArea:unit="normalized"/>`
    const li = (name: string, type: string, inside: string) =>
      `<rdf:li rdf:parseType="Resource"><mwg-rs:Name>${name}</mwg-rs:Name><mwg-rs:Type>${type}</mwg-rs:Type>${inside}</rdf:li>`
    const { regions, people } = sidecar(
      `<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="400" stDim:h="300" stDim:unit="pixel"/>
       <mwg-rs:RegionList><rdf:Bag>${li('Anna', 'Face', area(0.5, 0.5, 0.1, 0.1))}${li('Tom', 'Pet', area(0.2, 0.2, 0.1, 0.1))}
       ${li('', 'Focus', area(0.2, 0.2, 0.1, 0.1))}${li('', 'Face', area(0.8, 0.5, 0.1, 0.1))}${li('Bea', 'Face', '')}
       ${li('Cleo', 'Face', '<mwg-rs:Area stArea:x="0.5" stArea:y="0.5" stArea:d="0.3"/>')}
       ${li('Dora', 'Face', '<mwg-rs:Area stArea:x="40" stArea:y="30" stArea:w="20" stArea:h="30" stArea:unit="pixel"/>')}
       </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
       <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
         <rdf:li MPReg:PersonDisplayName="anna" MPReg:Rectangle="0.1, 0.1, 0.2, 0.2"/>
         <rdf:li MPReg:PersonDisplayName="Eva" MPReg:Rectangle="0.1, 0.2, 0.3, 0.4"/>
         <rdf:li MPReg:PersonDisplayName="Fritz"/></rdf:Bag></MPRI:Regions></MP:RegionInfo>
       <Iptc4xmpExt:PersonInImage>${bag('Anna', 'Gerd')}</Iptc4xmpExt:PersonInImage>`,
    )
    const short = regions.map(({ kind, name, x, y, width, height, frame }) => [kind, name, x, y, width, height, frame])
    expect(short).toEqual([
      ['person', 'Anna', 0.5, 0.5, 0.1, 0.1, 'stored'],
      ['object', 'Tom', 0.2, 0.2, 0.1, 0.1, 'stored'],
      ['person', '', 0.8, 0.5, 0.1, 0.1, 'stored'],
      ['person', 'Cleo', 0.5, 0.5, 0.225, 0.3, 'stored'],
      ['person', 'Dora', 0.1, 0.1, 0.05, 0.1, 'stored'],
      ['person', 'Eva', 0.25, 0.4, 0.3, 0.4, 'upright'],
    ])
    expect(regions[0]?.appliedTo).toEqual({ width: 400, height: 300 })
    expect(people).toEqual(['Bea', 'Fritz', 'Gerd'])
  })

  test('has a rating in stars, or in percent (Windows)', () => {
    const rating = (attributes: string) => sidecar('', attributes).rating
    expect(rating('xmp:Rating="-1"')).toBe(-1)
    expect(rating('xmp:Rating="0"')).toBe(0)
    expect(rating('xmp:Rating="3.0"')).toBe(3)
    expect(rating('xmp:Rating="9"')).toBeUndefined()
    expect([1, 25, 50, 75, 99].map(percent => rating(`MicrosoftPhoto:Rating="${percent}"`))).toEqual([1, 2, 3, 4, 5])
    expect(rating('MicrosoftPhoto:Rating="0"')).toBeUndefined()
  })

  test('may be in UTF-16 with a byte order mark', () => {
    const text = xmp('', 'photoshop:City="Köln"')
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    expect(parseXmpSidecar(utf16).placeName).toBe('Köln')
    expect(parseXmpSidecar(utf8(`\ufeff\ufeff${text}`)).placeName).toBe('Köln')
  })

  test('that is truncated is read up to its end', () => {
    const text = xmp(`<dc:subject>${bag('lake', 'holiday')}</dc:subject>`, 'xmp:Rating="4"')
    const found = parseXmpSidecar(utf8(text.slice(0, text.indexOf('holiday'))))
    expect(found).toMatchObject({ rating: 4, keywords: ['lake'], warnings: ['The XMP packet is damaged'] })
  })

  test('replaces only the five predefined entities and numeric ones', () => {
    const entities = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY a "b">]>'
    const text = xmp('', 'photoshop:City="&e;&a;&lt;&#65;&#x1F600;&amp;"')
    expect(parseXmpSidecar(utf8(entities + text)).placeName).toBe('&e;&a;<A😀&')
  })

  test('that is invalid has a warning', () => {
    for (const text of ['', 'hello', '<html></html>', '{}']) {
      expect(parseXmpSidecar(utf8(text))).toEqual({ ...noMetadata(), warnings: ['The sidecar holds no XMP'] })
    }
  })

  test('that is very deep, wide or long is read within limits', () => {
    const deep = parseXmpSidecar(utf8('<a>'.repeat(200_000)))
    const wide = parseXmpSidecar(
      utf8(xmp(`<dc:subject>${bag(...Array.from({ length: 50_000 }, (_, i) => `k${i}`))}</dc:subject>`)),
    )
    expect(deep.warnings).toHaveLength(1)
    expect(wide.keywords).toHaveLength(50_000)
    for (const text of [
      '<!--'.repeat(10_000),
      '<![CDATA['.repeat(10_000),
      '<a b="'.repeat(10_000),
      '<'.repeat(10_000),
    ]) {
      expect(parseXmpSidecar(utf8(text)).warnings).toHaveLength(1)
    }
  })
})

describe('a Takeout sidecar', () => {
  const takeout = (json: object) => parseTakeout(utf8(JSON.stringify(json)))
  const taken = { photoTakenTime: { timestamp: '1564669353', formatted: 'Aug 1, 2019, 2:22:33 PM UTC' } }

  test('has date, position, people and description', () => {
    const found = takeout({
      title: 'IMG_1.jpg',
      description: 'At the lake',
      ...taken,
      creationTime: { timestamp: '1600000000' },
      geoData: { latitude: 48.1, longitude: 11.6, altitude: 520, latitudeSpan: 0, longitudeSpan: 0 },
      people: [{ name: 'Anna' }, { name: 'Tom' }, { name: 'Anna' }, {}],
      favorited: true,
    })
    expect(found).toEqual({
      ...noMetadata(),
      dates: [{ local: '2019-08-01 14:22:33', offset: null, source: 'takeout', utc: true }],
      latitude: 48.1,
      longitude: 11.6,
      altitude: 520,
      description: 'At the lake',
      title: 'IMG_1.jpg',
      people: ['Anna', 'Tom'],
      favorite: true,
    })
  })

  test('with zeros has neither position nor date', () => {
    const found = takeout({ photoTakenTime: { timestamp: '0' }, geoData: { latitude: 0, longitude: 0, altitude: 0 } })
    expect(found).toEqual(noMetadata())
  })

  test('has the EXIF position when Google has none', () => {
    const zeros = { latitude: 0, longitude: 0, altitude: 0 }
    expect(
      takeout({ ...taken, geoData: zeros, geoDataExif: { latitude: 1, longitude: 2, altitude: 0 } }),
    ).toMatchObject({
      latitude: 1,
      longitude: 2,
    })
  })

  test('may have a date before 1970', () => {
    expect(takeout({ photoTakenTime: { timestamp: '-141004800' } })?.dates[0]?.local).toBe('1965-07-14 00:00:00')
  })

  test('is not recognized in other JSON', () => {
    expect(takeout({ title: 'An album', date: { timestamp: '1' } })).toBeNull()
    expect(parseTakeout(utf8('[1, 2]'))).toBeNull()
    expect(parseTakeout(utf8('null'))).toBeNull()
  })

  test('that is damaged has a warning, and values of wrong types are ignored', () => {
    expect(parseTakeout(utf8('{"title": '))?.warnings).toEqual(['The sidecar is damaged JSON'])
    expect(
      takeout({ ...taken, title: 5, description: null, geoData: 'here', people: 'all', favorited: 'yes' }),
    ).toEqual({
      ...noMetadata(),
      dates: [{ local: '2019-08-01 14:22:33', offset: null, source: 'takeout', utc: true }],
    })
  })
})
