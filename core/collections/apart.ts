/** Keeps the data directory apart from roots and collections, and written files apart from collections and data. */
import { resolve } from 'node:path'
import { Failure, sentence } from '../../schema/errors.ts'
import { collections } from '../../schema/tables/collections.ts'
import { isWithin, pathsOverlap, realPath } from '../files/overlap.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { CollectionRow } from './collections.sql.ts'

const remedy = 'Name another folder, or keep the data elsewhere: --data DIR.'

export type CollectionPlace = Pick<CollectionRow, 'name' | 'path' | 'path_variant'>

/** Throws if a root of the file manager overlaps the data directory. `origin`: where the setting comes from. */
export function requireRootsApart(data: string, roots: readonly string[], origin: string): void {
  for (const root of roots) {
    if (!pathsOverlap(root, data)) continue
    throw new Failure(
      'conflict',
      sentence`Setting 'roots' (${origin}): ${root} and the data directory ${data} must not lie within each other. ${remedy}`,
      { field: 'roots' },
    )
  }
}

/**
 * The collection (or its variants path) or the data directory that overlaps a path; null if none does. Files written
 * there would be taken for pictures, or replace originals or the library itself. `name` completes 'lies in …'.
 */
export function overlappingPlace({ db, data }: { db: LibraryDatabase; data: string }, path: string) {
  for (const { name, path: root, pathVariant } of db.orm.select().from(collections).all()) {
    const taken = [root, pathVariant].find(one => one !== '' && pathsOverlap(path, one))
    if (taken !== undefined) return { path: taken, name: `the collection '${name}'`, isCollection: true }
  }
  return pathsOverlap(path, data) ? { path: data, name: `the data directory ${data}`, isCollection: false } : null
}

/** Refuses an export, plan or backup whose path overlaps a collection or the data directory. Only checks the path. */
export function requireOutApart(library: { db: LibraryDatabase; data: string }, out: string): void {
  const path = resolve(out)
  const owner = overlappingPlace(library, path)
  if (owner === null) return
  const [real, taken] = [realPath(path), realPath(owner.path)]
  // The path contains the collection or the data directory.
  if (real !== taken && isWithin(taken, real))
    throw new Failure('invalid', sentence`${path} is a directory. Give a file.`)
  throw new Failure(
    'conflict',
    sentence`${path} lies in ${owner.name}, where no files of this kind are written. Name another place.`,
  )
}

/**
 * Throws if the data directory, which need not exist yet, overlaps a collection: one may have been moved into the
 * other. Collections' stored paths are not resolved: a disk that does not respond must not block the server's start.
 */
export function requireCollectionsApart(data: string, places: readonly CollectionPlace[]): void {
  const real = realPath(data)
  for (const { name, path, path_variant: variants } of places) {
    for (const taken of [path, variants]) {
      if (taken === '' || !(isWithin(real, taken) || isWithin(taken, real))) continue
      throw new Failure(
        'conflict',
        sentence`The collection '${name}' (${taken}) and the data directory ${data} must not lie within each other. Keep the data elsewhere: --data DIR.`,
      )
    }
  }
}
