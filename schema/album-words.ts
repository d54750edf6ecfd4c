/** Albums in words, shared by commands and the terminal UI. Pure. */
import type { Album } from './api/albums.ts'

export const albumKindText: Record<Album['kind'], string> = {
  folder: 'folder',
  hand: 'by hand',
  search: 'by a search',
}

/** The name under which the favourites stand among the albums. Pages show it in their language. */
export const favouritesName = 'Favourites'

/** The name after those of its folders: 'Journeys / Italy / Rome'. */
export function albumPath({ name, parent }: Pick<Album, 'name' | 'parent'>, all: readonly Album[]): string {
  const folder = all.find(({ id }) => id === parent)
  return folder === undefined ? name : `${albumPath(folder, all)} / ${name}`
}
