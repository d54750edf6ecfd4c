/**
 * Converts a tfjs graph to a model for ONNX Runtime, where channels come before height and width: the picture is
 * transposed at the beginning, and transposed back where a result is read as a list.
 */
import type { Constant, Graph, GraphNode } from './graph.ts'
import { type OnnxAttribute, type OnnxNode, type OnnxTensor, writeOnnx } from './onnx-file.ts'

const toChannelsFirst = [0, 3, 1, 2]
const toChannelsLast = [0, 2, 3, 1]

function permute({ shape, data }: Constant, order: readonly number[]): { shape: number[]; data: Float32Array } {
  const sides = order.map(side => shape[side] ?? 1)
  const steps = shape.map((_, side) => shape.slice(side + 1).reduce((product, one) => product * one, 1))
  const permuted = new Float32Array(data.length)
  const at = sides.map(() => 0)
  for (let n = 0; n < permuted.length; n++) {
    let from = 0
    for (let side = 0; side < sides.length; side++) from += (at[side] ?? 0) * (steps[order[side] ?? 0] ?? 0)
    permuted[n] = data[from] ?? 0
    for (let side = sides.length - 1; side >= 0; side--) {
      const next = (at[side] ?? 0) + 1
      at[side] = next === sides[side] ? 0 : next
      if (at[side] !== 0) break
    }
  }
  return { shape: sides, data: permuted }
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

  function addConstant(name: string, shape: readonly number[], data: Float32Array | BigInt64Array): string {
    constants.set(name, { name, shape, data })
    return name
  }

  function addFloats(name: string): string {
    const { shape, data } = constantOf(name)
    return addConstant(name, shape, Float32Array.from(data))
  }

  function addNode(op: string, inputs: readonly string[], output: string, attributes: Attributes = {}): string {
    nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }

  function addChannelValues(name: string): string {
    const { shape, data } = alongChannels(constantOf(name))
    return addConstant(`${name} of channels`, shape, data)
  }

  const addIntegers = (name: string, numbers: readonly number[]) =>
    addConstant(name, [numbers.length], BigInt64Array.from(numbers, BigInt))

  function transposedToChannelsLast(name: string): string {
    return pictures.has(name)
      ? addNode('Transpose', [name], `${name} flat ${++created}`, { perm: toChannelsLast })
      : name
  }

  return {
    graph,
    nodes,
    constants,
    pictures,
    constantOf,
    addConstant,
    addFloats,
    addNode,
    addChannelValues,
    addIntegers,
    transposedToChannelsLast,
  }
}

type Writer = ReturnType<typeof createWriter>
type Attributes = Record<string, OnnxAttribute>

function inputsOf({ name, inputs }: GraphNode): [string, string, string[]] {
  const [first, second = '', ...more] = inputs
  if (first === undefined) throw new Error(`${name} has no input`)
  return [first, second, more]
}

function slidingAttributes({ name, strides, dilations, padding }: GraphNode): Attributes {
  // The runtime cannot combine dilation and padding.
  if (padding === 'same' && dilations.some(step => step !== 1)) throw new Error(`${name} is dilated and padded`)
  return { strides: [...strides], dilations: [...dilations], auto_pad: padding === 'same' ? 'SAME_UPPER' : 'VALID' }
}

/** Adds a node with `addOutput`, then its activation if it has one. The last of them gets the node's name. */
function addWithActivation(
  to: Writer,
  { name, fused }: GraphNode,
  slopes: string | undefined,
  addOutput: (output: string) => void,
) {
  const act = fused.find(one => one !== 'BiasAdd')
  const from = act === undefined ? name : `${name} before`
  const bound = (number: number) => to.addConstant(`bound ${number}`, [], Float32Array.of(number))
  addOutput(from)
  if (act === 'Relu') to.addNode('Relu', [from], name)
  else if (act === 'Relu6') to.addNode('Clip', [from, bound(0), bound(6)], name)
  else if (act === 'Prelu' && slopes !== undefined) to.addNode('PRelu', [from, to.addChannelValues(slopes)], name)
  else if (act !== undefined) throw new Error(`unknown activation '${act}'`)
}

function addConvolution(to: Writer, node: GraphNode): void {
  const [picture, filterName, more] = inputsOf(node)
  const filter = to.constantOf(filterName)
  const isDepthwise = node.op.includes('Depthwise')
  const [high = 1, wide = 1, channelsIn = 1, times = 1] = filter.shape
  const permuted = permute(filter, isDepthwise ? [2, 3, 0, 1] : [3, 2, 0, 1])
  const shape = isDepthwise ? [channelsIn * times, 1, high, wide] : permuted.shape
  const inputs = [picture, to.addConstant(`${node.name} filter`, shape, permuted.data)]
  const [bias = '', slopes] = more
  if (node.fused.includes('BiasAdd')) {
    const { data } = to.constantOf(bias)
    inputs.push(to.addConstant(bias, [data.length], Float32Array.from(data)))
  }
  const attributes = { ...slidingAttributes(node), ...(isDepthwise ? { group: channelsIn } : {}) }
  addWithActivation(to, node, slopes, output => to.addNode('Conv', inputs, output, attributes))
  to.pictures.add(node.name)
}

function addMatrixProduct(to: Writer, node: GraphNode): void {
  const [from, matrix, [bias]] = inputsOf(node)
  const inputs = [from, to.addFloats(matrix), ...(bias === undefined ? [] : [to.addFloats(bias)])]
  addWithActivation(to, node, undefined, output => to.addNode('Gemm', inputs, output))
}

/** Combines two pictures, or a picture with one number per channel or one number for all channels. */
function elementwise(op: string): Convert {
  return (to, node) => {
    const [a, b] = inputsOf(node)
    const isPicture = to.pictures.has(a) || to.pictures.has(b)
    const operand = (name: string) => {
      const constant = to.graph.constants.get(name)
      if (constant === undefined) return name
      if (constant.data.length === 1) return to.addConstant(name, [], Float32Array.from(constant.data))
      return isPicture ? to.addChannelValues(name) : to.addFloats(name)
    }
    to.addNode(op, [operand(a), operand(b)], node.name)
    if (isPicture) to.pictures.add(node.name)
  }
}

function addPadding(to: Writer, node: GraphNode): void {
  const [from, sides] = inputsOf(node)
  const pads = [...to.constantOf(sides).data]
  const order = to.pictures.has(from) ? toChannelsFirst : pads.slice(0, pads.length / 2).map((_, side) => side)
  const places = [0, 1].flatMap(end => order.map(side => pads[2 * side + end] ?? 0))
  to.addNode('Pad', [from, to.addIntegers(`${node.name} sides`, places)], node.name)
  if (to.pictures.has(from)) to.pictures.add(node.name)
}

function addMean(to: Writer, node: GraphNode): void {
  const [from, axesName] = inputsOf(node)
  const isPicture = to.pictures.has(from)
  const axes = [...to.constantOf(axesName).data].map(axis => (isPicture ? toChannelsFirst.indexOf(axis) : axis))
  to.addNode('ReduceMean', [from], node.name, { axes, keepdims: 0 })
}

function addReshape(to: Writer, node: GraphNode): void {
  const [from, shape] = inputsOf(node)
  const sides = to.addIntegers(`${node.name} sides`, [...to.constantOf(shape).data])
  to.addNode('Reshape', [to.transposedToChannelsLast(from), sides], node.name)
}

function withOneInput(op: string, attributesOf: (node: GraphNode) => Attributes = () => ({})): Convert {
  return (to, node) => {
    const [from] = inputsOf(node)
    to.addNode(op, [from], node.name, attributesOf(node))
    if (to.pictures.has(from)) to.pictures.add(node.name)
  }
}

type Convert = (to: Writer, node: GraphNode) => void

const converters: Readonly<Record<string, Convert>> = {
  Conv2D: addConvolution,
  _FusedConv2D: addConvolution,
  DepthwiseConv2dNative: addConvolution,
  FusedDepthwiseConv2dNative: addConvolution,
  _FusedMatMul: addMatrixProduct,
  MatMul: addMatrixProduct,
  Add: elementwise('Add'),
  AddV2: elementwise('Add'),
  Mul: elementwise('Mul'),
  Minimum: elementwise('Min'),
  Maximum: elementwise('Max'),
  Relu: withOneInput('Relu'),
  Sigmoid: withOneInput('Sigmoid'),
  Softmax: withOneInput('Softmax', () => ({ axis: 1 })),
  Identity: withOneInput('Identity'),
  MaxPool: withOneInput('MaxPool', node => ({ ...slidingAttributes(node), kernel_shape: [...node.window] })),
  Prelu(to, node) {
    const [from, slopes] = inputsOf(node)
    to.addNode('PRelu', [from, to.addChannelValues(slopes)], node.name)
    to.pictures.add(node.name)
  },
  Pad: addPadding,
  Mean: addMean,
  Reshape: addReshape,
}

/** Returns the graph as an `.onnx` file, with inputs and outputs as in tfjs. Throws on an unknown operator. */
export function onnxOf(graph: Graph): Uint8Array {
  const writer = createWriter(graph)
  const { nodes, constants, pictures, addNode, transposedToChannelsLast } = writer
  const { name, shape } = graph.input
  // The nodes use the transposed input.
  const input = `${name} as given`
  if (shape.length === 4) {
    addNode('Transpose', [input], name, { perm: toChannelsFirst })
    pictures.add(name)
  } else addNode('Identity', [input], name)
  for (const node of graph.nodes) {
    const convert = converters[node.op]
    if (convert === undefined) throw new Error(`unknown operator ${node.op}`)
    convert(writer, node)
  }
  const outputs = graph.outputs.map(output => {
    const from = transposedToChannelsLast(output)
    addNode('Identity', [from], `${output} as asked`)
    return { name: `${output} as asked`, shape: null }
  })
  return writeOnnx({ inputs: [{ name: input, shape }], outputs, nodes, constants: [...constants.values()] })
}
