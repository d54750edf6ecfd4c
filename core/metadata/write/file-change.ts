/** Requests to the writers of picture files, and how EXIF is changed in every container. */
import { writeExifTags } from './exif-tags.ts'
import type { XmpChange } from './xmp-tags.ts'

export interface FileChange extends Omit<XmpChange, 'padding' | 'additions'> {
  /** Bytes of padding before the packet's end: other programs can then change it without moving the picture. */
  reservedBytes: number
}

export const exifMark = Buffer.from('Exif\0\0')

/** An EXIF block from its TIFF header on, without the mark that may precede it. */
export function withoutMark(block: Uint8Array): Uint8Array {
  return Buffer.from(block.subarray(0, exifMark.length)).equals(exifMark) ? block.subarray(exifMark.length) : block
}

/** Metadata cannot be written into a file safely; the message says why, as a part of a sentence. */
export class UnsafeWrite extends Error {
  override readonly name = 'UnsafeWrite'
}

/** Changes an EXIF block, with or without its prefix; a damaged block is returned unchanged. */
export function changedExif(block: Uint8Array, { wanted, sets }: FileChange): Uint8Array {
  const tiff = withoutMark(block)
  const changed = writeExifTags(tiff, wanted, sets)
  if (changed === null) return block
  return tiff === block ? changed : Buffer.concat([exifMark, changed])
}
