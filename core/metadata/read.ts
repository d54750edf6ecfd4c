/** The one way to a file's metadata: looks at the bytes, finds the reader, and answers in the library's terms. */
import type { ByteSource } from './byte-source.ts'
import { containerKind } from './container-kind.ts'
import { type Metadata, noMetadata } from './metadata.ts'
import { pictureKinds, readPicture } from './pictures.ts'
import { readVideo, videoKinds } from './videos.ts'
import { parseXmpSidecar } from './xmp/sidecar.ts'

/**
 * Metadata of a picture, a video or an XMP sidecar. The name is of no account for what kind of file it is; it only serves
 * messages. Never throws for what is in the bytes: all that is wrong with them is told in `warnings`.
 */
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
