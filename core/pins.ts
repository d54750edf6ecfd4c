/**
 * PINs as they are stored: an argon2id hash, sealed. Four characters are guessed in no time by whoever has their hash, so the
 * key of `secrets.json` is needed as well.
 */
import type { Passwords } from './passwords.ts'
import type { Seal } from './sealed.ts'

export function createPins(seal: Seal, passwords: Pick<Passwords, 'hash' | 'matches'>) {
  return {
    hash: async (pin: string): Promise<string> => seal.seal(await passwords.hash(pin)),

    /** Is it the PIN? Null where nobody can tell, because it was sealed with the key of another `secrets.json`. */
    async verify(pin: string, stored: string): Promise<boolean | null> {
      if (stored === '' || pin === '') return false
      const hash = seal.unseal(stored)
      return hash === null ? null : passwords.matches(pin, hash)
    },
  }
}

export type Pins = ReturnType<typeof createPins>
