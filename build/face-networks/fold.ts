/** Fuses a convolution with the operators that follow it: scale and offset per channel, and clipping at 0 and 6. */
import type { Constant, Graph, GraphNode } from './graph.ts'

const convolutions: Readonly<Record<string, string>> = {
  Conv2D: '_FusedConv2D',
  DepthwiseConv2dNative: 'FusedDepthwiseConv2dNative',
}

function multiplyChannels({ shape, data }: Constant, factors: Constant): Constant {
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
  function onlyUserOf(node: GraphNode, op: string | readonly string[]): GraphNode | null {
    const [only, other] = users.get(node.name) ?? []
    const matches = only !== undefined && (typeof op === 'string' ? only.op === op : op.includes(only.op))
    return matches && other === undefined && !outputs.has(node.name) ? only : null
  }

  /** The constant that `node` combines with the result of `from`; null if the other input is no constant. */
  function otherInput(node: GraphNode, from: GraphNode): Constant | null {
    const name = node.inputs.find(input => input !== from.name)
    return name === undefined ? null : (constants.get(name) ?? null)
  }

  for (const node of graph.nodes) {
    const fused = convolutions[node.op]
    const [input = '', filterName = ''] = node.inputs
    const filter = constants.get(filterName)
    if (fused === undefined || filter === undefined || node.fused.length > 0) continue
    const [, , inside = 1, lastSide = 1] = filter.shape
    const channels = node.op === 'Conv2D' ? lastSide : inside * lastSide
    let lastNode = node
    let folded = filter
    const isPerChannel = (constant: Constant | null): constant is Constant => constant?.data.length === channels
    const chain: GraphNode[] = []
    const advance = (next: GraphNode) => {
      chain.push(lastNode)
      lastNode = next
    }
    const product = onlyUserOf(lastNode, 'Mul')
    const factors = product === null ? null : otherInput(product, lastNode)
    if (product !== null && isPerChannel(factors)) {
      folded = multiplyChannels(folded, factors)
      advance(product)
    }
    const sum = onlyUserOf(lastNode, ['Add', 'AddV2'])
    const bias = sum === null ? null : otherInput(sum, lastNode)
    if (sum === null || !isPerChannel(bias)) continue
    advance(sum)
    const names = [`${node.name} folded`, `${node.name} bias`]
    const steps = ['BiasAdd']
    const relu = onlyUserOf(lastNode, 'Relu')
    if (relu !== null) {
      advance(relu)
      steps.push('Relu')
      const upperBound = onlyUserOf(lastNode, 'Minimum')
      if (
        upperBound !== null &&
        otherInput(upperBound, lastNode)?.data[0] === 6 &&
        otherInput(upperBound, lastNode)?.data.length === 1
      ) {
        advance(upperBound)
        steps[1] = 'Relu6'
        const lowerBound = onlyUserOf(lastNode, 'Maximum')
        if (
          lowerBound !== null &&
          otherInput(lowerBound, lastNode)?.data.length === 1 &&
          otherInput(lowerBound, lastNode)?.data[0] === 0
        )
          advance(lowerBound)
      }
    }
    constants.set(names[0] ?? '', folded)
    constants.set(names[1] ?? '', { shape: [channels], data: bias.data })
    for (const one of chain) removed.add(one.name)
    fusedNodes.set(lastNode.name, { ...node, name: lastNode.name, op: fused, inputs: [input, ...names], fused: steps })
  }
  const nodes = [...byName.values()]
    .filter(({ name }) => !removed.has(name))
    .map(node => fusedNodes.get(node.name) ?? node)
  return { ...graph, nodes, constants }
}
