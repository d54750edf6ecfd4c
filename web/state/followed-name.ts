/** A name that is being typed while somebody else may change it. Pure. */

export interface TypedName {
  text: string
  /** What it was when the typing began, or when it was last told. */
  start: string
  /** What somebody else has made of it meanwhile; null: nothing that was not taken over. */
  told: string | null
}

export function typedName(start: string): TypedName {
  return { text: start, start, told: null }
}

/** It is called `now`: an untouched field follows, another keeps what was typed and tells. */
export function followName(known: TypedName, now: string): TypedName {
  if (now === known.start) return known
  if (known.text.trim() === known.start) return typedName(now)
  return { ...known, start: now, told: known.text.trim() === now ? null : now }
}
