/** The dialogs that change many items, with their style: loaded when the first of them opens. */
import type { Item } from '../../../schema/api/items.ts'
import { loadStyle } from '../../kit/load-style.ts'
import { DateDialog } from './date-dialog.tsx'
import style from './many-items.css' with { type: 'file' }
import { PlaceDialog } from './place-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'

const dialogs = { tag: TagDialog, date: DateDialog, place: PlaceDialog }

function ManyDialog({ what, items }: { what: keyof typeof dialogs; items: readonly Item[] }) {
  const Shown = dialogs[what]
  return <Shown items={items} />
}

export async function loadManyDialog() {
  await loadStyle(style)
  return ManyDialog
}
