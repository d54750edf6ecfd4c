/** The history: its steps as a reader may see them, and whether they can be undone. */
import type { HistoryStep } from '../../schema/api/history.ts'
import { Failure } from '../../schema/errors.ts'
import { collectionsWith, notFound, requireSignedIn, rightsOn, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { allOf, firstOf } from '../filter/bound.ts'
import { hidesAnything } from '../filter/hidden-items.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, idsIn, joined, raw, sql } from '../kernel/database/sql-fragment.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { roleInAlbum } from '../words/seen-albums.ts'
import * as statements from './history.sql.ts'
import { fileMoveOperation, isOfFiles, type UndoTable, undoOf } from './undo.ts'
import type { UndoInput } from './undo-job.ts'

const pageSize = 50

interface HistoryStore {
  db: LibraryDatabase
  items: Items
  undos: UndoTable
}

interface StepFacts {
  step: string
  parts: readonly RowOfQuery<typeof statements.partsOfStep>[]
  rows: number
  undone: number
  items: number
}

/** Collections that a step moved files out of: undoing it needs their lanes too. */
function collectionsOfMoves(db: LibraryDatabase, step: string): number[] {
  // The column `collection_id` has the target, so only the sources are returned.
  return db
    .all(statements.sourceCollections, step, fileMoveOperation)
    .flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
}

function leavesOutHidden(db: LibraryDatabase, viewer: Viewer): boolean {
  return !showsHiddenTo(viewer) && hidesAnything(db)
}

/** A step as its reader sees it; null if it does not exist, or all its items are hidden. */
function factsOf({ db }: HistoryStore, viewer: Viewer, step: string): StepFacts | null {
  const all = db.all(statements.partsOfStep, step)
  const hidden =
    all.length > 0 && leavesOutHidden(db, viewer)
      ? allOf(db, statements.hiddenParts(step, db.get(statements.anyBeingHidden) !== null))
      : []
  const parts = all
    .map(part => {
      const hiddenPart = hidden.find(
        ({ operation, collectionId, userId }) =>
          part.ofItems === 1 &&
          operation === part.operation &&
          collectionId === part.collectionId &&
          userId === part.userId,
      )
      return hiddenPart === undefined
        ? part
        : {
            ...part,
            n: part.n - hiddenPart.n,
            undone: part.undone - hiddenPart.undone,
            items: part.items - hiddenPart.items,
          }
    })
    .filter(({ n }) => n > 0)
  const sumOf = (key: 'n' | 'undone' | 'items') => parts.reduce((sum, part) => sum + part[key], 0)
  const facts = { step, parts, rows: sumOf('n'), undone: sumOf('undone'), items: sumOf('items') }
  return facts.rows === 0 || (hidden.length > 0 && facts.items === 0) ? null : facts
}

function collectionIdsOf({ parts }: StepFacts): (number | null)[] {
  return [...new Set(parts.map(({ collectionId }) => (collectionId === 0 ? null : collectionId)))]
}

/** The user of a step; null means the machine's own terminal. */
function userIdOf({ parts }: StepFacts): number | null {
  const users = parts.map(({ userId }) => userId).filter(id => id !== 0)
  return users.length === 0 ? null : Math.min(...users)
}

function visibleFacts(store: HistoryStore, viewer: Viewer, step: string): StepFacts | null {
  const facts = factsOf(store, viewer, step)
  if (facts === null) return null
  const user = userIdOf(facts)
  const maySee =
    viewer.globalAdmin ||
    (user !== null && user === viewer.userId) ||
    collectionIdsOf(facts).every(id => id !== null && rightsOn(viewer, id).admin)
  return maySee ? facts : null
}

function undosOf({ undos }: HistoryStore, { parts }: StepFacts) {
  return parts.map(({ operation, ofItems }) => undoOf(undos, { operation, itemId: ofItems === 1 ? 1 : null }))
}

/** Whether nothing is left to undo. An undo that was stopped, or that skipped changed items, can be continued. */
function isUndone(facts: StepFacts): boolean {
  return facts.undone === facts.rows
}

function isUndoable(store: HistoryStore, viewer: Viewer, facts: StepFacts): boolean {
  const { db } = store
  if (isUndone(facts) || undosOf(store, facts).some(undo => undo === null)) return false
  // Changes of items that were deleted for good cannot be undone.
  if (facts.parts.some(({ ofItems }) => ofItems === 0)) return true
  return firstOf(db, statements.itemToUndo(facts.step, leavesOutHidden(db, viewer))) !== null
}

/** The only item of a step; null when it is deleted or hidden from the reader. */
function onlyItem({ db, items }: HistoryStore, viewer: Viewer, step: string) {
  const id = firstOf(db, statements.itemOfStep(step, leavesOutHidden(db, viewer)))?.id ?? null
  if (id === null || !items.canSee(viewer, id)) return null
  return db.get(statements.itemName, id)
}

/** The name of the album that a step changed, if the viewer has a role in it. */
function albumName({ db }: HistoryStore, viewer: Viewer, { step, parts }: StepFacts): string | null {
  if (parts[0]?.operation.startsWith('album.') !== true) return null
  const album = db.get(statements.albumOfStep, step)
  return album !== null && roleInAlbum(db, viewer, album.id) !== null ? album.name : null
}

function stepJson(store: HistoryStore, viewer: Viewer, facts: StepFacts): HistoryStep {
  const { db } = store
  const [collection = null, ...others] = collectionIdsOf(facts)
  const user = userIdOf(facts)
  const only = facts.items === 1 ? onlyItem(store, viewer, facts.step) : null
  return {
    step: facts.step,
    at: Math.max(...facts.parts.map(({ at }) => at)),
    username: user === null ? null : (db.get(statements.usernameOf, user)?.username ?? null),
    operation: facts.parts[0]?.operation ?? '',
    collection_id: others.length === 0 ? collection : null,
    items: facts.items,
    item_id: only?.id ?? null,
    item_name: only?.name ?? albumName(store, viewer, facts),
    undoable: isUndoable(store, viewer, facts),
    undone: isUndone(facts),
    partly_undone: facts.undone > 0 && !isUndone(facts),
    is_undo: db.get(statements.undoneByStep, facts.step) !== null,
  }
}

/** Condition on rows of the history: the reader requested them and may see them. */
function requestedRows(viewer: Viewer, collectionId: number, item: number | undefined): Fragment {
  const conditions = [raw('1')]
  if (collectionId !== 0) conditions.push(sql`collection_id = ${collectionId}`)
  if (item !== undefined) conditions.push(sql`item_id = ${item}`)
  const administered = collectionsWith(viewer, 'admin')
  if (administered !== 'all') {
    conditions.push(sql`(user_id = ${viewer.userId} OR collection_id IN ${idsIn(administered)})`)
  }
  return joined(conditions, ' AND ')
}

export function createHistory(store: HistoryStore) {
  const { db, items } = store
  return {
    /** Lists steps that the viewer may see, newest first. `next`: `before` of the next page; null at the end. */
    list(
      viewer: Viewer,
      { collectionId }: { collectionId: number },
      query: { before?: number | undefined; item?: number | undefined },
    ): { steps: HistoryStep[]; next: number | null } {
      requireSignedIn(viewer)
      if (query.item !== undefined && !items.canSee(viewer, query.item)) return { steps: [], next: null }
      const request = requestedRows(viewer, collectionId, query.item)
      const source = query.item === undefined ? 'parts' : 'rows'
      const steps: HistoryStep[] = []
      let before = query.before ?? Number.MAX_SAFE_INTEGER
      while (steps.length < pageSize) {
        const row = firstOf(db, statements.rowBefore(source, before, request))
        if (row === null) return { steps, next: null }
        before = row.id
        // Skips an older part of a step that is in the list already.
        if (firstOf(db, statements.newestRow(source, row.step, request))?.id !== row.id) continue
        const facts = visibleFacts(store, viewer, row.step)
        if (facts !== null) steps.push(stepJson(store, viewer, facts))
      }
      return { steps, next: before }
    },

    /** Returns one step; null if it does not exist or the viewer may not see it. */
    find(viewer: Viewer, step: string): HistoryStep | null {
      requireSignedIn(viewer)
      const facts = visibleFacts(store, viewer, step)
      return facts === null ? null : stepJson(store, viewer, facts)
    },

    /** Current file names of the step's items that the viewer may see, at most `limit` of them. */
    namesOf(viewer: Viewer, step: string, limit: number): string[] {
      requireSignedIn(viewer)
      if (visibleFacts(store, viewer, step) === null) return []
      const names: string[] = []
      for (const { id, name } of db.all(statements.namesOfStep, step, limit * 2)) {
        if (names.length < limit && items.canSee(viewer, id)) names.push(name)
      }
      return names
    },

    /** Checks that a step can be undone by the viewer; returns the input of the job `undo`. */
    planUndo(viewer: Viewer, step: string): UndoInput {
      requireSignedIn(viewer)
      const facts = visibleFacts(store, viewer, step)
      if (facts === null) throw notFound()
      if (isUndone(facts)) throw new Failure('conflict', 'This was already undone.')
      if (!isUndoable(store, viewer, facts)) throw new Failure('conflict', 'This can’t be undone.')
      const collections = collectionIdsOf(facts).filter(id => id !== null)
      const [collectionId = null] = collections
      const ofFiles = undosOf(store, facts).some(isOfFiles)
      return {
        step,
        undoStep: crypto.randomUUID(),
        userId: viewer.userId,
        showsHidden: showsHiddenTo(viewer),
        collectionId: collections.length === 1 ? collectionId : null,
        // Only one job at a time may write to a collection's files. Without files, only undoing the same step twice at
        // once must be prevented.
        lane: ofFiles
          ? [...new Set([...collections, ...collectionsOfMoves(db, step)])].map(id => `collection-${id}`).join(' ')
          : `undo-${step}`,
      }
    },
  }
}

export type History = ReturnType<typeof createHistory>
