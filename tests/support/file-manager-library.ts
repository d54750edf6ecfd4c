/** A library for tests of the file manager: folders, calls as a global admin, files outside that must not change. */
import { afterAll, beforeAll } from 'bun:test'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { temporaryDirectory } from './temporary.ts'

interface TestCollection {
  id: number
  root: string
}

/** A response; `json` is empty unless the body is JSON. */
export interface FileResponse {
  status: number
  json: { message?: string; status?: unknown; dirname?: string; files?: { path: string; basename: string }[] }
  text: string
}

export interface FileManagerLibrary {
  library: Library
  directory: string
  /** The root `Files` of the settings. */
  files: string
  /** A directory that is not a root; its name begins with the name of `files`. */
  outside: string
  photos: TestCollection
  others: TestCollection
  readOnly: TestCollection
  sorted: TestCollection
  /** Writes a file, and the directories above it. */
  put(path: string, bytes?: Uint8Array | string): void
  /** Scans a collection; returns its figures. */
  scan(collection: TestCollection): Promise<Record<string, number>>
  /** A GET of the file manager with these parameters. */
  get(query: Record<string, string>): Promise<FileResponse>
  /** An upload as a form. */
  upload(path: string, name: string, bytes: Uint8Array | string, more?: Record<string, string>): Promise<FileResponse>
  post(
    query: Record<string, string>,
    body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    headers?: Record<string, string>,
  ): Promise<FileResponse>
  /** Items that are not missing: `collection: path` by id. */
  items(): Map<number, string>
  missing(): number[]
  /** Faults that no operation may cause: changes outside the roots, temporary files, broken foreign keys. */
  faults(): string[]
  /** Everything below a directory with hashes of files, to check that nothing has changed. */
  tree(root: string): Record<string, string>
  close(): Promise<void>
}

/** Files, directories and links below a directory by path; links are never followed. */
export function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  const collect = (path: string) => {
    for (const name of readdirSync(join(root, path)).sort()) {
      const inner = path === '' ? name : `${path}/${name}`
      const facts = lstatSync(join(root, inner))
      if (facts.isSymbolicLink()) found[inner] = `-> ${readlinkSync(join(root, inner))}`
      else if (facts.isDirectory()) {
        found[inner] = 'dir'
        collect(inner)
      } else if (facts.isFile()) found[inner] = new Bun.SHA256().update(readFileSync(join(root, inner))).digest('hex')
      else found[inner] = 'other'
    }
  }
  collect('')
  return found
}

/** Opens a new library; the caller must `close` it. `limit`: the largest file that may be uploaded. */
export async function openFileManagerLibrary({ limit = '2MB' }: { limit?: string } = {}): Promise<FileManagerLibrary> {
  const directory = temporaryDirectory()
  const files = join(directory, 'Files')
  const outside = join(directory, 'Files secret')
  mkdirSync(files)
  mkdirSync(join(outside, 'deep'), { recursive: true })
  writeFileSync(join(outside, 'private.txt'), 'nobody may read or change this')
  writeFileSync(join(outside, 'deep/also.txt'), 'nor this')
  const library = openLibrary({
    role: 'worker',
    data: join(directory, 'data'),
    create: true,
    environment: {},
    stderrLevel: 'none',
    flags: { roots: [files], 'files.maxFileSize': limit },
  })
  const media = createMediaOnDemand(library)
  const app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
  const user = await library.users.create(terminalViewer, {
    username: 'ines',
    name: 'Inés',
    email: 'ines@example.org',
    password: 'secret',
    unlockPin: '1234',
    globalAdmin: true,
  })
  const { token } = await library.sessions.open(user, 'test')

  async function collection(name: string, more: { managed?: boolean; readonly?: boolean } = {}) {
    const root = join(directory, name)
    mkdirSync(root)
    const { id } = await library.collections.create(terminalViewer, { name, path: root })
    await library.db.transact({ userId: null }, tx =>
      tx.run(
        "UPDATE collections SET managed = ?, readonly = ?, folder_format = '{Year}', file_format = 'IMG_' WHERE id = ?",
        more.managed === true ? 1 : 0,
        more.readonly === true ? 1 : 0,
        id,
      ),
    )
    return { id, root }
  }

  const photos = await collection('Photos')
  const others = await collection('Others')
  const readOnly = await collection('Locked', { readonly: true })
  const sorted = await collection('Sorted', { managed: true })
  const before = JSON.stringify(treeOf(outside))
  const roots = [files, photos.root, others.root, readOnly.root, sorted.root]

  async function send(query: Record<string, string>, init: RequestInit): Promise<FileResponse> {
    const address = `http://keepsake.test/v1/files?${new URLSearchParams(query)}`
    const headers = { host: 'keepsake.test', authorization: `Bearer ${token}`, ...init.headers }
    const response = await app.request(address, { ...init, headers })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, text, json: isJson ? JSON.parse(text) : {} }
  }

  function itemsOf(where: string): Map<number, string> {
    const rows = library.db.all<{ id: number; place: string }>(
      `SELECT i.id, c.name || ': ' || CASE d.path WHEN '' THEN i.name ELSE d.path || '/' || i.name END AS place
       FROM items AS i JOIN dirs AS d ON d.id = i.dir_id JOIN collections AS c ON c.id = i.collection_id
       WHERE ${where} ORDER BY i.id`,
    )
    return new Map(rows.map(({ id, place }) => [id, place]))
  }

  return {
    library,
    directory,
    files,
    outside,
    photos,
    others,
    readOnly,
    sorted,
    put(path, bytes = path) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes)
    },
    async scan({ id }) {
      const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: id }, { inProcess: true })
      const ended = await library.jobs.run(job)
      return JSON.parse(ended?.counts ?? '{}')
    },
    get: query => send(query, { method: 'GET' }),
    post: (query, body, headers = {}) => send(query, { method: 'POST', body, headers }),
    async upload(path, name, bytes, more = {}) {
      const form = new FormData()
      form.append('file', new File([new Uint8Array(Buffer.from(bytes))], name))
      // A Request creates the boundary and puts it into its content type.
      const request = new Request('http://keepsake.test/', { method: 'POST', body: form })
      const type = request.headers.get('content-type') ?? ''
      const body = new Uint8Array(await request.arrayBuffer())
      return send({ q: 'upload', path, ...more }, { method: 'POST', body, headers: { 'content-type': type } })
    },
    items: () => itemsOf('i.missing IS NULL'),
    missing: () => [...itemsOf('i.missing IS NOT NULL').keys()],
    faults() {
      const faults: string[] = []
      if (JSON.stringify(treeOf(outside)) !== before) faults.push('something outside was touched')
      for (const root of roots)
        for (const path of Object.keys(treeOf(root)))
          if (/\.keepsake-/.test(path)) faults.push(`${path} was left behind in ${root}`)
      const open = library.db.all('SELECT operation, state FROM journal')
      if (open.length > 0) faults.push(`the journal has ${JSON.stringify(open)}`)
      const foreign = library.db.all('PRAGMA foreign_key_check')
      if (foreign.length > 0) faults.push(`foreign keys: ${JSON.stringify(foreign)}`)
      return faults
    },
    tree: treeOf,
    async close() {
      await media.close()
      await library.fileManager.actions.close()
      library.close()
    },
  }
}

/** The protocol's `items` parameter for these paths. */
export function itemsParameter(...paths: string[]): string {
  return JSON.stringify(paths.map(path => ({ path, type: 'file' })))
}

/** Empties two collections and the root `Files`. Each gets a text file, as an empty root looks like an unmounted disk. */
export async function emptyCollections({ photos, others, files, put, library }: FileManagerLibrary): Promise<void> {
  for (const root of [photos.root, others.root, files]) {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
    put(join(root, 'kept.txt'))
  }
  await library.db.transact({ userId: null }, tx => {
    for (const { id } of [photos, others]) {
      tx.run('DELETE FROM items WHERE collection_id = ?', id)
      tx.run('DELETE FROM dirs WHERE collection_id = ?', id)
    }
    tx.run('DELETE FROM events')
  })
}

/** One library for all tests of a file: opened before the first, closed after the last. Returns a getter for it. */
export function sharedFileManagerLibrary(options: { limit?: string } = {}): () => FileManagerLibrary {
  let opened: FileManagerLibrary | null = null
  beforeAll(async () => {
    opened = await openFileManagerLibrary(options)
  }, 60_000)
  afterAll(async () => {
    await opened?.close()
  }, 60_000)
  return () => {
    if (opened === null) throw new Error('the library is not open yet')
    return opened
  }
}
