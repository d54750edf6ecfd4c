/** Facts about a person: items per year as bars, people on the same pictures, and places. */
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { Link } from 'wouter'
import type { PersonPage } from '../../schema/api/people.ts'
import { calendarOfYear, dateIn } from '../../schema/calendar.ts'
import { figure, inOwnDigits } from '../../schema/figures.ts'
import { addressOfPerson, filter, setFilter } from '../app/current-filter.ts'
import { Button } from '../kit/button.tsx'
import { secondsOf, yearText } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { peopleTexts } from '../texts/people.ts'
import { Face } from './face.tsx'

/** Years between the first and the last without items are shown too, so that the bars are a time line. */
function withEmptyYears(years: PersonPage['years']): PersonPage['years'] {
  const [first, last] = [years[0], years.at(-1)]
  if (first === undefined || last === undefined) return []
  const counts = new Map(years.map(({ year, count }) => [year, count]))
  return Array.from({ length: last.year - first.year + 1 }, (_, n) => ({
    year: first.year + n,
    count: counts.get(first.year + n) ?? 0,
  }))
}

/** '2014 · 6 years old'; only the year before the birth, and if the birthdate is unknown. */
export function yearAndAge(year: number, birthdate: string | null): string {
  const age = birthdate === null ? -1 : year - dateIn(calendarOfYear(year), secondsOf(birthdate)).year
  if (age < 0) return yearText(year)
  return peopleTexts.yearAndAge({
    year: yearText(year),
    age: age === 0 ? peopleTexts.yearOfBirth : peopleTexts.yearsOld({ count: age }),
  })
}

function Years({ years, birthdate }: Pick<PersonPage, 'years' | 'birthdate'>) {
  useSignals()
  const all = withEmptyYears(years)
  const most = Math.max(...all.map(({ count }) => count))
  const chosen = filter.value.year
  return (
    <section className="person-years">
      <h2 className="eyebrow">
        {peopleTexts.years}
        {chosen !== null && <span className="person-year">{yearAndAge(chosen, birthdate)}</span>}
      </h2>
      <ol>
        {all.map(({ year, count }) => {
          const what = peopleTexts.itemsIn({ year: yearAndAge(year, birthdate), items: baseTexts.itemCount({ count }) })
          return (
            <li key={year}>
              <button
                type="button"
                title={what}
                aria-pressed={year === chosen}
                disabled={count === 0}
                onClick={() => setFilter({ year: year === chosen ? null : year, month: null })}
              >
                <i style={{ height: count === 0 ? 0 : `max(3px, ${(count / most) * 100}%)` }} />
                <span aria-hidden="true">{inOwnDigits(`’${String(year % 100).padStart(2, '0')}`)}</span>
                <span className="sr-only">{what}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function OftenWith({ people }: { people: PersonPage['with'] }) {
  return (
    <section className="person-company">
      <h2 className="eyebrow">{peopleTexts.withPeople}</h2>
      <ul>
        {people.map(person => (
          <li key={person.id}>
            <Link href={addressOfPerson(person.id, person.name)}>
              <Face {...person} size={40} />
              <span className="min-w-0">
                <span className="truncate block" dir="auto" title={person.name}>
                  {person.name}
                </span>
                <span className="text-xs soft">{figure(person.count)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const shownPlaces = 4

function Places({ places }: Pick<PersonPage, 'places'>) {
  const [isOpen, setOpen] = useState(false)
  const more = places.length - shownPlaces
  return (
    <section className="person-places">
      <h2 className="eyebrow">{baseTexts.places}</h2>
      <ul>
        {places.slice(0, isOpen ? undefined : shownPlaces).map(({ name, count }) => (
          <li key={name}>
            <button
              type="button"
              className="truncate"
              dir="auto"
              title={name}
              onClick={() => setFilter({ q: `place:"${name.replaceAll('"', '""')}"` })}
            >
              {name.split(',')[0]}
            </button>
            <span className="text-xs soft">{figure(count)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && !isOpen && (
        <Button look="link" text={peopleTexts.moreCount({ count: more })} onClick={() => setOpen(true)} />
      )}
    </section>
  )
}

/** Parts without data are omitted. */
export function Facts({ person: { years, birthdate, with: company, places } }: { person: PersonPage }) {
  return (
    <div className="person-facts">
      {years.length > 1 && <Years years={years} birthdate={birthdate} />}
      {company.length > 0 && <OftenWith people={company} />}
      {places.length > 0 && <Places places={places} />}
    </div>
  )
}
