/**
 * A collection's variants path holds users' edited versions, and variants that Keepsake made. Keepsake's variants have
 * a mark with a content key, which shows whether they are outdated, or belong to another file with the same stem.
 */
import { lstat, open, readdir } from 'node:fs/promises'
import { Failure, sentence } from '../../../schema/errors.ts'
import { createDisk, type Disk } from '../../files/disk.ts'
import { bytesOfRaw, bytesOfText, displayName, joinPath, rawOf } from '../../files/names.ts'
import { pathsOverlap } from '../../files/overlap.ts'
import { isTemporaryName } from '../../files/write-whole.ts'
import { mediaKindOfName } from '../formats/sniff.ts'
import type { MediaKind } from '../media-problem.ts'

/** Where the variants of an item's file belong. */
export interface VariantPlace {
  /** The collection's variants path, absolute. */
  root: string
  /** The collection's own directory, absolute. */
  collectionPath: string
  /** Directory of the item's file, relative to the collection; bytes. */
  dirBytes: Uint8Array
  nameBytes: Uint8Array
}

export interface FoundVariant {
  /** Absolute, as bytes. */
  path: Buffer
  /** File name for display. */
  name: string
  size: number
  mtimeMs: number
}

const extensions = { image: 'jpg', video: 'mp4' } as const satisfies Record<MediaKind, string>

/** A file whose length is not the one in the mark was edited, so Keepsake treats it as the user's version. */
const markPattern = /keepsake variant of ([0-9a-f]{16}-[0-9a-z]{1,11}), (\d{15}) bytes/
const markLength = 'keepsake variant of '.length + 28 + ', '.length + 15 + ' bytes'.length

/** Pads the mark to a fixed length, so that its length is known before the file's. */
function markOf(content: string, fileLength: number): Buffer {
  const text = `keepsake variant of ${content}, ${String(fileLength).padStart(15, '0')} bytes`
  return Buffer.from(text.padEnd(markLength), 'latin1')
}

function stemOf(raw: string): string {
  return raw.replace(/\.[^.]*$/, '')
}

/** The edited version in the variants path, and Keepsake's variant, at an item's relative path; null if none. */
export async function findVariants(
  place: Pick<VariantPlace, 'root' | 'dirBytes' | 'nameBytes'>,
  kind: MediaKind,
  content: string,
): Promise<{ owners: FoundVariant | null; kept: FoundVariant | null }> {
  const directory = joinPath(bytesOfText(place.root), place.dirBytes)
  const wanted = stemOf(rawOf(place.nameBytes))
  const found: { owners: FoundVariant | null; kept: FoundVariant | null } = { owners: null, kept: null }
  for (const name of await namesIn(directory)) {
    const shown = displayName(name)
    if (stemOf(rawOf(name)) !== wanted || mediaKindOfName(shown) !== kind) continue
    const path = joinPath(directory, name)
    const facts = await lstat(path).catch(() => null)
    if (facts === null || !facts.isFile()) continue
    const variant = { path, name: shown, size: facts.size, mtimeMs: facts.mtimeMs }
    const madeOf = await contentInMark(path)
    if (madeOf === null) found.owners ??= variant
    else if (madeOf === content) found.kept ??= variant
  }
  return found
}

/** Names in a directory. A directory that does not exist or is unreadable has no variants. */
async function namesIn(directory: Buffer): Promise<Buffer[]> {
  try {
    const names = await readdir(directory, { encoding: 'buffer' })
    return names.sort(Buffer.compare)
  } catch {
    return []
  }
}

/** The mark is in the first segments of a JPEG, and at the very end of an MP4. */
const headLength = 1024
const tailLength = 128

/** The content key in a file's mark, if Keepsake made the file and nobody changed it; null otherwise. */
async function contentInMark(path: Buffer): Promise<string | null> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const bytes = Buffer.alloc(headLength + tailLength)
      const head = await file.read(bytes, 0, headLength, 0)
      const tail = await file.read(bytes, head.bytesRead, tailLength, Math.max(0, size - tailLength))
      const text = bytes.subarray(0, head.bytesRead + tail.bytesRead).toString('latin1')
      const [, content, length] = markPattern.exec(text) ?? []
      return content !== undefined && Number(length) === size ? content : null
    } finally {
      await file.close()
    }
  } catch {
    // An unreadable file counts as a user's.
    return null
  }
}

/** A JPEG with the mark in a comment after its JFIF header. */
export function markedJpeg(jpeg: Uint8Array, content: string): Uint8Array {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  const hasJfif = bytes.length > 6 && bytes.readUInt16BE(2) === 0xffe0
  const at = hasJfif ? 4 + bytes.readUInt16BE(4) : 2
  const header = Buffer.from([0xff, 0xfe, 0, markLength + 2])
  const mark = markOf(content, bytes.length + header.length + markLength)
  return Buffer.concat([bytes.subarray(0, at), header, mark, bytes.subarray(at)])
}

/** An MP4 in pieces, with the mark in a box at the end that all programs ignore. */
export async function* markedFilm(
  film: { path: string; size: number },
  content: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of Bun.file(film.path).stream()) {
    signal.throwIfAborted()
    yield piece
  }
  const header = Buffer.alloc(8)
  header.writeUInt32BE(header.length + markLength)
  header.write('free', 4, 'latin1')
  yield Buffer.concat([header, markOf(content, film.size + header.length + markLength)])
}

/**
 * Keeps a variant at the item's relative path, as .jpg or .mp4; returns its path. Writes all or nothing, and replaces
 * nothing: throws `conflict` if another file has the name, `invalid` if variants would be scanned as pictures of the
 * collection, and a DiskError for errors of the disk.
 */
export async function storeVariant(
  place: VariantPlace,
  kind: MediaKind,
  content: string,
  marked: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<Buffer> {
  const { root, dirBytes } = place
  if (pathsOverlap(root, place.collectionPath)) {
    throw new Failure('invalid', sentence`The variants path ${root} and the collection lie within each other.`)
  }
  const name = bytesOfRaw(`${stemOf(rawOf(place.nameBytes))}.${extensions[kind]}`)
  const path = joinPath(bytesOfText(root), dirBytes, name)
  const disk = createDisk()
  disk.makeDirectory({ root, path: dirBytes })
  await sweep(disk, root, dirBytes)
  try {
    await disk.write({ root, path: joinPath(dirBytes, name) }, marked)
  } catch (error) {
    const isTaken = error instanceof Failure && error.code === 'conflict'
    if (!isTaken || (await contentInMark(path)) !== content) throw error
  }
  return path
}

/** A temporary file of this age was left by a process that was killed. */
const abandonedAfterMs = 3_600_000

async function sweep(disk: Disk, root: string, dirBytes: Uint8Array): Promise<void> {
  const directory = joinPath(bytesOfText(root), dirBytes)
  for (const name of await namesIn(directory)) {
    if (!isTemporaryName(rawOf(name))) continue
    const facts = disk.stat({ root, path: joinPath(dirBytes, name) })
    if (facts?.kind === 'file' && Date.now() - facts.mtimeSeconds * 1000 > abandonedAfterMs) {
      disk.remove({ root, path: joinPath(dirBytes, name) })
    }
  }
}

/** Whether to report that a variant could not be kept. It is normal that another file has its name. */
export function isStorageFailure(error: unknown): boolean {
  return !(error instanceof Failure && error.code === 'conflict')
}
