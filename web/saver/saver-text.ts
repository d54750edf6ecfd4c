/** Describes the filter of a screen saver in words. Pure. */

import type { SaverFilters } from '../../schema/api/screensavers.ts'
import { ownLocale } from '../../schema/locale.ts'
import { monthName } from '../kit/dates.ts'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'

const day = (seconds: number) =>
  new Intl.DateTimeFormat(ownLocale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    seconds * 1000,
  )

function wordsOf(groups: string): string {
  try {
    const read: unknown = JSON.parse(groups)
    if (!Array.isArray(read)) return ''
    const texts = read.map(group =>
      Array.isArray(group)
        ? listText(
            group.map((entry: { text?: unknown; mode?: unknown; type?: unknown }) => {
              const text = typeof entry.text === 'string' ? entry.text : String(entry.type ?? '').toLowerCase()
              return entry.mode === 1 ? saverTexts.not({ text }) : text
            }),
          )
        : '',
    )
    return texts.filter(text => text !== '').join(saverTexts.or)
  } catch {
    return ''
  }
}

/** 'Family, August, with sea, on this day'; 'Everything' without a filter. */
export function saverText(filters: SaverFilters, nameOf: (collection: number) => string | null): string {
  const parts: string[] = []
  if (filters.collectionId !== undefined && filters.collectionId !== 0) {
    parts.push(nameOf(filters.collectionId) ?? saverTexts.unseenCollection)
  }
  if (filters.startMonth !== undefined) parts.push(monthName(filters.startMonth, filters.calendar ?? 'gregorian'))
  if (filters.dateStart !== undefined && filters.dateEnd !== undefined) {
    parts.push(saverTexts.to({ from: day(filters.dateStart), to: day(filters.dateEnd - 1) }))
  }
  const words = filters.filtergroups === undefined ? '' : wordsOf(filters.filtergroups)
  if (words !== '') parts.push(saverTexts.with({ words }))
  if (filters.q !== undefined && filters.q !== '') parts.push(filters.q)
  if (filters.latitude !== undefined) parts.push(saverTexts.nearAPlace)
  if (filters.onthisdayTz !== undefined) parts.push(saverTexts.onThisDay)
  return parts.length === 0 ? baseTexts.everything : listText(parts)
}
