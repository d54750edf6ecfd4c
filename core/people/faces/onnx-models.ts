/** The built-in networks for ONNX Runtime, converted when used; the executable carries what its build converted instead. */
import type { NetworkName } from './human.ts'
import { graphOf } from './networks/human-graphs.ts'
import { onnxOf } from './networks/to-onnx.ts'

/** An ONNX file's bytes. Its input has the sides of the graph's. */
export function onnxModel(name: NetworkName): Uint8Array {
  return onnxOf(graphOf(name))
}
