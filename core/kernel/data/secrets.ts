/** The library's secrets, in `secrets.json` of the data directory, readable only by its owner. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure, sentence } from '../../../schema/errors.ts'
import { readNamedFile } from '../../files/open-file.ts'
import { outputFailure } from '../../files/output-paths.ts'

const hexKey = z.string().regex(/^[0-9a-f]{64,}$/)

const storedShape = z.object({
  /** Signs session tokens (HS256) and the cookies of devices, hex. */
  tokenKey: hexKey,
  /** Key of the set-up link, until the first account exists. */
  setup: z.string().min(20),
  /** Hex; seals what the database stores of shares and PINs (`sealed.ts`). Files of older versions lack it. */
  sealKey: hexKey.optional(),
})
export type Secrets = Required<z.output<typeof storedShape>>

/** Path and query of the set-up link, below any address of the server. */
export function setupPath({ setup }: Secrets): string {
  return `/?setup=${setup}`
}

/**
 * Reads the secrets, or creates them: completely and only once, even by several processes. If this file is lost, all
 * sessions and devices' cookies end, links of shares stop working, and PINs must be set again; passwords, API tokens and
 * items are unaffected. Backups contain it.
 */
export function openSecrets(data: string): Secrets {
  const path = join(data, 'secrets.json')
  if (!existsSync(path))
    writeSecrets(path, {
      tokenKey: randomBytes(32).toString('hex'),
      setup: randomBytes(18).toString('base64url'),
      sealKey: randomBytes(32).toString('hex'),
    })
  chmodSync(path, 0o600)
  const stored = readSecrets(path)
  if (stored === null) throw new Failure('invalid', sentence`${path} is damaged. ${secretsRemedy}`)
  const { sealKey } = stored
  if (sealKey !== undefined) return { ...stored, sealKey }
  // Derived from existing secrets, so that all processes that add it at once add the same value.
  const derived = Buffer.from(hkdfSync('sha256', Buffer.from(stored.tokenKey, 'hex'), '', 'keepsake sealKey', 32))
  const whole = { ...stored, sealKey: derived.toString('hex') }
  writeSecrets(path, whole, { replace: true })
  return whole
}

function writeSecrets(path: string, secrets: Secrets, { replace = false }: { replace?: boolean } = {}): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, JSON.stringify(secrets), { mode: 0o600, flush: true })
    if (replace) renameSync(temporary, path)
    else linkSync(temporary, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw outputFailure(error, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** The consequences of losing the keys, for messages. */
export const secretsCost = 'everybody has to sign in again, links of shares are dead, and users set new PINs'

/** The remedy for a damaged file. */
export const secretsRemedy = `Take it from a backup. Or delete it: then ${secretsCost}.`

/** The secrets of a file; null if it is missing or damaged. Throws if it cannot be read. */
export function readSecrets(path: string): z.output<typeof storedShape> | null {
  try {
    return storedShape.safeParse(JSON.parse(Buffer.from(readNamedFile(path)).toString())).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Failure) return null
    throw error
  }
}
