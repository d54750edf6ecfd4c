/** Writes metadata into a picture file, and checks that nothing else in it has changed. */
import { tagSetNames } from '../../../schema/limits.ts'
import { memorySource } from '../byte-source.ts'
import { containerKind } from '../container-kind.ts'
import type { ItemMetadata } from '../merge.ts'
import { isWrittenTag } from './exif-tags.ts'
import { exifMark, type FileChange, UnsafeWrite, withoutMark } from './file-change.ts'
import { changedJpeg, jpegExif, jpegPicture, jpegWithExif } from './jpeg-file.ts'
import { changedPng, pngExif, pngPicture, pngWithExif } from './png-file.ts'
import { differingFields, walkTiff } from './tiff-walk.ts'
import { changedWebp, webpExif, webpPicture, webpWithExif } from './webp-file.ts'
import { differingSets, type WrittenSet } from './written-tags.ts'

interface Writer {
  change: (bytes: Uint8Array, change: FileChange) => Uint8Array[] | null
  /** All bytes that are not metadata; null for an unknown structure. */
  picture: (bytes: Uint8Array) => Uint8Array[] | null
  /** Returns its EXIF blocks, with the prefix that this kind of file has. */
  exif: (bytes: Uint8Array) => Uint8Array[]
  withExif: (bytes: Uint8Array, exif: Uint8Array) => Uint8Array | null
}

const writers = {
  jpeg: { change: changedJpeg, picture: jpegPicture, exif: jpegExif, withExif: jpegWithExif },
  png: { change: changedPng, picture: pngPicture, exif: pngExif, withExif: pngWithExif },
  webp: { change: changedWebp, picture: webpPicture, exif: webpExif, withExif: webpWithExif },
} as const satisfies Record<string, Writer>

/** Whether metadata can be written into a file that begins with these bytes. All other kinds get a sidecar. */
export function isWritable(head: Uint8Array): boolean {
  return writerOf(head) !== null
}

function writerOf(bytes: Uint8Array): Writer | null {
  const kind = containerKind(memorySource(bytes))
  return kind === 'jpeg' || kind === 'png' || kind === 'webp' ? writers[kind] : null
}

/** The EXIF block of a picture, as a TIFF without the mark before it; null without one. */
export function exifIn(bytes: Uint8Array): Uint8Array | null {
  const [block] = writerOf(bytes)?.exif(bytes) ?? []
  return block === undefined ? null : withoutMark(block)
}

/** Adds EXIF to a picture without it; null for a file that should not be changed. */
export function withExif(bytes: Uint8Array, tiff: Uint8Array): Uint8Array | null {
  const writer = writerOf(bytes)
  const isMarked = containerKind(memorySource(bytes)) === 'jpeg'
  return writer?.withExif(bytes, isMarked ? Buffer.concat([exifMark, tiff]) : tiff) ?? null
}

/**
 * The bytes of the changed file. Their number always changes: programs that compare size and time notice the change
 * although the time stays. Null for a file that should not be changed: of another kind, damaged, or with offsets to
 * parts that would move. Throws UnsafeWrite if the picture itself, or EXIF beyond the request, would change.
 */
export function changedPictureFile(bytes: Uint8Array, change: Omit<FileChange, 'reservedBytes'>): Uint8Array | null {
  const writer = writerOf(bytes)
  if (writer === null) return null
  let changed = joined(writer.change(bytes, { ...change, reservedBytes: usualReserve }))
  if (changed?.length === bytes.length)
    changed = joined(writer.change(bytes, { ...change, reservedBytes: usualReserve + 2 }))
  if (changed === null) return null
  const before = writer.picture(bytes)
  const after = writer.picture(changed)
  if (before === null || after === null || digestOf(before) !== digestOf(after)) {
    throw new UnsafeWrite('the picture itself would not be the same')
  }
  requireSameExif(writer.exif(bytes), writer.exif(changed), change.sets)
  return changed
}

/**
 * Like `changedPictureFile`. If older standards in the file still contradict, because their block is damaged or full,
 * the packet is written again and declared complete. `read` returns the changed file's metadata.
 */
export function changedFully(
  bytes: Uint8Array,
  change: Omit<FileChange, 'reservedBytes'>,
  read: (changed: Uint8Array) => ItemMetadata,
): Uint8Array | null {
  const first = changedPictureFile(bytes, change)
  if (first === null) return null
  const left = differingSets(change.wanted, read(first))
  const contradicted = tagSetNames.filter(name => left.has(name) && change.sets.has(name))
  if (contradicted.length === 0) return first
  return changedPictureFile(bytes, { ...change, complete: [...change.complete, ...contradicted] })
}

/** Throws unless every field that was readable before is still readable and equal, except those of the written sets. */
function requireSameExif(before: Uint8Array[], after: Uint8Array[], sets: ReadonlySet<WrittenSet>): void {
  const differing = before.flatMap((block, n) => {
    const was = walkTiff(withoutMark(block))
    const is = walkTiff(withoutMark(after[n] ?? new Uint8Array()))
    if (was === null || is === null) return was === is ? [] : ['all']
    return differingFields(was, is, (directory, tag) => isWrittenTag(sets, directory, tag))
  })
  if (differing.length === 0) return
  const some = `${differing.slice(0, 5).join(', ')}${differing.length > 5 ? ', …' : ''}`
  throw new UnsafeWrite(`its EXIF is laid out so that other fields of it would change (${some})`)
}

const usualReserve = 2048

function joined(pieces: Uint8Array[] | null): Uint8Array | null {
  return pieces === null ? null : new Uint8Array(Buffer.concat(pieces))
}

function digestOf(parts: readonly Uint8Array[]): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const part of parts) hasher.update(part)
  return hasher.digest('hex')
}
