/** Faces by which people are known, at hand for comparing: read once, until one changes. */
import { type KnownFace, type LikePerson, suggestPeople } from '../../../schema/faces.ts'
import { changeCounts } from '../../../schema/tables/changes.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { prepared } from '../../kernel/database/orm.ts'
import { facesOfModel } from './faces.sql.ts'

const changes = prepared(orm => orm.select({ faces: changeCounts.faces }).from(changeCounts).prepare())

interface Kept {
  change: number
  faces: readonly KnownFace[]
  /** Reading numbers out of a text takes six times as long as looking whether it is the same one. */
  vectors: Map<number, { hash: number | bigint; vector: Float32Array }>
}

/** Suggestions that are remembered: a screen of groups requests the same again and again. */
const mostSuggested = 2000

export function createKnownFaces(db: LibraryDatabase) {
  /** By model: browsers ask for theirs beside the server's, which may be one that was added. */
  const kept = new Map<string, Kept>()
  const suggested = new Map<string, { known: readonly KnownFace[]; people: LikePerson[] }>()

  function of(model: string): readonly KnownFace[] {
    const change = changes(db).get()?.faces ?? 0
    const last = kept.get(model)
    if (last?.change === change) return last.faces
    const read: Kept['vectors'] = new Map()
    const faces = db.all(facesOfModel, model).map(({ id, person, embedding }): KnownFace => {
      const hash = Bun.hash(embedding)
      const before = last?.vectors.get(id)
      const vector = before?.hash === hash ? before.vector : Float32Array.from(JSON.parse(embedding))
      read.set(id, { hash, vector })
      return { person, vector }
    })
    // Whoever makes up names of models is not remembered for it.
    if (faces.length > 0) kept.set(model, { change, faces, vectors: read })
    else kept.delete(model)
    return faces
  }

  return {
    /** Those of one model: only like is compared with like. */
    of,

    /** Whom a face may show that the library does not keep: nothing is remembered. */
    compare: (model: string, vector: Float32Array): LikePerson[] => suggestPeople(vector, of(model)),

    /** The same, remembered until a known face changes. `key` is the face's id. */
    suggest(model: string, key: number, vector: Float32Array): LikePerson[] {
      const known = of(model)
      const name = `${model} ${key}`
      const before = suggested.get(name)
      if (before?.known === known) return before.people
      const people = suggestPeople(vector, known)
      if (suggested.size >= mostSuggested) suggested.clear()
      suggested.set(name, { known, people })
      return people
    },
  }
}

export type KnownFaces = ReturnType<typeof createKnownFaces>
