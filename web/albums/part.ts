/** What signed-in users do with albums from anywhere: actions on items, and dialogs. Loaded after the login. */
import { createPart } from '../app/loading/part.ts'
import { loadStyle } from '../kit/load-style.ts'
import style from './albums.css' with { type: 'file' }

export const loadAlbumsStyle = () => loadStyle(style)

export const { part: albumsPart, load: loadAlbumsPart } = createPart(async () => {
  const [{ AlbumDialogs, openSaveSearchForm }] = await Promise.all([import('./actions.tsx'), loadAlbumsStyle()])
  return { AlbumDialogs, openSaveSearchForm }
})
