/** Groups of unnamed faces in words, and where a face is in its picture. Pure. */
import type { FaceGroup, FaceStatus, GroupFace } from '../../../schema/api/faces.ts'
import type { PersonName } from '../../../schema/api/people.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { nameAt, noName } from '../../people/person-names.ts'
import { sidesOf } from '../metadata/boxes/box-rules.ts'

/** Sides of what is shown of a picture, by those of the face: some hair and chin belong to it. */
const air = 1.5
const between = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
const hundredths = (share: number) => `${Math.round(share * 10_000) / 100}%`

/** Where a picture is in a square that shows a face on it, by sides of the square. */
export function cropOf({ x, y, width, height, item }: GroupFace): Record<'left' | 'top' | 'width' | 'height', string> {
  const sides = sidesOf(item) ?? { width: 1000, height: 1000 }
  const longer = Math.max(width, height, 1)
  // No edge of the picture is shown where that can be had.
  const side = Math.max(longer, Math.min(longer * air, sides.width, sides.height))
  const start = (from: number, length: number, whole: number) =>
    side > whole ? (whole - side) / 2 : between(from + length / 2 - side / 2, 0, whole - side)
  return {
    left: hundredths(-start(x, width, sides.width) / side),
    top: hundredths(-start(y, height, sides.height) / side),
    width: hundredths(sides.width / side),
    height: hundredths(sides.height / side),
  }
}

/** A person's name on pictures of these times: one name, or all that they had then. */
export function nameOnPictures(names: readonly PersonName[], taken: readonly number[], now: number): string {
  const then = new Set(taken.map(at => nameAt(names, at)))
  then.delete(noName)
  return then.size === 0 ? nameAt(names, now) : [...then].join(' / ')
}

/** The faces of a group that are meant: those that nobody has ticked out. */
export function meantOf({ faces }: Pick<FaceGroup, 'faces'>, leftOut: ReadonlySet<number>): readonly GroupFace[] {
  return faces.filter(({ id }) => !leftOut.has(id))
}

/** Groups that are looked at keep their places when their sizes change; those that are new come last. */
export function inPlace<Group extends { id: number }>(before: readonly Group[], now: readonly Group[]): Group[] {
  const places = new Map(before.map(({ id }, at) => [id, at]))
  const placeOf = ({ id }: Group) => places.get(id) ?? before.length
  return [...now].sort((a, b) => placeOf(a) - placeOf(b))
}

export interface Naming {
  name: string
  /** Faces that were to be named, those that were, and those that somebody else had named meanwhile. */
  asked: number
  named: number
  overtaken: number
  /** Those without a name that the group still has. */
  left: number
}

/** '8 faces are Mia Ferrer' */
export function namedText({ name, named }: Pick<Naming, 'name' | 'named'>): string {
  if (named === 0) return 'No face was named'
  return `${plural(named, 'face')} ${named === 1 ? 'is' : 'are'} ${name}`
}

/** What became of the others. */
export function restText({ name, asked, named, overtaken, left }: Naming): string {
  const passed = asked - named - overtaken
  const said = [
    ...(overtaken > 0 ? [`${plural(overtaken, 'face')} named by somebody else meanwhile`] : []),
    ...(passed > 0 ? [`${plural(passed, 'face')} passed over: ${name} is on that picture already`] : []),
    ...(left > 0 ? [`${plural(left, 'face')} left in the group`] : []),
  ]
  return said.join('. ')
}

/** How far looking is: '1,204 pictures looked at, 30 to go'. */
export function lookedText({ looked: inspected, due }: Pick<FaceStatus, 'looked' | 'due'>): string {
  const done = `${plural(inspected, 'picture')} looked at`
  return due > 0 ? `${done}, ${figure(due)} to go` : done
}

/** Why there are no groups. */
export type NoGroups = 'never looked' | 'looking' | 'nobody left' | 'nobody ignored'

export function whyNone({ looked: inspected, job }: Pick<FaceStatus, 'looked' | 'job'>, ignored: boolean): NoGroups {
  if (ignored) return 'nobody ignored'
  if (job !== null) return 'looking'
  return inspected === 0 ? 'never looked' : 'nobody left'
}
