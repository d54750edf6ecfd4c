/**
 * Decides whose picture is made next: people who are signed in come before all others, askers take turns, and only a few
 * pieces of work run at once.
 */
import { isSignedIn, type Viewer } from '../core/access.ts'
import { addressKey } from '../core/client-address.ts'
import { Failure } from '../schema/errors.ts'

/** Somebody who waits for something that is made. */
export interface Asking {
  /** Requests with the same key take turns with those of others. */
  key: string
  signedIn: boolean
  /** Aborted when nobody waits for the result any more. */
  signal?: AbortSignal
  /** Waits as long as it takes: for answers that have already begun, as downloads have. */
  patient?: boolean
}

/** Users count by account, devices by token, everybody else by address. */
export function askingOf(viewer: Viewer, signal?: AbortSignal): Asking {
  const { userId, device, address = '' } = viewer
  const signedIn = isSignedIn(viewer)
  const key = signedIn ? `user ${userId}` : device === undefined ? addressKey(address) : `device ${device.tokenId}`
  return { key, signedIn, ...(signal === undefined ? {} : { signal }) }
}

export interface TurnLimits {
  /** Pieces of work that run at once. */
  atOnce: number
  /** Pieces that may wait for one key, and for all keys together. */
  ofOne: number
  inAll: number
}

/** Well below the server's idle limit of 30 s, so that the answer is a status and not a closed connection. */
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
  /** Called once: when the work has ended, or will never begin. */
  onEnd: () => void
}

/** The pieces of one group of people: those who are signed in, or all others. */
interface Group<Result> extends TurnLimits {
  pieces: Map<string, Piece<Result>>
  /** Pieces that wait, by the keys of those who wait for them; whose turn is next comes first. */
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

/**
 * A queue of work that is wanted under a name. Who is signed in never shares a piece with who is not: nobody who is signed
 * in waits for what a visitor's request has begun.
 */
export function createMakingTurns<Result>(
  limits: { signedIn: TurnLimits; others: TurnLimits },
  { waitMs = mostWaitMs }: { waitMs?: number } = {},
) {
  const signedIn = emptyGroup<Result>(limits.signedIn)
  const others = emptyGroup<Result>(limits.others)

  function begin(group: Group<Result>, piece: Piece<Result>): void {
    piece.running = true
    group.waiting--
    group.running++
    removeFromQueues(group, piece)
    const end = (outcome: { result: Result } | { error: unknown }) => {
      group.running--
      group.pieces.delete(piece.name)
      for (const waiter of piece.waiters) waiter.settle(outcome)
      piece.onEnd()
      beginNext()
    }
    piece.work().then(
      result => end({ result }),
      error => end({ error }),
    )
  }

  function beginNextOf(group: Group<Result>): void {
    while (group.running < group.atOnce) {
      const [turn] = group.queues
      if (turn === undefined) return
      const [key, [piece]] = turn
      if (piece !== undefined) begin(group, piece)
      // Behind all others until its next turn.
      const rest = group.queues.get(key)
      group.queues.delete(key)
      if (rest !== undefined) group.queues.set(key, rest)
    }
  }

  function beginNext(): void {
    beginNextOf(signedIn)
    if (signedIn.waiting === 0) beginNextOf(others)
  }

  /** Nobody waits for it any more: a piece that has not begun never will. */
  function leave(group: Group<Result>, piece: Piece<Result>, waiter: Waiter<Result>): void {
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
    beginNext()
  }

  function enqueue(group: Group<Result>, piece: Piece<Result>, key: string): void {
    const queue = group.queues.get(key)
    if (queue === undefined) group.queues.set(key, [piece])
    else if (!queue.includes(piece)) queue.push(piece)
  }

  /** Waits for a piece until it ends, `signal` aborts or the time is over. */
  function wait(group: Group<Result>, piece: Piece<Result>, { key, signal, patient }: Asking): Promise<Result> {
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
      leave(group, piece, waiter)
      waiter.settle({ error })
    }
    const onAbort = () => giveUp(new Failure('interrupted', 'The request was broken off.'))
    const timer = patient === true ? undefined : setTimeout(() => giveUp(tooLong()), waitMs)
    signal?.addEventListener('abort', onAbort)
    piece.waiters.add(waiter)
    return promise
  }

  return {
    /**
     * The result of `work`, which is done once for all who ask for the same name while it waits or runs. `onEnd` is called
     * exactly once: as soon as this `work` has ended, or it is certain that it never begins. `unavailable` with
     * `retryAfter` when too much waits already or it takes too long (work that runs goes on), `interrupted` when `signal`
     * aborts.
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
      const result = wait(group, piece, asking)
      if (known === undefined) {
        group.pieces.set(name, piece)
        group.waiting++
      }
      if (!piece.running) {
        enqueue(group, piece, asking.key)
        beginNext()
      }
      return result
    },
    /** Pieces that have not begun. */
    waiting: () => signedIn.waiting + others.waiting,
  }
}

export type MakingTurns<Result> = ReturnType<typeof createMakingTurns<Result>>
