/** People for editors: names, birthdates, merging and cleaning up. */
import { computed } from '@preact/signals-react'
import { bytePaths } from '../../schema/addresses.ts'
import type { Item } from '../../schema/api/items.ts'
import { api, base, refusalAt } from '../api.ts'
import { ownCollections } from '../app/collections.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { followJob } from '../app/jobs/follow-job.ts'
import { waitForJob } from '../app/jobs/job-end.ts'
import { markStale } from '../app/loading/stale.ts'
import { attempt, say, showError } from '../app/messages.ts'
import { globalAdmin } from '../app/session.ts'
import { reloadItemsAndWords } from '../items/reload-items-and-words.ts'
import { offerUndo } from '../items/undo.ts'
import { saveAs } from '../kit/save-as.ts'
import { peopleTexts } from '../texts/people.ts'
import type { PersonChanges } from './person-form.ts'

/** Whether the user may name people: as a global admin, or with the right to change items of some collection. */
export const mayName = computed(() => globalAdmin.value || ownCollections.value.some(({ rights }) => rights.update))

/** Saves the changes, new names first, so that one always exists. Returns false if not everything was saved. */
export async function savePerson(id: number, { birthdate, add, update, remove }: PersonChanges): Promise<boolean> {
  const done = await attempt(peopleTexts.failedToSavePerson, async () => {
    for (const name of add) await api.people.addName({ params: { id }, body: name })
    for (const { id: nameId, ...name } of update) await api.people.updateName({ params: { id, nameId }, body: name })
    for (const nameId of remove) await api.people.removeName({ params: { id, nameId } })
    if (birthdate !== undefined) await api.people.update({ params: { id }, body: { birthdate } })
  })
  markStale('words')
  return done
}

export async function removeUnusedPeople(): Promise<boolean> {
  const done = await attempt(peopleTexts.failedToRemoveUnusedPeople, async () => {
    const { removed } = await api.people.removeUnused()
    say(removed === 0 ? peopleTexts.noUnusedPeople : peopleTexts.personRemovedCount({ count: removed }))
  })
  markStale('words')
  return done
}

/** Saves people.json. Browsers do not say why a download failed, so the address is checked first. */
export async function exportPeople(): Promise<void> {
  const address = base.value + bytePaths.exportPeople
  await attempt(peopleTexts.failedToExportPeople, async () => {
    const refusal = await refusalAt(address)
    if (refusal !== null) throw refusal
    saveAs(address, 'people.json')
  })
}

/** Merges the other person into this one, which can be undone. Returns true if the job has started. */
export async function mergePeople(id: number, otherId: number, text: string): Promise<boolean> {
  return attempt(peopleTexts.failedToMergePeople, async () => {
    const { taskid, step } = await api.people.merge({ params: { id, otherId } })
    void waitForJob(taskid).then(({ state, error }) => {
      void reloadItemsAndWords()
      if (state === 'done') offerUndo(text, step)
      else if (state === 'failed') showError(peopleTexts.failedToMergePeople, error ?? '')
    })
  })
}

/** Makes the person's face on an item the one that is shown. */
export async function chooseCover(id: number, { id: cover }: Pick<Item, 'id'>): Promise<void> {
  await attempt(peopleTexts.failedToSavePerson, async () => {
    await api.people.update({ params: { id }, body: { cover } })
    say(peopleTexts.coverChosen)
  })
  markStale('words')
}

/** Removes a person from items, as one step that can be undone. */
export async function removePerson(person: number, items: readonly Pick<Item, 'id'>[]): Promise<void> {
  await attempt(peopleTexts.failedToRemoveFromItems, async () => {
    const { taskid, step } = await api.tags.bulk({
      query: hiddenQuery(),
      body: { items: items.map(({ id }) => id), changes: [{ tagName: 'People', mode: 'remove', data: [{ person }] }] },
    })
    const job = await followJob(taskid, () => {})
    await reloadItemsAndWords()
    if (job.state === 'failed') showError(peopleTexts.failedToRemoveFromItems, job.error ?? '')
    else offerUndo(peopleTexts.removedFromItems({ count: items.length }), step)
  })
}
