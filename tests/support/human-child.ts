/** Runs @vladmandic/human on pictures with its CPU backend, in a process that looks like a browser to that library. */

import { join } from 'node:path'
import type { Human as HumanClass } from '@vladmandic/human'
import { z } from 'zod'
import { limits } from '../../schema/limits.ts'

const packages = join(import.meta.dir, '../../node_modules/@vladmandic/human')
const pictures = z.array(z.object({ width: z.int(), height: z.int(), data: z.instanceof(Uint8Array) }))
const off = { enabled: false }

async function open(): Promise<HumanClass> {
  Object.assign(globalThis, { WorkerGlobalScope: class {} })
  const { Human }: { Human: typeof HumanClass } = await import(join(packages, 'dist/human.esm.js'))
  const human = new Human({
    backend: 'cpu',
    modelBasePath: `file://${packages}/models/`,
    cacheModels: false,
    cacheSensitivity: 0,
    skipAllowed: false,
    async: false,
    debug: false,
    warmup: 'none',
    filter: off,
    gesture: off,
    body: off,
    hand: off,
    object: off,
    segmentation: off,
    face: {
      enabled: true,
      detector: { rotation: true, maxDetected: limits.faces.maxPerPicture, minConfidence: 0.5 },
      mesh: { enabled: true },
      description: { enabled: true },
      iris: off,
      attention: off,
      emotion: off,
      antispoof: off,
      liveness: off,
    },
  })
  await human.load()
  return human
}

process.on('message', async (message: unknown) => {
  const human = await open()
  const results = []
  for (const { width, height, data } of pictures.parse(message)) {
    const tensor = human.tf.tensor3d(data, [height, width, 3], 'int32')
    const { face } = await human.detect(tensor)
    results.push(face.map(({ box, score, embedding }) => ({ box, score, embedding })))
    tensor.dispose()
  }
  process.stdout.write(JSON.stringify({ pictures: results }), () => process.exit(0))
})
