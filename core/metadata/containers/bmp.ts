/** BMP: reads only the size. */
import { i32le, u16le, u32le } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { type Blocks, noBlocks, sized } from './blocks.ts'

export function bmpBlocks(source: ByteSource): Blocks {
  const head = source.read(0, 26)
  const isOld = u32le(head, 14) === 12
  const width = isOld ? u16le(head, 18) : i32le(head, 18)
  // A negative height means that the rows run from top to bottom.
  const height = isOld ? u16le(head, 20) : Math.abs(i32le(head, 22))
  return { ...noBlocks(), ...sized(width, height) }
}
