/** The journal of file operations, written before files change: interrupted operations are finished or undone. */
import { and, count, eq, isNotNull } from 'drizzle-orm'
import { journal } from '../../schema/tables/journal.ts'
import type { DiskPlace } from '../files/anchor.ts'
import { bytesOfRaw, rawOf } from '../files/names.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { absoluteOf } from '../survey/journalled-paths.ts'
import { addEntry, removeDone } from './journal.sql.ts'
import { abandon, type JournalParts, nobody, type RecoverOptions, recoverJournal } from './recovery.ts'

export { holderOfProcess } from './recovery.ts'

/** One file of a unit. Rows of one unit are finished or undone together. */
export interface JournalEntry {
  unit: string
  /**
   * 'replace' puts a picture of another shape in the place of `source`, and removes the regions of the old picture;
   * `hash` is that of the new picture. 'remove' removes a file or a whole directory, but only after it was recorded.
   */
  operation: 'move' | 'copy' | 'write' | 'remove' | 'replace'
  itemId: number | null
  source: DiskPlace
  destination: DiskPlace | null
  /** Path of the temporary file, in the destination's directory; null for a plain rename. */
  temporary: DiskPlace | null
  /** SHA-256 as hex of the bytes that are copied or written; null if there are none, or they are not known yet. */
  hash: string | null
  /** Bytes. */
  size: number
}

/** Two slashes separate the trusted root and the path below it, on which no link is followed. */
const between = Buffer.from('//')

function bytesOf({ root, path }: DiskPlace): Buffer {
  const bytes = rawOf(typeof root === 'string' ? Buffer.from(root) : root).replace(/\/+$/, '')
  return Buffer.concat([bytesOfRaw(bytes), between, path])
}

/** Writes rows for files that are about to be changed; returns their ids in order. `holder`: `holderOfProcess`. */
export function writeJournal(tx: Transaction, holder: number, entries: readonly JournalEntry[], at: number): number[] {
  const bytes = (place: DiskPlace | null) => (place === null ? null : bytesOf(place))
  return entries.map(({ unit, operation, itemId, source, destination, temporary, hash, size }) => {
    const places = [bytesOf(source), bytes(destination), bytes(temporary)]
    return tx.run(addEntry, holder, unit, operation, itemId, ...places, hash, size, at).lastInsertRowid
  })
}

/** Marks a unit as recorded: the library has the new paths, so nothing is undone. Deletes rows with nothing to do. */
export function recordUnit(tx: Transaction, unit: string): void {
  tx.run(removeDone, unit)
  tx.orm.update(journal).set({ state: 'recorded' }).where(eq(journal.unit, unit)).run()
}

export function closeUnit(tx: Transaction, unit: string): void {
  tx.orm.delete(journal).where(eq(journal.unit, unit)).run()
}

/** Updates the journal's paths below a directory that was moved, so that recovery finds the files. */
export function updateMovedPaths(tx: Transaction, from: DiskPlace, to: DiskPlace): void {
  const old = `${absoluteOf(bytesOf(from))}/`
  const now = rawOf(bytesOf(to))
  const renamed = <Path extends Buffer | null>(path: Path) => {
    const raw = path === null ? '' : absoluteOf(path)
    return raw.startsWith(old) ? bytesOfRaw(`${now}/${raw.slice(old.length)}`) : path
  }
  for (const { id, source, destination, temporary } of tx.orm.select().from(journal).all()) {
    const paths = { source: renamed(source), destination: renamed(destination), temporary: renamed(temporary) }
    if (paths.source === source && paths.destination === destination && paths.temporary === temporary) continue
    tx.orm.update(journal).set(paths).where(eq(journal.id, id)).run()
  }
}

/** Whether recovery will move a file with a temporary name back: then it is user data, despite its name. */
export function willBeMovedBack({ orm }: Pick<Transaction, 'orm'>, temporary: string): boolean {
  const onTheWay = and(eq(journal.operation, 'move'), eq(journal.state, 'planned'), isNotNull(journal.destination))
  const rows = orm.select().from(journal).where(onTheWay).all()
  return rows.some(({ destination }) => destination !== null && absoluteOf(destination).split('/').includes(temporary))
}

export function createJournal(parts: JournalParts) {
  return {
    recover: (options?: RecoverOptions) => recoverJournal(parts, options),
    abandon: (unit: string) => abandon(parts, unit),
    /** Number of rows that could not be recovered so far. */
    left: (): number =>
      parts.db.orm.select({ n: count() }).from(journal).where(eq(journal.holder, nobody)).get()?.n ?? 0,
  }
}

export type Journal = ReturnType<typeof createJournal>
