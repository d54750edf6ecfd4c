/** The two sides of a move: source and target collection, with their directories and the files of their items. */
import { type CollectionRow, collectionById } from '../collections/collections.sql.ts'
import { createItemFiles, type FilesOfItems } from '../items/item-files.ts'
import { createDirectoryViews } from '../journal/directory-views.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { MoveSide } from './item-moves.ts'

export interface Side extends MoveSide {
  files: FilesOfItems
}

export function sideOf(db: LibraryDatabase, collection: CollectionRow): Side {
  const { id, path, path_variant } = collection
  const views = createDirectoryViews(db, path, id)
  const variants = path_variant === '' ? null : createDirectoryViews(db, path_variant, null)
  return { collection, views, variants, files: createItemFiles(db, views, variants) }
}

/** Collections of a move by id, each loaded once; null when there is no such collection. */
export function createSides(db: LibraryDatabase) {
  const loaded = new Map<number, Side | null>()
  return {
    of(id: number): Side | null {
      let side = loaded.get(id)
      if (side === undefined) {
        const collection = db.get(collectionById, id)
        side = collection === null ? null : sideOf(db, collection)
        loaded.set(id, side)
      }
      return side
    },
    forget(): void {
      for (const side of loaded.values()) {
        side?.views.forget()
        side?.variants?.forget()
      }
    },
  }
}

export type Sides = ReturnType<typeof createSides>
