/** How many items a viewer sees under each keystring, person or object, from the counters that triggers keep. */
import { type KeyKind, keyKinds, keyOf } from '../../schema/keys.ts'
import type { Viewer } from '../accounts/access.ts'
import { firstOf } from '../filter/bound.ts'
import { everything, not } from '../filter/filter.ts'
import { type Frame, frameQuery, inFrame, isEmpty } from '../filter/frame.ts'
import { visibleItems } from '../filter/visible-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { idsIn, sql } from '../kernel/database/sql-fragment.ts'
import { collectionsHiddenFrom } from '../words/vocabulary.ts'
import { itemAndWordChanges } from '../words/words.sql.ts'
import { countsOf, countUnhidden, countWhere, itemsWhere, keysOfItems } from './vocabulary.sql.ts'

const tables = { keystring: 'keystrings', person: 'people', object: 'objects' } as const
export type CountedKind = keyof typeof tables & KeyKind

/** Whether hidden items are included, as in list calls. */
export interface HiddenRequest {
  includeHidden?: string | undefined
}

/** Every bit of `keyed.tags`. */
const anyTag = 0xff

function withoutCollections(frame: Frame, collections: readonly number[]): Frame {
  const left = frame.collections === 'all' ? 'all' : frame.collections.filter(id => !collections.includes(id))
  return { ...frame, collections: left }
}

interface VisibleCounts {
  frame: Frame
  /** Keys of keystrings that hide items although the items' rows are not updated yet. */
  hiding: readonly number[]
}

/** Which counters the viewer may see: for people and objects, without collections that hide these from the viewer. */
function countsFor(db: LibraryDatabase, viewer: Viewer, kind: CountedKind, includeHidden: boolean): VisibleCounts {
  const { frame, rest } = frameQuery(visibleItems(db, viewer, { includeHidden }), everything)
  const hiding = not(rest)
  if (hiding.is !== 'nothing' && hiding.is !== 'key') {
    throw new Error(`what is visible is limited by more than keystrings: ${rest.is}`)
  }
  return {
    frame: kind === 'keystring' ? frame : withoutCollections(frame, collectionsHiddenFrom(db, viewer)),
    hiding: hiding.is === 'key' ? hiding.keys : [],
  }
}

/** Number of items that are being hidden, by key and tag bits: the counters of a frame are too high by this much. */
type BeingHidden = ReadonlyMap<number, ReadonlyMap<number, number>>

interface CachedCounts {
  change: string
  counts: BeingHidden
}

/** For each open library, the last counts of a few frames; valid until the next change. */
const cachedCounts = new WeakMap<LibraryDatabase, Map<string, CachedCounts>>()
const maxCached = 20

/** Number of items whose keys are read at once. */
const atOnce = 5_000

/** Counts all kinds of keys at once: a page requests keystrings, people and objects one after the other. */
function countBeingHidden(db: LibraryDatabase, frame: Frame, hiding: readonly number[]): BeingHidden {
  const { text, values } = sql`x.key IN ${idsIn(hiding)} AND ${inFrame(frame, 'x')}`
  const ids: number[] = JSON.parse(db.get(itemsWhere(text), ...values)?.ids ?? '[]')
  const counts = new Map<number, Map<number, number>>()
  for (let from = 0; from < ids.length; from += atOnce) {
    const keys = db.get(keysOfItems, JSON.stringify(ids.slice(from, from + atOnce)))?.keys
    const items: [number, number][][] = JSON.parse(keys ?? '[]')
    for (const keys of items) {
      for (const [key, tags] of keys) {
        const byTags = counts.get(key)
        if (byTags === undefined) counts.set(key, new Map([[tags, 1]]))
        else byTags.set(tags, (byTags.get(tags) ?? 0) + 1)
      }
    }
  }
  return counts
}

function countsBeingHidden(db: LibraryDatabase, frame: Frame, hiding: readonly number[]): BeingHidden {
  const now = db.get(itemAndWordChanges)
  const change = `${now?.items}.${now?.words}`
  const known = cachedCounts.get(db) ?? new Map<string, CachedCounts>()
  cachedCounts.set(db, known)
  const key = JSON.stringify([frame, hiding])
  const last = known.get(key)
  if (last?.change === change) return last.counts
  const counts = countBeingHidden(db, frame, hiding)
  if (known.size >= maxCached) known.clear()
  known.set(key, { change, counts })
  return counts
}

/** Counts by id, without zeros. `includeHidden` must come from `seesHidden`, `tags` are `tagBits`. */
export function countByKey(
  db: LibraryDatabase,
  viewer: Viewer,
  kind: CountedKind,
  { includeHidden, tags = anyTag }: { includeHidden: boolean; tags?: number },
): Map<number, number> {
  const { frame, hiding } = countsFor(db, viewer, kind, includeHidden)
  if (isEmpty(frame)) return new Map()
  const { text, values } = sql`${inFrame(frame, 'c')} AND c.tags & ${tags}`
  const counted = db.all(countsOf(tables[kind], keyKinds[kind], text), ...values)
  const counts = new Map(counted.map(({ id, n }) => [id, n]))
  if (hiding.length === 0) return counts
  // While items are being hidden, the counters are too high.
  const hidden = countsBeingHidden(db, frame, hiding)
  for (const [id, n] of counts) {
    let left = n
    for (const [bits, items] of hidden.get(keyOf(kind, id)) ?? []) if ((bits & tags) !== 0) left -= items
    if (left > 0) counts.set(id, left)
    else counts.delete(id)
  }
  return counts
}

export function countOfKey(
  db: LibraryDatabase,
  viewer: Viewer,
  kind: CountedKind,
  id: number,
  includeHidden: boolean,
): number {
  const { frame, hiding } = countsFor(db, viewer, kind, includeHidden)
  const key = keyOf(kind, id)
  if (isEmpty(frame) || hiding.includes(key)) return 0
  if (hiding.length === 0) {
    const { text, values } = sql`c.key = ${key} AND ${inFrame(frame, 'c')}`
    return db.get(countWhere(text), ...values)?.n ?? 0
  }
  return firstOf(db, countUnhidden(key, frame, hiding))?.n ?? 0
}
