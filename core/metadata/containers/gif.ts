/** GIF: its size and the XMP packet in an application block. */
import { indexOfBytes, startsWith, u8, u16le } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { addXmp, type Blocks, noBlocks, sizeIfKnown } from './blocks.ts'

/** Sub-blocks have at most 255 bytes: this is some 64 MB of GIF. */
const maxBlocks = 260_000

export function gifBlocks(source: ByteSource): Blocks {
  const blocks = noBlocks()
  const head = source.read(0, 13)
  Object.assign(blocks, sizeIfKnown(u16le(head, 6), u16le(head, 8)))
  let at = 13 + colourTable(u8(head, 10))
  let budget = maxBlocks
  while (budget > 0) {
    const introducer = source.read(at, 2)
    if (introducer.length < 2 || u8(introducer, 0) === 0x3b) break
    if (u8(introducer, 0) === 0x2c) {
      const picture = source.read(at, 10)
      at += 10 + colourTable(u8(picture, 9)) + 1
    } else if (u8(introducer, 0) === 0x21) {
      readExtension(blocks, source, u8(introducer, 1), at + 2)
      at += 2
    } else {
      blocks.warnings.push('The GIF has a block of an unknown kind')
      break
    }
    for (; budget > 0; budget--) {
      const length = source.read(at, 1)
      at += 1 + u8(length, 0)
      if (length.length === 0 || u8(length, 0) === 0) break
    }
    budget--
  }
  return blocks
}

function colourTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function readExtension(blocks: Blocks, source: ByteSource, label: number, at: number): void {
  // The packet is not cut into sub-blocks; a 'magic trailer' after it lets readers of sub-blocks find its end.
  if (label === 0xff && startsWith(source.read(at, 12), '\x0bXMP DataXMP')) {
    const packet = source.read(at + 12, 1024 * 1024)
    const end = indexOfBytes(packet, '<?xpacket end=')
    addXmp(
      blocks,
      end < 0 ? packet.subarray(0, Math.max(0, indexOfBytes(packet, '\x01\xff'))) : packet.subarray(0, end),
    )
  }
}
