/** Months of a list sorted by date: where each starts, and going to one. */
import { useRef } from 'react'
import type { Item } from '../../schema/api/items.ts'
import type { ListState } from '../parts/list.ts'
import { type Ui, useUi } from '../ui.ts'

export interface Month {
  year: number
  month: number
  count: number
}

/** Index of the first item of a month, or of the next month that has items, in the list's order. */
export function indexOfMonth(months: readonly Month[], year: number, month: number, down: boolean): number {
  const at = (one: Month) => one.year * 12 + one.month
  const wanted = year * 12 + month
  let index = 0
  for (const one of months) if (down ? at(one) > wanted : at(one) < wanted) index += one.count
  return index
}

async function goToMonth(ui: Ui, months: readonly Month[], down: boolean, set: (index: number) => void) {
  const texts = months.map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`)
  const text = await ui.prompt({
    label: 'Go to month:',
    hint: 'Such as 2019-08, or only a year. Tab completes.',
    history: 'month',
    complete: start => texts.filter(one => one.startsWith(start)),
    check: one => (/^\d{4}(-(0?[1-9]|1[0-2]))?$/.test(one.trim()) ? null : 'Give a month such as 2019-08.'),
  })
  if (text === null) return
  const [year = 0, month = down ? 12 : 1] = text.split('-').map(Number)
  set(indexOfMonth(months, year, month, down))
}

/** `load` returns the months of the list `key`; `down`: newest first. */
export function useMonths(
  load: () => Promise<readonly Month[]>,
  key: string,
  down: boolean,
  { cursor, set }: ListState,
) {
  const ui = useUi()
  const loaded = useRef<{ key: string; months: readonly Month[] } | null>(null)
  async function months(): Promise<readonly Month[]> {
    if (loaded.current?.key !== key) loaded.current = { key, months: await load() }
    return loaded.current.months
  }
  return {
    choose: async () => goToMonth(ui, await months(), down, set),
    /** Goes to the month below (1) or above (-1). Going up from within a month goes to its start first. */
    async step(here: Item, by: 1 | -1) {
      const loaded = await months()
      const [year = 0, month = 0] = here.taken_at.split('-').map(Number)
      const start = indexOfMonth(loaded, year, month, down)
      if (by < 0 && cursor > start) return set(start)
      const ordered = loaded.toSorted((a, b) => (down ? -1 : 1) * (a.year * 12 + a.month - b.year * 12 - b.month))
      const next = ordered[ordered.findIndex(one => one.year === year && one.month === month) + by]
      if (next !== undefined) set(indexOfMonth(loaded, next.year, next.month, down))
    },
  }
}
