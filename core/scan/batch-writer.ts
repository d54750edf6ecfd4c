/** Writes what a scan finds in short transactions with pauses between them, so that nobody else has to wait. */
import type { RealtimeMessage } from '../../schema/realtime.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'

/** A batch ends at whichever comes first; without the pause other writers starve for seconds (measured: 2.8 s). */
const batchMs = 25
const batchItems = 200
const pauseMs = 5
/** The write-ahead log is moved into the database when it has grown to this. */
const longestLog = 16 * 1024 * 1024

export interface BatchWriter {
  /** Queues a piece of work; pieces run in the order they came, each whole in one transaction. */
  add(work: (tx: Transaction) => void): void
  /** Waits until everything queued so far is committed; throws what a piece threw. */
  flush(): Promise<void>
  /** How much waits: whoever feeds should stop at some hundreds. */
  waiting(): number
}

/** `event` is told once a batch: browsers reload once, not once an item. `step` is the history's: all of it is undone at once. */
export function createBatchWriter(
  db: LibraryDatabase,
  step: string,
  event: () => { channel: string; message: RealtimeMessage },
): BatchWriter {
  const queue: ((tx: Transaction) => void)[] = []
  let running: Promise<void> | null = null
  let failed: unknown = null

  async function run() {
    // A moment for more to come: files arrive in bursts of a worker's answers.
    await Bun.sleep(20)
    while (queue.length > 0 && failed === null) {
      let taken = 0
      try {
        await db.transact({ userId: null, step }, tx => {
          const until = performance.now() + batchMs
          taken = 0
          for (const work of queue) {
            work(tx)
            taken++
            if (taken >= batchItems || performance.now() >= until) break
          }
          const { channel, message } = event()
          tx.event(channel, message)
        })
        queue.splice(0, taken)
      } catch (error) {
        failed = error
        queue.length = 0
      }
      if (db.logSize() > longestLog) db.checkpoint('TRUNCATE')
      await Bun.sleep(pauseMs)
    }
  }

  return {
    add(work) {
      queue.push(work)
      running ??= run().finally(() => {
        running = null
      })
    },
    async flush() {
      while (running !== null) await running
      if (failed !== null) throw failed
    },
    waiting: () => queue.length,
  }
}
