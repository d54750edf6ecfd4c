/** Selecting entries: by clicks, keys and a selection box. Pure. */

/** The selected entries, the focused one, and the start of a range, as indices of the list. */
export interface EntryChoice {
  selected: ReadonlySet<number>
  active: number
  anchor: number
}

export const noChoice: EntryChoice = { selected: new Set(), active: -1, anchor: -1 }

export interface Modifiers {
  shift: boolean
  ctrl: boolean
}

function range(from: number, to: number): number[] {
  const [first, last] = from < to ? [from, to] : [to, from]
  return Array.from({ length: last - first + 1 }, (_, step) => first + step)
}

/** The selection after a click on an entry, or after the space bar. */
export function withClick(choice: EntryChoice, at: number, { shift, ctrl }: Modifiers): EntryChoice {
  if (shift && choice.anchor >= 0) {
    const added = range(choice.anchor, at)
    return { selected: new Set(ctrl ? [...choice.selected, ...added] : added), active: at, anchor: choice.anchor }
  }
  if (!ctrl) return { selected: new Set([at]), active: at, anchor: at }
  const selected = new Set(choice.selected)
  if (!selected.delete(at)) selected.add(at)
  return { selected, active: at, anchor: at }
}

/** The selection after the focus has moved: the entry alone, with Shift a range, with Ctrl unchanged. */
export function withMove(choice: EntryChoice, at: number, { shift, ctrl }: Modifiers): EntryChoice {
  if (ctrl && !shift) return { ...choice, active: at }
  return withClick({ ...choice, anchor: choice.anchor < 0 ? Math.max(0, choice.active) : choice.anchor }, at, {
    shift,
    ctrl: false,
  })
}

/**
 * The selection in a changed list: removed entries are dropped, and the focus moves to what took their positions.
 * `newIndexOf` returns the new index of an old one, -1 if it was removed.
 */
export function withNewIndexes(choice: EntryChoice, newIndexOf: (at: number) => number, count: number): EntryChoice {
  const newIndexOrNone = (at: number) => (at < 0 ? -1 : newIndexOf(at))
  const newOrNearIndex = (at: number) => (newIndexOrNone(at) >= 0 ? newIndexOrNone(at) : Math.min(at, count - 1))
  return {
    selected: new Set([...choice.selected].map(newIndexOrNone).filter(at => at >= 0)),
    active: newOrNearIndex(choice.active),
    anchor: newOrNearIndex(choice.anchor),
  }
}

/** The selection while a box is drawn: the entries that it touches; with Ctrl, also those selected before. */
export function withBox(
  before: EntryChoice,
  touched: readonly number[],
  { ctrl }: Pick<Modifiers, 'ctrl'>,
): EntryChoice {
  const last = touched.at(-1) ?? before.active
  return {
    selected: new Set(ctrl ? [...before.selected, ...touched] : touched),
    active: last,
    anchor: touched[0] ?? last,
  }
}

/** The index that a key moves to; null for other keys. `page`: number of rows that fit on the screen. */
export function indexAfterKey(
  key: string,
  active: number,
  { count, columns, page, rtl }: { count: number; columns: number; page: number; rtl: boolean },
): number | null {
  if (count === 0) return null
  const sideways = rtl ? -1 : 1
  const steps: Record<string, number> = {
    ArrowDown: columns,
    ArrowUp: -columns,
    ...(columns > 1 ? { ArrowRight: sideways, ArrowLeft: -sideways } : {}),
    PageDown: page * columns,
    PageUp: -page * columns,
  }
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  if (step === undefined) return null
  if (active < 0) return 0
  const to = active + step
  if (to >= 0 && to < count) return to
  // Page Down stops at the end; Down from the last full row goes to the row below, if there is one.
  if (key.startsWith('Page')) return to < 0 ? 0 : count - 1
  const isBelow = key === 'ArrowDown' && Math.floor(active / columns) < Math.floor((count - 1) / columns)
  return isBelow ? count - 1 : active
}
