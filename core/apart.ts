/** The data directory lies apart from everything whose files are read and changed. Looked at whenever a server starts. */
import { realpathSync } from 'node:fs'
import { Failure } from '../schema/errors.ts'
import type { CollectionRow } from './collections.ts'
import { isWithin, pathsOverlap } from './files/overlap.ts'

const remedy = 'Name another folder, or keep the data elsewhere: --data DIR.'

/** Roots of the file manager by their real paths and where their mounts lead. `origin`: where the setting comes from. */
export function demandRootsApart(data: string, roots: readonly string[], origin: string): void {
  for (const root of roots) {
    if (!pathsOverlap(root, data)) continue
    throw new Failure(
      'conflict',
      `Setting 'roots' (${origin}): ${root} and the data directory ${data} must not lie within each other. ${remedy}`,
      { field: 'roots' },
    )
  }
}

/**
 * Collections: the data directory may have been put into one after that was made. By their paths alone, which are real
 * ones: a disk that does not answer must not keep a server from its start.
 */
export function demandCollectionsApart(
  data: string,
  collections: readonly Pick<CollectionRow, 'name' | 'path' | 'path_variant'>[],
): void {
  const real = realpathSync(data)
  for (const { name, path, path_variant: variants } of collections) {
    for (const taken of [path, variants]) {
      if (taken === '' || !(isWithin(real, taken) || isWithin(taken, real))) continue
      throw new Failure(
        'conflict',
        `The collection '${name}' (${taken}) and the data directory ${data} must not lie within each other. Keep the data elsewhere: --data DIR.`,
      )
    }
  }
}
