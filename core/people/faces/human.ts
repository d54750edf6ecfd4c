/** Detects and describes faces like @vladmandic/human with the settings of the browser's `web/faces/face-worker.ts`. */
import { limits } from '../../../schema/limits.ts'
import type { DescribedFace, FaceModel } from './detect.ts'
import { type FoundBox, mostCertain } from './detected-boxes.ts'
import type { BuiltInManifest, NetworkFile } from './models/manifest.ts'
import { loadOnnx, openOnnx } from './onnx.ts'
import { croppedFrame, type Picture, type Rectangle, scaledPart } from './pixels.ts'

/** The networks with their outputs' names. */
export const networks = {
  blazeface: ['Identity', 'Identity_2', 'Identity_1', 'Identity_3'],
  facemesh: ['Identity_1', 'Identity_2'],
  faceres: ['global_pooling/Mean'],
} as const
type NetworkName = keyof typeof networks
/** Functions that run a network on numbers in its input's shape. Outputs are in the order of `networks`. */
type Networks = Readonly<Record<NetworkName, (input: Float32Array) => Promise<readonly Float32Array[]>>>

export interface Detected extends FoundBox {
  /** Rotation that makes the face upright, in radians. */
  angle: number
}

const detectorSide = 256
const meshSide = 192
const descriptionSide = 224
/** Boxes that overlap this much are of one face. */
const detectorOverlap = 0.1
/** Factor by which all boxes are enlarged. */
const enlargement = 1.4
/** Faces rotated by less are described without rotating; radians. */
const minRotation = 0.2

/** Anchors of the detector: two in each cell of 16 pixels, then six in each of 32. */
const anchors = [
  { stride: 16, each: 2 },
  { stride: 32, each: 6 },
].flatMap(({ stride, each }) => {
  const count = detectorSide / stride
  return Array.from({ length: count * count * each }, (_, n) => {
    const field = Math.floor(n / each)
    return { x: stride * ((field % count) + 0.5), y: stride * (Math.floor(field / count) + 0.5) }
  })
})

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
const hundredths = (x: number) => Math.round(100 * x) / 100

/** The rotation that makes a face upright, from mouth and nose. */
function uprightRotation(mouth: readonly [number, number], nose: readonly [number, number]): number {
  const radians = Math.PI / 2 - Math.atan2(-(nose[1] - mouth[1]), nose[0] - mouth[0])
  return radians - 2 * Math.PI * Math.floor((radians + Math.PI) / (2 * Math.PI))
}

/** Faces in a part of a picture with a certainty above `confidence`. */
async function detect(
  { blazeface }: Pick<Networks, 'blazeface'>,
  picture: Picture,
  part: Rectangle,
  confidence: number,
): Promise<Detected[]> {
  const input = scaledPart(picture, part, detectorSide)
  for (let n = 0; n < input.length; n++) input[n] = (input[n] ?? 0) / 127.5 - 1
  const [nearScores, nearBoxes, farScores, farBoxes] = await blazeface(input)
  if (nearScores === undefined || nearBoxes === undefined || farScores === undefined || farBoxes === undefined)
    throw new Error('the detector has other outputs')
  const scaleX = part.width / detectorSide
  const scaleY = part.height / detectorSide
  const found: Detected[] = []
  for (const [n, anchor] of anchors.entries()) {
    const isNear = n < nearScores.length
    const at = isNear ? n : n - nearScores.length
    const score = sigmoid((isNear ? nearScores : farScores)[at] ?? Number.NEGATIVE_INFINITY)
    if (!(score > confidence)) continue
    const numbers = isNear ? nearBoxes : farBoxes
    const number = (place: number) => numbers[at * 16 + place] ?? 0
    const [x, y] = [anchor.x + number(0), anchor.y + number(1)]
    const point = (place: number): [number, number] => [
      (number(4 + 2 * place) + anchor.x) * scaleX,
      (number(5 + 2 * place) + anchor.y) * scaleY,
    ]
    found.push({
      left: part.left + (x - number(2) / 2) * scaleX,
      top: part.top + (y - number(3) / 2) * scaleY,
      right: part.left + (x + number(2) / 2) * scaleX,
      bottom: part.top + (y + number(3) / 2) * scaleY,
      confidence: score,
      angle: uprightRotation(point(3), point(2)),
    })
  }
  return mostCertain(found, detectorOverlap, limits.faces.maxPerPicture)
}

/** The square around a face for the next networks. It may exceed the picture, and is not always exactly square. */
function frameOf({ left, top, right, bottom }: Detected): Rectangle {
  const half = (enlargement * Math.max(right - left, bottom - top)) / 2
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2]
  const [x, y] = [Math.round(middleX - half), Math.round(middleY - half)]
  return { left: x, top: y, width: Math.round(middleX + half) - x, height: Math.round(middleY + half) - y }
}

/** The face's box and its vector; null if the second network rejects the face. */
async function describe(
  { facemesh, faceres }: Pick<Networks, 'facemesh' | 'faceres'>,
  picture: Picture,
  face: Detected,
  confidence: number,
): Promise<DescribedFace | null> {
  const frame = frameOf(face)
  if (frame.width <= 0 || frame.height <= 0) return null
  const angle = Math.abs(face.angle) > minRotation ? face.angle : 0
  const crop = croppedFrame(picture, frame, angle, meshSide)
  const [flag, mesh] = await facemesh(crop)
  const score = hundredths(flag?.[0] ?? 0)
  if (mesh === undefined || !(score > confidence)) return null
  const box = cornerOf(frame, angle, mesh)
  const width = Math.trunc(Math.min(picture.width, box.x + frame.width) - Math.max(0, box.x))
  const height = Math.trunc(Math.min(picture.height, box.y + frame.height) - Math.max(0, box.y))
  if (width <= 0 || height <= 0) return null
  const whole = { left: 0, top: 0, width: meshSide, height: meshSide }
  const input = scaledPart({ width: meshSide, data: crop }, whole, descriptionSide)
  for (let n = 0; n < input.length; n++) input[n] = (input[n] ?? 0) * 255
  const [vector] = await faceres(input)
  if (vector === undefined) throw new Error('the description has other outputs')
  const [left, top] = [Math.trunc(Math.max(0, box.x)), Math.trunc(Math.max(0, box.y))]
  return { left, top, width, height, score, vector }
}

/** The top left corner of a box with the frame's size around the centre of the mesh. */
function cornerOf(frame: Rectangle, angle: number, mesh: Float32Array): { x: number; y: number } {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const [middleX, middleY] = [frame.left + frame.width / 2, frame.top + frame.height / 2]
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let n = 0; n + 2 < mesh.length; n += 3) {
    const across = (frame.width / meshSide) * ((mesh[n] ?? 0) - meshSide / 2)
    const down = (frame.height / meshSide) * ((mesh[n + 1] ?? 0) - meshSide / 2)
    const x = Math.trunc(middleX + across * cosine - down * sine)
    const y = Math.trunc(middleY + across * sine + down * cosine)
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { x: left + (right - left) / 2 - frame.width / 2, y: top + (bottom - top) / 2 - frame.height / 2 }
}

/** Opens the built-in model; `fileOf` returns the bytes of a network. Throws when they can't be opened. */
export async function openHuman(
  { detector, mesh, embedder }: BuiltInManifest,
  fileOf: (network: NetworkFile) => Uint8Array,
): Promise<FaceModel<Detected>> {
  const onnx = await loadOnnx()
  const open = async (network: NetworkFile) => {
    const { run, inputShape } = await openOnnx(onnx, fileOf(network))
    return (input: Float32Array) => run(input, inputShape)
  }
  const opened = { blazeface: await open(detector), facemesh: await open(mesh), faceres: await open(embedder) }
  return {
    detect: (...request) => detect(opened, ...request),
    describe: (...request) => describe(opened, ...request),
  }
}
