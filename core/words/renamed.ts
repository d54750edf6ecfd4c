/** Resolves words of files after a rename or merge: files that were not written since still have the old word. */
import { eq } from 'drizzle-orm'
import { keystrings, objects } from '../../schema/tables/vocabulary.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { keystringIds, keystringKey } from './keystrings.ts'
import { keystringMergedInto, keystringsNamed, wordsGivenUp } from './words.sql.ts'

type Vocabulary = 'keystring' | 'object'

/** Where the history has the words, before and after. */
const vocabularies = {
  keystring: { field: 'content', table: keystrings },
  object: { field: 'name', table: objects },
} as const

const mergesFollowed = 20

/** Old words and their former owners, latest first. No renaming happens while a scan writes its results. */
const known = new WeakMap<Transaction, Map<Vocabulary, Map<string, number[]>>>()

function oldWords(tx: Transaction, kind: Vocabulary): Map<string, number[]> {
  const kinds = known.get(tx) ?? new Map<Vocabulary, Map<string, number[]>>()
  known.set(tx, kinds)
  const before = kinds.get(kind)
  if (before !== undefined) return before
  const words = new Map<string, number[]>()
  for (const { id, word, now } of tx.all(wordsGivenUp(vocabularies[kind].field), kind)) {
    const key = keystringKey(word)
    if (now !== null && keystringKey(now) === key) continue
    words.set(key, [...(words.get(key) ?? []), id])
  }
  kinds.set(kind, words)
  return words
}

/** The current id of a thing: unchanged, or of the one it was merged into, transitively; null if none exists. */
function leftOf(tx: Transaction, kind: Vocabulary, old: number): number | null {
  const { table } = vocabularies[kind]
  for (let id: number | undefined = old, seen = 0; id !== undefined && seen < mergesFollowed; seen++) {
    if (tx.orm.select({ id: table.id }).from(table).where(eq(table.id, id)).get() !== undefined) return id
    if (kind === 'object') return null
    id = tx.get(keystringMergedInto, id)?.into
  }
  return null
}

/** Id of the thing that was renamed from a word that no thing has now, among those that `isMeant` accepts. */
export function renamedFrom(
  tx: Transaction,
  kind: Vocabulary,
  key: string,
  isMeant: (id: number) => boolean = () => true,
): number | null {
  for (const old of oldWords(tx, kind).get(key) ?? []) {
    const id = leftOf(tx, kind, old)
    if (id !== null && isMeant(id)) return id
  }
  return null
}

/**
 * Ids of the keystrings that an item's file means, in order; missing ones are created. `has` are those of the item: an
 * old word means one of them, even if the file has both, as before a merge; otherwise, the keystring of that name.
 */
export function keystringsOfFile(tx: Transaction, contents: readonly string[], has: readonly number[]): number[] {
  if (has.length === 0) return keystringIds(tx, contents)
  return keystringIds(tx, contents, key => {
    const own = tx.get(keystringsNamed, key)
    return own !== null && has.includes(own.id) ? null : renamedFrom(tx, 'keystring', key, id => has.includes(id))
  })
}
