/** The file manager's only address: rights, the action, and the folder's list afterwards. */
import type { Context, Hono } from 'hono'
import { requireGlobalAdmin, requireSignedIn, type Viewer } from '../../core/accounts/access.ts'
import type { FileActions } from '../../core/file-manager/changes/actions.ts'
import { fileFailure } from '../../core/file-manager/file-failures.ts'
import { type FilePlace, topFailure } from '../../core/file-manager/places.ts'
import type { Library } from '../../core/library.ts'
import {
  type ChangingAction,
  changingActions,
  type FileManagerQuery,
  type FileNode,
  fileManagerPath,
  storageName,
} from '../../schema/api/file-manager.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { ItemSender } from '../bytes/bytes.ts'
import { allowSlow } from '../bytes/download.ts'
import type { MediaOnDemand } from '../bytes/media-on-demand.ts'
import { identifyRequester, type Requester, withOwnScript } from '../requests/viewer.ts'
import type { TakeSlot } from '../slots.ts'
import { type FileForm, readForm, requireProof } from './file-form.ts'
import { longestBody, pathsOf } from './file-parameters.ts'
import { createFileSender, type FileSender } from './file-preview.ts'
import { boundaryOf } from './multipart.ts'

/** Idle seconds; a phone on a mobile connection may pause for a while. */
const idleSeconds = 120
/** No time limit: copying to another disk may take long. */
const unlimited = 0
/** Overhead of a form around its files. */
const formBytes = 1024 ** 2

/** A signal that aborts work if the request is gone or its response is not read to the end. */
function stopping(context: Context): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  return {
    signal: AbortSignal.any([context.req.raw.signal, controller.signal]),
    stop: () => controller.abort(new Failure('interrupted', 'The request was interrupted.')),
  }
}

type Batches = AsyncGenerator<FileNode[], boolean, undefined>

/** Passes on only folders, which come before all files. */
async function* foldersOf(batches: Batches): Batches {
  for await (const nodes of batches) {
    const folders = nodes.filter(({ type }) => type === 'dir')
    if (folders.length > 0) yield folders
    if (folders.length < nodes.length) break
  }
  return false
}

/** The fields that VueFinder needs beside a list. */
const aroundNodes = JSON.stringify({ adapter: storageName, storages: [storageName] }).slice(0, -1)

/** Streams `{…, "dirname": …, "files": […]}`; awaits the first files, so that a failure gets its own status. */
async function answerNodes(
  context: Context,
  { dirname, batches, stop, field = 'files' }: { dirname: string; batches: Batches; stop: () => void; field?: string },
): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  if (context.req.method === 'HEAD') {
    await batches.return(false)
    return new Response(null, { headers })
  }
  const encoder = new TextEncoder()
  let step = await batches.next()
  let isFirst = true
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const start = isFirst ? `${aroundNodes},"dirname":${JSON.stringify(dirname)},"${field}":[` : ''
        if (step.done === true) {
          controller.enqueue(encoder.encode(`${start}]${step.value === true ? ',"truncated":true' : ''}}`))
          controller.close()
          return
        }
        const nodes = step.value.map(node => JSON.stringify({ ...node, storage: storageName })).join(',')
        controller.enqueue(encoder.encode(`${start || ','}${nodes}`))
        isFirst = false
        step = await batches.next()
      },
      async cancel() {
        // Without `stop`, `return` would wait for the next result of a search, which may take long.
        stop()
        await batches.return(false).catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers })
}

/** The failure for a form that is too large. It mentions all files, because their number is not known yet. */
function tooLarge(limit: number): Failure {
  const maxSize = limit >= 1024 ** 2 ? `${Math.floor(limit / 1024 ** 2)} MB` : `${limit} bytes`
  return new Failure(
    'tooLarge',
    sentence`The upload is too large: all its files together have at most ${maxSize} here.`,
    {
      field: 'file',
    },
  )
}

/** Refuses a request that declares too large a length, before reading it. Only forms may contain files. */
function requireLength(context: Context, limit: number): void {
  const length = Number(context.req.header('content-length') ?? '0')
  const isForm = boundaryOf(context.req.header('content-type')) !== null
  if (isForm && length > limit + formBytes) throw tooLarge(limit)
  if (!isForm && length > longestBody) throw new Failure('tooLarge', 'The request is too large.')
}

function isChanging(q: FileManagerQuery['q']): q is ChangingAction {
  return changingActions.some(action => action === q)
}

function requireText(query: FileManagerQuery, field: 'name' | 'item' | 'content' | 'filter'): string {
  const value = query[field]
  if (value === undefined) throw new Failure('invalid', sentence`${field} is missing.`, { field })
  return value
}

function requirePlace(at: FilePlace | null): FilePlace {
  if (at === null) throw topFailure()
  return at
}

/** Runs a changing action; returns the text of the response to `save`, undefined for all others. */
type Change = (request: {
  viewer: Viewer
  /** What `path` names: a folder, or for `save` a file; null for '/', where nothing can be created. */
  at: FilePlace | null
  query: FileManagerQuery
  files: FileForm['files']
  signal: AbortSignal
}) => Promise<string | undefined>

function createChanges(library: Library, actions: FileActions): Record<ChangingAction, Change> {
  const { places } = library.fileManager

  async function itemOf(viewer: Viewer, query: FileManagerQuery): Promise<FilePlace> {
    const place = await places.find(viewer, requireText(query, 'item'), 'item')
    if (place === null) throw topFailure('item')
    return place
  }

  const itemsOf = (viewer: Viewer, query: FileManagerQuery) => places.findAll(viewer, pathsOf(query), 'items')

  return {
    async newfolder({ viewer, at, query }) {
      await actions.createFolder(viewer, requirePlace(at), requireText(query, 'name'))
    },
    async newfile({ viewer, at, query }) {
      await actions.createFile(viewer, requirePlace(at), requireText(query, 'name'))
    },
    async save({ viewer, at, query }) {
      const file = requirePlace(at)
      const content = requireText(query, 'content')
      if (Buffer.byteLength(content) > limits.fileTextBytes) {
        const megabytes = limits.fileTextBytes / 1024 ** 2
        throw new Failure('tooLarge', sentence`A text can have at most ${megabytes} MB.`, { field: 'content' })
      }
      return actions.save(viewer, file, content, query.version)
    },
    async rename({ viewer, query, signal }) {
      await actions.rename(viewer, await itemOf(viewer, query), requireText(query, 'name'), signal)
    },
    async move({ viewer, query, signal }) {
      const items = await itemsOf(viewer, query)
      await actions.move(viewer, items, await itemOf(viewer, query), signal)
    },
    async delete({ viewer, query }) {
      await actions.remove(viewer, await itemsOf(viewer, query))
    },
    async archive({ viewer, at, query, signal }) {
      const folder = requirePlace(at)
      const items = await itemsOf(viewer, query)
      await actions.archive(viewer, folder, items, requireText(query, 'name'), signal)
    },
    async unarchive({ viewer, at, query, signal }) {
      const folder = requirePlace(at)
      await actions.unarchive(viewer, folder, await itemOf(viewer, query), signal)
    },
    async upload({ viewer, at, query, files, signal }) {
      const place = requirePlace(at)
      for (const [n, { filename, file }] of files.entries()) {
        const request = {
          name: (n === 0 ? query.name : undefined) ?? filename ?? '',
          overwrite: query.overwrite === '1' || query.overwrite === 'true',
          ...(query.modified === undefined ? {} : { modified: Number(query.modified) }),
          ...(query.version === undefined ? {} : { version: query.version }),
        }
        await actions.upload(viewer, place, request, file, signal)
      }
      if (files.length === 0)
        throw new Failure('invalid', 'No file was sent: use the field "file" of a form.', { field: 'file' })
    },
  }
}

type Manager = Library['fileManager'] & {
  library: Library
  sender: FileSender
  changes: ReturnType<typeof createChanges>
}

async function list(
  { listings }: Manager,
  context: Context,
  viewer: Viewer,
  folder: FilePlace | null,
  field: 'files' | 'folders' = 'files',
): Promise<Response> {
  const { signal, stop } = stopping(context)
  const { dirname, nodes } = await listings.list(viewer, folder, signal)
  return answerNodes(context, { dirname, batches: field === 'folders' ? foldersOf(nodes) : nodes, stop, field })
}

/** The list of the changed folder, or of its parent if the path is a file or was deleted. */
async function listAfter(manager: Manager, context: Context, viewer: Viewer, path: string): Promise<Response> {
  const above = path.slice(0, path.lastIndexOf('/'))
  for (const tried of [path, above === '' ? '/' : above]) {
    try {
      return await list(manager, context, viewer, await manager.places.find(viewer, tried))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }
  return list(manager, context, viewer, null)
}

async function read(manager: Manager, context: Context, viewer: Viewer, query: FileManagerQuery): Promise<Response> {
  const { places, search, sender } = manager
  const place = await places.find(viewer, query.path ?? '/')
  switch (query.q) {
    case 'subfolders':
      return list(manager, context, viewer, place, 'folders')
    case 'search': {
      const { signal, stop } = stopping(context)
      const found = search.search(viewer, place, requireText(query, 'filter'), signal)
      return answerNodes(context, { dirname: place?.virtual ?? '/', batches: found, stop })
    }
    case 'preview':
      return sender.preview(context, viewer, place, query.size)
    case 'download':
      return sender.download(context, viewer, place)
    default:
      return list(manager, context, viewer, place)
  }
}

async function change(
  manager: Manager,
  context: Context,
  requester: Requester,
  q: ChangingAction,
  form: FileForm,
): Promise<Response> {
  const { library, places, changes } = manager
  const { viewer } = requester
  const { query, files } = form
  requireProof(context, library, requester, query._csrf)
  // A folder found while reading the form is not resolved again, because it may have been renamed meanwhile.
  const at = form.place ?? (await places.find(viewer, query.path ?? '/'))
  allowSlow(context, unlimited)
  const text = await changes[q]({ viewer, at, query, files, signal: context.req.raw.signal })
  if (text === undefined) return listAfter(manager, context, viewer, at?.virtual ?? '/')
  context.header('Cache-Control', 'no-store')
  context.header('X-Content-Type-Options', 'nosniff')
  return context.text(text)
}

async function respond(manager: Manager, context: Context): Promise<Response> {
  const { library } = manager
  const requester = withOwnScript(context, await identifyRequester(context, library))
  const { viewer } = requester
  requireSignedIn(viewer)
  requireGlobalAdmin(viewer)
  const limit = library.settings['files.maxFileSize']
  requireLength(context, limit)
  const form = await readForm(context, library, requester, {
    limit,
    tooLarge: () => tooLarge(limit),
    allowPauses: () => allowSlow(context, idleSeconds),
    removeTimeLimit: () => allowSlow(context, unlimited),
  })
  try {
    const { q } = form.query
    if (!isChanging(q)) return await read(manager, context, viewer, form.query)
    if (context.req.method === 'HEAD') return context.body(null, 405, { Allow: 'GET, POST' })
    return await change(manager, context, requester, q, form)
  } finally {
    await form.close()
  }
}

export function mountFileManager(
  app: Hono,
  library: Library,
  items: ItemSender,
  media: Pick<MediaOnDemand, 'looseRenditions' | 'madeCache'>,
  takeSlot: TakeSlot,
): void {
  const { fileManager } = library
  const sender = createFileSender({ library, items, media, takeSlot })
  const manager: Manager = { ...fileManager, library, sender, changes: createChanges(library, fileManager.actions) }

  app.on(['GET', 'POST'], fileManagerPath, async context => {
    try {
      return await respond(manager, context)
    } catch (error) {
      const { aborted } = context.req.raw.signal
      if (aborted && !(error instanceof Failure)) {
        throw new Failure('interrupted', 'The request was interrupted.', { cause: error })
      }
      throw fileFailure(error, 'The file')
    }
  })
}
