import { describe, expect, test } from 'bun:test'
import type { Person, PersonName } from '../../schema/api/people.ts'
import { limits } from '../../schema/limits.ts'
import { yearAndAge } from '../../web/people/person-facts.tsx'
import {
  isPersonChanged,
  isPersonFaultless,
  type NameDraft,
  personChanges,
  personDraft,
  personFaults,
  withNewName,
  withoutName,
  withServerIds,
} from '../../web/people/person-form.ts'
import { byName, dayText, findPeople, nameAt, secondsOfDay, timeText } from '../../web/people/person-names.ts'

const at = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

function name(id: number, text: string, from: string | null = null, to: string | null = null): PersonName {
  return {
    id,
    person: 1,
    name: text,
    active_from: from === null ? null : at(from),
    active_to: to === null ? null : at(to),
  }
}

function person(id: number, ...names: PersonName[]): Person {
  return { id, names, birthdate: null, itemcount: 0 }
}

const lind = name(1, 'Anna Lind', null, '2010-06-12')
const berg = name(2, 'Anna Berg', '2010-06-12')

describe('names over time', () => {
  test('are looked up by date', () => {
    expect(nameAt([lind, berg], at('2010-06-12') - 1)).toBe('Anna Lind')
    expect(nameAt([lind, berg], at('2010-06-12'))).toBe('Anna Berg')
    expect(nameAt([name(1, 'Anna'), berg], at('2015-01-01'))).toBe('Anna Berg')
    expect(nameAt([berg], at('2000-01-01'))).toBe('No name available')
    expect(nameAt([], at('2000-01-01'))).toBe('No name available')
  })

  test('are shown with their last day', () => {
    expect(timeText(lind, 'en-GB')).toBe('until 11 June 2010')
    expect(timeText(berg, 'en-GB')).toBe('since 12 June 2010')
    expect(timeText(name(1, 'x', '1987-05-04', '2010-06-02'), 'en-GB')).toBe('from 4 May 1987 to 1 June 2010')
    expect(timeText(name(1, 'x'))).toBe('')
  })

  test('days convert to times and back', () => {
    for (const day of ['1700-01-01', '1969-12-31', '2050-12-31']) expect(dayText(secondsOfDay(day))).toBe(day)
    expect([dayText(null), secondsOfDay(''), secondsOfDay('2010-13-01'), secondsOfDay('10')]).toEqual([
      '',
      null,
      null,
      null,
    ])
  })

  test('find people whatever the accents, matches at the start first', () => {
    const all = [
      person(1, name(1, 'Hanna Süß')),
      person(2, lind, berg),
      person(3, name(3, 'Émile')),
      person(4, name(4, 'علي')),
    ]
    const found = (text: string) => findPeople(all, text).map(({ id }) => id)
    expect(found('anna')).toEqual([2, 1])
    expect(found('lind')).toEqual([2])
    expect(found('SUẞ')).toEqual([1])
    expect(found('suss')).toEqual([1])
    expect(found('علی')).toEqual([4])
    expect(found('emi')).toEqual([3])
    expect(found('  ')).toEqual([1, 2, 3, 4])
    expect(found('nobody')).toEqual([])
  })

  test('sort people by their name on a given day', () => {
    const all = [person(1, name(1, 'Berta')), person(2, lind, berg), person(3, name(3, 'Änne'))]
    expect([...all].sort(byName(at('2015-01-01'), 'de')).map(({ id }) => id)).toEqual([2, 3, 1])
  })
})

describe('the form of a person', () => {
  const anna: Person = { ...person(1, lind, berg), birthdate: '1981-04-05' }
  const draft = personDraft(anna)
  const faultsOf = (change: Partial<NameDraft>, birthdate = '') => {
    const faults = personFaults({ birthdate, names: [{ key: 1, id: 1, name: 'A', from: '', to: '', ...change }] }, 2026)
    return { birthdate: faults.birthdate, ...faults.names.get(1) }
  }

  test('does not send unchanged fields', () => {
    expect(draft).toEqual({
      birthdate: '1981-04-05',
      names: [
        { key: 1, id: 1, name: 'Anna Lind', from: '', to: '2010-06-11' },
        { key: 2, id: 2, name: 'Anna Berg', from: '2010-06-12', to: '' },
      ],
    })
    expect(personChanges(anna, draft)).toEqual({ add: [], update: [], remove: [] })
    expect(isPersonChanged(personChanges(anna, draft))).toBe(false)
  })

  test('keeps the time of day while the day is unchanged', () => {
    const noon: Person = person(1, { ...berg, active_from: at('2010-06-12') + 43_200 })
    const typed = personDraft(noon)
    const renamed = { ...typed, names: typed.names.map(one => ({ ...one, name: 'Anna B.' })) }
    expect(personChanges(noon, renamed).update).toEqual([
      { id: 2, name: 'Anna B.', start: at('2010-06-12') + 43_200, finish: null },
    ])
  })

  test('adds, changes and removes names, and sets the birthdate', () => {
    const added = withNewName(withoutName(draft, 2))
    const names = added.names.map(one =>
      one.id === null ? { ...one, name: ' Anna Holm ', from: '2010-06-12' } : { ...one, from: '1981-04-05' },
    )
    expect(personChanges(anna, { birthdate: '', names })).toEqual({
      birthdate: null,
      add: [{ name: 'Anna Holm', start: at('2010-06-12'), finish: null }],
      update: [{ id: 1, name: 'Anna Lind', start: at('1981-04-05'), finish: at('2010-06-12') }],
      remove: [2],
    })
  })

  test('the last remaining name cannot be deleted', () => {
    const one = withoutName(draft, 1)
    expect(one.names).toHaveLength(1)
    expect(withoutName(one, 2)).toBe(one)
  })

  test('sends the rest after a part was saved', () => {
    const typed = withNewName(draft)
    const names = typed.names.map(one =>
      one.id === null ? { ...one, name: 'Anna Holm' } : { ...one, from: '1981-04-05' },
    )
    // The new name was saved; another user has removed a different one.
    const now: Person = { ...anna, names: [lind, name(9, 'Anna Holm')] }
    expect(withServerIds({ birthdate: '', names }, now).names.map(({ id }) => id)).toEqual([1, null, 9])
    const { add, update, remove } = personChanges(now, withServerIds({ birthdate: '', names }, now))
    expect([add.map(one => one.name), update.map(({ id }) => id), remove]).toEqual([['Anna Berg'], [1], []])
  })

  test('gives new names their own keys', () => {
    const keys = withNewName(withNewName(draft)).names.map(({ key }) => key)
    expect(new Set(keys).size).toBe(4)
  })

  test('date pickers go from 1700 to 2050, the birthdate up to the current year', () => {
    expect([limits.minPersonYear, limits.maxPersonYear]).toEqual([1700, 2050])
    expect(faultsOf({ from: '1700-01-01', to: '2050-12-31' })).toEqual({
      birthdate: null,
      name: null,
      from: null,
      to: null,
    })
    expect(faultsOf({ from: '1699-12-31', to: '2051-01-01' })).toMatchObject({
      from: 'Years are 1700 to 2050',
      to: 'Years are 1700 to 2050',
    })
    expect(faultsOf({}, '2026-12-31').birthdate).toBeNull()
    expect(faultsOf({}, '2027-01-01').birthdate).toBe('Years are 1700 to 2026')
    expect(faultsOf({}, '1699-12-31').birthdate).toBe('Years are 1700 to 2026')
  })

  test('requires a name that ends after it starts', () => {
    expect(faultsOf({ name: '  ' }).name).toBe('Name is required')
    expect(faultsOf({ name: 'x'.repeat(201) }).name).toBe('Name must be at most 200 characters')
    expect(faultsOf({ from: '2010-06-12', to: '2010-06-11' }).to).toBe('A name must end after it begins')
    expect(faultsOf({ from: '2010-06-12', to: '2010-06-12' }).to).toBeNull()
    expect(isPersonFaultless(personFaults(draft, 2026))).toBe(true)
    expect(isPersonFaultless(personFaults(withNewName(draft), 2026))).toBe(false)
  })

  test('people are shown fifteen a page', () => expect(limits.peoplePageSize).toBe(15))
})

test('a year of a person is shown with the age, from the year of birth on', () => {
  expect([2006, 2007, 2008, 2014].map(year => yearAndAge(year, '2007-05-14'))).toEqual([
    '2006',
    '2007 · year of birth',
    '2008 · 1 year old',
    '2014 · 7 years old',
  ])
  expect(yearAndAge(2014, null)).toBe('2014')
})
