/** The one way to a file's metadata: looks at the bytes, finds the reader, and answers in the library's terms. */
import { type ByteSource, memorySource } from './byte-source.ts'
import { containerKind } from './container-kind.ts'
import { openFileSource } from './file-source.ts'
import { type Metadata, noMetadata } from './metadata.ts'
import { pictureKinds, readPicture } from './pictures.ts'
import { readVideo, videoKinds } from './videos.ts'
import { parseXmpSidecar } from './xmp/sidecar.ts'

/**
 * Metadata of a picture or video whose bytes are in memory: the whole file, or at least its first 64 KB (then what
 * stands at the end, such as the video of a motion photo or the EXIF of a WebP, is not found).
 * The name is of no account for what kind of file it is; it only serves messages.
 * Never throws for what is in the bytes: all that is wrong with them is told in `warnings`.
 */
export async function readMetadata(bytes: Uint8Array, name: string): Promise<Metadata> {
  return readMetadataOf(memorySource(bytes), name)
}

/**
 * Metadata of a file on disk, of any size: only the parts that hold metadata are read. The path may be bytes, as names
 * need not be UTF-8. Throws what the system says when the file cannot be opened or read (ENOENT, EACCES, EIO), and a
 * Failure when it is no regular file; what is in the file never makes it throw.
 * Reading is synchronous underneath: call it in worker processes only.
 */
export async function readMetadataFrom(path: Uint8Array | string, name: string): Promise<Metadata> {
  const source = openFileSource(path)
  try {
    return readMetadataOf(source, name)
  } finally {
    source.close()
  }
}

/** The same for any source of bytes. */
export function readMetadataOf(source: ByteSource, name: string): Metadata {
  const kind = containerKind(source)
  const picture = pictureKinds.find(known => known === kind)
  if (picture !== undefined) return readPicture(source, picture)
  const video = videoKinds.find(known => known === kind)
  if (video !== undefined) return readVideo(source, video)
  if (kind === 'xmp') return parseXmpSidecar(source.read(0, longestSidecar))
  const metadata = noMetadata()
  metadata.warnings.push(source.size === 0 ? `${name} is empty` : `${name} is of no kind whose metadata can be read`)
  return metadata
}

const longestSidecar = 16 * 1024 * 1024
