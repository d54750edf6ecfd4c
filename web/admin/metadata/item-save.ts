/** Saves an item. Lists show the changes at once. Failed parts stay unsaved; newer changes of others are not overwritten. */
import { signal } from '@preact/signals-react'
import type { ItemDetails } from '../../../schema/api/items.ts'
import { Refused } from '../../../schema/client.ts'
import { api } from '../../api.ts'
import { markStale } from '../../app/loading/stale.ts'
import { report, say } from '../../app/messages.ts'
import { editedId, editedPosition, editItem } from '../../items/edited-items.ts'
import { replaceItem } from '../../items/item-changes.ts'
import { patchEverywhere } from '../../items/item-patch.ts'
import { rotationOf } from '../../items/item-text.ts'
import { rotateItem } from '../../items/selection/rotate.ts'
import { forgetReferenceRegion } from '../../people/known-faces.ts'
import { live } from '../../socket.ts'
import { baseTexts } from '../../texts/base.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { saveReferenceFace } from './faces/seen-faces.ts'
import {
  cancelLoad,
  changeCountOf,
  changeDraft,
  type Draft,
  draftOf,
  mergeItem,
  rotateDraft,
  unsavedIds,
  visibilityQuery,
} from './item-editor.ts'
import {
  type BoxWrite,
  boxChanges,
  type FormBox,
  type FormPlace,
  type ItemForm,
  isFaulty,
  isSamePart,
  type TagWrite,
  tagChanges,
  tagSetOf,
  withForm,
} from './item-form.ts'

/** The place that was saved last, because the next picture is often from the same place. */
export const lastPlace = signal<FormPlace | null>(null)

interface Saving {
  id: number
  item: ItemDetails
  /** The last known state on the server. */
  serverForm: ItemForm
  versions: { People: number; Object: number }
  /** Whether keywords could not be saved, so that the old ones are restored. */
  restoresKeywords: boolean
  /** Whether the connection was lost, so that further attempts stop. */
  isOffline: boolean
}

function recordFailure(saving: Saving, error: unknown, failure: string): void {
  report(error, failure)
  if (!(error instanceof Refused)) saving.isOffline = true
}

async function saveTagSet(saving: Saving, { part, data }: TagWrite, sent: ItemForm): Promise<void> {
  const { tagName, failure } = tagSetOf[part]
  try {
    await api.tags.update({
      params: { id: saving.id, tagName },
      query: visibilityQuery(),
      body: { data },
      ifMatch: saving.item.tags[tagName]?.version ?? 0,
    })
    saving.serverForm = { ...saving.serverForm, [part]: sent[part] }
    if (part === 'place' && sent.place.latitude !== null) lastPlace.value = sent.place
  } catch (error) {
    // Another user was faster; both changes are merged when the item is reloaded.
    const late = error instanceof Refused && error.code === 'changed'
    if (part === 'keywords' && !late) saving.restoresKeywords = true
    recordFailure(saving, error, failure)
  }
}

/** People and objects created here, by kind and name, so that saving the same new name again reuses them. */
const createdSubjects = new Map<string, Promise<number>>()

const keyOf = ({ kind, name }: Pick<FormBox, 'kind' | 'name'>) => `${kind} ${name.normalize('NFC').toLowerCase()}`

async function createSubject({ kind, name }: FormBox): Promise<number> {
  const { id } =
    kind === 'person'
      ? await api.people.create({ body: { names: [name] } })
      : await api.objects.create({ body: { name } })
  markStale('words')
  return id
}

/** The id of a box's person or object; creates a new one first. */
async function subjectOf(saving: Saving, box: FormBox): Promise<number> {
  const { kind, subject, name } = box
  if (subject !== 0 || name === '') return subject
  const key = keyOf({ kind, name })
  const making = createdSubjects.get(key) ?? createSubject(box)
  createdSubjects.set(key, making)
  making.catch(() => createdSubjects.delete(key))
  const id = await making
  // Whatever happens to the box, the next attempt uses this subject instead of creating a second one of that name.
  const withSubject = (one: FormBox) =>
    one.subject === 0 && one.kind === kind && one.name === name ? { ...one, subject: id } : one
  changeDraft(saving.id, ({ form }) => ({ form: { ...form, boxes: form.boxes.map(withSubject) } }))
  return id
}

/** Puts a saved box into `serverForm`, and its ids into the draft, which may have been edited since. */
function recordSavedBox(saving: Saving, box: FormBox): void {
  const { boxes } = saving.serverForm
  // A box that was drawn here and also saved by another user has a different key in `serverForm`.
  const isSameEntry = ({ key, id, kind }: FormBox) => key === box.key || (id === box.id && kind === box.kind)
  saving.serverForm = {
    ...saving.serverForm,
    boxes: boxes.some(isSameEntry) ? boxes.map(one => (isSameEntry(one) ? box : one)) : [...boxes, box],
  }
  const withSavedIds = (one: FormBox) => {
    if (one.key !== box.key || one.kind !== box.kind) return one
    return { ...one, id: box.id, subject: one.name === box.name ? box.subject : one.subject }
  }
  changeDraft(saving.id, ({ base, form }) => ({
    base: { ...base, boxes: base.boxes.map(withSavedIds) },
    form: { ...form, boxes: form.boxes.map(withSavedIds) },
  }))
}

const quarters = [0, 90, 180, 270] as const
const quarterOf = (item: ItemDetails) => quarters.find(quarter => quarter === rotationOf(item)) ?? 0

async function sendBox({ id, item, versions }: Saving, { act, box }: BoxWrite, subject: number) {
  const { x, y, width, height } = box
  // The box was drawn on the picture in this rotation, but another user may have rotated it since.
  const data = { id: box.id, x, y, width, height, rotation: quarterOf(item) }
  if (box.kind === 'person') {
    const call = act === 'create' ? api.tags.createPerson : api.tags.updatePerson
    return call({ params: { id }, ifMatch: versions.People, body: { data: { ...data, person: subject } } })
  }
  const call = act === 'create' ? api.tags.createObject : api.tags.updateObject
  return call({ params: { id }, ifMatch: versions.Object, body: { data: { ...data, object: subject } } })
}

const boxFailures = {
  person: { add: metadataTexts.failedToAddPerson, remove: metadataTexts.failedToRemovePerson },
  object: { add: metadataTexts.failedToAddObject, remove: metadataTexts.failedToRemoveObject },
}

async function saveBox(saving: Saving, write: BoxWrite): Promise<void> {
  const { act, box } = write
  const tag = box.kind === 'person' ? 'People' : 'Object'
  const failure = boxFailures[box.kind][act === 'remove' ? 'remove' : 'add']
  try {
    if (act === 'remove') {
      const call = box.kind === 'person' ? api.tags.removePerson : api.tags.removeObject
      await call({ params: { id: saving.id, regionId: box.id }, ifMatch: saving.versions[tag] })
      // The response is empty, but the version is one higher: the call would have failed if others had saved.
      saving.versions[tag]++
      if (box.kind === 'person') forgetReferenceRegion(saving.id, box.id)
      const boxes = saving.serverForm.boxes.filter(({ id, kind }) => id !== box.id || kind !== box.kind)
      saving.serverForm = { ...saving.serverForm, boxes }
      return
    }
    const subject = await subjectOf(saving, box)
    const response = await sendBox(saving, write, subject)
    saving.versions[tag] = response.tag.version
    recordSavedBox(saving, { ...box, id: response.id, subject })
    if (box.kind === 'person') {
      if (subject === 0) forgetReferenceRegion(saving.id, response.id)
      await saveReferenceFace(box.key, response.id, subject, box)
    }
  } catch (error) {
    // The next new box with this name then creates its person or object anew.
    if (error instanceof Refused && error.status === 404) createdSubjects.delete(keyOf(box))
    recordFailure(saving, error, failure)
  }
}

async function saveParts(saving: Saving, before: ItemForm, sent: ItemForm): Promise<void> {
  for (const write of tagChanges(before, sent)) if (!saving.isOffline) await saveTagSet(saving, write, sent)
  const boxes = boxChanges(before.boxes, sent.boxes)
  for (const write of boxes) if (!saving.isOffline) await saveBox(saving, write)
  // With a live connection, the server's event does this.
  if (!live.peek() && boxes.some(({ box }) => box.kind === 'person')) markStale('faces')
}

function showEverywhere(item: ItemDetails, form: ItemForm): void {
  const { tags, taken, taken_at } = withForm(item, form)
  patchEverywhere([item.id], { tags, taken, taken_at })
}

async function save({ item, base, form: sent }: Draft): Promise<void> {
  const { id } = item
  const saving: Saving = {
    id,
    item,
    serverForm: base,
    versions: { People: item.tags.People?.version ?? 0, Object: item.tags.Object?.version ?? 0 },
    restoresKeywords: false,
    isOffline: false,
  }
  cancelLoad(id)
  changeDraft(id, () => ({ base: sent, saving: true }))
  showEverywhere(item, sent)
  await saveParts(saving, base, sent)
  // Failed parts differ from the saved state, so they count as unsaved again.
  changeDraft(id, ({ form }) => ({
    base: saving.serverForm,
    form:
      saving.restoresKeywords && isSamePart('keywords', form, sent)
        ? { ...form, keywords: saving.serverForm.keywords }
        : form,
  }))
  try {
    if (saving.isOffline) throw new Error('no connection')
    const now = await api.items.get({ params: { id }, query: visibilityQuery() })
    mergeItem(now)
    replaceItem(now)
  } catch (error) {
    showEverywhere(item, saving.serverForm)
    if (!saving.isOffline) report(error, baseTexts.failedToLoadItem({ id: String(id) }))
  } finally {
    changeDraft(id, () => ({ saving: false }))
  }
  const left = draftOf(id)
  if (editedId.peek() === id || left === null || changeCountOf(left) === 0) return
  // The user has moved on, so the message names the item and links back to it.
  say(metadataTexts.isNotSaved({ name: item.name }), metadataTexts.failedChangesHint, {
    text: baseTexts.show,
    act: () => editItem(id),
  })
}

/** Whether the draft can be saved now: it has changes and no errors. */
export function canSave(draft: Draft | null): draft is Draft {
  if (draft === null || draft.saving || draft.pendingRotations > 0 || changeCountOf(draft) === 0) return false
  return !isFaulty(draft.base, draft.form)
}

export async function saveEdited(): Promise<void> {
  const now = editedId.peek() === null ? null : draftOf(editedId.peek() ?? 0)
  if (canSave(now)) await save(now)
}

/** Saves the drafts of all items, as far as possible. */
export async function saveAll(): Promise<void> {
  for (const id of unsavedIds.peek()) {
    const now = draftOf(id)
    if (canSave(now)) await save(now)
  }
}

/** Saves without waiting; failures are reported later. */
export function saveAndNext(): void {
  const { next } = editedPosition.peek()
  void saveEdited()
  if (next !== null) editItem(next)
}

/** Rotates the edited picture with its boxes at once; reverts on failure. */
export async function rotateEdited(direction: 'left' | 'right'): Promise<void> {
  const id = editedId.peek()
  const now = id === null ? null : draftOf(id)
  if (id === null || now === null || now.saving) return
  const degrees = direction === 'right' ? 90 : -90
  cancelLoad(id)
  rotateDraft(id, degrees)
  changeDraft(id, ({ pendingRotations }) => ({ pendingRotations: pendingRotations + 1 }))
  const turned = await rotateItem(now.item, direction)
  changeDraft(id, ({ pendingRotations }) => ({ pendingRotations: pendingRotations - 1 }))
  if (turned === null) rotateDraft(id, -degrees)
  else if (draftOf(id)?.pendingRotations === 0) mergeItem(turned)
}
