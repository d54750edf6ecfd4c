/** The claims of a session token, and when it must be renewed. Pure. */
import { z } from 'zod'
import { limits } from '../../schema/limits.ts'

/** Seconds since the epoch. The claims are only hints for this page; the server checks the token and the session. */
const claims = z.object({ exp: z.number(), iat: z.number().optional() })
export type Claims = z.output<typeof claims>

/** The claims of a JWT; null for other texts. */
export function claimsOf(token: string): Claims | null {
  const [, body = ''] = token.split('.')
  try {
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0))
    const parsed = claims.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/**
 * When to renew a token: 'expired' if it is too late, 'now' if the page was loaded (`atLoad`) with a token older than a
 * day, else the milliseconds until ten minutes before it expires. `now` is in milliseconds.
 */
export function renewalOf({ exp, iat }: Claims, now: number, atLoad: boolean): 'expired' | 'now' | number {
  const seconds = now / 1000
  if (seconds >= exp) return 'expired'
  if (atLoad && iat !== undefined && seconds - iat > limits.renewAtLoadAfterSeconds) return 'now'
  return Math.max(1000, (exp - limits.renewBeforeSeconds) * 1000 - now)
}
