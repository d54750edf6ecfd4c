import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../support/command.ts'
import { picture } from '../support/scanning-library.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Two scanned collections, and a job of the first one whose process was killed during the job. */
async function startKilledJob(kind: string, input: object) {
  const directory = temporaryDirectory()
  const data = join(directory, 'data')
  for (const name of ['first', 'second']) {
    mkdirSync(join(directory, name))
    writeFileSync(join(directory, name, `${name}.jpg`), await picture({ seed: name.length }))
    await runCommand(['--data', data, 'scan', join(directory, name)])
  }
  const db = new Database(join(data, 'library.db'))
  db.run(
    `INSERT INTO jobs (kind, collection_id, input, lane, state, owner, lease_until, attempts, created_at, started_at)
     VALUES (?, 1, ?, 'collection-1', 'running', ?, 0, 1, 0, 0)`,
    // No process has this number.
    [kind, JSON.stringify(input), `${hostname()} 4194305 x`],
  )
  db.close()
  return { data, directory }
}

test('a command first finishes an interrupted job of the same kind', async () => {
  const { data } = await startKilledJob('metadata-export', { collectionId: 1 })
  const again = await runCommand(['--data', data, 'meta', 'export', 'first', '--json'])
  expect(again.err).toContain("'Writing metadata' was interrupted and is finished first.")
  expect(again).toMatchObject({ code: 0 })
  expect(again.objects.at(-1)).toMatchObject({ type: 'summary', state: 'done' })
})

test('a command first finishes an interrupted job of another kind', async () => {
  const { data } = await startKilledJob('metadata-import', { collectionId: 1 })
  const copied = await runCommand(['--data', data, 'import', 'second', '--into', 'first', '--json'])
  expect(copied).toMatchObject({ code: 0 })
  // The counts of the interrupted job are separate from the summary, which has the counts of the import.
  const jobs = copied.objects.filter(({ type }) => type === 'job')
  expect(jobs).toMatchObject([{ kind: 'metadata-import', state: 'done', counts: { found: 1, changed: 1 } }])
  expect(copied.objects.at(-1)).toMatchObject({ type: 'summary', copied: 1 })
  const { objects } = await runCommand(['--data', data, 'collection', 'list', '--json'])
  expect(objects[0]).toMatchObject({ name: 'first', itemcount: 2 })
})

test('an interrupted job is reported separately from the command itself', async () => {
  const { data } = await startKilledJob('metadata-import', { collectionId: 1 })
  const { code, err } = await runCommand(['--data', data, 'meta', 'export', 'first'])
  expect(code).toBe(0)
  // The first line is a log message about the job that lost its process.
  const [, interrupted, finished, own] = err.split('\n')
  expect(interrupted).toBe("'Reading metadata' was interrupted and is finished first.")
  expect(finished).toMatch(/^'Reading metadata' is finished\. Since it was resumed: 1 found, /)
  expect(own).toMatch(/^Metadata export: /)
})

test('a command that moved nothing names no step to undo', async () => {
  const { data, directory } = await startKilledJob('metadata-export', { collectionId: 1 })
  const keepsake = (...args: string[]) => runCommand(['--data', data, ...args])
  await keepsake('meta', 'export', 'first')
  await keepsake('collection', 'set', 'second', 'managed=yes', 'fileFormat=IMG_', 'folderFormat=all')
  expect((await keepsake('sort', 'second', '--guess')).err).toContain('Undo: keepsake history undo')
  const { objects: items } = await keepsake('item', 'list', 'in:second', '--json')
  for (const words of [
    ['sort', 'second'],
    ['transfer', String(items[0]?.id), '--to', 'second'],
  ]) {
    const ran = await keepsake(...words, '--json')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.objects.at(-1)).toMatchObject({ state: 'done', moved: 0 })
    expect(ran.objects.at(-1)).not.toHaveProperty('step')
    expect((await keepsake(...words)).err).not.toContain('Undo')
  }
  expect(readdirSync(join(directory, 'second/all'))).toHaveLength(1)
})
