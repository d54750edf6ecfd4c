/** Reads untrusted zips: everything that they declare is checked before and while bytes are read. */
import { crc32, createInflateRaw } from 'node:zlib'
import { Failure, sentence } from '../../schema/errors.ts'
import { asBuffer, bytesOfText } from './names.ts'
import { deceivingMarks, isInvisible } from './new-names.ts'
import type { OpenFile } from './open-file.ts'
import { isTemporaryName } from './write-whole.ts'
import {
  damaged,
  type ListedEntry,
  listedEntries,
  type OpenZip,
  openZip,
  packedBytes,
  refused,
  requireHeader,
} from './zip-list.ts'

export interface ZipLimits {
  entries: number
  /** Maximum bytes of all files together. */
  bytes: number
  /** An archive that grows more than this many times when unpacked is a bomb. */
  ratio: number
  /** Up to this many unpacked bytes, any ratio is allowed. */
  harmless: number
}

export const zipLimits: Omit<ZipLimits, 'bytes'> = { entries: 100_000, ratio: 100, harmless: 5 * 1024 * 1024 }

export interface ZipMember {
  /** Names of the member's path, from the top; each is valid on disks. */
  names: string[]
  isFolder: boolean
  /** Unpacked size in bytes. */
  size: number
  /** Seconds since 1970; null if the archive has no plausible date. */
  modified: number | null
  /** Yields the bytes, checked against size and checksum: the last piece is only yielded if both match. */
  content(): AsyncGenerator<Uint8Array>
}

const maxListBytes = 64 * 1024 * 1024
const [stored, deflated] = [0, 8]

/** The names of an entry's path; refuses invalid names and paths that lead outside. */
function namesOf({ name, kind }: ListedEntry): string[] {
  const why = (reason: string) =>
    refused(sentence`'${name.slice(0, 200)}' in the archive ${reason}. Nothing was unpacked.`)
  if (name.includes('\\')) throw why("has a '\\' in its name")
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw why('is an absolute path')
  if (/\p{Cc}/u.test(name)) throw why('has control characters in its name')
  if (deceivingMarks.test(name)) throw why('has characters in its name that change the writing direction')
  const names = (kind === 'folder' ? name.slice(0, -1) : name).split('/')
  for (const one of names) {
    if (one === '..') throw why("leads out of its folder with '..'")
    if (one === '' || one === '.') throw why('has an empty name in its path')
    if (isInvisible(one)) throw why('has a name without visible characters in its path')
    if (bytesOfText(one).length > 255) throw why('has a name of more than 255 bytes')
    if (isTemporaryName(one)) throw why('has a name that Keepsake uses itself')
  }
  if (names.length > 100 || bytesOfText(name).length > 3000) throw why('is nested too deeply')
  return names
}

function requireUnpackable({ name, kind, fields }: ListedEntry): void {
  const method = fields.compressionMethod
  if (method !== stored && method !== deflated)
    throw refused(sentence`'${name}' uses an unsupported compression (${method}).`)
  if (kind === 'folder' && fields.uncompressedSize > 0) throw damaged(sentence`the folder '${name}' has bytes`)
}

/** Refuses too much data, and extreme ratios. */
function requireNoBomb(members: readonly ZipMember[], size: number, limits: ZipLimits): void {
  const total = members.reduce((sum, member) => sum + member.size, 0)
  if (total > limits.bytes)
    throw new Failure(
      'tooLarge',
      sentence`Unpacked, the archive has ${total} bytes: more than the ${limits.bytes} allowed.`,
    )
  if (total > limits.harmless && total > limits.ratio * size)
    throw new Failure(
      'tooLarge',
      sentence`Unpacked, the archive would be ${Math.round(total / size)} times its size: that is not plausible, so nothing was unpacked.`,
    )
}

/** Refuses duplicate names, even in another case, and files that are also folders. */
function requireDistinct(members: readonly ZipMember[]): void {
  const seen = new Map<string, { path: string; isFolder: boolean }>()
  for (const member of members) {
    const { names } = member
    for (let depth = 1; depth <= names.length; depth++) {
      const path = names.slice(0, depth).join('/')
      const key = path.normalize('NFC').toLowerCase()
      const isFolder = depth < names.length || member.isFolder
      const other = seen.get(key)
      if (other === undefined) seen.set(key, { path, isFolder })
      else if (!other.isFolder || !isFolder || other.path !== path)
        throw refused(sentence`The archive has two entries named '${path}' ('${other.path}'). Nothing was unpacked.`)
    }
  }
}

/** Refuses overlapping files: if several shared the same bytes, a small archive would unpack to a huge amount. */
function requireNoOverlap(entries: readonly ListedEntry[], { offset: list }: OpenZip): void {
  const sorted = entries
    .map(({ name, fields }) => ({ name, fields, offset: fields.relativeOffsetOfLocalHeader }))
    .sort((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, fields, name } of sorted) {
    if (offset < end) throw damaged(sentence`'${name}' overlaps another file`)
    end = offset + 30 + fields.fileNameLength + fields.compressedSize
  }
  if (end > list) throw damaged('its files run into its list')
}

function wrongChecksum({ name }: ListedEntry): Failure {
  return damaged(sentence`the checksum of '${name}' is wrong`)
}

async function* unpackEntry(archive: OpenZip, entry: ListedEntry): AsyncGenerator<Uint8Array> {
  const { compressionMethod, compressedSize, uncompressedSize: size } = entry.fields
  if (compressionMethod === stored && compressedSize === 0 && size === 0) {
    // Empty files need no stream: thousands of them would take much time.
    await requireHeader(archive, entry)
    if (entry.fields.crc32 !== 0) throw wrongChecksum(entry)
    return
  }
  const source = await packedBytes(archive, entry)
  // yauzl could inflate, but does not report whether all packed bytes were needed.
  const inflate = compressionMethod === deflated ? createInflateRaw() : null
  source.on('error', error => inflate?.destroy(error))
  let read = 0
  let sum = 0
  let held: Uint8Array | null = null
  try {
    for await (const piece of inflate === null ? source : source.pipe(inflate)) {
      const bytes = asBuffer(piece)
      read += bytes.length
      if (read > size) throw damaged(sentence`'${entry.name}' is larger than it says`)
      sum = crc32(bytes, sum)
      if (held !== null) yield held
      held = bytes
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('invalid', damaged(sentence`'${entry.name}' cannot be unpacked`).message, {
      field: 'item',
      cause: error,
    })
  } finally {
    inflate?.destroy()
    source.destroy()
  }
  if (read !== size) throw damaged(sentence`'${entry.name}' is smaller than it says`)
  if (inflate !== null && inflate.bytesWritten !== compressedSize)
    throw damaged(sentence`'${entry.name}' has bytes that belong to nothing`)
  if (sum !== entry.fields.crc32) throw wrongChecksum(entry)
  if (held !== null) yield held
}

/**
 * Members of an archive, in its order; the caller keeps the file open while they are read. Throws `invalid` with an
 * explanation, and `tooLarge` for bombs, before a byte is unpacked if possible.
 */
export async function readZip(file: OpenFile, limits: ZipLimits): Promise<ZipMember[]> {
  const archive = await openZip(file)
  const count = archive.zip.entryCount
  if (count === 0) throw refused('The archive is empty.')
  if (count > limits.entries)
    throw new Failure('tooLarge', sentence`The archive has ${count} entries, more than ${limits.entries}.`)
  if (archive.length > maxListBytes) throw new Failure('tooLarge', "The archive's list of files is too large.")
  const entries: ListedEntry[] = []
  const members: ZipMember[] = []
  for await (const entry of listedEntries(archive)) {
    requireUnpackable(entry)
    entries.push(entry)
    members.push({
      names: namesOf(entry),
      isFolder: entry.kind === 'folder',
      size: entry.fields.uncompressedSize,
      modified: entry.modified,
      content: () => unpackEntry(archive, entry),
    })
  }
  requireNoBomb(members, file.size, limits)
  requireDistinct(members)
  requireNoOverlap(entries, archive)
  return members
}
