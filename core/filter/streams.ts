/** All items of a frame in the order of dates: one stream for each collection and state, merged where they are not too many. */
import { type Filter, sizeOf } from './filter.ts'
import type { Frame } from './frame.ts'
import type { Branch } from './plan.ts'

/** Streams that one statement merges at most: SQLite takes 500. */
export const mostMerged = 400

/** More partitions than this are not merged; then the index over all collections is looked through. */
const mostPartitions = 60

/** Conditions in one statement, at most, before streams are not parted: they are in it once for each stream. */
const mostConditions = 600

function partitionsOf({ collections, states }: Frame): number {
  const each = collections === 'all' ? states.length : collections.length * states.length
  return each <= mostPartitions ? each : states.length
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

function streamsOfFrame(frame: Frame, rest: Filter, parted: boolean): Branch[] {
  const { collections, states } = frame
  return states.flatMap(state =>
    parted && collections !== 'all' && collections.length * states.length <= mostPartitions
      ? collections.map(id => stream(frame, rest, state, id))
      : [stream(frame, rest, state, null)],
  )
}

/** Branches by items become streams that come in order; others stay what they are. */
export function streamsOf(branches: readonly Branch[]): Branch[] {
  const items = branches.filter(({ driver }) => driver.by === 'items')
  const streams = items.reduce((sum, { frame }) => sum + partitionsOf(frame), branches.length - items.length)
  const conditions = items.reduce((sum, { frame, rest }) => sum + partitionsOf(frame) * sizeOf(rest), 0)
  const parted = streams <= mostMerged && conditions <= mostConditions
  return branches.flatMap(branch =>
    branch.driver.by === 'items' ? streamsOfFrame(branch.frame, branch.rest, parted) : [branch],
  )
}

/** Every item of a frame, with a condition. */
export function everyItem(frame: Frame, rest: Filter): Branch {
  return { driver: { by: 'items' }, frame, rest, candidates: () => Number.POSITIVE_INFINITY }
}
