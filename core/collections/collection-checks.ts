/** Checks before a directory becomes a collection, and before settings change. */
import { and, ne, sql } from 'drizzle-orm'
import { type Collection, type NewCollection, newCollection } from '../../schema/api/collections.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { invalidFailure } from '../../schema/issue-words.ts'
import { collections } from '../../schema/tables/collections.ts'
import { requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import { pathsOverlap } from '../files/overlap.ts'
import { kindAtPath } from '../files/path-kind.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { AllowedDirectories } from './allowed-directories.ts'
import { collectionsByName } from './collections.sql.ts'

/** Settings that are checked together; `id` 0 means a new collection. */
type CollectionFacts = { id: number } & Pick<Collection, 'name' | 'path' | 'pathVariant' | 'managed' | 'fileFormat'>

export interface CheckStore {
  db: LibraryDatabase
  /** The data directory, which no collection may overlap. */
  data: string
  allowed: AllowedDirectories
}

/** Throws if a path overlaps the data directory, or another collection or its variants. */
export function requireFree(
  { db, data }: CheckStore,
  path: string,
  exceptId = 0,
  field: 'path' | 'pathVariant' = 'path',
) {
  if (pathsOverlap(path, data)) {
    throw new Failure('conflict', sentence`${path} and the data directory ${data} must not lie within each other.`, {
      field,
    })
  }
  for (const other of db.all(collectionsByName)) {
    if (other.id === exceptId) continue
    for (const taken of [other.path, other.path_variant]) {
      if (taken === '' || !pathsOverlap(path, taken)) continue
      throw new Failure('conflict', sentence`${path} overlaps the collection '${other.name}' (${taken}).`, { field })
    }
  }
}

export function requireFreeName({ orm }: Pick<LibraryDatabase, 'orm'>, name: string, exceptId = 0) {
  const isOther = and(sql`${collections.name} = ${name} COLLATE NOCASE`, ne(collections.id, exceptId))
  const other = orm.select().from(collections).where(isOther).limit(1).get()
  if (other === undefined) return
  throw new Failure('conflict', sentence`There is already a collection '${other.name}'.`, { field: 'name' })
}

/** Throws if settings are invalid: prefix, variants path, name. */
export function requireSettings(
  store: CheckStore,
  { id, name, path, pathVariant, managed, fileFormat }: CollectionFacts,
) {
  const field = 'pathVariant'
  if (pathVariant !== '') {
    // Scans would treat variants as pictures of the collection.
    if (pathsOverlap(pathVariant, path)) {
      const why = sentence`${path} and the variants path ${pathVariant} must not lie within each other.`
      throw new Failure('conflict', why, { field })
    }
    requireFree(store, pathVariant, id, field)
    if (!['directory', 'nothing'].includes(kindAtPath(pathVariant))) {
      throw new Failure('invalid', sentence`${pathVariant} is not a directory.`, { field })
    }
  }
  if (managed && fileFormat.trim() === '') {
    throw new Failure('invalid', 'Prefix is required', { field: 'fileFormat' })
  }
  requireFreeName(store.db, name, id)
}

/** The validated settings of a new collection. Throws if the viewer may not create it, or if its path cannot be used. */
export function validateNew(store: CheckStore, viewer: Viewer, input: NewCollection): NewCollection {
  requireGlobalAdmin(viewer)
  const parsed = newCollection.safeParse(input)
  if (!parsed.success) throw invalidFailure(parsed.error)
  const { name, path, pathVariant = '', managed = false, fileFormat = '' } = parsed.data
  store.allowed.requireAllowed(viewer, path, 'path')
  if (pathVariant !== '') store.allowed.requireAllowed(viewer, pathVariant, 'pathVariant')
  const kind = kindAtPath(path)
  if (kind === 'nothing' || kind === 'blocked')
    throw new Failure('absent', sentence`There is no directory ${path}.`, { field: 'path' })
  if (kind !== 'directory') throw new Failure('invalid', sentence`${path} is not a directory.`, { field: 'path' })
  requireFree(store, path)
  requireSettings(store, { id: 0, name, path, pathVariant, managed, fileFormat })
  return parsed.data
}
