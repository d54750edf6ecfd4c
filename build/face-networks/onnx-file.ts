/** Writes ONNX models, with only the fields of onnx.proto (IR version 8) that our networks need. */
import Pbf from 'pbf'

export interface OnnxTensor {
  name: string
  shape: readonly number[]
  data: Float32Array | BigInt64Array
}

export type OnnxAttribute = number | string | readonly number[] | { float: number }

export interface OnnxNode {
  op: string
  inputs: readonly string[]
  outputs: readonly string[]
  /** A plain number is an integer; `{ float }` holds any other number. */
  attributes?: Readonly<Record<string, OnnxAttribute>>
}

interface OnnxValue {
  name: string
  /** A string names a dimension of any length. Null: the shape is unknown. */
  shape: readonly (number | string)[] | null
}

export interface OnnxModel {
  inputs: readonly OnnxValue[]
  outputs: readonly OnnxValue[]
  nodes: readonly OnnxNode[]
  constants: readonly OnnxTensor[]
}

const types = { float: 1, int64: 7 } as const
const attributeTypes = { float: 1, int: 2, string: 3, ints: 7 } as const
const operatorSetVersion = 17
const irVersion = 8

function bytesOf(data: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

function writeTensor({ name, shape, data }: OnnxTensor, to: Pbf): void {
  // An empty list is a scalar.
  to.writePackedVarint(1, shape)
  to.writeVarintField(2, data instanceof Float32Array ? types.float : types.int64)
  to.writeStringField(8, name)
  to.writeBytesField(9, bytesOf(data))
}

function writeAttribute([name, value]: [string, OnnxAttribute], to: Pbf): void {
  to.writeStringField(1, name)
  if (typeof value === 'number') {
    to.writeVarintField(3, value)
    to.writeVarintField(20, attributeTypes.int)
  } else if (typeof value === 'string') {
    to.writeBytesField(4, new TextEncoder().encode(value))
    to.writeVarintField(20, attributeTypes.string)
  } else if ('float' in value) {
    to.writeFloatField(2, value.float)
    to.writeVarintField(20, attributeTypes.float)
  } else {
    for (const one of value) to.writeVarintField(8, one)
    to.writeVarintField(20, attributeTypes.ints)
  }
}

function writeNode({ op, inputs, outputs, attributes = {} }: OnnxNode, to: Pbf): void {
  for (const name of inputs) to.writeStringField(1, name)
  for (const name of outputs) to.writeStringField(2, name)
  to.writeStringField(3, outputs[0] ?? op)
  to.writeStringField(4, op)
  for (const entry of Object.entries(attributes)) to.writeMessage(5, writeAttribute, entry)
}

function writeSide(side: number | string, to: Pbf): void {
  if (typeof side === 'number') to.writeVarintField(1, side)
  else to.writeStringField(2, side)
}

function writeShape(shape: readonly (number | string)[], to: Pbf): void {
  for (const side of shape) to.writeMessage(1, writeSide, side)
}

function writeTensorType(shape: OnnxValue['shape'], to: Pbf): void {
  to.writeVarintField(1, types.float)
  if (shape !== null) to.writeMessage(2, writeShape, shape)
}

function writeType(shape: OnnxValue['shape'], to: Pbf): void {
  to.writeMessage(1, writeTensorType, shape)
}

function writeValue({ name, shape }: OnnxValue, to: Pbf): void {
  to.writeStringField(1, name)
  to.writeMessage(2, writeType, shape)
}

function writeGraph({ nodes, constants, inputs, outputs }: OnnxModel, to: Pbf): void {
  for (const node of nodes) to.writeMessage(1, writeNode, node)
  to.writeStringField(2, 'keepsake')
  for (const constant of constants) to.writeMessage(5, writeTensor, constant)
  for (const value of inputs) to.writeMessage(11, writeValue, value)
  for (const value of outputs) to.writeMessage(12, writeValue, value)
}

export function writeOnnx(model: OnnxModel): Uint8Array {
  const to = new Pbf()
  to.writeVarintField(1, irVersion)
  to.writeStringField(2, 'keepsake')
  to.writeMessage(7, writeGraph, model)
  to.writeMessage(8, (version: number, set: Pbf) => set.writeVarintField(2, version), operatorSetVersion)
  return to.finish()
}
