/** Actions on groups of unnamed faces: naming, merging, splitting, ignoring, each with Undo. */
import { signal } from '@preact/signals-react'
import type { FaceGroup } from '../../../schema/api/faces.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { loadJobs } from '../../app/jobs/jobs.ts'
import { markStale } from '../../app/loading/stale.ts'
import { say, succeeds } from '../../app/messages.ts'
import { patchItems } from '../../items/item-changes.ts'
import { offerUndo } from '../../items/undo.ts'
import { loadPeople } from '../../people/people-state.ts'
import { namedText, restText } from './face-group-text.ts'
import { chooseNone, chosenGroups, leftOut, loadGroupsAgain, meant, noteGroup, tickAll } from './face-groups.ts'

/** Groups that are being changed: further actions on them are blocked. */
export const busyGroups = signal<ReadonlySet<number>>(new Set())

/** Changes groups, then shows the result. Returns whether it was done. */
async function changing(ids: readonly number[], failure: string, act: () => Promise<void>): Promise<boolean> {
  if (ids.some(id => busyGroups.peek().has(id))) return false
  busyGroups.value = new Set([...busyGroups.peek(), ...ids])
  for (const id of ids) noteGroup(id, '')
  const done = await succeeds(failure, act)
  await loadGroupsAgain()
  busyGroups.value = new Set([...busyGroups.peek()].filter(id => !ids.includes(id)))
  return done
}

/** 0: a new person of that name. */
export interface Who {
  person: number
  name: string
}

/** New people that are being created, by their names: null where that failed. */
const making = new Map<string, Promise<number | null>>()

/** The first faces with a name create the person; faces named meanwhile wait for that person. */
async function nameWith(id: number, { person, name }: Who, faces: number[]) {
  const ask = (who: number | { name: string }) => api.faces.nameGroup({ params: { id }, body: { person: who, faces } })
  if (person !== 0) return ask(person)
  const key = name.normalize('NFC').toLowerCase()
  for (let first = making.get(key); first !== undefined; first = making.get(key)) {
    const made = await first
    if (made !== null) return ask(made)
  }
  const naming = ask({ name })
  making.set(
    key,
    naming.then(
      done => done.person,
      () => null,
    ),
  )
  try {
    const done = await naming
    await loadPeople()
    return done
  } finally {
    making.delete(key)
  }
}

/** Names the group's ticked faces, including those that are not shown. */
export function nameFaces(group: FaceGroup, who: Who): Promise<boolean> {
  const { id } = group
  return changing([id], 'Failed to name faces', async () => {
    const isWhole = group.faces.length >= group.count
    const whole = isWhole ? group : await api.faces.group({ params: { id }, query: hiddenQuery() })
    const faces = meant(whole).slice(0, limits.faces.atOnce)
    if (faces.length === 0) return
    const { name } = who
    const ids = faces.map(face => face.id)
    const done = await nameWith(id, who, ids)
    const naming = { ...done, name, asked: faces.length }
    const [text, rest] = [namedText(naming), restText(naming)]
    if (done.named === 0) say(text, rest)
    else {
      const undone = (count: number) => `${plural(count, 'face')} without a name again`
      offerUndo(text, done.step, { detail: rest, undone })
    }
    // The unticked ones come next.
    tickAll(group, true)
    if (done.left > 0) noteGroup(id, rest === '' ? text : `${text}. ${rest}`)
    markStale('words')
    patchItems([...new Set(faces.map(({ item }) => item.id))])
  })
}

/** Merges the chosen groups into the largest: they show the same person. */
export function mergeChosen(): Promise<boolean> {
  const [first, ...others] = [...chosenGroups.peek().values()].sort((a, b) => b.count - a.count || a.id - b.id)
  if (first === undefined || others.length === 0) return Promise.resolve(false)
  const { id } = first
  const groups = others.map(other => other.id)
  return changing([id, ...groups], 'Failed to merge groups', async () => {
    const { group, step } = await api.faces.mergeGroups({ params: { id }, body: { groups } })
    chooseNone()
    const detail = `They are one group of ${plural(group.count, 'face')} now`
    offerUndo(`${plural(groups.length + 1, 'group')} merged`, step, { detail, undone: () => asTheyWere })
  })
}
const asTheyWere = 'The groups are as they were'

/** Splits the unticked faces off into a group of their own. */
export function splitGroup(group: FaceGroup): Promise<boolean> {
  const { id } = group
  const faces = group.faces.map(face => face.id).filter(face => leftOut.peek().has(face))
  return changing([id], 'Failed to split the group', async () => {
    const { step } = await api.faces.splitGroup({ params: { id }, body: { faces } })
    tickAll(group, true)
    const detail = 'They are a separate group now'
    offerUndo(`${plural(faces.length, 'face')} split off`, step, { detail, undone: () => asTheyWere })
  })
}

export function ignoreGroup({ id, count }: FaceGroup, ignored: boolean): Promise<boolean> {
  return changing([id], ignored ? 'Failed to ignore the group' : 'Failed to restore the group', async () => {
    const { step } = await api.faces.ignoreGroup({ params: { id }, body: { ignored } })
    const many = plural(count, 'face')
    const undone = () => (ignored ? `${many} back again` : `${many} ignored again`)
    offerUndo(ignored ? `${many} ignored` : `${many} back again`, step, { undone })
  })
}

/** Finds faces on new pictures, or on all. */
export async function lookForFaces(all: boolean): Promise<void> {
  await succeeds('Failed to look for faces', async () => {
    await api.faces.index({ body: all ? { all } : {} })
    await loadJobs()
  })
}

export async function groupFaces(): Promise<void> {
  await succeeds('Failed to group faces', async () => {
    await api.faces.regroup()
    await loadJobs()
  })
}

/** Forgets all faces, or those of one person. True when it was done. */
export async function forgetLooks(who: Who | null): Promise<boolean> {
  const done = await succeeds('Failed to forget faces', async () => {
    const query = who === null ? { all: true } : { person: who.person }
    const { known, found } = await api.faces.forget({ query })
    say(
      who === null ? 'What faces look like is forgotten' : `What ${who.name} looks like is forgotten`,
      `${plural(known, 'face')} that people were known by, ${figure(found)} found on pictures`,
    )
    markStale('words')
  })
  await loadGroupsAgain()
  return done
}
