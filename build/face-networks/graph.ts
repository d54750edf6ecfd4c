/** Reads graph models of tfjs: the operators in the order of execution, and the weights as 32-bit numbers. */
import { z } from 'zod'

export interface Constant {
  shape: readonly number[]
  data: Float32Array | Int32Array
}

export interface GraphNode {
  name: string
  op: string
  /** Names of nodes or constants. */
  inputs: readonly string[]
  /** For convolutions and pools: vertical and horizontal. */
  strides: readonly [number, number]
  dilations: readonly [number, number]
  window: readonly [number, number]
  padding: 'same' | 'valid'
  /** Operators fused into a convolution or product: 'BiasAdd', then the activation. */
  fused: readonly string[]
}

/** Pictures and what is derived from them have the shape [1, height, width, channels]. */
export interface Graph {
  input: { name: string; shape: readonly number[] }
  /** Every node comes after its inputs. */
  nodes: readonly GraphNode[]
  constants: ReadonlyMap<string, Constant>
  outputs: readonly string[]
}

const list = z.object({ i: z.array(z.coerce.number()).optional(), s: z.array(z.string()).optional() })
const attribute = z.object({ s: z.string().optional(), list: list.optional(), shape: z.unknown().optional() })
const sizes = z.object({ dim: z.array(z.object({ size: z.coerce.number() })).default([]) })
const node = z.object({
  name: z.string(),
  op: z.string(),
  input: z.array(z.string()).default([]),
  attr: z.record(z.string(), attribute).default({}),
})
const weight = z.object({
  name: z.string(),
  shape: z.array(z.int()),
  dtype: z.enum(['float32', 'int32']),
  quantization: z.object({ dtype: z.literal('float16') }).optional(),
})
const model = z.object({
  modelTopology: z.object({ node: z.array(node) }),
  weightsManifest: z.array(z.object({ weights: z.array(weight) })),
})

/** Converts a 16-bit float (IEEE 754 binary16) to 32 bits. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

type Weight = z.output<typeof weight>

function constantsOf(weights: readonly Weight[], bytes: Uint8Array): Map<string, Constant> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const constants = new Map<string, Constant>()
  let at = 0
  for (const { name, shape, dtype, quantization } of weights) {
    const count = shape.reduce((product, side) => product * side, 1)
    const width = quantization === undefined ? 4 : 2
    if (at + count * width > bytes.length) throw new Error(`the weights end before ${name}`)
    const data = dtype === 'int32' ? new Int32Array(count) : new Float32Array(count)
    for (let n = 0; n < count; n++, at += width) {
      if (quantization !== undefined) data[n] = fromHalf(view.getUint16(at, true))
      else data[n] = dtype === 'int32' ? view.getInt32(at, true) : view.getFloat32(at, true)
    }
    constants.set(name, { shape, data })
  }
  return constants
}

const nameOfInput = (name: string) => name.replace(/^\^/, '').replace(/:0$/, '')

function pairOf(attr: z.output<typeof node>['attr'], name: string): [number, number] {
  const [, down = 1, across = 1] = attr[name]?.list?.i ?? []
  return [down, across]
}

function nodeOf({ name, op, input, attr }: z.output<typeof node>): GraphNode {
  const decodeText = (coded: string | undefined) => (coded === undefined ? '' : Buffer.from(coded, 'base64').toString())
  const format = decodeText(attr.data_format?.s)
  if (format !== '' && format !== 'NHWC') throw new Error(`${name} does not have its channels last`)
  return {
    name,
    op,
    inputs: input.map(nameOfInput),
    strides: pairOf(attr, 'strides'),
    dilations: pairOf(attr, 'dilations'),
    window: pairOf(attr, 'ksize'),
    padding: decodeText(attr.padding?.s) === 'SAME' ? 'same' : 'valid',
    fused: (attr.fused_ops?.list?.s ?? []).map(decodeText),
  }
}

/** The nodes that these outputs need, in topological order. */
function requiredNodes(nodes: ReadonlyMap<string, GraphNode>, outputs: readonly string[]): GraphNode[] {
  const ordered = new Map<string, GraphNode>()
  const visit = (name: string) => {
    const one = nodes.get(name)
    if (one === undefined || ordered.has(name)) return
    for (const input of one.inputs) visit(input)
    ordered.set(name, one)
  }
  for (const name of outputs) {
    if (!nodes.has(name)) throw new Error(`the model has no ${name}`)
    visit(name)
  }
  return [...ordered.values()]
}

/** Reads the part of a model that these outputs need. Throws if the model is incomplete or of another kind. */
export function readGraph(json: unknown, weights: Uint8Array, outputs: readonly string[]): Graph {
  const { modelTopology, weightsManifest } = model.parse(json)
  const constants = constantsOf(
    weightsManifest.flatMap(group => group.weights),
    weights,
  )
  const placeholder = modelTopology.node.find(({ op }) => op === 'Placeholder')
  if (placeholder === undefined) throw new Error('the model has no input')
  const shape = sizes.parse(placeholder.attr.shape?.shape).dim.map(({ size }) => (size === -1 ? 1 : size))
  const inner = modelTopology.node.filter(({ op }) => op !== 'Placeholder' && op !== 'Const')
  const nodes = requiredNodes(new Map(inner.map(one => [one.name, nodeOf(one)])), outputs)
  return { input: { name: placeholder.name, shape }, nodes, constants, outputs }
}
