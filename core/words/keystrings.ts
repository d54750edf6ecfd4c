/** Keystrings: the one vocabulary behind keywords, categories and authors. */
import { limits } from '../../schema/limits.ts'
import { foldForSearch } from '../../schema/search-text.ts'
import { keystrings } from '../../schema/tables/vocabulary.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'
import { keystringsNamed } from './words.sql.ts'

export const keystringByKey = findBy(keystrings, keystrings.contentKey)

/** Normalizes a keystring: NFC, single spaces, no control characters. '' if nothing is left. */
export function cleanKeystring(content: string): string {
  return (
    content
      .toWellFormed()
      .normalize('NFC')
      // Control characters and the two noncharacters, which XML does not allow.
      .replace(/[\p{Cc}\ufffe\uffff\s]+/gu, ' ')
      .trim()
      // Long enough for real keywords; only nonsense is truncated.
      .slice(0, limits.keystringLength)
      .trim()
  )
}

/** The form in which two keystrings are compared. */
export function keystringKey(content: string): string {
  return content.normalize('NFC').toLowerCase()
}

/** The form in which searches compare whole names of albums, collections and folders. */
export function foldedName(name: string): string {
  return keystringKey(foldForSearch(name))
}

/**
 * Ids of keystrings, creating missing ones; empty texts and duplicates are dropped, the order is kept. `resolveKey` gets
 * the key of each word, and returns the id of a keystring to use for it, or null for the keystring of that name.
 */
export function findOrCreateKeystrings(
  tx: Transaction,
  contents: readonly string[],
  resolveKey: (key: string) => number | null = () => null,
): number[] {
  const ids = new Set<number>()
  for (const raw of contents) {
    const content = cleanKeystring(raw)
    if (content === '') continue
    const key = keystringKey(content)
    const existing = resolveKey(key) ?? tx.get(keystringsNamed, key)?.id
    ids.add(existing ?? tx.orm.insert(keystrings).values({ content, contentKey: key }).run().lastInsertRowid)
  }
  return [...ids]
}
