/** Reads the list of files at the end of a zip with yauzl, and does the checks that yauzl leaves to its callers. */
import { Readable } from 'node:stream'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type LocalFileHeader,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { Failure, type Sentence, sentence } from '../../schema/errors.ts'
import { asBuffer, displayName } from './names.ts'
import type { OpenFile } from './open-file.ts'

/*
 * Format: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 (records) and 4.4 (fields). The central directory applies. An entry
 * whose local header differs from it is refused, because other programs may read the local header.
 */

export interface ListedEntry {
  name: string
  kind: 'file' | 'folder'
  modified: number | null
  /** The entry's other fields, as the list states them. */
  fields: Entry
}

/** An open archive, and where its list of files is: offset and length in bytes. */
export interface OpenZip {
  zip: ZipFile
  offset: number
  length: number
}

const pieceLength = 256 * 1024

/** The failure for an archive that is refused. */
export function refused(message: string | Sentence): Failure {
  return new Failure('invalid', message, { field: 'item' })
}

/** The failure for a damaged archive; `what` is the end of a sentence about it. */
export function damaged(what: string | Sentence): Failure {
  return refused(sentence`The archive is damaged: ${what}. Nothing was unpacked.`)
}

/** Exactly these bytes of a file; throws if there are fewer. */
function readAt(file: OpenFile, offset: number, length: number): Buffer {
  if (offset < 0 || length < 0 || offset + length > file.size) throw damaged('a part of it is missing')
  const bytes = asBuffer(file.read(offset, length))
  if (bytes.length !== length) throw damaged('a part of it is missing')
  return bytes
}

async function* bytesBetween(file: OpenFile, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += pieceLength) {
    yield readAt(file, at, Math.min(pieceLength, end - at))
    // Lets other work run between two pieces.
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** A file as yauzl's source. yauzl's own reader throws past all handlers for offsets beyond 2 ** 53. */
class FileReader extends RandomAccessReader {
  constructor(private readonly file: OpenFile) {
    super()
  }

  override read(to: Buffer, at: number, length: number, place: number, done: (error: Error | null) => void): void {
    let error: Error | null = null
    try {
      // A plain error, which the caller explains.
      if (place + length > this.file.size) throw new Error('bytes beyond the end')
      readAt(this.file, place, length).copy(to, at)
    } catch (cause) {
      error = cause instanceof Error ? cause : new Error(String(cause))
    }
    done(error)
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(bytesBetween(this.file, start, end))
  }

  override close(done: (error: Error | null) => void): void {
    done(null)
  }
}

/** Replaces yauzl's error by the failure of the first pattern that matches, else by `otherwise`. Keeps system errors. */
function explainError(error: unknown, failures: readonly [RegExp, Failure][], otherwise: Failure): Error {
  if (error instanceof Failure || (error instanceof Error && 'errno' in error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return failures.find(([pattern]) => pattern.test(message))?.[1] ?? otherwise
}

function severalParts(): Failure {
  return refused('The archive is one of several parts, which cannot be unpacked here.')
}

function passwordProtected(): Failure {
  return refused(
    'The archive is protected with a password, which cannot be entered here. Unpack it on your own machine.',
  )
}

/** Opens an archive and locates its list of files. The caller closes the file. */
export async function openZip(file: OpenFile): Promise<OpenZip> {
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: true }
  const zip = await fromRandomAccessReaderPromise(new FileReader(file), file.size, options).catch((error: unknown) => {
    throw explainError(
      error,
      [
        [/multi-disk/, severalParts()],
        [/beyond the end/, damaged('a part of it is missing')],
        [/zip64/, damaged('its end is not where it says')],
      ],
      refused('This is not a zip archive, or its end is missing. Nothing was unpacked.'),
    )
  })
  // The calls report errors themselves. Without this listener, a later error would end the process.
  zip.on('error', () => {})
  const { offset, length } = listPlace(file, file.size - endLength - zip.comment.length)
  if (!Number.isSafeInteger(offset + length + zip.entryCount)) throw damaged('it claims an impossible size')
  return { zip, offset, length }
}

/** Size of the end record, without its comment. */
const endLength = 22

/** Finds the list by the record at `end`, or by the zip64 record of a large archive. yauzl ignores its length. */
function listPlace(file: OpenFile, end: number): { offset: number; length: number } {
  const record = readAt(file, end, endLength)
  const locator = end < 20 ? null : readAt(file, end - 20, 20)
  if (locator?.readUInt32LE(0) !== 0x07064b50) {
    if (record.readUInt16LE(6) !== 0) throw severalParts()
    return { length: record.readUInt32LE(12), offset: record.readUInt32LE(16) }
  }
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1) throw severalParts()
  const wide = readAt(file, Number(locator.readBigUInt64LE(8)), 56)
  return { length: Number(wide.readBigUInt64LE(40)), offset: Number(wide.readBigUInt64LE(48)) }
}

/** A name as text: valid UTF-8 even without the flag, which many programs omit; else the old programs' code page. */
function textOf({ fileNameRaw: name, generalPurposeBitFlag: flags }: Entry): string {
  const text = name.toString('utf8')
  // Control characters, which old programs show as pictures, are kept, so that they are refused.
  if (Buffer.from(text).equals(name) || name.some(byte => byte < 32 || byte === 127)) return text
  if ((flags & 0x800) !== 0)
    throw refused(
      sentence`The archive has a name that is not valid text: '${displayName(name)}'. Nothing was unpacked.`,
    )
  return getFileNameLowLevel(0, name, [], true)
}

/** Seconds since 1970; null if the date is invalid, or centuries away. */
function modifiedOf(fields: Entry): number | null {
  const time = fields.getLastModDate().getTime()
  const isDos = time === fields.getLastModDate({ forceDosFormat: true }).getTime()
  const [month, day] = [(fields.lastModFileDate >> 5) & 15, fields.lastModFileDate & 31]
  if (isDos && (month < 1 || month > 12 || day < 1)) return null
  const seconds = Math.floor(time / 1000)
  return Math.abs(seconds) < 2 ** 33 ? seconds : null
}

const unix = 3
const formatMask = 0xf000

/** Kind of an entry by its name and, if it was packed on Unix, its mode; refuses links, devices and other kinds. */
function kindOf(name: string, madeBy: number, attributes: number): ListedEntry['kind'] {
  const named = name.endsWith('/') ? 'folder' : 'file'
  const format = madeBy === unix ? (attributes >>> 16) & formatMask : 0
  if (format === 0) return named
  if (format === 0xa000)
    throw refused(sentence`The archive holds a link: '${name}'. Links are not unpacked, nor is the rest.`)
  const meant = format === 0x4000 ? 'folder' : format === 0x8000 ? 'file' : null
  if (meant === null)
    throw refused(sentence`'${name}' in the archive is neither a file nor a folder. Nothing was unpacked.`)
  if (meant !== named) throw damaged(sentence`'${name}' says that it is a ${meant}`)
  return meant
}

function parseEntry(fields: Entry): ListedEntry {
  const name = textOf(fields)
  if ((fields.generalPurposeBitFlag & 0x2041) !== 0) throw passwordProtected()
  const { compressedSize, uncompressedSize, relativeOffsetOfLocalHeader: offset } = fields
  // yauzl's numbers are inexact beyond 2 ** 53.
  if (![compressedSize, uncompressedSize, offset].every(Number.isSafeInteger))
    throw damaged('it claims an impossible size')
  const kind = kindOf(name, fields.versionMadeBy >> 8, fields.externalFileAttributes)
  return { name, kind, modified: modifiedOf(fields), fields }
}

/** Yields the entries. Throws for links, devices, passwords, invalid names, and if the list's length is wrong. */
export async function* listedEntries({ zip, offset, length }: OpenZip): AsyncGenerator<ListedEntry> {
  if (offset + length > zip.fileSize) throw damaged('a part of it is missing')
  const broken = damaged('its list of files is broken')
  let read = 0
  let count = 0
  try {
    for await (const fields of zip.eachEntry()) {
      read += 46 + fields.fileNameLength + fields.extraFieldLength + fields.fileCommentLength
      if (read > length) throw broken
      yield parseEntry(fields)
      if (++count % 1000 === 0) await new Promise(resolve => setImmediate(resolve))
    }
  } catch (error) {
    throw explainError(
      error,
      [
        [/encryption/, passwordProtected()],
        [/size mismatch/, damaged('one of its files has two sizes')],
      ],
      broken,
    )
  }
  if (read !== length) throw damaged('its list of files is longer than it says')
}

/** Reads the header before an entry's bytes, and throws unless it matches the list. */
export async function requireHeader({ zip }: OpenZip, { name, fields }: ListedEntry): Promise<LocalFileHeader> {
  const header = await zip.readLocalFileHeaderPromise(fields).catch((error: unknown) => {
    throw explainError(
      error,
      [[/signature/, damaged(sentence`'${name}' is not where its list says`)]],
      damaged('a part of it is missing'),
    )
  })
  requireAgreement(header, fields, name)
  return header
}

/** An entry's packed bytes, if the header before them matches the list. */
export async function packedBytes(archive: OpenZip, entry: ListedEntry): Promise<Readable> {
  const { zip } = archive
  const header = await requireHeader(archive, entry)
  const { compressedSize: packed } = entry.fields
  return new Promise((resolve, reject) => {
    zip.openReadStreamLowLevel(header.fileDataStart, packed, 0, packed, false, null, (error, stream) =>
      error === null ? resolve(stream) : reject(error),
    )
  })
}

function requireAgreement(header: LocalFileHeader, fields: Entry, name: string): void {
  if (!header.fileName.equals(fields.fileNameRaw) || header.compressionMethod !== fields.compressionMethod)
    throw damaged(sentence`'${name}' is another file than its list says`)
  // A size that follows the data is 0 here; one beyond 4 GB has all bits set.
  const agrees = (stated: number, size: number) => [0, 0xffffffff, size].includes(stated)
  if (
    !agrees(header.compressedSize, fields.compressedSize) ||
    !agrees(header.uncompressedSize, fields.uncompressedSize)
  )
    throw damaged(sentence`'${name}' has another size than it says`)
}
