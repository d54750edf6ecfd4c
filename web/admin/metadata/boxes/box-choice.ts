/** The selected box of the edited picture and the box that is being named, for the picture and the chips alike. */
import { signal } from '@preact/signals-react'
import type { Suggestion } from '../../../../schema/suggestion-match.ts'
import { say } from '../../../app/messages.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { draft, edit, editBox } from '../item-editor.ts'
import { type FormBox, withBoxNamed } from '../item-form.ts'
import { type Handle, hasNoBox, movedBox, newBox, nowhere, resizedBox, sidesOf } from './box-rules.ts'

/** Key of the selected box; null if none. */
export const chosenBox = signal<string | null>(null)
/** Key of the box whose name is being asked for; null if none. */
export const boxBeingNamed = signal<string | null>(null)

let createdCount = 0

const pictureSides = () => {
  const item = draft.peek()?.item
  return item === undefined ? null : sidesOf(item)
}

function boxOf(key: string): FormBox | undefined {
  return draft.peek()?.form.boxes.find(box => box.key === key)
}

function addBox(box: Omit<FormBox, 'key' | 'id'>): string {
  const key = `new ${++createdCount}`
  const boxes = draft.peek()?.form.boxes ?? []
  edit({ boxes: [...boxes, { ...box, key, id: 0 }] })
  return key
}

/** Adds a box of 50 by 50 around a point and asks for its name. Does nothing outside the picture. */
export function addBoxAt(point: { x: number; y: number }): void {
  const now = pictureSides()
  const box = now === null ? null : newBox(point, now)
  if (box === null) return
  const key = addBox({ kind: 'person', subject: 0, name: '', ...box })
  chosenBox.value = key
  boxBeingNamed.value = key
}

/** Adds a box in the centre, for users without a pointer. */
export function addBoxInCentre(): void {
  const now = pictureSides()
  if (now === null) say(metadataTexts.sizeUnknown, metadataTexts.nothingCanBeDrawn)
  else addBoxAt({ x: now.width / 2, y: now.height / 2 })
}

/** Gives a box to a person or object that is on the picture without a place. */
export function placeBox(key: string): void {
  const now = pictureSides()
  const box = now === null ? null : newBox({ x: now.width / 2, y: now.height / 2 }, now)
  if (box !== null) editBox(key, box)
  chosenBox.value = key
}

export function moveBox(start: FormBox, by: { x: number; y: number }): void {
  const now = pictureSides()
  if (now !== null) editBox(start.key, movedBox(start, by, now))
}

export function resizeBox(start: FormBox, handle: Handle, by: { x: number; y: number }): void {
  const now = pictureSides()
  if (now !== null) editBox(start.key, resizedBox(start, handle, by, now))
}

export function removeBox(key: string): void {
  edit({ boxes: (draft.peek()?.form.boxes ?? []).filter(box => box.key !== key) })
  if (chosenBox.peek() === key) chosenBox.value = null
  if (boxBeingNamed.peek() === key) boxBeingNamed.value = null
}

export type NamedSubject = { kind: FormBox['kind']; subject: number; name: string }

export function subjectOfSuggestion({ kind, id, name }: Suggestion): NamedSubject {
  return { kind: kind === 'People' ? 'person' : 'object', subject: id, name }
}

export function nameBox(key: string, named: NamedSubject): void {
  edit({ boxes: withBoxNamed(draft.peek()?.form.boxes ?? [], key, named) })
  boxBeingNamed.value = null
}

/** Adds a person or object that is on the picture without a place. */
export function addSubject(named: NamedSubject): void {
  const isThere = draft
    .peek()
    ?.form.boxes.some(
      ({ kind, subject, name }) =>
        kind === named.kind && (named.subject === 0 ? name === named.name : subject === named.subject),
    )
  if (isThere !== true) addBox({ ...named, ...nowhere })
}

/** Ends naming without a name: a new box is removed, a found face stays. */
export function endNaming(): void {
  const key = boxBeingNamed.peek()
  boxBeingNamed.value = null
  const box = key === null ? undefined : boxOf(key)
  if (box !== undefined && box.id === 0 && box.name === '' && box.subject === 0 && box.found !== true)
    removeBox(box.key)
}

/** Called when a chip is pressed: selects its box; a chip without a box gets one at the second press. */
export function chooseChip(key: string): void {
  const box = boxOf(key)
  if (box === undefined) return
  if (hasNoBox(box) && chosenBox.peek() === key) placeBox(key)
  else chosenBox.value = key
}
