/** Objects: things on pictures that have a name. */
import type { ObjectProperty, ThingObject } from '../../schema/api/objects.ts'
import { Failure } from '../../schema/errors.ts'
import { keyOf } from '../../schema/keys.ts'
import { channels } from '../../schema/realtime.ts'
import {
  demandGlobalAdmin,
  demandUpdateSomewhere,
  mayUpdateSomewhere,
  notFound,
  seesHidden,
  type Viewer,
} from '../accounts/access.ts'
import { changeItem, demandItemToEdit } from '../editing/item-edit.ts'
import { inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { cleanKeystring, keystringKey } from '../words/keystrings.ts'
import { renamedFrom } from '../words/renamed.ts'
import { tellCollections } from './hide-job.ts'
import { countByKey, countOfKey } from './key-counts.ts'
import { itemsUnder } from './key-sweep.ts'
import { nameChanged } from './text-job.ts'

/**
 * The object of this name, made when it is not there; `ofFile`: also one that was renamed from it. Null for a name of
 * nothing.
 */
export function objectByName(tx: Transaction, raw: string, { ofFile = false } = {}): number | null {
  const name = cleanKeystring(raw)
  if (name === '') return null
  const key = keystringKey(name)
  const known = tx.get<{ id: number }>('SELECT id FROM objects WHERE name_key = ? ORDER BY id LIMIT 1', key)
  const renamed = known === null && ofFile ? renamedFrom(tx, 'object', key) : null
  return known?.id ?? renamed ?? tx.run('INSERT INTO objects (name, name_key) VALUES (?, ?)', name, key).lastInsertRowid
}

export interface ObjectRow {
  id: number
  name: string
  description: string
  parent_id: number | null
}

interface PropertyRow {
  id: number
  object_id: number
  name: string
  value: string
  hidden: number
}

export interface ObjectInput {
  name?: string | undefined
  description?: string | undefined
  isObjectId?: number | null | undefined
}

export function objectRow(tx: Pick<Transaction, 'get'>, id: number): ObjectRow | null {
  return tx.get<ObjectRow>('SELECT id, name, description, parent_id FROM objects WHERE id = ?', id)
}

function propertyRows(tx: Pick<Transaction, 'all'>, object: number): PropertyRow[] {
  return tx.all<PropertyRow>('SELECT * FROM object_properties WHERE object_id = ? ORDER BY name, id', object)
}

/** On the object's own channel; whoever listens to all of them hears it too. */
export function tellObject(tx: Transaction, action: 'create' | 'update' | 'delete', id: number): void {
  tx.event(channels.object(id), { action, object: { id } })
}

function propertyJson({ id, name, value, hidden }: PropertyRow): ObjectProperty {
  return { id, name, value, hidden: hidden === 1 }
}

/** The name as it may be kept: of one object only, since files call objects by their names. */
function demandName(tx: Transaction, wanted: string, exceptId: number): string {
  const name = cleanKeystring(wanted)
  if (name === '') throw new Failure('invalid', 'Name is required', { field: 'name' })
  if (tx.get('SELECT 1 FROM objects WHERE name_key = ? AND id <> ?', keystringKey(name), exceptId) !== null) {
    throw new Failure('conflict', `There is already an object '${name}'.`, { field: 'name' })
  }
  return name
}

/** What an object is part of must exist, and not be part of the object itself. */
function demandParent(tx: Transaction, parent: number, id: number): void {
  const seen = new Set<number>()
  for (let at: number | null = parent; at !== null && !seen.has(at); ) {
    if (at === id) throw new Failure('conflict', 'An object cannot be part of itself.', { field: 'isObjectId' })
    seen.add(at)
    const row = objectRow(tx, at)
    if (row === null && at === parent) {
      throw new Failure('invalid', `There is no object with the id ${parent}.`, { field: 'isObjectId' })
    }
    at = row?.parent_id ?? null
  }
}

export function createObjects({ db, followUp }: { db: LibraryDatabase; followUp: () => Promise<void> }) {
  function demand(tx: Pick<Transaction, 'get'>, id: number): ObjectRow {
    const row = objectRow(tx, id)
    if (row === null) throw notFound()
    return row
  }

  const count = (viewer: Viewer, includeHidden: boolean) => countByKey(db, viewer, 'object', { includeHidden })

  function json(row: ObjectRow, properties: readonly PropertyRow[], itemcount: number): ThingObject {
    const { id, name, description, parent_id } = row
    return { id, name, description, isObjectId: parent_id, properties: properties.map(propertyJson), itemcount }
  }

  function one(viewer: Viewer, id: number): ThingObject {
    const itemcount = countOfKey(db, viewer, 'object', id, viewer.unlockValue !== null)
    return json(demand(db, id), propertyRows(db, id), itemcount)
  }

  function propertiesOfAll(showsHidden: boolean): Map<number, PropertyRow[]> {
    const byObject = new Map<number, PropertyRow[]>()
    for (const row of db.all<PropertyRow>('SELECT * FROM object_properties ORDER BY object_id, name, id')) {
      if (row.hidden === 1 && !showsHidden) continue
      const list = byObject.get(row.object_id)
      if (list === undefined) byObject.set(row.object_id, [row])
      else list.push(row)
    }
    return byObject
  }

  function list(viewer: Viewer, query: { includeHidden?: string | undefined }): ThingObject[] {
    const counts = count(viewer, seesHidden(viewer, query.includeHidden))
    const mayEdit = mayUpdateSomewhere(viewer)
    const properties = propertiesOfAll(mayEdit)
    const rows = db.all<ObjectRow>('SELECT id, name, description, parent_id FROM objects ORDER BY name_key, id')
    const known = mayEdit ? rows : rows.filter(({ id }) => counts.has(id))
    const ids = new Set(known.map(({ id }) => id))
    return known.map(row =>
      json(
        // What it is part of may be unknown to him.
        { ...row, parent_id: row.parent_id !== null && ids.has(row.parent_id) ? row.parent_id : null },
        properties.get(row.id) ?? [],
        counts.get(row.id) ?? 0,
      ),
    )
  }

  /** Takes an object off every item that it is on. */
  async function takeOff(actor: { userId: number | null; step: string }, id: number): Promise<void> {
    await inBatches(db, actor, new AbortController().signal, 0, (tx, sofar, isOver) => {
      const ids = tx.all<{ id: number }>('SELECT DISTINCT item_id AS id FROM regions WHERE object_id = ? LIMIT 200', id)
      const touched = new Set<number>()
      let done = sofar
      for (const { id: itemId } of ids) {
        const item = demandItemToEdit(tx, itemId)
        const objects = item.parts.objects.filter(({ subject }) => subject !== id)
        changeItem(tx, item, { objects, objectsEdited: true }, { operation: 'item.region', quiet: true })
        touched.add(item.collectionId)
        done++
        if (isOver()) break
      }
      tellCollections(tx, [...touched])
      return ids.length === 0 ? null : done
    })
  }

  return {
    list,

    /** Names of the properties that the viewer sees, by name. */
    propertyNames(viewer: Viewer, query: { includeHidden?: string | undefined }): string[] {
      const names = list(viewer, query).flatMap(({ properties }) => properties.map(({ name }) => name))
      return [...new Set(names)].sort((a, b) => a.localeCompare(b))
    },

    async create(viewer: Viewer, input: ObjectInput & { name: string }): Promise<ThingObject> {
      demandUpdateSomewhere(viewer)
      const id = await db.transact(viewer, tx => {
        const name = demandName(tx, input.name, 0)
        const parent = input.isObjectId ?? null
        if (parent !== null) demandParent(tx, parent, 0)
        const { lastInsertRowid } = tx.run(
          'INSERT INTO objects (name, name_key, description, parent_id) VALUES (?, ?, ?, ?)',
          name,
          keystringKey(name),
          input.description ?? '',
          parent,
        )
        tellObject(tx, 'create', lastInsertRowid)
        tx.history({ operation: 'object.create', after: objectRow(tx, lastInsertRowid) })
        return lastInsertRowid
      })
      return one(viewer, id)
    },

    /** What is not given stays as it is. */
    async update(viewer: Viewer, id: number, input: ObjectInput): Promise<ThingObject> {
      demandUpdateSomewhere(viewer)
      const isLeft = await db.transact(viewer, tx => {
        const before = demand(tx, id)
        const name = input.name === undefined ? before.name : demandName(tx, input.name, id)
        const description = input.description ?? before.description
        const parent = input.isObjectId === undefined ? before.parent_id : input.isObjectId
        if (parent !== null && parent !== before.parent_id) demandParent(tx, parent, id)
        if (name === before.name && description === before.description && parent === before.parent_id) return false
        tx.run(
          'UPDATE objects SET name = ?, name_key = ?, description = ?, parent_id = ? WHERE id = ?',
          name,
          keystringKey(name),
          description,
          parent,
          id,
        )
        tellObject(tx, 'update', id)
        tx.history({ operation: 'object.update', before, after: objectRow(tx, id) })
        return name !== before.name && nameChanged(tx, 'object', id)
      })
      if (isLeft) await followUp()
      return one(viewer, id)
    },

    /** Deletes an object; one that is on items, in whichever state, only with `force`, which takes it off them. */
    async remove(viewer: Viewer, id: number, options: { force: boolean }): Promise<void> {
      demandGlobalAdmin(viewer)
      demand(db, id)
      const refuse = (items: number) =>
        new Failure(
          'conflict',
          `The object is on ${items} ${items === 1 ? 'item' : 'items'}. Delete it with force=true.`,
        )
      const items = itemsUnder(db, keyOf('object', id))
      if (items > 0 && !options.force) throw refuse(items)
      const actor = { userId: viewer.userId, step: crypto.randomUUID() }
      await takeOff(actor, id)
      await db.transact(actor, tx => {
        const before = { ...demand(tx, id), properties: propertyRows(tx, id).map(propertyJson) }
        // Somebody put it on an item meanwhile.
        if (tx.get('SELECT 1 FROM regions WHERE object_id = ? LIMIT 1', id) !== null) throw refuse(1)
        tx.run('UPDATE objects SET parent_id = NULL WHERE parent_id = ?', id)
        tx.run('DELETE FROM text_due WHERE key = ?', keyOf('object', id))
        tx.run('DELETE FROM objects WHERE id = ?', id)
        tellObject(tx, 'delete', id)
        tx.history({ operation: 'object.remove', before })
      })
    },

    /** Notes something of an object; a property of that name is replaced and keeps its id. */
    async addProperty(
      viewer: Viewer,
      id: number,
      input: { name: string; value: string; hidden?: boolean | undefined },
    ): Promise<ObjectProperty> {
      demandUpdateSomewhere(viewer)
      const name = cleanKeystring(input.name)
      if (name === '') throw new Failure('invalid', 'Name is required', { field: 'name' })
      return db.transact(viewer, tx => {
        demand(tx, id)
        tx.run(
          `INSERT INTO object_properties (object_id, name, value, hidden) VALUES (?, ?, ?, ?)
           ON CONFLICT (object_id, name) DO UPDATE SET value = excluded.value, hidden = excluded.hidden`,
          id,
          name,
          input.value,
          input.hidden === true ? 1 : 0,
        )
        const saved = propertyRows(tx, id).find(row => row.name === name)
        if (saved === undefined) throw new Error('the property that was just saved is not there')
        tellObject(tx, 'update', id)
        return propertyJson(saved)
      })
    },

    async removeProperty(viewer: Viewer, { id, propId }: { id: number; propId: number }): Promise<void> {
      demandUpdateSomewhere(viewer)
      await db.transact(viewer, tx => {
        demand(tx, id)
        const { changes } = tx.run('DELETE FROM object_properties WHERE id = ? AND object_id = ?', propId, id)
        if (changes === 0) throw notFound()
        tellObject(tx, 'update', id)
      })
    },
  }
}

export type Objects = ReturnType<typeof createObjects>
