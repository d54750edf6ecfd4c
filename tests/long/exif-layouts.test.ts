/**
 * Writes tags into odd layouts of EXIF and compares what exiftool reads before and after.
 * tests/core/metadata/write/exif-layouts.test.ts does the same for fewer layouts, without exiftool.
 */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lostFields, randomNumbers, writeOddPicture } from '../support/exif-layouts.ts'
import { fieldsByFile } from '../support/exiftool.ts'
import { mustNotSkip } from '../support/samples.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const canCompare = Bun.which('exiftool') !== null || mustNotSkip()
if (!canCompare) console.warn('SKIPPED: exiftool, which reads the written files, is missing')

/** The fields that writing each tag set may change, as exiftool names them. */
const fieldsOfSets = {
  Description: /:ImageDescription$/,
  Author: /:(Artist|XPAuthor)$/,
  Rating: /:(Rating|RatingPercent)$/,
  DateTimeOriginal: /:(DateTimeOriginal|OffsetTimeOriginal|SubSecTimeOriginal)$/,
  Locations: /:GPS(VersionID|Latitude|LatitudeRef|Longitude|LongitudeRef|Altitude|AltitudeRef)$/,
}

test.skipIf(!canCompare)(
  'writing to 2,000 odd layouts of EXIF loses no field that another program reads',
  () => {
    const directory = temporaryDirectory()
    const random = randomNumbers(7)
    const writes = Array.from({ length: 2000 }, () => writeOddPicture(random))
    for (const part of ['before', 'after'] as const) {
      mkdirSync(join(directory, part))
      for (const [n, write] of writes.entries())
        writeFileSync(join(directory, part, `${n}.jpg`), write[part] ?? write.before)
    }
    const before = fieldsByFile(join(directory, 'before'))
    const after = fieldsByFile(join(directory, 'after'))
    for (const [n, write] of writes.entries()) {
      expect({ n, lost: lostFields(write) }).toEqual({ n, lost: [] })
      const fieldsAfter = after.get(`${n}.jpg`)
      const lost = [...(before.get(`${n}.jpg`) ?? [])].filter(
        ([name, value]) =>
          /^(EXIF|MakerNotes)/.test(name) &&
          fieldsAfter?.get(name) !== value &&
          !write.sets.some(set => fieldsOfSets[set].test(name)),
      )
      expect({ n, sets: write.sets, lost }).toEqual({ n, sets: write.sets, lost: [] })
    }
    expect(writes.filter(({ after }) => after === null).length).toBeLessThan(200)
  },
  300_000,
)
