/** Editing items on the metadata screen: the server's state and the draft of each item. */
import { computed, effect, signal } from '@preact/signals-react'
import type { ItemDetails } from '../../../schema/api/items.ts'
import { Refused } from '../../../schema/client.ts'
import { api } from '../../api.ts'
import { address, go, goBack } from '../../app/address.ts'
import { addressOfEditor, filterQuery, homeAddress } from '../../app/current-filter.ts'
import { createLoading, type LoadOptions } from '../../app/loading/resource.ts'
import { say } from '../../app/messages.ts'
import { user } from '../../app/session.ts'
import { editedId, idsLeftUnsaved, includeAgain, leaveOut, leftOut, loadNeighbours } from '../../items/edited-items.ts'
import { onItemsChanged } from '../../items/item-changes.ts'
import { imageNotFound, rotationOf } from '../../items/item-text.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import {
  type FormBox,
  type ItemForm,
  isFaulty,
  isProposal,
  itemChangeCount,
  itemFormOf,
  rotatedForm,
} from './item-form.ts'
import { mergeForms } from './item-merge.ts'

export interface Draft {
  item: ItemDetails
  /** The state that the form is compared with: the server's state, including changes that are being saved. */
  base: ItemForm
  form: ItemForm
  saving: boolean
  /** Number of quarter turns that are being saved. */
  pendingRotations: number
}

const drafts = signal<ReadonlyMap<number, Draft>>(new Map())
/** Items that could not be loaded, with the message to show instead. */
const loadFaults = signal<ReadonlyMap<number, string>>(new Map())

export const draft = computed<Draft | null>(() =>
  editedId.value === null ? null : (drafts.value.get(editedId.value) ?? null),
)
/** Why the item cannot be edited; null if it can, or while it is loading. */
export const loadFaultText = computed(() =>
  editedId.value === null || draft.value !== null ? null : (loadFaults.value.get(editedId.value) ?? null),
)

export function changeCountOf({ base, form }: Draft): number {
  return itemChangeCount(base, form)
}

export const changeCount = computed(() => (draft.value === null ? 0 : changeCountOf(draft.value)))
export const hasFaults = computed(() => draft.value !== null && isFaulty(draft.value.base, draft.value.form))

/** Whether another attempt may succeed: loading has failed, but not because the item is gone. */
export const canRetryLoad = computed(() => loadFaultText.value !== null && loadFaultText.value !== imageNotFound)

export const unsavedIds = computed<ReadonlySet<number>>(
  () =>
    new Set([...drafts.value].flatMap(([id, one]) => (changeCountOf(one) > 0 && !leftOut.value.has(id) ? [id] : []))),
)
export const idsWithProposals = computed<ReadonlySet<number>>(
  () => new Set([...drafts.value].flatMap(([id, { form }]) => (form.boxes.some(isProposal) ? [id] : []))),
)
const isAnySaving = computed(() => [...drafts.value.values()].some(({ saving }) => saving))

export function draftOf(id: number): Draft | null {
  return drafts.peek().get(id) ?? null
}

function setDraft(id: number, next: Draft): void {
  drafts.value = new Map(drafts.peek()).set(id, next)
}

export function changeDraft(id: number, change: (now: Draft) => Partial<Draft>): void {
  const now = draftOf(id)
  if (now !== null) setDraft(id, { ...now, ...change(now) })
}

export function edit(change: Partial<ItemForm>): void {
  const id = editedId.peek()
  if (id !== null) changeDraft(id, ({ form }) => ({ form: { ...form, ...change } }))
}

export function editBox(key: string, change: Partial<FormBox>): void {
  const form = draft.peek()?.form
  if (form !== undefined) edit({ boxes: form.boxes.map(box => (box.key === key ? { ...box, ...change } : box)) })
}

/** Drops the unsaved boxes of a person or object that was removed. */
export function removeSubjectBoxes(kind: FormBox['kind'], subject: number): void {
  const stays = (box: FormBox) => box.id !== 0 || box.kind !== kind || box.subject !== subject
  for (const id of drafts.peek().keys()) {
    changeDraft(id, ({ form }) => ({ form: { ...form, boxes: form.boxes.filter(stays) } }))
  }
}

export function revert(): void {
  const id = editedId.peek()
  if (id !== null) changeDraft(id, ({ base }) => ({ form: base }))
}

/** Merges the server's new state into the draft. */
export function mergeItem(item: ItemDetails): void {
  const known = draftOf(item.id)
  if (known === null) {
    const form = itemFormOf(item)
    setDraft(item.id, { item, base: form, form, saving: false, pendingRotations: 0 })
    return
  }
  const turned = (form: ItemForm) => rotatedForm(form, rotationOf(item) - rotationOf(known.item), known.item)
  const theirs = itemFormOf(item)
  const form = mergeForms(turned(known.base), turned(known.form), theirs)
  setDraft(item.id, { ...known, item, base: theirs, form })
}

/** The query parameters of calls that may return hidden items. */
export function visibilityQuery(): { includeHidden?: string } {
  const { includeHidden } = filterQuery.peek()
  return includeHidden === undefined ? {} : { includeHidden }
}

/** Whether a change of the item is being saved, so that any state loaded meanwhile is outdated. */
function isBusy(id: number): boolean {
  const known = draftOf(id)
  return known !== null && (known.saving || known.pendingRotations > 0)
}

/** Rotates the draft before the server does: the picture, and the boxes of both `base` and `form`. */
export function rotateDraft(id: number, degrees: number): void {
  changeDraft(id, ({ item, base, form }) => {
    const rotation = (rotationOf(item) + degrees + 360) % 360
    const turned = (one: ItemForm) => rotatedForm(one, degrees, item)
    return {
      item: {
        ...item,
        width: item.height,
        height: item.width,
        properties: [
          ...item.properties.filter(({ name }) => name !== 'Rotation'),
          { name: 'Rotation', value: rotation },
        ],
      },
      base: turned(base),
      form: turned(form),
    }
  })
}

/** How many removed items to request again at most: those that were removed most recently. */
const maxGoneRequests = 20

let loadingId = 0
const { load: loadItem, cancel } = createLoading(
  () => baseTexts.failedToLoadItem({ id: String(loadingId) }),
  error => {
    // The item was deleted for good, or this user may no longer see it, so there is nothing to save.
    const isAway = error instanceof Refused && error.status === 404
    loadFaults.value = new Map(loadFaults.peek()).set(
      loadingId,
      isAway ? imageNotFound : baseTexts.pictureCouldNotBeLoaded,
    )
    if (isAway && draftOf(loadingId) !== null) leaveOut(loadingId)
    // An item that is gone is not reported, because `loadFaultText` is shown in its place.
    return isAway
  },
)

/** Drops the response to a request that was sent before the item was changed, because it may be outdated. */
export function cancelLoad(id: number): void {
  if (id === loadingId) cancel()
}

async function load(id: number, how: LoadOptions): Promise<void> {
  loadingId = id
  const take = (item: ItemDetails) => {
    if (!isBusy(id)) mergeItem(item)
    if (loadFaults.peek().has(id)) loadFaults.value = new Map([...loadFaults.peek()].filter(([one]) => one !== id))
  }
  await loadItem(() => api.items.get({ params: { id }, query: visibilityQuery() }), take, how)
}

/** Puts removed items back among the edited ones if they have been restored. */
async function bringBackRestored(): Promise<void> {
  for (const id of [...leftOut.peek()].slice(-maxGoneRequests)) {
    try {
      const { properties } = await api.items.get({ params: { id }, query: visibilityQuery() })
      if (!properties.some(({ name }) => name === 'Deleted')) includeAgain([id])
    } catch {
      // The item is still gone.
    }
  }
}

/** Loads the edited item, and drops other drafts that have neither changes nor found faces. */
export async function loadEdited(how: LoadOptions = {}): Promise<void> {
  const id = editedId.peek()
  const isKept = (known: Draft) => known.saving || changeCountOf(known) > 0 || known.form.boxes.some(isProposal)
  drafts.value = new Map([...drafts.peek()].filter(([one, known]) => one === id || isKept(known)))
  if (id === null) {
    // Nothing is left to edit, perhaps because items were hidden while nobody was signed in.
    if (user.peek() !== null && leftOut.peek().size > 0) await bringBackRestored()
    return
  }
  // Also load an item that was gone: it may have been restored, or was hidden while nobody was signed in.
  await load(id, how)
  loadNeighbours()
}

export function leaveEditor(): void {
  if (history.length > 1) goBack()
  else go(homeAddress.peek())
}

function rememberUnsaved(): void {
  idsLeftUnsaved.value = [...unsavedIds.peek()]
  const count = idsLeftUnsaved.value.length
  if (count === 0) return
  say(metadataTexts.yourChangesAreKept, metadataTexts.unsavedItemsHint({ count }), {
    text: adminTexts.edit,
    act: () => go(addressOfEditor(idsLeftUnsaved.peek())),
  })
}

function warn(event: BeforeUnloadEvent): void {
  if (unsavedIds.peek().size > 0 || isAnySaving.peek()) event.preventDefault()
}

let listening = false

/** Adds listeners that stay as long as the page is open, because drafts outlive the screen and belong to one user. */
function addPageListeners(): void {
  if (listening) return
  listening = true
  addEventListener('beforeunload', warn)
  let who = user.peek()?.id
  effect(() => {
    const now = user.value?.id
    // A user who signs in again after their session ended gets their drafts back.
    if (now !== undefined && who !== undefined && now !== who) drafts.value = new Map()
    who = now ?? who
  })
}

/** Called when the screen opens. Returns the function to call when it closes. */
export function startEditor(): () => void {
  addPageListeners()
  // Items that were gone may have been restored; if not, they are found gone again when they are loaded.
  leftOut.value = new Set()
  const stop = onItemsChanged((ids, what) => {
    const id = editedId.peek()
    if (what === 'gone') {
      for (const one of ids ?? []) {
        if (unsavedIds.peek().has(one)) {
          const name = draftOf(one)?.item.name ?? ''
          say(metadataTexts.isNoLongerThere({ name }), metadataTexts.unsavedChangesHint)
        }
        leaveOut(one)
      }
      return
    }
    if (ids !== null) includeAgain(ids)
    else if (leftOut.peek().size > 0) void bringBackRestored()
    if (id !== null && (ids === null || ids.includes(id)) && !isBusy(id)) void load(id, {})
  })
  return () => {
    stop()
    if (address.peek().path !== '/admin/metadata') rememberUnsaved()
  }
}
