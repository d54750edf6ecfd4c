/** The folders that contain an album or folder, as links. */
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import type { Album } from '../../schema/api/albums.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'

/** The folders from the top to the one that contains the album. */
export function foldersOf(all: readonly Album[], { parent }: Pick<Album, 'parent'>): Album[] {
  const folder = all.find(({ id }) => id === parent)
  return folder === undefined ? [] : [...foldersOf(all, folder), folder]
}

export function Breadcrumb({ folders }: { folders: readonly Album[] }) {
  return (
    <nav className="album-path" aria-label={albumsTexts.folder}>
      <Link href="/albums" data-folder={0}>
        {baseTexts.albums}
      </Link>
      {folders.map(({ id, name }) => (
        <span key={id} className="contents">
          <ChevronRight size={14} className="soft shrink-0" aria-hidden="true" />
          <Link href={`/albums/${id}`} data-folder={id} dir="auto">
            {name}
          </Link>
        </span>
      ))}
    </nav>
  )
}
