/** The metadata blocks that readers of picture formats find, not yet interpreted. */
import type { ByteSource } from '../byte-source.ts'
import type { CameraData, FoundDate } from '../metadata.ts'

export interface Blocks {
  /** A TIFF structure, from its header on. */
  exif?: ByteSource
  /** XMP packets; the first one has precedence. */
  xmp: Uint8Array[]
  iptc?: Uint8Array
  /** Stored width and height in pixels. */
  width?: number
  height?: number
  /** The container's own orientation, numbered as in EXIF; it replaces EXIF's. */
  orientation?: number
  /** `date` and `camera` come from formats that are older than EXIF, such as CIFF. */
  date?: FoundDate
  camera?: CameraData
  /** Plain texts of the container (PNG). */
  description?: string
  title?: string
  author?: string
  video?: { offset: number; length: number }
  warnings: string[]
}

/** Limit of packets; a hostile file could have thousands of large ones. */
const maxPackets = 4

export function addXmp(blocks: Blocks, packet: Uint8Array): void {
  if (packet.length > 0 && blocks.xmp.length < maxPackets) blocks.xmp.push(packet)
}

/** Width and height, if both are above zero. */
export function sizeIfKnown(width: number, height: number): { width?: number; height?: number } {
  return width > 0 && height > 0 ? { width, height } : {}
}

export function noBlocks(): Blocks {
  return { xmp: [], warnings: [] }
}
