import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { z } from 'zod'
import { pixelsOfFile } from '../../../../core/media/decode/decode-file.ts'
import { findVideoTools } from '../../../../core/media/video/tools.ts'
import { type DescribedFace, findFacesWith } from '../../../../core/people/faces/detect.ts'
import type { Picture } from '../../../../core/people/faces/pixels.ts'
import { openFaceModel } from '../../../../core/people/faces/recogniser.ts'
import { describeWithSamples } from '../../../support/samples.ts'
import { projectRoot } from '../../../support/source-tree.ts'

/** Pictures with upright, tilted and cropped faces. */
const pictures = ['_several people/2009_004587.jpg', 'Kit Harington/john2.jpeg', 'Barack Obama/obama_partial_face.jpg']

const humanResults = z.object({
  pictures: z.array(z.array(z.object({ box: z.array(z.number()), score: z.number(), embedding: z.array(z.number()) }))),
})

async function pictureOf(path: string, edge: number): Promise<Picture> {
  const { pixels } = await pixelsOfFile(
    { path: Buffer.from(path), name: path },
    { edge, rotation: 0, tools: findVideoTools() },
  )
  return pixels
}

/** Results of the Human library. It runs in its own process, which looks like a web worker to it. */
async function resultsOfHuman(some: readonly Picture[]) {
  const child = Bun.spawn([process.execPath, join(projectRoot, 'tests/support/human-child.ts')], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit'],
    ipc() {},
  })
  child.send(some)
  const text = await new Response(child.stdout).text()
  await child.exited
  return humanResults.parse(JSON.parse(text.slice(text.indexOf('{"pictures"')))).pictures
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (number, n) => Math.abs(number - (b[n] ?? Number.NaN))))
}

const boxOf = ({ left, top, width, height }: DescribedFace) => [left, top, width, height]

describeWithSamples('faces', samples => {
  const path = (name: string) => join(samples, 'faces', name)

  test('have the same boxes and vectors as with the Human library that browsers use', async () => {
    const some = await Promise.all(pictures.map(name => pictureOf(path(name), 500)))
    const expected = await resultsOfHuman(some)
    const finder = await openFaceModel('')
    for (const [n, picture] of some.entries()) {
      const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
      const boxes = await finder.detect(picture, whole, 0.5)
      const faces = await Promise.all(boxes.map(box => finder.describe(picture, box, 0.5)))
      const found = faces.filter(face => face !== null)
      expect(found.map(({ score }) => score)).toEqual(expected[n]?.map(({ score }) => score) ?? [])
      for (const [at, face] of found.entries()) {
        const other = expected[n]?.[at]
        expect(largestDifference(boxOf(face), other?.box ?? [])).toBeLessThanOrEqual(1)
        expect(largestDifference(face.vector, other?.embedding ?? [])).toBeLessThan(0.01)
      }
    }
    expect(expected.flat().length).toBe(4)
  }, 120_000)

  test('that are small are found in parts of a large picture', async () => {
    const small = await pictureOf(path('_several people/2008_002470.jpg'), 400)
    const finder = await openFaceModel('')
    // The picture is put into the lower right of a large background.
    const [width, height] = [2048, 1400]
    const hall: Picture = { width, height, data: new Uint8Array(width * height * 3).fill(90) }
    for (let row = 0; row < small.height; row++) {
      const line = small.data.subarray(row * small.width * 3, (row + 1) * small.width * 3)
      hall.data.set(line, ((row + 900) * width + 1500) * 3)
    }
    const whole = { left: 0, top: 0, width, height }
    const byWhole = await finder.detect(hall, whole, 0.5)
    const found = await findFacesWith(finder, hall, 0.5)
    expect(found.length).toBeGreaterThanOrEqual(5)
    expect(byWhole.length).toBeLessThan(found.length)
    for (const { left, top } of found) expect(left >= 1450 && top >= 850).toBe(true)
  }, 60_000)
})
