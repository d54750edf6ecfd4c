/** Plans of work on files, made by a worker, because walking disks and reading files here would block all requests. */
import type { Context, Hono } from 'hono'
import { requireOnCollection, requireSignedIn } from '../core/accounts/access.ts'
import { ownCommand } from '../core/kernel/worker-command.ts'
import type { Library } from '../core/library.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { planRequest } from '../schema/api/plans.ts'
import { allowSlow } from './bytes/download.ts'
import { decodeInput, jsonOf } from './mount.ts'
import { identifyRequester, requireOwnPage } from './requests/viewer.ts'
import { createSlots } from './slots.ts'

/** An empty line is sent after this silence, so that no proxy considers the connection dead. */
const silenceMs = 15_000

type Worker = Bun.Subprocess<Blob, 'pipe', 'inherit'>

/** Streams the worker's output; ends the worker if the client disconnects. */
function streamOutput(worker: Worker, end: () => void): ReadableStream<Uint8Array> {
  const reader = worker.stdout.getReader()
  let next = reader.read()
  /** The next output, or null if none arrives for a while. */
  function nextOrSilence() {
    const { promise, resolve } = Promise.withResolvers<null>()
    const silence = setTimeout(() => resolve(null), silenceMs)
    return Promise.race([next, promise]).finally(() => clearTimeout(silence))
  }
  return new ReadableStream({
    async pull(controller) {
      const read = await nextOrSilence()
      if (read === null) controller.enqueue(Buffer.from('\n'))
      else if (read.done) {
        end()
        controller.close()
      } else {
        next = reader.read()
        controller.enqueue(read.value)
      }
    },
    cancel: end,
  })
}

export function mountPlans(app: Hono, library: Library): void {
  const takeSlot = createSlots('Other dry runs are still running. Wait until one of them is done.')

  async function respond(context: Context): Promise<Response> {
    const requester = await identifyRequester(context, library)
    const { viewer } = requester
    requireSignedIn(viewer)
    requireOwnPage(context, library, requester, false)
    const request = decodeInput(planRequest, await jsonOf(context))
    // The worker checks the same rights as the work itself; callers without any right get no worker.
    requireOnCollection(viewer, request.collection, request.work === 'transfer' ? 'create' : 'admin')
    const releaseSlot = takeSlot(viewer)
    const { userId, unlockValue } = viewer
    const worker = Bun.spawn([...ownCommand(), '--data', library.data, 'worker', 'plan'], {
      stdin: new Blob([JSON.stringify({ userId, unlockValue, request })]),
      stdout: 'pipe',
      stderr: 'inherit',
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    })
    const end = () => {
      worker.kill('SIGKILL')
      releaseSlot()
    }
    context.req.raw.signal.addEventListener('abort', end, { once: true })
    allowSlow(context)
    return new Response(streamOutput(worker, end), {
      headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
    })
  }

  app.post(byteRoutes.plan.path, respond)
}
