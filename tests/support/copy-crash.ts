/** Kills the nightly copy and the restore of a copy at each of their system calls, and checks the result. */
import { Database } from 'bun:sqlite'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listCopies } from '../../core/kernel/data/copies.ts'
import { describeLoss } from '../../core/kernel/data/data-directory.ts'
import { cleanEnvironment } from './command.ts'
import {
  bundledCommand,
  type CrashOutcome,
  type CrashPoint,
  crashPointsOfRun,
  selectPoints,
  underStrace,
} from './crash.ts'
import { openWorkerLibrary } from './moving-library.ts'
import { temporaryDirectory } from './temporary.ts'

export const copyOperations = ['nightly copy', 'restore of a copy'] as const

/** Runs the operation, under strace unless there is nothing to trace; returns whether it failed. */
async function runOperation(data: string, file: string, strace: readonly string[]): Promise<boolean> {
  const program = [...(await bundledCommand(join(import.meta.dir, 'copy-crash-child.ts'))), data, file]
  const child = Bun.spawn(underStrace(strace, program), {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    env: cleanEnvironment(),
  })
  return (await child.exited) !== 0
}

const wordCount = 40

/** What is wrong with a database that should be intact and hold all words. */
function databaseFaults(path: string): string[] {
  const db = new Database(path, { readonly: true })
  try {
    const check = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()?.integrity_check
    const n = db.query<{ n: number }, []>('SELECT count(*) AS n FROM keystrings').get()?.n
    return check === 'ok' && n === wordCount ? [] : [`${path}: ${check}, ${n} words`]
  } catch (error) {
    return [`${path}: ${error}`]
  } finally {
    db.close()
  }
}

/** Kills an operation at `count` of its crash points, or at all of them if `count` is null. */
export async function runCopyCrashes(
  operation: (typeof copyOperations)[number],
  { count, seed = 1 }: { count: number | null; seed?: number },
): Promise<{ points: number; outcomes: CrashOutcome[] }> {
  const directory = temporaryDirectory()
  const [data, kept] = [join(directory, 'data'), join(directory, 'kept')]
  const library = openWorkerLibrary(data)
  await library.db.transact({ userId: null }, tx => {
    for (let n = 0; n < wordCount; n++)
      tx.run('INSERT INTO keystrings (content, content_key) VALUES (?, ?)', `word ${n}`, `word ${n}`)
  })
  library.close()
  if (operation === 'restore of a copy') {
    if (await runOperation(data, '', [])) throw new Error('the copy failed')
    rmSync(join(data, 'begin'), { recursive: true })
  }
  const isRestore = operation === 'restore of a copy'
  const file = isRestore ? (listCopies(data)[0]?.path ?? '') : ''
  // The restored copy replaces a damaged database.
  if (isRestore) await Bun.write(join(data, 'library.db'), 'damaged')
  cpSync(data, kept, { recursive: true })
  const restoreData = () => {
    rmSync(data, { recursive: true, force: true })
    cpSync(kept, data, { recursive: true })
  }
  const all = await crashPointsOfRun(strace => runOperation(data, file, strace), directory)
  const points: CrashPoint[] = count === null ? all : selectPoints(all, count, seed)
  const outcomes: CrashOutcome[] = []
  for (const point of points) {
    restoreData()
    const killed = await runOperation(data, file, [
      ...['-o', '/dev/null', '-e', `trace=${point.call}`],
      ...['-e', `inject=${point.call}:signal=SIGKILL:when=${point.n}`],
    ])
    const faults = listCopies(data).flatMap(({ path }) => databaseFaults(path))
    if (isRestore && listCopies(data).length !== 1) faults.push('the copy is gone')
    const damaged = isRestore && Bun.file(join(data, 'library.db')).size === 'damaged'.length
    const isThere = existsSync(join(data, 'library.db'))
    if (!isThere && describeLoss(data) === null) faults.push('the data directory looks new')
    if (isThere && !damaged) faults.push(...databaseFaults(join(data, 'library.db')))
    rmSync(join(data, 'begin'), { recursive: true, force: true })
    if (await runOperation(data, file, [])) faults.push('the repeated operation fails')
    faults.push(...databaseFaults(join(data, 'library.db')))
    const unfinished = readdirSync(join(data, 'copies')).filter(name => !name.endsWith('Z.db'))
    if (unfinished.length > 0) faults.push(`the repeated operation leaves ${unfinished.join(', ')}`)
    outcomes.push({ point, killed, faults })
  }
  return { points: all.length, outcomes }
}
