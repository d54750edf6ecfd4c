/** Data of a screen, reloaded after changes, at most a few times per second. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { reasonOf } from '../schema/errors.ts'
import { channels } from '../schema/realtime.ts'
import type { TuiEvent } from './session.ts'
import { useUi } from './ui.ts'

/** Minimum milliseconds between loads. */
export const liveMs = 250

/** `request` runs `work`, one run at a time, with `ms` between two starts. Requests until then cause one more run. */
export function createCoalescer(work: () => Promise<void>, ms: number) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let running = false
  let requested = false
  let lastAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  async function run() {
    timer = null
    running = true
    requested = false
    lastAt = performance.now()
    await work()
    running = false
    if (requested && !isClosed) request()
  }

  function request() {
    requested = true
    if (isClosed || running || timer !== null) return
    const left = lastAt + ms - performance.now()
    if (left <= 0) void run()
    else timer = setTimeout(() => void run(), left)
  }

  return {
    request,
    close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** The result of `load`, which runs again for a new `key` and after events for which `concerns` returns true. */
export function useLive<T>(load: () => Promise<T> | T, concerns: (event: TuiEvent) => boolean, key = '') {
  const { session } = useUi()
  /** `value` is null until the first load; `error` is the message of the last load, or null. */
  const [{ value, error }, setShown] = useState<{ value: T | null; error: string | null }>({ value: null, error: null })
  const latest = useRef({ load, concerns, key })
  latest.current = { load, concerns, key }
  const requester = useRef<ReturnType<typeof createCoalescer> | null>(null)

  useEffect(() => {
    let isOn = true
    const loading = createCoalescer(async () => {
      const { key: requested } = latest.current
      try {
        const value = await latest.current.load()
        if (isOn && latest.current.key === requested) setShown({ value, error: null })
      } catch (error) {
        const words = reasonOf(error)
        if (isOn) setShown(before => ({ ...before, error: words }))
      }
    }, liveMs)
    requester.current = loading
    const stop = session.follow(events => {
      if (events.some(event => latest.current.concerns(event))) loading.request()
    })
    return () => {
      isOn = false
      stop()
      loading.close()
    }
  }, [session])

  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads for a new key
  useEffect(() => requester.current?.request(), [key])

  const reload = useCallback(() => requester.current?.request(), [])
  return { value, error, reload }
}

/** The current time, updated every `everyMs` milliseconds: for clocks, and to show how old something is. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

const jobChannel = /^(task-\d+|\.jobs)$/

/** Whether an event is about a job: created, progress, ended. */
export function isJobEvent({ channel }: TuiEvent): boolean {
  return jobChannel.test(channel)
}

export function isCollectionEvent({ channel }: TuiEvent): boolean {
  return channel.startsWith('collection-')
}

export function isAlbumEvent({ channel }: TuiEvent): boolean {
  return channel === channels.albums
}

/** Whether an event is about the machine: a server started or stopped, or the cache was counted. */
export function isMachineEvent({ channel }: TuiEvent): boolean {
  return channel === channels.machine
}

export function isUserEvent({ channel }: TuiEvent): boolean {
  return channel === channels.users || channel === channels.sessions || channel === channels.rights
}
