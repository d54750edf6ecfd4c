/** The screen of people, the head of a person and the dialogs of both, with their styles: one part, loaded once. */
import { loadAlbumsStyle } from '../albums/part.ts'
import { loadFacesPart } from '../faces/part.ts'
import { loadStyle } from '../kit/load-style.ts'
import { MergeDialog } from './merge-dialog.tsx'
import style from './people.css' with { type: 'file' }
import { PeopleScreen } from './people-screen.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { PersonHead } from './person-head.tsx'

/** Also loads the albums' styles, because a person's head looks like an album's. */
export async function loadPeople() {
  loadFacesPart()
  await Promise.all([loadStyle(style), loadAlbumsStyle()])
  return { PeopleScreen, PersonHead, PersonDialog, MergeDialog }
}
