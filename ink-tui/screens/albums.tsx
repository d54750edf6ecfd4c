/** Albums and their folders: open their items, create, rename and delete them. */
import type { ReactElement } from 'react'
import { albumKindText, albumPath } from '../../schema/album-words.ts'
import type { Album } from '../../schema/api/albums.ts'
import { figure, plural } from '../../schema/figures.ts'
import type { Binding } from '../keys.ts'
import { alignToEnds, type Line } from '../line.ts'
import { isAlbumEvent, isCollectionEvent, useLive } from '../live.ts'
import { keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useFind } from '../parts/use-find.ts'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys, useUi } from '../ui.ts'
import { nameCheck } from './people.tsx'

/** An album with the names of its folders before its own. */
interface AlbumRow extends Album {
  path: string
}

const columns: Column<AlbumRow>[] = [
  { id: 'name', title: 'name', width: 'rest', least: 20, cell: ({ path }) => path },
  {
    id: 'items',
    title: 'items',
    width: 9,
    align: 'end',
    cell: ({ kind, items }) => (kind === 'folder' ? '' : items === 0 ? { text: '0', style: 'dim' } : figure(items)),
  },
  { id: 'kind', title: 'kind', width: 11, drop: 1, style: 'dim', cell: ({ kind }) => albumKindText[kind] },
  { id: 'owner', title: 'owner', width: 16, drop: 2, cell: ({ owner }) => owner?.username ?? '' },
]

/** Folders first, then albums, each by name. */
function rowsOf(albums: readonly Album[]): AlbumRow[] {
  const rank = ({ kind }: Album) => (kind === 'folder' ? 0 : 1)
  return albums
    .map(album => ({ ...album, path: albumPath(album, albums) }))
    .sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path))
}

export function Albums({ width, height }: ScreenProps): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const find = useFind(ui, 'find a name', 'show all albums')
  const { value, error, reload } = useLive(
    async () => rowsOf((await client.albums.list({ query: {} })).albums),
    event => isAlbumEvent(event) || isCollectionEvent(event),
  )
  const rows = (value ?? []).filter(({ path }) => find.matches(path))
  const list = useRows(rows, Math.max(1, height - 3), idOf)
  const key = keysFor(ui, list.here, reload)
  const bindings: Binding[] = [
    ...list.keys,
    key('enter', 'items', 'items of the album, or of all albums in the folder', ({ id, path, sort }) =>
      ui.go('items', { album: id, title: path, sort }),
    ),
    ...find.keys(),
    keysFor(ui, true, reload)('n', 'new', 'create an album by hand', async () => {
      const name = await ui.prompt({ label: 'Name of the album:', check: nameCheck })
      if (name === null) return
      await client.albums.create({ body: { kind: 'hand', name } })
      return `Created ${name.trim()}.`
    }),
    key('r', 'rename', 'change the name', async ({ id, name: old }) => {
      const name = await ui.prompt({ label: `New name of ${old}:`, value: old, check: nameCheck })
      if (name === null || name.trim() === old) return
      await client.albums.update({ params: { id }, body: { name } })
      return `${old} is now called ${name.trim()}.`
    }),
    key('d delete', 'delete', 'delete it; its items stay', async ({ id, name, kind }) => {
      const stays = kind === 'folder' ? 'The albums in it stay.' : 'Its items stay.'
      if (!(await ui.confirm({ title: `Delete ${name}? ${stays}`, yes: 'delete' }))) return
      await client.albums.remove({ params: { id } })
      return `Deleted ${name}.`
    }),
  ]
  useKeys({ title: 'Albums', bindings })
  const isAll = find.wanted === ''
  const head: Line = alignToEnds(
    [' ', isAll ? { text: 'All albums', style: 'dim' } : `/ ${find.wanted}`],
    [value === null ? '' : plural(rows.length, 'album'), ' '],
    width,
  )
  const none = isAll ? 'No albums yet. n creates one.' : 'No album has this name.'
  return (
    <>
      <Row line={head} width={width} />
      <Row line={[]} width={width} />
      <Table columns={columns} {...list} width={width} empty={error ?? (value === null ? '' : none)} />
    </>
  )
}
