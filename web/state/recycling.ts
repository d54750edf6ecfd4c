/** Into the recycle bin, after a question, and back out of it. */
import type { Item } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { loadCollections } from './collections.ts'
import { plural } from './dates.ts'
import { dialog } from './dialogs.ts'
import { dropItem } from './item-changes.ts'
import { refreshList } from './items.ts'
import { say } from './messages.ts'
import { mayUpdateAll } from './rights.ts'
import { deselect } from './selection.ts'
import { loadTimeline } from './timeline.ts'
import { closeViewer, openId, screenUnder, step } from './viewer.ts'
import { doToEach } from './work.ts'

/** Asks whether these may go. Nothing happens where that is not allowed. */
export function askDelete(items: readonly Item[]): void {
  if (items.length > 0 && mayUpdateAll(items)) dialog.value = { kind: 'delete', items }
}

async function everythingAnew(): Promise<void> {
  await Promise.all([refreshList(), loadTimeline({ quiet: true }), loadCollections({ quiet: true })])
}

async function restore(items: readonly Item[]): Promise<void> {
  const back = await doToEach(
    items,
    async ({ id }) => {
      await api.items.restore({ params: { id } })
    },
    { text: 'Restoring', failure: 'Failed to restore item' },
  )
  await everythingAnew()
  if (back.length > 0) say(`${plural(back.length, 'item')} restored`)
}

/** Recycles them: they leave the gallery at once, and the way back is offered. */
export async function recycle(items: readonly Item[]): Promise<void> {
  const gone = await doToEach(
    items,
    async ({ id }) => {
      await api.items.remove({ params: { id } })
      deselect([id])
      dropItem(id)
      // Opened from elsewhere than the gallery, it stands alone among others.
      if (openId.peek() === id && screenUnder.peek() !== '/' && !step(1) && !step(-1)) closeViewer()
    },
    { text: 'Deleting', failure: 'Failed to delete item' },
  )
  if (gone.length === 0) return
  say(
    `${plural(gone.length, 'item')} deleted`,
    gone.length === 1 ? 'It is in the recycle bin' : 'They are in the recycle bin',
    {
      text: 'Undo',
      act: () => void restore(gone),
    },
  )
  await everythingAnew()
}
