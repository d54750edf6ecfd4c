import { expect, test } from 'bun:test'
import { mergeMetadata } from '../../../../core/metadata/merge.ts'
import { noMetadata } from '../../../../core/metadata/metadata.ts'
import {
  differingSets,
  type WantedTags,
  type WrittenSet,
  writtenSets,
} from '../../../../core/metadata/write/written-tags.ts'
import { openXml } from '../../../../core/metadata/write/xml-source.ts'
import { writeXmpTags } from '../../../../core/metadata/write/xmp-tags.ts'
import { parseXmpSidecar } from '../../../../core/metadata/xmp/sidecar.ts'

/** Deterministic random numbers (mulberry32). */
function random(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    one: <T>(list: readonly T[]): T => {
      const found = list[Math.floor(next() * list.length)]
      if (found === undefined) throw new Error('an empty list')
      return found
    },
  }
}
type Random = ReturnType<typeof random>

const pieces = [
  'sea',
  'Straße',
  'é',
  'e\u0301',
  '😀',
  '👩‍👩‍👧',
  'שלום',
  'مرحبا',
  '\u202e',
  '&amp;',
  '&#65;',
  '<b>',
  ']]>',
  '<![CDATA[',
  '<!--',
  '"',
  "'",
  '|',
  '/',
  ';',
  ', ',
  ' ',
  '  ',
  '\u0000',
  '\u0007',
  '\u001f',
  '\u007f',
  '\ufffe',
  '\ud800',
  '\\',
  '\u00a0',
  '中文',
  'İ',
  'x'.repeat(300),
]

function text(from: Random, most = 8): string {
  return Array.from({ length: 1 + from.below(most) }, () => from.one(pieces)).join('')
}

/** A text as the library normalizes it: NFC, no control characters, trimmed, single spaces, at most 4,000 long. */
function word(from: Random): string {
  const long = from.below(40) === 0 ? 'w'.repeat(4000) : ''
  const kept = (text(from) + long)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\ufffe\uffff\s]+/gu, ' ')
    .trim()
    .slice(0, 4000)
    .trim()
  return kept === '' ? 'word' : kept
}

function words(from: Random): string[] {
  const list = Array.from({ length: from.below(5) }, () => word(from))
  const seen = new Set<string>()
  return list.filter(one => {
    const key = one.normalize('NFC').toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}

function tags(from: Random): WantedTags {
  const side = () => Math.round(from.next() * 40_000) / 100
  const names = words(from)
  return {
    date:
      from.below(3) === 0
        ? null
        : {
            local: `${1800 + from.below(226)}-0${1 + from.below(9)}-1${from.below(10)} 2${from.below(4)}:0${from.below(10)}:5${from.below(10)}`,
            offset: from.below(2) === 0 ? null : (from.below(105) - 48) * 15,
          },
    description: from.below(3) === 0 ? '' : `${text(from, 20)}${from.one(['', '\r\n', '\n\t', '\r'])}${text(from)}`,
    keywords: words(from),
    category: words(from),
    author: words(from),
    position: from.below(3) === 0 ? null : { latitude: from.next() * 180 - 90, longitude: from.next() * 360 - 180 },
    placeName: from.below(3) === 0 ? '' : text(from).replace(/\s+/g, ' '),
    rating: from.below(3) === 0 ? null : from.below(7) - 1,
    rotation: from.one([0, 90, 180, 270] as const),
    regions: names.map((name, n) => ({
      kind: from.one(['person', 'object'] as const),
      name,
      // Far enough apart that no two regions count as the same.
      x: n * 100,
      y: side(),
      width: 50 + side() / 20,
      height: 50 + side() / 20,
    })),
    people: words(from).filter(name => !names.some(other => other.toLowerCase() === name.toLowerCase())),
    objects: words(from).filter(name => !names.some(other => other.toLowerCase() === name.toLowerCase())),
  }
}

function change(wanted: WantedTags, sets: ReadonlySet<WrittenSet> = new Set(writtenSets)) {
  // These sets count as complete, so that a description like 'DSC' is not taken for a camera default.
  const complete = ['Description', 'Locations', 'DateTimeOriginal'] as const
  return { wanted, sets, picture: { width: 4000, height: 3000, orientation: 1 }, complete, padding: null }
}

function read(packet: Uint8Array) {
  const data = parseXmpSidecar(packet)
  expect(data.warnings).toEqual([])
  return mergeMetadata({
    file: { ...noMetadata(), width: 4000, height: 3000 },
    sidecars: [{ kind: 'xmp', data }],
    name: 'a.jpg',
    mtimeMs: 0,
    now: Date.UTC(2026, 0, 1),
    zone: 'UTC',
  })
}

test('all tags that users write can be read back from a packet', () => {
  const from = random(1)
  let packet: Uint8Array | null = null
  for (let n = 0; n < 600; n++) {
    const wanted = tags(from)
    // Every fifth packet is new; the others overwrite the previous one.
    packet = writeXmpTags(n % 5 === 0 ? null : packet, change(wanted))
    if (packet === null) throw new Error(`packet ${n} could not be written`)
    const left = [...differingSets(wanted, read(packet))]
    if (left.length > 0) throw new Error(`${n}: ${left.join()} of ${JSON.stringify(wanted)}\n${Buffer.from(packet)}`)
    expect(Buffer.from(writeXmpTags(packet, change(wanted)) ?? []).equals(packet)).toBe(true)
  }
})

const escapeText = (raw: string) =>
  raw
    .replace(/[\p{Cc}\ufffe\ud800]/gu, '')
    .toWellFormed()
    .replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`)

/** An unrelated part of a document, which must be preserved verbatim whatever is written. */
function foreign(from: Random, n: number, depth = 0): string {
  const name = `${from.one(['crs', 'darktable', 'x'])}:n${n}`
  switch (from.below(depth > 3 ? 3 : 6)) {
    case 0:
      return `<!-- ${n} ${text(from).replace(/[-\p{Cc}\ufffe\ud800]/gu, '')} -->`
    case 1:
      return `<${name}>${escapeText(text(from))}</${name}>`
    case 2:
      return `<${name} rdf:resource='${escapeText(text(from))}'/>`
    case 3:
      return `<${name}><![CDATA[${text(from).replace(/\]\]>|[\p{Cc}\ufffe\ud800]/gu, '')}<&]]></${name}>`
    case 4:
      return `<?note ${n} keep?>`
    default: {
      const items = Array.from(
        { length: from.below(4) },
        (_, m) => `<rdf:li>${foreign(from, n * 10 + m, depth + 1)}</rdf:li>`,
      )
      return `<${name} rdf:parseType="Resource"  ><rdf:Bag>${items.join(from.one(['', '\n', '\t ']))}</rdf:Bag\n></${name}>`
    }
  }
}

const namespaces = [
  'xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"',
  'xmlns:darktable="http://darktable.sf.net/"',
  'xmlns:x="urn:example:x"',
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"',
  'xmlns:lr="http://ns.adobe.com/lightroom/1.0/"',
].join(' ')

test('properties of other programs are neither lost nor changed', () => {
  const from = random(2)
  for (let n = 0; n < 400; n++) {
    const parts = Array.from({ length: from.below(8) }, (_, m) => foreign(from, n * 100 + m))
    const attributes = Array.from({ length: from.below(4) }, (_, m) => `crs:a${m}="${escapeText(text(from))}"`)
    const ours = [
      '<dc:subject><rdf:Bag><rdf:li>old</rdf:li></rdf:Bag></dc:subject>',
      '<xmp:Rating>2</xmp:Rating>',
      '<lr:hierarchicalSubject><rdf:Bag><rdf:li>A|old</rdf:li><rdf:li>A|sea</rdf:li></rdf:Bag></lr:hierarchicalSubject>',
      '<photoshop:City>Rome</photoshop:City>',
    ].filter(() => from.below(2) === 0)
    const mixed = [...parts, ...ours].sort(() => from.next() - 0.5)
    const second =
      from.below(3) === 0
        ? `<rdf:Description rdf:about='' crs:b="1">${foreign(from, n * 100 + 99)}</rdf:Description>`
        : ''
    const mark = from.below(3) === 0 ? '\ufeff' : ''
    const xmlText = `${mark}<?xml version="1.0"?><r ${namespaces}><rdf:RDF><rdf:Description rdf:about="" ${attributes.join('\n')}>${mixed.join(from.one(['', '\n  ', '\r\n\t']))}</rdf:Description>${second}</rdf:RDF></r><!-- end -->`
    const before = Buffer.from(xmlText)
    const wanted = tags(from)
    const sets = new Set(writtenSets.filter(() => from.below(2) === 0))
    const after = writeXmpTags(before, change(wanted, sets))
    if (after === null) throw new Error(`${n} was not written: ${xmlText}`)
    expect(openXml(after)).not.toBeNull()
    const result = Buffer.from(after).toString()
    for (const part of [...parts, ...attributes, '<!-- end -->']) {
      if (!result.includes(part)) throw new Error(`${n}: lost ${part}\nin ${result}`)
    }
    const left = [...differingSets(wanted, read(after))].filter(set => sets.has(set))
    if (left.length > 0) throw new Error(`${n}: ${left.join()} of ${JSON.stringify(wanted)}\n${result}`)
  }
})

test('a truncated or scrambled document is refused or written as well-formed XML, and never throws', () => {
  const from = random(3)
  const whole = Buffer.from(
    writeXmpTags(null, change({ ...tags(from), keywords: ['a', 'b'], description: 'one <two>' })) ?? [],
  )
  for (let n = 0; n < 2000; n++) {
    const bytes = Buffer.from(whole.subarray(0, n % 3 === 0 ? from.below(whole.length) : whole.length))
    for (let m = from.below(4); m > 0 && bytes.length > 0; m--) bytes[from.below(bytes.length)] = from.below(256)
    const written = writeXmpTags(bytes, change(tags(from)))
    if (written !== null) expect(openXml(written)).not.toBeNull()
  }
})
