/** What a picture file's writer is asked for, and how its XMP, EXIF and IPTC are written alike in every container. */
import { writeExifTags } from './exif-tags.ts'
import type { XmpChange } from './xmp-tags.ts'

export interface FileChange extends Omit<XmpChange, 'padding' | 'additions'> {
  /** Characters of white space before the packet's end: so the next change need not move the picture. */
  room: number
}

/** A stretch of the file that is kept, or bytes of ours. */
export type Piece = Uint8Array

const exifMark = Buffer.from('Exif\0\0')

/** An EXIF block, with or without the mark before it; one that is damaged stays as it is. */
export function changedExif(block: Uint8Array, { wanted, sets }: FileChange): Uint8Array {
  const isMarked = Buffer.from(block.subarray(0, 6)).equals(exifMark)
  const changed = writeExifTags(isMarked ? block.subarray(6) : block, wanted, sets)
  if (changed === null) return block
  return isMarked ? Buffer.concat([exifMark, changed]) : changed
}
