/** Reads a file manager request with its files; fields and files may be in any order. */
import type { Context } from 'hono'
import type { ReceivedFile } from '../../core/file-manager/changes/receiving.ts'
import { type FilePlace, topFailure } from '../../core/file-manager/places.ts'
import type { Library } from '../../core/library.ts'
import type { FileManagerQuery } from '../../schema/api/file-manager.ts'
import { Failure } from '../../schema/errors.ts'
import { type Requester, requireOwnPage, withCsrf } from '../requests/viewer.ts'
import { parametersOf, type RequestParameters } from './file-parameters.ts'
import type { Part } from './multipart.ts'

interface UploadedFile {
  /** The name that the sender gave; null if there is none. */
  filename: string | null
  file: ReceivedFile
}

export interface FileForm {
  query: FileManagerQuery
  /** The folder of an upload, if its field came before a file; null otherwise. */
  place: FilePlace | null
  files: readonly UploadedFile[]
  /** Removes files that were not used, and discards unread data. */
  close(): Promise<void>
}

export interface FormRules {
  /** Maximum bytes of all files of a form together. */
  limit: number
  /** The failure if all files together are too large. */
  tooLarge(): Failure
  /** Called while the body arrives: allows the sender longer pauses. */
  allowPauses(): void
  /** Called when a file has arrived: removes the time limit, because writing it to the disk may take long. */
  removeTimeLimit(): void
}

/** 403 unless the request comes from our own page or has a token. */
export function requireProof(context: Context, library: Library, requester: Requester, sent: string | undefined): void {
  requireOwnPage(context, library, withCsrf(requester, sent), false)
}

/** Null if there are no bytes: browsers send an empty file field as a file without name and bytes. */
async function bytesUnlessEmpty(bytes: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array> | null> {
  const first = await bytes.next()
  if (first.done === true) return null
  return (async function* () {
    yield first.value
    yield* bytes
  })()
}

/**
 * Reads a request to its end. If the fields before a file have named the folder and proved the request's origin, the
 * file is written directly into the folder. Otherwise it is first written into the data directory. If the action takes
 * no file, a file is skipped.
 */
export async function readForm(
  context: Context,
  library: Library,
  requester: Requester,
  rules: FormRules,
): Promise<FileForm> {
  const { places, actions } = library.fileManager
  const { viewer } = requester
  const { signal } = context.req.raw
  rules.allowPauses()
  const parameters = await parametersOf(context)
  let left = rules.limit
  const files: UploadedFile[] = []
  let place: FilePlace | null = null

  async function close() {
    await parameters.close()
    await Promise.all(files.map(({ file }) => file.close()))
  }

  /** Finds the folder of an upload if the fields so far suffice. A refused upload fails before its file is read. */
  async function findPlace({ q, path, _csrf }: FileManagerQuery): Promise<void> {
    if (q !== 'upload' || (requester.proof === 'cookie' && _csrf === undefined)) return
    requireProof(context, library, requester, _csrf)
    if (path === undefined) return
    place ??= await places.find(viewer, path)
    if (place === null) throw topFailure()
  }

  async function readPart(part: Part): Promise<void> {
    const { filename } = part
    const bytes = filename === '' ? await bytesUnlessEmpty(part.bytes) : part.bytes
    if (bytes === null) return
    const query = parameters.query()
    if (query !== null) await findPlace(query)
    if (query !== null && query.q !== 'upload') {
      for await (const { length } of bytes) {
        left -= length
        if (left < 0) throw rules.tooLarge()
      }
      return
    }
    const modified = query?.modified === undefined ? {} : { modified: Number(query.modified) }
    const together = left === rules.limit ? {} : { tooLarge: rules.tooLarge }
    async function* arriving(pieces: AsyncIterable<Uint8Array>) {
      yield* pieces
      rules.removeTimeLimit()
    }
    const how = { place, maxBytes: left, signal, ...modified, ...together }
    const file = await actions.receive(viewer, arriving(bytes), how)
    left -= file.size
    files.push({ filename, file })
  }

  try {
    for (let part = await parameters.nextFile(); part !== null; part = await parameters.nextFile()) {
      await readPart(part)
      rules.allowPauses()
    }
    return { query: queryOf(parameters), place, files, close }
  } catch (error) {
    await close()
    throw error
  }
}

function queryOf(parameters: RequestParameters): FileManagerQuery {
  const query = parameters.query()
  if (query !== null) return query
  throw new Failure('invalid', 'q names the operation: index, search, upload …', { field: 'q' })
}
