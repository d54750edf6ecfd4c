/** The signed tokens that identify a session. */
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { limits } from '../../schema/limits.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { UserRow } from './user-rows.ts'

/** Claims of a token; `globaladmin` is a hint for the pages, the users row decides. */
const claims = z.object({
  sub: z.string().regex(/^\d+$/),
  sid: z.string().regex(/^[0-9a-f]{32}$/),
  typ: z.literal('session'),
  globaladmin: z.boolean(),
  iat: z.number(),
  exp: z.number(),
})
type Claims = z.output<typeof claims>

/** `tokenKey`: hex. */
export function createSessionTokens(clock: Clock, tokenKey: string) {
  const key = Buffer.from(tokenKey, 'hex')
  const algorithms = ['HS256']
  /** Tokens with a verified signature, by hash. Their session is still looked up at every request. */
  const verified = new Map<string, Claims>()

  return {
    sign: ({ id, globalAdmin }: UserRow, sid: string, now: number): Promise<string> =>
      new SignJWT({ sid, typ: 'session', globaladmin: globalAdmin })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(String(id))
        .setIssuedAt(now)
        .setExpirationTime(now + limits.tokenSeconds)
        .sign(key),

    async claimsOf(token: string): Promise<Claims | null> {
      const hash = Bun.CryptoHasher.hash('sha256', token, 'base64')
      const known = verified.get(hash)
      if (known !== undefined) return known.exp > seconds(clock) ? known : null
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms,
          requiredClaims: ['exp', 'iat', 'sub', 'sid', 'typ'],
          currentDate: new Date(clock.now()),
        })
        const checked = claims.safeParse(payload)
        if (!checked.success) return null
        verified.set(hash, checked.data)
        if (verified.size > 1000) {
          const [oldest] = verified.keys()
          if (oldest !== undefined) verified.delete(oldest)
        }
        return checked.data
      } catch {
        return null
      }
    },

    /** Whether this server made the session token, even if the token has expired, or its session has ended. */
    async wasIssuedHere(token: string): Promise<boolean> {
      try {
        // At the epoch no token has expired.
        await jwtVerify(token, key, { algorithms, currentDate: new Date(0) })
        return true
      } catch {
        return false
      }
    },
  }
}
