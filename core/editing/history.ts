/** What was done, by whom: steps of the history as their readers may see them, and which of them can be undone. */
import type { HistoryStep } from '../../schema/api/history.ts'
import { Failure } from '../../schema/errors.ts'
import { collectionsWith, demandSignedIn, notFound, rightsOn, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { hidesAnything, isHiddenItem } from '../filter/hidden-items.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, idsIn, joined, raw, sql } from '../kernel/database/sql-fragment.ts'
import { fileMoveOperation, isOfFiles, type UndoTable, undoOf } from './undo.ts'
import type { UndoInput } from './undo-job.ts'

/** Steps of one answer. */
const pageSize = 50

/** Rows of a step with one operation, collection and user, as the reader may see them. */
interface Part {
  operation: string
  /** 0: none; of the user, the machine's own terminal. */
  collectionId: number
  userId: number
  ofItems: 0 | 1
  at: number
  n: number
  undone: number
  items: number
}

/** What a part loses to hidden items. */
type HiddenPart = Pick<Part, 'operation' | 'collectionId' | 'userId' | 'n' | 'undone' | 'items'>

interface StepFacts {
  parts: readonly Part[]
  rows: number
  undone: number
  items: number
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0)

/** Collections that a step moved files out of: undoing it needs their lanes too. */
function collectionsOfMoves(db: LibraryDatabase, step: string): number[] {
  const rows = db.all<{ id: unknown }>(
    `SELECT DISTINCT CASE WHEN json_valid(before) THEN before ->> '$.collection' END AS id
     FROM history WHERE step = ? AND operation = ?`,
    step,
    fileMoveOperation,
  )
  // Where they went stands in the history's own column.
  return rows.flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
}

export function createHistory({ db, items, undos }: { db: LibraryDatabase; items: Items; undos: UndoTable }) {
  function mayHide(viewer: Viewer): boolean {
    return !showsHiddenTo(viewer) && hidesAnything(db)
  }

  /** SQL on `history AS h`: joins its item where that is hidden. */
  function hiddenItem(): Fragment {
    // The index of hidden items knows all but those that a job is still marking.
    return db.get('SELECT 1 FROM pending_hide LIMIT 1') === null
      ? raw('JOIN items AS i INDEXED BY items_hidden ON i.hidden_by > 0 AND i.id = h.item_id')
      : raw(`JOIN items AS i ON i.id = h.item_id AND ${isHiddenItem}`)
  }

  /** SQL on `history AS h`: is its item one that the reader sees, as far as hiding goes? */
  function shown(viewer: Viewer): Fragment {
    return mayHide(viewer)
      ? sql`NOT EXISTS (SELECT 1 FROM items AS i WHERE i.id = h.item_id AND ${raw(isHiddenItem)})`
      : raw('1')
  }

  /** What hidden items take from a step. */
  function hiddenPartsOf(step: string): HiddenPart[] {
    const { text, values } = sql`SELECT h.operation, coalesce(h.collection_id, 0) AS collectionId,
        coalesce(h.user_id, 0) AS userId, count(*) AS n, count(h.undone_by) AS undone,
        sum(NOT EXISTS (SELECT 1 FROM history AS first
          WHERE first.step = h.step AND first.item_id = h.item_id AND first.id < h.id)) AS items
      FROM history AS h CROSS ${hiddenItem()} WHERE h.step = ${step} GROUP BY 1, 2, 3`
    return db.all<HiddenPart>(text, ...values)
  }

  /** A step as its reader sees it; null: there is none, or everything that it did was done to hidden items. */
  function factsOf(viewer: Viewer, step: string): StepFacts | null {
    const all = db.all<Part>(
      `SELECT operation, collection_id AS collectionId, user_id AS userId, of_items AS ofItems, at, n, undone, items
       FROM history_parts WHERE step = ? ORDER BY first_id`,
      step,
    )
    const hidden = all.length > 0 && mayHide(viewer) ? hiddenPartsOf(step) : []
    const parts = all
      .map(part => {
        const own = hidden.find(
          ({ operation, collectionId, userId }) =>
            part.ofItems === 1 &&
            operation === part.operation &&
            collectionId === part.collectionId &&
            userId === part.userId,
        )
        return own === undefined
          ? part
          : { ...part, n: part.n - own.n, undone: part.undone - own.undone, items: part.items - own.items }
      })
      .filter(({ n }) => n > 0)
    const of = (pick: (part: Part) => number) => sum(parts.map(pick))
    const facts = { parts, rows: of(({ n }) => n), undone: of(({ undone }) => undone), items: of(part => part.items) }
    return facts.rows === 0 || (hidden.length > 0 && facts.items === 0) ? null : facts
  }

  function collectionsOf({ parts }: StepFacts): (number | null)[] {
    return [...new Set(parts.map(({ collectionId }) => (collectionId === 0 ? null : collectionId)))]
  }

  /** Whoever made it; null: the machine's own terminal. */
  function userOf({ parts }: StepFacts): number | null {
    const users = parts.map(({ userId }) => userId).filter(id => id !== 0)
    return users.length === 0 ? null : Math.min(...users)
  }

  /** Whoever made it, and those who administer everything that it touched. */
  function maySee(viewer: Viewer, facts: StepFacts): boolean {
    const user = userOf(facts)
    if (viewer.globalAdmin || (user !== null && user === viewer.userId)) return true
    return collectionsOf(facts).every(id => id !== null && rightsOn(viewer, id).admin)
  }

  function undosOf({ parts }: StepFacts) {
    return parts.map(({ operation, ofItems }) => undoOf(undos, { operation, itemId: ofItems === 1 ? 1 : null }))
  }

  /** An undo that was stopped, or that left what was changed since, can go on later. */
  function isUndone(facts: StepFacts): boolean {
    return facts.undone === facts.rows
  }

  /** Is one of its items at the least still there, and not undone? */
  function isAnyThere(viewer: Viewer, step: string): boolean {
    const { text, values } = sql`SELECT 1 FROM history AS h JOIN items ON items.id = h.item_id
      WHERE h.step = ${step} AND h.undone_by IS NULL AND ${shown(viewer)} LIMIT 1`
    return db.get(text, ...values) !== null
  }

  function isUndoable(viewer: Viewer, step: string, facts: StepFacts): boolean {
    if (isUndone(facts) || undosOf(facts).some(undo => undo === null)) return false
    // What was done to items that were deleted for good since cannot be taken back.
    return facts.parts.some(({ ofItems }) => ofItems === 0) || isAnyThere(viewer, step)
  }

  /** The one item of a step; null where it is hidden from the reader, or is no more: then it has no address for him. */
  function onlyItem(viewer: Viewer, step: string): number | null {
    const { text, values } = sql`SELECT h.item_id AS id FROM history AS h
      WHERE h.step = ${step} AND h.item_id IS NOT NULL AND ${shown(viewer)} LIMIT 1`
    const id = db.get<{ id: number }>(text, ...values)?.id ?? null
    return id !== null && items.sees(viewer, id) ? id : null
  }

  function stepJson(viewer: Viewer, step: string, facts: StepFacts): HistoryStep {
    const collections = collectionsOf(facts)
    const user = db.get<{ username: string }>('SELECT username FROM users WHERE id = ?', userOf(facts))
    const only = facts.items === 1 ? onlyItem(viewer, step) : null
    return {
      step,
      at: Math.max(...facts.parts.map(({ at }) => at)),
      username: user?.username ?? null,
      operation: facts.parts[0]?.operation ?? '',
      collection_id: collections.length === 1 ? (collections[0] ?? null) : null,
      items: facts.items,
      item_id: only,
      item_name:
        only === null ? null : (db.get<{ name: string }>('SELECT name FROM items WHERE id = ?', only)?.name ?? null),
      undoable: isUndoable(viewer, step, facts),
      undone: isUndone(facts),
      partly_undone: facts.undone > 0 && !isUndone(facts),
    }
  }

  /** What a reader asks about and may see, as far as its collection and user tell it. */
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
      const [table, id] =
        query.item === undefined ? [raw('history_parts'), raw('newest_id')] : [raw('history'), raw('id')]
      const steps: HistoryStep[] = []
      let before = query.before ?? Number.MAX_SAFE_INTEGER
      while (steps.length < pageSize) {
        const next = sql`SELECT ${id} AS id, step FROM ${table} WHERE ${id} < ${before} AND ${asked} ORDER BY ${id} DESC LIMIT 1`
        const row = db.get<{ id: number; step: string }>(next.text, ...next.values)
        if (row === null) return { steps, next: null }
        before = row.id
        const newest = sql`SELECT max(${id}) AS id FROM ${table} WHERE step = ${row.step} AND ${asked}`
        // An older part of a step that has been told.
        if (db.get<{ id: number }>(newest.text, ...newest.values)?.id !== row.id) continue
        const facts = factsOf(viewer, row.step)
        if (facts !== null && maySee(viewer, facts)) steps.push(stepJson(viewer, row.step, facts))
      }
      return { steps, next: before }
    },

    /** One step; null where there is none, or none that he may see. */
    find(viewer: Viewer, step: string): HistoryStep | null {
      demandSignedIn(viewer)
      const facts = factsOf(viewer, step)
      return facts === null || !maySee(viewer, facts) ? null : stepJson(viewer, step, facts)
    },

    /** Names of the files of its items as they are called now, at most so many, of those that the viewer may see. */
    namesOf(viewer: Viewer, step: string, most: number): string[] {
      demandSignedIn(viewer)
      const facts = factsOf(viewer, step)
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
      const facts = factsOf(viewer, step)
      if (facts === null || !maySee(viewer, facts)) throw notFound()
      if (isUndone(facts)) throw new Failure('conflict', 'This has been undone already.')
      if (!isUndoable(viewer, step, facts)) throw new Failure('conflict', 'This can’t be undone.')
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
