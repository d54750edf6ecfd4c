/**
 * The built-in networks as ONNX Runtime reads them: converted on the spot from source. The executable carries what its
 * build converted by this function, and swaps this module.
 */
import type { NetworkName } from './human.ts'
import { graphOf } from './networks/human-graphs.ts'
import { onnxOf } from './networks/to-onnx.ts'

/** An ONNX file's bytes. Its input has the sides of the graph's. */
export function onnxModel(name: NetworkName): Uint8Array {
  return onnxOf(graphOf(name))
}
