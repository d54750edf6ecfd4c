/** Small models with the usual outputs: they detect bright squares of one size as faces and describe them by colour. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { type OnnxNode, type OnnxTensor, writeOnnx } from '../../build/face-networks/onnx-file.ts'
import type { modelManifest } from '../../core/people/faces/models/manifest.ts'

type Manifest = z.input<typeof modelManifest>

const side = 160
const strides = [16, 32]

/** An output with `biases` for each field of `stride` × `stride` pixels; `weight` × the first channel's mean is added to the first. */
function fieldRows(
  name: string,
  { stride, weight, biases }: { stride: number; weight: number; biases: readonly number[] },
): { nodes: OnnxNode[]; constants: OnnxTensor[] } {
  const count = biases.length
  const filter = new Float32Array(count * 3 * stride * stride)
  if (weight !== 0) filter.fill(weight / stride ** 2, 0, stride ** 2)
  return {
    constants: [
      { name: `${name} filter`, shape: [count, 3, stride, stride], data: filter },
      { name: `${name} bias`, shape: [count], data: Float32Array.from(biases) },
      { name: `${name} shape`, shape: [3], data: BigInt64Array.from([1n, -1n, BigInt(count)]) },
    ],
    nodes: [
      {
        op: 'Conv',
        inputs: ['in', `${name} filter`, `${name} bias`],
        outputs: [`${name} fields`],
        attributes: { strides: [stride, stride] },
      },
      { op: 'Transpose', inputs: [`${name} fields`], outputs: [`${name} last`], attributes: { perm: [0, 2, 3, 1] } },
      { op: 'Reshape', inputs: [`${name} last`, `${name} shape`], outputs: [name] },
    ],
  }
}

/** The positions of eyes, nose and corners of the mouth, in fields from the field's corner. */
const points = [0.3, 0.35, 0.7, 0.35, 0.5, 0.5, 0.35, 0.7, 0.65, 0.7]

/** A model with YuNet's outputs: a field as bright as `full` is a face that is three fields wide. */
function yunet(full: number): Uint8Array {
  const parts = strides.flatMap(stride => [
    fieldRows(`cls_${stride}`, { stride, weight: stride === 16 ? 1 / full : 0, biases: [0] }),
    fieldRows(`obj_${stride}`, { stride, weight: 0, biases: [1] }),
    fieldRows(`bbox_${stride}`, { stride, weight: 0, biases: [0.5, 0.5, Math.log(3), Math.log(3)] }),
    fieldRows(`kps_${stride}`, { stride, weight: 0, biases: points }),
  ])
  return model(
    parts,
    strides.flatMap(stride => ['cls', 'obj', 'bbox', 'kps'].map(kind => `${kind}_${stride}`)),
  )
}

/** A model with SCRFD's outputs and one anchor per field: its boxes are the distances of the four edges. */
function scrfd(full: number): Uint8Array {
  const parts = strides.flatMap(stride => [
    fieldRows(`score_${stride}`, { stride, weight: stride === 16 ? 1 / full : 0, biases: [0] }),
    fieldRows(`box_${stride}`, { stride, weight: 0, biases: [1, 1, 2, 2] }),
    fieldRows(`points_${stride}`, { stride, weight: 0, biases: points }),
  ])
  return model(
    parts,
    strides.flatMap(stride => ['score', 'box', 'points'].map(kind => `${kind}_${stride}`)),
  )
}

function model(parts: { nodes: OnnxNode[]; constants: OnnxTensor[] }[], outputs: string[], size = side): Uint8Array {
  return writeOnnx({
    inputs: [{ name: 'in', shape: [1, 3, size, size] }],
    outputs: outputs.map(name => ({ name, shape: null })),
    nodes: parts.flatMap(({ nodes }) => nodes),
    constants: parts.flatMap(({ constants }) => constants),
  })
}

/** A model that maps the mean of each channel to sixteen numbers. */
function embedder(): Uint8Array {
  const filter = Float32Array.from({ length: 16 * 3 }, (_, n) => Math.sin(n * 1.7))
  const shape = BigInt64Array.from([1n, 16n])
  const nodes: OnnxNode[] = [
    { op: 'GlobalAveragePool', inputs: ['in'], outputs: ['mean'] },
    { op: 'Conv', inputs: ['mean', 'filter'], outputs: ['mixed'] },
    { op: 'Reshape', inputs: ['mixed', 'shape'], outputs: ['vector'] },
  ]
  const constants: OnnxTensor[] = [
    { name: 'filter', shape: [16, 3, 1, 1], data: filter },
    { name: 'shape', shape: [2], data: shape },
  ]
  return model([{ nodes, constants }], ['vector'], 112)
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Writes the files and the manifest of a model into a directory; returns the manifest's path and hash. */
export function writeModel(
  directory: string,
  kind: 'yunet' | 'scrfd',
  change: (manifest: Manifest) => Manifest = same => same,
): { path: string; hash: string } {
  const detector = kind === 'yunet' ? yunet(255) : scrfd(1)
  const embedderBytes = embedder()
  writeFileSync(join(directory, 'finds.onnx'), detector)
  writeFileSync(join(directory, 'describes.onnx'), embedderBytes)
  const named = (name: string) => strides.map(stride => `${name}_${stride}`)
  const described: Manifest = {
    name: `small-${kind}-1`,
    about: 'bright squares',
    detector: {
      file: 'finds.onnx',
      sha256: sha256(detector),
      kind,
      width: side,
      height: side,
      strides,
      anchors: 1,
      // SCRFD's input is from -1 to 1, so that black is the least like a face.
      ...(kind === 'scrfd' ? { mean: [127.5, 127.5, 127.5], scale: 1 / 127.5 } : { channels: 'bgr' as const }),
      outputs:
        kind === 'yunet'
          ? { scores: named('cls'), objects: named('obj'), boxes: named('bbox'), points: named('kps') }
          : { scores: named('score'), boxes: named('box'), points: named('points') },
    },
    embedder: { file: 'describes.onnx', sha256: sha256(embedderBytes), match: 0.4 },
  }
  const text = JSON.stringify(change(described))
  const path = join(directory, 'model.json')
  writeFileSync(path, text)
  return { path, hash: sha256(new TextEncoder().encode(text)) }
}
