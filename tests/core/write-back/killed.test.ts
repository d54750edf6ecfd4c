import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import { cleanEnvironment, programCommand } from '../../support/command.ts'
import { hasStrace } from '../../support/crash.ts'
import { isLong } from '../../support/long.ts'
import { runMetadataCrashes } from '../../support/metadata-crash.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../../support/scanning-library.ts'
import { editTags, tagsByPath } from '../../support/tagging.ts'

const pictures = 60

/** A collection that writes into files, with an unwritten edit of each picture. */
async function openEditedLibrary(): Promise<ScanningLibrary> {
  const library = openScanningLibrary()
  for (let n = 0; n < pictures; n++) {
    const jpeg = await picture({ seed: n })
    // Every third picture has a format that needs a sidecar.
    library.put(
      `${n % 2}/${n}.${n % 3 === 0 ? 'tif' : 'jpg'}`,
      n % 3 === 0 ? await sharp(jpeg).tiff().toBuffer() : jpeg,
    )
  }
  await library.scan()
  await library.library.db.transact({ userId: null }, tx => {
    tx.run("UPDATE collections SET write_back = 'file'")
  })
  for (const { id } of library.items().values()) {
    await editTags(library.library, id, { keywords: [`item ${id}`], description: 'x'.repeat(id), rating: id % 6 })
  }
  return library
}

/** Number of sidecars, and of pictures whose size has changed. */
function countWritten(root: string, before: ReadonlyMap<string, number>): number {
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter(path => {
      const stat = statSync(join(root, path), { throwIfNoEntry: false })
      return stat?.isFile() === true && stat.size !== before.get(path)
    }).length
}

function sizes(root: string): Map<string, number> {
  const paths = readdirSync(root, { recursive: true }).map(String)
  return new Map(paths.map(path => [path, statSync(join(root, path)).size]))
}

async function pixels(root: string): Promise<Map<string, string>> {
  const paths = readdirSync(root, { recursive: true })
    .map(String)
    .filter(path => /\.(jpg|tif)$/.test(path))
    .sort()
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, string]> => {
        const raw = await sharp(readFileSync(join(root, path)))
          .raw()
          .toBuffer()
        return [path, new Bun.SHA256().update(raw).digest('hex')]
      }),
    ),
  )
}

test('when a process is killed while writing tags, every picture is intact, and repeating the job completes it', async () => {
  for (const after of isLong ? [0, 1, 7, 20, 40] : [7]) {
    const library = await openEditedLibrary()
    const { db, jobs } = library.library
    const before = sizes(library.root)
    const pixelsBefore = await pixels(library.root)
    const wanted = tagsByPath(library.library)
    const job = await jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 })
    const child = Bun.spawn([...programCommand(), '--data', library.data, 'worker', 'job', String(job)], {
      stdout: 'ignore',
      stderr: 'inherit',
      env: cleanEnvironment(),
    })
    const deadline = performance.now() + 20_000
    while (child.exitCode === null && performance.now() < deadline) {
      if (countWritten(library.root, before) >= after) {
        child.kill('SIGKILL')
        break
      }
      await Bun.sleep(1)
    }
    await child.exited

    // Every file is intact, whether written or not.
    expect(await pixels(library.root)).toEqual(pixelsBefore)
    await jobs.recover()
    if (jobs.row(job)?.state === 'queued') await jobs.run(job)
    else await jobs.run(await jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 }, { inProcess: true }))

    expect(db.all('SELECT * FROM journal')).toEqual([])
    expect(db.all('SELECT * FROM metadata_due')).toEqual([])
    expect(db.all("SELECT * FROM problems WHERE code = 'metadata-write'")).toEqual([])
    expect([...sizes(library.root).keys()].filter(path => path.includes('.keepsake'))).toEqual([])
    expect(await pixels(library.root)).toEqual(pixelsBefore)
    await library.scan()
    expect(tagsByPath(library.library)).toEqual(wanted)
    const fresh = openLibrary({
      role: 'worker',
      data: `${library.data}-fresh`,
      create: true,
      environment: {},
      stderrLevel: 'none',
    })
    const { row } = await fresh.collections.resolve(terminalViewer, library.root, { create: true })
    await fresh.jobs.run(
      await fresh.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }),
    )
    expect(tagsByPath(fresh)).toEqual(wanted)
    fresh.close()
  }
}, 120_000)

/** Here the job is killed at this many system calls; tests/long kills it at every one. */
const points = 5

if (!hasStrace) console.warn('SKIPPED: there is no strace to kill processes at system calls')

test.skipIf(!hasStrace)(
  `killed at ${points} system calls, writing tags loses no picture and is finished or undone`,
  async () => {
    const { outcomes } = await runMetadataCrashes({ count: points, seed: 5 })
    expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
    expect(outcomes.filter(({ killed }) => killed).length).toBeGreaterThan(points * 0.6)
  },
  180_000,
)
