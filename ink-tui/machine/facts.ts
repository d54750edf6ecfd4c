/** Facts about the machine: whether and where a server runs, how many people are signed in, and disk usage. */
import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setupPath } from '../../core/kernel/data/secrets.ts'
import { isServerRunning } from '../../core/kernel/data/server-lock.ts'
import { servedAddress } from '../../core/kernel/served-address.ts'
import type { Library } from '../../core/library.ts'
import { signedInCount } from './facts.sql.ts'

const countAgainMs = 10 * 60_000
/** Counting pauses after this many files, so that keys are handled. */
const filesAtOnce = 300

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Bytes of all files below a directory. */
async function bytesBelow(directory: string, signal: AbortSignal): Promise<number> {
  let bytes = 0
  let inspected = 0
  const waiting = [directory]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of entriesOf(at)) {
      if (entry.isDirectory()) waiting.push(join(at, entry.name))
      else bytes += sizeOf(join(at, entry.name))
      if (++inspected % filesAtOnce === 0) await Bun.sleep(5)
      if (signal.aborted) return bytes
    }
  }
  return bytes
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    // The directory was removed meanwhile, which happens in a cache.
    return []
  }
}

export type MachineFacts = Awaited<ReturnType<ReturnType<typeof createFacts>['facts']>>

export function createFacts(library: Library, onChange: () => void) {
  const { data, db, clock } = library
  const abort = new AbortController()
  let cache: { bytes: number; at: number } | null = null
  let counting = false

  function countCache() {
    if (counting || abort.signal.aborted || (cache !== null && clock.now() - cache.at < countAgainMs)) return
    counting = true
    void bytesBelow(library.cache, abort.signal)
      .then(bytes => {
        cache = { bytes, at: clock.now() }
        if (!abort.signal.aborted) onChange()
      })
      .finally(() => {
        counting = false
      })
  }

  return {
    async facts() {
      countCache()
      const serving = isServerRunning(data)
      const address = serving ? servedAddress(db) : null
      // While nobody has an account, only the set-up link is useful.
      const path = library.users.hasAny() ? '' : setupPath(library.secrets)
      const now = Math.floor(clock.now() / 1000)
      const { bavail, bsize } = statfsSync(data)
      return {
        /** Whether a server of this data directory runs. */
        serving,
        /** The server's address, with the set-up link's key while nobody has an account; null if unknown. */
        address: address === null ? null : address + path,
        signedIn: db.get(signedInCount, now)?.n ?? 0,
        /** Null until the cache has been counted once. */
        cacheBytes: cache?.bytes ?? null,
        databaseBytes: sizeOf(join(data, 'library.db')) + sizeOf(join(data, 'library.db-wal')),
        freeBytes: bavail * bsize,
      }
    },
    close: () => abort.abort(),
  }
}
