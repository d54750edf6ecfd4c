/** Reading the metadata of pictures, whatever their container. */
import { type ByteSource, memorySource } from './byte-source.ts'
import { combineBlocks } from './combine.ts'
import type { ContainerKind } from './container-kind.ts'
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

type Reader = (source: ByteSource) => Metadata

const blocksReader =
  (blocksOf: (source: ByteSource) => Blocks): Reader =>
  source =>
    combineBlocks(source, blocksOf(source))

/** A reader of stills to which Samsung's phones may have appended a video. */
const stillReader = (blocksOf: (source: ByteSource) => Blocks): Reader =>
  blocksReader(source => {
    const blocks = blocksOf(source)
    return { ...blocks, video: blocks.video ?? samsungVideo(source) ?? undefined }
  })

export const pictureReaders = {
  jpeg: stillReader(jpegBlocks),
  png: blocksReader(pngBlocks),
  gif: blocksReader(gifBlocks),
  webp: blocksReader(webpBlocks),
  bmp: blocksReader(bmpBlocks),
  tiff: readTiffPicture,
  heif: stillReader(heifBlocks),
  cr3: readCr3,
  raf: blocksReader(rafBlocks),
  mrw: blocksReader(mrwBlocks),
  crw: blocksReader(source => ({ ...noBlocks(), ...readCiff(source) })),
  jxl: blocksReader(jxlBlocks),
} satisfies Partial<Record<ContainerKind, Reader>>

/** The file is one TIFF structure; raw files of that kind may have more metadata in a JPEG inside. */
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
