/** Tag sets as users type them: names, and values on one line with ; between the entries of a list. */
import type { Calls } from '../../schema/api/calls.ts'
import type { Client } from '../../schema/api/contract.ts'
import type { TagSetName } from '../../schema/api/tags.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { tagSetNames } from '../../schema/limits.ts'

export type TypedMode = 'add' | 'remove' | 'set'

/** Typed names of tag sets, as in the search language. */
const tagSetByWord: Record<string, TagSetName> = {
  ...Object.fromEntries(tagSetNames.map(name => [name.toLowerCase(), name])),
  keyword: 'Keywords',
  categories: 'Category',
  person: 'People',
  objects: 'Object',
  date: 'DateTimeOriginal',
  place: 'Locations',
  location: 'Locations',
}

/** Tag sets that have several entries, which can be added and removed. */
export const listTags: ReadonlySet<TagSetName> = new Set(['Category', 'Keywords', 'Author', 'People', 'Object'])

export function parseTagName(word: string): TagSetName | null {
  const key = word.trim().toLowerCase()
  return Object.hasOwn(tagSetByWord, key) ? (tagSetByWord[key] ?? null) : null
}

/** 'Beach; Sea' as two entries. */
export function splitEntries(value: string): string[] {
  return value
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '')
}

export class UnknownPerson extends Failure {
  constructor(readonly person: string) {
    super('notFound', `There is no person '${person}'. See: keepsake people list`)
  }
}

async function peopleNamed(client: Client<Calls>, wanted: readonly string[]): Promise<{ person: number }[]> {
  const known = await client.people.names()
  return wanted.map(name => {
    const ids = new Set(known.filter(one => one.name.toLowerCase() === name.toLowerCase()).map(({ person }) => person))
    const [person] = ids
    if (person === undefined) throw new UnknownPerson(name)
    if (ids.size > 1)
      throw new Failure('conflict', sentence`Several people have the name '${name}': ${[...ids].join(', ')}.`)
    return { person }
  })
}

async function objectsNamed(client: Client<Calls>, wanted: readonly string[]): Promise<{ object: number }[]> {
  const known = await client.objects.list()
  return wanted.map(name => {
    const found = known.find(one => one.name.toLowerCase() === name.toLowerCase())
    if (found === undefined) throw new Failure('notFound', sentence`There is no object '${name}'.`)
    return { object: found.id }
  })
}

/** Parses '48.1,11.6' or '48.1,11.6,Munich'; any other text is the name of a place. */
function parsePlace(value: string): unknown {
  if (value.trim() === '') return []
  const [, latitude, longitude, name] = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*(?:,\s*(.*))?$/.exec(value) ?? []
  if (latitude === undefined || longitude === undefined)
    return { latitude: null, longitude: null, placeName: value.trim() }
  return { latitude: Number(latitude), longitude: Number(longitude), placeName: name?.trim() ?? '' }
}

/** Converts a typed value to data for the calls. Throws a `Failure` for an unknown person or object, or a bad rating. */
export async function parseTagData(client: Client<Calls>, tag: TagSetName, value: string): Promise<unknown> {
  if (tag === 'People') return peopleNamed(client, splitEntries(value))
  if (tag === 'Object') return objectsNamed(client, splitEntries(value))
  if (listTags.has(tag)) return splitEntries(value)
  if (tag === 'Locations') return parsePlace(value)
  if (tag !== 'Rating') return value
  if (value.trim() === '') return null
  if (!/^(-1|[0-5])$/.test(value)) throw new Failure('invalid', 'A rating is -1 to 5.')
  return Number(value)
}
