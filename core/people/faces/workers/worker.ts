/** The body of a face worker's process: processes pictures from its pool, one after the other. */
import { reasonOf } from '../../../../schema/errors.ts'
import { longestEdge } from '../../../media/cache/renditions.ts'
import { pixelsOfFile } from '../../../media/decode/decode-file.ts'
import { serveParent } from '../../../media/decode/worker-process.ts'
import { MediaProblem } from '../../../media/media-problem.ts'
import { findVideoTools, type VideoTools } from '../../../media/video/tools.ts'
import { openRecogniser, type Recogniser } from '../recogniser.ts'
import {
  type DetectionResult,
  type FaceTask,
  type FromFaceWorker,
  isToFaceWorker,
  type WorkerSettings,
} from './worker-messages.ts'

/** Length of the longer edge: the same as of the large picture that browsers use, so that results are equal. */
const edge = longestEdge.large

async function findFaces(task: FaceTask, recognise: Recogniser, tools: VideoTools): Promise<DetectionResult> {
  const { id } = task
  try {
    const { content, pixels } = await pixelsOfFile(task, { edge, rotation: task.rotation, tools })
    if (content !== task.content) return { id, fault: 'The file has changed', changed: true }
    const scale = 1000 / Math.max(pixels.width, pixels.height)
    const faces = await recognise(pixels, task.confidence)
    return {
      id,
      faces: faces.map(({ left, top, width, height, score, vector }) => ({
        x: left * scale,
        y: top * scale,
        width: width * scale,
        height: height * scale,
        score,
        // The network's buffer may be overwritten by the next picture.
        vector: vector.slice(),
      })),
    }
  } catch (error) {
    const unread = error instanceof MediaProblem && error.code === 'unreadable'
    return { id, fault: reasonOf(error), ...(unread ? { unread } : {}) }
  }
}

export function runFaceWorker(): Promise<void> {
  return serveParent<FromFaceWorker>(send => {
    let recogniser: Promise<Recogniser> | null = null
    let tools = findVideoTools()
    let last: Promise<void> = Promise.resolve()

    async function start({ model, ...paths }: WorkerSettings) {
      tools = findVideoTools(paths)
      recogniser = openRecogniser(model)
      try {
        await recogniser
        send({ ready: true })
      } catch (error) {
        send({ trouble: reasonOf(error) })
      }
    }

    async function work(task: FaceTask) {
      const recognise = await recogniser
      if (recognise !== null) send({ result: await findFaces(task, recognise, tools) })
    }

    return {
      received(message) {
        if (!isToFaceWorker(message)) return
        if ('start' in message) void start(message.start)
        else last = last.then(() => work(message.task)).catch(() => process.exit(1))
      },
    }
  })
}
