import { expect, test } from 'bun:test'
import { parseXmpSidecar } from '../../../core/metadata/xmp/sidecar.ts'
import { xmp } from './build.ts'

const packetOf = (texts: readonly string[]) =>
  xmp(
    `<keepsake:Albums><rdf:Bag>${texts.map(text => `<rdf:li>${text}</rdf:li>`).join('')}</rdf:Bag></keepsake:Albums>`,
    'xmlns:keepsake="urn:keepsake:xmp:1.0#"',
  )

const albumsIn = (texts: readonly string[]) => parseXmpSidecar(Buffer.from(packetOf(texts)))

test('albums in a file are read, each once, and are no keywords', () => {
  const { albums, keywords } = albumsIn(['bbbbbbbb|Winter', 'aaaaaaaa|A | B', 'bbbbbbbb|Winter'])
  expect(albums).toEqual([
    { uid: 'aaaaaaaa', name: 'A | B' },
    { uid: 'bbbbbbbb', name: 'Winter' },
  ])
  expect(keywords).toEqual([])
})

test('texts of another form are ignored, and names and lists that are too long are cut', () => {
  const strange = [
    '',
    '|',
    'Summer',
    'short|Summer',
    '../../etc|Summer',
    `${'a'.repeat(41)}|Summer`,
    'aaaaaaaa|',
    'aaaaaaaa| ',
  ]
  expect(albumsIn(strange)).toMatchObject({ albums: undefined, warnings: [] })
  expect(albumsIn([`aaaaaaaa|${'n'.repeat(500)}`]).albums?.[0]?.name).toBe('n'.repeat(100))
  expect(albumsIn([`aaaaaaaa|${'n'.repeat(99)}😀`]).albums?.[0]?.name).toBe('n'.repeat(99))
  expect(albumsIn(Array.from({ length: 5000 }, (_, n) => `album-${n + 1000}|Name`)).albums).toHaveLength(100)
})
