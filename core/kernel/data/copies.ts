/** The nightly copies of the database: their place, their times, and the advice to restore one. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Directory of the copies within the data directory. */
export const copiesName = 'copies'

export interface DatabaseCopy {
  path: string
  /** When the copy was made, in milliseconds since the epoch. */
  at: number
}

const shape = /^library-(\d{4})-(\d\d)-(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** The name of a copy that is made at this moment (milliseconds): 'library-2026-11-21T030000Z.db'. */
export function copyName(at: number): string {
  return `library-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}Z.db`
}

/** When the copy with this file name was made, in milliseconds; null if the name is not that of a copy. */
export function timeOfCopy(name: string): number | null {
  const [, year, month, day, hour, minute, second] = shape.exec(name) ?? []
  if (year === undefined) return null
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? null : at
}

/** The copies of a data directory, newest first; none if the directory cannot be read. */
export function listCopies(data: string): DatabaseCopy[] {
  let names: string[]
  try {
    names = readdirSync(join(data, copiesName))
  } catch {
    return []
  }
  return names
    .flatMap(name => {
      const at = timeOfCopy(name)
      return at === null ? [] : [{ path: join(data, copiesName, name), at }]
    })
    .sort((a, b) => b.at - a.at)
}

/** Whether a library was ever in this directory: every library leaves secrets or copies. */
export function hadLibrary(data: string): boolean {
  return existsSync(join(data, 'secrets.json')) || listCopies(data).length > 0
}

/** Hour of the day, local time, after which a copy is made. */
const copyHour = 3

/** The last 03:00, in milliseconds. */
export function lastNight(now: number): number {
  const night = new Date(now)
  night.setHours(copyHour, 0, 0, 0)
  if (night.getTime() > now) night.setDate(night.getDate() - 1)
  return night.getTime()
}

/** When the database was last copied, or else created (its secrets written). Ignores copies from the future. */
export function lastCopied(data: string, now: number): number {
  const newest = listCopies(data).find(({ at }) => at <= now)
  return newest?.at ?? statSync(join(data, 'secrets.json'), { throwIfNoEntry: false })?.mtimeMs ?? now
}

/** 'Saturday 03:00 (2026-11-21)', in the time zone of this machine. */
export function formatCopyTime(at: number): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  const weekday = date.toLocaleDateString('en', { weekday: 'long' })
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${weekday} ${two(date.getHours())}:${two(date.getMinutes())} (${day})`
}

/** A path quoted for a shell. */
function quoted(path: string): string {
  return /^[\w@%+:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Describes a database file that has no tables although there was a library: a crash or a full disk can cause that. */
export function noLibraryMessage(path: string): string {
  return `${path} holds no library: what was in it is lost.`
}

/** The remedy for a damaged or missing database: restore the newest copy, else a backup, or start a new library. */
export function lossRemedy(data: string): string {
  const copies = listCopies(data)
  // A copy from the future was made while the clock was wrong.
  const newest = copies.find(({ at }) => at <= Date.now()) ?? copies[0]
  const from =
    newest === undefined
      ? 'Restore a backup: keepsake restore FILE --force (what is there is kept aside).'
      : `Restore the copy of ${formatCopyTime(newest.at)}: keepsake --data ${quoted(data)} restore ${quoted(newest.path)} --force (what is there is kept aside).`
  return `${from} Or start a new library: keepsake serve --new, or keepsake scan DIR --new`
}
