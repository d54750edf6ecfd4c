/**
 * Turns a graph of tfjs into a model for ONNX Runtime. There, channels stand before height and width: the picture is
 * turned so at the beginning, and back where a result is read as a list.
 */
import type { Constant, Graph, GraphNode } from './graph.ts'
import { type OnnxAttribute, type OnnxNode, type OnnxTensor, writeOnnx } from './onnx-file.ts'

const forward = [0, 3, 1, 2]
const back = [0, 2, 3, 1]

/** The constant with its sides in another order. */
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

/** What belongs to channels, to be added to or multiplied with pictures: sides before it fall away. */
function alongChannels({ shape, data }: Constant): { shape: number[]; data: Float32Array } {
  const channels = shape.at(-1) ?? 1
  if (data.length !== channels) throw new Error('a constant that is not one number a channel')
  return { shape: [channels, 1, 1], data: Float32Array.from(data) }
}

function converter(graph: Graph) {
  const nodes: OnnxNode[] = []
  const constants = new Map<string, OnnxTensor>()
  /** Results that have four sides: their channels stand second. */
  const pictures = new Set<string>()
  let made = 0

  function constantOf(name: string): Constant {
    const found = graph.constants.get(name)
    if (found === undefined) throw new Error(`${name} is no constant`)
    return found
  }

  function keep(name: string, shape: readonly number[], data: Float32Array | BigInt64Array): string {
    constants.set(name, { name, shape, data })
    return name
  }

  const whole = (name: string, numbers: readonly number[]) =>
    keep(name, [numbers.length], BigInt64Array.from(numbers, BigInt))

  function put(
    op: string,
    inputs: readonly string[],
    output: string,
    attributes: Record<string, OnnxAttribute> = {},
  ): string {
    nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }

  function inputsOf({ name, inputs }: GraphNode): [string, string, string[]] {
    const [first, second = '', ...more] = inputs
    if (first === undefined) throw new Error(`${name} has nothing to work on`)
    return [first, second, more]
  }

  function sliding({ name, strides, dilations, padding }: GraphNode): Record<string, OnnxAttribute> {
    // The runtime does not reckon the one together with the other.
    if (padding === 'same' && dilations.some(step => step !== 1)) throw new Error(`${name} is dilated and padded`)
    return { strides: [...strides], dilations: [...dilations], auto_pad: padding === 'same' ? 'SAME_UPPER' : 'VALID' }
  }

  function activated(fused: string, from: string, to: string, slopes: string | undefined): void {
    if (fused === 'Relu') put('Relu', [from], to)
    else if (fused === 'Relu6') put('Clip', [from, bound('0', 0), bound('6', 6)], to)
    else if (fused === 'Prelu' && slopes !== undefined) put('PRelu', [from, channels(slopes)], to)
    else throw new Error(`nothing is known of '${fused}'`)
  }

  function bound(name: string, number: number): string {
    return keep(`bound ${name}`, [], Float32Array.of(number))
  }

  function channels(name: string): string {
    const { shape, data } = alongChannels(constantOf(name))
    return keep(`${name} of channels`, shape, data)
  }

  function convolution(node: GraphNode): void {
    const [picture, filterName, more] = inputsOf(node)
    const filter = constantOf(filterName)
    const isDeep = node.op.includes('Depthwise')
    const [, , channelsIn = 1, times = 1] = filter.shape
    const turned = permuted(filter, isDeep ? [2, 3, 0, 1] : [3, 2, 0, 1])
    const [high = 1, wide = 1] = filter.shape
    const shape = isDeep ? [channelsIn * times, 1, high, wide] : turned.shape
    const inputs = [picture, keep(`${node.name} filter`, shape, turned.data)]
    const hasBias = node.fused.includes('BiasAdd')
    const [bias = '', slopes] = more
    if (hasBias) inputs.push(keep(bias, [constantOf(bias).data.length], Float32Array.from(constantOf(bias).data)))
    const act = node.fused.find(fused => fused !== 'BiasAdd')
    const output = act === undefined ? node.name : `${node.name} before`
    put('Conv', inputs, output, { ...sliding(node), ...(isDeep ? { group: channelsIn } : {}) })
    if (act !== undefined) activated(act, output, node.name, slopes)
    pictures.add(node.name)
  }

  function product(node: GraphNode): void {
    const [from, matrixName, [bias]] = inputsOf(node)
    const matrix = constantOf(matrixName)
    const inputs = [from, keep(matrixName, matrix.shape, Float32Array.from(matrix.data))]
    if (bias !== undefined) inputs.push(keep(bias, constantOf(bias).shape, Float32Array.from(constantOf(bias).data)))
    const act = node.fused.find(fused => fused !== 'BiasAdd')
    const output = act === undefined ? node.name : `${node.name} before`
    put('Gemm', inputs, output)
    if (act !== undefined) activated(act, output, node.name, undefined)
  }

  /** Two pictures, or a picture and one number for each channel, or for all. */
  function together(node: GraphNode, op: string): void {
    const [a, b] = inputsOf(node)
    const isPicture = pictures.has(a) || pictures.has(b)
    const operand = (name: string) => {
      const constant = graph.constants.get(name)
      if (constant === undefined) return name
      if (constant.data.length === 1) return keep(name, [], Float32Array.from(constant.data))
      return isPicture ? channels(name) : keep(name, constant.shape, Float32Array.from(constant.data))
    }
    put(op, [operand(a), operand(b)], node.name)
    if (isPicture) pictures.add(node.name)
  }

  function padded(node: GraphNode): void {
    const [from, sides] = inputsOf(node)
    const pads = [...constantOf(sides).data]
    const order = pictures.has(from) ? forward : pads.slice(0, pads.length / 2).map((_, side) => side)
    const [before, after] = [0, 1].map(end => order.map(side => pads[2 * side + end] ?? 0))
    put('Pad', [from, whole(`${node.name} sides`, [...(before ?? []), ...(after ?? [])])], node.name)
    if (pictures.has(from)) pictures.add(node.name)
  }

  function averaged(node: GraphNode): void {
    const [from, axesName] = inputsOf(node)
    const axes = [...constantOf(axesName).data].map(axis => (pictures.has(from) ? forward.indexOf(axis) : axis))
    put('ReduceMean', [from], node.name, { axes, keepdims: 0 })
  }

  function reshaped(node: GraphNode): void {
    const [from, shape] = inputsOf(node)
    const sides = whole(`${node.name} sides`, [...constantOf(shape).data])
    put('Reshape', [flat(from), sides], node.name)
  }

  /** A picture as tfjs has it. */
  function flat(name: string): string {
    return pictures.has(name) ? put('Transpose', [name], `${name} flat ${++made}`, { perm: back }) : name
  }

  function simple(node: GraphNode, op: string, attributes: Record<string, OnnxAttribute> = {}): void {
    const [from] = inputsOf(node)
    put(op, [from], node.name, attributes)
    if (pictures.has(from)) pictures.add(node.name)
  }

  const kinds: Record<string, (node: GraphNode) => void> = {
    Conv2D: convolution,
    _FusedConv2D: convolution,
    DepthwiseConv2dNative: convolution,
    FusedDepthwiseConv2dNative: convolution,
    _FusedMatMul: product,
    MatMul: product,
    Add: node => together(node, 'Add'),
    AddV2: node => together(node, 'Add'),
    Mul: node => together(node, 'Mul'),
    Minimum: node => together(node, 'Min'),
    Maximum: node => together(node, 'Max'),
    Relu: node => simple(node, 'Relu'),
    Sigmoid: node => simple(node, 'Sigmoid'),
    Softmax: node => simple(node, 'Softmax', { axis: 1 }),
    Identity: node => simple(node, 'Identity'),
    MaxPool: node => simple(node, 'MaxPool', { ...sliding(node), kernel_shape: [...node.window] }),
    Prelu(node) {
      const [from, slopes] = inputsOf(node)
      put('PRelu', [from, channels(slopes)], node.name)
      pictures.add(node.name)
    },
    Pad: padded,
    Mean: averaged,
    Reshape: reshaped,
  }

  return { nodes, constants, pictures, put, flat, kinds }
}

/**
 * The graph as the bytes of an `.onnx` file: its input as tfjs has it ([1, height, width, channels]), its outputs too, and
 * named as there. Throws where an operator is not known.
 */
export function onnxOf(graph: Graph): Uint8Array {
  const { nodes, constants, pictures, put, flat, kinds } = converter(graph)
  const { name, shape } = graph.input
  // What the nodes call the input is the turned one.
  const input = `${name} as given`
  if (shape.length === 4) {
    put('Transpose', [input], name, { perm: forward })
    pictures.add(name)
  } else put('Identity', [input], name)
  for (const node of graph.nodes) {
    const convert = kinds[node.op]
    if (convert === undefined) throw new Error(`the operator ${node.op} is not known`)
    convert(node)
  }
  const outputs = graph.outputs.map(output => {
    const from = flat(output)
    put('Identity', [from], `${output} as asked`)
    return { name: `${output} as asked`, shape: null }
  })
  return writeOnnx({ inputs: [{ name: input, shape }], outputs, nodes, constants: [...constants.values()] })
}
