import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import { cleanEnvironment, ownProgram } from '../../support/command.ts'
import { canCrash } from '../../support/crash.ts'
import { metadataCrashes } from '../../support/metadata-crash.ts'
import { picture, type ScanningLibrary, scanningLibrary } from '../../support/scanning.ts'
import { editTags, tagsByPath } from '../../support/tagging.ts'

const pictures = 60

/** A collection that writes into files, with an edit of each picture that is not in its file yet. */
async function edited(): Promise<ScanningLibrary> {
  const library = scanningLibrary()
  for (let n = 0; n < pictures; n++) {
    const jpeg = await picture({ seed: n })
    // Every third is of a kind that gets a sidecar.
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

/** Sidecars, and pictures whose bytes are other ones than at the beginning. */
function written(root: string, before: ReadonlyMap<string, number>): number {
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

test('a process killed while it writes tags leaves each file old or new, and the job done again completes', async () => {
  for (const after of [0, 1, 7, 20, 40]) {
    const library = await edited()
    const { db, jobs } = library.library
    const before = sizes(library.root)
    const shown = await pixels(library.root)
    const wanted = tagsByPath(library.library)
    const job = await jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 })
    const child = Bun.spawn([...ownProgram(), '--data', library.data, 'worker', 'job', String(job)], {
      stdout: 'ignore',
      stderr: 'inherit',
      env: cleanEnvironment(),
    })
    const until = performance.now() + 20_000
    while (child.exitCode === null && performance.now() < until) {
      if (written(library.root, before) >= after) {
        child.kill('SIGKILL')
        break
      }
      await Bun.sleep(1)
    }
    await child.exited

    // Whole files only, whatever has become of them so far.
    expect(await pixels(library.root)).toEqual(shown)
    await jobs.recover()
    if (jobs.row(job)?.state === 'queued') await jobs.run(job)
    else await jobs.run(await jobs.enqueue(terminalViewer, 'metadata-export', { collectionId: 1 }, { here: true }))

    expect(db.all('SELECT * FROM journal')).toEqual([])
    expect(db.all('SELECT * FROM metadata_due')).toEqual([])
    expect(db.all("SELECT * FROM problems WHERE code = 'metadata-write'")).toEqual([])
    expect([...sizes(library.root).keys()].filter(path => path.includes('.keepsake'))).toEqual([])
    expect(await pixels(library.root)).toEqual(shown)
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
    await fresh.jobs.run(await fresh.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { here: true }))
    expect(tagsByPath(fresh)).toEqual(wanted)
    fresh.close()
  }
}, 120_000)

/** This many points here; tests/long kills at every one. */
const points = 20

if (!canCrash) console.warn('SKIPPED: there is no strace to kill processes at system calls')

test.skipIf(!canCrash)(
  `killed at ${points} system calls, writing tags loses no picture and leaves nothing undone`,
  async () => {
    const { outcomes } = await metadataCrashes({ count: points, seed: 5 })
    expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
    expect(outcomes.filter(({ killed }) => killed).length).toBeGreaterThan(points * 0.6)
  },
  180_000,
)
