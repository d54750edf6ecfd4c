/** Months of a list that is sorted by date: where each begins, and going to one. */
import type { Stage } from '../stage.ts'

export interface Month {
  year: number
  month: number
  count: number
}

/** Index of the first item of a month, or of the next that there is, in the order of the list. */
export function indexOfMonth(months: readonly Month[], year: number, month: number, down: boolean): number {
  const at = (one: Month) => one.year * 12 + one.month
  const wanted = year * 12 + month
  let index = 0
  for (const one of months) if (down ? at(one) > wanted : at(one) < wanted) index += one.count
  return index
}

/** Asks for a month and goes there. */
export async function goToMonth(stage: Stage, months: readonly Month[], down: boolean, set: (index: number) => void) {
  const texts = months.map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`)
  const text = await stage.prompt({
    label: 'Go to month:',
    hint: 'Like 2019-08, or a year alone. Tab completes.',
    history: 'month',
    complete: start => texts.filter(one => one.startsWith(start)),
    check: one => (/^\d{4}(-(0?[1-9]|1[0-2]))?$/.test(one.trim()) ? null : 'A month is like 2019-08.'),
  })
  if (text === null) return
  const [year = 0, month = down ? 12 : 1] = text.split('-').map(Number)
  set(indexOfMonth(months, year, month, down))
}
