/** Albums: what a viewer sees of them. An album never shows an item that its viewer does not see anyway. */
import type { Album } from '../../schema/api/albums.ts'
import { notFound, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { type SeenAlbum, seenAlbum, seenAlbums } from '../words/seen-albums.ts'
import { createAlbumChanges } from './album-changes.ts'
import { createAlbumItems } from './album-item-changes.ts'
import type { AlbumStore } from './album-rows.ts'
import { albumsOfItem, allMembers } from './albums.sql.ts'

/** `includeHidden`: the value that `unlock` returned. Without it, hidden items are left out. */
interface Hidden {
  includeHidden?: string | undefined
}

/** The album; `notFound` if the viewer does not see it. */
function requireAlbum(db: LibraryDatabase, viewer: Viewer, id: number): SeenAlbum {
  const album = seenAlbum(db, viewer, id)
  if (album === undefined) throw notFound()
  return album
}

/** How many of the first items are tried as the cover, until one has a picture that can be shown. */
const maxCoverCandidates = 4

/** What the viewer sees of the items of an album: how many, from when to when, and ids for the cover, best first. */
function figuresOf({ items }: AlbumStore, viewer: Viewer, album: SeenAlbum, { includeHidden }: Hidden) {
  const none = { items: 0, from: null, to: null, coverCandidates: [] }
  if (album.kind === 'folder') return none
  const query = { album: album.id, includeHidden }
  const first = items.idsOf(viewer, 0, { ...query, sort: album.sort }, { most: maxCoverCandidates })
  if (first.total === 0) return none
  const chosen = album.cover === null ? [] : items.matching(viewer, 0, query, { ids: [album.cover] })
  const found = { items: first.total, from: null, to: null, coverCandidates: chosen.length > 0 ? chosen : first.ids }
  if (album.kind === 'search') return found
  const time = (sort: 'taken' | '-taken') =>
    Number(items.idsOf(viewer, 0, { ...query, sort }, { most: 1 }).last?.value ?? 0)
  return { ...found, from: time('taken'), to: time('-taken') }
}

function listOf(store: AlbumStore, viewer: Viewer, albums: readonly SeenAlbum[], hidden: Hidden): Album[] {
  const { db, items } = store
  const members = Map.groupBy(db.all(allMembers), ({ albumId }: RowOfQuery<typeof allMembers>) => albumId)
  const figures = albums.map(album => figuresOf(store, viewer, album, hidden))
  const ids = figures.flatMap(({ coverCandidates }) => coverCandidates)
  const coverItems = new Map(items.byIds(viewer, [...new Set(ids)], hidden.includeHidden).map(item => [item.id, item]))
  return albums.map((album, n) => {
    const { items: count = 0, from = null, to = null, coverCandidates = [] } = figures[n] ?? {}
    const choices = coverCandidates.flatMap(id => coverItems.get(id) ?? [])
    const { ownerUsername: username, ownerName: name } = album
    return {
      id: album.id,
      kind: album.kind,
      parent: album.parent,
      name: album.name,
      // Of a folder that is seen only for an album in it, the path needs no more than the name.
      description: album.kind === 'folder' && !album.isParticipant && album.isPublic === 0 ? '' : album.description,
      sort: album.sort,
      owner: !album.isParticipant || username === null || name === null ? null : { username, name },
      role: album.role,
      own: viewer.userId !== null && album.ownerId === viewer.userId,
      orphan: viewer.globalAdmin && album.isOrphan,
      public: album.isPublic === 1,
      private: album.isPrivate === 1,
      query: !album.isParticipant || album.query === null ? null : JSON.parse(album.query),
      members: !album.isParticipant
        ? []
        : (members.get(album.id) ?? []).map(({ username, name, role }) => ({ username, name, role })),
      items: count,
      from,
      to,
      cover: choices.find(({ problem }) => problem === null) ?? choices[0] ?? null,
      created: album.createdAt,
    }
  })
}

/** Whether the viewer sees only that the album is public, and none of its items: then not even its name is shown. */
const isEmptyToOthers = ({ isParticipant, kind }: SeenAlbum, { items }: Album) =>
  !isParticipant && kind !== 'folder' && items === 0

/** Without albums that are empty to others, and the folders that the viewer would see only for these. */
function withoutEmpty(seen: readonly SeenAlbum[], albums: readonly Album[]): Album[] {
  const shown = albums.filter((album, at) => {
    const row = seen[at]
    return row !== undefined && row.kind !== 'folder' && !isEmptyToOthers(row, album)
  })
  const participates = new Set(seen.flatMap(row => (row.isParticipant || row.isPublic === 1 ? row.id : [])))
  const folders = new Map(albums.flatMap(album => (album.kind === 'folder' ? [[album.id, album]] : [])))
  const needed = new Set<number>()
  const need = (id: number | null): void => {
    const folder = id === null ? undefined : folders.get(id)
    if (folder === undefined || needed.has(folder.id)) return
    needed.add(folder.id)
    need(folder.parent)
  }
  for (const { parent } of shown) need(parent)
  for (const id of folders.keys()) if (participates.has(id)) need(id)
  const kept = new Set([...shown.map(({ id }) => id), ...needed])
  return albums.filter(({ id }) => kept.has(id))
}

export function createAlbums(store: AlbumStore) {
  const { db, items } = store

  function get(viewer: Viewer, id: number, hidden: Hidden = {}): Album {
    const seen = requireAlbum(db, viewer, id)
    const [album] = listOf(store, viewer, [seen], hidden)
    if (album === undefined || isEmptyToOthers(seen, album)) throw notFound()
    return album
  }

  return {
    get,

    /** Albums that the viewer sees, newest first. `item`: only albums by hand that contain it. */
    list(viewer: Viewer, { item, ...hidden }: Hidden & { item?: number | undefined } = {}): Album[] {
      return db.reading(() => {
        const seen = [...seenAlbums(db, viewer).values()].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
        const all = () => withoutEmpty(seen, listOf(store, viewer, seen, hidden))
        if (item === undefined) return items.cached(`albums of ${viewer.userId}`, viewer, hidden, all)
        if (items.visibleIds(viewer, [item], hidden.includeHidden).length === 0) return []
        const containing = new Set(db.all(albumsOfItem, item).map(({ id }) => id))
        return listOf(
          store,
          viewer,
          seen.filter(({ id }) => containing.has(id)),
          hidden,
        )
      })
    },

    ...createAlbumChanges(store, get),
    ...createAlbumItems(store),
  }
}

export type Albums = ReturnType<typeof createAlbums>
