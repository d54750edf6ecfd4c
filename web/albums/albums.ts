/** Albums that the user sees: loaded when they are first shown, kept up to date, and their changes. */
import { computed } from '@preact/signals-react'
import type { Album, AlbumRole } from '../../schema/api/albums.ts'
import type { Item } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { filter } from '../app/current-filter.ts'
import { hiddenQuery, includeHidden } from '../app/hidden.ts'
import { createCached } from '../app/loading/resource.ts'
import { markStale, versionOf } from '../app/loading/stale.ts'
import { attempt, attemptValue, closeToast, say, toasts } from '../app/messages.ts'
import { user } from '../app/session.ts'
import { refreshList } from '../items/items.ts'
import { loadTimeline } from '../items/timeline.ts'
import { offerUndo } from '../items/undo.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'

export const albums = createCached<Album>(
  albumsTexts.failedToLoadAlbums,
  () => `${user.value?.id ?? 0} ${includeHidden.value}`,
  () => versionOf('albums') + versionOf('items'),
  async () => (await api.albums.list({ query: hiddenQuery() })).albums,
)

/** The album whose items the gallery shows; null if it shows all items, or the album is unknown. */
export const openAlbum = computed(() => albums.read().find(({ id }) => id === filter.value.album) ?? null)

const roles: readonly AlbumRole[] = ['view', 'add', 'manage']
export const mayManage = ({ role }: Album): boolean => role === 'manage'
export const mayAdd = ({ kind, role }: Album): boolean => kind === 'hand' && roles.indexOf(role) > 0

/** Albums by hand to which the user may add items, last created first. */
export const addableAlbums = computed(() => albums.read().filter(mayAdd))

/** Loads the albums again, and the gallery if it shows one. */
async function albumsChanged(): Promise<void> {
  markStale('albums')
  if (filter.peek().album !== 0) await Promise.all([refreshList(), loadTimeline({ quiet: true })])
}

type NewAlbum = NonNullable<Parameters<typeof api.albums.create>[0]>['body']
type Changes = NonNullable<Parameters<typeof api.albums.update>[0]>['body']

/** Returns the new album; null on failure. */
export async function createAlbum(album: NewAlbum): Promise<Album | null> {
  const made = await attemptValue(albumsTexts.failedToSaveAlbum, () => api.albums.create({ body: album }))
  void albumsChanged()
  return made
}

/** Returns false on failure. */
export async function updateAlbum({ id }: Album, changes: Changes): Promise<boolean> {
  const done = await attempt(albumsTexts.failedToSaveAlbum, () => api.albums.update({ params: { id }, body: changes }))
  void albumsChanged()
  return done
}

/** Returns false on failure. */
export async function deleteAlbum({ id, name }: Album): Promise<boolean> {
  return attempt(albumsTexts.failedToDeleteAlbum, async () => {
    const { step } = await api.albums.remove({ params: { id } })
    void albumsChanged()
    offerUndo(albumsTexts.deleted({ name }), step)
  })
}

/** The folders that an album or folder can be in. A folder can only be in a folder at the top. */
export function foldersFor(all: readonly Album[], album: Album | null, isFolder: boolean): Album[] {
  const folders = all.filter(({ kind, role, id }) => kind === 'folder' && role === 'manage' && id !== album?.id)
  const holdsFolders = all.some(({ kind, parent }) => kind === 'folder' && parent === album?.id)
  return isFolder ? folders.filter(({ parent }) => parent === null && !holdsFolders) : folders
}

/** Moves an album or folder into a folder, or out of all (null), and offers Undo. */
export async function moveToFolder(album: Album, folder: Album | null): Promise<void> {
  const { name, parent } = album
  if (!(await updateAlbum(album, { parent: folder?.id ?? null }))) return
  say(albumsTexts.movedTo({ name, folder: folder?.name ?? baseTexts.albums }), '', {
    text: baseTexts.undo,
    act: () => void updateAlbum(album, { parent }),
  })
}

/** Adds items at the end of an album, and offers Undo. */
export async function addToAlbum({ id, name }: Album, items: readonly Item[]): Promise<boolean> {
  return attempt(albumsTexts.failedToChangeItems, async () => {
    const ids = items.map(item => item.id)
    const { added, step } = await api.albums.setItems({ params: { id }, body: { add: ids } })
    void albumsChanged()
    if (added === 0) say(albumsTexts.alreadyIn({ name }))
    else {
      const count = ids.length - added
      const detail = count === 0 ? '' : albumsTexts.someAlreadyIn({ count })
      offerUndo(albumsTexts.addedTo({ count: added, name }), step, { detail })
    }
  })
}

export async function removeFromAlbum({ id, name }: Album, items: readonly Item[]): Promise<boolean> {
  return attempt(albumsTexts.failedToChangeItems, async () => {
    const ids = items.map(item => item.id)
    const { removed, step } = await api.albums.setItems({ params: { id }, body: { remove: ids } })
    void albumsChanged()
    offerUndo(albumsTexts.removedFrom({ count: removed, name }), step)
  })
}

/** Moves items within the order by hand: before another item, or to the end (null). */
export async function moveInAlbum({ id }: Album, items: readonly number[], before: number | null): Promise<boolean> {
  return attempt(albumsTexts.failedToChangeItems, async () => {
    const { step } = await api.albums.order({ params: { id }, body: { items: [...items], before } })
    await albumsChanged()
    // Pictures are often moved several times in a row: only the last move is offered, and History has the others.
    for (const { id: shown, text } of toasts.peek()) if (text === albumsTexts.moved) closeToast(shown)
    offerUndo(albumsTexts.moved, step)
  })
}

/** Sets or ends (null) what a user may do with an album. Returns false on failure. */
export async function setMember({ id }: Album, username: string, role: AlbumRole | null): Promise<boolean> {
  const done = await attempt(albumsTexts.failedToChangeMembers, () =>
    api.albums.setMember({ params: { id }, body: { username, role } }),
  )
  void albumsChanged()
  return done
}
