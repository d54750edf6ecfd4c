/** The operations that tests kill, each with files for the special cases of a move: name collisions, sidecars, variants. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CrashCase,
  type CrashOutcome,
  type CrashPoint,
  crashAt,
  crashPointsOf,
  runUndisturbed,
  saveDirectories,
  selectPoints,
} from './crash.ts'
import { fileHashes, itemPlaces, openMovingLibrary, openWorkerLibrary, writeFileIn } from './moving-library.ts'
import { picture, takenAt } from './scanning-library.ts'
import { otherDisk, temporaryDirectory } from './temporary.ts'

export const crashCaseNames = ['sort', 'transfer', 'transfer to another disk', 'import', 'purge'] as const
export type CrashCaseName = (typeof crashCaseNames)[number]

const sidecar = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="kept"/></rdf:RDF></x:xmpmeta>`

async function writeCaseFiles(root: string, variants: string) {
  const second = takenAt('2019-08-01 14:22:33')
  writeFileIn(root, 'a.jpg', await picture({ seed: 1, exif: second }))
  writeFileIn(root, 'a.dng', 'beside its picture')
  writeFileIn(root, 'a.jpg.xmp', sidecar)
  writeFileIn(variants, 'a.png', 'an edited version')
  writeFileIn(root, 'deep/er/b.jpg', await picture({ seed: 2, exif: second }))
  writeFileIn(root, 'deep/c.jpg', await picture({ seed: 3, exif: takenAt('2020-02-02 02:02:02') }))
  // Already has the name that the file above will get.
  writeFileIn(root, '2020/02/IMG_20200202_020202.jpg', await picture({ seed: 4, exif: takenAt('2021-03-03 03:03:03') }))
}

async function buildCase(name: CrashCaseName, directory: string): Promise<CrashCase> {
  const moving = openMovingLibrary({
    library: openWorkerLibrary(join(directory, 'data')),
    data: join(directory, 'data'),
    directory,
  })
  const elsewhere = join(otherDisk ?? directory, `keepsake-test-${crypto.randomUUID()}`)
  const from = await moving.collection({ managed: name === 'sort', variants: true })
  const to = await moving.collection({
    managed: true,
    variants: true,
    ...(name === 'transfer to another disk' ? { root: elsewhere } : {}),
  })
  await writeCaseFiles(from.root, from.variants)
  writeFileIn(
    to.root,
    '2019/08/IMG_20190801_142233.jpg',
    await picture({ seed: 9, exif: takenAt('2019-08-01 14:22:33') }),
  )
  await moving.scan(from)
  await moving.scan(to)
  const items = [...itemPlaces(moving.library)]
    .filter(([, place]) => place.startsWith(`${from.id}: `))
    .map(([id]) => id)
  if (name === 'purge') {
    await moving.library.db.transact({ userId: null }, tx => {
      tx.run("UPDATE items SET deleted = 1 WHERE name IN ('a.jpg', 'c.jpg')")
    })
  }
  moving.library.close()
  const common = { data: join(directory, 'data') }
  if (name === 'sort') return { ...common, operation: 'sort', collections: [from], ids: [from.id], files: 'moved' }
  if (name === 'purge') {
    return { ...common, operation: 'purge', collections: [from], ids: [from.id], files: 'changed' }
  }
  if (name === 'import')
    return { ...common, operation: 'import', collections: [to, from], ids: [to.id, from.id], files: 'copied' }
  return { ...common, operation: 'transfer', collections: [from, to], ids: [to.id, ...items], files: 'moved' }
}

export interface CrashRun {
  points: number
  outcomes: CrashOutcome[]
}

/** Kills an operation at `count` of its crash points, or at all of them if `count` is null. */
export async function runCrashes(
  name: CrashCaseName,
  { count, seed = 1, each }: { count: number | null; seed?: number; each?: (outcome: CrashOutcome) => void },
): Promise<CrashRun> {
  const directory = temporaryDirectory()
  const testCase = await buildCase(name, directory)
  const roots = testCase.collections.flatMap(({ root, variants }) => [root, variants])
  const originals = fileHashes(...roots)
  const restore = saveDirectories(testCase, directory)
  const expected = await runUndisturbed(testCase)
  const kept = new Set(fileHashes(...roots))
  restore()
  const before = testCase.files === 'changed' ? originals.filter(hash => kept.has(hash)) : originals
  const all = await crashPointsOf(testCase, directory)
  const points: CrashPoint[] = count === null ? all : selectPoints(all, count, seed)
  const outcomes: CrashOutcome[] = []
  for (const point of points) {
    restore()
    const outcome = await crashAt(testCase, point, before, expected)
    outcomes.push(outcome)
    each?.(outcome)
  }
  // Directories on the other disk are not in a temporary directory, so nothing else removes them.
  for (const root of roots) rmSync(root, { recursive: true, force: true })
  return { points: all.length, outcomes }
}
