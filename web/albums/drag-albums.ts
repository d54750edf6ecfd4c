/** Drags albums and folders on the albums page into folders, and out of them. */

import { albums, foldersFor, mayManage, moveToFolder } from './albums.ts'
import type { DragSource } from './mouse-drag.ts'

export function dragSourceOfAlbum(pressed: Element): (() => DragSource) | null {
  const tile = pressed.closest('button') === null ? pressed.closest('[data-album]') : null
  const all = albums.read()
  const album = all.find(({ id }) => id === Number(tile?.getAttribute('data-album')))
  if (tile === null || album === undefined || !mayManage(album)) return null
  const folders = foldersFor(all, album, album.kind === 'folder')
  /** The folder of an element: null for the top, undefined if the album cannot go there. */
  const folderOf = (element: Element) => {
    const id = Number(element.getAttribute('data-folder'))
    if (id === (album.parent ?? 0)) return undefined
    return id === 0 ? null : folders.find(one => one.id === id)
  }
  return () => ({
    from: tile,
    name: album.name,
    count: 1,
    targetAt(element) {
      const target = element.closest('[data-folder]')
      return target === null || folderOf(target) === undefined ? null : target
    },
    drop(target) {
      const folder = target === null ? undefined : folderOf(target)
      if (folder !== undefined) void moveToFolder(album, folder)
    },
  })
}
