/** Runs work on places below their roots: holds the directory open, and adds the place's path to errors. */
import { Failure } from '../../schema/errors.ts'
import { type Anchor, type Anchoring, type DiskPlace, displayPlace, namesOnPath } from './anchor.ts'
import { DiskError, diskError } from './disk-error.ts'
import type { SystemCalls } from './system-calls.ts'

export function createPlaceAccess(calls: SystemCalls | null, anchoring: Anchoring) {
  /** Runs `work` with a directory held open; errors have the path of the place. */
  function withDirectory<T>(place: DiskPlace, names: readonly Buffer[], work: (directory: Anchor) => T): T {
    return withErrorPath(place, () => {
      const directory = anchoring.directory(place.root, names)
      try {
        return work(directory)
      } finally {
        directory.close()
      }
    })
  }

  /** Runs `work` with the directory of a place held open. */
  function within<T>(place: DiskPlace, work: (directory: Anchor, name: Buffer) => T): T {
    const { names, name } = split(place)
    return withDirectory(place, names, directory => work(directory, name))
  }

  /** Runs `work` with the place itself, a directory, held open. */
  const inDirectory = <T>(place: DiskPlace, work: (directory: Anchor) => T): T =>
    withDirectory(place, namesOnPath(place), work)

  /** Like `within`, for asynchronous work. */
  async function withinAsync<T>(place: DiskPlace, work: (directory: Anchor, name: Buffer) => Promise<T>): Promise<T> {
    const { names, name } = split(place)
    try {
      const directory = anchoring.directory(place.root, names)
      try {
        return await work(directory, name)
      } finally {
        directory.close()
      }
    } catch (error) {
      throw errorWithPath(error, place)
    }
  }

  return { calls, anchoring, within, inDirectory, withinAsync }
}

export type PlaceAccess = ReturnType<typeof createPlaceAccess>

/** The names of a place's directory, and its own name. */
function split(place: DiskPlace): { names: Buffer[]; name: Buffer } {
  const names = namesOnPath(place)
  const name = names.pop()
  if (name === undefined) throw new Failure('invalid', 'This is the root directory itself, not an entry in it.')
  return { names, name }
}

export function withErrorPath<T>(place: DiskPlace, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw errorWithPath(error, place)
  }
}

/** Adds the place's path to a system error. An error that already has a path is returned unchanged. */
export function errorWithPath(error: unknown, place: DiskPlace): unknown {
  if (error instanceof DiskError)
    return error.message === error.reason ? new DiskError(error.code, displayPlace(place)) : error
  return diskError(error, displayPlace(place))
}
