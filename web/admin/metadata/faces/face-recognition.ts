/**
 * Finds faces on the pictures in the metadata editor, one picture after the other; each face becomes a box that waits
 * for a name.
 */
import { signal } from '@preact/signals-react'
import type { ItemDetails } from '../../../../schema/api/items.ts'
import { surePeople } from '../../../../schema/faces.ts'
import { limits } from '../../../../schema/limits.ts'
import { api, pictureOf } from '../../../api.ts'
import { attemptValue, isOutage, report } from '../../../app/messages.ts'
import { mayUpdate } from '../../../app/rights.ts'
import { people } from '../../../app/vocabulary.ts'
import type { FaceFault } from '../../../faces/face-messages.ts'
import { pixelsOf } from '../../../faces/pixels.ts'
import { FaceError, type Recogniser, startRecogniser } from '../../../faces/recogniser.ts'
import { rotationOf } from '../../../items/item-text.ts'
import { createRuns } from '../../../kit/time/runs.ts'
import { loadSuggestions, personNameAt } from '../../../people/known-faces.ts'
import { baseTexts } from '../../../texts/base.ts'
import { hasNoBox, sidesOf } from '../boxes/box-rules.ts'
import { changeDraft, draftOf, mergeItem, visibilityQuery } from '../item-editor.ts'
import { type FormBox, withBoxNamed } from '../item-form.ts'
import { placedPeople } from './face-guesses.ts'
import { faceAfterRotation, type ModelFace, missedByServer, placeFaces } from './face-places.ts'
import { faceSettings, minConfidence } from './face-settings.ts'
import { noteRequested } from './face-suggestions.ts'
import { assignFace, guessesFor, saveReferenceFace, suggestionsFor, unnamedFaces } from './seen-faces.ts'

export interface FaceRun {
  state: 'loading' | 'looking' | 'done' | 'stopped' | 'failed'
  ids: readonly number[]
  done: number
  /** Number of pictures with faces. */
  pictures: number
  faces: number
  /** Number of faces that were named automatically. */
  named: number
  suggested: number
  /** Number of faces in named boxes that became references. */
  learnt: number
  /** Number of pictures that were skipped or failed. */
  unseen: number
  fault: FaceFault | null
}

/** Null if there was no run, or its result was closed. */
export const faceRun = signal<FaceRun | null>(null)

let recogniser: Recogniser | null = null
const runs = createRuns()
let made = 0

function updateRun(change: (now: FaceRun) => Partial<FaceRun>): void {
  const now = faceRun.peek()
  if (now !== null) faceRun.value = { ...now, ...change(now) }
}

function closeRecogniser(): void {
  recogniser?.close()
  recogniser = null
}

async function loadedRecogniser(): Promise<Recogniser> {
  if (recogniser !== null) return recogniser
  const next = startRecogniser()
  recogniser = next
  await next.load()
  return next
}

/** Whether to look for faces: not on videos and undecodable pictures, nor on items that the user may not change. */
export function canFindFaces(item: ItemDetails): boolean {
  return item.type === 'image' && item.problem === null && mayUpdate(item) && sidesOf(item) !== null
}

/**
 * Adds found faces to the form: existing boxes keep their places, new ones wait for a name. Returns the boxes of all
 * these faces.
 */
function addFacesToForm(item: ItemDetails, faces: readonly ModelFace[], rotation: number): FormBox[] {
  if (draftOf(item.id) === null) {
    if (faces.length === 0) return []
    mergeItem(item)
  }
  const keys = new Set<string>()
  changeDraft(item.id, ({ item: now, form }) => {
    const sides = sidesOf(item)
    if (sides === null) return {}
    const here = faces.map(face => faceAfterRotation(face, sides, rotationOf(now) - rotation))
    const { matched, newFaces, lostBoxes } = placeFaces(here, form.boxes)
    for (const { face, box } of matched) {
      assignFace(box.key, item.id, face)
      keys.add(box.key)
    }
    const across = newFaces.sort((a, b) => a.box.x - b.box.x)
    const boxes = across.map((face): FormBox => {
      const key = `face ${++made}`
      assignFace(key, item.id, face)
      keys.add(key)
      return { key, id: 0, kind: 'person', subject: 0, name: '', found: true, ...face.box }
    })
    return { form: { ...form, boxes: [...form.boxes.filter(box => !lostBoxes.includes(box)), ...boxes] } }
  })
  return (draftOf(item.id)?.form.boxes ?? []).filter(({ key }) => keys.has(key))
}

/** Names sure matches in the form, without saving. Returns how many. */
function nameSureMatches(item: ItemDetails): number {
  const boxes = draftOf(item.id)?.form.boxes ?? []
  const unnamed = unnamedFaces(boxes)
  const sure = surePeople(
    unnamed.map(({ key }) => suggestionsFor(key)),
    placedPeople(boxes),
  )
  for (const [at, { person }] of sure) {
    const key = unnamed[at]?.key ?? ''
    const named = { kind: 'person' as const, subject: person, name: personNameAt(person, item.taken) }
    changeDraft(item.id, ({ form }) => ({ form: { ...form, boxes: withBoxNamed(form.boxes, key, named) } }))
  }
  return sure.size
}

/** Saved boxes with a name become reference faces. */
async function saveReferences(id: number, boxes: readonly FormBox[]): Promise<void> {
  const saved = draftOf(id)?.base.boxes ?? []
  for (const box of boxes) {
    const { key, id: region, subject, kind } = box
    const before = saved.find(one => one.id === region && one.kind === kind)
    if (region === 0 || subject === 0 || before?.subject !== subject || hasNoBox(before)) continue
    if (await saveReferenceFace(key, region, subject, box)) updateRun(({ learnt }) => ({ learnt: learnt + 1 }))
  }
}

/**
 * The server's faces on the picture as it is now, of any model. `all`: the server has looked for all faces with a
 * confidence of `least` or more.
 */
async function loadServerFaces(id: number, least: number): Promise<{ all: boolean; faces: ModelFace[] }> {
  noteRequested(id)
  const { looked: inspected, faces } = await api.faces.ofItem({ params: { id } })
  return {
    all: inspected !== null && inspected.confidence <= least,
    faces: faces
      .filter(({ score }) => score > least)
      .map(({ id: found, x, y, width, height, score, embedding_data, model, person, suggestions }) => ({
        box: { x, y, width, height },
        confidence: score,
        vector: embedding_data,
        model,
        people: person === null ? suggestions : null,
        found,
      })),
  }
}

/** Faces on a picture: the server's and, unless it has looked for faint ones too, others that this browser finds. */
async function findFacesOn(item: ItemDetails, run: AbortSignal): Promise<readonly ModelFace[]> {
  const least = minConfidence(faceSettings.peek())
  const { all, faces } = await loadServerFaces(item.id, least)
  if (all) return faces
  if (recogniser === null && !run.aborted) updateRun(() => ({ state: 'loading' }))
  const by = await loadedRecogniser()
  if (!run.aborted) updateRun(() => ({ state: 'looking' }))
  const pixels = await pixelsOf(pictureOf(item, 'large')).catch(error => {
    throw new FaceError('picture', String(error))
  })
  const seen = await by.findFaces(pixels, least)
  const own = missedByServer(faces, seen)
  // If the server is out of reach, there are boxes without suggestions.
  const people = (await attemptValue(baseTexts.failedToLoadPersonData, () => loadSuggestions(item.id, own))) ?? []
  return [
    ...faces,
    ...own.map((face, n) => ({ ...face, model: limits.faceModel, people: people[n] ?? [], found: null })),
  ]
}

async function recognise(id: number, run: AbortSignal): Promise<void> {
  const item = draftOf(id)?.item ?? (await api.items.get({ params: { id }, query: visibilityQuery() }))
  if (!canFindFaces(item)) {
    updateRun(({ unseen }) => ({ unseen: unseen + 1 }))
    return
  }
  const rotation = rotationOf(item)
  const faces = await findFacesOn(item, run)
  if (run.aborted) return
  const boxes = addFacesToForm(item, faces, rotation)
  const named = faceSettings.peek().nameSure ? nameSureMatches(item) : 0
  const suggested = guessesFor(draftOf(id)?.form.boxes ?? []).size
  updateRun(now => ({
    pictures: now.pictures + (boxes.length > 0 ? 1 : 0),
    faces: now.faces + boxes.length,
    named: now.named + named,
    suggested: now.suggested + suggested,
  }))
  await saveReferences(id, boxes)
}

/** Reports a failure. Returns the state in which the run ends; null if it goes on with the next picture. */
function stateAfterError(error: unknown, id: number, alone: boolean): FaceRun['state'] | null {
  if (error instanceof FaceError) {
    if (error.fault === 'stopped') return 'stopped'
    const { fault } = error
    console.warn(`faces: ${error.message}`)
    if (fault === 'picture' && !alone) {
      updateRun(({ unseen }) => ({ unseen: unseen + 1 }))
      return null
    }
    updateRun(() => ({ fault }))
    closeRecogniser()
    return 'failed'
  }
  report(error, baseTexts.failedToLoadItem({ id: String(id) }))
  updateRun(({ unseen }) => ({ unseen: unseen + 1 }))
  return isOutage(error) ? 'stopped' : null
}

/** Finds faces on these pictures, after stopping a run in progress. */
export async function findFaces(ids: readonly number[]): Promise<void> {
  stopFaceRun()
  const run = runs.start()
  const none = { done: 0, pictures: 0, faces: 0, named: 0, suggested: 0, learnt: 0, unseen: 0, fault: null }
  faceRun.value = { state: 'looking', ids, ...none }
  const known = people.ready()
  let end: FaceRun['state'] | null = null
  for (const id of ids) {
    try {
      await known
      if (run.aborted) return
      await recognise(id, run)
    } catch (error) {
      if (!run.aborted) end = stateAfterError(error, id, ids.length === 1)
    }
    if (run.aborted) return
    if (end !== null) break
    updateRun(({ done }) => ({ done: done + 1 }))
  }
  updateRun(() => ({ state: end ?? 'done' }))
}

/** Stops at once, even in the middle of a picture. Results are kept. */
export function stopFaceRun(): void {
  const now = faceRun.peek()
  if (now === null || (now.state !== 'loading' && now.state !== 'looking')) return
  runs.cancel()
  closeRecogniser()
  updateRun(() => ({ state: 'stopped' }))
}

export function closeFaceRun(): void {
  stopFaceRun()
  faceRun.value = null
}

/** Called when the user leaves the screen, to free the models' memory. */
export function releaseFaces(): void {
  closeFaceRun()
  closeRecogniser()
}
