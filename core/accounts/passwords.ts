/** Hashes of passwords and PINs: the only place that creates and compares them, a few at a time. */
import { Failure } from '../../schema/errors.ts'

/** argon2id with OWASP's low-memory parameters: 19 MiB, two passes; about 20 ms. */
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Each hash takes 19 MiB and a core, so only `atOnce` run at the same time, and at most `maxWaiting` wait. */
const atOnce = 4
const maxWaiting = 100

export function createPasswords() {
  let running = 0
  const waiting: (() => void)[] = []
  let decoy: Promise<string> | null = null

  function requireRoom(): void {
    if (waiting.length < maxWaiting) return
    throw new Failure('unavailable', 'Too many passwords are being checked. Try again in a moment.', { retryAfter: 2 })
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    requireRoom()
    if (running >= atOnce) {
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The slot passes to the next one.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }

  return {
    /** Throws `unavailable` if too many hashes are waiting. `hash` and `matches` check this themselves. */
    requireRoom,

    hash: (password: string): Promise<string> => inTurn(() => Bun.password.hash(password, argon)),

    /** Whether the password has this hash. Null (no such account) takes the same time and returns false. */
    async matches(password: string, hash: string | null): Promise<boolean> {
      decoy ??= Bun.password.hash(crypto.randomUUID(), argon)
      // Always awaited, so that the first login does not reveal whether a name exists.
      const other = await decoy
      const isRight = await inTurn(() => Bun.password.verify(password, hash ?? other))
      return isRight && hash !== null
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>
