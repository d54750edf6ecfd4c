/** Refusals of a server, and connection errors, as failures that name the remedy. */
import { Failure, type FailureCode, failureTable, reasonOf } from '../../schema/errors.ts'

/** Whether the code is in our table. A newer server may have others. */
export function isFailureCode(text: unknown): text is FailureCode {
  return typeof text === 'string' && Object.hasOwn(failureTable, text)
}

const byStatus: Record<number, FailureCode> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'denied',
  404: 'notFound',
  409: 'conflict',
  413: 'tooLarge',
  421: 'misdirected',
  429: 'tooMany',
  503: 'unavailable',
  507: 'noSpace',
}

export const failureOf = (status: number, message: string, field: string | undefined, code: string) =>
  new Failure(
    isFailureCode(code) ? code : (byStatus[status] ?? 'conflict'),
    message,
    field === undefined ? {} : { field },
  )

export async function failureOfResponse(response: Response, address: string): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null)
  const of = (name: string): unknown =>
    typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  const text = of('error')
  const code = of('code')
  if (typeof text !== 'string')
    return new Failure('unavailable', `${address} returned status ${response.status}. Is it a Keepsake server?`)
  if (response.status === 401)
    return new Failure(
      'unauthenticated',
      `${address} does not accept this token: it is wrong, revoked or expired. On the server: keepsake token issue --user NAME`,
    )
  const field = of('field')
  const current = of('current')
  const kind = isFailureCode(code) ? code : (byStatus[response.status] ?? 'conflict')
  const message = response.status >= 500 ? `${address}: ${text}` : text
  return new Failure(kind, message, { current, ...(typeof field === 'string' ? { field } : {}) })
}

/** Why there was no response: the host name, the port, or the certificate. */
export function connectionFailure(error: unknown, address: string): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasonOf(error)
  if (code === 'EPROTO')
    return new Failure('unavailable', `${address} does not use https (${code}). Try http://`, {
      cause: error,
    })
  if (/CERT|SELF_SIGNED|TLS|SSL|ISSUER|ALTNAME/i.test(`${code} ${reason}`))
    return new Failure(
      'unavailable',
      `The certificate of ${address} is not trusted (${code === '' ? reason : code}). Add its certificate authority with NODE_EXTRA_CA_CERTS=FILE.`,
      { cause: error },
    )
  if (error instanceof Error && error.name === 'TimeoutError')
    return new Failure('unavailable', `${address} does not respond.`, { cause: error })
  return new Failure('unavailable', `${address} cannot be reached (${code === '' ? reason : code}).`, { cause: error })
}
