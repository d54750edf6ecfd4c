/** People and the names they had over time. */
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Person, PersonName } from '../../schema/api/people.ts'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { people, personNames } from '../../schema/tables/vocabulary.ts'
import {
  mayUpdateSomewhere,
  notFound,
  requireGlobalAdmin,
  requireUpdateSomewhere,
  seesHidden,
  type Viewer,
} from '../accounts/access.ts'
import { firstOf } from '../filter/bound.ts'
import type { Items } from '../items/items.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { prepared } from '../kernel/database/orm.ts'
import { countByKey, countOfKey, type HiddenRequest } from '../vocabulary/key-counts.ts'
import { nameChanged } from '../vocabulary/text-job.ts'
import { cleanKeystring, keystringKey } from '../words/keystrings.ts'
import { chosenFace } from './overview.sql.ts'
import { everybody, personMergedInto, renamings, unusedPeople } from './people.sql.ts'
import { deleteName, isSameName, type NameInput, personNamesOf, writeName } from './person-names.ts'

export type PersonRow = typeof people.$inferSelect

const personById = prepared(orm =>
  orm
    .select()
    .from(people)
    .where(eq(people.id, sql.placeholder('id')))
    .prepare(),
)
const oldestNamed = prepared(orm =>
  orm
    .select({ id: personNames.personId })
    .from(personNames)
    .where(eq(personNames.nameKey, sql.placeholder('key')))
    .orderBy(personNames.personId)
    .limit(1)
    .prepare(),
)

export function personRow(tx: Pick<Transaction, 'orm'>, id: number): PersonRow | null {
  return personById(tx).get({ id }) ?? null
}

/** Publishes on the person's own channel, which subscribers of all people receive too. */
export function publishPerson(tx: Transaction, action: 'create' | 'update' | 'delete', id: number): void {
  tx.event(channels.person(id), { action, person: { id } })
}

const maxMergesFollowed = 20
const renaming = z.object({ id: z.int(), names: z.array(z.object({ id: z.int(), name: z.string() })) })

/** The person who was renamed from this name: files that have not been written since still have the old name. */
function renamedFrom(tx: Transaction, name: string): number | null {
  const key = keystringKey(name)
  for (const row of tx.all(renamings, `%${JSON.stringify(name).replace(/[%_!]/g, '!$&')}%`)) {
    const [before, after] = [renaming.parse(JSON.parse(row.before)), renaming.parse(JSON.parse(row.after))]
    const old = before.names.find(one => keystringKey(one.name) === key)
    const now = after.names.find(one => one.id === old?.id)
    if (now === undefined || keystringKey(now.name) === key) continue
    const person = currentPerson(tx, before.id)
    if (person !== null) return person
  }
  return null
}

/** The current id of a person: unchanged, or of the person they were merged into, transitively; null if none exists. */
function currentPerson(tx: Transaction, person: number): number | null {
  for (let id: number | undefined = person, seen = 0; id !== undefined && seen < maxMergesFollowed; seen++) {
    if (personRow(tx, id) !== null) return id
    id = tx.get(personMergedInto, id)?.into
  }
  return null
}

/** The person whom a file names: who has or had this name or was renamed from it, else a new person. Null for ''. */
export function findOrCreatePerson(tx: Transaction, raw: string): number | null {
  const name = cleanKeystring(raw)
  if (name === '') return null
  const nameKey = keystringKey(name)
  const existing = oldestNamed(tx).get({ key: nameKey })?.id ?? renamedFrom(tx, name)
  if (existing !== null) return existing
  const personId = tx.orm.insert(people).values({}).run().lastInsertRowid
  tx.orm.insert(personNames).values({ personId, name, nameKey }).run()
  return personId
}

interface NewPerson {
  names: readonly (string | NameInput)[]
  birthdate?: string | null | undefined
}

/** Creates a person, without duplicate names. `apart`: a separate step, so that undoing the rest keeps the person. */
export function newPerson(
  tx: Transaction,
  { names, birthdate, apart = false }: NewPerson & { apart?: boolean },
): number {
  const person = tx.orm.insert(people).values({ birthdate }).run().lastInsertRowid
  const kept: PersonName[] = []
  for (const name of names) {
    const row = writeName(tx, person, typeof name === 'string' ? { name } : name)
    if (kept.some(other => isSameName(row, other))) deleteName(tx, row.id)
    else kept.push(row)
  }
  publishPerson(tx, 'create', person)
  tx.history({ operation: 'person.create', after: { id: person, names: kept }, apart })
  return person
}

export function deletePerson(tx: Transaction, id: number): void {
  tx.orm.delete(people).where(eq(people.id, id)).run()
  publishPerson(tx, 'delete', id)
}

export function setPerson(tx: Transaction, id: number, fields: Partial<Omit<PersonRow, 'id'>>): void {
  tx.orm.update(people).set(fields).where(eq(people.id, id)).run()
}

export function requirePerson(tx: Pick<Transaction, 'orm'>, id: number): PersonRow {
  const row = personRow(tx, id)
  if (row === null) throw notFound()
  return row
}

function createLists(db: LibraryDatabase) {
  const count = (viewer: Viewer, { includeHidden }: HiddenRequest) =>
    countByKey(db, viewer, 'person', { includeHidden: seesHidden(viewer, includeHidden) })

  return {
    /** All people for those who may edit, else people on items that the viewer sees. */
    list(viewer: Viewer, query: HiddenRequest): Person[] {
      const counts = count(viewer, query)
      const mayEdit = mayUpdateSomewhere(viewer)
      const visible = db.all(everybody).filter(({ id }) => mayEdit || counts.has(id))
      const names = Map.groupBy(personNamesOf(db), name => name.person)
      return visible.map(({ id, birthdate }) => ({
        id,
        names: names.get(id) ?? [],
        birthdate: mayEdit ? birthdate : null,
        itemcount: counts.get(id) ?? 0,
      }))
    },

    names(viewer: Viewer, query: HiddenRequest): PersonName[] {
      if (mayUpdateSomewhere(viewer)) return personNamesOf(db)
      const counts = count(viewer, query)
      return personNamesOf(db).filter(({ person }) => counts.has(person))
    },
  }
}

interface PeopleStore {
  db: LibraryDatabase
  items: Pick<Items, 'isSeenWithPeople'>
  queueRemainingWork: () => Promise<void>
}

function createNames({ db, queueRemainingWork }: Omit<PeopleStore, 'items'>) {
  function requireName(tx: Transaction, person: number, id: number): PersonName {
    const name = personNamesOf(tx, person).find(row => row.id === id)
    if (name === undefined) throw notFound()
    return name
  }

  /** Changes a person's names, publishes and records that, and updates the search text of the person's items. */
  async function changeNames<T>(viewer: Viewer, id: number, change: (tx: Transaction) => T): Promise<T> {
    const { result, isWorkLeft } = await db.transact(viewer, tx => {
      requirePerson(tx, id)
      const before = { id, names: personNamesOf(tx, id) }
      const result = change(tx)
      publishPerson(tx, 'update', id)
      tx.history({ operation: 'person.names', before, after: { id, names: personNamesOf(tx, id) } })
      return { result, isWorkLeft: nameChanged(tx, 'person', id) }
    })
    if (isWorkLeft) await queueRemainingWork()
    return result
  }

  return {
    async addName(viewer: Viewer, id: number, input: NameInput): Promise<PersonName> {
      requireUpdateSomewhere(viewer)
      return changeNames(viewer, id, tx => writeName(tx, id, input))
    },

    async updateName(
      viewer: Viewer,
      { id, nameId }: { id: number; nameId: number },
      input: NameInput,
    ): Promise<PersonName> {
      requireUpdateSomewhere(viewer)
      return changeNames(viewer, id, tx => writeName(tx, id, input, requireName(tx, id, nameId)))
    },

    async removeName(viewer: Viewer, { id, nameId }: { id: number; nameId: number }): Promise<void> {
      requireUpdateSomewhere(viewer)
      await changeNames(viewer, id, tx => {
        requireName(tx, id, nameId)
        if (personNamesOf(tx, id).length === 1) {
          throw new Failure('conflict', 'The last name of a person cannot be deleted.')
        }
        deleteName(tx, nameId)
      })
    },
  }
}

export function createPeople(store: PeopleStore) {
  const { db, items } = store

  function personJson(viewer: Viewer, id: number): Person {
    const { birthdate } = requirePerson(db, id)
    const itemcount = countOfKey(db, viewer, 'person', id, viewer.unlockValue !== null)
    return { id, names: personNamesOf(db, id), birthdate, itemcount }
  }

  return {
    ...createLists(db),
    ...createNames(store),

    async create(viewer: Viewer, input: NewPerson): Promise<Person> {
      requireUpdateSomewhere(viewer)
      return personJson(viewer, await db.transact(viewer, tx => newPerson(tx, input)))
    },

    /** `cover`: an item that the viewer sees with the person; null for an automatic one. */
    async update(
      viewer: Viewer,
      id: number,
      fields: { birthdate?: string | null | undefined; cover?: number | null | undefined },
    ): Promise<Person> {
      requireUpdateSomewhere(viewer)
      await db.transact(viewer, tx => {
        const before = requirePerson(tx, id)
        const { birthdate = before.birthdate, cover = before.cover } = fields
        if (before.birthdate === birthdate && before.cover === cover) return
        if (cover !== null && cover !== before.cover) {
          const seen = items.isSeenWithPeople(viewer, viewer.unlockValue ?? undefined)
          if (firstOf(tx, chosenFace(id, cover, seen)) === null) throw notFound()
        }
        setPerson(tx, id, { birthdate, cover })
        publishPerson(tx, 'update', id)
        tx.history({ operation: 'person.update', before, after: { id, birthdate, cover } })
      })
      return personJson(viewer, id)
    },

    /** Ids of people whom `removeUnused` would delete. */
    unusedIds(viewer: Viewer): number[] {
      requireGlobalAdmin(viewer)
      return db.all(unusedPeople, -1).map(({ id }) => id)
    },

    /** Deletes people who are on no item, whatever its state, with their names and faces; returns how many. */
    async removeUnused(viewer: Viewer): Promise<number> {
      requireGlobalAdmin(viewer)
      const actor = { userId: viewer.userId, step: crypto.randomUUID() }
      let removed = 0
      await inBatches(db, actor, new AbortController().signal, 0, (tx, sofar) => {
        const ids = tx.all(unusedPeople, batchItems)
        for (const { id } of ids) {
          const before = { ...requirePerson(tx, id), names: personNamesOf(tx, id) }
          deletePerson(tx, id)
          tx.history({ operation: 'person.remove', before })
        }
        removed = sofar + ids.length
        return ids.length === 0 ? null : removed
      })
      return removed
    },
  }
}

export type People = ReturnType<typeof createPeople>
