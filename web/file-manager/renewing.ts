/** Keeps the shown list up to date: reloads it when something may have changed, but not too often. */
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'

/** The pause after a request is `factor` times its duration, but at least `minMs` and at most `maxMs`. */
const pause = { minMs: 1_000, factor: 20, maxMs: 30_000 }

const isSame = (one: FileNode, other: FileNode | undefined) =>
  one.path === other?.path &&
  one.type === other.type &&
  one.mime_type === other.mime_type &&
  one.file_size === other.file_size &&
  one.last_modified === other.last_modified

export function isSameListing(one: FileListing, other: FileListing): boolean {
  return (
    one.dirname === other.dirname &&
    one.files.length === other.files.length &&
    one.files.every((node, at) => isSame(node, other.files[at]))
  )
}

/** Whether all of these are still in the list and of the same type. */
export function areIn(listing: FileListing | null, items: readonly FileNode[]): boolean {
  if (items.length === 0) return true
  const types = new Map(listing?.files.map(({ path, type }) => [path, type]))
  return items.every(({ path, type }) => types.get(path) === type)
}

/** `renew` returns false if it could not load just now, and is then called again later; it must not throw. */
export function createRenewing(renew: (signal: AbortSignal) => Promise<boolean>) {
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let [isDue, isRunning] = [false, false]

  async function run() {
    isRunning = true
    while (isDue && !over.signal.aborted) {
      isDue = false
      const started = performance.now()
      if (!(await renew(over.signal))) isDue = true
      const took = performance.now() - started
      const ms = Math.min(pause.maxMs, Math.max(pause.minMs, pause.factor * took))
      await new Promise(done => {
        timer = setTimeout(done, ms)
      })
    }
    isRunning = false
  }

  return {
    /** Called when something may have changed. */
    schedule() {
      isDue = true
      if (!isRunning) void run()
    },
    end() {
      over.abort()
      clearTimeout(timer)
    },
  }
}
