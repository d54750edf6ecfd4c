/** Compares the keystrings, people and objects of an export with those of the library, and applies the differences. */
import { and, asc, eq, inArray } from 'drizzle-orm'
import { channels } from '../../../schema/realtime.ts'
import { keystrings, objectProperties, objects, people, personNames } from '../../../schema/tables/vocabulary.ts'
import { batchItems, inBatches } from '../../kernel/database/batches.ts'
import type { Actor, LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { publishPerson } from '../../people/people.ts'
import { personNamesOf, writeName } from '../../people/person-names.ts'
import { keystringRow, setHiding } from '../../vocabulary/keystring-table.ts'
import { findOrCreateObject, objectRow, publishObject } from '../../vocabulary/objects.ts'
import { nameChanged } from '../../vocabulary/text-job.ts'
import { findOrCreateKeystrings, keystringKey } from '../../words/keystrings.ts'
import { keystringByKey, objectByKey, setObjectTexts } from '../exchange.sql.ts'
import type { AlbumLine, KeystringLine, ObjectLine } from '../exporting/export-format.ts'
import { type KnownPerson, matchPeople, type PersonMatch } from './match-people.ts'
import type { ExportedVocabulary } from './read-export.ts'
import { missingAlbums } from './restored-albums.ts'

type Reader = Pick<Transaction, 'all' | 'get' | 'orm'>

/** A keystring as exported, and its id in the library; null if it is new. */
interface KeystringChange {
  id: number | null
  line: KeystringLine
}

export interface VocabularyPlan {
  keystrings: KeystringChange[]
  people: (PersonMatch & { name: string })[]
  objects: ObjectLine[]
  /** Albums that the library lacks. */
  albums: AlbumLine[]
}

/** Something that would be created or changed, described for users who review the plan. */
export interface VocabularyChange {
  type: 'keystring' | 'person' | 'object' | 'album'
  name: string
  change: 'new' | 'changed'
}

function knownPeople(db: Reader): KnownPerson[] {
  const names = Map.groupBy(personNamesOf(db), ({ person }) => person)
  const rows = db.orm.select().from(people).orderBy(asc(people.id)).all()
  return rows.map(person => ({ ...person, names: names.get(person.id) ?? [] }))
}

function differs(db: Reader, { id, line }: KeystringChange): boolean {
  const row = id === null ? null : keystringRow(db, id)
  if (row === null) return line.isHidden || line.isAssociatedItemsHidden
  return (
    row.content !== line.content ||
    (line.isHidden && row.is_hidden === 0) ||
    (line.isAssociatedItemsHidden && row.is_associated_items_hidden === 0)
  )
}

export function keystringId(db: Reader, content: string): number | null {
  return db.get(keystringByKey, keystringKey(content))?.id ?? null
}

export function objectId(db: Reader, name: string): number | null {
  return db.get(objectByKey, keystringKey(name))?.id ?? null
}

function objectDiffers(db: Reader, line: ObjectLine): boolean {
  const id = objectId(db, line.name)
  const row = id === null ? null : objectRow(db, id)
  if (id === null || row === null) return true
  const parent = row.parent_id === null ? null : (objectRow(db, row.parent_id)?.name ?? null)
  const existing = db.orm.select().from(objectProperties).where(eq(objectProperties.objectId, id)).all()
  const hasAll = line.properties.every(exported =>
    existing.some(
      ({ name, value, hidden }) => name === exported.name && value === exported.value && hidden === exported.hidden,
    ),
  )
  return (
    row.name !== line.name ||
    (line.description !== '' && row.description !== line.description) ||
    (line.parent !== null && line.parent !== parent) ||
    !hasAll
  )
}

/** Plans to add data that the library lacks. A person's name without dates is removed only if the export dates it. */
export function planVocabulary(db: Reader, exported: ExportedVocabulary): VocabularyPlan {
  const found = exported.keystrings.map(line => ({ id: keystringId(db, line.content), line }))
  const names = new Map(exported.people.map(({ person, names: [first] }) => [person, first?.name ?? '']))
  return {
    keystrings: found.filter(change => differs(db, change)),
    people: matchPeople(exported.people, knownPeople(db)).map(match => ({
      ...match,
      name: names.get(match.person) ?? '',
    })),
    objects: exported.objects.filter(line => objectDiffers(db, line)),
    albums: missingAlbums(db, exported.albums),
  }
}

function personDiffers({ id, add, drop, birthdate }: PersonMatch): boolean {
  return id === null || add.length > 0 || drop.length > 0 || birthdate !== undefined
}

export function vocabularyChanges(db: Reader, plan: VocabularyPlan): VocabularyChange[] {
  const planned =
    (type: VocabularyChange['type']) =>
    ({ id, name }: { id: number | null; name: string }): VocabularyChange => ({
      type,
      name,
      change: id === null ? 'new' : 'changed',
    })
  return [
    ...plan.keystrings.map(({ id, line }) => ({ id, name: line.content })).map(planned('keystring')),
    ...plan.people.filter(personDiffers).map(planned('person')),
    ...plan.objects.map(({ name }) => ({ id: objectId(db, name), name })).map(planned('object')),
    ...plan.albums.map(({ name }) => ({ id: null, name })).map(planned('album')),
  ]
}

/** Writes a keystring. A keystring that the library hides stays hidden. */
function writeKeystring(tx: Transaction, { line }: KeystringChange): void {
  const [id = 0] = findOrCreateKeystrings(tx, [line.content])
  const before = keystringRow(tx, id)
  if (before === null) return
  const spellingChanged = before.content !== line.content
  if (spellingChanged) {
    tx.orm.update(keystrings).set({ content: line.content }).where(eq(keystrings.id, id)).run()
    nameChanged(tx, 'keystring', id)
  }
  setHiding(tx, before, {
    is_hidden: Math.max(before.is_hidden, line.isHidden ? 1 : 0),
    is_associated_items_hidden: Math.max(before.is_associated_items_hidden, line.isAssociatedItemsHidden ? 1 : 0),
  })
  tx.event(channels.keystrings, { action: 'update', keystring: { id } })
  tx.history({ operation: 'keystring.update', before, after: keystringRow(tx, id) })
}

function writePerson(tx: Transaction, match: PersonMatch): number {
  const isNew = match.id === null
  const id = match.id ?? tx.orm.insert(people).values({}).run().lastInsertRowid
  if (!isNew && !personDiffers(match)) return id
  const before = personNamesOf(tx, id)
  for (const { name, active_from, active_to } of match.add)
    writeName(tx, id, { name, start: active_from, finish: active_to })
  const isDropped = and(inArray(personNames.id, [...match.drop]), eq(personNames.personId, id))
  if (match.drop.length > 0) tx.orm.delete(personNames).where(isDropped).run()
  const { birthdate } = match
  if (birthdate !== undefined) tx.orm.update(people).set({ birthdate }).where(eq(people.id, id)).run()
  publishPerson(tx, isNew ? 'create' : 'update', id)
  tx.history({
    operation: isNew ? 'person.create' : 'person.names',
    before: { id, names: before },
    after: { id, names: personNamesOf(tx, id) },
  })
  if (!isNew) nameChanged(tx, 'person', id)
  return id
}

function writeObject(tx: Transaction, line: ObjectLine): void {
  const isNew = objectId(tx, line.name) === null
  const id = findOrCreateObject(tx, line.name)
  const row = id === null ? null : objectRow(tx, id)
  if (id === null || row === null) return
  tx.run(setObjectTexts, line.name, line.description, id)
  for (const { name, value, hidden } of line.properties)
    tx.orm
      .insert(objectProperties)
      .values({ objectId: id, name, value, hidden })
      .onConflictDoUpdate({ target: [objectProperties.objectId, objectProperties.name], set: { value, hidden } })
      .run()
  if (row.name !== line.name) nameChanged(tx, 'object', id)
  publishObject(tx, isNew ? 'create' : 'update', id)
  const after = objectRow(tx, id)
  tx.history(isNew ? { operation: 'object.create', after } : { operation: 'object.update', before: row, after })
}

/** Sets an object's parent, unless that would close a cycle. All objects must exist already. */
function writeParent(tx: Transaction, { name, parent }: ObjectLine): void {
  const id = objectId(tx, name)
  const above = parent === null ? null : objectId(tx, parent)
  if (id === null || above === null) return
  for (let at: number | null = above, n = 0; at !== null && n < 1000; n++) {
    if (at === id) return
    at = objectRow(tx, at)?.parent_id ?? null
  }
  tx.orm.update(objects).set({ parentId: above }).where(eq(objects.id, id)).run()
}

/** Applies the plan in small batches. Returns the library's ids of the people, by their numbers in the export. */
export async function writeVocabulary(
  db: LibraryDatabase,
  actor: Actor,
  signal: AbortSignal,
  plan: VocabularyPlan,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>()
  const work: ((tx: Transaction) => void)[] = [
    ...plan.keystrings.map(change => (tx: Transaction) => writeKeystring(tx, change)),
    ...plan.people.map(match => (tx: Transaction) => {
      ids.set(match.person, writePerson(tx, match))
    }),
    ...plan.objects.map(line => (tx: Transaction) => writeObject(tx, line)),
    ...plan.objects.map(line => (tx: Transaction) => writeParent(tx, line)),
  ]
  await inBatches(db, actor, signal, 0, (tx, at, isOver) => {
    let next = at
    for (const one of work.slice(at, at + batchItems)) {
      one(tx)
      next++
      if (isOver()) break
    }
    return next >= work.length ? null : next
  })
  return ids
}
