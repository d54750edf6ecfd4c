/** The library of this machine for the terminal UI. */
import { terminalViewer } from '../../core/accounts/access.ts'
import { isServerRunning } from '../../core/kernel/data/server-lock.ts'
import { followEvents } from '../../core/kernel/events.ts'
import { servedAddress } from '../../core/kernel/served-address.ts'
import type { Library } from '../../core/library.ts'
import { createListeners } from '../../ink-tui/listeners.ts'
import { createFacts } from '../../ink-tui/machine/facts.ts'
import { abandonWrites, localFiles } from '../../ink-tui/machine/files.ts'
import { createLogTail } from '../../ink-tui/machine/log-tail.ts'
import { createOwnWrites, type OwnWrites } from '../../ink-tui/machine/own-writes.ts'
import type { TuiEvent, TuiSession } from '../../ink-tui/session.ts'
import { channels } from '../../schema/realtime.ts'
import { createJobWorkers } from '../../server/jobs/job-workers.ts'

/** Milliseconds between checks whether a server has started or stopped, and whether a job waits. */
const pollMs = 2000

/** `ownWrites`: its `listener` must have been passed when the library was opened. */
export function openTuiSession(
  library: Library,
  ownWrites: OwnWrites = createOwnWrites(),
): TuiSession & { close(): void } {
  const { data, db, log } = library
  const { add: follow, notify } = createListeners<[events: readonly TuiEvent[]]>()
  /** The address of a running server; '' until the server has published it, null if none runs. */
  const currentServerAddress = () => (isServerRunning(data) ? (servedAddress(db) ?? '') : null)
  let served = currentServerAddress()
  const workers = createJobWorkers(library, { stderr: 'ignore', mayStart: () => served === null })
  const follower = followEvents(
    db,
    events => {
      notify(events)
      if (events.some(({ channel }) => channel === channels.jobs)) void checkServerAndJobs()
    },
    { log },
  )
  const machine = createFacts(library, () => notify([{ channel: channels.machine, message: { action: 'update' } }]))

  function checkServerAndJobs() {
    const now = currentServerAddress()
    if (now !== served) {
      served = now
      notify([{ channel: channels.machine, message: { action: 'update' } }])
    }
    return served === null ? workers.checkJobs() : recover()
  }
  /** Recoveries run one at a time, because each waits while another process holds the database. */
  let isRecovering = false
  async function recover() {
    if (isRecovering) return
    isRecovering = true
    try {
      await library.jobs.recover()
    } catch (error) {
      log.error('jobs could not be recovered', { error })
    } finally {
      isRecovering = false
    }
  }
  const polling = setInterval(() => void checkServerAndJobs(), pollMs)
  void checkServerAndJobs()

  return {
    client: library.as(terminalViewer),
    library,
    viewer: terminalViewer,
    follow,
    facts: machine.facts,
    writes: ownWrites.writes,
    jobs: {
      running: workers.running,
      async close({ cancel = false } = {}) {
        clearInterval(polling)
        const client = library.as(terminalViewer)
        if (cancel) {
          for (const id of workers.running()) await client.jobs.cancel({ params: { id } })
          // A job notices the cancellation within a quarter of a second, and then finishes cleanly.
          for (let tries = 0; tries < 50 && workers.running().length > 0; tries++) await Bun.sleep(100)
        }
        await workers.close()
      },
    },
    log: createLogTail(data),
    files: localFiles,
    close() {
      abandonWrites()
      clearInterval(polling)
      follower.close()
      machine.close()
    },
  }
}
