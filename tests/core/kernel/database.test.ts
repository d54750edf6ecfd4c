import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { systemClock } from '../../../core/kernel/clock.ts'
import { openDatabase, serverWaiting, terminalWaiting } from '../../../core/kernel/database/database.ts'
import { migrate } from '../../../core/kernel/database/migrate.ts'
import { Failure } from '../../../schema/errors.ts'
import { migrations } from '../../../schema/migrations.ts'
import * as access from '../../../schema/tables/access.ts'
import * as albums from '../../../schema/tables/albums.ts'
import * as audit from '../../../schema/tables/audit.ts'
import * as changes from '../../../schema/tables/changes.ts'
import * as collections from '../../../schema/tables/collections.ts'
import * as favourites from '../../../schema/tables/favourites.ts'
import * as items from '../../../schema/tables/items.ts'
import * as jobs from '../../../schema/tables/jobs.ts'
import * as users from '../../../schema/tables/users.ts'
import * as vocabulary from '../../../schema/tables/vocabulary.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const options = { waiting: terminalWaiting, clock: systemClock }

describe('migrations', () => {
  test('every prefix of the migrations applies, and the rest applies on top of it', () => {
    for (let upTo = 0; upTo <= migrations.length; upTo++) {
      const db = new Database(':memory:')
      migrate(db, null, upTo)
      expect(db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version).toBe(upTo)
      migrate(db, null)
      expect(db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version).toBe(migrations.length)
      db.close()
    }
  })

  test('problems of videos without ffmpeg get their own code and keep their reason', () => {
    const db = new Database(':memory:')
    migrate(db, null, 12)
    const add = 'INSERT INTO problems (collection_id, path, code, reason, at) VALUES (1, ?, ?, ?, 0)'
    const reason = 'ffmpeg is not installed: no poster. Install what is missing and scan again.'
    db.run(add, ['a.mp4', 'unsupported', reason])
    db.run(add, ['b.bmp', 'unsupported', 'Bitmaps of compression 4 with 8 bits are not decoded.'])
    migrate(db, null)
    expect(db.query('SELECT path, code, reason FROM problems ORDER BY path').all()).toMatchObject([
      { path: 'a.mp4', code: 'no-ffmpeg', reason },
      { path: 'b.bmp', code: 'unsupported' },
    ])
    db.close()
  })

  test('the migrated tables have the columns and indexes that schema/tables declares', () => {
    const db = new Database(':memory:')
    migrate(db, null)
    const declared = [access, albums, audit, changes, collections, favourites, items, jobs, users, vocabulary]
      .flatMap(module => Object.values(module))
      .filter(value => typeof value === 'object' && value !== null && Symbol.for('drizzle:IsDrizzleTable') in value)
    expect(declared.length).toBeGreaterThan(15)
    for (const table of declared) {
      const { name, columns, indexes } = getTableConfig(table as typeof users.users)
      const real = db.query<{ name: string }, [string]>('SELECT name FROM pragma_table_xinfo(?)').all(name)
      expect({ name, columns: real.map(column => column.name).sort() }).toEqual({
        name,
        columns: columns.map(column => column.name).sort(),
      })
      const realIndexes = db
        .query<{ name: string }, [string]>(
          "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
        )
        .all(name)
        .map(index => index.name)
      for (const index of indexes) expect(realIndexes).toContain(index.config.name)
    }
    db.close()
  })

  test('a library of a newer Keepsake is refused, with the remedy', () => {
    const path = join(temporaryDirectory(), 'library.db')
    openDatabase(path, options).close()
    const db = new Database(path)
    db.run(`PRAGMA user_version = ${migrations.length + 1}`)
    db.close()
    expect(() => openDatabase(path, options)).toThrow(/newer Keepsake/)
  })

  test('a copy of the library is kept before it is migrated', async () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'library.db')
    const old = new Database(path)
    migrate(old, null, 1)
    old.run("INSERT INTO keystrings (content, content_key) VALUES ('Kept', 'kept')")
    old.close()
    openDatabase(path, options).close()
    const kept = join(directory, `library-before-version-${migrations.length}.db`)
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    const copy = new Database(kept)
    expect(copy.query<{ content: string }, []>('SELECT content FROM keystrings').get()?.content).toBe('Kept')
    copy.close()
  })
})

describe('transactions', () => {
  const actor = { userId: null }

  test('an error in a callback undoes the rows, the events and the history', async () => {
    const db = openDatabase(':memory:', options)
    const failing = db.transact(actor, tx => {
      tx.run("INSERT INTO keystrings (content, content_key) VALUES ('a', 'a')")
      tx.event('collection-1', { action: 'update' })
      tx.history({ operation: 'test' })
      throw new Error('no')
    })
    expect(failing).rejects.toThrow('no')
    await failing.catch(() => {})
    for (const table of ['keystrings', 'events', 'history']) expect(db.all(`SELECT * FROM ${table}`)).toEqual([])
    db.close()
  })

  test('a rehearsal fails if the change would fail; otherwise it ends with its first transaction, which is undone and sends no events', async () => {
    const db = openDatabase(join(temporaryDirectory(), 'library.db'), options)
    let published = 0
    db.onEvents(() => published++)
    let after = 0
    const change = async (name: string) => {
      const id = await db.transact({ userId: null }, tx => {
        if (name === '') throw new Failure('invalid', 'Enter a name.')
        tx.event('rights', { action: 'update' })
        return tx.run('INSERT INTO access_groups (name) VALUES (?)', name).lastInsertRowid
      })
      after++
      return id
    }
    await db.rehearse(() => change('Family'))
    expect(db.rehearse(() => change(''))).rejects.toThrow('Enter a name.')
    expect({ published, after, groups: db.all('SELECT * FROM access_groups') }).toEqual({
      published: 0,
      after: 0,
      groups: [],
    })
    // A simultaneous change of another user is kept.
    await Promise.all([db.rehearse(() => Bun.sleep(1).then(() => change('Never'))), change('Family')])
    expect(db.all('SELECT name FROM access_groups')).toEqual([{ name: 'Family' }])
    expect({ published, after }).toEqual({ published: 1, after: 1 })
    db.close()
  })

  test('events and history are written with the change, and history has the actor and the values before and after', async () => {
    const db = openDatabase(':memory:', options)
    await db.transact({ userId: 7 }, tx => {
      tx.event('collection-1', { action: 'update', message: 'x' })
      tx.history({ operation: 'tag', itemId: 3, before: ['a'], after: ['b'] })
    })
    expect(db.get('SELECT channel FROM events')).toEqual({ channel: 'collection-1' })
    expect(db.get('SELECT user_id, operation, item_id, before, after FROM history')).toEqual({
      user_id: 7,
      operation: 'tag',
      item_id: 3,
      before: '["a"]',
      after: '["b"]',
    })
    db.close()
  })

  test('a server waits for a writer in another connection without blocking', async () => {
    const path = join(temporaryDirectory(), 'library.db')
    const server = openDatabase(path, { waiting: serverWaiting, clock: systemClock })
    const other = new Database(path)
    other.run('BEGIN IMMEDIATE')
    let ticks = 0
    const ticking = setInterval(() => {
      ticks++
      if (ticks === 5) other.run('ROLLBACK')
    }, 10)
    await server.transact(
      actor,
      tx => tx.run("INSERT INTO keystrings (content, content_key) VALUES ('a', 'a')").changes,
    )
    clearInterval(ticking)
    // The event loop ran while the transaction waited for the lock.
    expect(ticks).toBeGreaterThanOrEqual(5)
    other.close()
    server.close()
  })

  test('a change that does not get the lock in time fails as unavailable', async () => {
    const path = join(temporaryDirectory(), 'library.db')
    const server = openDatabase(path, { waiting: { blockMs: 1, patienceMs: 50 }, clock: systemClock })
    const other = new Database(path)
    other.run('BEGIN IMMEDIATE')
    const waiting = server.transact(actor, tx => tx.run('DELETE FROM keystrings').changes)
    expect(waiting).rejects.toThrow(/busy with another change/)
    await waiting.catch(() => {})
    other.close()
    server.close()
  })
})
