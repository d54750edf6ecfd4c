/** The main loop of a decode worker: takes batches of files from the pool that started it, and responds one by one. */
import { reasonOf } from '../../../schema/errors.ts'
import { sweepTemporaries } from '../cache/write-file.ts'
import { findVideoTools } from '../video/tools.ts'
import { decodeFile } from './decode-file.ts'
import { type FromWorker, isToWorker, type NumberedTask } from './decode-messages.ts'
import { loadSharp } from './sharp.ts'
import { serveParent } from './worker-process.ts'

/** Memory-intensive work waits here for its turn. */
function createQueueOfOne() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}

/** Runs the worker. An unexpected error crashes it, so that its state is never unknown: the pool starts another. */
export function runDecodeWorker(): Promise<void> {
  return serveParent<FromWorker>(send => {
    const waiting: NumberedTask[] = []
    const runAlone = createQueueOfOne()
    let tools = findVideoTools()
    const swept = new Set<string>()
    let width = 1
    let active = 0
    let isReady = false

    async function work({ id, task }: NumberedTask) {
      try {
        send({ id, result: await decodeFile(task, { tools, runAlone }) })
      } catch (error) {
        send({ id, failed: reasonOf(error) })
      }
      active--
      next()
    }

    function next() {
      while (isReady && active < width) {
        const next = waiting.shift()
        if (next === undefined) return
        active++
        const { cache } = next.task
        if (!swept.has(cache)) sweepTemporaries(cache)
        swept.add(cache)
        void work(next)
      }
    }

    return {
      received(message) {
        if (!isToWorker(message)) return
        if ('start' in message) {
          width = message.start.width
          tools = findVideoTools(message.start)
        } else {
          waiting.push(...message.tasks)
          next()
        }
      },
      async ready() {
        await loadSharp()
        send({ ready: true })
        isReady = true
        next()
      },
    }
  })
}
