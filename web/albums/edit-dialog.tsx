/** The form of a new or an existing album or folder. */

import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useId, useState } from 'react'
import type { Album } from '../../schema/api/albums.ts'
import { limits } from '../../schema/limits.ts'
import { compareNames } from '../../schema/locale.ts'
import { go } from '../app/address.ts'
import { administeredCollections } from '../app/collections.ts'
import { addressOfAlbum } from '../app/current-filter.ts'
import { say } from '../app/messages.ts'
import { deselect } from '../items/selection/selection.ts'
import { Field } from '../kit/form/field.tsx'
import { SaveFoot } from '../kit/form/save-foot.tsx'
import { Select } from '../kit/form/select.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { Segmented } from '../kit/segmented.tsx'
import { Switch } from '../kit/switch.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { type AlbumDialog, closeAlbumDialog } from './album-dialogs.ts'
import { albums, createAlbum, foldersFor, updateAlbum } from './albums.ts'

type EditDialog = Extract<AlbumDialog, { kind: 'edit' }>

/** The folders that an album or folder can be in, by their path. */
function folderChoices(all: readonly Album[], album: Album | null, isFolder: boolean) {
  const nameOf = ({ name, parent }: Album): string => {
    const outer = all.find(({ id }) => id === parent)
    return outer === undefined ? name : `${outer.name} / ${name}`
  }
  const choices = foldersFor(all, album, isFolder).map(folder => ({ value: folder.id, text: nameOf(folder) }))
  return [{ value: 0, text: albumsTexts.noFolder }, ...choices.sort((a, b) => compareNames(a.text, b.text))]
}

function titleOf(album: Album | null, isFolder: boolean): string {
  if (album === null) return isFolder ? albumsTexts.newFolder : albumsTexts.newAlbum
  return isFolder ? albumsTexts.editFolder : albumsTexts.editAlbum
}

function useDraft({ album, parent = null, query, searchText = '', items = [] }: EditDialog, isFolder: boolean) {
  const [draft, setDraft] = useState({
    name: album?.name ?? '',
    description: album?.description ?? '',
    bySearch: album?.kind === 'search' || query !== undefined,
    search: album?.query?.q ?? searchText,
    parent: album === null ? (parent ?? 0) : (album.parent ?? 0),
    public: album?.public ?? false,
    private: album?.private ?? false,
  })
  const set = (change: Partial<typeof draft>) => setDraft(known => ({ ...known, ...change }))
  /** An album by other conditions than a text keeps them. */
  const isText = album?.query == null ? query === undefined : Object.keys(album.query).join() === 'q'
  const bySearch = draft.bySearch && !isFolder
  const valid = draft.name.trim() !== '' && !(bySearch && isText && draft.search.trim() === '')

  async function save(): Promise<boolean> {
    const { name, description, search, ...rest } = draft
    const texts = { name: name.trim(), description: description.trim(), parent: rest.parent === 0 ? null : rest.parent }
    const searched = bySearch && isText ? { query: { q: search.trim() } } : {}
    if (album !== null) {
      const flags = isFolder
        ? {}
        : { private: rest.private, ...(rest.public === album.public ? {} : { public: rest.public }) }
      return updateAlbum(album, { ...texts, ...searched, ...flags })
    }
    const kind = isFolder ? 'folder' : bySearch ? 'search' : 'hand'
    const filling = query !== undefined ? { query } : items.length > 0 ? { items: items.map(({ id }) => id) } : searched
    const made = await createAlbum({ ...texts, kind, ...filling })
    if (made === null) return false
    deselect(items.map(({ id }) => id))
    const show = () => go(isFolder ? `/albums/${made.id}` : addressOfAlbum(made.id, made.sort))
    const count = items.length
    const done = count > 0 ? albumsTexts.addedTo({ count, name: made.name }) : albumsTexts.created({ name: made.name })
    say(done, '', { text: baseTexts.show, act: show })
    return true
  }
  return { draft, set, isText, bySearch, valid, save }
}

function Visibility({
  album,
  draft,
  set,
}: {
  album: Album
  draft: { public: boolean; private: boolean }
  set: (change: { public: boolean } | { private: boolean }) => void
}) {
  useSignals()
  return (
    <>
      {(administeredCollections.value.length > 0 || album.public) && (
        <Switch
          label={albumsTexts.visibleToVisitors}
          hint={albumsTexts.visibleToVisitorsHint}
          checked={draft.public}
          onChange={value => set({ public: value })}
        />
      )}
      {album.kind === 'hand' && (
        <Switch
          label={albumsTexts.keepOutOfFiles}
          hint={albumsTexts.keepOutOfFilesHint}
          checked={draft.private}
          onChange={value => set({ private: value })}
        />
      )}
    </>
  )
}

export function EditDialog(props: EditDialog) {
  useSignals()
  const { album, folder = false, query, searchText = '', items } = props
  const isFolder = folder || album?.kind === 'folder'
  const { draft, set, isText, bySearch, valid, save } = useDraft(props, isFolder)
  const { busy, run } = useBusy()
  const folderId = useId()
  const descriptionId = useId()
  const folders = folderChoices(albums.read(), album, isFolder)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (valid) void run(save).then(done => done && closeAlbumDialog())
  }
  return (
    <Modal title={titleOf(album, isFolder)} busy={busy} onClose={closeAlbumDialog}>
      <form onSubmit={submit}>
        <div className="px-6 pt-2 pb-3 grid gap-3">
          <Field
            label={baseTexts.name}
            hint={null}
            dir="auto"
            data-autofocus
            maxLength={limits.albumNameLength}
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <div className="field">
            <span>
              <label htmlFor={descriptionId}>{albumsTexts.description}</label>
            </span>
            <textarea
              id={descriptionId}
              className="textarea input h-auto py-2 min-h-16 leading-5"
              dir="auto"
              maxLength={limits.albumDescriptionLength}
              value={draft.description}
              onChange={({ target }) => set({ description: target.value })}
            />
          </div>
          {album === null && !isFolder && query === undefined && items === undefined && (
            <Segmented
              label={albumsTexts.kind}
              choices={['byHand', 'bySearch'] as const}
              value={draft.bySearch ? 'bySearch' : 'byHand'}
              text={kind => albumsTexts[kind]}
              onChange={kind => set({ bySearch: kind === 'bySearch' })}
            />
          )}
          {bySearch &&
            (isText ? (
              <Field
                label={albumsTexts.search}
                hint={albumsTexts.searchHint}
                dir="auto"
                maxLength={2000}
                value={draft.search}
                onChange={({ target }) => set({ search: target.value })}
              />
            ) : (
              searchText !== '' && <p className="soft">{albumsTexts.presentSearch({ search: searchText })}</p>
            ))}
          {folders.length > 1 && (
            <div className="field">
              <span>
                <label htmlFor={folderId}>{albumsTexts.folder}</label>
              </span>
              <Select
                id={folderId}
                value={draft.parent}
                choices={folders}
                onChoose={value => set({ parent: Number(value) })}
              />
            </div>
          )}
          {album !== null && !isFolder && <Visibility album={album} draft={draft} set={set} />}
        </div>
        <SaveFoot
          action={album === null ? baseTexts.create : baseTexts.save}
          busy={busy}
          disabled={!valid}
          onCancel={closeAlbumDialog}
        />
      </form>
    </Modal>
  )
}
