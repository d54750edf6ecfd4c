/**
 * Converts a tfjs graph to a model for ONNX Runtime, where channels come before height and width: the picture is
 * transposed at the beginning, and back where a result is read as a list.
 */
import type { Constant, Graph, GraphNode } from './graph.ts'
import { type OnnxAttribute, type OnnxNode, type OnnxTensor, writeOnnx } from './onnx-file.ts'

const forward = [0, 3, 1, 2]
const back = [0, 2, 3, 1]

function permuted({ shape, data }: Constant, order: readonly number[]): { shape: number[]; data: Float32Array } {
  const sides = order.map(side => shape[side] ?? 1)
  const steps = shape.map((_, side) => shape.slice(side + 1).reduce((product, one) => product * one, 1))
  const turned = new Float32Array(data.length)
  const at = sides.map(() => 0)
  for (let n = 0; n < turned.length; n++) {
    let from = 0
    for (let side = 0; side < sides.length; side++) from += (at[side] ?? 0) * (steps[order[side] ?? 0] ?? 0)
    turned[n] = data[from] ?? 0
    for (let side = sides.length - 1; side >= 0; side--) {
      const next = (at[side] ?? 0) + 1
      at[side] = next === sides[side] ? 0 : next
      if (at[side] !== 0) break
    }
  }
  return { shape: sides, data: turned }
}

/** A tensor with one number per channel, in the shape that can be added to or multiplied with pictures. */
function alongChannels({ shape, data }: Constant): { shape: number[]; data: Float32Array } {
  const channels = shape.at(-1) ?? 1
  if (data.length !== channels) throw new Error('a constant without exactly one number per channel')
  return { shape: [channels, 1, 1], data: Float32Array.from(data) }
}

function createWriter(graph: Graph) {
  const nodes: OnnxNode[] = []
  const constants = new Map<string, OnnxTensor>()
  /** Names of results with four dimensions, the second of which are the channels. */
  const pictures = new Set<string>()
  let created = 0

  function constantOf(name: string): Constant {
    const found = graph.constants.get(name)
    if (found === undefined) throw new Error(`${name} is no constant`)
    return found
  }

  function keep(name: string, shape: readonly number[], data: Float32Array | BigInt64Array): string {
    constants.set(name, { name, shape, data })
    return name
  }

  function kept(name: string): string {
    const { shape, data } = constantOf(name)
    return keep(name, shape, Float32Array.from(data))
  }

  function put(op: string, inputs: readonly string[], output: string, attributes: Attributes = {}): string {
    nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }

  function channels(name: string): string {
    const { shape, data } = alongChannels(constantOf(name))
    return keep(`${name} of channels`, shape, data)
  }

  const whole = (name: string, numbers: readonly number[]) =>
    keep(name, [numbers.length], BigInt64Array.from(numbers, BigInt))

  function channelsLast(name: string): string {
    return pictures.has(name) ? put('Transpose', [name], `${name} flat ${++created}`, { perm: back }) : name
  }

  return { graph, nodes, constants, pictures, constantOf, keep, kept, put, channels, whole, channelsLast }
}

type Writer = ReturnType<typeof createWriter>
type Attributes = Record<string, OnnxAttribute>

function inputsOf({ name, inputs }: GraphNode): [string, string, string[]] {
  const [first, second = '', ...more] = inputs
  if (first === undefined) throw new Error(`${name} has no input`)
  return [first, second, more]
}

function sliding({ name, strides, dilations, padding }: GraphNode): Attributes {
  // The runtime cannot combine dilation and padding.
  if (padding === 'same' && dilations.some(step => step !== 1)) throw new Error(`${name} is dilated and padded`)
  return { strides: [...strides], dilations: [...dilations], auto_pad: padding === 'same' ? 'SAME_UPPER' : 'VALID' }
}

/** Adds a node with `put`, then its activation if it has one; the last of them gets the node's name. */
function activated(to: Writer, { name, fused }: GraphNode, slopes: string | undefined, put: (output: string) => void) {
  const act = fused.find(one => one !== 'BiasAdd')
  const from = act === undefined ? name : `${name} before`
  const bound = (number: number) => to.keep(`bound ${number}`, [], Float32Array.of(number))
  put(from)
  if (act === 'Relu') to.put('Relu', [from], name)
  else if (act === 'Relu6') to.put('Clip', [from, bound(0), bound(6)], name)
  else if (act === 'Prelu' && slopes !== undefined) to.put('PRelu', [from, to.channels(slopes)], name)
  else if (act !== undefined) throw new Error(`unknown activation '${act}'`)
}

function convolution(to: Writer, node: GraphNode): void {
  const [picture, filterName, more] = inputsOf(node)
  const filter = to.constantOf(filterName)
  const isDeep = node.op.includes('Depthwise')
  const [high = 1, wide = 1, channelsIn = 1, times = 1] = filter.shape
  const turned = permuted(filter, isDeep ? [2, 3, 0, 1] : [3, 2, 0, 1])
  const shape = isDeep ? [channelsIn * times, 1, high, wide] : turned.shape
  const inputs = [picture, to.keep(`${node.name} filter`, shape, turned.data)]
  const [bias = '', slopes] = more
  if (node.fused.includes('BiasAdd')) {
    const { data } = to.constantOf(bias)
    inputs.push(to.keep(bias, [data.length], Float32Array.from(data)))
  }
  const attributes = { ...sliding(node), ...(isDeep ? { group: channelsIn } : {}) }
  activated(to, node, slopes, output => to.put('Conv', inputs, output, attributes))
  to.pictures.add(node.name)
}

function product(to: Writer, node: GraphNode): void {
  const [from, matrix, [bias]] = inputsOf(node)
  const inputs = [from, to.kept(matrix), ...(bias === undefined ? [] : [to.kept(bias)])]
  activated(to, node, undefined, output => to.put('Gemm', inputs, output))
}

/** Combines two pictures, or a picture with one number per channel or one number for all channels. */
function together(op: string): Convert {
  return (to, node) => {
    const [a, b] = inputsOf(node)
    const isPicture = to.pictures.has(a) || to.pictures.has(b)
    const operand = (name: string) => {
      const constant = to.graph.constants.get(name)
      if (constant === undefined) return name
      if (constant.data.length === 1) return to.keep(name, [], Float32Array.from(constant.data))
      return isPicture ? to.channels(name) : to.kept(name)
    }
    to.put(op, [operand(a), operand(b)], node.name)
    if (isPicture) to.pictures.add(node.name)
  }
}

function padded(to: Writer, node: GraphNode): void {
  const [from, sides] = inputsOf(node)
  const pads = [...to.constantOf(sides).data]
  const order = to.pictures.has(from) ? forward : pads.slice(0, pads.length / 2).map((_, side) => side)
  const places = [0, 1].flatMap(end => order.map(side => pads[2 * side + end] ?? 0))
  to.put('Pad', [from, to.whole(`${node.name} sides`, places)], node.name)
  if (to.pictures.has(from)) to.pictures.add(node.name)
}

function averaged(to: Writer, node: GraphNode): void {
  const [from, axesName] = inputsOf(node)
  const isPicture = to.pictures.has(from)
  const axes = [...to.constantOf(axesName).data].map(axis => (isPicture ? forward.indexOf(axis) : axis))
  to.put('ReduceMean', [from], node.name, { axes, keepdims: 0 })
}

function reshaped(to: Writer, node: GraphNode): void {
  const [from, shape] = inputsOf(node)
  const sides = to.whole(`${node.name} sides`, [...to.constantOf(shape).data])
  to.put('Reshape', [to.channelsLast(from), sides], node.name)
}

function simple(op: string, attributesOf: (node: GraphNode) => Attributes = () => ({})): Convert {
  return (to, node) => {
    const [from] = inputsOf(node)
    to.put(op, [from], node.name, attributesOf(node))
    if (to.pictures.has(from)) to.pictures.add(node.name)
  }
}

type Convert = (to: Writer, node: GraphNode) => void

const kinds: Readonly<Record<string, Convert>> = {
  Conv2D: convolution,
  _FusedConv2D: convolution,
  DepthwiseConv2dNative: convolution,
  FusedDepthwiseConv2dNative: convolution,
  _FusedMatMul: product,
  MatMul: product,
  Add: together('Add'),
  AddV2: together('Add'),
  Mul: together('Mul'),
  Minimum: together('Min'),
  Maximum: together('Max'),
  Relu: simple('Relu'),
  Sigmoid: simple('Sigmoid'),
  Softmax: simple('Softmax', () => ({ axis: 1 })),
  Identity: simple('Identity'),
  MaxPool: simple('MaxPool', node => ({ ...sliding(node), kernel_shape: [...node.window] })),
  Prelu(to, node) {
    const [from, slopes] = inputsOf(node)
    to.put('PRelu', [from, to.channels(slopes)], node.name)
    to.pictures.add(node.name)
  },
  Pad: padded,
  Mean: averaged,
  Reshape: reshaped,
}

/** Returns the graph as an `.onnx` file, with inputs and outputs as in tfjs. Throws on an unknown operator. */
export function onnxOf(graph: Graph): Uint8Array {
  const writer = createWriter(graph)
  const { nodes, constants, pictures, put, channelsLast } = writer
  const { name, shape } = graph.input
  // The nodes use the transposed input.
  const input = `${name} as given`
  if (shape.length === 4) {
    put('Transpose', [input], name, { perm: forward })
    pictures.add(name)
  } else put('Identity', [input], name)
  for (const node of graph.nodes) {
    const convert = kinds[node.op]
    if (convert === undefined) throw new Error(`unknown operator ${node.op}`)
    convert(writer, node)
  }
  const outputs = graph.outputs.map(output => {
    const from = channelsLast(output)
    put('Identity', [from], `${output} as asked`)
    return { name: `${output} as asked`, shape: null }
  })
  return writeOnnx({ inputs: [{ name: input, shape }], outputs, nodes, constants: [...constants.values()] })
}
