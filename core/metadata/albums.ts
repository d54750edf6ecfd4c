/** Albums by hand as files name them: `uid|Name`, in Keepsake's own property. */
import { albumUid, limits } from '../../schema/limits.ts'

export interface FileAlbum {
  uid: string
  name: string
}

/** Maximum number of albums of an item that are written, or read from a possibly hostile file. */
const maxAlbums = 100

export function albumText({ uid, name }: FileAlbum): string {
  return `${uid}|${name}`
}

/** Parses albums, without duplicates and invalid texts, in the order of their uids. Long names are cut. */
export function albumsOfTexts(texts: readonly string[]): FileAlbum[] {
  const albums = new Map<string, FileAlbum>()
  for (const text of texts) {
    const at = text.indexOf('|')
    const uid = text.slice(0, Math.max(0, at))
    const name = cutName(text.slice(at + 1))
    if (albumUid.test(uid) && name !== '' && !albums.has(uid)) albums.set(uid, { uid, name })
  }
  return [...albums.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1)).slice(0, maxAlbums)
}

function cutName(text: string): string {
  const name = text.replace(/\s+/g, ' ').trim().slice(0, limits.albumNameLength)
  // A character of two code units may have been cut in half.
  return name.replace(/[\ud800-\udbff]$/, '').trim()
}
