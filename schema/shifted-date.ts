/** What shifting the date of an item does, for the server and for the preview in pages. Pure. */
import { latestYear } from './api/parts/latest-year.ts'
import { limits } from './limits.ts'

/** The date of an item. `taken`: local time read as if UTC, in seconds; `offset`: minutes east of UTC. */
export interface ItemDate {
  taken: number
  offset: number | null
  /** A DateSource, or 'user'. */
  source: string
}

/**
 * Why a date is not shifted. 'zone': the file says the time zone, so its clock was set by a network or satellite;
 * 'range': the result is outside the years that the library accepts.
 */
export type ShiftFault = 'zone' | 'range'

/** Whether the file states the time zone. The offset of a guessed date is the server's; users set only local times. */
function hasOwnZone({ offset, source }: ItemDate): boolean {
  return offset !== null && source !== 'file' && source !== 'user'
}

/** The local time `seconds` later (earlier, if negative), read as if UTC; or why the date stays. */
export function shiftedTaken(date: ItemDate, seconds: number): number | ShiftFault {
  if (hasOwnZone(date)) return 'zone'
  const taken = date.taken + seconds
  const year = new Date(taken * 1000).getUTCFullYear()
  return year >= limits.minItemYear && year <= latestYear() ? taken : 'range'
}
