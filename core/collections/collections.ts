/** Collections: listing and creating them, and resolving paths and names. */
import { existsSync } from 'node:fs'
import { basename, resolve, sep } from 'node:path'
import type { Collection, NewCollection } from '../../schema/api/collections.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { accessGroups, accessMembers, collectionAccess } from '../../schema/tables/access.ts'
import { collections } from '../../schema/tables/collections.ts'
import { collectionsWith, notFound, requireOnCollection, seesHidden, type Viewer } from '../accounts/access.ts'
import { isWithin, realPath } from '../files/overlap.ts'
import { kindAtPath } from '../files/path-kind.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import { type CheckStore, requireFree, requireFreeName, validateNew } from './collection-checks.ts'
import { allCollections, collectionJson } from './collection-json.ts'
import { type CollectionRow, collectionById, collectionsByName, leavingCollections } from './collections.sql.ts'

export type { CollectionRow } from './collections.sql.ts'

/** How many items of each collection the viewer sees, by the collection's id. */
export type CountItems = (viewer: Viewer, includeHidden: boolean) => Map<number, number>

interface Store extends CheckStore {
  clock: Clock
  pairing: boolean
  countItems: CountItems
}

async function create(store: Store, viewer: Viewer, input: NewCollection): Promise<CollectionRow> {
  const request = validateNew(store, viewer, input)
  const { name, pairing = store.pairing } = request
  return store.db.transact(viewer, tx => {
    requireFreeName(tx, name)
    requireFree(store, request.path)
    const row = { ...request, pairing, createdAt: seconds(store.clock) }
    const id = tx.orm.insert(collections).values(row).run().lastInsertRowid
    const addGroup = (name: string, admin: boolean, position: number) => {
      const groupId = tx.orm.insert(accessGroups).values({ name, admin }).run().lastInsertRowid
      tx.orm.insert(collectionAccess).values({ collectionId: id, groupId, position }).run()
      return groupId
    }
    // Every collection starts with two groups: its administrators, and visitors (not public yet).
    const admins = addGroup(`${name} administrators`, true, 0)
    addGroup(`${name} visitors`, false, 1)
    if (viewer.userId !== null) tx.orm.insert(accessMembers).values({ groupId: admins, userId: viewer.userId }).run()
    tx.event(channels.collection(id), { action: 'create', collection: { id } })
    tx.event(channels.rights, { action: 'update' })
    tx.audit('collection.create', { collection: id, name })
    tx.history({ operation: 'collection.create', collectionId: id, after: request })
    const made = tx.get(collectionById, id)
    if (made === null) throw new Error('the new collection is not there')
    return made
  })
}

/** A name for a collection from its directory's name, extended if necessary to be unique. */
function nameFor(rows: readonly CollectionRow[], path: string): string {
  const stem = basename(path) === '' ? 'Library' : basename(path)
  const base = (stem.length < 3 ? `${stem} pictures` : stem).slice(0, 190)
  const taken = new Set(rows.map(row => row.name.toLowerCase()))
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base} ${n}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

/** A collection as it would be created: without a row and with the id 0. */
function previewRow(store: Store, viewer: Viewer, input: NewCollection): CollectionRow {
  const { name, path } = validateNew(store, viewer, input)
  return {
    id: 0,
    name,
    path,
    path_variant: '',
    last_scan: null,
    folder_format: '',
    file_format: '',
    managed: 0,
    readonly: 0,
    write_back: 'off',
    pairing: store.pairing ? 1 : 0,
    keep_private: 0,
    root_device: null,
    safety_stop: null,
    safety_stop_items: 0,
    created_at: seconds(store.clock),
  }
}

/** The collection, part of a collection or other directory (its real path) that a word typed in the terminal means. */
function resolveWord(
  rows: readonly CollectionRow[],
  word: string,
): { row: CollectionRow; below: string | null } | { row: null; path: string } {
  const named =
    rows.find(row => row.name === word) ??
    rows.find(row => row.name.toLowerCase() === word.toLowerCase()) ??
    rows.find(row => /^\d+$/.test(word) && row.id === Number(word))
  // A word that names a collection refers to it, even if a directory of that name exists here, or is unreadable.
  if (named !== undefined && !word.includes(sep)) return { row: named, below: null }
  const path = resolve(word)
  const place = kindAtPath(path)
  const isThere = place !== 'nothing' && place !== 'blocked'
  const real = realPath(path)
  for (const row of rows) {
    const root = realPath(row.path)
    if (real === root || path === row.path) return { row, below: null }
    if (!isWithin(real, root)) continue
    // While the collection's disk is missing, its content is unknown: the scan stops for safety.
    if (!isThere && existsSync(root)) {
      throw new Failure('notFound', sentence`There is no directory ${path} in the collection '${row.name}'.`)
    }
    if (isThere && place !== 'directory') {
      throw new Failure('notFound', sentence`${path} is a file. Give its directory.`)
    }
    return { row, below: real.slice(root.length + 1) }
  }
  if (place !== 'directory') {
    const existing = rows.length === 0 ? 'There are none yet.' : `There are: ${rows.map(row => row.name).join(', ')}.`
    throw new Failure('notFound', sentence`'${word}' is neither a directory nor a collection. ${existing}`)
  }
  return { row: null, path: real }
}

export function createCollections(store: Store) {
  const { db } = store
  const all = (): CollectionRow[] => db.all(collectionsByName)
  const byId = (id: number) => db.get(collectionById, id)

  return {
    all,
    byId,

    list(viewer: Viewer, query: { includeHidden?: string }): Collection[] {
      const seen = collectionsWith(viewer, 'view')
      const counts = store.countItems(viewer, seesHidden(viewer, query.includeHidden))
      // Collections that are being forgotten are not listed.
      const gone = new Set(db.all(leavingCollections).map(({ id }) => id))
      const rows = all().filter(row => (seen === 'all' || seen.includes(row.id)) && !gone.has(row.id))
      const shown = rows.map(row => collectionJson(db, viewer, row, counts.get(row.id) ?? 0))
      return [allCollections(shown.reduce((sum, { itemcount }) => sum + itemcount, 0)), ...shown]
    },

    async create(viewer: Viewer, input: NewCollection): Promise<Collection> {
      return collectionJson(db, viewer, await create(store, viewer, input), 0)
    },

    /** The collection if the caller may see it and has the right: 401, 404 or 403 otherwise. */
    requireRight(viewer: Viewer, id: number, right: 'view' | 'create' | 'update' | 'admin'): CollectionRow {
      requireOnCollection(viewer, id, right)
      const row = byId(id)
      if (row === null) throw notFound()
      return row
    },

    /**
     * Resolves a word of the terminal: a collection's id or name, its directory, or a directory within it (`below`).
     * With `create`, a directory that belongs to no collection becomes a collection named after it.
     */
    async resolve(
      viewer: Viewer,
      word: string,
      options: { create: boolean },
    ): Promise<{ row: CollectionRow; below: string | null }> {
      const meant = resolveWord(all(), word)
      if (meant.row !== null) return meant
      const { path } = meant
      if (!options.create) throw new Failure('notFound', sentence`${resolve(word)} belongs to no collection.`)
      try {
        return { row: await create(store, viewer, { name: nameFor(all(), path), path }), below: null }
      } catch (error) {
        // A concurrent command has created the collection meanwhile.
        const made = all().find(row => row.path === path)
        if (made === undefined) throw error
        return { row: made, below: null }
      }
    },

    /** Like `resolve` with `create`, but creates nothing: a collection that does not exist yet has the id 0. */
    preview(viewer: Viewer, word: string): { row: CollectionRow; below: string | null; isNew: boolean } {
      const meant = resolveWord(all(), word)
      if (meant.row !== null) return { ...meant, isNew: false }
      const { path } = meant
      return { row: previewRow(store, viewer, { name: nameFor(all(), path), path }), below: null, isNew: true }
    },
  }
}

export type Collections = ReturnType<typeof createCollections>
