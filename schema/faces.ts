/**
 * Recognises people by their faces: similarity, suggestions and automatic names. Pure; used by browsers and the server.
 * A face is the vector of a model; only vectors of the same model are compared.
 */
import { limits } from './limits.ts'

export type Vector = ArrayLike<number>

/** A named face. */
export interface KnownFace {
  person: number
  vector: Vector
}

export interface LikePerson {
  person: number
  /** Mean similarity of their most similar faces, 0 to 1. */
  similarity: number
  /** How many of their faces match. */
  matches: number
}

const hundredths = (value: number) => Math.round(100 * value) / 100

/**
 * Similarity of two faces, 0 to 1 in hundredths: the formula of the library whose models describe them, with the
 * specified constants. Vectors of different lengths come from different models and are not alike.
 */
export function similarity(a: Vector, b: Vector): number {
  const { order, multiplier, min, max } = limits.faces
  if (a.length !== b.length || a.length === 0) return 0
  let sum = 0
  for (let at = 0; at < a.length; at++) {
    const step = Math.abs((a[at] ?? 0) - (b[at] ?? 0))
    let power = step
    // There are thousands of faces with a thousand numbers each, and `**` takes five times as long.
    for (let n = 1; n < order; n++) power *= step
    sum += power
  }
  const distance = hundredths(multiplier * sum)
  if (distance === 0) return 1
  const near = (1 - distance ** (1 / order) / 100 - min) / (max - min)
  return hundredths(Math.min(Math.max(near, 0), 1))
}

/** People with a matching face, by the mean similarity of their most similar faces; most likely first. */
export function suggestPeople(face: Vector, known: Iterable<KnownFace>): LikePerson[] {
  const { match, top } = limits.faces
  const found = new Map<number, number[]>()
  for (const { person, vector } of known) {
    const alike = similarity(face, vector)
    const ofPerson = found.get(person)
    if (ofPerson === undefined) found.set(person, [alike])
    else ofPerson.push(alike)
  }
  return [...found]
    .map(([person, all]) => {
      const best = all.sort((a, b) => b - a).slice(0, top)
      const mean = best.reduce((sum, one) => sum + one, 0) / best.length
      return { person, similarity: hundredths(mean), matches: all.filter(one => one > match).length }
    })
    .filter(({ matches }) => matches > 0)
    .sort((a, b) => b.similarity - a.similarity || b.matches - a.matches || a.person - b.person)
    .slice(0, top)
}

/** The person to name automatically: the most likely one, if enough faces match. */
export function surePerson(suggestions: readonly LikePerson[]): LikePerson | null {
  const [first] = suggestions
  return first !== undefined && first.matches > limits.faces.matchesForName && first.similarity > 0 ? first : null
}

/**
 * The people to name automatically on one picture: index of the face → person. Nobody is on a picture twice, so if two
 * faces match one person, the more similar one counts. `boxed` are people who already have a box.
 */
export function surePeople(
  faces: readonly (readonly LikePerson[])[],
  boxed: ReadonlySet<number> = new Set(),
): Map<number, LikePerson> {
  const sure = faces
    .map((suggestions, at) => ({ at, person: surePerson(suggestions) }))
    .flatMap(({ at, person }) => (person === null || boxed.has(person.person) ? [] : [{ at, person }]))
    .sort((a, b) => b.person.similarity - a.person.similarity || a.at - b.at)
  const named = new Set<number>()
  const result = new Map<number, LikePerson>()
  for (const { at, person } of sure) {
    if (named.has(person.person)) continue
    named.add(person.person)
    result.set(at, person)
  }
  return result
}
