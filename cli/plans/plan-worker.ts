/** Plans work for a server and prints one `PlanResponse` per line, which the server passes on. */
import { writeSync } from 'node:fs'
import { z } from 'zod'
import type { Library } from '../../core/library.ts'
import { type PlanResponse, planRequest, planWork } from '../../schema/api/plans.ts'
import { Failure } from '../../schema/errors.ts'

const request = z.object({ userId: z.int().nullable(), unlockValue: z.string().nullable(), request: planRequest })

/** Writes synchronously: waits for a slow reader, and buffers nothing. */
function write(reply: PlanResponse): void {
  const bytes = Buffer.from(`${JSON.stringify(reply)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
}

/** Reads the request from standard input; returns the exit code. Failures are printed as replies. */
export async function runPlanWorker(library: Library, signal: AbortSignal): Promise<number> {
  const { userId, unlockValue, request: work } = request.parse(await Bun.stdin.json())
  try {
    const planner = library.plans.asUser(userId, unlockValue)
    write({ end: await planWork(planner, work, { signal, report: line => write({ line }) }) })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    write({ failure: { code: error.code, message: error.message } })
  }
  return 0
}
