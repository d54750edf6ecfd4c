/** Who may see an album, add to it, or manage it. */
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { type Album, type AlbumRole, albumRoles } from '../../schema/api/albums.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { Select } from '../kit/form/select.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { albumsTexts } from '../texts/albums.ts'
import { closeAlbumDialog } from './album-dialogs.ts'
import { albums, setMember } from './albums.ts'

const roleChoices = albumRoles.map(value => ({
  value,
  text: { view: albumsTexts.mayView, add: albumsTexts.mayAdd, manage: albumsTexts.mayManage }[value],
}))

export function MembersDialog({ album: opened }: { album: Album }) {
  useSignals()
  const album = albums.read().find(({ id }) => id === opened.id) ?? opened
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<AlbumRole>('view')
  const { busy, run } = useBusy()
  const add = (event: SyntheticEvent) => {
    event.preventDefault()
    const name = username.trim()
    if (name !== '') void run(() => setMember(album, name, role)).then(done => done && setUsername(''))
  }
  return (
    <Modal title={albumsTexts.whoSees({ name: album.name })} width={520} onClose={closeAlbumDialog}>
      <div className="px-6 pt-2 pb-6 grid gap-4">
        <p className="soft">{albumsTexts.membersHint}</p>
        <ul className="grid gap-1">
          {album.owner !== null && (
            <li className="flex items-center gap-3 min-h-10">
              <span className="truncate me-auto">
                <bdi>{album.owner.name}</bdi>
              </span>
              <span className="soft">{albumsTexts.owner}</span>
            </li>
          )}
          {album.members.map(member => (
            <li key={member.username} className="flex items-center gap-2 min-h-10">
              <span className="truncate me-auto" title={member.username}>
                <bdi>{member.name}</bdi>
              </span>
              <Select
                className="album-select"
                aria-label={albumsTexts.rightOf({ name: member.name })}
                value={member.role}
                choices={roleChoices}
                disabled={busy}
                onChoose={value => void run(() => setMember(album, member.username, value as AlbumRole))}
              />
              <IconButton
                icon={X}
                label={albumsTexts.removeMember({ name: member.name })}
                disabled={busy}
                onClick={() => void run(() => setMember(album, member.username, null))}
              />
            </li>
          ))}
        </ul>
        <form className="flex flex-wrap items-end gap-2" onSubmit={add}>
          <div className="grow min-w-40">
            <Field
              label={albumsTexts.username}
              hint={null}
              dir="auto"
              autoComplete="off"
              autoCapitalize="none"
              data-autofocus
              value={username}
              onChange={({ target }) => setUsername(target.value)}
            />
          </div>
          <Select
            className="album-select"
            aria-label={albumsTexts.rightOf({ name: username })}
            value={role}
            choices={roleChoices}
            onChoose={value => setRole(value as AlbumRole)}
          />
          <Button type="submit" look="primary" text={albumsTexts.add} disabled={busy || username.trim() === ''} />
        </form>
      </div>
    </Modal>
  )
}
