/** How sections below each other share the rows that there are. Pure. */

export interface SectionWish {
  /** Rows that it would like, without its heading. */
  wanted: number
  /** Rows that it must have to say anything. */
  least: number
  /** Sections with the highest go first when there is not room for all. Without one it stays. */
  drop?: number
}

/** A heading above each, and an empty line between. */
const around = 2

/** Rows of each section, null for one that is not shown; in the order given, the first ones are served first. */
export function shareRows(wishes: readonly SectionWish[], rows: number): (number | null)[] {
  let shown = wishes.map((_, at) => at)
  const needed = () => shown.reduce((sum, at) => sum + (wishes[at]?.least ?? 0) + around, -1)
  while (needed() > rows) {
    const [goes] = shown
      .filter(at => wishes[at]?.drop !== undefined)
      .sort((a, b) => (wishes[b]?.drop ?? 0) - (wishes[a]?.drop ?? 0))
    if (goes === undefined) break
    shown = shown.filter(at => at !== goes)
  }
  let spare = rows - needed()
  return wishes.map(({ wanted, least }, at) => {
    if (!shown.includes(at)) return null
    const more = Math.max(0, Math.min(spare, wanted - least))
    spare -= more
    const given = Math.max(1, least + more + Math.min(0, spare))
    spare = Math.max(0, spare)
    return given
  })
}
