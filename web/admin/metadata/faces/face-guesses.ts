/** Whom the faces on one picture most likely show: nobody is on it twice. Pure. */
import type { LikePerson } from '../../../../schema/faces.ts'
import { isNowhere } from '../boxes/box-rules.ts'
import type { FormBox } from '../item-form.ts'

/** People with a box on the picture, except that box. People without a box may still be suggested. */
export function placedPeople(boxes: readonly FormBox[], except = ''): Set<number> {
  const placed = boxes.filter(
    box => box.kind === 'person' && box.subject !== 0 && box.key !== except && !isNowhere(box),
  )
  return new Set(placed.map(({ subject }) => subject))
}

/**
 * One person for each face at most, and one face for each person: the more similar face gets the person, the other its
 * next likeliest. `there` are people with a box on the picture already.
 */
export function guessesOn(
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
