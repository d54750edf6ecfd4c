/** Turns errors into responses: expected errors as they are, anything else as an internal error. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ZodError } from 'zod'
import type { Log } from '../core/kernel/log.ts'
import { fileManagerPath } from '../schema/api/file-manager.ts'
import { Failure } from '../schema/errors.ts'
import { invalidFailure } from '../schema/issue-words.ts'

function statusOf(status: number): ContentfulStatusCode {
  // Every status of the failure table may have a body.
  return status as ContentfulStatusCode
}

/** Extra fields of the file manager's protocol: its clients show `message`. */
function protocolFields(context: Context, message: string) {
  return context.req.path === fileManagerPath ? { message, status: false } : {}
}

/**
 * The body of every refused call: `{error, code, pattern?, values?, field?, current?}`. Translations are looked up by
 * `pattern`, or by `error` if the message has no values.
 */
export function respondToFailure(context: Context, error: unknown, log: Log): Response {
  if (error instanceof Failure) {
    if (error.retryAfter !== undefined) context.header('Retry-After', String(error.retryAfter))
    if (error.code === 'unauthenticated') context.header('WWW-Authenticate', 'Bearer')
    return context.json(
      {
        ...protocolFields(context, error.message),
        error: error.message,
        code: error.code,
        ...(error.sentence.values.length === 0 ? {} : error.sentence),
        field: error.field,
        current: error.current,
      },
      statusOf(error.status),
    )
  }
  if (error instanceof ZodError) return respondToFailure(context, invalidFailure(error), log)
  if (error instanceof HTTPException && error.status < 500) {
    return context.json({ error: error.message === '' ? 'Bad request' : error.message, code: 'invalid' }, error.status)
  }
  // The client closed the connection in the middle of its body: nobody reads a response.
  if (context.req.raw.signal.aborted) return context.body(null, 400)
  log.error('a request failed', { method: context.req.method, path: context.req.path, error })
  const unknown = 'Unknown server error'
  return context.json({ ...protocolFields(context, unknown), error: unknown, code: 'unexpected' }, 500)
}
