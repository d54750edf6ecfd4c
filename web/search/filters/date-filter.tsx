/** The filter by date: a stepper through the years with items, and twelve months with bars for their counts. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { filter, setFilter } from '../../app/current-filter.ts'
import { yearRange } from '../../app/filter.ts'
import { monthCounts, yearsWithItems } from '../../items/timeline.ts'
import { Button } from '../../kit/button.tsx'
import { monthName, yearText } from '../../kit/dates.ts'
import { Select } from '../../kit/form/select.tsx'
import { baseTexts } from '../../texts/base.ts'
import { searchTexts } from '../../texts/search.ts'
import { adjacentYear, yearChoices } from './year-steps.ts'

function YearStepper() {
  useSignals()
  const { year, calendar } = filter.value
  const [older, newer] = [
    adjacentYear(yearsWithItems.value, year, 'older'),
    adjacentYear(yearsWithItems.value, year, 'newer'),
  ]
  return (
    <div className="year-stepper">
      <button
        type="button"
        aria-label={
          older === undefined
            ? searchTexts.olderYear
            : searchTexts.olderYearIs({ year: older == null ? searchTexts.allYearsLower : yearText(older) })
        }
        disabled={older === undefined}
        onClick={() => setFilter({ year: older ?? null })}
      >
        <ChevronLeft size={18} />
      </button>
      <div className="relative grow text-center font-semibold">
        <span aria-hidden="true">{year === null ? searchTexts.allYears : yearText(year)}</span>
        <Select
          aria-label={searchTexts.year}
          className="absolute inset-0 w-full opacity-0 cursor-pointer"
          value={year ?? ''}
          choices={[
            { value: '', text: searchTexts.allYears },
            ...yearChoices(year, yearRange(calendar)).map(one => ({ value: one, text: yearText(one) })),
          ]}
          onChoose={chosen => setFilter({ year: chosen === '' ? null : Number(chosen) })}
        />
      </div>
      <button
        type="button"
        aria-label={
          newer === undefined
            ? searchTexts.newerYear
            : searchTexts.newerYearIs({ year: newer == null ? searchTexts.allYearsLower : yearText(newer) })
        }
        disabled={newer === undefined}
        onClick={() => setFilter({ year: newer ?? null })}
      >
        <ChevronRight size={18} />
      </button>
    </div>
  )
}

export function DateFilter() {
  useSignals()
  const { year, month, calendar } = filter.value
  const counts = monthCounts.value
  const maxCount = Math.max(1, ...counts)
  return (
    <section aria-label={baseTexts.date}>
      <div className="flex items-center h-6 px-2.5 mb-1">
        <h2 className="eyebrow">{baseTexts.date}</h2>
        {(year !== null || month !== null) && (
          <Button
            look="link"
            className="ms-auto"
            text={searchTexts.clear}
            aria-label={searchTexts.clearTheDate}
            onClick={() => setFilter({ year: null, month: null })}
          />
        )}
      </div>
      <YearStepper />
      <div className="months">
        {counts.map((count, at) => {
          const number = at + 1
          const [name, shortName] = [monthName(number, calendar), monthName(number, calendar, true)]
          return (
            <button
              key={number}
              type="button"
              data-empty={count === 0}
              aria-pressed={month === number}
              // Voice control uses the visible text.
              aria-label={searchTexts.monthItems({ month: shortName, count })}
              title={searchTexts.monthItems({ month: name, count })}
              onClick={() => setFilter({ month: month === number ? null : number })}
            >
              <span aria-hidden="true">{shortName}</span>
              <i style={{ width: count === 0 ? 0 : Math.max(2, Math.round(24 * Math.sqrt(count / maxCount))) }} />
            </button>
          )
        })}
      </div>
    </section>
  )
}
