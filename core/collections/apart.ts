/** Keeps the data directory apart from files that are read and changed. Checked whenever a server starts. */
import { resolve } from 'node:path'
import { Failure, sentence } from '../../schema/errors.ts'
import { collections } from '../../schema/tables/collections.ts'
import { isWithin, pathsOverlap, realPath } from '../files/overlap.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { CollectionRow } from './collections.sql.ts'

const remedy = 'Name another folder, or keep the data elsewhere: --data DIR.'

export type CollectionPlace = Pick<CollectionRow, 'name' | 'path' | 'path_variant'>

/** Throws if a root of the file manager overlaps the data directory. `origin`: the setting. */
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
 * What contains a path, or is in it: a collection with its variants, or the data directory; null if none. Keepsake's
 * files would be taken for pictures there, or replace originals or the library itself. `name`: as in 'is in …'.
 */
export function heldBy({ db, data }: { db: LibraryDatabase; data: string }, path: string) {
  for (const { name, path: root, pathVariant } of db.orm.select().from(collections).all()) {
    const taken = [root, pathVariant].find(one => one !== '' && pathsOverlap(path, one))
    if (taken !== undefined) return { path: taken, name: `the collection '${name}'`, isCollection: true }
  }
  return pathsOverlap(path, data) ? { path: data, name: `the data directory ${data}`, isCollection: false } : null
}

/** Refuses such a path for an export, a plan or a backup. Only checks the path. */
export function requireOutApart(library: { db: LibraryDatabase; data: string }, out: string): void {
  const path = resolve(out)
  const owner = heldBy(library, path)
  if (owner === null) return
  const [real, taken] = [realPath(path), realPath(owner.path)]
  // The opposite case: the directory that contains it.
  if (real !== taken && isWithin(taken, real))
    throw new Failure('invalid', sentence`${path} is a directory. Give a file.`)
  throw new Failure(
    'conflict',
    sentence`${path} lies in ${owner.name}, where no files of this kind are written. Name another place.`,
  )
}

/**
 * Throws if the data directory, which need not exist yet, overlaps a collection: one may have been moved into the
 * other. Only compares paths, which are real ones: a disk that does not respond must not block the server's start.
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
