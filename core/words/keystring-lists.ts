/** Lists of keystrings as users edit them: unseen entries are kept, replaced ones keep their position. Pure. */

/**
 * The requested list, plus the entries of the old list that the requester does not see. Each of these stays after its
 * predecessor: at the start if it was first, at the end if its predecessor is gone.
 */
export function withUnseen(old: readonly number[], wanted: readonly number[], unseen: ReadonlySet<number>): number[] {
  const wantedIds = new Set(wanted)
  const first: number[] = []
  const behind = new Map<number, number[]>()
  let neighbour: number | null = null
  for (const id of old) {
    if (!unseen.has(id)) neighbour = id
    else if (!wantedIds.has(id)) {
      if (neighbour === null) first.push(id)
      else behind.set(neighbour, [...(behind.get(neighbour) ?? []), id])
    }
  }
  const list = [...first]
  for (const id of wantedIds) {
    list.push(id, ...(behind.get(id) ?? []))
    behind.delete(id)
  }
  return [...list, ...[...behind.values()].flat()]
}

/** The list with `to` in the position of the first of `from` that it contains; null if it contains none of them. */
export function swapped(list: readonly number[], from: readonly number[], to: readonly number[]): number[] | null {
  const old = new Set(from)
  const at = list.findIndex(id => old.has(id))
  if (at < 0) return null
  const kept = (part: readonly number[]) => part.filter(id => !old.has(id))
  return [...new Set([...kept(list.slice(0, at)), ...to, ...kept(list.slice(at))])]
}
