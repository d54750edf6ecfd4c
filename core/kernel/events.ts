/** Follows the outbox: every process gets each event of this machine once, in order. */
import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { asc, gt, lt, min, sql } from 'drizzle-orm'
import { channels, type RealtimeMessage, realtimeMessage } from '../../schema/realtime.ts'
import { events } from '../../schema/tables/changes.ts'
import type { LibraryDatabase, Transaction } from './database/database.ts'
import { prepared } from './database/orm.ts'
import { eventsOnChannels, newestId } from './events.sql.ts'
import type { Log } from './log.ts'

export interface LibraryEvent {
  id: number
  channel: string
  message: RealtimeMessage
}

/** Maximum number of rows read at a time; there may be thousands after a long sleep. */
const maxRows = 500

/**
 * Pauses in milliseconds before each check after a notification, until one finds a commit: the file watcher reports a
 * write of the write-ahead log, but not the later flush that makes the commit visible, which may take hundreds of ms.
 */
const pausesAfterNotification = [2, 5, 10, 20, 40, 80, 160, 320]

type EventRow = typeof events.$inferSelect

const rowsAfter = prepared(orm =>
  orm
    .select()
    .from(events)
    .where(gt(events.id, sql.placeholder('id')))
    .orderBy(asc(events.id))
    .limit(maxRows)
    .prepare(),
)

/** Publishes that lists of these collections' items have changed, once for each collection. */
export function publishCollections(tx: Transaction, ids: Iterable<number>): void {
  for (const id of new Set(ids))
    tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
}

/** The first events after `id`, at most `maxRows`; null if some are pruned, so that the caller must load everything. */
export function eventsAfter(db: LibraryDatabase, id: number): LibraryEvent[] | null {
  const { id: oldest = null } =
    db.orm
      .select({ id: min(events.id) })
      .from(events)
      .get() ?? {}
  const newest = newestEvent(db)
  if (id > newest || (oldest === null ? id < newest : id + 1 < oldest)) return null
  return parsed(rowsAfter(db).all({ id }))
}

/** Events of these channels after `after`, up to `upTo`, oldest first. A channel with id 0 means all of its kind. */
export function eventsOn(
  db: LibraryDatabase,
  channels: readonly string[],
  { after, upTo, max }: { after: number; upTo: number; max: number },
): LibraryEvent[] {
  const kinds = channels.flatMap(channel =>
    /^(collection|task|person|object)-0$/.test(channel) ? [`${channel.slice(0, -1)}*`] : [],
  )
  return parsed(db.all(eventsOnChannels, after, upTo, JSON.stringify(channels), JSON.stringify(kinds), max))
}

/** Id of the newest event ever written, even if it has been pruned since. */
export function newestEvent(db: LibraryDatabase): number {
  return db.get(newestId)?.id ?? 0
}

function parsed(rows: readonly EventRow[]): LibraryEvent[] {
  return rows.flatMap(({ id, channel, message }) => {
    const { data } = realtimeMessage.safeParse(JSON.parse(message))
    return data === undefined ? [] : [{ id, channel, message: data }]
  })
}

/**
 * Calls `onEvents` with new events. A watch on the directory triggers checks, with one each second as the fallback:
 * `PRAGMA data_version` shows whether another process wrote. Commits of this process are read at once.
 */
export function followEvents(
  db: LibraryDatabase,
  onEvents: (events: LibraryEvent[]) => void,
  options: { log: Log; everyMs?: number },
) {
  let last = newestEvent(db)
  let version = db.dataVersion()
  let closed = false
  let watcher: FSWatcher | null = null

  function readNew() {
    for (;;) {
      const rows = rowsAfter(db).all({ id: last })
      const newest = rows.at(-1)
      if (newest === undefined) return
      last = newest.id
      const events = parsed(rows)
      try {
        if (events.length > 0) onEvents(events)
      } catch (error) {
        options.log.error('an event could not be handed on', { error })
      }
      if (rows.length < maxRows) return
    }
  }

  /** Reads new events if another process has committed since the last check; returns whether one has. */
  function checkForNew(): boolean {
    if (closed) return false
    const now = db.dataVersion()
    if (now === version) return false
    version = now
    readNew()
    return true
  }

  /** Number of checks since the last notification; null if none is pending. */
  let checks: number | null = null
  function startChecks() {
    // Several notifications in a row (a commit writes the log more than once) cause one series of checks.
    const isWaiting = checks !== null
    checks = 0
    if (!isWaiting) scheduleCheck()
  }

  function scheduleCheck() {
    const pause = checks === null ? undefined : pausesAfterNotification[checks++]
    if (pause === undefined || closed) {
      checks = null
      return
    }
    setTimeout(() => {
      if (checkForNew()) checks = null
      else scheduleCheck()
    }, pause)
  }

  const stopListening = db.onEvents(() => {
    if (!closed) readNew()
  })
  if (db.path !== ':memory:') {
    try {
      watcher = watch(dirname(db.path), (_, name) => {
        if (name === null || name.startsWith('library.db')) startChecks()
      })
      watcher.on('error', error => options.log.warn('the data directory is no longer watched', { error }))
    } catch (error) {
      // Network disks do not report changes: the check each second is enough.
      options.log.info('the data directory cannot be watched', { error })
    }
  }
  const fallback = setInterval(checkForNew, options.everyMs ?? 1000)
  fallback.unref()

  return {
    /** Id of the newest event that was distributed. */
    lastId: () => last,
    close() {
      closed = true
      clearInterval(fallback)
      watcher?.close()
      stopListening()
    },
  }
}

/** Deletes outbox rows older than an hour: a client that was disconnected for longer loads everything again. */
export async function pruneEvents(db: LibraryDatabase, now: number): Promise<number> {
  return db.transact(
    { userId: null },
    tx =>
      tx.orm
        .delete(events)
        .where(lt(events.at, now - 3_600_000))
        .run().changes,
  )
}
