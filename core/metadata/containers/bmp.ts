/** BMP: reads only the size. */
import { i32le } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { type Blocks, noBlocks, sizeIfKnown } from './blocks.ts'

export function bmpBlocks(source: ByteSource): Blocks {
  const head = source.read(0, 26)
  // A negative height means that the rows run from top to bottom.
  return { ...noBlocks(), ...sizeIfKnown(i32le(head, 18), Math.abs(i32le(head, 22))) }
}
