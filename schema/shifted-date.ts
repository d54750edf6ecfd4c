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
 * Why a date is not shifted. 'zone': the file has the time zone or UTC, so the camera's clock was set by a network
 * or satellite; 'range': the result is outside the years that the library accepts.
 */
export type ShiftFault = 'zone' | 'range'

/**
 * Whether the offset is from metadata or a file's name. A date from the file's modification time ('file') has the
 * server's offset, and users ('user') set only local times, so neither counts.
 */
function hasOwnZone({ offset, source }: ItemDate): boolean {
  return offset !== null && source !== 'file' && source !== 'user'
}

/** `taken` plus `seconds`, which may be negative; or why the date is not shifted. */
export function shiftedTaken(date: ItemDate, seconds: number): number | ShiftFault {
  if (hasOwnZone(date)) return 'zone'
  const taken = date.taken + seconds
  const year = new Date(taken * 1000).getUTCFullYear()
  return year >= limits.minItemYear && year <= latestYear() ? taken : 'range'
}
