/** What shifting or setting the dates of many items will do: the preview, and its words. Pure. */
import type { Item } from '../../../schema/api/items.ts'
import { type ShiftFault, shiftedTaken } from '../../../schema/shifted-date.ts'
import { manyTexts } from '../../texts/many-items.ts'

export interface Amount {
  days: number
  hours: number
  minutes: number
}

const daySeconds = 86_400

export function secondsOf({ days, hours, minutes }: Amount): number {
  return days * daySeconds + hours * 3600 + minutes * 60
}

/** Formats seconds without their sign: '1 day 2 hours'. */
export function amountText(seconds: number): string {
  const whole = Math.abs(seconds)
  const days = Math.floor(whole / daySeconds)
  const hours = Math.floor((whole % daySeconds) / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return [
    ...(days === 0 ? [] : [manyTexts.dayCount({ count: days })]),
    ...(hours === 0 ? [] : [manyTexts.hourCount({ count: hours })]),
    ...(minutes === 0 ? [] : [manyTexts.minuteCount({ count: minutes })]),
  ].join(' ')
}

/** A row of the preview. `fault`: why the date stays. */
export interface DateRow {
  item: Item
  was: number
  willBe: number
  fault: ShiftFault | null
}

type Dated = Pick<Item, 'taken' | 'utc_offset' | 'date_source'>

function shifted({ taken, utc_offset: offset, date_source: source }: Dated, seconds: number) {
  const to = shiftedTaken({ taken, offset, source }, seconds)
  return typeof to === 'number' ? { willBe: to, fault: null } : { willBe: taken, fault: to }
}

export function shiftRows(items: readonly Item[], seconds: number): DateRow[] {
  return items.map(item => ({ item, was: item.taken, ...shifted(item, seconds) }))
}

/** `taken`: the new date in seconds, read as if UTC; null while it is not valid. */
export function setRows(items: readonly Item[], taken: number | null): DateRow[] {
  return items.map(item => ({ item, was: item.taken, willBe: taken ?? item.taken, fault: null }))
}

/** 'Next day', '3 days earlier'; '' on the same day. */
export function dayChange({ was, willBe }: Pick<DateRow, 'was' | 'willBe'>): string {
  const count = Math.floor(willBe / daySeconds) - Math.floor(was / daySeconds)
  if (count === 0) return ''
  if (count === 1) return manyTexts.nextDay
  if (count === -1) return manyTexts.dayBefore
  return count > 0 ? manyTexts.daysLater({ count }) : manyTexts.daysEarlier({ count: -count })
}

export const faultTexts: Readonly<Record<ShiftFault, string>> = {
  zone: manyTexts.hasTimeZone,
  range: manyTexts.outOfRange,
}

/** What the shift means, in a sentence. */
export function shiftText(rows: readonly DateRow[], seconds: number): string {
  if (seconds === 0) return manyTexts.chooseAmount
  const count = rows.filter(({ fault }) => fault === null).length
  const same = rows.length === count ? '' : `, ${manyTexts.staySame({ count: rows.length - count })}`
  const amount = amountText(seconds)
  return seconds > 0
    ? manyTexts.clockWasSlow({ amount, result: `${manyTexts.becomeLater({ count })}${same}` })
    : manyTexts.clockWasFast({ amount, result: `${manyTexts.becomeEarlier({ count })}${same}` })
}
