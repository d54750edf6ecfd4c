/** Names, merges, splits and ignores groups of unnamed faces, with Undo; finds, groups and forgets faces. */
import { signal } from '@preact/signals-react'
import type { FaceGroup } from '../../../schema/api/faces.ts'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { loadJobs } from '../../app/jobs/jobs.ts'
import { markStale } from '../../app/loading/stale.ts'
import { attempt, say } from '../../app/messages.ts'
import { people } from '../../app/vocabulary.ts'
import { reloadChangedItems } from '../../items/item-changes.ts'
import { offerUndo } from '../../items/undo.ts'
import { baseTexts } from '../../texts/base.ts'
import { peopleTexts } from '../../texts/people.ts'
import { namedText, restText } from './face-group-text.ts'
import {
  chosenGroups,
  clearChosenGroups,
  loadGroupsAgain,
  noteGroup,
  tickAll,
  tickedFaces,
  untickedFaces,
} from './face-groups.ts'

/** Ids of groups that are being changed; further actions on them are ignored. */
export const busyGroups = signal<ReadonlySet<number>>(new Set())

/** Changes groups, then shows the result. Returns whether it succeeded. */
async function changeGroups(ids: readonly number[], failure: string, act: () => Promise<void>): Promise<boolean> {
  if (ids.some(id => busyGroups.peek().has(id))) return false
  busyGroups.value = new Set([...busyGroups.peek(), ...ids])
  for (const id of ids) noteGroup(id, '')
  const done = await attempt(failure, act)
  await loadGroupsAgain()
  busyGroups.value = new Set([...busyGroups.peek()].filter(id => !ids.includes(id)))
  return done
}

/** A person; the id 0 creates a new one with this name. */
export interface PersonChoice {
  person: number
  name: string
}

/** The ids of people that are being created, by their names; null on failure. */
const creatingPeople = new Map<string, Promise<number | null>>()

/** Names faces. The first call with a new name creates the person; later calls with that name wait for its id. */
async function requestNaming(id: number, { person, name }: PersonChoice, faces: number[]) {
  const request = (who: number | { name: string }) =>
    api.faces.nameGroup({ params: { id }, body: { person: who, faces } })
  if (person !== 0) return request(person)
  const key = name.normalize('NFC').toLowerCase()
  for (let first = creatingPeople.get(key); first !== undefined; first = creatingPeople.get(key)) {
    const made = await first
    if (made !== null) return request(made)
  }
  const naming = request({ name })
  creatingPeople.set(
    key,
    naming.then(
      done => done.person,
      () => null,
    ),
  )
  try {
    const done = await naming
    markStale('words')
    await people.ready()
    return done
  } finally {
    creatingPeople.delete(key)
  }
}

/** Names the group's ticked faces, including those that are not shown. */
export function nameFaces(group: FaceGroup, who: PersonChoice): Promise<boolean> {
  const { id } = group
  return changeGroups([id], peopleTexts.failedToNameFaces, async () => {
    const isWhole = group.faces.length >= group.count
    const whole = isWhole ? group : await api.faces.group({ params: { id }, query: hiddenQuery() })
    const faces = tickedFaces(whole).slice(0, limits.faces.atOnce)
    if (faces.length === 0) return
    const { name } = who
    const ids = faces.map(face => face.id)
    const done = await requestNaming(id, who, ids)
    const naming = { ...done, name, requested: faces.length }
    const [text, rest] = [namedText(naming), restText(naming)]
    if (done.named === 0) say(text, rest)
    else {
      const undone = (count: number) => peopleTexts.facesWithoutANameAgain({ count })
      offerUndo(text, done.step, { detail: rest, undone })
    }
    // The unticked faces are left in the group; tick them, so that they can be named next.
    tickAll(group, true)
    if (done.left > 0) noteGroup(id, rest === '' ? text : `${text}. ${rest}`)
    markStale('words')
    reloadChangedItems([...new Set(faces.map(({ item }) => item.id))])
  })
}

/** Merges the chosen groups into the largest, because they show the same person. */
export function mergeChosen(): Promise<boolean> {
  const [first, ...others] = [...chosenGroups.peek().values()].sort((a, b) => b.count - a.count || a.id - b.id)
  if (first === undefined || others.length === 0) return Promise.resolve(false)
  const { id } = first
  const groups = others.map(other => other.id)
  return changeGroups([id, ...groups], peopleTexts.failedToMergeGroups, async () => {
    const { group, step } = await api.faces.mergeGroups({ params: { id }, body: { groups } })
    clearChosenGroups()
    const detail = peopleTexts.mergedIntoOneGroup({ count: group.count })
    offerUndo(peopleTexts.groupMergedCount({ count: groups.length + 1 }), step, { detail, undone: () => asTheyWere })
  })
}
const asTheyWere = peopleTexts.groupsAreAsTheyWere

/** Splits the unticked faces off into a separate group. */
export function splitGroup(group: FaceGroup): Promise<boolean> {
  const { id } = group
  const faces = group.faces.map(face => face.id).filter(face => untickedFaces.peek().has(face))
  return changeGroups([id], peopleTexts.failedToSplitTheGroup, async () => {
    const { step } = await api.faces.splitGroup({ params: { id }, body: { faces } })
    tickAll(group, true)
    const detail = peopleTexts.facesAreSeparated
    offerUndo(peopleTexts.facesSplitOff({ count: faces.length }), step, { detail, undone: () => asTheyWere })
  })
}

export function ignoreGroup({ id, count }: FaceGroup, ignored: boolean): Promise<boolean> {
  return changeGroups(
    [id],
    ignored ? peopleTexts.failedToIgnoreTheGroup : peopleTexts.failedToRestoreTheGroup,
    async () => {
      const { step } = await api.faces.ignoreGroup({ params: { id }, body: { ignored } })
      const countedFaces = baseTexts.faceCount({ count })
      const undone = () =>
        ignored ? peopleTexts.backAgain({ countedFaces }) : peopleTexts.ignoredAgain({ countedFaces })
      offerUndo(ignored ? peopleTexts.ignored({ countedFaces }) : peopleTexts.backAgain({ countedFaces }), step, {
        undone,
      })
    },
  )
}

/** Finds faces on new pictures, or on all pictures. */
export async function detectFaces(all: boolean): Promise<void> {
  await attempt(peopleTexts.failedToLookForFaces, async () => {
    await api.faces.index({ body: all ? { all } : {} })
    await loadJobs()
  })
}

export async function groupFaces(): Promise<void> {
  await attempt(peopleTexts.failedToGroupFaces, async () => {
    await api.faces.regroup()
    await loadJobs()
  })
}

/** Forgets the faces of one person; of everybody if `who` is null. Returns true on success. */
export async function forgetFacesOf(who: PersonChoice | null): Promise<boolean> {
  const done = await attempt(peopleTexts.failedToForgetFaces, async () => {
    const query = who === null ? { all: true } : { person: who.person }
    const { known, found } = await api.faces.forget({ query })
    say(
      who === null ? peopleTexts.facesForgotten : peopleTexts.facesOfPersonForgotten({ name: who.name }),
      peopleTexts.facesForgottenCount({ count: known, found }),
    )
    markStale('words')
  })
  await loadGroupsAgain()
  return done
}
