/** The body of a decode worker's process: takes batches of files from the pool that started it, answers one by one. */
import { Failure, reasonOf } from '../../../schema/errors.ts'
import { sweepTemporaries } from '../cache/write-file.ts'
import { findVideoTools } from '../video/tools.ts'
import type { DecodeTask } from './decode.ts'
import { decodeFile } from './decode-file.ts'
import { type FromWorker, isToWorker } from './decode-messages.ts'
import { loadSharp } from './sharp.ts'

/** Work that takes much memory waits here for its turn. */
function createQueueOfOne() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}

/**
 * Serves the process that started this one until it goes away. It crashes rather than go on in doubt: the pool starts
 * another. Throws a Failure when nobody started it so.
 */
export async function runDecodeWorker(): Promise<void> {
  if (process.send === undefined) throw new Failure('invalid', 'This command is started by keepsake itself')
  const send = (message: FromWorker) => process.send?.(message)
  // A terminal's Ctrl-C goes to all processes; whoever started this one decides what becomes of it.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  const waiting: DecodeTask[] = []
  const alone = createQueueOfOne()
  let tools = findVideoTools()
  const swept = new Set<string>()
  let width = 1
  let active = 0
  let ready = false

  async function work(task: DecodeTask) {
    try {
      send({ result: await decodeFile(task, { tools, alone }) })
    } catch (error) {
      send({ failed: { id: task.id, message: reasonOf(error) } })
    }
    active--
    next()
  }

  function next() {
    while (ready && active < width) {
      const task = waiting.shift()
      if (task === undefined) return
      active++
      if (!swept.has(task.cache)) sweepTemporaries(task.cache)
      swept.add(task.cache)
      void work(task)
    }
  }

  const gone = new Promise<void>(resolve => process.on('disconnect', resolve))
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    if ('start' in message) {
      const { ffmpeg, ffprobe } = message.start
      width = message.start.width
      tools = findVideoTools({
        ...process.env,
        ...(ffmpeg && { KEEPSAKE_FFMPEG: ffmpeg }),
        ...(ffprobe && { KEEPSAKE_FFPROBE: ffprobe }),
      })
    } else {
      waiting.push(...message.tasks)
      next()
    }
  })
  await loadSharp()
  send({ ready: true })
  ready = true
  next()
  await gone
  process.exit(0)
}
