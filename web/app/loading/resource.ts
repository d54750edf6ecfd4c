/** Loads data from the server: only the latest request counts, failures are remembered, and visible data are kept fresh. */
import { computed, effect, signal } from '@preact/signals-react'
import { Refused } from '../../../schema/client.ts'
import { pageCount } from '../../kit/table/pages.ts'
import { createRuns } from '../../kit/time/runs.ts'
import { throttle } from '../../kit/time/throttle.ts'
import { live, subscribe } from '../../socket.ts'
import { report } from '../messages.ts'
import { userSignal, userVersion } from '../user-data.ts'
import { onRecovery } from './recovery.ts'

/** `quiet`: in the background: `loading` and `failed` are not set, and a failure is not reported. */
export interface LoadOptions {
  quiet?: boolean
}

interface RepeatedLoad extends LoadOptions {
  /** Called when the server is back after a failure. The default repeats the request. */
  repeat?: () => unknown
}

/**
 * Runs one request at a time: a new request aborts the signal of the earlier one, whose response is ignored. A request
 * that failed without a response or with a 5xx is repeated quietly when the server is back, if the user is still the
 * same. `failure` is the text for errors; those for which `explain` returns true are not reported, as it shows them.
 */
export function createLoading(failure: string | (() => string), explain: (error: unknown) => boolean = () => false) {
  const failed = signal(false)
  const loading = signal(false)
  const runs = createRuns()
  let stopWaiting = () => {}
  /** Returns false on failure. */
  const load = async <T>(
    request: (signal: AbortSignal) => Promise<T>,
    take: (response: T) => unknown,
    { quiet = false, repeat = () => load(request, take, { quiet: true }) }: RepeatedLoad = {},
  ): Promise<boolean> => {
    const run = runs.start()
    stopWaiting()
    const requestedBy = userVersion()
    const isStale = () => run.aborted || requestedBy !== userVersion()
    if (!quiet) loading.value = true
    try {
      const response = await request(run)
      if (isStale()) return true
      failed.value = false
      await take(response)
      return true
    } catch (error) {
      if (isStale()) return true
      if (!(error instanceof Refused && error.status < 500)) {
        stopWaiting = onRecovery(() => (isStale() ? stopWaiting() : repeat()))
      }
      const isExplained = explain(error)
      if (quiet) return false
      failed.value = true
      if (!isExplained) report(error, typeof failure === 'string' ? failure : failure())
      return false
    } finally {
      if (!run.aborted) loading.value = false
    }
  }
  const cancel = () => {
    runs.cancel()
    stopWaiting()
    loading.value = false
  }
  return { failed, loading, load, cancel }
}

/** A value that is loaded as a whole; null until it is loaded. */
export function createResource<T>(failure: string, request: () => Promise<T>, explain?: (error: unknown) => boolean) {
  const value = userSignal<T | null>(null)
  const { failed, loading, load } = createLoading(failure, explain)
  const take = (response: T) => {
    value.value = response
  }
  return { value, failed, loading, load: (how?: LoadOptions) => load(request, take, how) }
}

interface Paged {
  _meta: { total_records: number }
}

/** Loads a page of a list, or its last page if the list has become shorter. Returns the number of the page, too. */
export async function requestPage<T extends Paged>(page: number, size: number, request: (page: number) => Promise<T>) {
  const response = await request(page)
  const last = pageCount(response._meta.total_records, size)
  return page > last ? { ...(await request(last)), page: last } : { ...response, page }
}

/**
 * A list that is loaded when it is first read, when `ownerNow` or `versionNow` return another value, and after a failure
 * when the server is back. While it loads, `read` returns the old list, unless that belongs to another owner, such as
 * another user.
 */
export function createCached<T>(
  failure: string,
  ownerNow: () => string,
  versionNow: () => number,
  request: () => Promise<readonly T[]>,
) {
  const { failed, loading, load } = createLoading(failure)
  const loaded = signal<{ owner: string; list: readonly T[] } | null>(null)
  const keyNow = () => `${versionNow()} ${ownerNow()}`
  let requested = ''
  let latest = Promise.resolve(true)
  /** Waits for the latest request, which later requests may supersede. */
  const settled = async (): Promise<boolean> => {
    const waitedFor = latest
    const done = await waitedFor
    return waitedFor === latest ? done : settled()
  }
  const start = (how?: LoadOptions) => {
    const owner = ownerNow()
    requested = keyNow()
    const take = (list: readonly T[]) => {
      loaded.value = { owner, list }
    }
    latest = load(request, take, { ...how, repeat: () => start({ quiet: true }) })
    return settled()
  }
  /** Loads the list unless it is up to date. Returns false on failure. */
  const ready = () => (requested === keyNow() && !failed.peek() ? settled() : start())
  /** Reloads the list, unless it is being loaded. Returns false on failure. */
  const refresh = (how?: LoadOptions) => (loading.peek() ? settled() : start(how))
  const isLoaded = computed(() => loaded.value?.owner === ownerNow())
  /** The list as far as it is loaded; starts loading if it is not up to date. Reads signals. */
  const read = (): readonly T[] => {
    if (requested !== keyNow()) queueMicrotask(() => void ready())
    return isLoaded.value ? (loaded.value?.list ?? []) : []
  }
  return { read, isLoaded, failed, ready, refresh }
}

/**
 * Keeps data fresh while they are shown: calls `reload`, at most once in `ms`, when the channel has a message, when the
 * connection is back and when the page becomes visible again. Returns the function that stops it.
 */
export function keepFresh(channel: string, reload: () => void, ms: number): () => void {
  const isVisible = () => document.visibilityState === 'visible'
  const soon = throttle(() => isVisible() && reload(), ms)
  const unsubscribe = subscribe(channel, soon)
  let wasLive = live.peek()
  const stop = effect(() => {
    if (live.value && !wasLive) queueMicrotask(soon)
    wasLive = live.value
  })
  document.addEventListener('visibilitychange', soon)
  return () => {
    unsubscribe()
    stop()
    document.removeEventListener('visibilitychange', soon)
  }
}
