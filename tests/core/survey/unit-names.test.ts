import { expect, test } from 'bun:test'
import { namesWithStem, stemsTakenBy } from '../../../core/survey/unit-names.ts'

const main = (raw: string) => ({ raw, role: 'main' as const })
const sidecar = (raw: string) => ({ raw, role: 'sidecar' as const })
const names = (members: Parameters<typeof namesWithStem>[0], stem: string) =>
  Object.fromEntries(namesWithStem(members, stem) ?? [])

test('companions, motion parts and sidecars keep their suffixes with the new stem', () => {
  const unit = [
    main('IMG_1.JPG'),
    { raw: 'IMG_1.CR2', role: 'companion' as const },
    { raw: 'IMG_1.MOV', role: 'motion' as const },
    sidecar('IMG_1.JPG.xmp'),
    sidecar('IMG_1.xmp'),
    sidecar('IMG_1.CR2.xmp'),
    sidecar('IMG_1.JPG.json'),
    sidecar('IMG_1.JPG.supplemental-metadata.json'),
  ]
  expect(names(unit, '2019')).toEqual({
    'IMG_1.JPG': '2019.JPG',
    'IMG_1.CR2': '2019.CR2',
    'IMG_1.MOV': '2019.MOV',
    'IMG_1.JPG.xmp': '2019.JPG.xmp',
    'IMG_1.xmp': '2019.xmp',
    'IMG_1.CR2.xmp': '2019.CR2.xmp',
    'IMG_1.JPG.json': '2019.JPG.json',
    'IMG_1.JPG.supplemental-metadata.json': '2019.JPG.supplemental-metadata.json',
  })
})

test('a motion part with another stem gets the stem of the picture', () => {
  const unit = [main('IMG_1.HEIC'), { raw: 'IMG_E1.MOV', role: 'motion' as const }]
  expect(names(unit, 'x')).toEqual({ 'IMG_1.HEIC': 'x.HEIC', 'IMG_E1.MOV': 'x.MOV' })
})

test('a numbered sidecar of Takeout gets the plain name of its picture', () => {
  const unit = [main('a(1).jpg'), sidecar('a.jpg(1).json')]
  expect(names(unit, 'b')).toEqual({ 'a(1).jpg': 'b.jpg', 'a.jpg(1).json': 'b.jpg.json' })
})

test('all files keep their names if the stem does not change', () => {
  const unit = [main('a(1).jpg'), sidecar('a.jpg(1).json'), { raw: 'other.mov', role: 'motion' as const }]
  expect(names(unit, 'a(1)')).toEqual({
    'a(1).jpg': 'a(1).jpg',
    'a.jpg(1).json': 'a.jpg(1).json',
    'other.mov': 'other.mov',
  })
})

test('bytes that are not UTF-8 are kept', () => {
  expect(names([main('caf\xe9.jpg'), sidecar('caf\xe9.xmp')], 'b\xff')).toEqual({
    'caf\xe9.jpg': 'b\xff.jpg',
    'caf\xe9.xmp': 'b\xff.xmp',
  })
})

test('files are not renamed if two would get the same name', () => {
  const unit = [main('a.jpg'), { raw: 'a.mov', role: 'motion' as const }, { raw: 'b.mov', role: 'motion' as const }]
  expect(namesWithStem(unit, 'c')).toBeNull()
})

test('a file name occupies its stem, and a sidecar every stem that it may belong to', () => {
  expect(stemsTakenBy('a.jpg')).toEqual(['a.jpg', 'a'])
  expect(stemsTakenBy('a.b.jpg')).toEqual(['a.b.jpg', 'a.b'])
  expect(stemsTakenBy('a.jpg.xmp')).toEqual(['a.jpg.xmp', 'a.jpg', 'a'])
  expect(stemsTakenBy('a.jpg.supplemental-metadata.json')).toContain('a')
  expect(stemsTakenBy('.hidden')).toEqual(['.hidden', '.hidden'])
})
