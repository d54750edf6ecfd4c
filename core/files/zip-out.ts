/** Writes a zip as a stream: entries are opened one after the other, and closed if the stream is cancelled. */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of the archive. `name` is its path, with '/' between parts. */
export interface ZipEntry {
  name: string
  /** Milliseconds since the epoch. */
  modified: number
  /** Opens the bytes when the archive has reached this entry. Null if the file is gone: it is left out. */
  open(): Promise<ReadableStream<Uint8Array> | Uint8Array | null>
  /** Whether it is an empty folder, for which `open` is not called. */
  folder?: boolean
}

const [firstYear, lastYear] = [1980, 2107]

function zipDate(modified: number): Date {
  const date = new Date(modified)
  const year = date.getFullYear()
  if (year >= firstYear && year <= lastYear) return date
  return new Date(year < firstYear ? firstYear : lastYear, 0, 1)
}

/** A name that every system can unpack: no absolute path, no '..', no characters that Windows rejects. */
export function zipName(path: string): string {
  const parts = path
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..')
    .map(part => part.replace(/[\p{Cc}<>:"\\|?*]/gu, '_').replace(/[. ]+$/, '_'))
  return parts.length === 0 ? '_' : parts.join('/')
}

/** Makes names unique: a second `a.jpg` becomes `a_2.jpg`. Names that differ only in case count as equal. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>()
  return name => {
    const dot = name.lastIndexOf('.')
    const [stem, extension] = dot > name.lastIndexOf('/') + 1 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    for (let n = 1; ; n++) {
      const tried = n === 1 ? name : `${stem}_${n}${extension}`
      const key = tried.normalize('NFC').toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return tried
    }
  }
}

/** Adds one entry, and waits until a stream has been read. */
function add(zip: ZipFile, entry: ZipEntry, bytes: Readable | Uint8Array): Promise<void> {
  // Pictures and films do not compress, so streams are only stored.
  const options = { mtime: zipDate(entry.modified), mode: 0o100644, compress: false }
  if (bytes instanceof Uint8Array) {
    zip.addBuffer(Buffer.from(bytes), entry.name, { ...options, compress: bytes.length < 1024 * 1024 })
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    bytes.once('end', resolve)
    // Also when the reader has cancelled the stream.
    bytes.once('close', resolve)
    bytes.once('error', reject)
    zip.addReadStream(bytes, entry.name, options)
  })
}

/** The archive as a stream; cancelling it ends the work. Calls `onLeftOut` with the name of each missing file. */
export function zipped(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  { onLeftOut, onEntry }: { onLeftOut?: (name: string) => void; onEntry?: () => void } = {},
): ReadableStream<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream
  let current: Readable | null = null
  // `add` reports the error; without a listener it would end the process.
  zip.on('error', () => {})
  let ended = false

  async function fill() {
    for await (const entry of entries) {
      if (ended) return
      if (entry.folder === true) {
        zip.addEmptyDirectory(entry.name, { mtime: zipDate(entry.modified), mode: 0o40755 })
        continue
      }
      const bytes = await entry.open()
      if (bytes === null) {
        onLeftOut?.(entry.name)
        continue
      }
      current = bytes instanceof Uint8Array ? null : Readable.fromWeb(bytes)
      if (ended) current?.destroy()
      else await add(zip, entry, bytes instanceof Uint8Array ? bytes : (current ?? new Uint8Array()))
      current = null
      onEntry?.()
    }
    zip.end()
  }

  const reader = output[Symbol.asyncIterator]()
  let started = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!started) {
          started = true
          fill().catch((error: unknown) => {
            ended = true
            controller.error(error)
            if (output instanceof Readable) output.destroy()
          })
        }
        const { value, done } = await reader.next()
        if (ended) return
        if (done === true) controller.close()
        else controller.enqueue(new Uint8Array(Buffer.from(value)))
      },
      async cancel() {
        ended = true
        current?.destroy()
        // Otherwise a reader would wait forever.
        if (output instanceof Readable) output.destroy()
        await reader.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
