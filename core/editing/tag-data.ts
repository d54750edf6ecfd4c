/** Checks callers' tag set data, and converts them to changes with ids. */
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { bulkData, type TagSetName, tagData } from '../../schema/api/tags.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { invalidFailure } from '../../schema/issue-words.ts'
import { channels } from '../../schema/realtime.ts'
import { keystrings } from '../../schema/tables/vocabulary.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { cleanKeystring, findOrCreateKeystrings, keystringKey } from '../words/keystrings.ts'
import { existingObjects, existingPeople } from './boxes/boxes.sql.ts'
import { newestKeystring } from './editing.sql.ts'
import { cleanTypedText, type KeystringTag, keystringTags, type TagChange, wholeLocalTime } from './tag-change.ts'

type Issue = z.core.$ZodIssue
/** The issue to show. For a union: the first issue of its alternatives that has a path, otherwise the last one. */
function issueToShow(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const branches = issue.errors.flatMap(([first]) => (first === undefined ? [] : issueToShow(first)))
  const best = branches.find(({ path }) => path.length > 0) ?? branches.at(-1)
  return best === undefined ? issue : { ...best, path: [...issue.path, ...best.path] }
}

/** Parses `value`. Throws `invalid`; the field named in the error is `field` and the path within the value. */
export function requireShape<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidFailure({ issues: parsed.error.issues.map(issueToShow) }, [field])
}

/** Whether a value is empty, and so deletes the tag. */
function isAbsent(data: unknown): boolean {
  return data === undefined || data === null || data === '' || (Array.isArray(data) && data.length === 0)
}

export interface DataContext {
  /** Hidden keystrings that the caller does not see: their ids are treated as unknown. */
  unseen: ReadonlySet<number>
  /** Name of the data in errors. */
  field: string
}

function isKeystringTag(name: TagSetName): name is KeystringTag {
  return keystringTags.some(tag => tag === name)
}

type Entries = z.output<typeof tagData.Keywords>

function requireKeystring(tx: Transaction, id: number, { unseen }: DataContext, field: string): number {
  const isKnown = tx.orm.select().from(keystrings).where(eq(keystrings.id, id)).get() !== undefined
  if (unseen.has(id) || !isKnown)
    throw new Failure('invalid', sentence`There is no keystring with the id ${id}.`, { field })
  return id
}

/** Ids of entries. Keystrings that do not exist are created or, if `create` is false, left out. */
function keystringsOf(tx: Transaction, entries: Entries, context: DataContext, create: boolean): number[] {
  const before = tx.get(newestKeystring)?.id ?? 0
  const ids = entries.flatMap((entry, n) => {
    const { id = 0, content = '' } = typeof entry === 'string' ? { content: entry } : entry
    if (id > 0) return requireKeystring(tx, id, context, `${context.field}.${n}.id`)
    if (create) return findOrCreateKeystrings(tx, [content])
    const key = keystringKey(cleanKeystring(content))
    return tx.orm.select().from(keystrings).where(eq(keystrings.contentKey, key)).get()?.id ?? []
  })
  for (const id of new Set(ids)) {
    if (id > before) tx.event(channels.keystrings, { action: 'create', keystring: { id } })
  }
  return [...new Set(ids)]
}

function parsePlace(data: unknown, field: string): Extract<TagChange, { kind: 'place' }>['place'] {
  const parsed = requireShape(tagData.Locations, data, field)
  const place = Array.isArray(parsed) ? parsed[0] : parsed
  if (place === undefined) return null
  const { latitude, longitude, guessed } = place
  const placeName = guessed === true ? '' : cleanKeystring(place.placeName ?? '')
  if (latitude === 0 && longitude === 0)
    throw new Failure('invalid', 'Devices without a position write 0, 0: give the real position, or none.', {
      field,
    })
  if (latitude === null && placeName === '') return null
  return { latitude, longitude, placeName, ...(guessed === false ? { confirmed: true as const } : {}) }
}

/** The change that writes a whole tag set. People and Object have boxes: see `core/editing/boxes/regions.ts`. */
export function changeOfData(
  tx: Transaction,
  name: Exclude<TagSetName, 'People' | 'Object'>,
  data: unknown,
  context: DataContext,
): TagChange {
  const { field } = context
  const absent = isAbsent(data)
  if (isKeystringTag(name)) {
    const entries = absent ? [] : requireShape(tagData[name], data, field)
    return { kind: 'keystrings', name, mode: 'set', ids: keystringsOf(tx, entries, context, true) }
  }
  switch (name) {
    case 'DateTimeOriginal':
      return {
        kind: 'date',
        local: absent ? null : wholeLocalTime(requireShape(tagData.DateTimeOriginal, data, field)),
      }
    case 'Description': {
      const text = absent ? '' : cleanTypedText(requireShape(tagData.Description, data, field))
      return { kind: 'description', text: text === '' ? null : text }
    }
    case 'Rating':
      return { kind: 'rating', rating: absent ? null : requireShape(tagData.Rating, data, field) }
    case 'Locations':
      return { kind: 'place', place: absent ? null : parsePlace(data, field) }
  }
}

export type BulkMode = 'set' | 'add' | 'remove' | 'replace' | 'shift'

function subjectsOf(tx: Transaction, name: 'People' | 'Object', data: unknown, field: string): number[] {
  if (isAbsent(data)) return []
  const ids =
    name === 'People'
      ? requireShape(bulkData.People, data, field).map(({ person }) => person)
      : requireShape(bulkData.Object, data, field).map(({ object }) => object)
  for (const [n, id] of ids.entries()) requireSubject(tx, name, id, `${field}.${n}`)
  return [...new Set(ids)]
}

/** Throws unless the person or object exists. `field` names the region in errors. */
export function requireSubject(tx: Transaction, name: 'People' | 'Object', id: number, field: string): void {
  const what = name === 'People' ? 'person' : 'object'
  const there = tx.get(name === 'People' ? existingPeople : existingObjects, JSON.stringify([id]))
  if (there !== null && there.n > 0) return
  const missing =
    name === 'People'
      ? sentence`There is no person with the id ${id}.`
      : sentence`There is no object with the id ${id}.`
  throw new Failure('invalid', missing, { field: `${field}.${what}` })
}

export function bulkChangeOf(
  tx: Transaction,
  { tagName, mode, data }: { tagName: TagSetName; mode: BulkMode; data?: unknown },
  context: DataContext,
): TagChange {
  const { field } = context
  if (mode === 'replace') {
    if (!isKeystringTag(tagName)) {
      throw new Failure('invalid', sentence`'replace' is for ${keystringTags.join(', ')}.`, { field })
    }
    const { from, to } = requireShape(bulkData.replace, data, field)
    return {
      kind: 'swap',
      name: tagName,
      from: keystringsOf(tx, from, { ...context, field: `${field}.from` }, false),
      to: keystringsOf(tx, to, { ...context, field: `${field}.to` }, true),
    }
  }
  if (mode === 'shift') {
    if (tagName !== 'DateTimeOriginal') throw new Failure('invalid', "'shift' is for DateTimeOriginal.", { field })
    return { kind: 'shift', seconds: requireShape(bulkData.shift, data, field) }
  }
  if (tagName === 'People' || tagName === 'Object') {
    return { kind: 'subjects', name: tagName, mode, ids: subjectsOf(tx, tagName, data, field) }
  }
  if (mode === 'set') return changeOfData(tx, tagName, data, context)
  if (!isKeystringTag(tagName)) {
    throw new Failure('invalid', sentence`'${mode}' is for lists; ${tagName} takes 'set'.`, { field })
  }
  const entries = isAbsent(data) ? [] : requireShape(tagData[tagName], data, field)
  return { kind: 'keystrings', name: tagName, mode, ids: keystringsOf(tx, entries, context, mode === 'add') }
}
