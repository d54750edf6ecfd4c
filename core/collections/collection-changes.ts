/** Changing a collection's settings, and forgetting a collection. Its files are never touched. */
import { eq } from 'drizzle-orm'
import type { Collection, CollectionChanges } from '../../schema/api/collections.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { collections as table } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { notFound, requireGlobalAdmin, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { requireNothingHidden } from '../filter/hidden-items.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { Jobs } from '../work/jobs.ts'
import { type CheckStore, requireSettings } from './collection-checks.ts'
import { collectionJson, settingsOf } from './collection-json.ts'
import { type CollectionRow, itemsToLose } from './collections.sql.ts'
import type { Collections, CountItems } from './collections.ts'

/** Number of items: a larger collection is forgotten by a background worker, unless the terminal removes it. */
const maxAtOnce = 500

type Settings = ReturnType<typeof settingsOf>

function withChanges(before: Settings, request: CollectionChanges): Settings {
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
  return { ...before, ...given }
}

function changedFields(before: Settings, after: Settings): string[] {
  const was = new Map(Object.entries(before))
  return Object.entries(after).flatMap(([name, value]) => (was.get(name) === value ? [] : [name]))
}

interface Store extends CheckStore {
  collections: Collections
  countItems: CountItems
  jobs: Jobs
}

export function createCollectionChanges(store: Store) {
  const { db, collections, countItems, jobs, allowed } = store

  function rowOf(id: number): CollectionRow {
    const row = collections.byId(id)
    if (row === null) throw notFound()
    return row
  }

  return {
    /**
     * Changes the given settings; the path never changes. Invalid combinations fail with the field's name. In a
     * collection with hidden items, an unlocked session is needed to change the variants path (409 otherwise).
     */
    async update(viewer: Viewer, id: number, request: CollectionChanges): Promise<Collection> {
      requireGlobalAdmin(viewer)
      const { path, path_variant: variants } = rowOf(id)
      if (request.pathVariant !== undefined && request.pathVariant !== variants)
        requireNothingHidden(db, viewer, id, 'pathVariant')
      // An unchanged variants path need not be allowed.
      if (request.pathVariant !== undefined && request.pathVariant !== '' && request.pathVariant !== variants)
        allowed.requireAllowed(viewer, request.pathVariant, 'pathVariant')
      // Accesses the disk, so it runs before the transaction; the checks of prefix and name are repeated within it.
      requireSettings(store, { ...withChanges(settingsOf(rowOf(id)), request), id, path })
      const row = await db.transact(viewer, tx => {
        const before = settingsOf(rowOf(id))
        const after = withChanges(before, request)
        requireSettings(store, { ...after, id, path, pathVariant: '' })
        tx.orm.update(table).set(after).where(eq(table.id, id)).run()
        tx.audit('collection.update', { collection: id, name: after.name, fields: changedFields(before, after) })
        tx.history({ operation: 'collection.update', collectionId: id, before, after })
        tx.event(channels.collection(id), { action: 'update', collection: { id } })
        // The visibility of people and places has changed.
        if (after.keepPrivate !== before.keepPrivate) tx.event(channels.rights, { action: 'update' })
        return rowOf(id)
      })
      return collectionJson(db, viewer, row, countItems(viewer, false).get(id) ?? 0)
    },

    /** Counts the items of a collection to be forgotten, and those that users changed; only what the viewer sees. */
    previewRemoval(viewer: Viewer, id: number): { items: number; edited: number } {
      requireGlobalAdmin(viewer)
      rowOf(id)
      const row = db.get(itemsToLose(showsHiddenTo(viewer)), id)
      return { items: row?.items ?? 0, edited: row?.edited ?? 0 }
    },

    /**
     * Forgets a collection with all metadata. `busy` while a job works on it; 409 if items are hidden and the viewer
     * has not unlocked. A large collection leaves the list of collections at once; a worker deletes its rows later.
     */
    async remove(viewer: Viewer, id: number): Promise<void> {
      requireGlobalAdmin(viewer)
      const { name } = rowOf(id)
      requireNothingHidden(db, viewer, id, 'collectionId')
      if (jobs.inLane(`collection-${id}`)) {
        throw new Failure(
          'busy',
          sentence`A job is working on the collection '${name}'. Cancel it first, or wait until it ends.`,
        )
      }
      const ofCollection = db.orm.select({ id: items.id }).from(items).where(eq(items.collectionId, id))
      const few = ofCollection.limit(maxAtOnce + 1).all().length <= maxAtOnce
      const inProcess = few || viewer.kind === 'terminal'
      const also = (tx: Transaction) => tx.audit('collection.delete', { collection: id, name })
      const job = await jobs.enqueue(viewer, 'forget', { collectionId: id }, { inProcess, also })
      if (inProcess) await jobs.run(job)
    },
  }
}

export type CollectionChangesModule = ReturnType<typeof createCollectionChanges>
