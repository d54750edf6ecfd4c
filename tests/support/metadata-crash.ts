/** Kills the writing of tags at each of its system calls, and checks the result. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import { readAccessList, readAttribute, setAccessList, setAttribute, supportsAttributes } from './attributes.ts'
import { cleanEnvironment, programCommand } from './command.ts'
import { type CrashPoint, selectPoints, underStrace } from './crash.ts'
import { openScanningLibrary, picture, takenAt } from './scanning-library.ts'
import { editTags, tagsByPath } from './tagging.ts'

/** System calls that change files, including the database. */
const changing =
  'rename,renameat2,unlink,fsync,fdatasync,write,pwrite64,pwritev,ftruncate,utimensat,fchmod,fchown,fsetxattr'

export interface MetadataCrash {
  point: CrashPoint
  killed: boolean
  faults: string[]
}

function open(data: string): Library {
  return openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
}

function files(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

/** Hash of each picture's pixels, which writing tags must not change. */
async function pixelHashes(root: string): Promise<string> {
  const pictures = files(root).filter(path => /\.(jpg|png|tif)$/.test(path))
  const hashes = pictures.map(async path => {
    const raw = await sharp(readFileSync(join(root, path)))
      .raw()
      .toBuffer()
    return `${path} ${Bun.hash(raw)}`
  })
  return (await Promise.all(hashes)).join('\n')
}

/** Pictures with an access list and an attribute, which writing tags must keep. */
const picturesWithAttributes = ['a.jpg', 'b/copy.jpg', 'b/c.png']

function attributes(root: string): string[] {
  if (!supportsAttributes) return []
  return picturesWithAttributes.map(
    path => `${readAttribute(join(root, path), 'user.label')} ${readAccessList(join(root, path))}`,
  )
}

/** A collection that writes into files, with edits of all its pictures, and a job that waits to write them. */
async function build() {
  const scanning = openScanningLibrary()
  const { root, data, library } = scanning
  const jpeg = await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') })
  scanning.put('a.jpg', jpeg)
  // The same content as a.jpg: both items share its renditions.
  scanning.put('b/copy.jpg', jpeg)
  scanning.put(
    'b/c.png',
    await sharp(await picture({ seed: 2 }))
      .png()
      .toBuffer(),
  )
  scanning.put(
    'b/d.tif',
    await sharp(await picture({ seed: 3 }))
      .tiff()
      .toBuffer(),
  )
  scanning.put('b/e.jpg', await picture({ seed: 4 }))
  const foreign = '<x:kept xmlns:x="urn:x">kept</x:kept>'
  scanning.put(
    'b/e.jpg.xmp',
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${foreign}<dc:subject>old</dc:subject></rdf:Description></rdf:RDF>`,
  )
  if (supportsAttributes) {
    for (const path of picturesWithAttributes) {
      setAttribute(join(root, path), 'user.label', `kept with ${path}`)
      setAccessList(join(root, path), 'u:1000:rw,m::r')
    }
  }
  await scanning.scan()
  await library.db.transact({ userId: null }, tx => {
    tx.run("UPDATE collections SET write_back = 'file'")
  })
  for (const { id } of scanning.items().values())
    await editTags(library, id, { keywords: [`item ${id}`], description: 'x'.repeat(500 * id), rating: 3 })
  const job = await library.jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 })
  library.close()
  return { root, data, job, foreign }
}

/** Runs the job under strace; returns whether it failed or was killed. */
async function runJob(data: string, job: number, strace: readonly string[]): Promise<boolean> {
  const program = [...programCommand(), '--data', data, 'worker', 'job', String(job)]
  const child = Bun.spawn(underStrace(strace, program), {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    env: cleanEnvironment(),
  })
  return (await child.exited) !== 0
}

/** Every system call by name and number in its thread, found by tracing one undisturbed run. */
async function pointsOf(data: string, job: number, log: string): Promise<CrashPoint[]> {
  if (await runJob(data, job, ['-e', `trace=${changing}`, '-o', log])) throw new Error('the job fails')
  const totals = new Map<string, number>()
  const points = new Map<string, CrashPoint>()
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, thread = '', call = ''] = /^(\d+)\s+(\w+)\(/.exec(line) ?? []
    if (call === '') continue
    const n = (totals.get(`${thread} ${call}`) ?? 0) + 1
    totals.set(`${thread} ${call}`, n)
    points.set(`${call} ${n}`, { call, n })
  }
  return [...points.values()]
}

/** Kills the job at `count` crash points that `seed` selects, or at all of them if `count` is null. */
export async function runMetadataCrashes({ count, seed = 1 }: { count: number | null; seed?: number }) {
  const { root, data, job, foreign } = await build()
  const kept = `${data}-kept`
  mkdirSync(kept)
  for (const path of [root, data]) Bun.spawnSync(['cp', '-a', path, kept])
  const restore = () => {
    for (const path of [root, data]) {
      rmSync(path, { recursive: true, force: true })
      Bun.spawnSync(['cp', '-a', join(kept, path.slice(path.lastIndexOf('/') + 1)), path])
    }
  }
  const before = open(data)
  const expectedTags = tagsByPath(before)
  before.close()
  const expectedPixels = await pixelHashes(root)
  const expectedAttributes = attributes(root)
  const all = await pointsOf(data, job, join(kept, 'trace'))
  const expectedFiles = files(root)
  const points = count === null ? all : selectPoints(all, count, seed)

  async function crash(point: CrashPoint): Promise<MetadataCrash> {
    restore()
    const inject = `inject=${point.call}:signal=SIGKILL:when=${point.n}`
    const killed = await runJob(data, job, ['-o', '/dev/null', '-e', `trace=${point.call}`, '-e', inject])
    const faults: string[] = []
    const expectSame = (what: string, found: unknown, expected: unknown) => {
      if (!Bun.deepEquals(found, expected))
        faults.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`)
    }
    expectSame('pictures after the kill', await pixelHashes(root), expectedPixels)
    expectSame('attributes after the kill', attributes(root), expectedAttributes)
    const library = open(data)
    try {
      await library.jobs.recover()
      await library.journal.recover()
      expectSame('journal', library.db.all('SELECT * FROM journal'), [])
      expectSame(
        'temporary files',
        files(root).filter(path => path.includes('.keepsake')),
        [],
      )
      const isWaiting = library.jobs.row(job)?.state === 'queued'
      const again = isWaiting
        ? job
        : await library.jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 }, { inProcess: true })
      const ended = await library.jobs.run(again)
      expectSame('the repeated job', [ended?.state, ended?.problems], ['done', 0])
      expectSame('files', files(root), expectedFiles)
      expectSame('pictures', await pixelHashes(root), expectedPixels)
      expectSame('attributes', attributes(root), expectedAttributes)
      if (!readFileSync(join(root, 'b/e.jpg.xmp'), 'utf8').includes(foreign)) faults.push('foreign content is lost')
      expectSame('due', library.db.all('SELECT * FROM metadata_due'), [])
      expectSame('tags', tagsByPath(library), expectedTags)
      const scan = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: 1 }, { inProcess: true })
      const counts: Record<string, number> = JSON.parse((await library.jobs.run(scan))?.counts ?? '{}')
      const { found: _, ...changes } = counts
      expectSame(
        'a scan finds',
        Object.values(changes).filter(n => n !== 0),
        [],
      )
      expectSame('tags after a scan', tagsByPath(library), expectedTags)
      expectSame('integrity', library.db.get('PRAGMA integrity_check'), { integrity_check: 'ok' })
    } catch (error) {
      faults.push(`recovery or a check throws: ${error instanceof Error ? error.stack : error}`)
    } finally {
      library.close()
    }
    return { point, killed, faults }
  }

  const outcomes: MetadataCrash[] = []
  for (const point of points) outcomes.push(await crash(point))
  return { points: all.length, outcomes }
}
