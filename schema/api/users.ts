/** Accounts and sessions. The texts are specified; the pages' forms use these schemas, too. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { atMost, byId, endpoint, shortText } from './contract.ts'

const user = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  globaladmin: z.boolean(),
  /** The chosen language of the pages, such as 'zh-Hans'; '' follows the browser. */
  language: z.string().optional(),
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
    // Not a regular expression, because /.+@.+/ takes minutes for a megabyte without '@'.
    .refine(text => text.slice(1, -1).includes('@'), 'E-mail must be valid'),
  password: z
    .string()
    .min(1, 'Password is required')
    .min(limits.minPassword, 'Password must be more than 2 characters')
    .max(...atMost('Password', 1024)),
  unlockPin: z.string().min(1, 'Unlock Pin is required').max(limits.pinLength, 'Unlock Pin has at most 4 characters'),
})
export type Registration = z.output<typeof registration>

/** The default email address of an account created on the machine itself; names may be in any script. */
export function localEmail(username: string): string {
  return `${username.replace(/[^\p{L}\p{M}\p{N}_.-]/gu, '') || 'user'}@localhost`
}

export const login = z.object({
  username,
  password: z
    .string()
    .min(1, 'Password is required')
    .min(limits.minPassword, 'Password must be more than 2 characters')
    .max(...atMost('Password', 1024)),
})

/** A token is a JWT with the claims sub, exp, iat, sid, typ and globaladmin; `csrf` is required with the cookie. */
export const session = z.object({ token: z.string(), user, csrf: z.string() })
export type Session = z.output<typeof session>

const newPassword = shortText('Password', 1024)
  .refine(text => text === '' || text.length >= 2, 'Password must be at least 2 characters')
  // The login requires three characters, so with two the user could not sign in.
  .refine(text => text.length !== 2, 'Password must be more than 2 characters')

/** The profile form; if the PIN or the new password is empty, the old one stays. */
export const profile = z.object({
  name: registration.shape.name,
  email: registration.shape.email,
  password: shortText('Password', 1024),
  unlockPin: z.string().max(limits.pinLength, 'Unlock Pin has at most 4 characters').optional(),
  newPassword: newPassword.optional(),
  /** Whether to revoke the tokens of devices and scripts, too. */
  signOutTokens: z.boolean().optional(),
})
export type Profile = z.output<typeof profile>

/** An account as administrators see it; admins of a collection only get `id`, `username` and `name`. */
const account = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string().optional(),
  globaladmin: z.boolean().optional(),
  disabled: z.boolean().optional(),
  /** Number of open sessions. */
  sessions: z.int().optional(),
  /** Seconds since the epoch. */
  created: z.int().optional(),
})
export type Account = z.output<typeof account>

const admin = { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] } as const

export const userCalls = {
  register: endpoint('POST /v1/users/register', {
    summary: 'Create an account. The first becomes global admin and needs the key of the set-up link.',
    rule: { who: 'all', refused: [400, 403, 409, 429] },
    body: registration.extend({
      /** The key of the set-up link that `serve` prints; required only for the first account. */
      setup: z.string().max(200).optional(),
    }),
    output: z.object({ user }),
    status: 201,
    sameOrigin: true,
  }),
  login: endpoint('POST /v1/users/login', {
    summary: 'Sign in.',
    rule: { who: 'all', refused: [400, 401, 429] },
    body: login,
    output: session,
    sameOrigin: true,
  }),
  logout: endpoint('GET /v1/users/logout', {
    summary: 'End the session. The cookie alone is enough.',
    rule: { who: 'signedIn', refused: [401] },
    effect: 'any',
  }),
  renew: endpoint('GET /v1/users/renew', {
    summary: 'Renews the token; the session id is replaced, the old one stays valid for a minute.',
    rule: { who: 'signedIn', refused: [401, 403] },
    output: session,
    effect: 'proved',
  }),
  list: endpoint('GET /v1/users', {
    summary: 'Accounts, for admins of any collection.',
    rule: { who: 'anyAdmin', refused: [401, 403] },
    output: z.array(account),
  }),
  update: endpoint('PUT /v1/users/update', {
    summary:
      'Change the own profile; a new password ends the other sessions. `signOutTokens` signs out devices and scripts, too.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 429] },
    body: profile,
    output: z.object({ user }),
  }),
  put: endpoint('PUT /v1/users', {
    summary: 'Change an account; others’ accounts and roles are for global admins.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 404, 409] },
    body: z.object({
      user: z.object({
        id: z.int().positive(),
        name: registration.shape.name.optional(),
        email: registration.shape.email.optional(),
        globaladmin: z.boolean().optional(),
        language: z
          .string()
          .regex(/^([A-Za-z]{2,3}(-[A-Za-z]{2,4})?)?$/, 'language is like de or zh-Hans')
          .optional(),
      }),
    }),
    output: z.object({ user }),
  }),
  disable: endpoint('PUT /v1/users/:id/disabled', {
    summary: 'Disables or enables an account; its sessions end at once.',
    rule: admin,
    params: byId,
    body: z.object({ disabled: z.boolean() }),
    output: account,
  }),
  reset: endpoint('PUT /v1/users/:id/password', {
    summary:
      'Give an account a new password, or a new PIN. Its sessions end; a new password signs out its devices and scripts, too.',
    rule: admin,
    params: byId,
    body: z.object({
      password: registration.shape.password.optional(),
      unlockPin: registration.shape.unlockPin.optional(),
    }),
    status: 204,
  }),
  endSessions: endpoint('DELETE /v1/users/:id/sessions', {
    summary: 'End every session of an account, and sign out its devices and scripts.',
    rule: admin,
    params: byId,
    output: z.object({
      ended: z.int(),
      /** Number of revoked tokens of devices and scripts. */
      tokens: z.int(),
    }),
  }),
}
