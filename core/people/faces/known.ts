/** Known faces of people, cached for comparison until one changes. */
import { type KnownFace, type LikePerson, suggestPeople } from '../../../schema/faces.ts'
import { changeCounts } from '../../../schema/tables/changes.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { prepared } from '../../kernel/database/orm.ts'
import { facesOfModel } from './faces.sql.ts'

const changes = prepared(orm => orm.select({ faces: changeCounts.faces }).from(changeCounts).prepare())

interface CachedFaces {
  change: number
  faces: readonly KnownFace[]
  /** Vectors by face with a hash of their text: checking the hash takes a sixth of the time of parsing a vector. */
  vectors: Map<number, { hash: number | bigint; vector: Float32Array }>
}

/** Maximum number of cached suggestions: a screen of groups requests the same ones repeatedly. */
const maxSuggested = 2000

export function createKnownFaces(db: LibraryDatabase) {
  /** By model: browsers use the built-in model, the server perhaps an added one. */
  const cache = new Map<string, CachedFaces>()
  const suggested = new Map<string, { known: readonly KnownFace[]; people: LikePerson[] }>()

  function facesFor(model: string): readonly KnownFace[] {
    const change = changes(db).get()?.faces ?? 0
    const last = cache.get(model)
    if (last?.change === change) return last.faces
    const read: CachedFaces['vectors'] = new Map()
    const faces = db.all(facesOfModel, model).map(({ id, person, embedding }): KnownFace => {
      const hash = Bun.hash(embedding)
      const before = last?.vectors.get(id)
      const vector = before?.hash === hash ? before.vector : Float32Array.from(JSON.parse(embedding))
      read.set(id, { hash, vector })
      return { person, vector }
    })
    // Requests with unknown names of models must not fill the cache.
    if (faces.length > 0) cache.set(model, { change, faces, vectors: read })
    else cache.delete(model)
    return faces
  }

  return {
    /** Known faces of one model: vectors of different models cannot be compared. */
    of: facesFor,

    /** People whom a face that is not stored may show; not cached. */
    compare: (model: string, vector: Float32Array): LikePerson[] => suggestPeople(vector, facesFor(model)),

    /** People whom a stored face may show, cached until a known face changes. `key` is the face's id. */
    suggest(model: string, key: number, vector: Float32Array): LikePerson[] {
      const known = facesFor(model)
      const name = `${model} ${key}`
      const before = suggested.get(name)
      if (before?.known === known) return before.people
      const people = suggestPeople(vector, known)
      if (suggested.size >= maxSuggested) suggested.clear()
      suggested.set(name, { known, people })
      return people
    },
  }
}

export type KnownFaces = ReturnType<typeof createKnownFaces>
