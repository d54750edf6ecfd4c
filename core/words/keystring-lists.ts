/** Lists of keystrings as users edit them: unseen entries are kept, replaced ones keep their position. Pure. */

/**
 * The requested list, plus the entries of the old list that the requester does not see. Each of these follows the same
 * visible entry as before; it is at the start if there was none, and at the end if that entry was removed.
 */
export function withUnseen(old: readonly number[], wanted: readonly number[], unseen: ReadonlySet<number>): number[] {
  const wantedIds = new Set(wanted)
  const first: number[] = []
  const following = new Map<number, number[]>()
  let predecessor: number | null = null
  for (const id of old) {
    if (!unseen.has(id)) predecessor = id
    else if (!wantedIds.has(id)) {
      if (predecessor === null) first.push(id)
      else following.set(predecessor, [...(following.get(predecessor) ?? []), id])
    }
  }
  const list = [...first]
  for (const id of wantedIds) {
    list.push(id, ...(following.get(id) ?? []))
    following.delete(id)
  }
  return [...list, ...[...following.values()].flat()]
}

/** The list with `to` in the position of the first of `from` that it contains; null if it contains none of them. */
export function replaceInList(
  list: readonly number[],
  from: readonly number[],
  to: readonly number[],
): number[] | null {
  const old = new Set(from)
  const at = list.findIndex(id => old.has(id))
  if (at < 0) return null
  const kept = (part: readonly number[]) => part.filter(id => !old.has(id))
  return [...new Set([...kept(list.slice(0, at)), ...to, ...kept(list.slice(at))])]
}
