/** Copies the edited item's place to the other chosen items, as one step that can be undone. */

import { api } from '../../api.ts'
import { followJob } from '../../app/jobs/follow-job.ts'
import { attempt, say } from '../../app/messages.ts'
import { editedId, editedIds } from '../../items/edited-items.ts'
import { reloadItemsAndWords } from '../../items/reload-items-and-words.ts'
import { offerUndo } from '../../items/undo.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import type { FormPlace } from './item-form.ts'

export function othersInRow(): number[] {
  return editedIds.value.filter(id => id !== editedId.value)
}

export async function copyPlaceToOthers({ latitude, longitude, placeName, guessed }: FormPlace): Promise<void> {
  const items = othersInRow()
  const data = { latitude, longitude, placeName: placeName.trim(), guessed }
  await attempt(metadataTexts.failedToSaveLocation, async () => {
    const { taskid, step } = await api.tags.bulk({
      query: {},
      body: { items, changes: [{ tagName: 'Locations', mode: 'set', data }] },
    })
    const job = await followJob(taskid, () => {})
    if (job.state === 'failed') say(metadataTexts.failedToSaveLocation, job.error ?? '')
    else offerUndo(metadataTexts.placeGiven({ count: items.length }), step)
    await reloadItemsAndWords()
  })
}
