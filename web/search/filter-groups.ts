/** Filters with a chip added, removed, toggled or moved between groups. Pure. */

import { type ChipEntry, type Filter, freeText, sameEntry, tidy } from '../app/filter.ts'
import { commas } from '../kit/words.ts'

/** A chip's position: its group and its index there. */
export interface ChipPosition {
  group: number
  at: number
}

/** Index of the group that new chips join: the last one; 0 if there are none. */
export function defaultGroup(filter: Filter): number {
  return Math.max(0, filter.groups.length - 1)
}

/** Adds entries to a group; the index after the last opens a new one. Duplicates are skipped. */
export function withEntries(filter: Filter, entries: readonly ChipEntry[], group = defaultGroup(filter)): Filter {
  const groups = filter.groups.map(chips => [...chips])
  const target = Math.min(group, groups.length)
  if (target === groups.length) groups.push([])
  groups[target]?.push(...entries)
  return { ...filter, groups: tidy(groups) }
}

/** Adds typed text to a group; commas separate entries. */
export function withTyped(filter: Filter, typed: string, group?: number): Filter {
  const texts = typed.split(commas).map(text => text.trim().slice(0, 200))
  const entries = texts.filter(text => text !== '').map(text => freeText(text))
  return withEntries(filter, entries, group)
}

export function entryAt(filter: Filter, { group, at }: ChipPosition): ChipEntry | undefined {
  return filter.groups[group]?.[at]
}

/** Toggles a chip between required and excluded. */
export function withEntryToggled(filter: Filter, position: ChipPosition): Filter {
  const groups = filter.groups.map((group, number) =>
    group.map((entry, at) => (number === position.group && at === position.at ? { ...entry, not: !entry.not } : entry)),
  )
  return { ...filter, groups: tidy(groups) }
}

export function withoutEntry(filter: Filter, position: ChipPosition): Filter {
  const groups = filter.groups.map((group, number) =>
    group.filter((_, at) => number !== position.group || at !== position.at),
  )
  return { ...filter, groups: tidy(groups) }
}

/** Moves a chip to the end of another group; the index after the last opens a new one. */
export function withEntryMoved(filter: Filter, position: ChipPosition, group: number): Filter {
  const entry = entryAt(filter, position)
  if (entry === undefined || group === position.group || group < 0) return filter
  const groups = filter.groups.map((chips, number) =>
    chips.filter((_, at) => number !== position.group || at !== position.at),
  )
  const target = Math.min(group, groups.length)
  if (target === groups.length) groups.push([])
  groups[target]?.push(entry)
  return { ...filter, groups: tidy(groups) }
}

/** The position of a chip; null if it does not exist. */
export function chipPositionOf(filter: Filter, entry: ChipEntry): ChipPosition | null {
  for (const [group, entries] of filter.groups.entries()) {
    const at = entries.findIndex(one => sameEntry(one, entry))
    if (at !== -1) return { group, at }
  }
  return null
}
