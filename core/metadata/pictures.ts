/** Reading the metadata of pictures, whatever their container. */
import { type ByteSource, memorySource } from './byte-source.ts'
import { combineBlocks } from './combine.ts'
import { type Blocks, noBlocks } from './containers/blocks.ts'
import { bmpBlocks } from './containers/bmp.ts'
import { readCiff } from './containers/ciff.ts'
import { gifBlocks } from './containers/gif.ts'
import { heifBlocks } from './containers/heif.ts'
import { jpegBlocks } from './containers/jpeg.ts'
import { jxlBlocks } from './containers/jxl.ts'
import { pngBlocks } from './containers/png.ts'
import { cr3Blocks, mrwBlocks, rafBlocks } from './containers/raw.ts'
import { webpBlocks } from './containers/riff.ts'
import { readExif, readSplitExif } from './exif.ts'
import type { Metadata } from './metadata.ts'
import { samsungVideo } from './motion.ts'

export const pictureKinds = [
  'jpeg',
  'png',
  'gif',
  'webp',
  'bmp',
  'tiff',
  'heif',
  'cr3',
  'raf',
  'mrw',
  'crw',
  'jxl',
] as const
export type PictureKind = (typeof pictureKinds)[number]

/** What a picture says about itself. Never throws for damage: that is told in `warnings`. */
export function readPicture(source: ByteSource, kind: PictureKind): Metadata {
  if (kind === 'tiff') return readTiffPicture(source)
  if (kind === 'cr3') return readCr3(source)
  if (kind === 'crw') return combineBlocks(source, { ...noBlocks(), ...readCiff(source) })
  const blocks = blockReaders[kind](source)
  if (kind === 'jpeg' || kind === 'heif') blocks.video ??= samsungVideo(source) ?? undefined
  return combineBlocks(source, blocks)
}

const blockReaders: Record<Exclude<PictureKind, 'tiff' | 'cr3' | 'crw'>, (source: ByteSource) => Blocks> = {
  jpeg: jpegBlocks,
  png: pngBlocks,
  gif: gifBlocks,
  webp: webpBlocks,
  bmp: bmpBlocks,
  heif: heifBlocks,
  raf: rafBlocks,
  mrw: mrwBlocks,
  jxl: jxlBlocks,
}

/** The file is one TIFF structure; raw files of that kind may keep the better part in a JPEG inside. */
function readTiffPicture(source: ByteSource): Metadata {
  const exif = readExif(source)
  const jpeg = exif?.embeddedJpeg === undefined ? noBlocks() : jpegBlocks(memorySource(exif.embeddedJpeg))
  const inner = jpeg.exif === undefined ? null : readExif(jpeg.exif)
  const { width = jpeg.width, height = jpeg.height } = exif ?? {}
  const best = exif !== null && exif.dates.length > 0 ? exif : (inner ?? exif)
  return combineBlocks(source, { ...jpeg, exif: undefined, width, height }, best)
}

function readCr3(source: ByteSource): Metadata {
  const blocks = cr3Blocks(source)
  const exif = readSplitExif(blocks.directories)
  return combineBlocks(source, { ...blocks, width: exif?.width, height: exif?.height }, exif)
}
