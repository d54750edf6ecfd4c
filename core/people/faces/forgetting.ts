/** Deletes face data everywhere: known faces, detected faces, and faces that the history keeps for undo. */
import { and, eq, isNull } from 'drizzle-orm'
import { boxSimilarity } from '../../../schema/boxes.ts'
import { faceGroups, faceSearches, faces, foundFaces } from '../../../schema/tables/faces.ts'
import { isAlike, vectorOfBytes } from '../../editing/boxes/vectors.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { keystringKey } from '../../words/keystrings.ts'
import { publishPerson } from '../people.ts'
import * as statements from './forgetting.sql.ts'
import { publishGroups } from './group-steps.ts'

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

/** Deleted people, except merged ones, with the names that they had last: the history may keep their faces. */
export function deletedPeople(tx: Pick<Transaction, 'all'>): { id: number; names: string[] }[] {
  return tx.all(statements.personRemovals).map(({ id, names }) => ({ id, names: JSON.parse(names) }))
}

/** Deleted people with a name that this person has or had. A file that uses the name again creates a new person. */
function deletedNamesakes(tx: Transaction, person: number): number[] {
  const deleted = deletedPeople(tx)
  const keys = new Set([
    ...tx.all(statements.nameKeys, person).map(({ key }) => key),
    ...deleted.filter(({ id }) => id === person).flatMap(({ names }) => names.map(keystringKey)),
  ])
  return idsOf(deleted.filter(({ id, names }) => id !== person && names.some(name => keys.has(keystringKey(name)))))
}

const sides = ['before', 'after'] as const

/** A vector of a present or former face of a person on an item. */
interface KnownFace extends Omit<RowOfQuery<typeof statements.knownVectors>, 'embedding'> {
  vector: Float32Array
}

function parseVectors(rows: readonly RowOfQuery<typeof statements.knownVectors>[]): KnownFace[] {
  return rows.map(({ embedding, ...face }) => ({ ...face, vector: Float32Array.from(JSON.parse(embedding)) }))
}

/**
 * Everything in the history about a person: their entries, those of people merged into them or deleted with the same
 * name, and the same faces under wrong names. Returns the bindings of the statements that delete it, and the vectors.
 */
function findInHistory(tx: Transaction, person: number): { binds: readonly [string, string]; vectors: KnownFace[] } {
  const namesakes = [person, ...deletedNamesakes(tx, person)]
  // Includes people who were merged into the person.
  const people = JSON.stringify(namesakes.flatMap(id => [id, ...idsOf(tx.all(statements.mergedPeople, id))]))
  const ids = new Set(
    idsOf([...tx.all(statements.facesOfPerson, person), ...tx.all(statements.facesBeforeMerge, people)]),
  )
  const references = parseVectors(tx.all(statements.knownVectors, person))
  for (;;) {
    const before = ids.size
    const binds = [people, JSON.stringify([...ids])] as const
    const kept = sides.flatMap(side => tx.all(statements.facesInHistoryOf(side), ...binds))
    const vectors = [...references, ...parseVectors(kept)]
    const byItem = Map.groupBy(vectors, face => face.item)
    // The same faces on the same pictures, named again in other regions.
    const items = JSON.stringify([...byItem.keys()])
    const others = parseVectors(sides.flatMap(side => tx.all(statements.facesInHistoryOn(side), items)))
    const same = others.filter(other =>
      byItem.get(other.item)?.some(({ model, vector }) => model === other.model && isAlike(vector, other.vector)),
    )
    for (const { id } of [...vectors, ...same]) ids.add(id)
    if (before === ids.size) return { binds, vectors: [...vectors, ...same] }
  }
}

/** Deletes detected faces; returns their number. `found` may contain a face twice. */
function dropFound(tx: Transaction, found: readonly { id: number }[]): number {
  const drop = ({ id }: { id: number }) => tx.orm.delete(foundFaces).where(eq(foundFaces.id, id)).run().changes
  return found.reduce((sum, face) => sum + drop(face), 0)
}

/** Deletes unlinked faces within the person's regions: those of a file's former content. Returns their number. */
function forgetFoundIn(tx: Transaction, person: number): number {
  const inside = tx.all(statements.looseFaces, person).filter(({ rx, ry, rwidth, rheight, ...face }) => {
    return boxSimilarity(face, { x: rx, y: ry, width: rwidth, height: rheight }) > 0
  })
  return dropFound(tx, inside)
}

/** Deletes detected faces like the person: undo could restore a region, which would use them. Returns how many. */
function forgetFoundOf(tx: Transaction, vectors: readonly KnownFace[]): number {
  return vectors.reduce((sum, { item, model, vector }) => {
    const isLoose = and(eq(foundFaces.itemId, item), eq(foundFaces.model, model), isNull(foundFaces.regionId))
    const found = tx.orm.select().from(foundFaces).where(isLoose).all()
    const alike = found.filter(face => isAlike(vectorOfBytes(face.vector), vector))
    return sum + dropFound(tx, alike)
  }, 0)
}

function forgetOne(tx: Transaction, person: number) {
  const { binds, vectors } = findInHistory(tx, person)
  const found = tx.run(statements.dropFoundOf, person).changes
  const known = tx.orm.delete(faces).where(eq(faces.personId, person)).run().changes
  const more = forgetFoundIn(tx, person) + forgetFoundOf(tx, vectors)
  for (const side of sides) tx.run(statements.dropFacesInHistoryOf(side), ...binds)
  return { known, found: found + more }
}

function forgetAll(tx: Transaction) {
  const found = tx.orm.delete(foundFaces).run().changes
  const known = tx.orm.delete(faces).run().changes
  for (const side of sides) tx.run(statements.dropFacesInHistory(side))
  tx.orm.delete(faceSearches).run()
  tx.orm.delete(faceGroups).run()
  publishGroups(tx)
  return { known, found }
}

/** Deletes face data of one person, or of everybody (null). Names and regions stay. Returns the numbers of vectors. */
export function forgetFaces(tx: Transaction, person: number | null): { known: number; found: number } {
  const people = tx.all(statements.peopleWithFaces, person)
  const forgotten = person === null ? forgetAll(tx) : forgetOne(tx, person)
  for (const { id } of people) publishPerson(tx, 'update', id)
  return forgotten
}
