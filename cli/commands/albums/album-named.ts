/** Finds the album that a command names. */
import type { Album } from '../../../schema/api/albums.ts'
import { sameText } from '../../options.ts'
import { requireOne, type Session } from '../../session.ts'

export async function listAlbums({ client }: Pick<Session, 'client'>): Promise<Album[]> {
  return (await client.albums.list({ query: {} })).albums
}

/** The album with this id or, if there is none, with this name. */
export function findAlbum(all: readonly Album[], word: string): Album {
  const withId = all.filter(({ id }) => String(id) === word)
  const found = withId.length > 0 ? withId : all.filter(({ name }) => sameText(name, word))
  return requireOne(found, word, { one: 'album', many: 'albums', see: 'keepsake album list' })
}

export async function resolveAlbum(session: Session, word: string): Promise<Album> {
  return findAlbum(await listAlbums(session), word)
}
