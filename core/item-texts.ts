/** Items as JSON text, remembered as lists tell them, until anything at all is written to the library. */

/** More texts than this are forgotten all at once: some 700 bytes each. */
const most = 3_000

/** Of one kind of viewer: those who are told the same of every item. */
export type ItemTexts = Map<number, string>

export function createItemTexts() {
  let moment = -1
  const byKind = new Map<string, ItemTexts>()

  return {
    /** What is remembered for a kind of viewer by the item's id, to be added to. `state` is the database's of this moment. */
    of(state: number, kind: string): ItemTexts {
      if (state !== moment) {
        byKind.clear()
        moment = state
      }
      let texts = byKind.get(kind)
      if (texts === undefined) {
        texts = new Map()
        byKind.set(kind, texts)
      }
      let all = 0
      for (const { size } of byKind.values()) all += size
      if (all <= most) return texts
      byKind.clear()
      const fresh: ItemTexts = new Map()
      byKind.set(kind, fresh)
      return fresh
    },
  }
}
