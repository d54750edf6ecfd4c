/** Accounts and sessions. The texts are the specification's (§5); forms in the web check with these same schemas. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { endpoint } from './contract.ts'

export const user = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  globaladmin: z.boolean(),
})
export type User = z.output<typeof user>

const username = z
  .string()
  .trim()
  .min(1, 'Username is required')
  .max(limits.usernameLength, `Username must be less than ${limits.usernameLength} characters`)

export const registration = z.object({
  username,
  name: z
    .string()
    .trim()
    .min(1, 'Name is required')
    .max(limits.nameLength, `Name must be less than ${limits.nameLength} characters`),
  email: z
    .string()
    .trim()
    .min(1, 'E-mail is required')
    .max(320, 'E-mail must be valid')
    // Not by an expression: /.+@.+/ takes minutes for a megabyte without '@'.
    .refine(text => text.slice(1, -1).includes('@'), 'E-mail must be valid'),
  password: z
    .string()
    .min(1, 'Password is required')
    .min(limits.passwordLeast, 'Password must be more than 2 characters')
    .max(1024),
  unlockPin: z.string().min(1, 'Unlock Pin is required').max(limits.pinLength, 'Unlock Pin has at most 4 characters'),
})
export type Registration = z.output<typeof registration>

export const login = z.object({
  username,
  password: z
    .string()
    .min(1, 'Password is required')
    .min(limits.passwordLeast, 'Password must be more than 2 characters')
    .max(1024),
})

/** A token is a JWT with the claims sub, exp, iat, sid, typ and globaladmin; `csrf` goes with the cookie. */
export const session = z.object({ token: z.string(), user, csrf: z.string() })
export type Session = z.output<typeof session>

export const userCalls = {
  register: endpoint({
    method: 'POST',
    path: '/v1/users/register',
    summary: 'Create an account. The first one of an empty library becomes global admin.',
    rule: { who: 'all', refused: [400, 403, 409, 429] },
    body: registration.extend({
      /** From the one-time link that `serve` prints, where the first account is not made on the machine itself. */
      setup: z.string().max(200).optional(),
    }),
    output: z.object({ user }),
    status: 201,
    sameOrigin: true,
  }),
  login: endpoint({
    method: 'POST',
    path: '/v1/users/login',
    summary: 'Sign in.',
    rule: { who: 'all', refused: [400, 401, 429] },
    body: login,
    output: session,
    sameOrigin: true,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/v1/users/logout',
    summary: 'End the session. The cookie alone is enough.',
    rule: { who: 'signedIn', refused: [401] },
  }),
  renew: endpoint({
    method: 'GET',
    path: '/v1/users/renew',
    summary: 'A new token; the session id is replaced, the old one stays good for a minute.',
    rule: { who: 'signedIn', refused: [401] },
    output: session,
  }),
}
