/** What things are called, remembered between requests: keystrings, people, objects, collections. */
import { keyKinds, marks } from '../../schema/keys.ts'
import { collectionsWith, isSignedIn, type Viewer } from '../accounts/access.ts'
import type { Kept } from '../filter/guard.ts'
import type { FilterLookups } from '../filter/lookups.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { keystringKey } from './keystrings.ts'

export interface KeystringWord {
  content: string
  hidden: boolean
}

export interface CollectionWord {
  name: string
  path: string
  keepPrivate: boolean
}

interface PersonName {
  name: string
  from: number | null
  to: number | null
}

/** What is shown for a person who had no name on that day (specification §3). */
export const noName = 'No name available'

/** More words than this are forgotten all at once: nobody has that many in use at a time. */
const mostWords = 100_000

interface Words {
  keystrings: Map<number, KeystringWord>
  people: Map<number, PersonName[]>
  objects: Map<number, string>
  collections: Map<number, CollectionWord>
  /** Keystrings that only unlocked sessions see. */
  hidden: { id: number; content: string }[]
}

/**
 * Those of the collections that keep people and places from visitors which keep them from this viewer: he is in none of
 * their groups. Whoever registered and is in none sees what visitors see.
 */
function keptFrom(db: LibraryDatabase, viewer: Viewer, closed: number[]): number[] {
  if (viewer.globalAdmin) return []
  if (closed.length === 0 || !isSignedIn(viewer)) return closed
  const member = db.all<{ id: number }>(
    `SELECT DISTINCT ca.collection_id AS id FROM access_members AS m
     JOIN collection_access AS ca ON ca.group_id = m.group_id WHERE m.user_id = ?`,
    viewer.userId,
  )
  return closed.filter(id => !member.some(own => own.id === id))
}

/** Collections whose people and places are kept from this viewer. */
export function collectionsKeptFrom(db: LibraryDatabase, viewer: Viewer): number[] {
  const closed = db.all<{ id: number }>('SELECT id FROM collections WHERE keep_private = 1').map(({ id }) => id)
  return keptFrom(db, viewer, closed)
}

export function createVocabulary(db: LibraryDatabase) {
  let counted = -1
  let words: Words = emptyWords()

  function emptyWords(): Words {
    return { keystrings: new Map(), people: new Map(), objects: new Map(), collections: new Map(), hidden: [] }
  }

  function load(): Words {
    const fresh = emptyWords()
    for (const row of db.all<{ id: number; name: string; path: string; keep_private: number }>(
      'SELECT id, name, path, keep_private FROM collections',
    )) {
      fresh.collections.set(row.id, { name: row.name, path: row.path, keepPrivate: row.keep_private === 1 })
    }
    fresh.hidden = db.all('SELECT id, content FROM keystrings WHERE is_hidden = 1')
    return fresh
  }

  /**
   * Forgets what has changed since. Answers what caches of lists go by: while it is the same, so are all lists. To be
   * asked once at the beginning of a request.
   */
  function refresh(): string {
    const now = db.get<{ items: number; words: number }>('SELECT items, words FROM change_counts')
    if (now === null) throw new Error('the row of change_counts is gone')
    const size = words.keystrings.size + words.people.size + words.objects.size
    if (now.words !== counted || size > mostWords) {
      words = load()
      counted = now.words
    }
    return `${now.items}.${now.words}`
  }

  /** Reads the contents of keystrings in one go. */
  function learnKeystrings(ids: readonly number[]): void {
    if (ids.length === 0) return
    for (const row of db.all<{ id: number; content: string; is_hidden: number }>(
      'SELECT id, content, is_hidden FROM keystrings WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    )) {
      words.keystrings.set(row.id, { content: row.content, hidden: row.is_hidden === 1 })
    }
  }

  function keystring(id: number): KeystringWord | null {
    if (!words.keystrings.has(id)) learnKeystrings([id])
    return words.keystrings.get(id) ?? null
  }

  /** The name a person had then (as `items.taken`); of several the one that began last, of those the one that ends first. */
  function personName(id: number, taken: number): string {
    let names = words.people.get(id)
    if (names === undefined) {
      names = db.all<PersonName>(
        `SELECT name, active_from AS "from", active_to AS "to" FROM person_names WHERE person_id = ?
         ORDER BY active_from DESC NULLS LAST, active_to NULLS LAST, id`,
        id,
      )
      words.people.set(id, names)
    }
    const name = names.find(({ from, to }) => (from === null || from <= taken) && (to === null || taken < to))
    return name?.name ?? noName
  }

  function objectName(id: number): string {
    let name = words.objects.get(id)
    if (name === undefined) {
      name = db.get<{ name: string }>('SELECT name FROM objects WHERE id = ?', id)?.name ?? ''
      words.objects.set(id, name)
    }
    return name
  }

  function ids(sql: string, name: string): number[] {
    return db.all<{ id: number }>(sql, keystringKey(name)).map(({ id }) => id)
  }

  /** Names as this viewer may use them in a filter. */
  function lookups(viewer: Viewer): FilterLookups {
    return {
      keystring: id => keystring(id)?.content ?? null,
      keystringsNamed: name => ids('SELECT id FROM keystrings WHERE content_key = ?', name),
      peopleNamed: name => ids('SELECT DISTINCT person_id AS id FROM person_names WHERE name_key = ?', name),
      objectsNamed: name => ids('SELECT id FROM objects WHERE name_key = ?', name),
      collectionsNamed(name) {
        const seen = collectionsWith(viewer, 'view')
        const key = keystringKey(name)
        return [...words.collections]
          .filter(([id, known]) => keystringKey(known.name) === key || String(id) === name)
          .map(([id]) => id)
          .filter(id => seen === 'all' || seen.includes(id))
      },
      cameras: matches =>
        db
          .all<{ id: number; name: string }>('SELECT id, name FROM cameras')
          .filter(({ name }) => matches(name))
          .map(({ id }) => id),
    }
  }

  /** Collections whose people and places are kept from this viewer, see `keptFrom`. */
  function privateFrom(viewer: Viewer): number[] {
    const closed = [...words.collections].filter(([, { keepPrivate }]) => keepPrivate).map(([id]) => id)
    return keptFrom(db, viewer, closed)
  }

  /** What a filter of this viewer may not ask about. */
  function kept(viewer: Viewer, showsHidden: boolean): Kept {
    return {
      collections: privateFrom(viewer),
      keystrings: showsHidden ? [] : words.hidden,
      // Their old words may still be in the search index: nobody knows which.
      unsure:
        !showsHidden &&
        db.get(
          'SELECT 1 FROM text_due AS t JOIN keystrings AS k ON k.id = t.key >> 2 WHERE t.key & 3 = 0 AND k.is_hidden = 1',
        ) !== null,
      keystringsLike: matches =>
        db
          .all<{ id: number; content: string }>('SELECT id, content FROM keystrings WHERE is_hidden = 0')
          .filter(({ content }) => matches(content))
          .map(({ id }) => id),
    }
  }

  return {
    refresh,
    learnKeystrings,
    knowsKeystring: (id: number): boolean => words.keystrings.has(id),
    keystring,
    personName,
    objectName,
    lookups,
    kept,
    privateFrom,
    collection: (id: number): CollectionWord | null => words.collections.get(id) ?? null,
    /** What things are called where a filter is printed. */
    names: {
      key(key: number): string {
        const id = key >> 2
        switch (key & 3) {
          case keyKinds.person:
            return personName(id, Number.MAX_SAFE_INTEGER)
          case keyKinds.object:
            return objectName(id)
          case keyKinds.mark:
            return db.get<{ name: string }>('SELECT name FROM cameras WHERE id = ?', id - marks.camera(0))?.name ?? ''
          default:
            return keystring(id)?.content ?? ''
        }
      },
      collection: (id: number): string => words.collections.get(id)?.name ?? '',
    },
  }
}

export type Vocabulary = ReturnType<typeof createVocabulary>
