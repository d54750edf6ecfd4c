/** The entries of an album's menu. */
import { Link2, LogOut, Pencil, Trash2, Users } from 'lucide-react'
import type { Album } from '../../schema/api/albums.ts'
import { dialog } from '../app/dialogs.ts'
import { user } from '../app/session.ts'
import type { MenuEntry } from '../kit/layers/menu.tsx'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { albumDialog } from './album-dialogs.ts'
import { mayManage, setMember } from './albums.ts'

/** What the user may do with an album or a folder; none for visitors. */
export function entriesOf(album: Album): MenuEntry[] {
  const username = user.value?.username
  const isMember = album.members.some(member => member.username === username)
  const entries: (MenuEntry | false)[] = [
    mayManage(album) && {
      text: albumsTexts.edit,
      icon: Pencil,
      act: () => {
        albumDialog.value = { kind: 'edit', album }
      },
    },
    mayManage(album) &&
      album.kind !== 'folder' && {
        text: albumsTexts.share,
        icon: Users,
        act: () => {
          albumDialog.value = { kind: 'members', album }
        },
      },
    username !== undefined &&
      album.kind !== 'folder' && {
        text: sharingTexts.makeALink,
        icon: Link2,
        act: () => {
          dialog.value = { kind: 'link', of: { album: album.id }, title: album.name }
        },
      },
    isMember &&
      username !== undefined && {
        text: albumsTexts.leave,
        icon: LogOut,
        act: () => void setMember(album, username, null),
      },
    album.deletable && {
      text: baseTexts.delete,
      icon: Trash2,
      danger: true,
      act: () => {
        albumDialog.value = { kind: 'delete', album }
      },
    },
  ]
  return entries.filter(entry => entry !== false)
}
