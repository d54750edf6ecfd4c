/** Turning an item for everybody: its file stays as it is. */
import type { Item, ItemDetails } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { plural } from './dates.ts'
import { everythingAnew } from './everything-anew.ts'
import { followJob } from './follow-job.ts'
import { replaceItem } from './item-changes.ts'
import { cancelJob } from './jobs.ts'
import { orNull, say, succeeds } from './messages.ts'
import { offerUndo } from './undo.ts'
import { type Work, work } from './work.ts'

/** Turns it by a quarter; answers it as it is then, null when it did not work (and was reported). */
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
  let shown: Work | null = null
  await succeeds('Failed to rotate image', async () => {
    const { taskid, step } = await api.items.rotateMany({ body: { items: items.map(({ id }) => id), direction } })
    const stop = () => void cancelJob(taskid, 'Failed to stop rotating')
    const job = await followJob(taskid, ({ done, total }) => {
      shown = { text: 'Rotating', done, total: total ?? items.length, stop }
      work.value = shown
    })
    await everythingAnew()
    if (job.state === 'failed') say('Failed to rotate image', job.error ?? '')
    const { changed = 0 } = job.counts
    if (changed > 0) {
      offerUndo(`${plural(changed, 'item')} rotated`, step, {
        undone: count => `${plural(count, 'item')} rotated back`,
      })
    }
  })
  if (shown !== null && work.peek() === shown) work.value = null
}
