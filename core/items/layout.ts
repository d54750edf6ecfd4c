/** Shapes of the items of a filter, by month and day, so that a timeline can be laid out before its items are loaded. */
import { type FilterQuery, type LayoutMonth, type PageQuery, shapeOf } from '../../schema/api/items.ts'
import { dateIn } from '../../schema/calendar.ts'
import type { Viewer } from '../accounts/access.ts'
import { allOf } from '../filter/bound.ts'
import { framedQueryFor, type ItemStore } from './item-store.ts'
import { pageShapes } from './items.sql.ts'

const daySeconds = 86_400

interface GrowingMonth extends Omit<LayoutMonth, 'shapes'> {
  shapes: number[]
}

/** All items of the filter; the caller limits the time. If they are not in the order of dates, one month 0 has them all. */
export function layoutOf(
  store: ItemStore,
  viewer: Viewer,
  { collectionId }: { collectionId: number },
  query: FilterQuery & Pick<PageQuery, 'sort'>,
): { months: LayoutMonth[] } {
  const { framed, figures } = framedQueryFor(store, viewer, collectionId, query)
  const { sort = '-taken', album, calendar = 'gregorian' } = query
  const byDate = sort === '-taken'
  const wanted = { sort, limit: figures.total(), offset: 0, after: null, before: null, album }
  const months: GrowingMonth[] = byDate
    ? []
    : [{ year: 0, month: 0, count: 0, days: [{ day: 0, count: 0 }], shapes: [] }]
  let dayNumber = Number.NaN
  for (const select of wanted.limit === 0 ? [] : store.pages.select(framed, wanted, figures).slice(-1)) {
    for (const { taken, width, height, rotation } of allOf(store.db, pageShapes(select))) {
      const date = Math.floor(taken / daySeconds)
      if (byDate && date !== dayNumber) {
        dayNumber = date
        const { year, month, day } = dateIn(calendar, taken)
        const last = months.at(-1)
        if (last?.year !== year || last.month !== month) months.push({ year, month, count: 0, days: [], shapes: [] })
        months.at(-1)?.days.push({ day, count: 0 })
      }
      const current = months.at(-1)
      const today = current?.days.at(-1)
      if (current === undefined || today === undefined) continue
      current.count++
      today.count++
      current.shapes.push(rotation % 180 === 0 ? shapeOf(width, height) : shapeOf(height, width))
    }
  }
  return { months: months.map(month => ({ ...month, shapes: Buffer.from(month.shapes).toString('base64') })) }
}
