/** Kills file manager operations at their system calls, or simulates a full disk there, and checks the result. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import type { FilePlace } from '../../core/file-manager/places.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import { cleanEnvironment } from './command.ts'
import { bundledCommand, type CrashPoint, crashPointsOfRun, selectPoints, underStrace } from './crash.ts'
import { treeOf } from './file-manager-library.ts'
import { type DiskCollection, fileHashes, openMovingLibrary, writeFileIn } from './moving-library.ts'
import { picture } from './scanning-library.ts'
import { otherDisk, temporaryDirectory } from './temporary.ts'
import { buildZip } from './zip-maker.ts'

export const fileOperations = [
  'rename a picture',
  'rename a folder',
  'move a folder into another collection',
  'move a folder to another disk',
  'delete a folder',
  'unarchive',
  'archive',
  'upload',
  'upload, file before fields',
  'save',
  'crop',
] as const
export type FileOperation = (typeof fileOperations)[number]

/** What happens at a system call: the process is killed, or the disk is full. */
type Fault = 'kill' | 'full'

interface Case {
  name: FileOperation
  directory: string
  data: string
  photos: DiskCollection
  others: DiskCollection
  roots: string[]
}

export interface FileCrash {
  fault: Fault
  point: CrashPoint
  /** The operation failed or was killed. */
  wasBroken: boolean
  faults: string[]
}

export function openWorkerLibrary(data: string): Library {
  return openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
}

/** Draws a box on the picture that the operation 'crop' replaces. */
async function drawBox({ db }: Library) {
  await db.transact({ userId: null }, tx => {
    const person = tx.run('INSERT INTO people DEFAULT VALUES').lastInsertRowid
    tx.run(
      `INSERT INTO regions (item_id, type, person_id, x, y, width, height, source)
       SELECT id, 'person', ?, 100, 100, 200, 200, 'user' FROM items WHERE name = 'stays.jpg'`,
      person,
    )
  })
}

/** Checks the drawn box: on the new picture, which has another aspect ratio, its position must be unknown. */
function boxFault({ db }: Library, { photos, directory }: Case): string | null {
  const box = db.get<{ width: number }>("SELECT width FROM regions WHERE source = 'user'")
  // The new picture is recognised by its size in bytes: its width is unknown if the decoders were killed.
  const item = db.get<{ size: number }>("SELECT size FROM items WHERE name = 'stays.jpg'")
  const isNew = item?.size === statSync(join(directory, 'crop.jpg')).size
  if (box === null) return `the box is gone, in ${photos.root}`
  return (box.width === 0) === isNew ? null : `a box ${box.width} wide on the ${isNew ? 'new' : 'old'} picture`
}

async function build(toOtherDisk: boolean): Promise<Omit<Case, 'name'>> {
  const directory = temporaryDirectory()
  const data = join(directory, 'data')
  const moving = openMovingLibrary({ library: openWorkerLibrary(data), data, directory })
  const photos = await moving.collection({ name: 'Photos', variants: true })
  const elsewhere = join(otherDisk ?? directory, `keepsake-test-${crypto.randomUUID()}`)
  const others = await moving.collection({ name: 'Others', ...(toOtherDisk ? { root: elsewhere } : {}) })
  writeFileIn(photos.root, 'a/one.jpg', await picture({ seed: 1 }))
  writeFileIn(photos.root, 'a/one.jpg.xmp', '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
  writeFileIn(photos.root, 'a/deep/two.jpg', await picture({ seed: 2 }))
  writeFileIn(photos.root, 'a/deep/notes.txt', 'notes')
  writeFileIn(photos.variants, 'a/one.png', 'an edited version')
  writeFileIn(photos.root, 'stays.jpg', await picture({ seed: 3 }))
  writeFileIn(others.root, 'there.jpg', await picture({ seed: 4 }))
  writeFileIn(
    photos.root,
    'in.zip',
    buildZip([
      { name: 'new/x.jpg', data: await picture({ seed: 5 }), stored: true },
      { name: 'top.txt', data: 'top' },
      { name: 'new/empty/' },
    ]),
  )
  writeFileSync(join(directory, 'crop.jpg'), await picture({ seed: 6, width: 96 }))
  await moving.scan(photos)
  await moving.scan(others)
  await drawBox(moving.library)
  moving.library.close()
  return { directory, data, photos, others, roots: [photos.root, photos.variants, others.root] }
}

async function placeAt({ fileManager }: Library, virtual: string): Promise<FilePlace> {
  const place = await fileManager.places.find(terminalViewer, virtual)
  if (place === null) throw new Error(`there is no ${virtual}`)
  return place
}

async function* splitIntoPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 300) yield bytes.subarray(at, at + 300)
}

/** Receives a file, then moves it to its place. `isPlaceKnown`: the place was given before the file arrived. */
async function sendFile(library: Library, place: FilePlace, name: string, bytes: Uint8Array, isPlaceKnown = true) {
  const { actions } = library.fileManager
  const maxBytes = bytes.length
  const file = await actions.receive(terminalViewer, splitIntoPieces(bytes), {
    place: isPlaceKnown ? place : null,
    maxBytes,
  })
  try {
    await actions.upload(terminalViewer, place, { name }, file)
  } finally {
    await file.close()
  }
}

/** Performs an operation, as its endpoint would. */
export async function performFileOperation(library: Library, name: FileOperation, directory: string): Promise<void> {
  const { actions } = library.fileManager
  const at = (virtual: string) => placeAt(library, virtual)
  const newPicture = new Uint8Array(await Bun.file(join(directory, 'crop.jpg')).arrayBuffer())
  switch (name) {
    case 'rename a picture':
      return actions.rename(terminalViewer, await at('/Photos/a/one.jpg'), 'uno.jpg')
    case 'rename a folder':
      return actions.rename(terminalViewer, await at('/Photos/a'), 'b')
    case 'move a folder into another collection':
    case 'move a folder to another disk':
      return actions.move(terminalViewer, [await at('/Photos/a')], await at('/Others'))
    case 'delete a folder':
      return actions.remove(terminalViewer, [await at('/Photos/a')])
    case 'unarchive':
      return actions.unarchive(terminalViewer, await at('/Photos'), await at('/Photos/in.zip'))
    case 'archive':
      return actions.archive(terminalViewer, await at('/Photos'), [await at('/Photos/a')], 'out')
    case 'upload':
      return sendFile(library, await at('/Photos/a'), 'up.jpg', newPicture)
    case 'upload, file before fields':
      return sendFile(library, await at('/Photos/a'), 'up.jpg', newPicture, false)
    case 'save':
      await actions.save(terminalViewer, await at('/Photos/a/deep/notes.txt'), 'other notes '.repeat(500))
      return
    case 'crop':
      return sendFile(library, await at('/Photos/stays.jpg'), 'blob', newPicture)
  }
}

/** Performs the operation under strace; returns whether it failed or was killed. */
async function runOperation({ data, name, directory }: Case, strace: string[]): Promise<boolean> {
  const request = JSON.stringify({ data, name, directory })
  const program = [...(await bundledCommand(join(import.meta.dir, 'files-crash-child.ts'))), request]
  const child = Bun.spawn(underStrace(strace, program), {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    env: cleanEnvironment(),
  })
  return (await child.exited) !== 0
}

function saveDirectories({ directory, data, roots }: Omit<Case, 'name'>): () => void {
  const pairs = [data, ...roots].map((path, n) => ({ path, copy: join(directory, `kept-${n}`) }))
  for (const { path, copy } of pairs) {
    mkdirSync(path, { recursive: true })
    Bun.spawnSync(['cp', '-a', path, copy])
  }
  return () => {
    for (const { path, copy } of pairs) {
      rmSync(path, { recursive: true, force: true })
      Bun.spawnSync(['cp', '-a', copy, path])
    }
  }
}

async function prepare(toOtherDisk: boolean) {
  const prepared = await build(toOtherDisk)
  return { ...prepared, restore: saveDirectories(prepared) }
}

let preparedCase: ReturnType<typeof prepare> | null = null

/** The files for all operations on one disk. */
function prepareOnce(): ReturnType<typeof prepare> {
  preparedCase ??= prepare(false)
  return preparedCase
}

const directoryState = ({ roots }: Case) => JSON.stringify(roots.map(treeOf))

/** Operations that move file by file: after a crash, some files may have moved and others not. */
const operationsFileByFile: readonly FileOperation[] = [
  'move a folder into another collection',
  'move a folder to another disk',
]

interface Expected {
  before: string
  after: string
  contents: string[]
}

/** Recovers as the server does at its start, and returns what is wrong. */
async function inspect(testCase: Case, expected: Expected): Promise<string[]> {
  const faults: string[] = []
  const library = openWorkerLibrary(testCase.data)
  try {
    const moving = openMovingLibrary({ library, data: testCase.data, directory: testCase.directory })
    await library.jobs.recover()
    const { finished, undone, left } = await library.journal.recover({ restarted: true })
    if (left > 0) faults.push(`${left} rows are left in the journal`)
    const now = directoryState(testCase)
    if (operationsFileByFile.includes(testCase.name)) {
      const contents = fileHashes(...testCase.roots)
      if (JSON.stringify(contents) !== JSON.stringify(expected.contents)) faults.push('files were lost, or exist twice')
    } else if (now !== expected.before && now !== expected.after) faults.push(`neither old nor new: ${now}`)
    for (const path of testCase.roots.flatMap(root => Object.keys(treeOf(root))))
      if (path.includes('.keepsake-')) faults.push(`${path} is left behind`)
    for (const name of readdirSync(join(testCase.data, 'cache')))
      if (name.startsWith('.keepsake-')) faults.push(`${name} is left behind in the cache`)
    // After such a recovery, the server scans the collections at its start.
    if (finished + undone > 0) for (const one of [testCase.photos, testCase.others]) await moving.scan(one)
    for (const one of [testCase.photos, testCase.others]) {
      const { figures } = await moving.scan(one)
      const { found: _, ...changes } = figures
      if (Object.values(changes).some(n => n !== 0)) faults.push(`a scan finds ${JSON.stringify(changes)}`)
    }
    const [check] = library.db.all<{ integrity_check: string }>('PRAGMA integrity_check')
    if (check?.integrity_check !== 'ok') faults.push(`integrity: ${check?.integrity_check}`)
    if (library.db.all('PRAGMA foreign_key_check').length > 0) faults.push('foreign keys')
    if (library.db.all('SELECT 1 FROM journal').length > 0) faults.push('the journal is not empty')
    const box = boxFault(library, testCase)
    if (box !== null) faults.push(box)
    const items = library.db.all('SELECT 1 FROM items')
    if (items.length > 6) faults.push(`${items.length} items: some exist twice`)
  } catch (error) {
    faults.push(`recovery or a check throws: ${error instanceof Error ? error.stack : error}`)
  } finally {
    await library.fileManager.actions.close()
    library.close()
  }
  return faults
}

/** System calls that need disk space. */
const callsThatNeedSpace = new Set([
  'write',
  'pwrite64',
  'pwritev',
  'writev',
  'ftruncate',
  'mkdir',
  'mkdirat',
  'link',
  'linkat',
])

/** Causes each fault at `counts[fault]` of the operation's crash points, or at all of them if it is null. */
export async function runFileCrashes(
  name: FileOperation,
  counts: Readonly<Record<Fault, number | null>>,
  seed = 1,
): Promise<FileCrash[]> {
  const toOtherDisk = name === 'move a folder to another disk'
  const { restore, ...prepared } = await (toOtherDisk ? prepare(true) : prepareOnce())
  const testCase: Case = { ...prepared, name }
  restore()
  const before = directoryState(testCase)
  const contents = fileHashes(...testCase.roots)
  const all = await crashPointsOfRun(strace => runOperation(testCase, strace), testCase.directory)
  const after = directoryState(testCase)
  const outcomes: FileCrash[] = []
  for (const fault of ['kill', 'full'] as const) {
    const usable = fault === 'kill' ? all : all.filter(({ call }) => callsThatNeedSpace.has(call))
    const count = counts[fault]
    for (const point of count === null ? usable : selectPoints(usable, count, seed)) {
      restore()
      const injected = fault === 'kill' ? 'signal=SIGKILL' : 'error=ENOSPC'
      const inject = `inject=${point.call}:${injected}:when=${point.n}`
      const wasBroken = await runOperation(testCase, ['-o', '/dev/null', '-e', `trace=${point.call}`, '-e', inject])
      outcomes.push({ fault, point, wasBroken, faults: await inspect(testCase, { before, after, contents }) })
    }
  }
  // Directories on the other disk are not in a temporary directory.
  if (toOtherDisk)
    for (const root of [...testCase.roots, testCase.directory]) rmSync(root, { recursive: true, force: true })
  return outcomes
}
