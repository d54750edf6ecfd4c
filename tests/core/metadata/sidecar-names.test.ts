/** Which sidecars belong to which pictures. */
import { describe, expect, test } from 'bun:test'
import { groupSidecars, sidecarsFor } from '../../../core/metadata/xmp/sidecar-names.ts'

function names(all: string[], media: string): string[] {
  return sidecarsFor(all, media).map(({ name }) => name)
}

describe('a picture', () => {
  const long = 'a picture whose name is really longer than one would think.jpg'
  const cases: [what: string, media: string, all: string[], sidecars: string[]][] = [
    [
      'has name.ext.xmp before name.xmp before JSON',
      'a.jpg',
      ['a.jpg.json', 'a.xmp', 'a.jpg.xmp'],
      ['a.jpg.xmp', 'a.xmp', 'a.jpg.json'],
    ],
    ['ignores case in extensions', 'a.JPG', ['a.jpg.XMP'], ['a.jpg.XMP']],
    [
      'ignores case in extensions of Takeout',
      'a.JPG',
      ['a.jpg.Supplemental-Metadata.JSON'],
      ['a.jpg.Supplemental-Metadata.JSON'],
    ],
    ['does not ignore case in its name', 'a.jpg', ['A.xmp', 'A.jpg.xmp'], []],
    ['has the sidecar with its exact name if two differ in case', 'IMG.jpg', ['img.xmp', 'IMG.xmp'], ['IMG.xmp']],
    ['does not have the sidecar of a longer name', 'a.jpg', ['ab.xmp', 'a.jpg2.xmp', 'a.b.xmp'], []],
    ['may have dots in its name', 'a.b.jpg', ['a.b.xmp', 'a.xmp'], ['a.b.xmp']],
    ['may have no extension', 'scan', ['scan.xmp'], ['scan.xmp']],
    [
      'may have a sidecar with the newer suffix of Takeout',
      'a.jpg',
      ['a.jpg.supplemental-metadata.json'],
      ['a.jpg.supplemental-metadata.json'],
    ],
    [
      'may have a sidecar with a truncated suffix',
      'PXL_20230101_123456789.PORTRAIT.jpg',
      ['PXL_20230101_123456789.PORTRAIT.jpg.supplemen.json'],
      ['PXL_20230101_123456789.PORTRAIT.jpg.supplemen.json'],
    ],
    ['may have a sidecar whose suffix is truncated to the dot', 'a.jpg', ['a.jpg..json'], ['a.jpg..json']],
    [
      'may have a sidecar with its name truncated to 46 characters',
      long,
      [`${long.slice(0, 46)}.json`],
      [`${long.slice(0, 46)}.json`],
    ],
    ['does not have a sidecar with its name truncated to another length', long, [`${long.slice(0, 30)}.json`], []],
    [
      'may have a sidecar with its number after the extension',
      'a(1).jpg',
      ['a.jpg(1).json', 'a.jpg.json'],
      ['a.jpg(1).json'],
    ],
    [
      'may have a sidecar with its number after the suffix',
      'a(2).jpg',
      ['a.jpg.supplemental-metadata(2).json', 'a.jpg.supplemental-metadata(1).json'],
      ['a.jpg.supplemental-metadata(2).json'],
    ],
    ['may have a sidecar with its number before the extension', 'a(1).jpg', ['a(1).jpg.json'], ['a(1).jpg.json']],
    ['does not have the sidecar of another number', 'a.jpg', ['a.jpg(1).json'], []],
    ['that was edited has the sidecar of the original', 'a-edited.jpg', ['a.jpg.json'], ['a.jpg.json']],
    [
      'that was edited and has a number has the sidecar with that number',
      'a-edited(1).jpg',
      ['a.jpg(1).json', 'a.jpg.json'],
      ['a.jpg(1).json'],
    ],
    [
      'that is the video of a Live Photo has the sidecar of the still',
      'IMG_1.MP4',
      ['IMG_1.HEIC.json'],
      ['IMG_1.HEIC.json'],
    ],
    [
      'that is a video with its own sidecar has only that sidecar',
      'IMG_1.MP4',
      ['IMG_1.HEIC.json', 'IMG_1.MP4.json'],
      ['IMG_1.MP4.json'],
    ],
    ['does not have other JSON files', 'a.jpg', ['a.json', 'metadata.json', 'a.jpg.meta.json'], []],
  ]
  for (const [what, media, all, sidecars] of cases) {
    test(what, () => expect(names([...all, media], media)).toEqual(sidecars))
  }
})

test('names may be bytes, one character each', () => {
  const raw = (name: string) => Buffer.from(name).toString('latin1')
  const long = 'Ein Bild, dessen Name größer ist, als man für möglich hielte.jpg'
  expect(names([`${long.slice(0, 46)}.json`], long)).toHaveLength(1)
  expect(names([raw(`${long.slice(0, 46)}.json`)], raw(long))).toHaveLength(1)
  expect(names([raw('é.jpg.json')], raw('é-modifié.jpg'))).toHaveLength(1)
})

test('sidecars are returned with their kind', () => {
  expect(sidecarsFor(['a.jpg', 'a.xmp', 'a.jpg.json'], 'a.jpg')).toEqual([
    { name: 'a.xmp', kind: 'xmp' },
    { name: 'a.jpg.json', kind: 'takeout' },
  ])
})

test('the files of a directory are grouped at once: RAW and JPEG share sidecars of their stem', () => {
  const media = ['a.cr2', 'a.jpg', 'b.jpg', 'c.jpg']
  const groups = groupSidecars([...media, 'a.xmp', 'a.jpg.xmp', 'c.jpg.json', 'notes.txt'], media)
  expect([...groups].map(([name, sidecars]) => [name, ...sidecars.map(sidecar => sidecar.name)])).toEqual([
    ['a.cr2', 'a.xmp'],
    ['a.jpg', 'a.jpg.xmp', 'a.xmp'],
    ['c.jpg', 'c.jpg.json'],
  ])
})
