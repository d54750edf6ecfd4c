/** Collections with real files on the disk, for tests that move and copy them, and checks for what must always hold. */
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { terminalViewer, type Viewer } from '../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import { startSort } from '../../core/moving/sort-job.ts'
import { startTransfer } from '../../core/moving/transfer-job.ts'
import type { JobRow } from '../../core/work/job-row.ts'
import { temporaryDirectory } from './temporary.ts'

export interface DiskCollection {
  id: number
  root: string
  variants: string
}

interface EndedJob extends JobRow {
  figures: Record<string, number>
}

export interface MovingLibrary {
  library: Library
  data: string
  directory: string
  collection(options?: {
    name?: string
    root?: string
    managed?: boolean
    folderFormat?: string
    prefix?: string
    variants?: boolean
    readonly?: boolean
  }): Promise<DiskCollection>
  scan(collection: DiskCollection, more?: { full?: boolean }): Promise<EndedJob>
  sort(collection: DiskCollection, more?: { guess?: boolean; viewer?: Viewer }): Promise<EndedJob>
  transfer(items: readonly number[], to: DiskCollection, viewer?: Viewer): Promise<EndedJob>
  run(job: number): Promise<EndedJob>
}

/** Writes a file, with the directories above it. */
export function writeFileIn(root: string, path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), bytes)
}

/** Paths of all files below a directory, sorted, including hidden ones. */
export function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter(path => statSync(join(root, path)).isFile())
    .sort()
}

/** sha256 of every file below some directories, sorted: no operation may lose one. */
export function fileHashes(...roots: string[]): string[] {
  return roots
    .flatMap(root => listFiles(root).map(path => new Bun.SHA256().update(readFileSync(join(root, path))).digest('hex')))
    .sort()
}

export function openWorkerLibrary(data: string): Library {
  return openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
}

/** Helpers for a new library, or for an open one. */
export function openMovingLibrary(existing?: { library: Library; data: string; directory: string }): MovingLibrary {
  const directory = existing?.directory ?? temporaryDirectory()
  const data = existing?.data ?? join(directory, 'data')
  const library = existing?.library ?? openWorkerLibrary(data)
  if (existing === undefined) process.on('exit', () => library.close())

  async function run(id: number): Promise<EndedJob> {
    const ended = await library.jobs.run(id)
    if (ended === null) throw new Error('another process took the job')
    return { ...ended, figures: JSON.parse(ended.counts) }
  }

  let created = 0
  return {
    library,
    data,
    directory,
    run,
    async collection(options = {}) {
      const name = options.name ?? `collection ${++created}`
      const root = options.root ?? join(directory, name)
      const variants = join(directory, `${name} variants`)
      mkdirSync(root, { recursive: true })
      if (options.variants === true) mkdirSync(variants, { recursive: true })
      const { id } = await library.collections.create(terminalViewer, {
        name,
        path: realpathSync(root),
        ...(options.variants === true ? { pathVariant: variants } : {}),
      })
      await library.db.transact({ userId: null }, tx =>
        tx.run(
          'UPDATE collections SET managed = ?, readonly = ?, folder_format = ?, file_format = ? WHERE id = ?',
          options.managed === true ? 1 : 0,
          options.readonly === true ? 1 : 0,
          options.folderFormat ?? '{Year}/{Month}',
          options.prefix ?? 'IMG_',
          id,
        ),
      )
      return { id, root, variants }
    },
    async scan({ id }, more = {}) {
      return run(await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: id, ...more }, { inProcess: true }))
    },
    async sort({ id }, { viewer = terminalViewer, ...more } = {}) {
      return run(await startSort(library, viewer, id, more, { inProcess: true }))
    },
    async transfer(items, to, viewer = terminalViewer) {
      return run(await startTransfer(library, viewer, to.id, items, { inProcess: true }))
    },
  }
}

interface ItemPlace {
  id: number
  collection_id: number
  path: string
}

/** 'collection: path' of every item that is not missing, by id. */
export function itemPlaces({ db }: Library): Map<number, string> {
  const rows = db.all<ItemPlace>(
    `SELECT i.id, i.collection_id, CASE d.path WHEN '' THEN i.name ELSE d.path || '/' || i.name END AS path
     FROM items AS i JOIN dirs AS d ON d.id = i.dir_id WHERE i.missing IS NULL ORDER BY i.id`,
  )
  return new Map(rows.map(({ id, collection_id, path }) => [id, `${collection_id}: ${path}`]))
}

/** Sorted paths of a collection's items. */
export function itemPaths(library: Library, { id }: DiskCollection): string[] {
  return [...itemPlaces(library).values()]
    .filter(place => place.startsWith(`${id}: `))
    .map(place => place.slice(`${id}: `.length))
    .sort()
}

/** Faults in journal, rows and files after an operation; `before` are the hashes of the files that must remain. */
export function findFaults(
  library: Library,
  collections: readonly DiskCollection[],
  before: readonly string[],
): string[] {
  const { db } = library
  const faults: string[] = []
  const journal = db.all<{ operation: string; state: string }>('SELECT operation, state FROM journal')
  if (journal.length > 0) faults.push(`the journal has ${JSON.stringify(journal)}`)
  const roots = collections.flatMap(({ root, variants }) => [root, variants]).filter(path => isDirectory(path))
  const after = fileHashes(...roots)
  const left = [...after]
  for (const hash of before) {
    const at = left.indexOf(hash)
    if (at < 0) faults.push(`a file is lost: ${hash}`)
    else left.splice(at, 1)
  }
  for (const root of roots) {
    for (const path of listFiles(root)) if (/\.keepsake-.*\.tmp$/.test(path)) faults.push(`${path} is left behind`)
  }
  for (const row of db.all<{ id: number; root: string; dir: Uint8Array; name: Uint8Array | null }>(
    `SELECT i.id, c.path AS root, d.path_bytes AS dir, f.name_bytes AS name FROM items AS i
     JOIN collections AS c ON c.id = i.collection_id LEFT JOIN files AS f ON f.item_id = i.id AND f.role = 'main'
     LEFT JOIN dirs AS d ON d.id = f.dir_id WHERE i.missing IS NULL`,
  )) {
    const path = join(row.root, Buffer.from(row.dir ?? []).toString(), Buffer.from(row.name ?? []).toString())
    if (row.name === null || !isFile(path)) faults.push(`item ${row.id} has no file at ${path}`)
  }
  const [check] = db.all<{ integrity_check: string }>('PRAGMA integrity_check')
  if (check?.integrity_check !== 'ok') faults.push(`integrity: ${check?.integrity_check}`)
  const foreign = db.all('PRAGMA foreign_key_check')
  if (foreign.length > 0) faults.push(`foreign keys: ${JSON.stringify(foreign)}`)
  return faults
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
