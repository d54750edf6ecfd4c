/** Cached names: keystrings, people, objects, collections. */
import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { albumOfMark, keyKinds, keyOf, marks } from '../../schema/keys.ts'
import { albums } from '../../schema/tables/albums.ts'
import { collections, dirs } from '../../schema/tables/collections.ts'
import { cameras } from '../../schema/tables/vocabulary.ts'
import { collectionsWith, isSignedIn, type Viewer } from '../accounts/access.ts'
import type { HiddenThings } from '../filter/guard.ts'
import type { FilterLookups } from '../filter/lookups.ts'
import { anySearchTextDue } from '../filter/seen-items.sql.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { foldedName, keystringKey } from './keystrings.ts'
import { albumLookups } from './seen-albums.ts'
import { type CollectionWord, createWordCache } from './word-cache.ts'
import {
  allCameras,
  collectionsOfMember,
  hiddenTextDue,
  keystringsNamed,
  keystringsShown,
  objectsNamed,
  peopleNamed,
} from './words.sql.ts'

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

/** The collections of `closed` in which the viewer has no group. Users without groups see what visitors see. */
function hiddenFrom(db: LibraryDatabase, viewer: Viewer, closed: number[]): number[] {
  if (viewer.globalAdmin) return []
  if (closed.length === 0 || !isSignedIn(viewer)) return closed
  const member = db.all(collectionsOfMember, viewer.userId)
  return closed.filter(id => !member.some(membership => membership.id === id))
}

export function collectionsHiddenFrom(db: LibraryDatabase, viewer: Viewer): number[] {
  const closed = db.orm.select().from(collections).where(eq(collections.keepPrivate, true)).all()
  return hiddenFrom(db, viewer, idsOf(closed))
}

/** Directories of these collections with this path or below it; unless `exact`, the path may begin at any directory. */
function foldersNamed(db: LibraryDatabase, seen: 'all' | number[], path: string, exact: boolean): number[] {
  const wanted = `/${foldedName(path)}/`
  const pattern = `${exact ? '' : '%'}${wanted.replace(/[\\%_]/g, '\\$&')}%`
  const matchesPath = sql`'/' || ${dirs.path} || '/' LIKE ${pattern} ESCAPE '\\'`
  // SQLite ignores the case of ASCII letters only. Paths with others are compared here.
  const mayMatch = or(matchesPath, sql`${dirs.path} GLOB '*[^ -~]*'`)
  const where = seen === 'all' ? mayMatch : and(mayMatch, inArray(dirs.collectionId, seen))
  const rows = db.orm.select({ id: dirs.id, path: dirs.path }).from(dirs).where(where).all()
  return idsOf(
    rows.filter(row => {
      const folder = `/${foldedName(row.path)}/`
      return exact ? folder.startsWith(wanted) : folder.includes(wanted)
    }),
  )
}

export function createVocabulary(db: LibraryDatabase) {
  const cache = createWordCache(db)
  const { keystring, personName, objectName } = cache

  /** Looks up the names in a filter. See `hiddenThings` for what this viewer may not use. */
  function lookups(viewer: Viewer): FilterLookups {
    const lookups: Omit<FilterLookups, 'album' | 'albumsNamed'> = {
      keystring: id => keystring(id)?.content ?? null,
      keystringsNamed: name => idsOf(db.all(keystringsNamed, keystringKey(name))),
      peopleNamed: name => idsOf(db.all(peopleNamed, keystringKey(name))),
      objectsNamed: name => idsOf(db.all(objectsNamed, keystringKey(name))),
      collectionsNamed(name) {
        const seen = collectionsWith(viewer, 'view')
        const key = foldedName(name)
        return [...cache.collections()]
          .filter(([id, known]) => foldedName(known.name) === key || String(id) === name)
          .map(([id]) => id)
          .filter(id => seen === 'all' || seen.includes(id))
      },
      foldersNamed: (path, exact) => foldersNamed(db, collectionsWith(viewer, 'update'), path, exact),
      favourites: () => (viewer.userId === null ? null : keyOf('mark', marks.favourite(viewer.userId))),
      cameras: matches => idsOf(db.all(allCameras).filter(({ name }) => matches(name))),
    }
    return { ...lookups, ...albumLookups(db, viewer, lookups) }
  }

  /** Collections whose people and places are hidden from this viewer. */
  function privateCollections(viewer: Viewer): number[] {
    const closed = [...cache.collections()].filter(([, { keepPrivate }]) => keepPrivate).map(([id]) => id)
    return hiddenFrom(db, viewer, closed)
  }

  /** What this viewer may not use in a filter. */
  function hiddenThings(viewer: Viewer, showsHidden: boolean): HiddenThings {
    return {
      collections: privateCollections(viewer),
      keystrings: showsHidden ? [] : cache.hidden(),
      // The search index may still contain the old words of renamed hidden keystrings, which are not known here, or
      // words in their former form.
      indexMayDiffer: !showsHidden && (db.get(hiddenTextDue) !== null || db.get(anySearchTextDue) !== null),
      keystringsLike: matches => idsOf(db.all(keystringsShown).filter(({ content }) => matches(content))),
    }
  }

  return {
    ...cache,
    lookups,
    hiddenThings,
    privateCollections,
    collection: (id: number): CollectionWord | null => cache.collections().get(id) ?? null,
    /** Names for printing a filter. */
    names: {
      key(key: number): string {
        const id = key >> 2
        switch (key & 3) {
          case keyKinds.person:
            return personName(id, Number.MAX_SAFE_INTEGER)
          case keyKinds.object:
            return objectName(id)
          case keyKinds.mark: {
            const album = albumOfMark(id)
            if (album !== null) return db.orm.select().from(albums).where(eq(albums.id, album)).get()?.name ?? ''
            const ofCamera = eq(cameras.id, id - marks.camera(0))
            return db.orm.select().from(cameras).where(ofCamera).get()?.name ?? ''
          }
          default:
            return keystring(id)?.content ?? ''
        }
      },
      collection: (id: number): string => cache.collections().get(id)?.name ?? '',
    },
  }
}

export type Vocabulary = ReturnType<typeof createVocabulary>
