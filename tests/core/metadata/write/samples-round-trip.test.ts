/** Writes to every sample, into the file and an existing sidecar: exiftool finds no other metadata changed. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { memorySource } from '../../../../core/metadata/byte-source.ts'
import { mergeMetadata } from '../../../../core/metadata/merge.ts'
import { readMetadataOf } from '../../../../core/metadata/read.ts'
import { isWritable } from '../../../../core/metadata/write/picture-file.ts'
import { type FilesNow, planWrite } from '../../../../core/metadata/write/plan.ts'
import { isGuess, type WantedTags } from '../../../../core/metadata/write/written-tags.ts'
import { parseXmpSidecar } from '../../../../core/metadata/xmp/sidecar.ts'
import { fieldsByFile } from '../../../support/exiftool.ts'
import { isLong } from '../../../support/long.ts'
import { noTags } from '../../../support/no-tags.ts'
import { describeWithSamples, expectedFiles, mustNotSkip } from '../../../support/samples.ts'
import { temporaryDirectory } from '../../../support/temporary.ts'

const canCompare = Bun.which('exiftool') !== null || mustNotSkip()
if (!canCompare) console.warn('SKIPPED: there is no exiftool to read what we wrote')

const everything: WantedTags = {
  date: { local: '2015-03-04 05:06:07', offset: 660 },
  description: 'First line\nsecond 😀 & <1>',
  keywords: ['sea', 'Straße & <Ü>'],
  category: ['Holiday', 'Ö'],
  author: ['Jo', 'Ann'],
  position: { latitude: -33.856789123, longitude: 151.215296001 },
  placeName: 'Sydney, NSW, Australia',
  rating: 4,
  rotation: 90,
  regions: [{ kind: 'person', name: 'Anna', x: 100, y: 100, width: 200, height: 150 }],
  people: ['Bob'],
  objects: ['Cup'],
}

/** Fields that an edit may change, as exiftool names them; all other fields must be preserved. */
const changeableFields = {
  position: [
    /^EXIF:.*GPS(Info|VersionID|(Latitude|Longitude|Altitude)(Ref)?)$/,
    /^XMP:XMP-exif:GPS(Latitude|Longitude|Altitude|AltitudeRef)$/,
    /^XMP:.*:(City|State|Country|CountryCode|Location)$|^XMP:XMP-iptcExt:Location(Shown|Created)$/,
    /^IPTC:(IPTC2:)?(City|Sub-location|Province-State|Country-PrimaryLocationName)$/,
  ],
  // Positions in the file, values derived from the whole file, and the program that wrote a packet.
  any: [
    /^(ExifTool|File):/,
    /^XMP:.*:(XMPToolkit|Complete)$/,
    /:(ThumbnailOffset|CodedCharacterSet|IPTCDigest|CurrentIPTCDigest|WebP_Flags)$/,
  ],
  everything: [
    /^EXIF:.*:(ImageDescription|Artist|XPAuthor|XPKeywords|Rating|RatingPercent)$/,
    /^EXIF:.*:(DateTimeOriginal|OffsetTimeOriginal|SubSecTimeOriginal)$/,
    /^IPTC:(IPTC2:)?(DateCreated|TimeCreated|Category|SupplementalCategories|Keywords|By-line|Caption-Abstract)$/,
    /^XMP:.*:(Subject|HierarchicalSubject|TagsList|CatalogSets|LastKeywordXMP|Keywords)$/,
    /^XMP:.*:(Description|ImageDescription|Creator|Artist|Category|SupplementalCategories|Rating|RatingPercent)$/,
    /^XMP:.*:(DateTimeOriginal|DateCreated|OffsetTimeOriginal|SubSecTimeOriginal)$/,
    /^XMP:.*:(RegionInfo|RegionInfoMP|PersonInImage|Rotation|ObjectInImage)$/,
    /^PNG:.*(Description|Author)$/,
  ],
}

/**
 * Whether all values of a field are preserved. exiftool reads an IPTC record in undeclared UTF-8 as Latin-1; a
 * written record declares UTF-8. Values may be added: WebP gets a header that repeats the size.
 */
function areKept(before: string, after: string | undefined): boolean {
  const values = (json: string) =>
    z
      .array(z.unknown())
      .parse(JSON.parse(json))
      .map(value => JSON.stringify(value))
  const is = values(after ?? '[]')
  const isLatin = /^[\0-\xff]*$/.test(before)
  return [before, ...(isLatin ? [Buffer.from(before, 'latin1').toString('utf8')] : [])].some(text =>
    values(text).every(value => is.includes(value)),
  )
}

const kinds = [
  { name: 'a position', changed: (now: WantedTags) => ({ ...now, position: everything.position }), everything: false },
  { name: 'no position', changed: (now: WantedTags) => ({ ...now, position: null, placeName: '' }), everything: false },
  { name: 'everything', changed: () => everything, everything: true },
  { name: 'nothing', changed: () => noTags, everything: true },
]

describeWithSamples('a sample', samples => {
  test.skipIf(!canCompare)(
    'keeps every field that was not written, in the file and in its sidecar',
    () => {
      const directory = temporaryDirectory()
      const put = (part: string, path: string, bytes: Uint8Array) => {
        const file = join(directory, part, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, bytes)
      }
      const files = expectedFiles(samples)
      const known = new Set(files.map(({ path }) => path))
      const counts = { file: 0, sidecar: 0, refused: [] as string[] }
      const kindOf = new Map<string, (typeof kinds)[number]>()
      for (const [sampled, { path }] of files.filter(({ kind }) => kind === 'image' || kind === 'video').entries()) {
        const bytes = readFileSync(join(samples, path))
        const sidecarPath = [`${path}.xmp`, path.replace(/\.[^.]*$/, '.xmp')].find(one => known.has(one)) ?? null
        const sidecar = sidecarPath === null ? null : readFileSync(join(samples, sidecarPath))
        const now: FilesNow = {
          name: path,
          mtimeMs: 0,
          now: Date.UTC(2026, 0, 1),
          zone: 'UTC',
          file: readMetadataOf(memorySource(bytes), path),
          companions: [],
          sidecars: sidecar === null ? [] : [{ raw: 'a.xmp', kind: 'xmp', data: parseXmpSidecar(sidecar) }],
        }
        const merged = mergeMetadata(now)
        const { latitude, longitude } = merged
        const before: WantedTags = {
          date: merged.date === null || isGuess(merged.date.source) ? null : merged.date,
          description: merged.description ?? '',
          keywords: merged.keywords,
          category: merged.category,
          author: merged.author,
          position: latitude === null || longitude === null ? null : { latitude, longitude },
          placeName: merged.placeName ?? '',
          rating: merged.rating,
          rotation: merged.rotation ?? 0,
          regions: merged.regions,
          people: merged.people,
          objects: merged.objects,
        }
        // Every second sample gets one edit in turn; in a long run every sample, and the first edit, too.
        for (const [n, kind] of kinds.entries()) {
          if (
            isLong
              ? n > 0 && n !== 1 + (sampled % (kinds.length - 1))
              : sampled % 2 > 0 || n !== (sampled / 2) % kinds.length
          )
            continue
          const name = `${n}/${path}`
          const wanted = kind.changed(before)
          const targets = [{ raw: 'a.xmp', bytes: sidecar }]
          if (isWritable(bytes)) {
            const plan = planWrite({ wanted, files: now, content: bytes, targets })
            if (plan?.beside) counts.refused.push(`${name}: ${plan.beside}`)
            if (plan?.content) {
              counts.file++
              put('before', name, bytes)
              put('after', name, plan.content)
              kindOf.set(name, kind)
            }
          }
          const plan = planWrite({ wanted, files: now, content: null, targets })
          expect(plan?.content ?? null).toBeNull()
          if (sidecar === null || !plan?.sidecar) continue
          counts.sidecar++
          put('before', `${name}.xmp`, sidecar)
          put('after', `${name}.xmp`, plan.sidecar.bytes)
          kindOf.set(`${name}.xmp`, kind)
        }
      }
      const [fieldsBefore, fieldsAfter] = [
        fieldsByFile(join(directory, 'before')),
        fieldsByFile(join(directory, 'after')),
      ]
      const lost = [...fieldsBefore].flatMap(([path, fields]) => {
        const patterns =
          kindOf.get(path)?.everything === true
            ? Object.values(changeableFields).flat()
            : [...changeableFields.any, ...changeableFields.position]
        const mayChange = (name: string) => patterns.some(pattern => pattern.test(name))
        const after = fieldsAfter.get(path)
        return [...fields].flatMap(([name, value]) =>
          mayChange(name) || areKept(value, after?.get(name))
            ? []
            : [`${path} ${name}: ${value} → ${after?.get(name)}`],
        )
      })
      expect(lost).toEqual([])
      // Truncated or out-of-bounds data would mean something else with more bytes after it. Three cameras keep a
      // preview after the picture.
      const isExpected =
        /^\d\/broken\/|(Olympus C4040Z|FujiFilm SP-2500|Pentax Optio S4)\.jpg: its maker note may point/
      expect(counts.refused.filter(name => !isExpected.test(name))).toEqual([])
      expect(counts.file).toBeGreaterThan(isLong ? 500 : 150)
      expect(counts.sidecar).toBeGreaterThan(isLong ? 20 : 10)
    },
    300_000,
  )
})
