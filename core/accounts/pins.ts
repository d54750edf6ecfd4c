/** PINs as sealed argon2id hashes: without the seal, four characters would be cracked quickly. */

import type { Seal } from '../kernel/data/sealed.ts'
import type { Passwords } from './passwords.ts'

export function createPins(seal: Seal, passwords: Pick<Passwords, 'hash' | 'matches'>) {
  return {
    hash: async (pin: string): Promise<string> => seal.seal(await passwords.hash(pin)),

    /** Whether the PIN is right; null if it was sealed with the key of another `secrets.json`. */
    async verify(pin: string, stored: string): Promise<boolean | null> {
      if (stored === '' || pin === '') return false
      const hash = seal.unseal(stored)
      return hash === null ? null : passwords.matches(pin, hash)
    },
  }
}

export type Pins = ReturnType<typeof createPins>
