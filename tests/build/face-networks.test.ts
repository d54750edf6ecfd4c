import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import '@tensorflow/tfjs-backend-cpu'
import { foldGraph } from '../../build/face-networks/fold.ts'
import { type Constant, fromHalf, type Graph, type GraphNode, readGraph } from '../../build/face-networks/graph.ts'
import { onnxOf } from '../../build/face-networks/to-onnx.ts'
import { loadOnnx, openOnnx } from '../../core/people/faces/onnx.ts'
import { graphOnTensors } from '../support/graph-on-tensors.ts'
import { projectRoot } from '../support/source-tree.ts'
import { temporaryDirectory } from '../support/temporary.ts'

await tf.setBackend('cpu')

const wave = (count: number, step = 0.7) => Float32Array.from({ length: count }, (_, n) => Math.sin(n * step))
const constant = (shape: number[], step?: number): Constant => ({
  shape,
  data: wave(
    shape.reduce((a, b) => a * b, 1),
    step,
  ),
})
const integers = (shape: number[], ...numbers: number[]): Constant => ({ shape, data: Int32Array.from(numbers) })
const number = (value: number): Constant => ({ shape: [], data: Float32Array.of(value) })

const plain: Omit<GraphNode, 'name' | 'op' | 'inputs'> = {
  strides: [1, 1],
  dilations: [1, 1],
  window: [1, 1],
  padding: 'same',
  fused: [],
}

/** A network that applies `nodes` to the input `in`; its output is the last node. */
function graph(
  shape: number[],
  nodes: ({ op: string; inputs: string[] } & Partial<GraphNode>)[],
  constants: Record<string, Constant> = {},
): Graph {
  const named = nodes.map((node, n) => ({ ...plain, name: `n${n}`, ...node }))
  return {
    input: { name: 'in', shape },
    nodes: named,
    constants: new Map(Object.entries(constants)),
    outputs: [named.at(-1)?.name ?? ''],
  }
}

const pictureShape = [1, 7, 6, 4]
const operators: [name: string, Graph][] = [
  [
    'Conv2D, strides of two, same',
    graph(pictureShape, [{ op: 'Conv2D', inputs: ['in', 'f'], strides: [2, 2] }], { f: constant([3, 3, 4, 5]) }),
  ],
  [
    'Conv2D, valid',
    graph(pictureShape, [{ op: 'Conv2D', inputs: ['in', 'f'], padding: 'valid' }], { f: constant([3, 2, 4, 5]) }),
  ],
  [
    'Conv2D, dilated, valid',
    graph(pictureShape, [{ op: 'Conv2D', inputs: ['in', 'f'], dilations: [2, 2], padding: 'valid' }], {
      f: constant([3, 3, 4, 2]),
    }),
  ],
  [
    '_FusedConv2D with bias and Relu',
    graph(pictureShape, [{ op: '_FusedConv2D', inputs: ['in', 'f', 'b'], fused: ['BiasAdd', 'Relu'] }], {
      f: constant([1, 1, 4, 3]),
      b: constant([3], 2),
    }),
  ],
  [
    '_FusedConv2D with bias and Relu6',
    graph(pictureShape, [{ op: '_FusedConv2D', inputs: ['in', 'f', 'b'], fused: ['BiasAdd', 'Relu6'] }], {
      f: constant([3, 3, 4, 3]),
      b: { shape: [3], data: Float32Array.of(5, 6, 7) },
    }),
  ],
  [
    '_FusedConv2D with bias and Prelu',
    graph(
      pictureShape,
      [{ op: '_FusedConv2D', inputs: ['in', 'f', 'b', 's'], fused: ['BiasAdd', 'Prelu'], strides: [2, 2] }],
      { f: constant([3, 3, 4, 3]), b: constant([3], 2), s: constant([1, 1, 3], 3) },
    ),
  ],
  [
    'DepthwiseConv2dNative',
    graph(pictureShape, [{ op: 'DepthwiseConv2dNative', inputs: ['in', 'f'], strides: [2, 2] }], {
      f: constant([3, 3, 4, 1]),
    }),
  ],
  [
    'DepthwiseConv2dNative with two results per channel',
    graph(pictureShape, [{ op: 'DepthwiseConv2dNative', inputs: ['in', 'f'] }], { f: constant([3, 3, 4, 2]) }),
  ],
  [
    'Add of two pictures',
    graph(pictureShape, [
      { op: 'Relu', inputs: ['in'] },
      { op: 'AddV2', inputs: ['n0', 'in'] },
    ]),
  ],
  ['Add of one number per channel', graph(pictureShape, [{ op: 'Add', inputs: ['in', 'b'] }], { b: constant([4]) })],
  [
    'Mul by one number per channel',
    graph(pictureShape, [{ op: 'Mul', inputs: ['in', 'b'] }], { b: constant([1, 1, 4]) }),
  ],
  ['Minimum', graph(pictureShape, [{ op: 'Minimum', inputs: ['in', 'm'] }], { m: number(0.3) })],
  ['Maximum', graph(pictureShape, [{ op: 'Maximum', inputs: ['in', 'm'] }], { m: number(-0.2) })],
  ['Relu', graph(pictureShape, [{ op: 'Relu', inputs: ['in'] }])],
  ['Prelu', graph(pictureShape, [{ op: 'Prelu', inputs: ['in', 's'] }], { s: constant([1, 1, 4]) })],
  ['Sigmoid', graph(pictureShape, [{ op: 'Sigmoid', inputs: ['in'] }])],
  ['Identity', graph(pictureShape, [{ op: 'Identity', inputs: ['in'] }])],
  ['MaxPool, same', graph(pictureShape, [{ op: 'MaxPool', inputs: ['in'], window: [2, 2], strides: [2, 2] }])],
  [
    'MaxPool, valid',
    graph(pictureShape, [{ op: 'MaxPool', inputs: ['in'], window: [2, 2], strides: [2, 2], padding: 'valid' }]),
  ],
  [
    'Pad, including the channels',
    graph(pictureShape, [{ op: 'Pad', inputs: ['in', 'p'] }], { p: integers([4, 2], 0, 0, 1, 2, 0, 1, 2, 3) }),
  ],
  [
    'Reshape of a picture',
    graph(pictureShape, [{ op: 'Reshape', inputs: ['in', 'p'] }], { p: integers([3], 1, -1, 2) }),
  ],
  [
    'Mean over height and width',
    graph(pictureShape, [{ op: 'Mean', inputs: ['in', 'p'] }], { p: integers([2], 1, 2) }),
  ],
  [
    '_FusedMatMul with bias and Relu',
    graph([1, 5], [{ op: '_FusedMatMul', inputs: ['in', 'm', 'b'], fused: ['BiasAdd', 'Relu'] }], {
      m: constant([5, 3]),
      b: constant([3]),
    }),
  ],
  ['MatMul', graph([1, 5], [{ op: 'MatMul', inputs: ['in', 'm'] }], { m: constant([5, 3]) })],
  ['Softmax', graph([1, 5], [{ op: 'Softmax', inputs: ['in'] }])],
]

for (const [name, network] of operators) {
  test(`${name}: ONNX Runtime and tfjs compute the same`, async () => {
    const input = wave(
      network.input.shape.reduce((a, b) => a * b, 1),
      0.37,
    )
    const [expected] = graphOnTensors(tf, network).run(input)
    const [found] = await (await openOnnx(await loadOnnx(), onnxOf(network))).run(input, network.input.shape)
    expect(found?.length).toBe(expected?.length ?? -1)
    const worst = Math.max(...(expected ?? []).map((value, n) => Math.abs(value - (found?.[n] ?? Number.NaN))))
    expect(worst).toBeLessThan(1e-5)
  })
}

test('folds a convolution and the operators after it into one node with the same result', async () => {
  const chain = (op: string, filter: Constant, channels: number) =>
    graph(
      pictureShape,
      [
        { op, inputs: ['in', 'f'], strides: [2, 2] },
        { op: 'Mul', inputs: ['n0', 'm'] },
        { op: 'Add', inputs: ['n1', 'b'] },
        { op: 'Relu', inputs: ['n2'] },
        { op: 'Minimum', inputs: ['n3', 'six'] },
        { op: 'Maximum', inputs: ['n4', 'zero'] },
        { op: 'Sigmoid', inputs: ['n5'] },
      ],
      { f: filter, m: constant([channels], 5), b: constant([channels], 2), six: number(6), zero: number(0) },
    )
  for (const network of [
    chain('Conv2D', constant([3, 3, 4, 5]), 5),
    chain('DepthwiseConv2dNative', constant([3, 3, 4, 2]), 8),
  ]) {
    const folded = foldGraph(network)
    expect(folded.nodes.map(({ op, fused }) => [op.replace(/.*Conv2.*/, 'conv'), fused])).toEqual([
      ['conv', ['BiasAdd', 'Relu6']],
      ['Sigmoid', []],
    ])
    const input = wave(168, 0.37)
    const [expected] = graphOnTensors(tf, network).run(input)
    const [found] = graphOnTensors(tf, folded).run(input)
    const [onnx] = await (await openOnnx(await loadOnnx(), onnxOf(folded))).run(input, network.input.shape)
    for (const other of [found, onnx]) {
      const worst = Math.max(...(expected ?? []).map((value, n) => Math.abs(value - (other?.[n] ?? Number.NaN))))
      expect(worst).toBeLessThan(1e-5)
    }
  }
  // A node is not folded if two nodes need its output.
  const shared = graph(
    pictureShape,
    [
      { op: 'Conv2D', inputs: ['in', 'f'] },
      { op: 'Add', inputs: ['n0', 'b'] },
      { op: 'AddV2', inputs: ['n1', 'n0'] },
    ],
    { f: constant([1, 1, 4, 4]), b: constant([4]) },
  )
  expect(foldGraph(shared).nodes).toEqual(shared.nodes)
})

test('throws for an unknown operator', () => {
  const odd = graph(pictureShape, [{ op: 'FFT', inputs: ['in'] }])
  expect(() => onnxOf(odd)).toThrow('FFT')
  expect(() => graphOnTensors(tf, odd).run(wave(168))).toThrow('FFT')
})

test.each([
  [0x0000, 0],
  [0x3c00, 1],
  [0xc000, -2],
  [0x3555, 0.333251953125],
  [0x0001, 2 ** -24],
  [0x7bff, 65504],
])('the half-precision number %p is %p', (bits, expected) => {
  expect(fromHalf(bits)).toBe(expected)
})

test('reads only the nodes that the outputs of a model need, and refuses a model with missing parts', () => {
  const node = (name: string, op: string, input: string[]) => ({ name, op, input })
  const json = {
    modelTopology: {
      node: [
        { name: 'in', op: 'Placeholder', attr: { shape: { shape: { dim: [{ size: '-1' }, { size: '2' }] } } } },
        node('c', 'Const', []),
        node('far', 'Relu', ['near']),
        node('near', 'Add', ['in', 'c']),
        node('other', 'FFT', ['in']),
      ],
    },
    weightsManifest: [{ weights: [{ name: 'c', shape: [2], dtype: 'float32', quantization: { dtype: 'float16' } }] }],
  }
  const read = readGraph(json, Uint8Array.of(0, 0x3c, 0, 0xc0), ['far'])
  expect(read.nodes.map(({ name }) => name)).toEqual(['near', 'far'])
  expect(read.input).toEqual({ name: 'in', shape: [1, 2] })
  expect([...(read.constants.get('c')?.data ?? [])]).toEqual([1, -2])
  expect(() => readGraph(json, Uint8Array.of(0, 0x3c), ['far'])).toThrow('c')
  expect(() => readGraph(json, new Uint8Array(4), ['none'])).toThrow('none')
})

test('loading ONNX Runtime stores no telemetry id on this machine', async () => {
  const home = temporaryDirectory()
  const script = `
    const { loadOnnx, openOnnx } = await import(${JSON.stringify(join(projectRoot, 'core/people/faces/onnx.ts'))})
    const { writeOnnx } = await import(${JSON.stringify(join(projectRoot, 'build/face-networks/onnx-file.ts'))})
    const nodes = [{ op: 'Relu', inputs: ['in'], outputs: ['out'] }]
    const model = { inputs: [{ name: 'in', shape: [1] }], outputs: [{ name: 'out', shape: null }], nodes, constants: [] }
    const session = await openOnnx(await loadOnnx(), writeOnnx(model))
    console.log(String(await session.run(Float32Array.of(-1), [1])))`
  const kept = Object.entries(process.env).filter(([name]) => name !== 'CI' && name !== 'GITHUB_ACTIONS')
  const child = Bun.spawnSync([process.execPath, '-e', script], {
    env: {
      ...Object.fromEntries(kept),
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
    },
  })
  expect([child.stdout.toString(), child.exitCode]).toEqual(['0\n', 0])
  expect(readdirSync(home, { recursive: true })).toEqual([])
})

test('when the native library cannot be loaded, the error says that ONNX Runtime does not run on this machine', () => {
  const script = `
    const { mock } = await import('bun:test')
    mock.module('onnxruntime-node', () => { throw new Error('no such library') })
    const { loadOnnx } = await import(${JSON.stringify(join(projectRoot, 'core/people/faces/onnx.ts'))})
    await loadOnnx().catch(error => console.log(error.message))`
  const { stdout } = Bun.spawnSync([process.execPath, '-e', script])
  expect(stdout.toString()).toMatch(/^ONNX Runtime does not run on this machine \(\w+ \w+\): .*no such library/)
})
