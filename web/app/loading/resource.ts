/** Loading from the server: the latest request wins, failures are remembered, and visible data stay fresh. */
import { effect, signal } from '@preact/signals-react'
import { pageCount } from '../../kit/table/pages.ts'
import { createRuns } from '../../kit/time/runs.ts'
import { throttle } from '../../kit/time/throttle.ts'
import { live, subscribe } from '../../socket.ts'
import { orNull, report } from '../messages.ts'
import { onRecovery } from './recovery.ts'

/** `quiet`: in the background, without the loading flag or a failure. */
export interface LoadOptions {
  quiet?: boolean
}

/** Runs one request at a time; late responses are dropped. `explain` returns true for errors it shows itself. */
export function createLoading(failure: string, explain: (error: unknown) => boolean = () => false) {
  const failed = signal(false)
  const loading = signal(false)
  const runs = createRuns()
  /** Returns false on failure. */
  const load = async <T>(
    request: () => Promise<T>,
    take: (response: T) => unknown,
    { quiet = false }: LoadOptions = {},
  ) => {
    const run = runs.start()
    if (!quiet) loading.value = true
    try {
      const response = await request()
      if (run.aborted) return true
      failed.value = false
      await take(response)
      return true
    } catch (error) {
      if (run.aborted) return true
      const isExplained = explain(error)
      if (quiet) return false
      failed.value = true
      if (!isExplained) report(error, failure)
      return false
    } finally {
      if (!run.aborted) loading.value = false
    }
  }
  const cancel = () => {
    runs.cancel()
    loading.value = false
  }
  return { failed, loading, load, cancel }
}

/** A value that is loaded as a whole; null until then. */
export function createResource<T>(failure: string, request: () => Promise<T>, explain?: (error: unknown) => boolean) {
  const value = signal<T | null>(null)
  const { failed, loading, load } = createLoading(failure, explain)
  const take = (response: T) => {
    value.value = response
  }
  return { value, failed, loading, load: (how?: LoadOptions) => load(request, take, how) }
}

interface Paged {
  _meta: { total_records: number }
}

/** Loads a page; the last one where the list has become shorter. */
export async function requestPage<T extends Paged>(page: number, size: number, request: (page: number) => Promise<T>) {
  const response = await request(page)
  const last = pageCount(response._meta.total_records, size)
  return page > last ? { ...(await request(last)), page: last } : { ...response, page }
}

/**
 * A list that is loaded when first read, again when its key has changed, and after a failure when the server is back.
 * Returns the old list until then.
 */
export function createCached<T>(failure: string, keyNow: () => string, request: () => Promise<readonly T[]>) {
  const loaded = signal<{ key: string; list: readonly T[] }>({ key: '', list: [] })
  let loading = { key: '', done: Promise.resolve() }
  const fetch = async (key: string) => {
    const list = await orNull(failure, request)
    if (loading.key !== key) return
    loaded.value = { key, list: list ?? loaded.peek().list }
    if (list !== null) return
    const stop = onRecovery(() => {
      stop()
      if (loading.key !== key) return
      loading = { key: '', done: Promise.resolve() }
      loaded.value = { ...loaded.peek(), key: '' }
    })
  }
  const load = (): Promise<void> => {
    const key = keyNow()
    if (loading.key !== key) loading = { key, done: fetch(key) }
    return loading.done
  }
  /** Reads signals. */
  const read = (): readonly T[] => {
    if (loaded.value.key !== keyNow()) queueMicrotask(() => void load())
    return loaded.value.list
  }
  return { read, load }
}

/**
 * Keeps something fresh while it is on the screen: `reload` is called, at most once in `ms`, when the channel has a
 * message, when the connection is back and when the page becomes visible again. Returns the function that ends it.
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
