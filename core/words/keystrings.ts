/** Keystrings: the one vocabulary behind keywords, categories and authors. */
import { limits } from '../../schema/limits.ts'
import { keystrings } from '../../schema/tables/vocabulary.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'
import { keystringsNamed } from './words.sql.ts'

export const keystringByKey = findBy(keystrings, keystrings.contentKey)

/** As it is kept, and as files are read: NFC, single spaces and none around, no control characters. '' when nothing is left. */
export function cleanKeystring(content: string): string {
  return (
    content
      .toWellFormed()
      .normalize('NFC')
      // Control characters and the two that are none: XML carries neither.
      .replace(/[\p{Cc}\ufffe\uffff\s]+/gu, ' ')
      .trim()
      // What programs and people really write fits; only nonsense is cut.
      .slice(0, limits.keystringLength)
      .trim()
  )
}

/** The form in which two keystrings are compared. */
export function keystringKey(content: string): string {
  return content.normalize('NFC').toLowerCase()
}

/**
 * Ids of keystrings, making those that are not there; empty ones and repetitions are dropped, the order is kept. `meant`
 * answers which one a word stands for, by its key, where it is not its own; null: it is.
 */
export function keystringIds(
  tx: Transaction,
  contents: readonly string[],
  meant: (key: string) => number | null = () => null,
): number[] {
  const ids = new Set<number>()
  for (const raw of contents) {
    const content = cleanKeystring(raw)
    if (content === '') continue
    const key = keystringKey(content)
    const known = meant(key) ?? tx.get(keystringsNamed, key)?.id
    ids.add(known ?? tx.orm.insert(keystrings).values({ content, contentKey: key }).run().lastInsertRowid)
  }
  return [...ids]
}
