/** Finds and describes faces in a worker, because computing takes a second and must not block the page. */
import { Human } from '@vladmandic/human'
import { limits } from '../../schema/limits.ts'
import type { FaceFault, FaceMessage, FaceRequest, FaceResponse, Pixels, SeenFace } from './face-messages.ts'

/** A minimal module with the 128-bit instructions that the backend is compiled for, to test for support. */
const simdModule = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
])

class FaceError extends Error {
  constructor(
    readonly fault: FaceFault,
    why: string,
  ) {
    super(why)
  }
}

const off = { enabled: false }

/** The server describes faces with the same settings. If they change, the model's name must change, too. */
function settingsFor(modelsUrl: string) {
  return {
    backend: 'wasm',
    wasmPath: modelsUrl,
    modelBasePath: modelsUrl,
    // The browser's own cache keeps the models.
    cacheModels: false,
    // These are still pictures, so results of the last one are not reused for the next.
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
      // Tilted heads are rotated upright before they are described.
      detector: { rotation: true, maxDetected: limits.faces.maxPerPicture, minConfidence: limits.faces.confidence },
      mesh: { enabled: true },
      description: { enabled: true },
      iris: off,
      attention: off,
      emotion: off,
      antispoof: off,
      liveness: off,
    },
  } as const
}

let human: Human | null = null

async function load(modelsUrl: string): Promise<void> {
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(simdModule)) {
    throw new FaceError('browser', 'no WebAssembly with SIMD')
  }
  const next = new Human(settingsFor(modelsUrl))
  // Threads would need headers that forbid other features of the page.
  next.tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  await next.load()
  // The library silently continues without a model that failed to load.
  const loaded = next.models.stats().modelStats.filter(model => model.loaded)
  const missing = ['blazeface', 'facemesh', 'faceres'].filter(name => !loaded.some(model => model.name === name))
  if (next.tf.getBackend() !== 'wasm') throw new FaceError('models', 'the WebAssembly backend did not start')
  if (missing.length > 0) throw new FaceError('models', `not loaded: ${missing.join(', ')}`)
  human = next
}

/** Four digits distinguish faces as well as sixteen do, at a third of the size. */
const fourDigits = 10_000

async function findFaces(pixels: Pixels, confidence: number): Promise<SeenFace[]> {
  if (human === null) throw new FaceError('models', 'the models are not loaded')
  const { width, height, bytes } = pixels
  // Pass numbers: the library's own canvas would scale the picture again, and not every worker has one.
  const tensor = human.tf.tensor3d(new Uint8Array(bytes), [height, width, 4], 'int32')
  try {
    const { face, error } = await human.detect(tensor, { face: { detector: { minConfidence: confidence } } })
    if (error !== null) throw new FaceError('picture', error)
    const scale = 1000 / Math.max(width, height)
    return face.flatMap(({ box: [x, y, wide, high], score, embedding }) =>
      embedding === undefined || wide <= 0 || high <= 0
        ? []
        : {
            box: { x: x * scale, y: y * scale, width: wide * scale, height: high * scale },
            confidence: score,
            vector: embedding.map(number => Math.round(number * fourDigits) / fourDigits),
          },
    )
  } finally {
    tensor.dispose()
  }
}

async function respondTo(request: FaceRequest): Promise<readonly SeenFace[]> {
  if (request.what === 'find') return findFaces(request.pixels, request.confidence)
  await load(request.modelsUrl)
  return []
}

function report(response: FaceResponse): void {
  self.postMessage(response)
}

let current: FaceMessage | null = null

function fail(error: unknown): void {
  if (current === null) return
  const { id, request } = current
  const why = error instanceof Error ? error.message : String(error)
  report({ id, fault: error instanceof FaceError ? error.fault : request.what === 'load' ? 'models' : 'picture', why })
}

// If a promise inside the library rejects, the one that `detect` returned stays pending: only this listener knows.
self.addEventListener('unhandledrejection', event => {
  event.preventDefault()
  fail(event.reason)
})

self.addEventListener('message', async (event: MessageEvent<FaceMessage>) => {
  current = event.data
  try {
    report({ id: event.data.id, faces: await respondTo(event.data.request) })
  } catch (error) {
    fail(error)
  }
})
