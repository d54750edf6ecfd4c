/** The journal of file operations: written before a file is touched, so that what a killed process began is finished or undone. */

import { displayPlace, type Place } from '../files/anchor.ts'
import type { Disk } from '../files/disk.ts'
import { bytesOfRaw, displayName, rawOf } from '../files/names.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import { isRunning, ownIdentity } from '../kernel/process-identity.ts'
import { absoluteOf } from '../survey/in-hand.ts'
import { rootState } from '../survey/safety.ts'
import { ownerIsGone } from '../work/job-row.ts'
import { removeTree } from './remove-tree.ts'
import { learnWritten } from './written-files.ts'

/** One file of a unit. Rows of one unit are finished or undone together. */
export interface JournalEntry {
  unit: string
  /**
   * A 'replace' puts a picture of another shape at its source: `hash` is that of the new one. Once it lies there, boxes of
   * the old one go.
   * What a 'remove' names, a file or a whole directory, goes once its row is recorded; until then nothing happens to it.
   */
  operation: 'move' | 'copy' | 'write' | 'remove' | 'replace'
  itemId: number | null
  source: Place
  destination: Place | null
  /** Where the bytes are put together, in the destination's directory; null for a plain rename. */
  temporary: Place | null
  /** sha256 of the source as hex; null for a plain rename, of which the bytes are never copied. */
  hash: string | null
  /** Bytes. */
  size: number
}

interface JournalRow {
  id: number
  job_id: number
  unit: string
  operation: JournalEntry['operation']
  item_id: number | null
  source: Uint8Array
  destination: Uint8Array | null
  temporary: Uint8Array | null
  hash: string | null
  size: number
  state: 'planned' | 'placed' | 'recorded'
}

export interface Recovered {
  /** Units that were finished, and that were undone. */
  finished: number
  undone: number
  /** Units that could not be looked after now: their disk is away. The next recovery tries again. */
  left: number
}

export interface RecoverOptions {
  job?: number
  restarted?: boolean
  patient?: boolean
  signal?: AbortSignal
}

/** Rows of no process: whoever recovers takes them. */
const nobody = 0

/** One process recovers at a time: its identity and the call's own mark stand in `choices` under this name. */
const turnName = 'journal-recovery'
const turnRetryMs = 50
/** Turns that calls of this process have, or wait for. */
const ownTurns = new Set<string>()

/** Two slashes stand between the trusted root and the path below it, on which no link is followed: neither has two itself. */
const between = Buffer.from('//')

function bytesOf({ root, path }: Place): Buffer {
  const bytes = rawOf(typeof root === 'string' ? Buffer.from(root) : root).replace(/\/+$/, '')
  return Buffer.concat([bytesOfRaw(bytes), between, path])
}

/** Writes rows for files that are about to be touched; answers their ids, in the same order. `holder`: see `holderOfProcess`. */
export function writeJournal(tx: Transaction, holder: number, entries: readonly JournalEntry[], at: number): number[] {
  return entries.map(
    entry =>
      tx.run(
        `INSERT INTO journal (job_id, unit, operation, item_id, source, destination, temporary, hash, size, state, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?)`,
        holder,
        entry.unit,
        entry.operation,
        entry.itemId,
        bytesOf(entry.source),
        entry.destination === null ? null : bytesOf(entry.destination),
        entry.temporary === null ? null : bytesOf(entry.temporary),
        entry.hash,
        entry.size,
        at,
      ).lastInsertRowid,
  )
}

/**
 * The rows of a unit now say where its files are: nothing will be undone any more. Rows with nothing left to do go; those
 * of a move to another disk stay until the source is unlinked.
 */
export function recordUnit(tx: Transaction, unit: string): void {
  tx.run("DELETE FROM journal WHERE unit = ? AND NOT (operation = 'move' AND temporary IS NOT NULL)", unit)
  tx.run("UPDATE journal SET state = 'recorded' WHERE unit = ?", unit)
}

export function closeUnit(tx: Transaction, unit: string): void {
  tx.run('DELETE FROM journal WHERE unit = ?', unit)
}

/** Rows of what lies below a directory that got another place name that one: it is looked after where it is now. */
export function followDirectory(tx: Transaction, from: Place, to: Place): void {
  const old = `${absoluteOf(bytesOf(from))}/`
  const now = rawOf(bytesOf(to))
  const renamed = (path: Uint8Array | null) => {
    const raw = path === null ? '' : absoluteOf(path)
    return raw.startsWith(old) ? bytesOfRaw(`${now}/${raw.slice(old.length)}`) : path
  }
  const rows = tx.all<Pick<JournalRow, 'id' | 'source' | 'destination' | 'temporary'>>(
    'SELECT id, source, destination, temporary FROM journal',
  )
  for (const { id, source, destination, temporary } of rows) {
    const paths = [source, destination, temporary].map(renamed)
    if (paths[0] === source && paths[1] === destination && paths[2] === temporary) continue
    tx.run('UPDATE journal SET source = ?, destination = ?, temporary = ? WHERE id = ?', ...paths, id)
  }
}

/** Is what lies under a name of ours to come back? Then it is somebody's file, whatever it is called. */
export function isToComeBack(db: Pick<Transaction, 'all'>, temporary: string): boolean {
  return db
    .all<{ destination: Uint8Array }>(
      "SELECT destination FROM journal WHERE operation = 'move' AND state = 'planned' AND destination IS NOT NULL",
    )
    .some(({ destination }) => absoluteOf(destination).split('/').includes(temporary))
}

/** Holder of journal rows of work that is no job: an upload, say. Below 0, where jobs are above it. */
export const holderOfProcess = (): number => -ownIdentity()

/** Thrown when a disk is not there: nothing is known then of what lies on it. */
class DiskAway extends Error {}

export interface JournalParts {
  db: LibraryDatabase
  clock: Clock
  disk: Disk
  log: Log
  /** Called in a transaction for an item whose file is another picture after an interrupted replacement. */
  onReplaced: (tx: Transaction, itemId: number) => void
}

export function createJournal({ db, clock, disk, log, onReplaced }: JournalParts) {
  /** Is whoever wrote the row still at work? */
  function isHeld(holder: number): boolean {
    if (holder === nobody) return false
    if (holder < 0) return isRunning(-holder)
    const job = db.get<{ state: string; owner: string | null; lease_until: number }>(
      'SELECT state, owner, lease_until FROM jobs WHERE id = ?',
      holder,
    )
    return job?.state === 'running' && job.lease_until >= clock.now() && !ownerIsGone(job.owner)
  }

  /**
   * A path as a place below the root that it was written with. Earlier versions wrote none: then it is the collection's
   * directory that it lies in, else its own.
   */
  function placeOf(path: Uint8Array): Place {
    const text = Buffer.from(path).toString('latin1')
    const end = text.lastIndexOf('//')
    if (end >= 0) return { root: bytesOfRaw(text.slice(0, end) || '/'), path: bytesOfRaw(text.slice(end + 2)) }
    let root = ''
    for (const row of db.all<{ path: string; path_variant: string }>('SELECT path, path_variant FROM collections')) {
      for (const candidate of [row.path, row.path_variant]) {
        const bytes = Buffer.from(candidate).toString('latin1')
        if (candidate.length > root.length && text.startsWith(`${bytes}/`)) root = candidate
      }
    }
    if (root !== '') return { root, path: Buffer.from(text.slice(Buffer.byteLength(root) + 1), 'latin1') }
    const slash = text.lastIndexOf('/')
    return {
      root: Buffer.from(text.slice(0, slash) || '/', 'latin1'),
      path: Buffer.from(text.slice(slash + 1), 'latin1'),
    }
  }

  /** The file at a place, or null; throws DiskAway when its root is not there or an empty mount point. */
  function look(place: Place) {
    const found = disk.stat(place)
    if (found !== null) return found
    const root = rootState(typeof place.root === 'string' ? place.root : displayName(place.root))
    if (root.kind !== 'present') throw new DiskAway(`${displayPlace(place)}: its disk is not there`)
    return null
  }

  async function isOurs(place: Place, { hash, size }: JournalRow): Promise<boolean> {
    const found = look(place)
    return found?.kind === 'file' && found.size === size && hash !== null && (await disk.hash(place)) === hash
  }

  /** The database says the new place: whatever is left at the old one goes, once the new one is known to be whole. */
  async function finish(row: JournalRow): Promise<void> {
    if (row.operation === 'remove') {
      const source = placeOf(row.source)
      if (look(source) !== null) await removeTree(disk, source)
      return
    }
    if (row.operation !== 'move' || row.destination === null || row.temporary === null) return
    const source = placeOf(row.source)
    if (look(source) === null) return
    if (!(await isOurs(placeOf(row.destination), row))) {
      log.error('a file is kept at its old place, for the copy at the new one is not as it was', {
        source: displayPlace(source),
        destination: displayName(row.destination),
      })
      return
    }
    // Somebody may have put another file there since.
    if (await isOurs(source, row)) disk.remove(source)
  }

  /** The database says the old place: what was put together for the new one goes, and what was renamed comes back. */
  async function undo(row: JournalRow, patient: boolean): Promise<void> {
    if (row.operation === 'remove') return
    if (row.operation === 'replace') {
      const { item_id: item } = row
      if (item !== null && (await isOurs(placeOf(row.source), row)))
        await db.transact({ userId: null }, tx => onReplaced(tx, item))
      return
    }
    if (row.temporary !== null) {
      const temporary = placeOf(row.temporary)
      if (patient && row.operation === 'write') demandDirectoryOf(temporary)
      // Where an archive was unpacked it is a directory.
      if (look(temporary) !== null) await removeTree(disk, temporary)
    }
    if (row.operation === 'write' && row.item_id !== null && row.destination !== null) {
      // Old or new, the file is whole; of a new one only the rows do not know yet.
      const written = placeOf(row.destination)
      if (await isOurs(written, row)) await learnWritten({ db, disk }, written, row.item_id)
    }
    if (row.destination === null || (row.operation !== 'move' && row.operation !== 'copy')) return
    const source = placeOf(row.source)
    const destination = placeOf(row.destination)
    const there = look(destination)
    const here = look(source)
    if (there === null) {
      // On a disk that is not mounted now, neither is to be seen.
      const empty = [source, destination].some(({ root }) => {
        const state = rootState(typeof root === 'string' ? root : displayName(root))
        return state.kind === 'present' && state.empty
      })
      if (here === null && empty) throw new DiskAway(`${displayPlace(source)}: its disk is not there`)
      return
    }
    if (row.temporary !== null) {
      // A whole copy that nothing speaks of; its source has to be whole too.
      if ((await isOurs(source, row)) && (await isOurs(destination, row))) disk.remove(destination)
      return
    }
    if (here === null) {
      // What a directory calls its size says nothing of it.
      if (there.kind !== 'dir' && there.size !== row.size) return
      const above = source.path.lastIndexOf(0x2f)
      if (above > 0) disk.makeDirectory({ root: source.root, path: source.path.subarray(0, above) })
      disk.move(destination, source)
      return
    }
    // Where renaming is linking and unlinking, the file has both names; where it is reserving a name, an empty one.
    const linked = there.inode === here.inode && there.device === here.device
    if (linked || (there.kind === 'file' && there.size === 0 && row.size > 0)) disk.remove(destination)
  }

  /** Somebody moved the directory away while it was written in: it may come back, with what was put together in it. */
  function demandDirectoryOf(temporary: Place): void {
    const end = Math.max(0, temporary.path.lastIndexOf(0x2f))
    const directory = { root: temporary.root, path: temporary.path.subarray(0, end) }
    if (end > 0 && look(directory) === null) throw new DiskAway(`${displayPlace(directory)}: it is not there`)
  }

  /**
   * Finishes what the database knows of, or undoes the whole unit; 'left' when that is not possible now. `patient`: what
   * cannot be found may come back.
   */
  async function recoverUnit(rows: readonly JournalRow[], patient: boolean): Promise<'finished' | 'undone' | 'left'> {
    const recorded = rows.some(({ state }) => state === 'recorded')
    try {
      for (const row of recorded ? rows : [...rows].reverse()) {
        await (recorded ? finish(row) : undo(row, patient))
        await db.transact({ userId: null }, tx => tx.run('DELETE FROM journal WHERE id = ?', row.id))
      }
      return recorded ? 'finished' : 'undone'
    } catch (error) {
      const [first] = rows
      log.warn('files are not where they should be, and cannot be looked after now', {
        unit: first?.unit,
        source: first === undefined ? '' : displayName(first.source),
        error,
      })
      return 'left'
    }
  }

  /**
   * Finishes or undoes what processes that are gone left open; idempotent, and safe beside others that are at work. `job`:
   * rows of this job, which is the caller's own, are taken too: an attempt before this one left them. `restarted`: rows of
   * this process's own number are those of one before it. `patient`: a directory that is not there may come back. When
   * it returns, nobody else recovers either: what is left open is what could not be looked after. Throws the reason of
   * `signal`, which ends the waiting.
   */
  async function recover(options: RecoverOptions = {}): Promise<Recovered> {
    if (db.get('SELECT 1 FROM journal LIMIT 1') === null) return { finished: 0, undone: 0, left: 0 }
    const turn = JSON.stringify(`${ownIdentity()} ${crypto.randomUUID()}`)
    ownTurns.add(turn)
    try {
      while (!(await takesTurn(turn))) {
        await Bun.sleep(turnRetryMs)
        options.signal?.throwIfAborted()
      }
      return await recoverNow(options)
    } finally {
      ownTurns.delete(turn)
      await db.transact({ userId: null }, tx =>
        tx.run('DELETE FROM choices WHERE name = ? AND value = ?', turnName, turn),
      )
    }
  }

  /** False while somebody else recovers whose process runs. */
  function takesTurn(turn: string): Promise<boolean> {
    return db.transact({ userId: null }, tx => {
      const row = tx.get<{ value: string }>('SELECT value FROM choices WHERE name = ?', turnName)
      if (row !== null && isTaken(row.value)) return false
      tx.run('INSERT OR REPLACE INTO choices (name, value) VALUES (?, ?)', turnName, turn)
      return true
    })
  }

  /** A number like this process's own, in a turn that is not of this process, is that of one before it. */
  function isTaken(turn: string): boolean {
    const holder = Number.parseInt(JSON.parse(turn), 10)
    return holder === ownIdentity() ? ownTurns.has(turn) : isRunning(holder)
  }

  async function recoverNow(options: RecoverOptions): Promise<Recovered> {
    const result: Recovered = { finished: 0, undone: 0, left: 0 }
    const holders = db.all<{ job_id: number }>(`SELECT DISTINCT job_id FROM journal`).map(row => row.job_id)
    const free = holders.filter(holder => {
      if (holder === options.job) return true
      if (holder === holderOfProcess()) return options.restarted === true
      return !isHeld(holder)
    })
    if (free.length === 0) return result
    const mine = options.job ?? holderOfProcess()
    // Taken first, so that two who recover at once do not undo each other's work.
    const rows = await db.transact({ userId: null }, tx => {
      const wanted = JSON.stringify(free)
      const found = tx.all<JournalRow>(
        `SELECT * FROM journal WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
        wanted,
      )
      tx.run(`UPDATE journal SET job_id = ? WHERE job_id IN (SELECT value FROM json_each(?))`, mine, wanted)
      return found
    })
    const units = new Map<string, JournalRow[]>()
    for (const row of rows) {
      const unit = units.get(row.unit)
      if (unit === undefined) units.set(row.unit, [row])
      else unit.push(row)
    }
    // The last one first: it may lie where one before it has to come back to.
    for (const [unit, members] of [...units].reverse()) {
      const outcome = await recoverUnit(members, options.patient === true)
      result[outcome]++
      if (outcome === 'left')
        await db.transact({ userId: null }, tx => tx.run('UPDATE journal SET job_id = ? WHERE unit = ?', nobody, unit))
    }
    log.info('file operations that were broken off were looked after', { ...result })
    return result
  }

  /** Undoes one unit of the caller's own that could not be done. */
  async function abandon(unit: string): Promise<void> {
    const rows = db.all<JournalRow>('SELECT * FROM journal WHERE unit = ? ORDER BY id', unit)
    if (rows.length > 0 && (await recoverUnit(rows, true)) === 'left')
      await db.transact({ userId: null }, tx => tx.run('UPDATE journal SET job_id = ? WHERE unit = ?', nobody, unit))
  }

  /** Rows that nobody could look after so far. */
  function left(): number {
    return db.get<{ n: number }>('SELECT count(*) AS n FROM journal WHERE job_id = ?', nobody)?.n ?? 0
  }

  return { recover, abandon, left }
}

export type Journal = ReturnType<typeof createJournal>
