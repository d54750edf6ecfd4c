import { describe, expect, test } from 'bun:test'
import { ignoredName, mediaKindOfName, presumedKind, sniff } from '../../../core/media/formats/sniff.ts'

function bytes(text: string, length = 64): Uint8Array {
  const padded = new Uint8Array(Math.max(length, text.length))
  padded.set(Buffer.from(text, 'latin1'))
  return padded
}

const box = (brand: string, ...compatible: string[]) => {
  const length = String.fromCharCode(16 + compatible.length * 4)
  return `\0\0\0${length}ftyp${brand}\0\0\0\0${compatible.join('')}`
}
const packets = (first: number, length: number) => {
  const stream = new Uint8Array(length * 5)
  for (let at = first; at < stream.length; at += length) stream[at] = 0x47
  return Buffer.from(stream).toString('latin1')
}

describe('sniff', () => {
  const known: [text: string, name: string, type: string, mime: string][] = [
    ['\xff\xd8\xff\xe0', 'a.png', 'jpeg', 'image/jpeg'],
    ['\x89PNG\r\n\x1a\n', 'a.jpg', 'png', 'image/png'],
    ['GIF89a', 'a.gif', 'gif', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'a.jpg', 'webp', 'image/webp'],
    [box('avif'), 'a', 'avif', 'image/avif'],
    [box('heic', 'mif1', 'heic'), 'a.jpg', 'heic', 'image/heic'],
    [box('mif1', 'mif1', 'avif'), 'a', 'avif', 'image/avif'],
    [box('mif1', 'heic'), 'a', 'heic', 'image/heic'],
    [box('mif1'), 'a', 'heic', 'image/heif'],
    [box('mif3', 'heic'), 'a', 'heic', 'image/heic'],
    [box('MiHE', 'MiHE', 'miaf', 'heix'), 'a', 'heic', 'image/heic'],
    [box('odd1', 'odd2'), 'a.heic', 'heic', 'image/heif'],
    ['II*\0\x08\0\0\0', 'a.tif', 'tiff', 'image/tiff'],
    ['MM\0*\0\0\0\x08', 'a.tiff', 'tiff', 'image/tiff'],
    ['II*\0\x08\0\0\0', 'DSC_1.NEF', 'raw', 'image/x-nikon-nef'],
    ['II*\0\x08\0\0\0', 'DSC1.arw', 'raw', 'image/x-sony-arw'],
    ['II*\0\x10\0\0\0CR\x02\0', 'a.tif', 'raw', 'image/x-canon-cr2'],
    ['II*\0\x08\0\0\0\x01\0\x12\xc6\x01\0\x04\0\0\0', 'a.tif', 'raw', 'image/x-adobe-dng'],
    ['IIRO\x08\0\0\0', 'a.orf', 'raw', 'image/x-olympus-orf'],
    ['IIU\0\x18\0\0\0', 'a.rw2', 'raw', 'image/x-panasonic-rw2'],
    ['FUJIFILMCCD-RAW 0201', 'a.raf', 'raw', 'image/x-fuji-raf'],
    ['FOVb', 'a.x3f', 'raw', 'image/x-sigma-x3f'],
    ['\0MRM', 'a.mrw', 'raw', 'image/x-minolta-mrw'],
    [box('crx ', 'crx ', 'isom'), 'a.cr3', 'raw', 'image/x-canon-cr3'],
    [`BM${'\0'.repeat(12)}\x28\0\0\0`, 'a.bmp', 'bmp', 'image/bmp'],
    ['\xff\x0a', 'a.jxl', 'jxl', 'image/jxl'],
    ['\0\0\0\x0cJXL \r\n\x87\n', 'a.jxl', 'jxl', 'image/jxl'],
    ['\0\0\0\x0cjP  \r\n\x87\n', 'a.jp2', 'jp2', 'image/jp2'],
    ['8BPS\0\x01', 'a.psd', 'psd', 'image/vnd.adobe.photoshop'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'a.png', 'svg', 'image/svg+xml'],
    [
      '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- made -->\n<!DOCTYPE svg PUBLIC "x" "y">\n<svg>',
      'a.svg',
      'svg',
      'image/svg+xml',
    ],
    [box('isom', 'mp42'), 'a.jpg', 'mp4', 'video/mp4'],
    [box('MSNV', 'mp42'), 'a.heic', 'mp4', 'video/mp4'],
    [box('odd1', 'odd2'), 'a.jpg', 'mp4', 'video/mp4'],
    [box('M4V '), 'a', 'mp4', 'video/x-m4v'],
    [box('qt  '), 'a', 'quicktime', 'video/quicktime'],
    ['\0\0\0\x08wide', 'a.mov', 'quicktime', 'video/quicktime'],
    [box('3gp5'), 'a', '3gp', 'video/3gpp'],
    ['\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm', 'a.mkv', 'matroska', 'video/webm'],
    ['\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska', 'a', 'matroska', 'video/x-matroska'],
    ['RIFF\0\0\0\0AVI LIST', 'a', 'avi', 'video/x-msvideo'],
    ['\0\0\x01\xba', 'a.mpg', 'mpeg-ps', 'video/mpeg'],
    ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'a.wmv', 'asf', 'video/x-ms-wmv'],
    ['FLV\x01', 'a.flv', 'flv', 'video/x-flv'],
    [packets(0, 188), 'a.ts', 'mpeg-ts', 'video/mp2t'],
    [packets(4, 192), 'a.mts', 'mpeg-ts', 'video/mp2t'],
  ]
  for (const [text, name, type, mime] of known) {
    test(`recognizes ${mime} by content (${name})`, () => {
      const sniffed = sniff(bytes(text), name)
      expect([sniffed?.type as string, sniffed?.mime]).toEqual([type, mime])
      expect(sniffed?.kind).toBe(mime.startsWith('video/') ? 'video' : 'image')
    })
  }

  const strangers = [
    '',
    '<!DOCTYPE html><html><body><svg></svg>',
    'BMW is a make of car, and this is a text that begins with it',
    'ffconcat version 1.0\nfile secret.mp4',
    '#EXTM3U\nhttp://example.org/',
    '%PDF-1.4',
    'PK\x03\x04',
    'ID3\x03',
    box('M4A '),
    'MZ',
  ]
  for (const text of strangers) {
    test(`does not recognize ${JSON.stringify(text.slice(0, 24))} as media`, () => {
      expect(sniff(bytes(text), 'photo.jpg')).toBeNull()
    })
  }

  test('never throws on short or random bytes', () => {
    for (let length = 0; length < 300; length++) {
      const random = crypto.getRandomValues(new Uint8Array(length))
      for (const start of ['II*\0', 'MM\0*', 'RIFF', '\0\0\0\x20ftyp', '<svg', '']) {
        sniff(new Uint8Array([...Buffer.from(start, 'latin1'), ...random]), 'a.dng')
      }
    }
  })
})

describe('names', () => {
  test('files of a scan are recognized by extension, in any case', () => {
    expect(['a.jpg', 'B.JPEG', 'c.HeIc', 'd.nef', 'e.svg', 'f.jxl', 'g.MPO'].map(mediaKindOfName)).toEqual(
      Array(7).fill('image'),
    )
    expect(['a.mp4', 'B.MOV', 'c.3gp', 'd.mts', 'e.MPG', 'f.wmv'].map(mediaKindOfName)).toEqual(Array(6).fill('video'))
    expect(['a.txt', 'jpg', '.jpg', 'a.jpg.xmp', 'a.mp3', 'a.'].map(mediaKindOfName)).toEqual(Array(6).fill(null))
  })

  test('hidden directories and system files are ignored, but not a picture whose name starts with a dot', () => {
    const files = [
      '._IMG_1.jpg',
      '.DS_Store',
      '.trashed-1700000000-IMG_1.jpg',
      '.pending-1700000000-VID_1.mp4',
      'Thumbs.db',
      'desktop.ini',
    ]
    expect(files.filter(name => !ignoredName(name, 'file'))).toEqual([])
    const directories = ['@eaDir', '$RECYCLE.BIN', 'lost+found', '.thumbnails', '.Trash-1000', '.jpg']
    expect(directories.filter(name => !ignoredName(name, 'dir'))).toEqual([])
    expect(
      ['IMG_1.jpg', '_private', 'a.hidden', '#1.jpg', '@home', '.hidden.jpg'].filter(name => ignoredName(name)),
    ).toEqual([])
  })

  test('a file without an extension may be media, a hidden one may not', () => {
    expect(['no_extension', 'README', 'a.jpg', 'a.txt', '.bashrc', 'a.'].map(presumedKind)).toEqual([
      'image',
      'image',
      'image',
      null,
      null,
      'image',
    ])
  })
})
