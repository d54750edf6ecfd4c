/** A cache of names, cleared whenever a word changes. */
import { eq } from 'drizzle-orm'
import { collections } from '../../schema/tables/collections.ts'
import { objects } from '../../schema/tables/vocabulary.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { itemAndWordChanges, keystringsById, keystringsHidden, namesOfPerson } from './words.sql.ts'

export interface KeystringWord {
  content: string
  hidden: boolean
}

export type CollectionWord = Pick<typeof collections.$inferSelect, 'name' | 'path' | 'keepPrivate'>

export const noName = 'No name available'

/** With more words than this, the cache is cleared at the next request. */
const maxWords = 100_000

function emptyWords() {
  return {
    keystrings: new Map<number, KeystringWord>(),
    people: new Map<number, RowOfQuery<typeof namesOfPerson>[]>(),
    objects: new Map<number, string>(),
    collections: new Map<number, CollectionWord>(),
    /** Keystrings that only unlocked sessions see. */
    hidden: [] as RowOfQuery<typeof keystringsHidden>[],
  }
}

export function createWordCache(db: LibraryDatabase) {
  let lastChange = -1
  let words = emptyWords()

  function load() {
    const fresh = emptyWords()
    for (const { id, name, path, keepPrivate } of db.orm.select().from(collections).all()) {
      fresh.collections.set(id, { name, path, keepPrivate })
    }
    fresh.hidden = db.all(keystringsHidden)
    return fresh
  }

  /**
   * Forgets outdated names; call it once per request. As long as it returns the same version, the counts of filters are
   * the same.
   */
  function refresh(): string {
    const now = db.get(itemAndWordChanges)
    if (now === null) throw new Error('the row of change_counts is gone')
    const size = words.keystrings.size + words.people.size + words.objects.size
    if (now.words !== lastChange || size > maxWords) {
      words = load()
      lastChange = now.words
    }
    return `${now.items}.${now.words}`
  }

  function loadKeystrings(ids: readonly number[]): void {
    if (ids.length === 0) return
    for (const { id, content, hidden } of db.all(keystringsById, JSON.stringify(ids))) {
      words.keystrings.set(id, { content, hidden: hidden === 1 })
    }
  }

  function keystring(id: number): KeystringWord | null {
    if (!words.keystrings.has(id)) loadKeystrings([id])
    return words.keystrings.get(id) ?? null
  }

  /** The name of a person at a time (as `items.taken`). If several names apply, the one that began last. */
  function personName(id: number, taken: number): string {
    let names = words.people.get(id)
    if (names === undefined) {
      names = db.all(namesOfPerson, id)
      words.people.set(id, names)
    }
    const name = names.find(({ from, to }) => (from === null || from <= taken) && (to === null || taken < to))
    return name?.name ?? noName
  }

  function objectName(id: number): string {
    let name = words.objects.get(id)
    if (name === undefined) {
      name = db.orm.select().from(objects).where(eq(objects.id, id)).get()?.name ?? ''
      words.objects.set(id, name)
    }
    return name
  }

  return {
    refresh,
    preloadKeystrings: loadKeystrings,
    hasCachedKeystring: (id: number): boolean => words.keystrings.has(id),
    keystring,
    personName,
    objectName,
    collections: (): ReadonlyMap<number, CollectionWord> => words.collections,
    hidden: () => words.hidden,
  }
}
