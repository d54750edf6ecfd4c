/** Texts of groups of unnamed faces, and where a face is in its picture. Pure. */
import type { FaceGroup, FaceStatus, GroupFace } from '../../../schema/api/faces.ts'
import type { PersonName } from '../../../schema/api/people.ts'
import { nameAt, noName } from '../../people/person-names.ts'
import { peopleTexts } from '../../texts/people.ts'

/** The name that a person had on pictures taken at these times; several names are joined by ' / '. */
export function nameOnPictures(names: readonly PersonName[], taken: readonly number[], now: number): string {
  const then = new Set(taken.map(at => nameAt(names, at)))
  then.delete(noName)
  return then.size === 0 ? nameAt(names, now) : [...then].join(' / ')
}

/** The ticked faces of a group: all but those in `unticked`. */
export function tickedOf({ faces }: Pick<FaceGroup, 'faces'>, unticked: ReadonlySet<number>): readonly GroupFace[] {
  return faces.filter(({ id }) => !unticked.has(id))
}

/** Keeps the order of shown groups when their sizes change; new groups come last. */
export function inPreviousOrder<Group extends { id: number }>(
  before: readonly Group[],
  now: readonly Group[],
): Group[] {
  const places = new Map(before.map(({ id }, at) => [id, at]))
  const placeOf = ({ id }: Group) => places.get(id) ?? before.length
  return [...now].sort((a, b) => placeOf(a) - placeOf(b))
}

export interface NamingResult {
  name: string
  /** Number of faces that the user wanted to name. */
  requested: number
  named: number
  /** Number of faces that other users named meanwhile. */
  overtaken: number
  /** Number of faces in the group that are still unnamed. */
  left: number
}

/** '8 faces are Mia Ferrer' */
export function namedText({ name, named }: Pick<NamingResult, 'name' | 'named'>): string {
  if (named === 0) return peopleTexts.noFaceWasNamed
  return peopleTexts.facesAreNamed({ count: named, name })
}

/** The message about the faces that were not named, and why. */
export function restText({ name, requested, named, overtaken, left }: NamingResult): string {
  const skipped = requested - named - overtaken
  const parts = [
    ...(overtaken > 0 ? [peopleTexts.facesAlreadyNamed({ count: overtaken })] : []),
    ...(skipped > 0 ? [peopleTexts.facesSkipped({ count: skipped, name })] : []),
    ...(left > 0 ? [peopleTexts.facesLeftInTheGroup({ count: left })] : []),
  ]
  return parts.join('. ')
}

/** Progress: '1,204 pictures looked at, 30 to go'. */
export function lookedText({ looked: inspected, due }: Pick<FaceStatus, 'looked' | 'due'>): string {
  const done = peopleTexts.picturesLookedAt({ count: inspected })
  return due > 0 ? peopleTexts.toGo({ done, due }) : done
}

/** Why there are no groups. */
export type NoGroupsReason = 'never looked' | 'looking' | 'nobody left' | 'nobody ignored'

export function noGroupsReason(
  { looked: inspected, job }: Pick<FaceStatus, 'looked' | 'job'>,
  ignored: boolean,
): NoGroupsReason {
  if (ignored) return 'nobody ignored'
  if (job !== null) return 'looking'
  return inspected === 0 ? 'never looked' : 'nobody left'
}
