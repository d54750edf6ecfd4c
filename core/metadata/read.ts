/** Reads metadata of files: detects the kind and calls the reader. Takeout's JSON is for `parseSidecar`. */
import type { ByteSource } from './byte-source.ts'
import { type ContainerKind, containerKind } from './container-kind.ts'
import { type Metadata, noMetadata } from './metadata.ts'
import { pictureReaders } from './pictures.ts'
import { videoReaders } from './videos.ts'
import { parseXmpSidecar } from './xmp/sidecar.ts'

const longestSidecar = 16 * 1024 * 1024

const readers: Record<ContainerKind, (source: ByteSource) => Metadata> = {
  ...pictureReaders,
  ...videoReaders,
  xmp: source => parseXmpSidecar(source.read(0, longestSidecar)),
}

/** Reads a picture, video or XMP sidecar, detected by its content; `name` is for messages. Errors become `warnings`. */
export function readMetadataOf(source: ByteSource, name: string): Metadata {
  const kind = containerKind(source)
  if (kind !== null) return readers[kind](source)
  const warning = source.size === 0 ? `${name} is empty` : `${name} is not of a kind whose metadata can be read`
  return { ...noMetadata(), warnings: [warning] }
}

/** Metadata of a picture or a video; empty for all other kinds, such as sidecars and SVG drawings. */
export function readMediaMetadata(source: ByteSource): Metadata {
  const kind = containerKind(source)
  return kind === null || kind === 'xmp' ? noMetadata() : readers[kind](source)
}
