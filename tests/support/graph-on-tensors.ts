/** Computes a graph with the operators of tfjs-core, on the backend that is set. */
import type * as tfjs from '@tensorflow/tfjs-core'
import type { Graph, GraphNode } from '../../build/face-networks/graph.ts'

type Tensor = tfjs.Tensor

const isPicture = (tensor: Tensor): tensor is tfjs.Tensor4D => tensor.rank === 4

function asPicture(tensor: Tensor): tfjs.Tensor4D {
  if (isPicture(tensor)) return tensor
  throw new Error(`a picture has four dimensions, not ${tensor.rank}`)
}

const activations: Readonly<Record<string, 'relu' | 'relu6' | 'prelu'>> = {
  Relu: 'relu',
  Relu6: 'relu6',
  Prelu: 'prelu',
}

function pairs(numbers: readonly number[]): [number, number][] {
  return Array.from({ length: numbers.length / 2 }, (_, n) => [numbers[2 * n] ?? 0, numbers[2 * n + 1] ?? 0])
}

/** The operations fused with a node, as options of tfjs. */
function fusedWith({ name, fused }: GraphNode, more: readonly Tensor[]) {
  const rest = [...more]
  const bias = fused.includes('BiasAdd') ? rest.shift() : undefined
  const act = fused.find(one => one !== 'BiasAdd')
  if (act === undefined) return { bias }
  const activation = activations[act]
  if (activation === undefined) throw new Error(`${name}: unknown activation '${act}'`)
  return { bias, activation, preluActivationWeights: activation === 'prelu' ? rest.shift() : undefined }
}

const convolutionOptions = (x: Tensor, filter: Tensor, { strides, dilations, padding }: GraphNode) => ({
  x: asPicture(x),
  filter: asPicture(filter),
  strides: [...strides] satisfies [number, number],
  dilations: [...dilations] satisfies [number, number],
  pad: padding,
})

function compute(tf: typeof tfjs, graph: Graph, node: GraphNode, inputs: Tensor[]): Tensor {
  const [a, b, ...more] = inputs
  if (a === undefined) throw new Error(`${node.name} has no input`)
  const second = () => {
    if (b === undefined) throw new Error(`${node.name} lacks an input`)
    return b
  }
  const numbers = () => [...(graph.constants.get(node.inputs[1] ?? '')?.data ?? [])]
  switch (node.op) {
    case 'Conv2D':
    case '_FusedConv2D':
      return tf.fused.conv2d({ ...convolutionOptions(a, second(), node), ...fusedWith(node, more) })
    case 'DepthwiseConv2dNative':
    case 'FusedDepthwiseConv2dNative':
      return tf.fused.depthwiseConv2d({ ...convolutionOptions(a, second(), node), ...fusedWith(node, more) })
    case '_FusedMatMul':
    case 'MatMul':
      return tf.fused.matMul({ a, b: second(), ...fusedWith(node, more) })
    case 'Add':
    case 'AddV2':
      return tf.add(a, second())
    case 'Mul':
      return tf.mul(a, second())
    case 'Minimum':
      return tf.minimum(a, second())
    case 'Maximum':
      return tf.maximum(a, second())
    case 'Relu':
      return tf.relu(a)
    case 'Prelu':
      return tf.prelu(a, second())
    case 'Sigmoid':
      return tf.sigmoid(a)
    case 'Softmax':
      return tf.softmax(a)
    case 'Identity':
      return a
    case 'MaxPool':
      return tf.maxPool(asPicture(a), [...node.window], [...node.strides], node.padding)
    case 'Pad':
      return tf.pad(a, pairs(numbers()))
    case 'Mean':
      return tf.mean(a, numbers())
    case 'Reshape':
      return tf.reshape(a, numbers())
    default:
      throw new Error(`unknown operator ${node.op}`)
  }
}

/** Passes the weights to the backend once; `run` can then be called repeatedly. */
export function graphOnTensors(tf: typeof tfjs, graph: Graph) {
  const constants = new Map<string, Tensor>()
  const used = new Set(graph.nodes.flatMap(({ inputs }) => inputs))
  for (const [name, { shape, data }] of graph.constants) {
    if (!used.has(name)) continue
    constants.set(name, tf.keep(tf.tensor(data, [...shape], data instanceof Int32Array ? 'int32' : 'float32')))
  }

  return {
    run(input: Float32Array): Float32Array[] {
      const results = tf.tidy(() => {
        const values = new Map<string, Tensor>(constants)
        values.set(graph.input.name, tf.tensor(input, [...graph.input.shape], 'float32'))
        for (const node of graph.nodes) {
          const inputs = node.inputs.map(name => {
            const value = values.get(name)
            if (value === undefined) throw new Error(`${node.name} comes before ${name}`)
            return value
          })
          values.set(node.name, compute(tf, graph, node, inputs))
        }
        return graph.outputs.map(name => {
          const value = values.get(name)
          if (value === undefined) throw new Error(`there is no ${name}`)
          return value
        })
      })
      const numbers = results.map(result => Float32Array.from(result.dataSync()))
      tf.dispose(results)
      return numbers
    },
  }
}
