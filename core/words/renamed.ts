/** Resolves words of files after a rename or merge: files that were not written since still have the old word. */
import { eq } from 'drizzle-orm'
import { keystrings, objects } from '../../schema/tables/vocabulary.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { findOrCreateKeystrings, keystringKey } from './keystrings.ts'
import { formerWords, keystringMergedInto, keystringsNamed } from './words.sql.ts'

type Vocabulary = 'keystring' | 'object'

/** For each kind: the field that holds the word in `before` and `after` of the history, and the table. */
const vocabularies = {
  keystring: { field: 'content', table: keystrings },
  object: { field: 'name', table: objects },
} as const

const maxMergesFollowed = 20

/** Old words with ids of their former owners, latest first. Cached per transaction, since scans rename nothing. */
const cachedOldWords = new WeakMap<Transaction, Map<Vocabulary, Map<string, number[]>>>()

function oldWords(tx: Transaction, kind: Vocabulary): Map<string, number[]> {
  const kinds = cachedOldWords.get(tx) ?? new Map<Vocabulary, Map<string, number[]>>()
  cachedOldWords.set(tx, kinds)
  const cached = kinds.get(kind)
  if (cached !== undefined) return cached
  const words = new Map<string, number[]>()
  for (const { id, word, now } of tx.all(formerWords(vocabularies[kind].field), kind)) {
    const key = keystringKey(word)
    if (now !== null && keystringKey(now) === key) continue
    words.set(key, [...(words.get(key) ?? []), id])
  }
  kinds.set(kind, words)
  return words
}

/** The id itself if its keystring or object exists; else the id of the keystring into which it was merged, or null. */
function currentIdOf(tx: Transaction, kind: Vocabulary, old: number): number | null {
  const { table } = vocabularies[kind]
  for (let id: number | undefined = old, seen = 0; id !== undefined && seen < maxMergesFollowed; seen++) {
    if (tx.orm.select({ id: table.id }).from(table).where(eq(table.id, id)).get() !== undefined) return id
    if (kind === 'object') return null
    id = tx.get(keystringMergedInto, id)?.into
  }
  return null
}

/** Id of the keystring or object that formerly had a word and that `isAccepted` accepts; null if there is none. */
export function renamedFrom(
  tx: Transaction,
  kind: Vocabulary,
  key: string,
  isAccepted: (id: number) => boolean = () => true,
): number | null {
  for (const old of oldWords(tx, kind).get(key) ?? []) {
    const id = currentIdOf(tx, kind, old)
    if (id !== null && isAccepted(id)) return id
  }
  return null
}

/**
 * Ids of the keystrings that an item's file means, in order; missing ones are created. `ofItem`: ids of the item's
 * keystrings. A word that one of them formerly had means that keystring, even if the file also has its present word. Any
 * other word means the keystring of that name.
 */
export function keystringsOfFile(tx: Transaction, contents: readonly string[], ofItem: readonly number[]): number[] {
  if (ofItem.length === 0) return findOrCreateKeystrings(tx, contents)
  return findOrCreateKeystrings(tx, contents, key => {
    const found = tx.get(keystringsNamed, key)
    return found !== null && ofItem.includes(found.id)
      ? null
      : renamedFrom(tx, 'keystring', key, id => ofItem.includes(id))
  })
}
