/** Calls of a plugin's server module: short ones, and long ones that run as jobs. */
import { effect } from '@preact/signals-react'
import { job as jobShape } from '../../schema/api/jobs.ts'
import type { Plugin } from '../../schema/api/plugins.ts'
import { channels, type RealtimeMessage } from '../../schema/realtime.ts'
import { api } from '../api.ts'
import { user } from '../app/session.ts'
import { live, rpc, subscribe } from '../socket.ts'

/** Maximum milliseconds that a call waits for the connection. */
const maxWaitMs = 15_000

function untilConnected(): Promise<void> {
  if (live.peek()) return Promise.resolve()
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      end()
      failed(new Error('There is no connection to the server.'))
    }, maxWaitMs)
    const end = effect(() => {
      if (!live.value) return
      clearTimeout(timer)
      // The effect must not end itself while it is being created.
      queueMicrotask(() => end())
      done()
    })
  })
}

export type OnProgress = (now: { done: number; total: number | null; message: string }) => void

export interface StartedCall {
  job: number
  result: Promise<unknown>
  cancel: () => void
}

function jobOf(value: unknown): { id: number } | null {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : null
  return typeof id === 'number' ? { id } : null
}

function resultOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, 'result') : undefined
}

/** `onEnd` receives functions to run when the plugin is deactivated. */
export function createRemote({ module }: Pick<Plugin, 'module'>, onEnd: (end: () => void) => void) {
  async function call(method: string, data?: unknown): Promise<unknown> {
    await untilConnected()
    const reply = await rpc(module, method, data)
    if ('job' in reply) throw new Error(`'${method}' takes long: call it with start().`)
    return reply.result
  }

  async function start(method: string, data?: unknown, onProgress?: OnProgress): Promise<StartedCall> {
    const sub = user.peek()?.id
    if (sub === undefined) throw new Error('Only signed-in users can start this.')
    await untilConnected()
    // The job's messages may arrive before the response that names the job.
    const early: RealtimeMessage[] = []
    let handle = (message: RealtimeMessage) => void early.push(message)
    const stops = [subscribe(channels.rpc(String(sub)), message => handle(message))]
    const end = () => {
      for (const stop of stops.splice(0)) stop()
    }
    try {
      const reply = await rpc(module, method, data)
      if (!('job' in reply)) {
        end()
        return { job: 0, result: Promise.resolve(reply.result), cancel: () => {} }
      }
      const { job } = reply
      const { promise: result, resolve, reject } = Promise.withResolvers<unknown>()
      // Unhandled rejections of a plugin are not errors of the page.
      result.catch(() => {})
      handle = message => {
        if (jobOf(message.job)?.id !== job || message.plugin === undefined) return
        end()
        resolve(resultOf(message.plugin))
      }
      for (const message of early) handle(message)
      stops.push(
        subscribe(channels.task(job), message => {
          const { data: now } = jobShape.safeParse(message.job)
          if (now === undefined) return
          if (now.state === 'queued' || now.state === 'running') {
            onProgress?.({ done: now.done, total: now.total, message: now.message })
            return
          }
          end()
          const reason = now.state === 'cancelled' ? 'It was cancelled.' : (now.error ?? 'The result was lost.')
          // If the result came first, this has no effect.
          reject(new Error(reason))
        }),
      )
      onEnd(end)
      return { job, result, cancel: () => void api.jobs.cancel({ params: { id: job } }).catch(() => {}) }
    } catch (error) {
      end()
      throw error
    }
  }

  return { call, start }
}
