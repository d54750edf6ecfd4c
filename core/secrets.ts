/** The library's own secrets, in `secrets.json` of the data directory, readable by its owner alone. */
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '../schema/errors.ts'
import { readNamedFile } from './files/open-file.ts'
import { outRefused } from './files/out-place.ts'

const secretsShape = z.object({
  /** Signs session tokens (HS256), hex. */
  tokenKey: z.string().regex(/^[0-9a-f]{64,}$/),
  /** Of the one-time set-up link, until the first account exists. */
  setup: z.string().min(20),
})
export type Secrets = z.output<typeof secretsShape>

/**
 * Reads the secrets, making them the first time. Several processes may do that at once: the file appears whole and only
 * once, and all read the same.
 */
export function openSecrets(data: string): Secrets {
  const path = join(data, 'secrets.json')
  if (!existsSync(path)) {
    const fresh: Secrets = { tokenKey: randomBytes(32).toString('hex'), setup: randomBytes(18).toString('base64url') }
    const temporary = `${path}.${process.pid}.tmp`
    try {
      writeDurably(temporary, JSON.stringify(fresh))
      linkSync(temporary, path)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw outRefused(error, path)
    } finally {
      rmSync(temporary, { force: true })
    }
  }
  chmodSync(path, 0o600)
  const secrets = readSecrets(path)
  if (secrets === null) throw new Failure('invalid', `${path} is damaged. ${secretsRemedy}`)
  return secrets
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** What a damaged file costs. */
export const secretsRemedy = 'Delete it: everybody then has to sign in again, nothing else is lost.'

/** Null where the file is damaged. Throws where it cannot be read. */
export function readSecrets(path: string): Secrets | null {
  try {
    return secretsShape.safeParse(JSON.parse(Buffer.from(readNamedFile(path)).toString())).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Failure) return null
    throw error
  }
}
