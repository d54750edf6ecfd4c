/** The viewer with its style sheets: its own, and that of the albums for their covers. */
import { loadAlbumsStyle } from '../albums/part.ts'
import { loadStyle } from '../kit/load-style.ts'
import style from './viewer.css' with { type: 'file' }
import { Viewer } from './viewer.tsx'

export async function loadViewer() {
  await Promise.all([loadStyle(style), loadAlbumsStyle()])
  return Viewer
}
