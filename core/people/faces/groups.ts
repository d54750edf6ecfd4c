/** Operations on groups of unnamed faces: list, name, merge, split, ignore. */
import type { z } from 'zod'
import type { ChangedGroup, FaceGroup, GroupFace } from '../../../schema/api/faces.ts'
import type { pageMeta } from '../../../schema/api/items.ts'
import { boxSimilarity, hasNoBox } from '../../../schema/boxes.ts'
import { Failure, sentence } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { faceGroups } from '../../../schema/tables/faces.ts'
import {
  collectionsWith,
  notFound,
  requireUpdateSomewhere,
  seesHidden,
  showsHiddenTo,
  terminalViewer,
  type Viewer,
} from '../../accounts/access.ts'
import { current, unnamed } from '../../editing/boxes/boxes.sql.ts'
import { vectorOfBytes } from '../../editing/boxes/vectors.ts'
import { changeItem, itemToEdit } from '../../editing/item-edit.ts'
import type { StoredBox } from '../../editing/item-parts.ts'
import { createSeenItems } from '../../filter/seen-items.ts'
import { reloadsOf } from '../../items/item-json.ts'
import { shownSides } from '../../items/region-geometry.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { type Fragment, idsIn, joined, raw, sql } from '../../kernel/database/sql-fragment.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { newPerson, personRow } from '../people.ts'
import { displayedBox } from './displayed-box.ts'
import { moveFacesToGroup, setIgnored } from './group-steps.ts'
import { chosenFaces, facesOfGroup, groupsWith } from './groups.sql.ts'
import type { KnownFaces } from './known.ts'

type FaceRow = RowOfQuery<ReturnType<typeof facesOfGroup>>
type GroupRow = RowOfQuery<ReturnType<typeof groupsWith>>

interface GroupStore {
  db: LibraryDatabase
  known: KnownFaces
  model: string
}

/** A group's centre is computed from at least this many of its faces, if it has them. */
const minFacesForCentre = 60
const itemsAtOnce = 50

function faceJson(row: FaceRow): GroupFace {
  const sides = { width: row.item_width, height: row.item_height }
  return {
    id: row.id,
    ...displayedBox(row, row.rotation, sides),
    score: row.score,
    item: {
      id: row.item_id,
      collection_id: row.collection_id,
      name: row.name,
      ...shownSides(sides, row.rotation),
      taken: row.taken,
      reloads: reloadsOf(row),
    },
  }
}

/** The faces of a group, nearest to its centre first. */
function byDistanceFromCentre(rows: readonly FaceRow[]): { row: FaceRow; vector: Float32Array }[] {
  const all = rows.map(row => ({ row, vector: vectorOfBytes(row.vector) }))
  const total = new Float32Array(all[0]?.vector.length ?? 0)
  for (const { vector } of all) for (const [n, number] of vector.entries()) total[n] = (total[n] ?? 0) + number
  const distanceOf = (vector: Float32Array) =>
    vector.reduce((sum, number, n) => sum + (number - (total[n] ?? 0) / all.length) ** 2, 0)
  return all
    .map(one => ({ ...one, distance: distanceOf(one.vector) }))
    .sort((a, b) => a.distance - b.distance || a.row.id - b.row.id)
}

/** Resolves or creates the person, who stays when the step is undone. Throws 'invalid' if there is no such person. */
function resolveOrCreatePerson(tx: Transaction, person: number | { name: string }): number {
  if (typeof person === 'object') return newPerson(tx, { names: [person.name], apart: true })
  if (personRow(tx, person) !== null) return person
  throw new Failure('invalid', sentence`There is no person with the id ${person}.`, { field: 'person' })
}

/** Condition on `f` and `i`: grouped faces, unnamed unless `includesNamed`, on items that the viewer sees and may change. */
function editableFaces(
  { db, model }: GroupStore,
  viewer: Viewer,
  showsHidden: boolean,
  includesNamed = false,
): Fragment {
  const collections = collectionsWith(viewer, 'update')
  return joined(
    [
      sql`f.model = ${model} AND f.group_id IS NOT NULL AND ${raw(current)}`,
      ...(includesNamed ? [] : [raw(unnamed)]),
      createSeenItems({ db }).visibleCondition(viewer, 'live', showsHidden),
      ...(collections === 'all' ? [] : [sql`i.collection_id IN ${idsIn(collections)}`]),
    ],
    ' AND ',
  )
}

function facesOf({ db }: GroupStore, { text, values }: Fragment, id: number, max = -1): FaceRow[] {
  return db.all(facesOfGroup(text), id, ...values, max)
}

/** The faces among `ids` that are in the group and meet the condition: by picture, then the most certain first. */
function groupFacesAmong(tx: Pick<Transaction, 'all'>, { text, values }: Fragment, id: number, ids: readonly number[]) {
  return tx.all(chosenFaces(text), id, JSON.stringify(ids), ...values)
}

/** Like `groupFacesAmong`, but throws if a face is missing. */
function requireFaces(
  store: GroupStore,
  viewer: Viewer,
  id: number,
  ids: readonly number[],
  includesNamed = false,
): FaceRow[] {
  const distinct = [...new Set(ids)]
  const rows = groupFacesAmong(
    store.db,
    editableFaces(store, viewer, showsHiddenTo(viewer), includesNamed),
    id,
    distinct,
  )
  if (rows.length < distinct.length) throw notFound()
  return rows
}

function groupOf({ db }: GroupStore, { text, values }: Fragment, id: number): GroupRow | null {
  return db.get(groupsWith('g.id = ?', text), id, ...values)
}

function requireGroup(store: GroupStore, where: Fragment, id: number): GroupRow {
  const row = groupOf(store, where, id)
  if (row === null) throw notFound()
  return row
}

function groupJson(store: GroupStore, where: Fragment, { id, n, ignored }: GroupRow, shows: number): FaceGroup {
  const faces = byDistanceFromCentre(facesOf(store, where, id, Math.max(shows, minFacesForCentre)))
  const [middle] = faces
  return {
    id,
    count: n,
    ignored: ignored === 1,
    suggestions: middle === undefined ? [] : store.known.suggest(store.model, middle.row.id, middle.vector),
    faces: faces.slice(0, shows).map(({ row }) => faceJson(row)),
  }
}

function getGroup(store: GroupStore, viewer: Viewer, id: number, showsHidden = showsHiddenTo(viewer)): FaceGroup {
  const where = editableFaces(store, viewer, showsHidden)
  return groupJson(store, where, requireGroup(store, where, id), limits.faces.atOnce)
}

/** The item's people with the face as a region of this person; null if the person has a box on the picture already. */
function boxesWith(people: readonly StoredBox[], face: FaceRow, person: number): StoredBox[] | null {
  const there = people.find(({ subject }) => subject === person)
  if (there !== undefined && !hasNoBox(there)) return null
  const [unnamedBox] = people
    .filter(box => box.subject === null && boxSimilarity(box, face) > 0)
    .sort((a, b) => boxSimilarity(b, face) - boxSimilarity(a, face))
  const { x, y, width, height } = face
  const source = 'face' as const
  if (unnamedBox !== undefined) {
    // The unnamed box becomes the person's, and replaces an entry of the person without a box.
    return people
      .filter(box => box !== there)
      .map(box => (box.id === unnamedBox.id ? { ...box, subject: person, source } : box))
  }
  // The item lists the person without a box: the entry gets the face's box.
  if (there !== undefined)
    return people.map(box => (box.id === there.id ? { ...box, x, y, width, height, source } : box))
  return [...people, { id: null, subject: person, x, y, width, height, source }]
}

/** Names one of a picture's faces. Returns how many were named. */
function personNameAt(tx: Transaction, faces: readonly FaceRow[], person: number): number {
  const [first] = faces
  const item = first === undefined ? null : itemToEdit(tx, first.item_id)
  // A person is on a picture once: of two faces of a group, the more certain one is named.
  const boxes = item === null || first === undefined ? null : boxesWith(item.parts.people, first, person)
  if (item === null || boxes === null) return 0
  return changeItem(tx, item, { people: boxes }, { operation: 'item.region' }).changed ? 1 : 0
}

function createChanges(store: GroupStore) {
  const newGroup = (tx: Transaction, ignored = false) =>
    tx.orm.insert(faceGroups).values({ model: store.model, ignored }).run().lastInsertRowid

  const idsOf = (where: Fragment, id: number) => facesOf(store, where, id).map(face => face.id)

  /** Runs a change as one step. `change` checks that everything still exists, and returns the group to show. */
  async function runAsStep(viewer: Viewer, change: (tx: Transaction) => number): Promise<ChangedGroup> {
    const step = crypto.randomUUID()
    const id = await store.db.transact({ userId: viewer.userId, step }, change)
    return { group: getGroup(store, viewer, id), step }
  }

  return {
    /** Merges the other groups into this one, as one step of the history. */
    async merge(viewer: Viewer, id: number, others: readonly number[]): Promise<ChangedGroup> {
      requireUpdateSomewhere(viewer)
      const where = editableFaces(store, viewer, showsHiddenTo(viewer))
      if (others.includes(id))
        throw new Failure('invalid', 'A group cannot be merged with itself.', { field: 'groups' })
      return runAsStep(viewer, tx => {
        for (const one of [id, ...others]) requireGroup(store, where, one)
        // Only unnamed faces on items that the viewer sees and may change are moved.
        for (const from of new Set(others))
          moveFacesToGroup(tx, { faces: idsOf(where, from), from, to: id }, 'faces.merge')
        return id
      })
    },

    async split(viewer: Viewer, id: number, ids: readonly number[]): Promise<ChangedGroup> {
      requireUpdateSomewhere(viewer)
      return runAsStep(viewer, tx => {
        const faces = requireFaces(store, viewer, id, ids).map(face => face.id)
        const to = newGroup(tx)
        moveFacesToGroup(tx, { faces, from: id, to }, 'faces.split')
        return to
      })
    },

    async ignore(viewer: Viewer, id: number, ignored: boolean): Promise<ChangedGroup> {
      requireUpdateSomewhere(viewer)
      const where = editableFaces(store, viewer, showsHiddenTo(viewer))
      return runAsStep(viewer, tx => {
        requireGroup(store, where, id)
        const faces = idsOf(where, id)
        if (faces.length === idsOf(editableFaces(store, terminalViewer, true), id).length) {
          setIgnored(tx, id, ignored)
          return id
        }
        // The group has faces that the viewer does not see or may not change. They stay; the viewer's get their own group.
        const splitGroup = newGroup(tx, !ignored)
        moveFacesToGroup(tx, { faces, from: id, to: splitGroup }, 'faces.split')
        setIgnored(tx, splitGroup, ignored)
        return splitGroup
      })
    },
  }
}

interface ListRequest {
  page?: number | undefined
  limit?: number | undefined
  ignored?: boolean | undefined
  includeHidden?: string | undefined
}

export function createFaceGroups(store: GroupStore) {
  const { db } = store
  const mayShowHidden = (viewer: Viewer, includeHidden: string | undefined) =>
    viewer.kind === 'terminal' || seesHidden(viewer, includeHidden)

  return {
    ...createChanges(store),

    list(viewer: Viewer, query: ListRequest): { _meta: z.output<typeof pageMeta>; groups: FaceGroup[] } {
      requireUpdateSomewhere(viewer)
      const { page = 1, limit = limits.faces.groupsShown, ignored = false } = query
      const where = editableFaces(store, viewer, mayShowHidden(viewer, query.includeHidden))
      const rows = db.all(groupsWith('g.ignored = ?', where.text), ignored ? 1 : 0, ...where.values)
      const shown = rows.slice((page - 1) * limit, page * limit)
      return {
        _meta: { total_records: rows.length, limit, page, count: shown.length },
        groups: shown.map(row => groupJson(store, where, row, limits.faces.groupShows)),
      }
    },

    get(viewer: Viewer, id: number, includeHidden: string | undefined): FaceGroup {
      requireUpdateSomewhere(viewer)
      return getGroup(store, viewer, id, mayShowHidden(viewer, includeHidden))
    },

    /** Creates regions of these faces as one step of the history. Throws `conflict` if all were named meanwhile. */
    async name(
      viewer: Viewer,
      id: number,
      { person, faces }: { person: number | { name: string }; faces: readonly number[] },
    ): Promise<{ person: number; named: number; overtaken: number; left: number; step: string }> {
      requireUpdateSomewhere(viewer)
      const pictures = [...Map.groupBy(requireFaces(store, viewer, id, faces, true), row => row.item_id).values()]
      const editableUnnamed = editableFaces(store, viewer, showsHiddenTo(viewer))
      const done = { named: 0, overtaken: 0, left: 0, step: crypto.randomUUID() }
      let personId: number | null = null
      for (let from = 0; from < pictures.length; from += itemsAtOnce) {
        const ids = pictures.slice(from, from + itemsAtOnce).flatMap(rows => rows.map(row => row.id))
        await db.transact({ userId: viewer.userId, step: done.step }, tx => {
          // Another request may have named some of these faces meanwhile.
          const there = groupFacesAmong(tx, editableUnnamed, id, ids)
          done.overtaken += ids.length - there.length
          if (there.length === 0) return
          const personToName = personId ?? resolveOrCreatePerson(tx, person)
          personId = personToName
          for (const rows of Map.groupBy(there, row => row.item_id).values())
            done.named += personNameAt(tx, rows, personToName)
        })
      }
      if (personId === null || done.overtaken === new Set(faces).size)
        throw new Failure('conflict', 'Another user has just named these faces.')
      return {
        person: personId,
        ...done,
        left: groupOf(store, editableFaces(store, viewer, showsHiddenTo(viewer)), id)?.n ?? 0,
      }
    },
  }
}
