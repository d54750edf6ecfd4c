/** Hashes of passwords and PINs: the one place that makes and compares them, a few at a time. */
import { Failure } from '../schema/errors.ts'

/** argon2id as the OWASP sheet has it for little memory: 19 MiB, two passes; about 20 ms. */
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Each takes 19 MiB and a core: so many run at once, and so many more wait, for a second or so. */
const atOnce = 4
const waitingMost = 100

export function createPasswords() {
  let running = 0
  const waiting: (() => void)[] = []
  /** A hash that no password has. */
  let decoy: Promise<string> | null = null

  function demandRoom(): void {
    if (waiting.length < waitingMost) return
    throw new Failure('unavailable', 'Too many passwords are being checked. Try again in a moment.', { retryAfter: 2 })
  }

  /** Does the work when it is its turn. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    demandRoom()
    if (running >= atOnce) {
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // Whoever is next takes this place.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }

  return {
    /** `unavailable` where too many wait already; every hash and comparison begins with it. */
    demandRoom,

    hash: (password: string): Promise<string> => inTurn(() => Bun.password.hash(password, argon)),

    /** True where the password has this hash. Null, for an account that is not there, takes as long and is false. */
    async matches(password: string, hash: string | null): Promise<boolean> {
      decoy ??= Bun.password.hash(crypto.randomUUID(), argon)
      // Waited for in any case: the first login must not tell whether its name exists.
      const other = await decoy
      const isRight = await inTurn(() => Bun.password.verify(password, hash ?? other))
      return isRight && hash !== null
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>
