/** Chooses the album that items are added to, or makes a new one with them. */
import { useSignals } from '@preact/signals-react/runtime'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Album } from '../../schema/api/albums.ts'
import type { Item } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { searchKey } from '../../schema/search-text.ts'
import { go } from '../app/address.ts'
import { addressOfAlbum } from '../app/current-filter.ts'
import { say } from '../app/messages.ts'
import { user } from '../app/session.ts'
import { deselect } from '../items/selection/selection.ts'
import { Field } from '../kit/form/field.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { closeAlbumDialog } from './album-dialogs.ts'
import { albumLine } from './album-text.ts'
import { Cover } from './album-tile.tsx'
import { addableAlbums, addToAlbum, createAlbum } from './albums.ts'

async function addToNew(name: string, items: readonly Item[]): Promise<boolean> {
  const made = await createAlbum({ kind: 'hand', name, items: items.map(({ id }) => id) })
  if (made === null) return false
  say(albumsTexts.addedTo({ count: items.length, name: made.name }), '', {
    text: baseTexts.show,
    act: () => go(addressOfAlbum(made.id, made.sort)),
  })
  return true
}

export function ChooseDialog({ items }: { items: readonly Item[] }) {
  useSignals()
  const [typed, setTyped] = useState('')
  const { busy, run } = useBusy()
  const name = typed.trim()
  const all = addableAlbums.value
  const found = all.filter(album => searchKey(album.name).includes(searchKey(name)))
  const runAndClose = (work: () => Promise<boolean>) =>
    void run(work).then(done => {
      if (done !== true) return
      deselect(items.map(({ id }) => id))
      closeAlbumDialog()
    })
  const add = (album: Album) => runAndClose(() => addToAlbum(album, items))
  const createAndAdd = () => runAndClose(() => addToNew(name === '' ? albumsTexts.newAlbum : name, items))
  const [only] = found
  return (
    <Modal title={albumsTexts.addToAlbum} busy={busy} onClose={closeAlbumDialog}>
      <form
        className="px-6 pt-2"
        onSubmit={event => {
          event.preventDefault()
          if (name !== '' && found.length === 1 && only !== undefined) add(only)
          else if (name !== '') createAndAdd()
        }}
      >
        <Field
          label={albumsTexts.findAlbum}
          hint={null}
          dir="auto"
          autoComplete="off"
          data-autofocus
          maxLength={limits.albumNameLength}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
      <ul className="album-choices">
        <li>
          <button type="button" className="album-choice" disabled={busy} onClick={createAndAdd}>
            <span className="cover grid place-items-center">
              <Plus size={20} aria-hidden="true" />
            </span>
            <span className="truncate font-semibold">
              {name === '' ? albumsTexts.newAlbum : albumsTexts.newNamed({ name })}
            </span>
          </button>
        </li>
        {found.map(album => (
          <li key={album.id}>
            <button type="button" className="album-choice" disabled={busy} onClick={() => add(album)}>
              <Cover item={album.cover} />
              <span className="min-w-0">
                <span className="block truncate font-semibold" dir="auto">
                  {album.name}
                </span>
                <span className="block truncate text-xs soft">{albumLine(album, user.value?.username)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
