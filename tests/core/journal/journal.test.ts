import { describe, expect, test } from 'bun:test'
import { linkSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiskPlace } from '../../../core/files/anchor.ts'
import { holderOfProcess, type JournalEntry, recordUnit, writeJournal } from '../../../core/journal/journal.ts'
import {
  type DiskCollection,
  listFiles,
  type MovingLibrary,
  openMovingLibrary,
  writeFileIn,
} from '../../support/moving-library.ts'

const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
/** The holder of changes whose process no longer exists. */
const deadProcess = -99_999_999

async function setUp() {
  const moving = openMovingLibrary()
  const own = await moving.collection()
  const at = (path: string): DiskPlace => ({ root: own.root, path: Buffer.from(path) })
  return { moving, own, at, ...shorthand(moving, own) }
}

function shorthand({ library }: MovingLibrary, { root }: DiskCollection) {
  return {
    async write(entries: Partial<JournalEntry>[], { holder = deadProcess, recorded = false } = {}) {
      await library.db.transact({ userId: null }, tx => {
        const whole = entries.map(entry => ({
          unit: 'unit',
          operation: 'move' as const,
          itemId: null,
          destination: null,
          temporary: null,
          hash: null,
          size: 4,
          source: { root, path: Buffer.from('a') },
          ...entry,
        }))
        writeJournal(tx, holder, whole, 0)
        if (recorded) for (const { unit } of whole) recordUnit(tx, unit)
      })
    },
    recover: (options = {}) => library.journal.recover(options),
    rowCount: () => library.db.all<{ id: number }>('SELECT id FROM journal').length,
    files: () => listFiles(root),
  }
}

describe('recovery', () => {
  test('undoes an unrecorded rename, once', async () => {
    const { own, at, write, recover, rowCount, files } = await setUp()
    writeFileIn(own.root, 'new/a', 'text')
    await write([{ source: at('old/a'), destination: at('new/a') }])
    expect(await recover()).toEqual({ finished: 0, undone: 1, left: 0 })
    expect(files()).toEqual(['old/a'])
    expect(rowCount()).toBe(0)
    expect(await recover()).toEqual({ finished: 0, undone: 0, left: 0 })
  })

  test('does not follow a folder that has become a link, and waits until it is a folder again', async () => {
    const { moving, own, at, write, recover, rowCount } = await setUp()
    const outside = join(moving.directory, 'outside')
    writeFileIn(outside, 'new', 'text')
    writeFileIn(outside, '.keepsake-0123456789abcdef.tmp', 'text')
    mkdirSync(join(own.root, 'real'))
    symlinkSync(outside, join(own.root, 'folder'))
    const temporary = at('folder/.keepsake-0123456789abcdef.tmp')
    await write([
      { source: at('old'), destination: at('folder/new') },
      { unit: 'other', operation: 'write', source: temporary, temporary },
    ])
    expect(await recover()).toEqual({ finished: 0, undone: 0, left: 2 })
    expect(listFiles(outside)).toEqual(['.keepsake-0123456789abcdef.tmp', 'new'])
    unlinkSync(join(own.root, 'folder'))
    renameSync(join(own.root, 'real'), join(own.root, 'folder'))
    expect(await recover()).toEqual({ finished: 0, undone: 2, left: 0 })
    expect(rowCount()).toBe(0)
  })

  test('moves a folder back, and removes a partly copied one', async () => {
    const { own, at, write, recover, files, rowCount } = await setUp()
    writeFileIn(own.root, 'new/a/b.txt', 'text')
    writeFileIn(own.root, '.keepsake-0123456789abcdef.tmp/deep/c.txt', 'text')
    const temporary = at('.keepsake-0123456789abcdef.tmp')
    await write([
      { source: at('old'), destination: at('new'), size: 0 },
      { unit: 'other', operation: 'write', source: temporary, temporary },
    ])
    expect(await recover()).toEqual({ finished: 0, undone: 2, left: 0 })
    expect(files()).toEqual(['old/a/b.txt'])
    expect(rowCount()).toBe(0)
  })

  test('moves all files back, even if one of them has taken the old place of another', async () => {
    const { own, at, write, recover, files } = await setUp()
    // The file b is now at the old place of a, so b must be moved back first.
    writeFileIn(own.root, 'z', 'aaaa')
    writeFileIn(own.root, 'a', 'bbbb')
    await write([
      { unit: 'first', source: at('a'), destination: at('z') },
      { unit: 'second', source: at('b'), destination: at('a') },
    ])
    expect(await recover()).toMatchObject({ undone: 2 })
    expect(files()).toEqual(['a', 'b'])
    expect(await Bun.file(join(own.root, 'a')).text()).toBe('aaaa')
  })

  test('removes unrecorded copies, complete or partial, and keeps the source', async () => {
    const { own, at, write, recover, files } = await setUp()
    writeFileIn(own.root, 'a', 'text')
    writeFileIn(own.root, 'copy', 'text')
    writeFileIn(own.root, '.keepsake-0123456789abcdef.tmp', 'te')
    const temporary = at('.keepsake-0123456789abcdef.tmp')
    await write([{ source: at('a'), destination: at('copy'), temporary, hash: hashOf('text') }])
    await recover()
    expect(files()).toEqual(['a'])
  })

  test('does not remove a file that differs from the copied one', async () => {
    const { own, at, write, recover, files, rowCount } = await setUp()
    writeFileIn(own.root, 'a', 'text')
    writeFileIn(own.root, 'copy', 'TEXT')
    await write([{ source: at('a'), destination: at('copy'), temporary: at('.t'), hash: hashOf('text') }])
    await recover()
    expect(files()).toEqual(['a', 'copy'])
    expect(rowCount()).toBe(0)
  })

  test('removes the source of a recorded move only if the copy is complete', async () => {
    const { own, at, write, recover, files } = await setUp()
    const entry = (name: string) => ({
      unit: name,
      source: at(name),
      destination: at(`${name}-copy`),
      temporary: at(`.${name}`),
      hash: hashOf('text'),
    })
    for (const name of ['good', 'bad', 'other']) writeFileIn(own.root, name, 'text')
    writeFileIn(own.root, 'good-copy', 'text')
    writeFileIn(own.root, 'bad-copy', 'tex?')
    writeFileIn(own.root, 'other-copy', 'text')
    await write([entry('good'), entry('bad'), entry('other')], { recorded: true })
    // Another file has replaced this source.
    writeFileSync(join(own.root, 'other'), 'TEXT')
    expect(await recover()).toMatchObject({ finished: 3 })
    expect(files()).toEqual(['bad', 'bad-copy', 'good-copy', 'other', 'other-copy'])
  })

  test('removes the second link of a rename that links and unlinks', async () => {
    const { own, at, write, recover, files } = await setUp()
    writeFileIn(own.root, 'a', 'text')
    linkSync(join(own.root, 'a'), join(own.root, 'b'))
    await write([{ source: at('a'), destination: at('b') }])
    await recover()
    expect(files()).toEqual(['a'])
  })

  test('leaves changes of living processes and running jobs alone', async () => {
    const { moving, own, at, write, recover, rowCount, files } = await setUp()
    writeFileIn(own.root, 'new', 'text')
    const { db, clock } = moving.library
    const job = await db.transact({ userId: null }, tx => {
      const lease = clock.now() + 60_000
      const owner = `${process.env.HOSTNAME ?? 'elsewhere'}-not-here 1 x`
      return tx.run(
        "INSERT INTO jobs (kind, input, state, owner, lease_until, created_at) VALUES ('sort', '{}', 'running', ?, ?, 0)",
        owner,
        lease,
      ).lastInsertRowid
    })
    await write([{ source: at('old'), destination: at('new') }], { holder: job })
    await write([{ unit: 'mine', source: at('old'), destination: at('new') }], { holder: holderOfProcess() })
    expect(await recover()).toEqual({ finished: 0, undone: 0, left: 0 })
    expect(files()).toEqual(['new'])
    // The lease expires. Entries with the id of this process are recovered only after a restart.
    await db.transact({ userId: null }, tx => tx.run('UPDATE jobs SET lease_until = 0'))
    expect(await recover()).toMatchObject({ undone: 1 })
    expect(files()).toEqual(['old'])
    expect(rowCount()).toBe(1)
    expect(await recover({ restarted: true })).toMatchObject({ undone: 1 })
    expect(rowCount()).toBe(0)
  })

  test('undoes changes of a dead process even if a new process has the same id', async () => {
    const { own, at, write, recover, rowCount, files } = await setUp()
    writeFileIn(own.root, 'new', 'text')
    await write([{ source: at('old'), destination: at('new') }], { holder: holderOfProcess() - 2 ** 23 })
    expect(await recover()).toMatchObject({ undone: 1 })
    expect(files()).toEqual(['old'])
    expect(rowCount()).toBe(0)
  })

  test('waits for an absent disk', async () => {
    const { moving, own, at, write, recover, rowCount, files } = await setUp()
    writeFileIn(own.root, 'new', 'text')
    await write([{ source: at('old'), destination: at('new') }])
    const away = join(moving.directory, 'away')
    renameSync(own.root, away)
    expect(await recover()).toMatchObject({ left: 1 })
    // An empty mount point looks like this.
    mkdirSync(own.root)
    expect(await recover()).toMatchObject({ left: 1 })
    expect(rowCount()).toBe(1)
    renameSync(own.root, join(moving.directory, 'empty'))
    renameSync(away, own.root)
    expect(await recover()).toMatchObject({ undone: 1 })
    expect(files()).toEqual(['old'])
  })
})
