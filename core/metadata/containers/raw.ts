/** Raw formats that are not plain TIFF: Fujifilm's RAF, Minolta's MRW, Canon's CR3. */
import { ascii, u32be } from '../binary.ts'
import { type ByteSource, partOf } from '../byte-source.ts'
import { addXmp, type Blocks, noBlocks } from './blocks.ts'
import { boxesIn, type ContainerBox, contentOf, xmpUuid } from './boxes.ts'
import { jpegBlocks } from './jpeg.ts'

/** RAF contains a whole JPEG with all metadata, but with the size of a preview. */
export function rafBlocks(source: ByteSource): Blocks {
  const head = source.read(0, 108)
  const blocks = jpegBlocks(partOf(source, u32be(head, 84), u32be(head, 88)))
  const table = u32be(head, 92)
  const count = Math.min(u32be(source.read(table, 4), 0), 1000)
  for (let i = 0, at = table + 4; i < count; i++) {
    const entry = source.read(at, 8)
    // Tag 0x100: the full size of the sensor's picture, height first.
    if (ascii(entry, 0, 4) === '\x01\x00\x00\x04') {
      const size = u32be(entry, 4)
      return { ...blocks, height: size >>> 16, width: size & 0xffff }
    }
    if (entry.length < 4) break
    at += 4 + (u32be(entry, 0) & 0xffff)
  }
  return blocks
}

/** MRW consists of blocks: 'TTW' is a TIFF structure, 'PRD' has the size. */
export function mrwBlocks(source: ByteSource): Blocks {
  const blocks = noBlocks()
  const end = u32be(source.read(4, 4), 0) + 8
  let at = 8
  for (let count = 0; count < 100 && at + 8 <= end; count++) {
    const head = source.read(at, 8)
    if (head.length < 8) break
    const type = ascii(head, 0, 4)
    const length = u32be(head, 4)
    if (type === '\0TTW') blocks.exif = partOf(source, at + 8, length)
    if (type === '\0PRD') {
      const size = u32be(source.read(at + 8 + 12, 4), 0)
      blocks.height = size >>> 16
      blocks.width = size & 0xffff
    }
    at += 8 + length
  }
  return blocks
}

export interface Cr3Blocks extends Blocks {
  /** Canon stores each directory of tags in a separate box, as a TIFF structure. */
  directories: { main?: ByteSource; exif?: ByteSource; gps?: ByteSource }
}

const canonUuid = '85c0b687820f11e08111f4ce462b6a48'

export function cr3Blocks(source: ByteSource): Cr3Blocks {
  const blocks: Cr3Blocks = { ...noBlocks(), directories: {} }
  for (const box of boxesIn(source, 0, source.size)) {
    if (box.uuid === xmpUuid) addXmp(blocks, contentOf(source, box))
    if (box.type !== 'moov') continue
    for (const inner of boxesIn(source, box.start, box.end)) {
      if (inner.uuid === canonUuid) readCanon(blocks, source, inner)
    }
  }
  return blocks
}

function readCanon(blocks: Cr3Blocks, source: ByteSource, canon: ContainerBox): void {
  for (const box of boxesIn(source, canon.start, canon.end)) {
    const tiff = partOf(source, box.start, box.end - box.start)
    if (box.type === 'CMT1') blocks.directories.main = tiff
    else if (box.type === 'CMT2') blocks.directories.exif = tiff
    else if (box.type === 'CMT4') blocks.directories.gps = tiff
  }
}
