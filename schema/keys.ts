/** Encodes what items are filed under as one number, and the tag sets that it came from. */

export const keyKinds = { keystring: 0, person: 1, object: 2, mark: 3 } as const
export type KeyKind = keyof typeof keyKinds

/** Tag sets as bits of `keyed.tags`. */
export const tagBits = { Keywords: 1, Category: 2, Author: 4, People: 8, Object: 16, Mark: 32 } as const
export type KeyedTag = keyof typeof tagBits

/** The number under which `keyed` holds items of a keystring, person or object. */
export function keyOf(kind: KeyKind, id: number): number {
  return id * 4 + keyKinds[kind]
}

/**
 * Marks: properties of an item kept as keys, so that lists and counts by type, rating and camera are as fast as those
 * by keyword. An item without a rating has no mark for it, like one rated 0.
 */
export const marks = {
  video: 1,
  /** -1 (rejected) to 5, except 0. */
  rating: (rating: number) => 10 + rating,
  /** Id of a row of `cameras`. */
  camera: (id: number) => 100 + id,
} as const

/** The ratings that have a mark. */
export const markedRatings = [-1, 1, 2, 3, 4, 5] as const
