/**
 * Schedules the making of pictures: signed-in users come first, callers take turns, and only a few tasks run at once.
 */
import { isSignedIn, type Viewer } from '../../core/accounts/access.ts'
import { addressKey } from '../../core/accounts/client-address.ts'
import { Failure } from '../../schema/errors.ts'

export interface Asking {
  /** Requests with the same key take turns with those of others. */
  key: string
  signedIn: boolean
  /** Aborted when the caller no longer wants the result. */
  signal?: AbortSignal
  /** No time limit: for responses that have already started, such as downloads. */
  patient?: boolean
}

/** Users are identified by account, devices by token, visitors by address. */
export function askingOf(viewer: Viewer, signal?: AbortSignal): Asking {
  const { userId, device, address = '' } = viewer
  const signedIn = isSignedIn(viewer)
  const key = signedIn ? `user ${userId}` : device === undefined ? addressKey(address) : `device ${device.tokenId}`
  return { key, signedIn, ...(signal === undefined ? {} : { signal }) }
}

export interface TurnLimits {
  atOnce: number
  /** Tasks that may wait for one key, and for all keys together. */
  ofOne: number
  inAll: number
}

/** Well below the server's idle limit of 30 s, so that the client gets a status and not a closed connection. */
const mostWaitMs = 20_000
const retryAfter = 5

function tooMany(): Failure {
  return new Failure('unavailable', 'Too many pictures are being made. Try again in a moment.', { retryAfter })
}

function tooLong(): Failure {
  return new Failure('unavailable', 'This picture is still being made. Try again in a moment.', { retryAfter })
}

interface Waiter<Result> {
  key: string
  settle(outcome: { result: Result } | { error: unknown }): void
}

interface Piece<Result> {
  name: string
  running: boolean
  waiters: Set<Waiter<Result>>
  work: () => Promise<Result>
  /** Called once: when the work has ended, or will never start. */
  onEnd: () => void
}

/** The tasks of one group: signed-in users, or everyone else. */
interface Group<Result> extends TurnLimits {
  pieces: Map<string, Piece<Result>>
  /** Waiting tasks by key, in the order of their turns. */
  queues: Map<string, Piece<Result>[]>
  waiting: number
  running: number
}

function emptyGroup<Result>(limits: TurnLimits): Group<Result> {
  return { ...limits, pieces: new Map(), queues: new Map(), waiting: 0, running: 0 }
}

function removeFromQueues<Result>({ queues }: Group<Result>, piece: Piece<Result>): void {
  for (const { key } of piece.waiters) {
    const rest = queues.get(key)?.filter(other => other !== piece) ?? []
    if (rest.length === 0) queues.delete(key)
    else queues.set(key, rest)
  }
}

interface Groups<Result> {
  signedIn: Group<Result>
  others: Group<Result>
  waitMs: number
}

function begin<Result>(groups: Groups<Result>, group: Group<Result>, piece: Piece<Result>): void {
  piece.running = true
  group.waiting--
  group.running++
  removeFromQueues(group, piece)
  const end = (outcome: { result: Result } | { error: unknown }) => {
    group.running--
    group.pieces.delete(piece.name)
    for (const waiter of piece.waiters) waiter.settle(outcome)
    piece.onEnd()
    beginNext(groups)
  }
  piece.work().then(
    result => end({ result }),
    error => end({ error }),
  )
}

function beginNextOf<Result>(groups: Groups<Result>, group: Group<Result>): void {
  while (group.running < group.atOnce) {
    const [turn] = group.queues
    if (turn === undefined) return
    const [key, [piece]] = turn
    if (piece !== undefined) begin(groups, group, piece)
    // Goes to the end of the queue.
    const rest = group.queues.get(key)
    group.queues.delete(key)
    if (rest !== undefined) group.queues.set(key, rest)
  }
}

function beginNext<Result>(groups: Groups<Result>): void {
  beginNextOf(groups, groups.signedIn)
  if (groups.signedIn.waiting === 0) beginNextOf(groups, groups.others)
}

/** Drops a caller; a task without callers that has not started is removed. */
function leave<Result>(
  groups: Groups<Result>,
  group: Group<Result>,
  piece: Piece<Result>,
  waiter: Waiter<Result>,
): void {
  if (piece.running) {
    piece.waiters.delete(waiter)
    return
  }
  removeFromQueues(group, piece)
  piece.waiters.delete(waiter)
  if (piece.waiters.size > 0) {
    for (const key of new Set([...piece.waiters].map(one => one.key))) enqueue(group, piece, key)
    return
  }
  group.waiting--
  group.pieces.delete(piece.name)
  piece.onEnd()
  beginNext(groups)
}

function enqueue<Result>(group: Group<Result>, piece: Piece<Result>, key: string): void {
  const queue = group.queues.get(key)
  if (queue === undefined) group.queues.set(key, [piece])
  else if (!queue.includes(piece)) queue.push(piece)
}

/** Waits until a task ends, `signal` aborts or the time is up. */
function wait<Result>(
  groups: Groups<Result>,
  group: Group<Result>,
  piece: Piece<Result>,
  { key, signal, patient }: Asking,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const waiter: Waiter<Result> = {
    key,
    settle(outcome) {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if ('result' in outcome) resolve(outcome.result)
      else reject(outcome.error)
    },
  }
  const giveUp = (error: Failure) => {
    leave(groups, group, piece, waiter)
    waiter.settle({ error })
  }
  const onAbort = () => giveUp(new Failure('interrupted', 'The request was broken off.'))
  const timer = patient === true ? undefined : setTimeout(() => giveUp(tooLong()), groups.waitMs)
  signal?.addEventListener('abort', onAbort)
  piece.waiters.add(waiter)
  return promise
}

/**
 * A queue of named tasks. Signed-in users never share a task with visitors, so that they never wait for one that a visitor
 * started.
 */
export function createMakingTurns<Result>(
  limits: { signedIn: TurnLimits; others: TurnLimits },
  { waitMs = mostWaitMs }: { waitMs?: number } = {},
) {
  const signedIn = emptyGroup<Result>(limits.signedIn)
  const others = emptyGroup<Result>(limits.others)
  const groups = { signedIn, others, waitMs }
  return {
    /**
     * Returns the result of `work`, which runs once for all callers that use the same name while it waits or runs. `onEnd`
     * is called exactly once: when this `work` has ended, or will certainly never start. Throws `unavailable` with
     * `retryAfter` when the queue is full or the wait too long (running work continues), `interrupted` when `signal` aborts.
     */
    take(name: string, asking: Asking, work: () => Promise<Result>, onEnd: () => void = () => {}): Promise<Result> {
      const group = asking.signedIn ? signedIn : others
      const known = group.pieces.get(name)
      const isFull = (group.queues.get(asking.key)?.length ?? 0) >= group.ofOne
      const refused = known === undefined ? isFull || group.waiting >= group.inAll : !known.running && isFull
      if (known !== undefined || refused || asking.signal?.aborted === true) onEnd()
      if (asking.signal?.aborted === true)
        return Promise.reject(new Failure('interrupted', 'The request was broken off.'))
      if (refused) return Promise.reject(tooMany())
      const piece = known ?? { name, running: false, waiters: new Set(), work, onEnd }
      const result = wait(groups, group, piece, asking)
      if (known === undefined) {
        group.pieces.set(name, piece)
        group.waiting++
      }
      if (!piece.running) {
        enqueue(group, piece, asking.key)
        beginNext(groups)
      }
      return result
    },
    waiting: () => signedIn.waiting + others.waiting,
  }
}
