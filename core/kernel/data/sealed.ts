/** Encrypts and hashes stored texts with keys of `secrets.json`, so that the database alone does not reveal them. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const version = 's1.'
const nonceLength = 12
const tagLength = 16

export interface Seal {
  /** AES-256-GCM with a random nonce: `s1.` and base64url. Equal texts differ when sealed. */
  seal(text: string): string
  /** Null if the text was sealed with another key, or not sealed at all. */
  unseal(sealed: string): string | null
  /** HMAC-SHA256 in base64url, 43 characters: equal for equal texts, so that a row can be found by it. */
  lookupOf(text: string): string
}

/** `sealKey`: 32 bytes in hex. Keys are derived for each purpose (HKDF, RFC 5869), so that no key has two uses. */
export function createSeal(sealKey: string, purpose: 'shares' | 'pins'): Seal {
  const keyFor = (use: string) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(sealKey, 'hex'), '', `keepsake ${purpose} ${use}`, 32))
  const [cipherKey, lookupKey] = [keyFor('seal'), keyFor('lookup')]

  return {
    seal(text) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce)
      const body = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return version + Buffer.concat(body).toString('base64url')
    },

    unseal(sealed) {
      if (!sealed.startsWith(version)) return null
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
      if (bytes.length < nonceLength + tagLength) return null
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, nonceLength))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      try {
        const body = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]
        return Buffer.concat(body).toString('utf8')
      } catch {
        return null
      }
    },

    lookupOf: text => createHmac('sha256', lookupKey).update(text).digest('base64url'),
  }
}

export interface Seals {
  shares: Seal
  pins: Seal
}

export function sealsOf({ sealKey }: { sealKey: string }): Seals {
  return { shares: createSeal(sealKey, 'shares'), pins: createSeal(sealKey, 'pins') }
}
