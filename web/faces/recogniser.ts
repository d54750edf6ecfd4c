/** The page's side of the worker that finds faces. */
import type { FaceFault, FaceMessage, FaceRequest, FaceResponse, Pixels, SeenFace } from './face-messages.ts'

export class FaceError extends Error {
  constructor(
    readonly fault: FaceFault | 'stopped',
    why: string,
  ) {
    super(why)
  }
}

export interface Recogniser {
  /** Loads the models: 9 MB, which the browser caches. */
  load(): Promise<void>
  /** Faces on a picture with at least this confidence (0 to 1). */
  findFaces(pixels: Pixels, confidence: number): Promise<readonly SeenFace[]>
  /** Ends the worker in the middle of its work; pending calls are rejected. */
  close(): void
}

export function startRecogniser(): Recogniser {
  if (typeof Worker === 'undefined') throw new FaceError('browser', 'no workers')
  const worker = new Worker(faceWorker)
  const waiting = new Map<number, { done: (faces: readonly SeenFace[]) => void; failed: (error: FaceError) => void }>()
  let lastId = 0
  const failAll = (error: FaceError) => {
    for (const { failed } of waiting.values()) failed(error)
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<FaceResponse>) => {
    const requester = waiting.get(data.id)
    waiting.delete(data.id)
    if ('fault' in data) requester?.failed(new FaceError(data.fault, data.why))
    else requester?.done(data.faces)
  })
  // The worker's script could not be loaded, or does not run here.
  worker.addEventListener('error', event => {
    event.preventDefault()
    failAll(new FaceError('models', event.message ?? 'the worker did not start'))
  })
  const send = (request: FaceRequest, transfer: Transferable[] = []) =>
    new Promise<readonly SeenFace[]>((done, failed) => {
      const id = ++lastId
      waiting.set(id, { done, failed })
      worker.postMessage({ id, request } satisfies FaceMessage, transfer)
    })
  return {
    async load() {
      await send({ what: 'load', modelsUrl: new URL(faceFiles, location.href).href })
    },
    findFaces: (pixels, confidence) => send({ what: 'find', pixels, confidence }, [pixels.bytes]),
    close() {
      worker.terminate()
      failAll(new FaceError('stopped', 'stopped'))
    },
  }
}
