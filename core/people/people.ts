/** People and the names they had over time. */
import { z } from 'zod'
import type { Person, PersonName } from '../../schema/api/people.ts'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import {
  demandGlobalAdmin,
  demandUpdateSomewhere,
  mayUpdateSomewhere,
  notFound,
  seesHidden,
  type Viewer,
} from '../accounts/access.ts'
import { inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { countByKey, countOfKey } from '../vocabulary/key-counts.ts'
import { nameChanged } from '../vocabulary/text-job.ts'
import { cleanKeystring, keystringKey } from '../words/keystrings.ts'
import { isSameName, type NameInput, type NameRow, nameJson, namesOf, writeName } from './person-names.ts'

/** Longer chains of merges are no household's. */
const mergesFollowed = 20
const renaming = z.object({ id: z.int(), names: z.array(z.object({ id: z.int(), name: z.string() })) })

/** Who has another name in this one's place since: files that nobody has written to go on calling him so. */
function renamedFrom(tx: Transaction, name: string): number | null {
  const key = keystringKey(name)
  const rows = tx.all<{ before: string; after: string }>(
    `SELECT before, after FROM history WHERE item_id IS NULL AND operation = 'person.names'
     AND before LIKE ? ESCAPE '!' ORDER BY id DESC`,
    `%${JSON.stringify(name).replace(/[%_!]/g, '!$&')}%`,
  )
  for (const row of rows) {
    const [before, after] = [renaming.parse(JSON.parse(row.before)), renaming.parse(JSON.parse(row.after))]
    const old = before.names.find(one => keystringKey(one.name) === key)
    const now = after.names.find(one => one.id === old?.id)
    if (now === undefined || keystringKey(now.name) === key) continue
    const person = mergedInto(tx, before.id)
    if (person !== null) return person
  }
  return null
}

/** Who this person is now: himself, or one whom he was merged into, and so on; null where nobody is left. */
function mergedInto(tx: Transaction, person: number): number | null {
  for (let id: number | undefined = person, seen = 0; id !== undefined && seen < mergesFollowed; seen++) {
    if (personRow(tx, id) !== null) return id
    id = tx.get<{ into: number }>(
      `SELECT before ->> '$.into.id' AS "into" FROM history WHERE item_id IS NULL AND operation = 'person.merge'
         AND before ->> '$.part' = 'begin' AND before ->> '$.other.id' = ? ORDER BY id DESC LIMIT 1`,
      id,
    )?.into
  }
  return null
}

/**
 * The person whom a file calls by this name: one who has or had it, or was renamed from it; else a new one. Null for a name
 * of nothing.
 */
export function personByName(tx: Transaction, raw: string): number | null {
  const name = cleanKeystring(raw)
  if (name === '') return null
  const key = keystringKey(name)
  const known = tx.get<{ id: number }>(
    'SELECT person_id AS id FROM person_names WHERE name_key = ? ORDER BY person_id LIMIT 1',
    key,
  )
  if (known !== null) return known.id
  const renamed = renamedFrom(tx, name)
  if (renamed !== null) return renamed
  const { lastInsertRowid: id } = tx.run('INSERT INTO people (birthdate) VALUES (NULL)')
  tx.run('INSERT INTO person_names (person_id, name, name_key) VALUES (?, ?, ?)', id, name, key)
  return id
}

export interface PersonRow {
  id: number
  birthdate: string | null
}

export function personRow(tx: Pick<Transaction, 'get'>, id: number): PersonRow | null {
  return tx.get<PersonRow>('SELECT id, birthdate FROM people WHERE id = ?', id)
}

/** On the person's own channel; whoever listens to all of them hears it too. */
export function tellPerson(tx: Transaction, action: 'create' | 'update' | 'delete', id: number): void {
  tx.event(channels.person(id), { action, person: { id } })
}

/**
 * Somebody new; a name that is given twice for the same time counts once. `apart`: undoing the rest of the transaction
 * leaves him.
 */
export function newPerson(
  tx: Transaction,
  {
    names,
    birthdate,
    apart = false,
  }: { names: readonly (string | NameInput)[]; birthdate?: string | null | undefined; apart?: boolean },
): number {
  const { lastInsertRowid: person } = tx.run('INSERT INTO people (birthdate) VALUES (?)', birthdate ?? null)
  const kept: NameRow[] = []
  for (const name of names) {
    const row = writeName(tx, person, typeof name === 'string' ? { name } : name)
    if (kept.some(other => isSameName(row, other))) tx.run('DELETE FROM person_names WHERE id = ?', row.id)
    else kept.push(row)
  }
  tellPerson(tx, 'create', person)
  tx.history({ operation: 'person.create', after: { id: person, names: kept.map(nameJson) }, apart })
  return person
}

/** Deleting people who are on no picture: at most so many in a transaction. */
const removedAtOnce = 200

export function createPeople({ db, followUp }: { db: LibraryDatabase; followUp: () => Promise<void> }) {
  function demand(tx: Pick<Transaction, 'get'>, id: number): PersonRow {
    const row = personRow(tx, id)
    if (row === null) throw notFound()
    return row
  }

  /** A name must be this person's. */
  function demandName(tx: Pick<Transaction, 'all' | 'get'>, person: number, id: number): NameRow {
    demand(tx, person)
    const name = namesOf(tx, person).find(row => row.id === id)
    if (name === undefined) throw notFound()
    return name
  }

  const count = (viewer: Viewer, includeHidden: boolean) => countByKey(db, viewer, 'person', { includeHidden })

  function one(viewer: Viewer, id: number): Person {
    const { birthdate } = demand(db, id)
    const itemcount = countOfKey(db, viewer, 'person', id, viewer.unlockValue !== null)
    return { id, names: namesOf(db, id).map(nameJson), birthdate, itemcount }
  }

  /** Whom the viewer knows of: everybody where he may edit, else those on items that he sees. */
  function known(viewer: Viewer, counts: ReadonlyMap<number, number>): PersonRow[] {
    const rows = db.all<PersonRow>('SELECT id, birthdate FROM people ORDER BY id')
    return mayUpdateSomewhere(viewer)
      ? rows
      : rows.filter(({ id }) => counts.has(id)).map(({ id }) => ({ id, birthdate: null }))
  }

  function allNames(): Map<number, PersonName[]> {
    const names = new Map<number, PersonName[]>()
    for (const row of namesOf(db)) {
      const list = names.get(row.person_id)
      if (list === undefined) names.set(row.person_id, [nameJson(row)])
      else list.push(nameJson(row))
    }
    return names
  }

  /** A change of somebody's names: told, remembered, and followed by the search text of his items. */
  async function changeNames<T>(viewer: Viewer, id: number, change: (tx: Transaction) => T): Promise<T> {
    const { answer, isLeft } = await db.transact(viewer, tx => {
      demand(tx, id)
      const before = namesOf(tx, id).map(nameJson)
      const answer = change(tx)
      tellPerson(tx, 'update', id)
      tx.history({
        operation: 'person.names',
        before: { id, names: before },
        after: { id, names: namesOf(tx, id).map(nameJson) },
      })
      return { answer, isLeft: nameChanged(tx, 'person', id) }
    })
    if (isLeft) await followUp()
    return answer
  }

  return {
    list(viewer: Viewer, query: { includeHidden?: string | undefined }): Person[] {
      const counts = count(viewer, seesHidden(viewer, query.includeHidden))
      const names = allNames()
      return known(viewer, counts).map(({ id, birthdate }) => ({
        id,
        names: names.get(id) ?? [],
        birthdate,
        itemcount: counts.get(id) ?? 0,
      }))
    },

    names(viewer: Viewer, query: { includeHidden?: string | undefined }): PersonName[] {
      if (mayUpdateSomewhere(viewer)) return namesOf(db).map(nameJson)
      const counts = count(viewer, seesHidden(viewer, query.includeHidden))
      return namesOf(db)
        .filter(({ person_id }) => counts.has(person_id))
        .map(nameJson)
    },

    async create(
      viewer: Viewer,
      input: { names: readonly (string | NameInput)[]; birthdate?: string | null | undefined },
    ): Promise<Person> {
      demandUpdateSomewhere(viewer)
      return one(viewer, await db.transact(viewer, tx => newPerson(tx, input)))
    },

    async update(viewer: Viewer, id: number, input: { birthdate: string | null }): Promise<Person> {
      demandUpdateSomewhere(viewer)
      await db.transact(viewer, tx => {
        const before = demand(tx, id)
        if (before.birthdate === input.birthdate) return
        tx.run('UPDATE people SET birthdate = ? WHERE id = ?', input.birthdate, id)
        tellPerson(tx, 'update', id)
        tx.history({ operation: 'person.update', before, after: { id, birthdate: input.birthdate } })
      })
      return one(viewer, id)
    },

    async addName(viewer: Viewer, id: number, input: NameInput): Promise<PersonName> {
      demandUpdateSomewhere(viewer)
      return nameJson(await changeNames(viewer, id, tx => writeName(tx, id, input)))
    },

    /** A time that is not given stays as it is. */
    async updateName(
      viewer: Viewer,
      { id, nameId }: { id: number; nameId: number },
      input: NameInput,
    ): Promise<PersonName> {
      demandUpdateSomewhere(viewer)
      return nameJson(await changeNames(viewer, id, tx => writeName(tx, id, input, demandName(tx, id, nameId))))
    },

    async removeName(viewer: Viewer, { id, nameId }: { id: number; nameId: number }): Promise<void> {
      demandUpdateSomewhere(viewer)
      await changeNames(viewer, id, tx => {
        demandName(tx, id, nameId)
        if (namesOf(tx, id).length === 1) {
          throw new Failure('conflict', 'The last name of a person cannot be deleted.')
        }
        tx.run('DELETE FROM person_names WHERE id = ?', nameId)
      })
    },

    /** People whom `removeUnused` would delete. */
    unusedIds(viewer: Viewer): number[] {
      demandGlobalAdmin(viewer)
      return db
        .all<{ id: number }>(
          'SELECT p.id FROM people AS p WHERE NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.person_id = p.id) ORDER BY p.id',
        )
        .map(({ id }) => id)
    },

    /** Deletes people who are on no item, whatever its state, with their names and faces. Answers how many. */
    async removeUnused(viewer: Viewer): Promise<number> {
      demandGlobalAdmin(viewer)
      const actor = { userId: viewer.userId, step: crypto.randomUUID() }
      let removed = 0
      await inBatches(db, actor, new AbortController().signal, 0, (tx, sofar) => {
        const ids = tx.all<{ id: number }>(
          `SELECT p.id FROM people AS p WHERE NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.person_id = p.id)
           ORDER BY p.id LIMIT ${removedAtOnce}`,
        )
        for (const { id } of ids) {
          const before = { ...demand(tx, id), names: namesOf(tx, id).map(nameJson) }
          tx.run('DELETE FROM people WHERE id = ?', id)
          tellPerson(tx, 'delete', id)
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
