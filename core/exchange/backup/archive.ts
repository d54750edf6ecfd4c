/** The format of backups, and functions that read them and check every byte. */
import { z } from 'zod'
import { Failure, sentence } from '../../../schema/errors.ts'
import type { OpenFile } from '../../files/open-file.ts'
import { readZip, type ZipMember, zipLimits } from '../../files/zip-in.ts'
import { databaseName } from '../../kernel/data/aside.ts'

/** Files of the data directory in a backup besides the database; missing ones are left out. */
export const includedFiles = ['config.toml', 'secrets.json'] as const
export const manifestName = 'backup.json'
/** The directory of plugins; a backup includes all regular files below it. */
export const pluginsName = 'plugins'

const member = z.object({
  name: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/** The first file of the archive. `schema` changes when a field changes its meaning. */
const manifestShape = z.object({
  type: z.literal('keepsake-backup'),
  schema: z.literal(1),
  keepsake: z.string(),
  made: z.string(),
  /** Version of the database (PRAGMA user_version). */
  database: z.int().positive(),
  items: z.int(),
  collections: z.int(),
  files: z.array(member),
})
export type BackupManifest = z.output<typeof manifestShape>

/** Content of an archive: its manifest, and its files by their names. */
export interface OpenBackup {
  manifest: BackupManifest
  members: ReadonlyMap<string, ZipMember>
}

const maxManifestBytes = 16 * 1024 * 1024

async function textOf(wanted: ZipMember): Promise<string> {
  const pieces: Uint8Array[] = []
  if (wanted.size > maxManifestBytes)
    throw new Failure('invalid', 'This is not a backup: its list of files is too large.')
  for await (const piece of wanted.content()) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether a backup may contain this name. Files with other names are never written, even if an archive lists them. */
function isAllowedName(name: string): boolean {
  const [top, ...inner] = name.split('/')
  if (inner.length === 0) return [databaseName, ...includedFiles].some(one => one === name)
  return top === pluginsName && inner.every(part => part !== '' && part !== '.' && part !== '..')
}

/** Opens an archive; throws `invalid` for anything but a readable backup. The caller closes the file. */
export async function openBackup(file: OpenFile): Promise<OpenBackup> {
  const list = await readZip(file, { ...zipLimits, ratio: 1000, bytes: Number.MAX_SAFE_INTEGER })
  const members = new Map(list.filter(({ isFolder }) => !isFolder).map(one => [one.names.join('/'), one]))
  const head = members.get(manifestName)
  const checked = manifestShape.safeParse(head === undefined ? null : parseJson(await textOf(head)))
  if (!checked.success) throw new Failure('invalid', 'This is not a Keepsake backup, or one of a newer version.')
  const named = new Set(checked.data.files.map(({ name }) => name))
  const foreign = [...named].find(name => !isAllowedName(name))
  if (foreign !== undefined)
    throw new Failure(
      'invalid',
      sentence`The backup holds '${foreign}', which no backup of Keepsake has. Nothing was restored.`,
    )
  const missing = [...named].find(name => !members.has(name))
  if (missing !== undefined) throw new Failure('invalid', sentence`The backup is damaged: '${missing}' is missing.`)
  const unlisted = [...members.keys()].find(name => name !== manifestName && !named.has(name))
  if (unlisted !== undefined)
    throw new Failure('invalid', sentence`The backup contains '${unlisted}', which is not in its list.`)
  if (!named.has(databaseName)) throw new Failure('invalid', 'The backup contains no database.')
  return { manifest: checked.data, members }
}

/** The bytes of a member; throws after the last byte if the checksum differs. */
export async function* checkedContent(
  { manifest, members }: OpenBackup,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const listed = manifest.files.find(one => one.name === name)
  const found = members.get(name)
  if (listed === undefined || found === undefined)
    throw new Failure('invalid', sentence`The backup is damaged: '${name}' is missing.`)
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  for await (const piece of found.content()) {
    hasher.update(piece)
    size += piece.length
    yield piece
  }
  if (size !== listed.size || hasher.digest('hex') !== listed.sha256)
    throw new Failure('invalid', sentence`The backup is damaged: '${name}' has been changed.`)
}

export async function verifyBackup(backup: OpenBackup, signal: AbortSignal): Promise<void> {
  for (const { name } of backup.manifest.files)
    for await (const _ of checkedContent(backup, name)) signal.throwIfAborted()
}
