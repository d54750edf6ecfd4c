/** What was done, by whom: steps of the history as their readers may see them, and which of them can be undone. */
import type { HistoryStep } from '../../schema/api/history.ts'
import { Failure } from '../../schema/errors.ts'
import { collectionsWith, demandSignedIn, notFound, rightsOn, showsHiddenTo, type Viewer } from '../access.ts'
import type { LibraryDatabase } from '../database.ts'
import { hiddenAmong, hidesAnything } from '../hidden-items.ts'
import type { Items } from '../items.ts'
import { collectionsOfMoves } from '../moving/undo-moves.ts'
import { type Fragment, idsIn, joined, raw, sql } from '../sql-fragment.ts'
import { isOfFiles, type UndoTable, undoOf } from './undo.ts'
import type { UndoInput } from './undo-job.ts'

/** Steps of one answer. */
const pageSize = 50

interface StepFacts {
  at: number
  userId: number | null
  operation: string
  /** The newest of its rows that the reader asked about. */
  newest: number | null
  rows: number
  undone: number
  items: number
  itemId: number | null
  /** JSON: ids, null among them. */
  collections: string
  /** One of its items at the least is still there, and not undone. */
  there: 0 | 1
  /** JSON: operations, each with 1 before it where its row is of an item, else 0. */
  operations: string
}

export function createHistory({ db, items, undos }: { db: LibraryDatabase; items: Items; undos: UndoTable }) {
  /** Ids of the items of a step that are hidden from its reader: for them these rows are not there. */
  function hiddenIn(viewer: Viewer, step: string): readonly number[] {
    if (showsHiddenTo(viewer) || !hidesAnything(db)) return []
    const rows = db.all<{ id: number }>(
      'SELECT DISTINCT item_id AS id FROM history WHERE step = ? AND item_id IS NOT NULL',
      step,
    )
    const ids = rows.map(({ id }) => id)
    return [...hiddenAmong(db, ids)]
  }

  /** A step as its reader sees it; null: there is none, or everything that it did was done to hidden items. */
  function factsOf(viewer: Viewer, step: string, asked: Fragment): StepFacts | null {
    const hidden = hiddenIn(viewer, step)
    const shown = sql`step = ${step} AND (item_id IS NULL OR item_id NOT IN ${idsIn(hidden)})`
    const { text, values } = sql`SELECT max(at) AS at, min(user_id) AS userId, count(*) AS rows,
        max(CASE WHEN ${asked} THEN id END) AS newest, count(undone_by) AS undone,
        count(DISTINCT item_id) AS items, max(item_id) AS itemId,
        json_group_array(DISTINCT collection_id) AS collections,
        json_group_array(DISTINCT (item_id IS NOT NULL) || operation) AS operations,
        EXISTS (SELECT 1 FROM history AS own JOIN items ON items.id = own.item_id
          WHERE own.${shown} AND own.undone_by IS NULL) AS there,
        (SELECT operation FROM history WHERE ${shown} ORDER BY id LIMIT 1) AS operation
      FROM history WHERE ${shown}`
    const facts = db.get<StepFacts>(text, ...values)
    if (facts === null || facts.rows === 0) return null
    return hidden.length > 0 && facts.items === 0 ? null : facts
  }

  function collectionsOf(facts: StepFacts): (number | null)[] {
    return JSON.parse(facts.collections)
  }

  /** Whoever made it, and those who administer everything that it touched. */
  function maySee(viewer: Viewer, facts: StepFacts): boolean {
    if (viewer.globalAdmin || (facts.userId !== null && facts.userId === viewer.userId)) return true
    return collectionsOf(facts).every(id => id !== null && rightsOn(viewer, id).admin)
  }

  function undosOf(facts: StepFacts) {
    const operations: string[] = JSON.parse(facts.operations)
    return operations.map(text => undoOf(undos, { operation: text.slice(1), itemId: text.startsWith('1') ? 1 : null }))
  }

  /** An undo that was stopped, or that left what was changed since, can go on later. */
  function isUndone(facts: StepFacts): boolean {
    return facts.undone === facts.rows
  }

  function isUndoable(facts: StepFacts): boolean {
    if (isUndone(facts)) return false
    const operations: string[] = JSON.parse(facts.operations)
    // What was done to items that were deleted for good since.
    if (facts.there === 0 && operations.every(text => text.startsWith('1'))) return false
    return undosOf(facts).every(undo => undo !== null)
  }

  function stepJson(viewer: Viewer, step: string, facts: StepFacts): HistoryStep {
    const collections = collectionsOf(facts)
    const user = db.get<{ username: string }>('SELECT username FROM users WHERE id = ?', facts.userId)
    // An item that is hidden from the reader, or is no more, has no address for him.
    const only = facts.items === 1 && facts.itemId !== null && items.sees(viewer, facts.itemId) ? facts.itemId : null
    return {
      step,
      at: facts.at,
      username: user?.username ?? null,
      operation: facts.operation,
      collection_id: collections.length === 1 ? (collections[0] ?? null) : null,
      items: facts.items,
      item_id: only,
      item_name:
        only === null ? null : (db.get<{ name: string }>('SELECT name FROM items WHERE id = ?', only)?.name ?? null),
      undoable: isUndoable(facts),
      undone: isUndone(facts),
      partly_undone: facts.undone > 0 && !isUndone(facts),
    }
  }

  /** Rows that a reader asks about and may see, as far as one row tells it. */
  function askedRows(viewer: Viewer, collectionId: number, item: number | undefined): Fragment {
    const conditions = [raw('1')]
    if (collectionId !== 0) conditions.push(sql`collection_id = ${collectionId}`)
    if (item !== undefined) conditions.push(sql`item_id = ${item}`)
    const administered = collectionsWith(viewer, 'admin')
    if (administered !== 'all') {
      conditions.push(sql`(user_id = ${viewer.userId} OR collection_id IN ${idsIn(administered)})`)
    }
    return joined(conditions, ' AND ')
  }

  return {
    /** Steps that the viewer may see, newest first; `next` is `before` of the page that follows. */
    list(
      viewer: Viewer,
      { collectionId }: { collectionId: number },
      query: { before?: number | undefined; item?: number | undefined },
    ): { steps: HistoryStep[]; next: number | null } {
      demandSignedIn(viewer)
      if (query.item !== undefined && !items.sees(viewer, query.item)) return { steps: [], next: null }
      const asked = askedRows(viewer, collectionId, query.item)
      const steps: HistoryStep[] = []
      const looked: string[] = []
      let before = query.before ?? Number.MAX_SAFE_INTEGER
      while (steps.length < pageSize) {
        const { text, values } = sql`SELECT id, step FROM history WHERE id < ${before} AND ${asked}
          AND step NOT IN (SELECT value FROM json_each(${JSON.stringify(looked)})) ORDER BY id DESC LIMIT 1`
        const row = db.get<{ id: number; step: string }>(text, ...values)
        if (row === null) return { steps, next: null }
        before = row.id
        looked.push(row.step)
        const facts = factsOf(viewer, row.step, asked)
        // One whose newest row stands on a page before this one has been told there.
        if (facts?.newest === row.id && maySee(viewer, facts)) steps.push(stepJson(viewer, row.step, facts))
      }
      return { steps, next: before }
    },

    /** One step; null where there is none, or none that he may see. */
    find(viewer: Viewer, step: string): HistoryStep | null {
      demandSignedIn(viewer)
      const facts = factsOf(viewer, step, raw('1'))
      return facts === null || !maySee(viewer, facts) ? null : stepJson(viewer, step, facts)
    },

    /** Names of the files of its items as they are called now, at most so many, of those that the viewer may see. */
    namesOf(viewer: Viewer, step: string, most: number): string[] {
      demandSignedIn(viewer)
      const facts = factsOf(viewer, step, raw('1'))
      if (facts === null || !maySee(viewer, facts)) return []
      const names: string[] = []
      const rows = db.all<{ id: number; name: string }>(
        `SELECT items.id, items.name FROM (SELECT item_id, min(id) AS at FROM history WHERE step = ? AND item_id IS NOT NULL
           GROUP BY item_id ORDER BY at LIMIT ?) AS own JOIN items ON items.id = own.item_id ORDER BY own.at`,
        step,
        most * 2,
      )
      for (const { id, name } of rows) if (names.length < most && items.sees(viewer, id)) names.push(name)
      return names
    },

    /** Checks that a step can be undone by the viewer; answers the input of the job `undo`. */
    plannedUndo(viewer: Viewer, step: string): UndoInput {
      demandSignedIn(viewer)
      const facts = factsOf(viewer, step, raw('1'))
      if (facts === null || !maySee(viewer, facts)) throw notFound()
      if (isUndone(facts)) throw new Failure('conflict', 'This has been undone already.')
      if (!isUndoable(facts)) throw new Failure('conflict', 'This can’t be undone.')
      const collections = collectionsOf(facts).filter(id => id !== null)
      const [collectionId = null] = collections
      const ofFiles = undosOf(facts).some(isOfFiles)
      return {
        step,
        undoStep: crypto.randomUUID(),
        userId: viewer.userId,
        showsHidden: showsHiddenTo(viewer),
        collectionId: collections.length === 1 ? collectionId : null,
        // A collection's files have one writer at a time; anything else only must not be undone twice at once.
        lane: ofFiles
          ? [...new Set([...collections, ...collectionsOfMoves(db, step)])].map(id => `collection-${id}`).join(' ')
          : `undo-${step}`,
      }
    },
  }
}

export type History = ReturnType<typeof createHistory>
