/** Encodes a keystring, person, object or mark as one number (its key), and tag sets as bits. */

export const keyKinds = { keystring: 0, person: 1, object: 2, mark: 3 } as const
export type KeyKind = keyof typeof keyKinds

/** Tag sets as bits of `keyed.tags`. */
export const tagBits = { Keywords: 1, Category: 2, Author: 4, People: 8, Object: 16, Mark: 32 } as const
export type KeyedTag = keyof typeof tagBits

/** The number under which `keyed` holds items of a keystring, person, object or mark. */
export function keyOf(kind: KeyKind, id: number): number {
  return id * 4 + keyKinds[kind]
}

/**
 * Marks: properties of an item stored as keys, so that lists and counts by type, rating and camera are as fast as
 * by keyword. Items rated 0 and items without a rating have no mark for the rating.
 */
export const marks = {
  video: 1,
  /** -1 (rejected) to 5, except 0. */
  rating: (rating: number) => 10 + rating,
  /** Id of a row of `cameras`. */
  camera: (id: number) => 100 + id,
  /** The favourites of a user, and an album by hand. Negative, because the ids of cameras have no limit. */
  favourite: (userId: number) => -2 * userId,
  album: (albumId: number) => -2 * albumId - 1,
} as const

/** The id of the album that a mark stands for; null for other marks. */
export function albumOfMark(mark: number): number | null {
  return mark < 0 && mark % 2 !== 0 ? (-mark - 1) / 2 : null
}

/** The ratings that have a mark. */
export const markedRatings = [-1, 1, 2, 3, 4, 5] as const
