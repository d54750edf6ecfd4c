/** Objects for editors: names, kinds, properties. */
import { signal } from '@preact/signals-react'
import type { ThingObject } from '../../../../schema/api/objects.ts'
import { Refused } from '../../../../schema/client.ts'
import { api } from '../../../api.ts'
import { hiddenQuery } from '../../../app/hidden.ts'
import { createLoading } from '../../../app/loading/resource.ts'
import { attempt, report, say } from '../../../app/messages.ts'
import { reloadItemsAndWords } from '../../../items/reload-items-and-words.ts'
import { mayName } from '../../../people/people-state.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { removeSubjectBoxes } from '../item-editor.ts'
import type { FormBox } from '../item-form.ts'
import type { ObjectChanges } from './object-form.ts'

export const propertyNames = signal<readonly string[]>([])
/** Id of the edited object; null if none. */
export const editedObject = signal<number | null>(null)

/** Whether the box shows an object that can be edited here. */
export function mayEdit({ kind, subject }: Pick<FormBox, 'kind' | 'subject'>): boolean {
  return kind === 'object' && subject !== 0 && mayName.value
}

export function openObject(id: number): void {
  editedObject.value = id
}

const { load } = createLoading(metadataTexts.failedToLoadPropertyNames)
/** Loads the suggested names; other names can be typed. */
export const loadPropertyNames = () =>
  load(
    () => api.objects.propertyNames({ query: hiddenQuery() }),
    names => {
      propertyNames.value = names
    },
  )

/** Removes a property, which an earlier attempt or another user may already have removed. */
async function removeProperty(id: number, propId: number): Promise<void> {
  try {
    await api.objects.removeProperty({ params: { id, propId } })
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error
  }
}

/** Sends the changes. Returns false if not everything could be saved; saved parts stay saved. */
export async function saveObject(
  id: number,
  { fields, savedProperties, removedPropertyIds }: ObjectChanges,
): Promise<boolean> {
  const done = await attempt(metadataTexts.failedToSaveObject, async () => {
    if (Object.keys(fields).length > 0) await api.objects.update({ params: { id }, body: fields })
    for (const property of savedProperties) await api.objects.addProperty({ params: { id }, body: property })
    for (const propId of removedPropertyIds) await removeProperty(id, propId)
  })
  void reloadItemsAndWords()
  return done
}

/** Deletes an object. 'used': it is on items that this user does not see, so without `force` it was not deleted. */
export async function removeObject(
  { id, name }: Pick<ThingObject, 'id' | 'name'>,
  force: boolean,
): Promise<'removed' | 'used' | 'failed'> {
  try {
    await api.objects.remove({ params: { id }, query: force ? { force } : {} })
    removeSubjectBoxes('object', id)
    say(adminTexts.isDeleted({ name }))
    return 'removed'
  } catch (error) {
    if (!force && error instanceof Refused && error.status === 409) return 'used'
    report(error, metadataTexts.failedToDeleteObject)
    return 'failed'
  } finally {
    void reloadItemsAndWords()
  }
}
