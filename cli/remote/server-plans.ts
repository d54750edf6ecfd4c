/** Plans of a server, read line by line as they arrive. */
import type { z } from 'zod'
import { byteRoutes } from '../../schema/api/bytes.ts'
import { type Planner, type PlanReporter, type PlanRequest, planResponse, planShapes } from '../../schema/api/plans.ts'
import { Failure } from '../../schema/errors.ts'
import { isFailureCode } from './server-failures.ts'

/** Sends JSON; the response's body may take any time. */
export type Post = (path: string, body: string, signal: AbortSignal) => Promise<Response>

async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

export function createServerPlanner(post: Post): Planner {
  async function plan<Line, End>(
    request: PlanRequest,
    shape: { line: z.ZodType<Line>; end: z.ZodType<End> },
    { signal, report }: PlanReporter<Line>,
  ): Promise<End> {
    const response = await post(byteRoutes.plan.path, JSON.stringify(request), signal)
    for await (const text of linesOf(response)) {
      signal.throwIfAborted()
      if (text === '') continue
      const reply = planResponse.parse(JSON.parse(text))
      if ('end' in reply) return shape.end.parse(reply.end)
      if ('line' in reply) report(shape.line.parse(reply.line))
      else {
        const { code, message } = reply.failure
        throw new Failure(isFailureCode(code) ? code : 'conflict', message)
      }
    }
    signal.throwIfAborted()
    throw new Failure('unavailable', 'The server stopped before it sent everything.')
  }
  return {
    scan: (request, reporter) => plan({ work: 'scan', ...request }, planShapes.scan, reporter),
    transfer: (request, reporter) => plan({ work: 'transfer', ...request }, planShapes.transfer, reporter),
    import: (request, reporter) => plan({ work: 'import', ...request }, planShapes.import, reporter),
    importMetadata: (request, reporter) =>
      plan({ work: 'importMetadata', ...request }, planShapes.importMetadata, reporter),
    exportMetadata: (request, reporter) =>
      plan({ work: 'exportMetadata', ...request }, planShapes.exportMetadata, reporter),
  }
}
