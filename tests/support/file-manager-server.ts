/** A server with real folders for the file manager: roots, collections, and folders outside that must stay unchanged. */
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Hono } from 'hono'
import { terminalViewer } from '../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import type { FileNode } from '../../schema/api/file-manager.ts'
import type { SettingName } from '../../schema/settings.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { type MovingLibrary, openMovingLibrary } from './moving-library.ts'
import { temporaryDirectory } from './temporary.ts'

/** How a request is authenticated. `other` is a user who is not an administrator. */
export type Authentication = 'bearer' | 'cookie' | 'cookie-csrf' | 'other' | 'anonymous'

export interface FilesResponse {
  status: number
  headers: Headers
  text: string
  bytes: Buffer
  /** `message` of an error response, else ''. */
  message: string
  code: string
  field: string | undefined
  /** The entries of a listing; null for other responses. */
  files: FileNode[] | null
  dirname: string | null
}

export interface FileManagerServer {
  library: Library
  moving: MovingLibrary
  app: Hono
  /** Contains all directories below. */
  directory: string
  /**
   * The root `home`, which contains the data directory. The settings reject such a root, so it is reached by a link that
   * is redirected once the library is open.
   */
  home: string
  data: string
  /** The root `store`, which contains nothing of the library. */
  store: string
  /** A directory beside the roots that must not be reachable. */
  outside: string
  token: string
  csrf: string
  /** A GET with these parameters, unless `init` says otherwise. */
  request(query: Record<string, string> | string, as?: Authentication, init?: RequestInit): Promise<FilesResponse>
  /** Like `request`, but returns the raw response. */
  send(query: Record<string, string> | string, as?: Authentication, init?: RequestInit): Promise<Response>
  /** An upload as browsers send it. */
  upload(
    query: Record<string, string>,
    file: { name: string; bytes: string | Uint8Array<ArrayBuffer> },
    as?: Authentication,
  ): Promise<FilesResponse>
  close(): Promise<void>
}

/** Everything in a directory, as one text: kinds, names, bytes, targets of links, times and modes of files. */
export function describeDirectory(directory: string): string {
  const lines: string[] = []
  const walk = (path: Buffer) => {
    const names = readdirSync(path, { encoding: 'buffer' }).sort(Buffer.compare)
    for (const name of names) {
      const child = Buffer.concat([path, Buffer.from('/'), name])
      const found = lstatSync(child)
      const shown = child.subarray(directory.length).toString('latin1')
      if (found.isDirectory()) {
        lines.push(`d ${shown}`)
        walk(child)
      } else if (found.isSymbolicLink()) lines.push(`l ${shown} ${readlinkSync(child)}`)
      else if (found.isFile()) {
        const hash = createHash('sha256').update(readFileSync(child)).digest('hex')
        lines.push(`f ${shown} ${hash} ${found.mtimeMs} ${found.mode}`)
      } else lines.push(`o ${shown}`)
    }
  }
  walk(Buffer.from(directory))
  return lines.join('\n')
}

/** Writes a file and the folders above it. */
export function writeFileAt(path: string, bytes: string | Uint8Array = '') {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

export async function readResponse(response: Response): Promise<FilesResponse> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const json = isJson && text !== '' ? JSON.parse(text) : {}
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    message: json.message ?? '',
    code: json.code ?? '',
    field: json.field,
    files: json.files ?? null,
    dirname: json.dirname ?? null,
  }
}

/**
 * `home` (a root) holds the data directory; `store` (a root) has a file `note.txt`, a folder `sub`, and links:
 * several that lead out of `store`, one to `sub`, one to a name that does not exist, and one to itself; `store-sibling`
 * and `outside` are not roots.
 */
export async function openFileManagerServer(
  flags: Partial<Record<SettingName, unknown>> & {
    /** Roots of the settings. `linkTo` returns a link to an empty folder, which leads to `target` once the library is open. */
    rootsOf?: (at: { home: string; data: string; linkTo: (target: string) => string }) => string[]
  } = {},
): Promise<FileManagerServer> {
  const { rootsOf, ...settings } = flags
  const directory = temporaryDirectory()
  const [home, store, outside] = [join(directory, 'home'), join(directory, 'store'), join(directory, 'outside')]
  const data = join(home, 'data')
  mkdirSync(data, { recursive: true })
  writeFileAt(join(home, 'letter.txt'), 'at home')
  writeFileAt(join(outside, 'secret.txt'), 'outside')
  writeFileAt(join(outside, 'deep', 'secret.txt'), 'outside')
  writeFileAt(join(directory, 'store-sibling', 'secret.txt'), 'sibling')
  writeFileAt(join(store, 'note.txt'), 'a note')
  writeFileAt(join(store, 'sub', 'inner.txt'), 'inner')
  symlinkSync('../outside/secret.txt', join(store, 'link-to-file'))
  symlinkSync('../outside', join(store, 'link-to-dir'))
  symlinkSync(outside, join(store, 'absolute-link'))
  symlinkSync('nowhere', join(store, 'dangling'))
  symlinkSync('loop', join(store, 'loop'))
  symlinkSync('sub', join(store, 'link-inside'))
  symlinkSync('../../outside', join(store, 'sub', 'deep-link'))
  const redirected: { link: string; target: string }[] = []
  const linkTo = (target: string) => {
    const link = join(directory, `way ${redirected.length}`)
    mkdirSync(`${link} before`)
    symlinkSync(`${link} before`, link)
    redirected.push({ link, target })
    return link
  }
  const library = openLibrary({
    role: 'worker',
    data,
    create: true,
    environment: {},
    flags: {
      roots: rootsOf?.({ home, data, linkTo }) ?? [linkTo(home), store],
      'files.maxFileSize': '1MB',
      ...settings,
    },
    stderrLevel: 'none',
  })
  for (const { link, target } of redirected) {
    unlinkSync(link)
    symlinkSync(target, link)
  }
  const moving = openMovingLibrary({ library, data, directory })
  const media = createMediaOnDemand(library)
  const app = createApp(library, { files: new Map(), index: '', policy: '' }, media)
  const tokenOf = async (username: string, globalAdmin: boolean) => {
    const account = {
      username,
      name: username,
      email: `${username}@example.org`,
      password: 'secret',
      unlockPin: '1234',
    }
    await library.users.create(terminalViewer, { ...account, globalAdmin })
    const row = library.users.byName(username)
    if (row === null) throw new Error(`there is no user ${username}`)
    return (await library.sessions.open(row, 'test')).token
  }
  const token = await tokenOf('boss', true)
  const other = await tokenOf('other', false)
  const csrf = (await library.sessions.of(token))?.csrf ?? ''

  function credentialsOf(as: Authentication): Record<string, string> {
    if (as === 'anonymous') return {}
    if (as === 'bearer' || as === 'other') return { authorization: `Bearer ${as === 'other' ? other : token}` }
    const cookie = { cookie: `keepsake_session=${token}` }
    return as === 'cookie' ? cookie : { ...cookie, 'x-csrf-token': csrf }
  }

  async function send(query: Record<string, string> | string, as: Authentication = 'bearer', init: RequestInit = {}) {
    const parameters = typeof query === 'string' ? query : new URLSearchParams(query).toString()
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(credentialsOf(as))) headers.set(name, value)
    return app.request(`/v1/files${parameters === '' ? '' : `?${parameters}`}`, { ...init, headers })
  }

  return {
    library,
    moving,
    app,
    directory,
    home,
    data,
    store,
    outside,
    token,
    csrf,
    send,
    request: async (query, as, init) => readResponse(await send(query, as, init)),
    async upload(query, { name, bytes }, as = 'bearer') {
      const form = new FormData()
      form.set('file', new File([bytes], name))
      return readResponse(await send({ q: 'upload', ...query }, as, { method: 'POST', body: form }))
    },
    async close() {
      await media.close()
      library.close()
    },
  }
}

/** The protocol's `items` parameter for these paths. */
export function itemsParameter(...paths: string[]): string {
  return JSON.stringify(paths.map(path => ({ path, type: 'file' })))
}

/**
 * Opens a server for a file of tests, with the folder `/store/folder`, which is reset before each test (see `initialNames`).
 * After all tests it checks that nothing outside has changed and that the journal is empty.
 */
export function setUpFileManagerServer(
  flags: Parameters<typeof openFileManagerServer>[0],
  onOpened: (server: FileManagerServer, folder: string) => void,
): void {
  let server: FileManagerServer | null = null
  let [folder, outside] = ['', '']
  beforeAll(async () => {
    server = await openFileManagerServer(flags)
    folder = join(server.store, 'folder')
    outside = describeDirectory(server.outside)
    onOpened(server, folder)
  })
  afterAll(async () => {
    if (server === null) return
    expect(describeDirectory(server.outside)).toBe(outside)
    expect(server.library.db.all('SELECT * FROM journal')).toEqual([])
    await server.close()
  })
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, 'sub'), { recursive: true })
    writeFileAt(join(folder, 'a.txt'), 'as it was')
    writeFileAt(join(folder, 'b.txt'), 'another')
  })
}

/** The names in the folder before each test. */
export const initialNames = ['a.txt', 'b.txt', 'sub']

/** A form with these fields, followed by a file unless `file` is false. */
export function createForm(fields: Record<string, string>, file = true): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('file', new File(['sent'], 'sent.txt'))
  return form
}
