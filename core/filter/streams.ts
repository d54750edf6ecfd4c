/** All items of a frame in the order of dates: a stream for each collection and state, merged if there are few. */
import { type Filter, sizeOf } from './filter.ts'
import type { Frame } from './frame.ts'
import type { Branch } from './plan.ts'

/** Maximum number of streams that one statement merges: SQLite takes 500. */
export const maxMerged = 400

/** With more partitions than this, the index over all collections is read instead. */
const maxPartitions = 60

/** With more conditions than this in all, streams are not split by collection: each stream repeats the conditions. */
const maxConditions = 600

function partitionsOf({ collections, states }: Frame): number {
  const each = collections === 'all' ? states.length : collections.length * states.length
  return each <= maxPartitions ? each : states.length
}

function stream(frame: Frame, rest: Filter, state: number, collection: number | null): Branch {
  const collections = collection === null ? frame.collections : [collection]
  return {
    driver: { by: 'stream', state, collection },
    frame: { ...frame, collections, states: [state] },
    rest,
    candidates: () => Number.POSITIVE_INFINITY,
  }
}

function streamsOfFrame(frame: Frame, rest: Filter, byCollection: boolean): Branch[] {
  const { collections, states } = frame
  return states.flatMap(state =>
    byCollection && collections !== 'all' && collections.length * states.length <= maxPartitions
      ? collections.map(id => stream(frame, rest, state, id))
      : [stream(frame, rest, state, null)],
  )
}

/** Branches by items become ordered streams; others are unchanged. */
export function streamsOf(branches: readonly Branch[]): Branch[] {
  const items = branches.filter(({ driver }) => driver.by === 'items')
  const streams = items.reduce((sum, { frame }) => sum + partitionsOf(frame), branches.length - items.length)
  const conditions = items.reduce((sum, { frame, rest }) => sum + partitionsOf(frame) * sizeOf(rest), 0)
  const byCollection = streams <= maxMerged && conditions <= maxConditions
  return branches.flatMap(branch =>
    branch.driver.by === 'items' ? streamsOfFrame(branch.frame, branch.rest, byCollection) : [branch],
  )
}

export function everyItem(frame: Frame, rest: Filter): Branch {
  return { driver: { by: 'items' }, frame, rest, candidates: () => Number.POSITIVE_INFINITY }
}
