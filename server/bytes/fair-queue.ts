/** A queue of tasks such as making pictures: signed-in users come first, callers alternate, and few tasks run at once. */
import { isSignedIn, type Viewer } from '../../core/accounts/access.ts'
import { addressKey } from '../../core/accounts/client-address.ts'
import { Failure, sentence } from '../../schema/errors.ts'

export interface QueueCaller {
  /** Requests with the same key alternate with those of other keys. */
  key: string
  signedIn: boolean
  /** Aborted when the caller no longer wants the result. */
  signal?: AbortSignal
  /** True to wait without a time limit: for responses that have already started, such as downloads. */
  unlimited?: boolean
}

/** Users are identified by account, devices by token, visitors by address. */
export function queueCallerOf(viewer: Viewer, signal?: AbortSignal): QueueCaller {
  const { userId, device, address = '' } = viewer
  const signedIn = isSignedIn(viewer)
  const key = signedIn ? `user ${userId}` : device === undefined ? addressKey(address) : `device ${device.tokenId}`
  return { key, signedIn, ...(signal === undefined ? {} : { signal }) }
}

export interface QueueLimits {
  /** Maximum number of running tasks. */
  atOnce: number
  /** Maximum number of waiting tasks for one key, and for all keys together. */
  perKey: number
  total: number
}

/** Well below the server's idle limit of 30 s, so that the client gets a status instead of a closed connection. */
const maxWaitMs = 20_000
const retryAfter = 5

function unavailable(why: string): Failure {
  return new Failure('unavailable', sentence`${why} Try again in a moment.`, { retryAfter })
}

const interrupted = () => new Failure('interrupted', 'The request was interrupted.')

interface Waiter<Result> {
  key: string
  respond(outcome: { result: Result } | { error: unknown }): void
}

interface Task<Result> {
  name: string
  running: boolean
  waiters: Set<Waiter<Result>>
  work: () => Promise<Result>
  /** Called once: when the work has ended, or will never start. */
  onEnd: () => void
}

/** The tasks of one group: signed-in users, or everyone else. */
function createGroup<Result>({ atOnce, perKey, total }: QueueLimits) {
  /** Tasks by name, in the order in which they were requested. */
  const tasks = new Map<string, Task<Result>>()
  /** Keys with waiting tasks, in the order of their turns. */
  const keys = new Set<string>()
  const waiting = () => [...tasks.values()].filter(({ running }) => !running)
  const waitingOf = (key: string) => waiting().filter(({ waiters }) => [...waiters].some(one => one.key === key))
  return {
    tasks,
    keys,
    waiting,
    isFull: () => waiting().length >= total,
    isFullFor: (key: string) => waitingOf(key).length >= perKey,

    /** The task to start next; null if none waits, or the maximum number are running. */
    next(): Task<Result> | null {
      if (tasks.size - waiting().length >= atOnce) return null
      for (const key of keys) {
        keys.delete(key)
        const [task, another] = waitingOf(key)
        if (task === undefined) continue
        // The key goes to the end of the queue.
        if (another !== undefined) keys.add(key)
        return task
      }
      return null
    },
  }
}

type Group<Result> = ReturnType<typeof createGroup<Result>>

/** A queue of named tasks. Signed-in users never share a visitor's task, so that they never wait for it. */
export function createFairQueue<Result>(
  limits: { signedIn: QueueLimits; others: QueueLimits },
  { waitMs = maxWaitMs }: { waitMs?: number } = {},
) {
  const signedIn = createGroup<Result>(limits.signedIn)
  const others = createGroup<Result>(limits.others)

  function startNext(): void {
    for (const group of [signedIn, others]) {
      for (let task = group.next(); task !== null; task = group.next()) begin(group, task)
      if (signedIn.waiting().length > 0) return
    }
  }

  function begin(group: Group<Result>, task: Task<Result>): void {
    task.running = true
    const end = (outcome: { result: Result } | { error: unknown }) => {
      group.tasks.delete(task.name)
      for (const waiter of task.waiters) waiter.respond(outcome)
      task.onEnd()
      startNext()
    }
    task.work().then(
      result => end({ result }),
      error => end({ error }),
    )
  }

  /** Waits until a task ends, `signal` aborts or the time is up. Removes an unstarted task that has no callers left. */
  function wait(group: Group<Result>, task: Task<Result>, { key, signal, unlimited }: QueueCaller): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const waiter: Waiter<Result> = {
      key,
      respond(outcome) {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        if ('result' in outcome) resolve(outcome.result)
        else reject(outcome.error)
      },
    }
    const abandon = (error: Failure) => {
      task.waiters.delete(waiter)
      waiter.respond({ error })
      if (task.running || task.waiters.size > 0) return
      group.tasks.delete(task.name)
      task.onEnd()
      startNext()
    }
    const onAbort = () => abandon(interrupted())
    const timer =
      unlimited === true
        ? undefined
        : setTimeout(() => abandon(unavailable('This picture is still being made.')), waitMs)
    signal?.addEventListener('abort', onAbort)
    task.waiters.add(waiter)
    return promise
  }

  return {
    /**
     * Returns the result of `work`, which runs once for all callers that use the same name while it waits or runs.
     * `onEnd` is called exactly once: when this `work` has ended, or will never start. Throws `unavailable` if the queue
     * is full or the wait too long (running work continues), `interrupted` if `signal` aborts.
     */
    take(
      name: string,
      caller: QueueCaller,
      work: () => Promise<Result>,
      onEnd: () => void = () => {},
    ): Promise<Result> {
      const group = caller.signedIn ? signedIn : others
      const known = group.tasks.get(name)
      const refused =
        known?.running !== true && (group.isFullFor(caller.key) || (known === undefined && group.isFull()))
      if (known !== undefined || refused || caller.signal?.aborted === true) onEnd()
      if (caller.signal?.aborted === true) return Promise.reject(interrupted())
      if (refused) return Promise.reject(unavailable('Too many pictures are being made.'))
      const task = known ?? { name, running: false, waiters: new Set(), work, onEnd }
      const result = wait(group, task, caller)
      group.tasks.set(name, task)
      if (!task.running) group.keys.add(caller.key)
      startNext()
      return result
    },
    waiting: () => signedIn.waiting().length + others.waiting().length,
  }
}
