/** Detects and describes faces with an added model: a detector with anchors, and an embedder of upright faces. */
import { reasonOf } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import type { DescribedFace } from '../detect.ts'
import { type FoundBox, mostCertain } from '../detected-boxes.ts'
import { loadOnnx, openOnnx } from '../onnx.ts'
import type { Picture, Rectangle } from '../pixels.ts'
import { alignedFace, fittedInput, type Point } from './align.ts'
import type { DetectorManifest, EmbedderManifest, ModelManifest, NetworkFile } from './manifest.ts'

/** A face with eyes, nose and corners of the mouth. */
interface FaceWithPoints extends FoundBox {
  points: Point[]
}

type Outputs = ReadonlyMap<string, Float32Array>

/** A result of the network for one anchor, in pixels of its input. */
interface Found {
  score: number
  left: number
  top: number
  right: number
  bottom: number
  points: Point[]
}

const clamped = (value: number) => Math.min(1, Math.max(0, value))

/** Reads faces above `confidence` from a detector's outputs. Throws if an output is missing or has another size. */
export function readAnchors(manifest: DetectorManifest, outputs: Outputs, confidence: number): Found[] {
  const found: Found[] = []
  const each = manifest.anchors ?? (manifest.kind === 'scrfd' ? 2 : 1)
  for (const [level, stride] of manifest.strides.entries()) {
    const outputNamed = (names: readonly string[] | undefined, width: number) => {
      const name = names?.[level] ?? ''
      const numbers = outputs.get(name)
      if (numbers === undefined) throw new Error(`the detector has no output ${name}`)
      const fields = Math.ceil(manifest.width / stride) * Math.ceil(manifest.height / stride)
      if (numbers.length !== fields * each * width) throw new Error(`the detector's output ${name} is of another size`)
      return numbers
    }
    const scores = outputNamed(manifest.outputs.scores, 1)
    const objects = manifest.outputs.objects === undefined ? null : outputNamed(manifest.outputs.objects, 1)
    const boxes = outputNamed(manifest.outputs.boxes, 4)
    const points = outputNamed(manifest.outputs.points, 10)
    const columns = Math.ceil(manifest.width / stride)
    for (let n = 0; n < scores.length; n++) {
      const classScore = scores[n] ?? 0
      const score = objects === null ? classScore : Math.sqrt(clamped(classScore) * clamped(objects[n] ?? 0))
      if (!(score > confidence)) continue
      const field = Math.floor(n / each)
      const [column, row] = [field % columns, Math.floor(field / columns)]
      const box = (side: number) => boxes[n * 4 + side] ?? 0
      const point = (place: number): Point => [
        ((points[n * 10 + 2 * place] ?? 0) + column) * stride,
        ((points[n * 10 + 2 * place + 1] ?? 0) + row) * stride,
      ]
      found.push({
        score,
        ...(manifest.kind === 'scrfd'
          ? {
              left: (column - box(0)) * stride,
              top: (row - box(1)) * stride,
              right: (column + box(2)) * stride,
              bottom: (row + box(3)) * stride,
            }
          : boxAround(
              (column + box(0)) * stride,
              (row + box(1)) * stride,
              Math.exp(box(2)) * stride,
              Math.exp(box(3)) * stride,
            )),
        points: [0, 1, 2, 3, 4].map(point),
      })
    }
  }
  return found
}

function boxAround(x: number, y: number, width: number, height: number) {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 }
}

/** Length of vectors for which two faces reach similarity 0.5 (schema/faces.ts) at the model's `match`. */
export function vectorLength({ match }: Pick<EmbedderManifest, 'match'>): number {
  const { multiplier, min, max, match: half } = limits.faces
  const far = 100 * (1 - min - half * (max - min))
  return Math.sqrt(far ** 2 / multiplier / (2 - 2 * match))
}

export function withLength(vector: Float32Array, to: number): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0))
  return length === 0 ? vector.slice() : vector.map(number => (number * to) / length)
}

/** Opens a model's networks; `fileOf` returns their bytes. Throws when they can't be opened. */
export async function openAdded(manifest: ModelManifest, fileOf: (network: NetworkFile) => Uint8Array) {
  const onnx = await loadOnnx()
  const { detector, embedder } = manifest
  const detectorNetwork = await openOnnx(onnx, fileOf(detector))
  const embedderNetwork = await openOnnx(onnx, fileOf(embedder))
  const outputIndex = embedder.output === undefined ? 0 : embedderNetwork.outputs.indexOf(embedder.output)
  if (outputIndex < 0) throw new Error(`the embedder has no output ${embedder.output}`)
  const length = vectorLength(embedder)

  async function anchors(input: Float32Array, confidence: number) {
    const results = await detectorNetwork.run(input, [1, 3, detector.height, detector.width])
    const outputs = new Map(detectorNetwork.outputs.map((name, n) => [name, results[n] ?? new Float32Array()]))
    return readAnchors(detector, outputs, confidence)
  }

  return {
    /** Runs both networks on an empty picture. Throws when their inputs or outputs differ from the manifest. */
    async check(): Promise<void> {
      const { side } = embedder
      const input = new Float32Array(3 * detector.width * detector.height)
      await anchors(input, 1).catch((error: unknown) => {
        throw new Error(
          `the detector does not take ${detector.width} × ${detector.height} pixels or has other outputs than its kind: ${reasonOf(error)}`,
        )
      })
      const face = new Float32Array(3 * side ** 2)
      const vectors = await embedderNetwork.run(face, [1, 3, side, side]).catch((error: unknown) => {
        throw new Error(`the embedder does not take ${side} × ${side} pixels: ${reasonOf(error)}`)
      })
      if ((vectors[outputIndex]?.length ?? 0) < 2) throw new Error('the embedder returns no vector')
    },
    async detect(picture: Picture, part: Rectangle, confidence: number): Promise<FaceWithPoints[]> {
      const { input, scale } = fittedInput(picture, part, detector, detector)
      const found = (await anchors(input, confidence)).map(({ score, points, ...box }): FaceWithPoints => {
        const [x, y] = [(number: number) => part.left + number / scale, (number: number) => part.top + number / scale]
        return {
          left: x(box.left),
          top: y(box.top),
          right: x(box.right),
          bottom: y(box.bottom),
          confidence: score,
          points: points.map(([px, py]): Point => [x(px), y(py)]),
        }
      })
      return mostCertain(found, detector.overlap, limits.faces.maxPerPicture)
    },
    async describe(picture: Picture, face: FaceWithPoints): Promise<DescribedFace | null> {
      const [left, top] = [Math.max(0, face.left), Math.max(0, face.top)]
      const width = Math.min(picture.width, face.right) - left
      const height = Math.min(picture.height, face.bottom) - top
      if (width <= 0 || height <= 0) return null
      const { side } = embedder
      const results = await embedderNetwork.run(alignedFace(picture, face.points, side, embedder), [1, 3, side, side])
      const vector = results[outputIndex]
      if (vector === undefined || !vector.every(Number.isFinite)) return null
      return {
        left,
        top,
        width,
        height,
        score: Math.round(100 * face.confidence) / 100,
        vector: withLength(vector, length),
      }
    },
  }
}
