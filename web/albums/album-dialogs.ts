/** The open dialog about albums; at most one. */
import { signal } from '@preact/signals-react'
import type { Album } from '../../schema/api/albums.ts'
import type { Item } from '../../schema/api/items.ts'

export type AlbumDialog =
  /** `album` is null for a new one. The other fields are for a new one: its folder, its search, or its first items. */
  | {
      kind: 'edit'
      album: Album | null
      folder?: boolean
      parent?: number | null
      query?: Record<string, string>
      searchText?: string
      items?: readonly Item[]
    }
  | { kind: 'members'; album: Album }
  | { kind: 'delete'; album: Album }
  /** Chooses an album for these items. */
  | { kind: 'choose'; items: readonly Item[] }

export const albumDialog = signal<AlbumDialog | null>(null)

export function closeAlbumDialog(): void {
  albumDialog.value = null
}

export function chooseAlbum(items: readonly Item[]): void {
  albumDialog.value = { kind: 'choose', items }
}
