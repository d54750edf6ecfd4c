/** Objects: named things on pictures. */
import { and, asc, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type { ObjectProperty, ThingObject } from '../../schema/api/objects.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { keyOf } from '../../schema/keys.ts'
import { channels } from '../../schema/realtime.ts'
import { textDue } from '../../schema/tables/changes.ts'
import { objectProperties, objects } from '../../schema/tables/vocabulary.ts'
import {
  mayUpdateSomewhere,
  notFound,
  requireGlobalAdmin,
  requireUpdateSomewhere,
  seesHidden,
  type Viewer,
} from '../accounts/access.ts'
import { changeItem, requireItemToEdit } from '../editing/item-edit.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { prepared } from '../kernel/database/orm.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { publishCollections } from '../kernel/events.ts'
import { cleanKeystring, keystringKey } from '../words/keystrings.ts'
import { renamedFrom } from '../words/renamed.ts'
import { countByKey, countOfKey, type HiddenRequest } from './key-counts.ts'
import { countItemsUnder } from './key-sweep.ts'
import { nameChanged } from './text-job.ts'
import { itemsOfObject, objectById, objectsByName } from './vocabulary.sql.ts'

const objectByNameKey = prepared(orm =>
  orm
    .select()
    .from(objects)
    .where(eq(objects.nameKey, sql.placeholder('nameKey')))
    .orderBy(asc(objects.id))
    .limit(1)
    .prepare(),
)

/**
 * Id of the object with this name, created if necessary. Null for ''. `fromFile`: the name was read from a file, so a
 * former name counts too.
 */
export function findOrCreateObject(tx: Transaction, raw: string, { fromFile = false } = {}): number | null {
  const name = cleanKeystring(raw)
  if (name === '') return null
  const nameKey = keystringKey(name)
  const known = objectByNameKey(tx).get({ nameKey })?.id
  const renamed = known === undefined && fromFile ? renamedFrom(tx, 'object', nameKey) : null
  return known ?? renamed ?? tx.orm.insert(objects).values({ name, nameKey }).run().lastInsertRowid
}

type ObjectRow = RowOfQuery<typeof objectById>

interface ObjectInput {
  name?: string | undefined
  description?: string | undefined
  isObjectId?: number | null | undefined
}

export function objectRow(tx: Pick<Transaction, 'get'>, id: number): ObjectRow | null {
  return tx.get(objectById, id)
}

const { objectId, ...property } = getTableColumns(objectProperties)

function propertiesOf({ orm }: Pick<LibraryDatabase, 'orm'>, id: number): ObjectProperty[] {
  const { name, id: propertyId } = property
  const ofObject = orm.select(property).from(objectProperties).where(eq(objectId, id))
  return ofObject.orderBy(asc(name), asc(propertyId)).all()
}

/** Publishes on the object's own channel, which subscribers of all objects receive too. */
export function publishObject(tx: Transaction, action: 'create' | 'update' | 'delete', id: number): void {
  tx.event(channels.object(id), { action, object: { id } })
}

/** The normalized name. It must be unique, since files refer to objects by name. */
function requireName(tx: Transaction, wanted: string, exceptId: number): string {
  const name = cleanKeystring(wanted)
  if (name === '') throw new Failure('invalid', 'Name is required', { field: 'name' })
  const isOther = and(eq(objects.nameKey, keystringKey(name)), ne(objects.id, exceptId))
  if (tx.orm.select().from(objects).where(isOther).limit(1).get() !== undefined) {
    throw new Failure('conflict', sentence`There is already an object '${name}'.`, { field: 'name' })
  }
  return name
}

/** Throws unless the parent exists, and is not a part of the object itself. */
function requireParent(tx: Transaction, parent: number, id: number): void {
  const seen = new Set<number>()
  for (let at: number | null = parent; at !== null && !seen.has(at); ) {
    if (at === id) throw new Failure('conflict', 'An object cannot be part of itself.', { field: 'isObjectId' })
    seen.add(at)
    const row = objectRow(tx, at)
    if (row === null && at === parent) {
      throw new Failure('invalid', sentence`There is no object with the id ${parent}.`, { field: 'isObjectId' })
    }
    at = row?.parent_id ?? null
  }
}

function requireObject(tx: Pick<Transaction, 'get'>, id: number): ObjectRow {
  const row = objectRow(tx, id)
  if (row === null) throw notFound()
  return row
}

function json(
  { id, name, description, parent_id: isObjectId }: ObjectRow,
  properties: ObjectProperty[],
  itemcount: number,
): ThingObject {
  return { id, name, description, isObjectId, properties, itemcount }
}

function objectJson(db: LibraryDatabase, viewer: Viewer, id: number): ThingObject {
  const itemcount = countOfKey(db, viewer, 'object', id, viewer.unlockValue !== null)
  return json(requireObject(db, id), propertiesOf(db, id), itemcount)
}

function list(db: LibraryDatabase, viewer: Viewer, query: HiddenRequest): ThingObject[] {
  const counts = countByKey(db, viewer, 'object', { includeHidden: seesHidden(viewer, query.includeHidden) })
  const mayEdit = mayUpdateSomewhere(viewer)
  const shown = mayEdit ? undefined : eq(objectProperties.hidden, false)
  const order = [objectId, property.name, property.id].map(column => asc(column))
  const all = db.orm
    .select()
    .from(objectProperties)
    .where(shown)
    .orderBy(...order)
    .all()
  const properties = Map.groupBy(all, one => one.objectId)
  const rows = db.all(objectsByName)
  const visible = mayEdit ? rows : rows.filter(({ id }) => counts.has(id))
  const ids = new Set<number | null>(visible.map(({ id }) => id))
  return visible.map(row => {
    const ownProperties = (properties.get(row.id) ?? []).map(({ objectId: _, ...rest }) => rest)
    // The parent is left out if the viewer does not see it.
    const parent_id = ids.has(row.parent_id) ? row.parent_id : null
    return json({ ...row, parent_id }, ownProperties, counts.get(row.id) ?? 0)
  })
}

async function removeFromItems(
  db: LibraryDatabase,
  actor: { userId: number | null; step: string },
  id: number,
): Promise<void> {
  await inBatches(db, actor, new AbortController().signal, 0, (tx, sofar, isOver) => {
    const ids = tx.all(itemsOfObject, id, batchItems)
    const touched = new Set<number>()
    let done = sofar
    for (const { id: itemId } of ids) {
      const item = requireItemToEdit(tx, itemId)
      const objects = item.parts.objects.filter(({ subject }) => subject !== id)
      changeItem(tx, item, { objects, objectsEdited: true }, { operation: 'item.region', quiet: true })
      touched.add(item.collectionId)
      done++
      if (isOver()) break
    }
    publishCollections(tx, [...touched])
    return ids.length === 0 ? null : done
  })
}

function createProperties(db: LibraryDatabase) {
  return {
    propertyNames(viewer: Viewer, query: HiddenRequest): string[] {
      const names = list(db, viewer, query).flatMap(({ properties }) => properties.map(({ name }) => name))
      return [...new Set(names)].sort((a, b) => a.localeCompare(b))
    },

    /** Sets a property of an object; a property of that name is replaced and keeps its id. */
    async addProperty(
      viewer: Viewer,
      id: number,
      { value, hidden = false, ...input }: { name: string; value: string; hidden?: boolean | undefined },
    ): Promise<ObjectProperty> {
      requireUpdateSomewhere(viewer)
      const name = cleanKeystring(input.name)
      if (name === '') throw new Failure('invalid', 'Name is required', { field: 'name' })
      return db.transact(viewer, tx => {
        requireObject(tx, id)
        publishObject(tx, 'update', id)
        return tx.orm
          .insert(objectProperties)
          .values({ objectId: id, name, value, hidden })
          .onConflictDoUpdate({ target: [objectId, property.name], set: { value, hidden } })
          .returning(property)
          .get()
      })
    },

    async removeProperty(viewer: Viewer, { id, propId }: { id: number; propId: number }): Promise<void> {
      requireUpdateSomewhere(viewer)
      await db.transact(viewer, tx => {
        requireObject(tx, id)
        const isMeant = and(eq(property.id, propId), eq(objectId, id))
        if (tx.orm.delete(objectProperties).where(isMeant).run().changes === 0) throw notFound()
        publishObject(tx, 'update', id)
      })
    },
  }
}

export function createObjects({
  db,
  queueRemainingWork,
}: {
  db: LibraryDatabase
  queueRemainingWork: () => Promise<void>
}) {
  return {
    ...createProperties(db),

    list: (viewer: Viewer, query: HiddenRequest) => list(db, viewer, query),

    async create(viewer: Viewer, input: ObjectInput & { name: string }): Promise<ThingObject> {
      requireUpdateSomewhere(viewer)
      const id = await db.transact(viewer, tx => {
        const name = requireName(tx, input.name, 0)
        const parent = input.isObjectId ?? null
        if (parent !== null) requireParent(tx, parent, 0)
        const row = { name, nameKey: keystringKey(name), description: input.description ?? '', parentId: parent }
        const { lastInsertRowid } = tx.orm.insert(objects).values(row).run()
        publishObject(tx, 'create', lastInsertRowid)
        tx.history({ operation: 'object.create', after: objectRow(tx, lastInsertRowid) })
        return lastInsertRowid
      })
      return objectJson(db, viewer, id)
    },

    async update(viewer: Viewer, id: number, input: ObjectInput): Promise<ThingObject> {
      requireUpdateSomewhere(viewer)
      const isWorkLeft = await db.transact(viewer, tx => {
        const before = requireObject(tx, id)
        const name = input.name === undefined ? before.name : requireName(tx, input.name, id)
        const description = input.description ?? before.description
        const parent = input.isObjectId === undefined ? before.parent_id : input.isObjectId
        if (parent !== null && parent !== before.parent_id) requireParent(tx, parent, id)
        if (name === before.name && description === before.description && parent === before.parent_id) return false
        const changes = { name, nameKey: keystringKey(name), description, parentId: parent }
        tx.orm.update(objects).set(changes).where(eq(objects.id, id)).run()
        publishObject(tx, 'update', id)
        tx.history({ operation: 'object.update', before, after: objectRow(tx, id) })
        return name !== before.name && nameChanged(tx, 'object', id)
      })
      if (isWorkLeft) await queueRemainingWork()
      return objectJson(db, viewer, id)
    },

    /**
     * Deletes an object. Without `force`, fails if the object is on any item, even a recycled or missing one; with it,
     * first removes the object from those items.
     */
    async remove(viewer: Viewer, id: number, options: { force: boolean }): Promise<void> {
      requireGlobalAdmin(viewer)
      requireObject(db, id)
      const inUse = (items: number) => {
        const onItems = items === 1 ? 'The object is on 1 item.' : sentence`The object is on ${items} items.`
        return new Failure('conflict', sentence`${onItems} Delete it with force=true.`)
      }
      const items = countItemsUnder(db, keyOf('object', id))
      if (items > 0 && !options.force) throw inUse(items)
      const actor = { userId: viewer.userId, step: crypto.randomUUID() }
      await removeFromItems(db, actor, id)
      await db.transact(actor, tx => {
        const before = { ...requireObject(tx, id), properties: propertiesOf(tx, id) }
        // The object was added to an item meanwhile.
        if (tx.get(itemsOfObject, id, 1) !== null) throw inUse(1)
        tx.orm.update(objects).set({ parentId: null }).where(eq(objects.parentId, id)).run()
        tx.orm
          .delete(textDue)
          .where(eq(textDue.key, keyOf('object', id)))
          .run()
        tx.orm.delete(objects).where(eq(objects.id, id)).run()
        publishObject(tx, 'delete', id)
        tx.history({ operation: 'object.remove', before })
      })
    },
  }
}

export type Objects = ReturnType<typeof createObjects>
