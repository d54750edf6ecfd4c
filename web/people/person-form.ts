/** The form of a person: its errors, and its changes. Pure. */
import type { Person, PersonName } from '../../schema/api/people.ts'
import { limits } from '../../schema/limits.ts'
import { tooLongText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { peopleTexts } from '../texts/people.ts'
import { dayText, secondsOfDay } from './person-names.ts'

export interface NameDraft {
  /** Unique in the form. */
  key: number
  /** null: a new name. */
  id: number | null
  name: string
  /** 'YYYY-MM-DD' or ''; `to` is inclusive. */
  from: string
  to: string
}

export interface PersonDraft {
  birthdate: string
  names: readonly NameDraft[]
}

const daySeconds = 86_400

function draftOf({ id, name, active_from, active_to }: PersonName): NameDraft {
  return {
    key: id,
    id,
    name,
    from: dayText(active_from),
    to: dayText(active_to === null ? null : active_to - daySeconds),
  }
}

export function personDraft({ birthdate, names }: Pick<Person, 'birthdate' | 'names'>): PersonDraft {
  return { birthdate: birthdate ?? '', names: names.map(draftOf) }
}

export function withNewName({ birthdate, names }: PersonDraft): PersonDraft {
  const key = Math.min(0, ...names.map(one => one.key)) - 1
  return { birthdate, names: [...names, { key, id: null, name: '', from: '', to: '' }] }
}

/** Removes a name, unless it is the only one. */
export function withoutName(draft: PersonDraft, key: number): PersonDraft {
  return draft.names.length < 2 ? draft : { ...draft, names: draft.names.filter(one => one.key !== key) }
}

/** Updates the draft's ids: a name saved meanwhile gets its id, and a name removed meanwhile becomes a new one. */
export function withServerIds(draft: PersonDraft, person: Pick<Person, 'names'>): PersonDraft {
  const free = personDraft({ birthdate: null, names: person.names }).names.filter(
    known => !draft.names.some(({ id }) => id === known.id),
  )
  const names = draft.names.map(one => {
    if (one.id !== null) return person.names.some(({ id }) => id === one.id) ? one : { ...one, id: null }
    const at = free.findIndex(known => known.name === one.name.trim() && known.from === one.from && known.to === one.to)
    const [saved] = at < 0 ? [] : free.splice(at, 1)
    return saved === undefined ? one : { ...one, id: saved.id }
  })
  return { ...draft, names }
}

function dayFault(text: string, maxYear: number): string | null {
  if (text === '') return null
  if (secondsOfDay(text) === null) return peopleTexts.notADate
  const year = Number(text.slice(0, 4))
  return year < limits.minPersonYear || year > maxYear
    ? peopleTexts.yearsAreTo({ first: String(limits.minPersonYear), last: String(maxYear) })
    : null
}

export interface NameFaults {
  name: string | null
  from: string | null
  to: string | null
}

export interface PersonFaults {
  birthdate: string | null
  names: ReadonlyMap<number, NameFaults>
}

export function personFaults(draft: PersonDraft, thisYear: number): PersonFaults {
  const most = limits.maxPersonYear
  const names = draft.names.map(({ key, name, from, to }) => {
    const backwards = from !== '' && to !== '' && to < from ? peopleTexts.nameMustEndAfter : null
    const text = name.trim()
    return [
      key,
      {
        name:
          text === ''
            ? baseTexts.nameIsRequired
            : text.length > limits.personNameLength
              ? tooLongText(baseTexts.name, limits.personNameLength)
              : null,
        from: dayFault(from, most),
        to: dayFault(to, most) ?? backwards,
      },
    ] as const
  })
  return { birthdate: dayFault(draft.birthdate, thisYear), names: new Map(names) }
}

export function isPersonFaultless({ birthdate, names }: PersonFaults): boolean {
  return (
    birthdate === null && [...names.values()].every(one => one.name === null && one.from === null && one.to === null)
  )
}

interface NameInput {
  name: string
  start: number | null
  finish: number | null
}

export interface PersonChanges {
  /** Absent if unchanged. */
  birthdate?: string | null
  add: NameInput[]
  update: (NameInput & { id: number })[]
  remove: number[]
}

/** Returns the changes, without unchanged parts; a time keeps its seconds while its day is unchanged. */
export function personChanges(person: Pick<Person, 'birthdate' | 'names'>, draft: PersonDraft): PersonChanges {
  const known = new Map(person.names.map(name => [name.id, name]))
  const inputOf = ({ name, from, to, id }: NameDraft): NameInput => {
    const old = id === null ? undefined : known.get(id)
    const was = old === undefined ? null : draftOf(old)
    const end = secondsOfDay(to)
    return {
      name: name.trim(),
      start: old !== undefined && was?.from === from ? old.active_from : secondsOfDay(from),
      finish: old !== undefined && was?.to === to ? old.active_to : end === null ? null : end + daySeconds,
    }
  }
  const kept = new Set(draft.names.map(({ id }) => id))
  const changes: PersonChanges = {
    add: draft.names.filter(({ id }) => id === null).map(inputOf),
    update: draft.names.flatMap(one => {
      const old = one.id === null ? undefined : known.get(one.id)
      if (old === undefined) return []
      const input = inputOf(one)
      const isSame = input.name === old.name && input.start === old.active_from && input.finish === old.active_to
      return isSame ? [] : [{ ...input, id: old.id }]
    }),
    remove: person.names.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  }
  const birthdate = draft.birthdate === '' ? null : draft.birthdate
  return birthdate === person.birthdate ? changes : { ...changes, birthdate }
}

export function isPersonChanged({ birthdate, add, update, remove }: PersonChanges): boolean {
  return birthdate !== undefined || add.length + update.length + remove.length > 0
}
