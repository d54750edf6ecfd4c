/** Finds the people of a library that correspond to those of an export: by name, because files contain names too. */
import { keystringKey } from '../../words/keystrings.ts'

interface NameOverTime {
  name: string
  active_from: number | null
  active_to: number | null
}

export interface KnownPerson {
  id: number
  birthdate: string | null
  names: readonly (NameOverTime & { id: number })[]
}

export interface ImportedPerson {
  /** The person's number in the export. */
  person: number
  birthdate: string | null
  names: readonly NameOverTime[]
}

/** The person of the library for an exported person. `id` null: nobody matches, so the person is created. */
export interface PersonMatch {
  person: number
  id: number | null
  /** Names that the library's person does not have yet. */
  add: readonly NameOverTime[]
  /** Ids of names without dates, to be removed because the export has them with dates. */
  drop: readonly number[]
  /** Undefined: unchanged. */
  birthdate: string | undefined
}

function keyOfName({ name, active_from, active_to }: NameOverTime): string {
  return `${keystringKey(name)}\0${active_from}\0${active_to}`
}

function wholeKey(names: readonly NameOverTime[]): string {
  return JSON.stringify(names.map(keyOfName).sort())
}

function mayBeOne(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b
}

/** Matches each person of the library once: first by all names, then by any name. Birthdates must not differ. */
export function matchPeople(imported: readonly ImportedPerson[], known: readonly KnownPerson[]): PersonMatch[] {
  const whole = Map.groupBy(known, ({ names }) => wholeKey(names))
  const named = known.flatMap(person => person.names.map(({ name }) => ({ key: keystringKey(name), person })))
  const byName = Map.groupBy(named, ({ key }) => key)
  const taken = new Set<number>()
  const found = new Map<number, KnownPerson>()
  const matchPerson = (person: ImportedPerson, candidates: readonly KnownPerson[]) => {
    const free = candidates.filter(({ id, birthdate }) => !taken.has(id) && mayBeOne(birthdate, person.birthdate))
    const best = free.find(({ birthdate }) => birthdate === person.birthdate) ?? free[0]
    if (best === undefined) return
    taken.add(best.id)
    found.set(person.person, best)
  }
  for (const person of imported) matchPerson(person, whole.get(wholeKey(person.names)) ?? [])
  for (const person of imported) {
    if (found.has(person.person)) continue
    matchPerson(
      person,
      person.names.flatMap(({ name }) => byName.get(keystringKey(name))?.map(one => one.person) ?? []),
    )
  }
  return imported.map(person => matchOf(person, found.get(person.person) ?? null))
}

function matchOf({ person, names, birthdate }: ImportedPerson, match: KnownPerson | null): PersonMatch {
  if (match === null) return { person, id: null, add: names, drop: [], birthdate: birthdate ?? undefined }
  const keys = new Set(names.map(keyOfName))
  const exportedNames = new Set(names.map(({ name }) => keystringKey(name)))
  const matchKeys = new Set(match.names.map(keyOfName))
  const drop = match.names.filter(
    name =>
      name.active_from === null &&
      name.active_to === null &&
      !keys.has(keyOfName(name)) &&
      exportedNames.has(keystringKey(name.name)),
  )
  return {
    person,
    id: match.id,
    add: names.filter(name => !matchKeys.has(keyOfName(name))),
    drop: drop.map(({ id }) => id),
    birthdate: birthdate === null || birthdate === match.birthdate ? undefined : birthdate,
  }
}
