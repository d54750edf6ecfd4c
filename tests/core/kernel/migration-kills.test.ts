import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../../core/kernel/database/database.ts'
import { migrate } from '../../../core/kernel/database/migrate.ts'
import { migrations } from '../../../schema/migrations.ts'
import { cleanEnvironment } from '../../support/command.ts'
import {
  bundledCommand,
  crashPointsOfRun,
  hasStrace,
  selectPoints,
  startMark,
  underStrace,
} from '../../support/crash.ts'
import { isLong } from '../../support/long.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

/** The version before albums: that after migration 0014. */
const old = 15
const itemCount = 300

/** Writes a library of the old version with items; returns its rows. */
function writeOldLibrary(path: string) {
  const db = new Database(path)
  db.run('PRAGMA journal_mode = WAL')
  migrate(db, null, old)
  db.run(
    "INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, created_at) VALUES ('ines', 'ines', 'Ines', '', '', '', 0)",
  )
  db.run("INSERT INTO collections (name, path, created_at) VALUES ('Pictures', '/pictures', 0)")
  db.run("INSERT INTO dirs (collection_id, path, path_bytes) VALUES (1, '', x'')")
  for (let n = 0; n < itemCount; n++)
    db.run(
      "INSERT INTO items (collection_id, dir_id, name, type, taken, taken_source, added, keys) VALUES (1, 1, ?, 'image', ?, 'exif', 0, '[[-2,16]]')",
      [`${n}.jpg`, n * 86_400],
    )
  db.run('INSERT INTO favourites (user_id, item_id, created_at) SELECT 1, id, 0 FROM items')
  const rows = rowsOf(db)
  db.close()
  return rows
}

const tables = ['users', 'collections', 'dirs', 'items', 'favourites', 'keyed', 'key_count', 'item_month']
const rowsOf = (db: Database) => tables.map(table => [table, db.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all()])

/** Opens the library with this version's program; checks that nothing is lost, and that albums work. */
async function expectMigrated(path: string, rows: ReturnType<typeof writeOldLibrary>): Promise<void> {
  const opened = openDatabase(path, { waiting: terminalWaiting, clock: systemClock })
  await opened.transact({ userId: null }, tx => {
    tx.run("INSERT INTO albums (uid, kind, name, owner_id, created_at) VALUES ('a', 'hand', 'Summer', 1, 0)")
    tx.run('INSERT INTO album_items (album_id, item_id, position, added_at) SELECT 1, id, id, 0 FROM items')
  })
  opened.close()
  const db = new Database(path)
  expect(db.query('PRAGMA user_version').get()).toEqual({ user_version: migrations.length })
  expect(db.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
  expect(db.query('SELECT count(*) AS n FROM album_items').get()).toEqual({ n: itemCount })
  // Later versions have more columns.
  expect(rowsOf(db)).toMatchObject(rows)
  // The statistics of an index that the migration made.
  expect(db.query("SELECT tbl FROM sqlite_stat1 WHERE idx = 'items_named'").get()).toEqual({ tbl: 'items' })
  db.close()
}

test('a library from before albums keeps its items', async () => {
  const path = join(temporaryDirectory(), 'library.db')
  await expectMigrated(path, writeOldLibrary(path))
})

test.skipIf(!hasStrace)(
  'a migration that was killed at a system call is repeated, and loses nothing',
  async () => {
    const directory = temporaryDirectory()
    const [data, kept] = [join(directory, 'data'), join(directory, 'kept')]
    const path = join(data, 'library.db')
    mkdirSync(data)
    const rows = writeOldLibrary(path)
    cpSync(data, kept, { recursive: true })
    const putBack = () => {
      rmSync(data, { recursive: true })
      cpSync(kept, data, { recursive: true })
    }
    const program = [...(await bundledCommand(join(import.meta.dir, '../../support/migration-child.ts'))), path]
    const hasFailed = async (strace: readonly string[]) =>
      (await Bun.spawn(underStrace(strace, program), { stdio: ['ignore', 'ignore', 'ignore'], env: cleanEnvironment() })
        .exited) !== 0
    const all = await crashPointsOfRun(hasFailed, directory)
    expect(all.length).toBeGreaterThan(20)
    let killed = 0
    for (const { call, n } of isLong ? all : selectPoints(all, 12, 1)) {
      putBack()
      const kill = ['-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${n}`]
      if (await hasFailed(kill)) killed++
      await expectMigrated(path, rows)
      const left = readdirSync(data).filter(name => name !== startMark && !name.startsWith('library.db'))
      expect(left).toEqual([`library-before-version-${migrations.length}.db`])
    }
    expect(killed).toBeGreaterThan(6)
  },
  600_000,
)
