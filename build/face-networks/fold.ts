/** Fuses a convolution with the operators that follow it: scale and offset per channel, and clipping at 0 and 6. */
import type { Constant, Graph, GraphNode } from './graph.ts'

const convolutions: Readonly<Record<string, string>> = {
  Conv2D: '_FusedConv2D',
  DepthwiseConv2dNative: 'FusedDepthwiseConv2dNative',
}

function multiplied({ shape, data }: Constant, factors: Constant): Constant {
  const count = factors.data.length
  // The last dimension holds the result's channels; in a depthwise filter, the last two dimensions hold them.
  return { shape, data: Float32Array.from(data, (number, n) => number * (factors.data[n % count] ?? 1)) }
}

/** Returns a graph that computes the same result in fewer steps, apart from rounding. */
export function foldGraph(graph: Graph): Graph {
  const byName = new Map(graph.nodes.map(node => [node.name, node]))
  const constants = new Map(graph.constants)
  const users = new Map<string, GraphNode[]>()
  for (const node of graph.nodes) for (const name of node.inputs) users.set(name, [...(users.get(name) ?? []), node])
  const outputs = new Set(graph.outputs)
  const removed = new Set<string>()
  const fusedNodes = new Map<string, GraphNode>()

  /** The only node that uses the result of `node`, if its operator is `op`; else null. */
  function follower(node: GraphNode, op: string | readonly string[]): GraphNode | null {
    const [only, other] = users.get(node.name) ?? []
    const matches = only !== undefined && (typeof op === 'string' ? only.op === op : op.includes(only.op))
    return matches && other === undefined && !outputs.has(node.name) ? only : null
  }

  function constantBeside(node: GraphNode, from: GraphNode): Constant | null {
    const name = node.inputs.find(input => input !== from.name)
    return name === undefined ? null : (constants.get(name) ?? null)
  }

  for (const node of graph.nodes) {
    const fused = convolutions[node.op]
    const [input = '', filterName = ''] = node.inputs
    const filter = constants.get(filterName)
    if (fused === undefined || filter === undefined || node.fused.length > 0) continue
    const [, , inside = 1, last = 1] = filter.shape
    const channels = node.op === 'Conv2D' ? last : inside * last
    let at = node
    let folded = filter
    const isOfChannels = (constant: Constant | null): constant is Constant => constant?.data.length === channels
    const chain: GraphNode[] = []
    const advance = (next: GraphNode) => {
      chain.push(at)
      at = next
    }
    const product = follower(at, 'Mul')
    const factors = product === null ? null : constantBeside(product, at)
    if (product !== null && isOfChannels(factors)) {
      folded = multiplied(folded, factors)
      advance(product)
    }
    const sum = follower(at, ['Add', 'AddV2'])
    const bias = sum === null ? null : constantBeside(sum, at)
    if (sum === null || !isOfChannels(bias)) continue
    advance(sum)
    const names = [`${node.name} folded`, `${node.name} bias`]
    const steps = ['BiasAdd']
    const relu = follower(at, 'Relu')
    if (relu !== null) {
      advance(relu)
      steps.push('Relu')
      const cut = follower(at, 'Minimum')
      if (cut !== null && constantBeside(cut, at)?.data[0] === 6 && constantBeside(cut, at)?.data.length === 1) {
        advance(cut)
        steps[1] = 'Relu6'
        const floor = follower(at, 'Maximum')
        if (floor !== null && constantBeside(floor, at)?.data.length === 1 && constantBeside(floor, at)?.data[0] === 0)
          advance(floor)
      }
    }
    constants.set(names[0] ?? '', folded)
    constants.set(names[1] ?? '', { shape: [channels], data: bias.data })
    for (const one of chain) removed.add(one.name)
    fusedNodes.set(at.name, { ...node, name: at.name, op: fused, inputs: [input, ...names], fused: steps })
  }
  const nodes = [...byName.values()]
    .filter(({ name }) => !removed.has(name))
    .map(node => fusedNodes.get(node.name) ?? node)
  return { ...graph, nodes, constants }
}
