/** What is being edited of items on the metadata screen: each as the server has it and as it was begun. */
import { computed, effect, signal } from '@preact/signals-react'
import type { ItemDetails } from '../../../schema/api/items.ts'
import { Refused } from '../../../schema/client.ts'
import { plural } from '../../../schema/figures.ts'
import { api } from '../../api.ts'
import { address, go, goBack } from '../../app/address.ts'
import { addressOfEditor, filterQuery, homeAddress } from '../../app/current-filter.ts'
import { report, say } from '../../app/messages.ts'
import { user } from '../../app/session.ts'
import { bringNeighbours, editedId, gone, leaveOut, started, undo } from '../../items/edited-row.ts'
import { watchItems } from '../../items/item-changes.ts'
import { imageNotFound } from '../../items/item-text.ts'
import { changeCount, type FormBox, formOf, type ItemForm, isFaulty, isProposal, turnedForm } from './item-form.ts'
import { mergeForms } from './item-merge.ts'

export interface Draft {
  item: ItemDetails
  /** What the form is compared with: what the server has, or will have when what is on its way has come. */
  base: ItemForm
  form: ItemForm
  saving: boolean
  /** Quarter turns that are on their way. */
  turning: number
}

const drafts = signal<ReadonlyMap<number, Draft>>(new Map())
/** Items that could not be loaded, and what is said in their place. */
const lost = signal<ReadonlyMap<number, string>>(new Map())

export const draft = computed<Draft | null>(() =>
  editedId.value === null ? null : (drafts.value.get(editedId.value) ?? null),
)
/** Why the item is not there to be edited; null while it is, or loads. */
export const lostText = computed(() =>
  editedId.value === null || draft.value !== null ? null : (lost.value.get(editedId.value) ?? null),
)

export function countOf({ base, form }: Draft): number {
  return changeCount(base, form)
}

export const pending = computed(() => (draft.value === null ? 0 : countOf(draft.value)))
export const faulty = computed(() => draft.value !== null && isFaulty(draft.value.base, draft.value.form))

/** It is there, as far as anybody knows: it is worth another attempt. */
export const mayComeYet = computed(() => lostText.value !== null && lostText.value !== imageNotFound)

/** Items with something that is not saved. */
export const unsaved = computed<ReadonlySet<number>>(
  () => new Set([...drafts.value].flatMap(([id, one]) => (countOf(one) > 0 && !gone.value.has(id) ? [id] : []))),
)
/** Items with faces that were found and wait for a name. */
export const withFaces = computed<ReadonlySet<number>>(
  () => new Set([...drafts.value].flatMap(([id, { form }]) => (form.boxes.some(isProposal) ? [id] : []))),
)
const underway = computed(() => [...drafts.value.values()].some(({ saving }) => saving))

export function draftOf(id: number): Draft | null {
  return drafts.peek().get(id) ?? null
}

function setDraft(id: number, next: Draft): void {
  drafts.value = new Map(drafts.peek()).set(id, next)
}

/** Changes a draft that is still there. */
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

/** A person or an object is gone: boxes of it that are not saved yet go too. */
export function forgetSubject(kind: FormBox['kind'], subject: number): void {
  const stays = (box: FormBox) => box.id !== 0 || box.kind !== kind || box.subject !== subject
  for (const id of drafts.peek().keys()) {
    changeDraft(id, ({ form }) => ({ form: { ...form, boxes: form.boxes.filter(stays) } }))
  }
}

export function revert(): void {
  const id = editedId.peek()
  if (id !== null) changeDraft(id, ({ base }) => ({ form: base }))
}

export function rotationOf({ properties }: Pick<ItemDetails, 'properties'>): number {
  return Number(properties.find(({ name }) => name === 'Rotation')?.value ?? 0)
}

/** An item as the server has it now: what was begun here is put together with it. */
export function mergeItem(item: ItemDetails): void {
  const known = draftOf(item.id)
  if (known === null) {
    const form = formOf(item)
    setDraft(item.id, { item, base: form, form, saving: false, turning: 0 })
    return
  }
  const turned = (form: ItemForm) => turnedForm(form, rotationOf(item) - rotationOf(known.item), known.item)
  const theirs = formOf(item)
  const form = mergeForms(turned(known.base), turned(known.form), theirs)
  setDraft(item.id, { ...known, item, base: theirs, form })
}

export function sight(): { includeHidden?: string } {
  const { includeHidden } = filterQuery.peek()
  return includeHidden === undefined ? {} : { includeHidden }
}

/** An answer is awaited that makes any other one old. */
function isBusy(id: number): boolean {
  const known = draftOf(id)
  return known !== null && (known.saving || known.turning > 0)
}

/** Turns what is edited before the server has: picture, boxes, and those that they are compared with. */
export function turnDraft(id: number, degrees: number): void {
  changeDraft(id, ({ item, base, form }) => {
    const rotation = (rotationOf(item) + degrees + 360) % 360
    const turned = (one: ItemForm) => turnedForm(one, degrees, item)
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

/** Of those that went at most this many are requested again: the last ones. */
const goneAsked = 20

async function load(id: number, { quiet = false } = {}): Promise<void> {
  try {
    const item = await api.items.get({ params: { id }, query: sight() })
    if (!isBusy(id)) mergeItem(item)
    if (lost.peek().has(id)) lost.value = new Map([...lost.peek()].filter(([one]) => one !== id))
  } catch (error) {
    // Somebody has recycled it, or it is hidden now: there is nothing to be saved.
    const isAway = error instanceof Refused && error.status === 404
    lost.value = new Map(lost.peek()).set(id, isAway ? imageNotFound : 'The picture could not be loaded')
    if (isAway && draftOf(id) !== null) leaveOut(id)
    // That it is not there is said in its place.
    else if (!isAway && !quiet) report(error, `Failed to load Item: ${id}`)
  }
}

/** Some were restored, perhaps: they are in the row again. */
async function checkIfGone(): Promise<void> {
  for (const id of [...gone.peek()].slice(-goneAsked)) {
    try {
      const { properties } = await api.items.get({ params: { id }, query: sight() })
      if (!properties.some(({ name }) => name === 'Deleted')) undo([id])
    } catch {
      // It is still gone.
    }
  }
}

/** Loads what is edited now, and lets go of what was only looked at. */
export async function loadEdited(how: { quiet?: boolean } = {}): Promise<void> {
  const id = editedId.peek()
  // Also of those that are gone: they may be restored, or were out of sight while nobody was signed in.
  const isBegun = (known: Draft) => known.saving || countOf(known) > 0 || known.form.boxes.some(isProposal)
  drafts.value = new Map([...drafts.peek()].filter(([one, known]) => one === id || isBegun(known)))
  if (id === null) {
    // They were out of sight, perhaps, while nobody was signed in.
    if (user.peek() !== null && gone.peek().size > 0) await checkIfGone()
    return
  }
  await load(id, how)
  bringNeighbours()
}

export function leaveEditor(): void {
  if (history.length > 1) goBack()
  else go(homeAddress.peek())
}

function keepUnsaved(): void {
  started.value = [...unsaved.peek()]
  const count = started.value.length
  if (count === 0) return
  say('Your changes are kept', `Those to ${plural(count, 'item')} are not saved yet`, {
    text: 'Edit',
    act: () => go(addressOfEditor(started.peek())),
  })
}

function warn(event: BeforeUnloadEvent): void {
  if (unsaved.peek().size > 0 || underway.peek()) event.preventDefault()
}

let listening = false

/** For as long as the page lives: drafts outlive the screen, and belong to one person. */
function listen(): void {
  if (listening) return
  listening = true
  addEventListener('beforeunload', warn)
  let who = user.peek()?.id
  effect(() => {
    const now = user.value?.id
    // A user who signs in again after their session ended finds what they had begun.
    if (now !== undefined && who !== undefined && now !== who) drafts.value = new Map()
    who = now ?? who
  })
}

/** The screen is open. Returns what closes it. */
export function startEditor(): () => void {
  listen()
  // What went when it was open last may be there again; if not, it is told when it is loaded.
  gone.value = new Set()
  const stop = watchItems((ids, what) => {
    const id = editedId.peek()
    if (what === 'gone') {
      for (const one of ids ?? []) {
        if (unsaved.peek().has(one)) {
          const name = draftOf(one)?.item.name ?? ''
          say(`${name} is no longer there`, 'What you changed and did not save waits in case it comes back')
        }
        leaveOut(one)
      }
      return
    }
    if (ids !== null) undo(ids)
    else if (gone.peek().size > 0) void checkIfGone()
    if (id !== null && (ids === null || ids.includes(id)) && !isBusy(id)) void load(id)
  })
  return () => {
    stop()
    if (address.peek().path !== '/admin/metadata') keepUnsaved()
  }
}
