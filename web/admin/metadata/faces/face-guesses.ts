/** The most likely person for each face on a picture; nobody is on a picture twice. Pure. */
import type { LikePerson } from '../../../../schema/faces.ts'
import { hasNoBox } from '../boxes/box-rules.ts'
import type { FormBox } from '../item-form.ts'

/** Ids of people with a box on the picture, not counting the box `except`. Others may still be suggested. */
export function placedPeople(boxes: readonly FormBox[], except = ''): Set<number> {
  const placed = boxes.filter(box => box.kind === 'person' && box.subject !== 0 && box.key !== except && !hasNoBox(box))
  return new Set(placed.map(({ subject }) => subject))
}

/**
 * Assigns at most one person to each face and one face to each person: of two faces, the more similar one gets the
 * person, and the other its next likeliest person. `there` are people who already have a box on the picture.
 */
export function assignGuesses(
  faces: readonly { key: string; people: readonly LikePerson[] }[],
  there: ReadonlySet<number>,
): Map<string, LikePerson> {
  const pairs = faces
    .flatMap(({ key, people }) => people.map(like => ({ key, like })))
    .filter(({ like }) => !there.has(like.person))
    .sort((a, b) => b.like.similarity - a.like.similarity || b.like.matches - a.like.matches)
  const taken = new Set<number>()
  const guesses = new Map<string, LikePerson>()
  for (const { key, like } of pairs) {
    if (guesses.has(key) || taken.has(like.person)) continue
    guesses.set(key, like)
    taken.add(like.person)
  }
  return guesses
}
