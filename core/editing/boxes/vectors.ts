/** Stored vectors: 32-bit floats, little-endian. */
import { similarity, type Vector } from '../../../schema/faces.ts'
import { limits } from '../../../schema/limits.ts'

export function bytesOfVector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [n, number] of vector.entries()) view.setFloat32(n * 4, number, true)
  return bytes
}

export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.length >> 2 }, (_, n) => view.getFloat32(n * 4, true))
}

export function isAlike(a: Vector, b: Vector): boolean {
  return similarity(a, b) > limits.faces.match
}

/** Numbers are rounded to four decimals: more decimals do not distinguish faces better. */
const stepsPerUnit = 10_000

/** The form of people's faces in storage and messages: rounded numbers need a third of the space. */
export function roundedVector(vector: Float32Array): number[] {
  return Array.from(vector, number => Math.round(number * stepsPerUnit) / stepsPerUnit)
}
