import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../../../core/accounts/access.ts'
import { openLibrary } from '../../../../core/library.ts'
import { readAnchors, vectorLength, withLength } from '../../../../core/people/faces/models/added.ts'
import { alignedFace, fitTransform, type Point } from '../../../../core/people/faces/models/align.ts'
import { detector } from '../../../../core/people/faces/models/manifest.ts'
import { createModels } from '../../../../core/people/faces/models/models.ts'
import { openRecogniser } from '../../../../core/people/faces/recogniser.ts'
import { similarity } from '../../../../schema/faces.ts'
import { limits } from '../../../../schema/limits.ts'
import { openTestLibrary } from '../../../support/library.ts'
import { writeModel } from '../../../support/onnx-models.ts'
import { openScanningLibrary } from '../../../support/scanning-library.ts'
import { temporaryDirectory } from '../../../support/temporary.ts'

function models(inUse = '') {
  const { db, directory } = openTestLibrary()
  return { data: directory, models: createModels({ db, data: directory, nameInUse: inUse }) }
}

const refusal = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

/** A black picture with coloured squares. */
function squares(width: number, height: number, at: { x: number; y: number; side: number; colour: number[] }[]) {
  const data = new Uint8Array(width * height * 3)
  for (const { x, y, side, colour } of at) {
    for (let row = y; row < y + side; row++) {
      for (let column = x; column < x + side; column++) data.set(colour, (row * width + column) * 3)
    }
  }
  return { width, height, data }
}

test('a similarity transform is estimated correctly', () => {
  const from: Point[] = [
    [0, 0],
    [10, 0],
    [3, 7],
  ]
  const turned = { a: 1.2, b: 0.5, dx: 30, dy: -4 }
  const to = from.map(
    ([x, y]): Point => [turned.a * x - turned.b * y + turned.dx, turned.b * x + turned.a * y + turned.dy],
  )
  const found = fitTransform(from, to)
  for (const name of ['a', 'b', 'dx', 'dy'] as const) expect(found[name]).toBeCloseTo(turned[name], 6)
})

test('a tilted face is aligned: the eyes are where the embedder expects them', () => {
  const picture = squares(200, 200, [
    { x: 96, y: 56, side: 9, colour: [255, 0, 0] },
    { x: 96, y: 126, side: 9, colour: [0, 255, 0] },
  ])
  // Rotated by 90 degrees: the left eye is above the right one.
  const points: Point[] = [
    [100, 60],
    [100, 130],
    [60, 95],
    [19, 66],
    [19, 124],
  ]
  const straight = alignedFace(picture, points, 112, { channels: 'rgb', mean: [0, 0, 0], scale: 1 / 255 })
  const centreOf = (plane: number) => {
    const numbers = straight.subarray(plane * 112 * 112, (plane + 1) * 112 * 112)
    let [x, y, sum] = [0, 0, 0]
    for (const [at, value] of numbers.entries()) {
      x += value * (at % 112)
      y += value * Math.floor(at / 112)
      sum += value
    }
    return [x / sum, y / sum]
  }
  const [left = 0, leftDown = 0] = centreOf(0)
  const [right = 0, rightDown = 0] = centreOf(1)
  expect(Math.abs(left - 38.3) + Math.abs(leftDown - 51.7)).toBeLessThan(6)
  expect(Math.abs(right - 73.5) + Math.abs(rightDown - 51.5)).toBeLessThan(6)
})

test('normalized vectors are scaled so that the match threshold of the model equals that of the library', () => {
  const to = vectorLength({ match: 0.4 })
  const at = (cosine: number) => [
    withLength(Float32Array.of(3, 0), to),
    withLength(Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2)), to),
  ]
  const alike = (cosine: number) => similarity(at(cosine)[0] ?? [], at(cosine)[1] ?? [])
  expect(alike(0.4)).toBeCloseTo(limits.faces.match, 2)
  expect(alike(0.6)).toBeGreaterThan(limits.faces.match)
  expect(alike(0.2)).toBeLessThan(limits.faces.match)
})

test('the output of an SCRFD detector is decoded', () => {
  const shape = detector.parse({
    file: 'a',
    sha256: '0'.repeat(64),
    kind: 'scrfd',
    width: 32,
    height: 32,
    strides: [16],
    outputs: { scores: ['s'], boxes: ['b'], points: ['p'] },
  })
  const scores = new Float32Array(8)
  scores[5] = 0.9
  const boxes = new Float32Array(32)
  boxes.set([0.5, 0.25, 1, 0.75], 5 * 4)
  const outputs = new Map([
    ['s', scores],
    ['b', boxes],
    ['p', new Float32Array(80)],
  ])
  // The second anchor of the third cell: left column, second row.
  expect(readAnchors(shape, outputs, 0.5)).toEqual([
    expect.objectContaining({ left: -8, top: 12, right: 16, bottom: 28, score: expect.closeTo(0.9) }),
  ])
  expect(() => readAnchors(shape, new Map([...outputs, ['b', new Float32Array(3)]]), 0.5)).toThrow('size')
})

test.each(['yunet', 'scrfd'] as const)('a model in the format of %s is added, listed, and finds faces', async kind => {
  const from = temporaryDirectory()
  const { path, hash } = writeModel(from, kind)
  const { models: all, data } = models()
  expect((await all.add(terminalViewer, { source: path, sha256: hash, dryRun: true })).name).toBe(`small-${kind}-1`)
  expect(all.list(terminalViewer)).toEqual([])
  await all.add(terminalViewer, { source: path, sha256: hash })
  expect(all.list(terminalViewer).map(({ name, detector: of }) => [name, of])).toEqual([[`small-${kind}-1`, kind]])
  const recognise = await openRecogniser(join(data, 'models', `small-${kind}-1`))
  // The network sees 160 × 160 pixels: 32 pixels of this picture are 16 there.
  const faces = await recognise(
    squares(320, 160, [
      { x: 64, y: 32, side: 32, colour: [255, 250, 255] },
      { x: 224, y: 96, side: 32, colour: [255, 10, 255] },
    ]),
    0.5,
  )
  expect(faces.length).toBeGreaterThanOrEqual(2)
  const facesAt = (x: number, y: number) =>
    faces.filter(face => face.left <= x && face.top <= y && face.left + face.width >= x && face.top + face.height >= y)
  const [one] = facesAt(80, 48)
  const [other] = facesAt(240, 112)
  expect([one?.vector.length, other?.vector.length]).toEqual([16, 16])
  expect(Math.hypot(...(one?.vector ?? []))).toBeCloseTo(vectorLength({ match: 0.4 }), 2)
  expect(similarity(one?.vector ?? [], other?.vector ?? [])).toBeLessThan(1)
  await all.remove(terminalViewer, `small-${kind}-1`)
  expect(all.list(terminalViewer)).toEqual([])
})

test('a model can be downloaded only with its hash', async () => {
  const from = temporaryDirectory()
  const { hash } = writeModel(from, 'yunet')
  const server = Bun.serve({
    port: 0,
    fetch: request => new Response(Bun.file(join(from, new URL(request.url).pathname))),
  })
  const source = new URL('/model.json', server.url).href
  const { models: all } = models()
  expect(await refusal(all.add(terminalViewer, { source }))).toContain('--sha256')
  expect(await refusal(all.add(terminalViewer, { source, sha256: '0'.repeat(64) }))).toContain(hash)
  expect((await all.add(terminalViewer, { source, sha256: hash })).name).toBe('small-yunet-1')
  expect(await refusal(all.add(terminalViewer, { source, sha256: hash }))).toContain('already')
  await server.stop(true)
  expect(await refusal(models().models.add(terminalViewer, { source, sha256: hash }))).toContain('could not be fetched')
})

test('an invalid model is refused with a reason and leaves no files', async () => {
  const from = temporaryDirectory()
  const { models: all, data } = models()
  const add = () => all.add(terminalViewer, { source: join(from, 'model.json') })
  expect(await refusal(add())).toContain('There is no file')
  writeFileSync(join(from, 'model.json'), 'no json')
  expect(await refusal(add())).toContain('no JSON')
  writeModel(from, 'yunet', made => ({ ...made, name: '../outside' }))
  expect(await refusal(add())).toContain('name')
  writeModel(from, 'yunet', made => ({ ...made, detector: { ...made.detector, strides: [8] } }))
  expect(await refusal(add())).toContain('outputs')
  writeModel(from, 'yunet', made => ({ ...made, embedder: { ...made.embedder, output: 'none' } }))
  expect(await refusal(add())).toContain('no output none')
  writeModel(from, 'yunet', made => ({ ...made, detector: { ...made.detector, width: 320, height: 320 } }))
  expect(await refusal(add())).toContain('the detector does not take 320 × 320 pixels')
  writeModel(from, 'yunet', made => {
    const { outputs } = made.detector
    return { ...made, detector: { ...made.detector, outputs: { ...outputs, scores: ['nix_16', 'nix_32'] } } }
  })
  expect(await refusal(add())).toContain('no output nix_16')
  writeModel(from, 'yunet', made => ({ ...made, embedder: { ...made.embedder, side: 96 } }))
  expect(await refusal(add())).toContain('the embedder does not take 96 × 96 pixels')
  writeModel(from, 'yunet', made => ({ ...made, detector: { ...made.detector, scale: 0 } }))
  expect(await refusal(add())).toContain('a scale of 0')
  writeModel(from, 'yunet', made => ({ ...made, embedder: Object.assign({ mach: 0.9 }, made.embedder) }))
  expect(await refusal(add())).toContain('mach')
  writeModel(from, 'yunet')
  writeFileSync(join(from, 'finds.onnx'), 'something else')
  expect(await refusal(add())).toContain('SHA-256')
  expect(existsSync(join(data, 'models'))).toBe(false)
  expect(await refusal(all.remove(terminalViewer, '../library.db'))).toContain('There is no model')
})

test('a damaged model is reported, not used, and can be removed', async () => {
  const from = temporaryDirectory()
  const { models: all, data } = models('small-yunet-1')
  const { path } = writeModel(from, 'yunet')
  await all.add(terminalViewer, { source: path })
  const directory = join(data, 'models/small-yunet-1')
  const weights = readFileSync(join(directory, 'embedder.onnx'))
  writeFileSync(
    join(directory, 'embedder.onnx'),
    weights.map((byte, at) => (at === weights.length - 9 ? byte ^ 1 : byte)),
  )
  expect(await refusal(openRecogniser(directory))).toContain("embedder.onnx of the model 'small-yunet-1' is damaged")
  rmSync(join(directory, 'embedder.onnx'))
  expect(all.list(terminalViewer)[0]?.about).toContain(
    'Its file embedder.onnx is not there. Remove it and add it again',
  )
  expect(() => all.directoryInUse()).toThrow('is damaged: Its file embedder.onnx is not there')
  writeFileSync(join(directory, 'model.json'), '{')
  expect(all.list(terminalViewer)).toMatchObject([{ name: 'small-yunet-1', inUse: true }])
  expect(all.list(terminalViewer)[0]?.about).toContain('The manifest is no JSON. Remove it and add it again')
  expect(() => all.directoryInUse()).toThrow('is damaged')
  const others = createModels({ db: openTestLibrary().db, data, nameInUse: '' })
  expect(await refusal(others.add(terminalViewer, { source: path }))).toContain('keepsake models remove small-yunet-1')
  await others.remove(terminalViewer, 'small-yunet-1')
  expect(readdirSync(join(data, 'models'))).toEqual([])
})

test('the model in the settings is used; it has its own faces, which are removed with it', async () => {
  const setup = openScanningLibrary()
  const raw = squares(320, 160, [{ x: 64, y: 32, side: 32, colour: [255, 250, 255] }])
  const { data: pixels, ...size } = raw
  setup.put(
    'a.jpg',
    await sharp(pixels, { raw: { ...size, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer(),
  )
  await setup.scan()
  const from = temporaryDirectory()
  const { path } = writeModel(from, 'yunet')
  await setup.library.models.add(terminalViewer, { source: path })
  const open = (model: string) =>
    openLibrary({
      role: 'terminal',
      data: setup.data,
      create: false,
      environment: {},
      stderrLevel: 'none',
      flags: { 'faces.model': model },
    })
  const library = open('small-yunet-1')
  const runFacesJob = async () => {
    const id = await library.foundFaces.index(terminalViewer, {}, { now: 1, inProcess: true })
    return library.jobs.run(id)
  }
  expect((await runFacesJob())?.state).toBe('done')
  const status = library.foundFaces.status(terminalViewer)
  expect([status.model, status.looked]).toEqual(['small-yunet-1', 1])
  expect(status.faces).toBeGreaterThan(0)
  expect(setup.library.foundFaces.status(terminalViewer).faces).toBe(0)
  expect(await refusal(library.models.remove(terminalViewer, 'small-yunet-1'))).toContain('in use')
  library.close()
  const { faces } = await setup.library.models.remove(terminalViewer, 'small-yunet-1')
  expect(faces).toBe(status.faces)
  expect(setup.library.db.get('SELECT count(*) AS n FROM found_faces')).toEqual({ n: 0 })
  expect(readdirSync(join(setup.data, 'models'))).toEqual([])
  const without = open('small-yunet-1')
  const id = await without.foundFaces.index(terminalViewer, { all: true }, { now: 2, inProcess: true })
  expect(await without.jobs.run(id).catch((error: Error) => error)).toHaveProperty('message')
  expect(readFileSync(path, 'utf8')).toContain('small-yunet-1')
  without.close()
}, 60_000)
