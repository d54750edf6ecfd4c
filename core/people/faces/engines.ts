/** What runs the networks: ONNX Runtime where its native code loads, WebAssembly everywhere else. */
import { reasonOf } from '../../../schema/errors.ts'
import type { NetworkName, Networks } from './human.ts'
import { modelFiles } from './model-files.ts'
import { graphOf } from './networks/human-graphs.ts'
import { graphOnTensors } from './networks/on-tensors.ts'
import { loadOnnx, openOnnx } from './onnx.ts'
import { onnxModel } from './onnx-models.ts'

export type EngineName = 'onnx' | 'wasm'

interface Engine {
  name: EngineName
  networks: Networks
  /** Why it is not the faster one. */
  why?: string
}

async function onOnnx(): Promise<Networks> {
  const onnx = await loadOnnx()
  const open = async (name: NetworkName) => {
    const session = await openOnnx(onnx, onnxModel(name))
    return { run: (input: Float32Array) => session.run(input, session.inputShape) }
  }
  return { blazeface: await open('blazeface'), facemesh: await open('facemesh'), faceres: await open('faceres') }
}

async function onWasm(): Promise<Networks> {
  const tf = await import('@tensorflow/tfjs-core')
  const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm')
  const path = modelFiles['tfjs-backend-wasm-simd.wasm'] ?? ''
  // It wants to know all three, and takes the one that the machine can run: every one of the last ten years has SIMD.
  setWasmPaths({
    'tfjs-backend-wasm.wasm': path,
    'tfjs-backend-wasm-simd.wasm': path,
    'tfjs-backend-wasm-threaded-simd.wasm': path,
  })
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  if (!(await tf.setBackend('wasm'))) throw new Error('the WebAssembly backend did not start')
  const open = (name: NetworkName) => {
    const graph = graphOnTensors(tf, graphOf(name))
    return { run: async (input: Float32Array) => graph.run(input) }
  }
  return { blazeface: open('blazeface'), facemesh: open('facemesh'), faceres: open('faceres') }
}

/** The engine that is wanted; 'auto': the fastest that starts here. */
export async function openEngine(wanted: EngineName | 'auto'): Promise<Engine> {
  if (wanted === 'wasm') return { name: 'wasm', networks: await onWasm() }
  try {
    return { name: 'onnx', networks: await onOnnx() }
  } catch (error) {
    if (wanted === 'onnx') throw error
    return { name: 'wasm', networks: await onWasm(), why: reasonOf(error) }
  }
}
