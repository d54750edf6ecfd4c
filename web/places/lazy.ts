/** The screen of places with its styles: loaded when it is first shown. */
import { loadStyle } from '../kit/load-style.ts'
import style from './places.css' with { type: 'file' }
import { PlacesScreen } from './places-screen.tsx'

export async function loadPlaces() {
  await loadStyle(style)
  return PlacesScreen
}
