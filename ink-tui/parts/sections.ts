/** How stacked sections share the available rows. Pure. */

export interface SectionRequest {
  /** Preferred rows, without the heading. */
  wanted: number
  /** Minimum number of useful rows. */
  least: number
  /** Sections with the highest value are dropped first. Sections without it stay. */
  drop?: number
}

/** Rows for a heading above each section and an empty line between sections. */
const spacingRows = 2

/** Sections or columns that fit: while they need more than the room, the one with the highest `drop` is removed. */
export function dropUntilTheyFit<T extends { drop?: number }>(
  all: readonly T[],
  needs: (some: readonly T[]) => number,
  room: number,
) {
  let shown = all
  while (needs(shown) > room) {
    const [dropped] = shown.filter(({ drop }) => drop !== undefined).toSorted((a, b) => (b.drop ?? 0) - (a.drop ?? 0))
    if (dropped === undefined) break
    shown = shown.filter(one => one !== dropped)
  }
  return shown
}

/** Rows of each section, null for hidden ones; earlier sections get their rows first. */
export function shareRows(requests: readonly SectionRequest[], rows: number): (number | null)[] {
  const rowsFor = (some: readonly SectionRequest[]) => some.reduce((sum, { least }) => sum + least + spacingRows, -1)
  const shown = dropUntilTheyFit(requests, rowsFor, rows)
  let spare = rows - rowsFor(shown)
  return requests.map(request => {
    if (!shown.includes(request)) return null
    const { wanted, least } = request
    const more = Math.max(0, Math.min(spare, wanted - least))
    spare -= more
    const given = Math.max(1, least + more + Math.min(0, spare))
    spare = Math.max(0, spare)
    return given
  })
}
