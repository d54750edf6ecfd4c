import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { DiskPlace } from '../../../core/files/anchor.ts'
import { createDisk } from '../../../core/files/disk.ts'
import {
  closeUnit,
  createJournal,
  holderOfProcess,
  type JournalEntry,
  recordUnit,
  writeJournal,
} from '../../../core/journal/journal.ts'
import {
  type DiskCollection,
  type MovingLibrary,
  openMovingLibrary,
  writeFileIn,
} from '../../support/moving-library.ts'
import { picture } from '../../support/scanning-library.ts'

/** No process has this number. */
const deadProcess = -99_999_999

const placeIn = ({ root }: DiskCollection, path: string): DiskPlace => ({ root, path: Buffer.from(path) })

async function writeEntry(
  { library }: MovingLibrary,
  holder: number,
  entry: Partial<JournalEntry> & { source: DiskPlace },
) {
  const whole = { unit: 'unit', operation: 'move' as const, itemId: null, temporary: null, hash: null, size: 0 }
  await library.db.transact({ userId: null }, tx => {
    writeJournal(tx, holder, [{ ...whole, destination: null, ...entry }], 0)
  })
}

/** The paths of all items; items whose file is missing are marked. */
function itemsOf({ library }: MovingLibrary): string[] {
  return library.db
    .all<{ collection: number; path: string; name: string; missing: number | null }>(
      `SELECT i.collection_id AS collection, d.path, i.name, i.missing FROM items AS i JOIN dirs AS d ON d.id = i.dir_id
       ORDER BY i.id`,
    )
    .map(({ collection, path, name, missing }) => `${collection}: ${path}/${name}${missing === null ? '' : ' missing'}`)
}

/** Two collections, with a picture that was being moved from the first to the second. */
async function createInterruptedMove() {
  const moving = openMovingLibrary()
  const [from, to] = [await moving.collection(), await moving.collection()]
  const bytes = await picture({ seed: 1 })
  const move = {
    destination: placeIn(to, 'd/a.jpg'),
    temporary: placeIn(to, 'd/.keepsake-0123456789abcdef.tmp'),
    hash: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    source: placeIn(from, 'd/a.jpg'),
  }
  writeFileIn(from.root, 'd/a.jpg', bytes)
  writeFileIn(to.root, 'd/b.jpg', await picture({ seed: 2 }))
  await moving.scan(from)
  await moving.scan(to)
  return { moving, from, to, bytes, move }
}

describe('a scan', () => {
  test('waits for recovery by any process, and creates no item for the copy that the recovery removes', async () => {
    const { moving, from, to, bytes, move } = await createInterruptedMove()
    const { db, clock, log } = moving.library
    writeFileIn(to.root, 'd/a.jpg', bytes)
    await writeEntry(moving, deadProcess, move)
    const disk = createDisk()
    const { promise, resolve } = Promise.withResolvers<void>()
    const hash = async (place: DiskPlace) => {
      await promise
      return disk.hash(place)
    }
    const recovering = createJournal({ db, clock, log, disk: { ...disk, hash }, onReplaced() {} }).recover()
    const scanning = moving.scan(to)
    await Bun.sleep(700)
    resolve()
    expect(await recovering).toMatchObject({ undone: 1 })
    expect(await scanning).toMatchObject({ state: 'done' })
    expect(itemsOf(moving)).toEqual([`${from.id}: d/a.jpg`, `${to.id}: d/b.jpg`])
    expect(existsSync(join(to.root, 'd/a.jpg'))).toBe(false)
    expect(db.all("SELECT * FROM choices WHERE name LIKE 'journal%'")).toEqual([])
  })

  test('skips files that could not be recovered yet, and recovers them later', async () => {
    const { moving, from, to, bytes, move } = await createInterruptedMove()
    const { library } = moving
    await moving.transfer([1], to)
    // As if the last step of the move had not run: the source still exists. The disk of the copy is disconnected.
    writeFileIn(from.root, 'd/a.jpg', bytes)
    writeFileIn(from.root, 'd/c.jpg', await picture({ seed: 3 }))
    await writeEntry(moving, deadProcess, move)
    await library.db.transact({ userId: null }, tx => recordUnit(tx, 'unit'))
    renameSync(to.root, `${to.root} away`)
    expect(await moving.scan(from)).toMatchObject({ figures: { new: 1 } })
    const items = [`${to.id}: d/a.jpg`, `${to.id}: d/b.jpg`, `${from.id}: d/c.jpg`]
    expect(itemsOf(moving)).toEqual(items)
    renameSync(`${to.root} away`, to.root)
    expect(await moving.scan(from)).toMatchObject({ figures: { new: 0, missing: 0 } })
    expect(itemsOf(moving)).toEqual(items)
    expect(existsSync(join(from.root, 'd/a.jpg'))).toBe(false)
    expect(readFileSync(join(to.root, 'd/a.jpg')).equals(bytes)).toBe(true)
    expect(library.db.all('SELECT * FROM journal')).toEqual([])
  })

  test('skips a folder that is being renamed: nothing is missing or new', async () => {
    const { moving, from, to } = await createInterruptedMove()
    await writeEntry(moving, holderOfProcess(), { source: placeIn(from, 'd'), destination: placeIn(from, 'e') })
    writeFileIn(from.root, 'keeps the disk from looking empty.txt', 'text')
    renameSync(join(from.root, 'd'), join(from.root, 'e'))
    await moving.scan(from)
    const items = [`${from.id}: d/a.jpg`, `${to.id}: d/b.jpg`]
    expect(itemsOf(moving)).toEqual(items)
    await moving.library.db.transact({ userId: null }, tx => closeUnit(tx, 'unit'))
    expect(await moving.scan(from)).toMatchObject({ figures: { moved: 1, new: 0, missing: 0 } })
    expect(itemsOf(moving)).toEqual([`${from.id}: e/a.jpg`, `${to.id}: d/b.jpg`])
  })
})
