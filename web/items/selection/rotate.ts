/** Rotating items for everybody: files stay unchanged. */
import type { Item, ItemDetails } from '../../../schema/api/items.ts'
import { plural } from '../../../schema/figures.ts'
import { api } from '../../api.ts'
import { followWork } from '../../app/jobs/follow-job.ts'
import { orNull, say, succeeds } from '../../app/messages.ts'
import { replaceItem } from '../item-changes.ts'
import { reloadEverything } from '../reload-everything.ts'
import { offerUndo } from '../undo.ts'

/** Rotates an item by a quarter turn; returns the item, or null when it failed (and was reported). */
export async function rotateItem(item: Pick<Item, 'id'>, direction: 'left' | 'right'): Promise<ItemDetails | null> {
  return orNull('Failed to rotate image', async () => {
    const turned = await api.items.rotate({ params: { id: item.id }, query: { direction } })
    replaceItem(turned)
    return turned
  })
}

/** Rotates several as one step, which can be undone. */
export async function rotateItems(items: readonly Item[], direction: 'left' | 'right'): Promise<void> {
  const [only] = items
  if (only !== undefined && items.length === 1) {
    await rotateItem(only, direction)
    return
  }
  await succeeds('Failed to rotate image', async () => {
    const { taskid, step } = await api.items.rotateMany({ body: { items: items.map(({ id }) => id), direction } })
    const how = { text: 'Rotating', failure: 'Failed to stop rotating', total: items.length }
    const job = await followWork(taskid, how)
    await reloadEverything()
    if (job.state === 'failed') say('Failed to rotate image', job.error ?? '')
    const { changed = 0 } = job.counts
    if (changed > 0) {
      offerUndo(`${plural(changed, 'item')} rotated`, step, {
        undone: count => `${plural(count, 'item')} rotated back`,
      })
    }
  })
}
