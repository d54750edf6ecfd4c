/** Computes what a change of a tag set changes in an item. The rules are the same for one item and for many. */
import { z } from 'zod'
import { shiftedTaken } from '../../schema/shifted-date.ts'
import type { StoredPlace } from '../items/item-row.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { chooseDate } from '../metadata/choose-date.ts'
import { localFromSeconds, sortableSeconds } from '../metadata/dates.ts'
import { replaceInList, withUnseen } from '../words/keystring-lists.ts'
import { hiddenKeystrings, timeOfMainFile } from './editing.sql.ts'
import type { ItemToEdit } from './item-edit.ts'
import type { ItemParts, StoredBox, TagValue } from './item-parts.ts'

export const keystringTags = ['Category', 'Keywords', 'Author'] as const
export type KeystringTag = (typeof keystringTags)[number]

const ids = z.array(z.int().positive())
const listMode = z.enum(['set', 'add', 'remove'])

/** A checked change with ids, as in the input of jobs. Null deletes the tag. */
export const tagChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('date'), local: z.string().nullable() }),
  z.object({ kind: z.literal('shift'), seconds: z.int() }),
  z.object({ kind: z.literal('description'), text: z.string().nullable() }),
  z.object({ kind: z.literal('rating'), rating: z.int().nullable() }),
  z.object({
    kind: z.literal('place'),
    place: z
      .object({
        latitude: z.number().nullable(),
        longitude: z.number().nullable(),
        placeName: z.string(),
        /** The user confirmed this name, even if it equals the one that the library looked up. */
        confirmed: z.literal(true).optional(),
      })
      .nullable(),
  }),
  z.object({ kind: z.literal('keystrings'), name: z.enum(keystringTags), mode: listMode, ids }),
  z.object({ kind: z.literal('swap'), name: z.enum(keystringTags), from: ids, to: ids }),
  /** People or objects on the picture, without a place. */
  z.object({ kind: z.literal('subjects'), name: z.enum(['People', 'Object']), mode: listMode, ids }),
])
export type TagChange = z.output<typeof tagChange>

export interface ChangeContext {
  /** Keystrings hidden from the caller; the caller's edits keep them. */
  unseen: ReadonlySet<number>
  now: number
}

export function unseenKeystrings(tx: Pick<Transaction, 'all'>, showsHidden: boolean): ReadonlySet<number> {
  if (showsHidden) return new Set()
  return new Set(tx.all(hiddenKeystrings).map(({ id }) => id))
}

/** A tag that a user set. Null: the user deleted it, so that the file's value is not used either. */
function tagValue<Data>(data: Data | null): TagValue<Data> {
  return data === null ? { u: 1 } : { d: data, u: 1 }
}

function sameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, n) => id === b[n])
}

function partsOfList(item: ItemToEdit, name: KeystringTag, list: readonly number[]): ItemParts {
  if (sameList(list, item.parts.tags[name]?.d ?? [])) return {}
  return { tags: { [name]: tagValue(list.length === 0 ? null : [...list]) } }
}

/** The fallback date of an item, from its name or its file's modification time. */
function guessedDate(tx: Transaction, item: ItemToEdit, now: number): NonNullable<ItemParts['date']> {
  const file = tx.get(timeOfMainFile, item.id)
  const { taken, offset } = item.parts.date
  const found = chooseDate({
    dates: [],
    name: item.row.name,
    mtimeMs: file === null ? Number.NaN : file.mtime * 1000,
    now,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  if (found === null) return { taken, offset, source: 'file' }
  return { taken: sortableSeconds(found.local), offset: found.offset, source: found.source }
}

function partsOfDate(tx: Transaction, item: ItemToEdit, local: string | null, now: number): ItemParts {
  const before = item.parts.tags.DateTimeOriginal
  if ((before?.d ?? null) === local) return {}
  if (local === null) return { tags: { DateTimeOriginal: tagValue<string>(null) }, date: guessedDate(tx, item, now) }
  const taken = sortableSeconds(local)
  return {
    tags: { DateTimeOriginal: tagValue(local) },
    date: { taken, offset: item.parts.date.offset, source: 'user' },
  }
}

function partsOfShift({ parts }: ItemToEdit, seconds: number): ItemParts {
  const taken = shiftedTaken(parts.date, seconds)
  const local = typeof taken === 'number' ? localFromSeconds(taken) : null
  if (typeof taken !== 'number' || local === null || seconds === 0) return {}
  return { tags: { DateTimeOriginal: tagValue(local) }, date: { taken, offset: parts.date.offset, source: 'user' } }
}

function partsOfPlace(item: ItemToEdit, request: Extract<TagChange, { kind: 'place' }>['place']): ItemParts {
  const before = item.parts.tags.Locations?.d
  const place = request === null ? null : withoutEcho(item, request)
  const isSame = (['latitude', 'longitude', 'placeName'] as const).every(key => before?.[key] === place?.[key])
  return isSame ? {} : { tags: { Locations: tagValue(place) } }
}

function partsOfSubjects(item: ItemToEdit, change: Extract<TagChange, { kind: 'subjects' }>): ItemParts {
  const part = change.name === 'People' ? 'people' : 'objects'
  const before = item.parts[part]
  const wantedIds = new Set(change.ids)
  const there = new Set(before.map(({ subject }) => subject))
  const isRequested = ({ subject }: StoredBox) => subject !== null && wantedIds.has(subject)
  const kept =
    change.mode === 'add' ? before : before.filter(change.mode === 'set' ? isRequested : box => !isRequested(box))
  const added = change.mode === 'remove' ? [] : [...wantedIds].filter(id => !there.has(id)).map(boxWithoutPlace)
  return kept.length === before.length && added.length === 0 ? {} : { [part]: [...kept, ...added] }
}

function boxWithoutPlace(subject: number): StoredBox {
  return { id: null, subject, x: 0, y: 0, width: 0, height: 0, source: 'user' }
}

function partsOfKeystrings(
  item: ItemToEdit,
  change: Extract<TagChange, { kind: 'keystrings' }>,
  unseen: ReadonlySet<number>,
): ItemParts {
  const before = item.parts.tags[change.name]?.d ?? []
  if (change.mode === 'add') return partsOfList(item, change.name, [...new Set([...before, ...change.ids])])
  if (change.mode === 'set') return partsOfList(item, change.name, withUnseen(before, change.ids, unseen))
  const gone = new Set(change.ids.filter(id => !unseen.has(id)))
  return partsOfList(
    item,
    change.name,
    before.filter(id => !gone.has(id)),
  )
}

/**
 * The place to store. A name that the library looked up does not become the user's name if the client only sends it back:
 * clients send the whole set when they move a position.
 */
function withoutEcho(
  item: ItemToEdit,
  { confirmed, ...place }: NonNullable<Extract<TagChange, { kind: 'place' }>['place']>,
): StoredPlace {
  const found = item.stored.Locations?.d
  const isEcho = confirmed !== true && found?.auto === 1 && found.placeName === place.placeName
  return isEcho ? { ...place, placeName: '' } : place
}

/** Parts of the item that the change affects; empty if it changes nothing. */
export function partsOfChange(
  tx: Transaction,
  item: ItemToEdit,
  change: TagChange,
  changeContext: ChangeContext,
): ItemParts {
  switch (change.kind) {
    case 'date':
      return partsOfDate(tx, item, change.local, changeContext.now)
    case 'shift':
      return partsOfShift(item, change.seconds)
    case 'description': {
      const before = item.parts.tags.Description?.d
      const isSame = (before === undefined ? null : cleanTypedText(before)) === change.text
      return isSame ? {} : { tags: { Description: tagValue(change.text) } }
    }
    case 'rating':
      return item.parts.rating === change.rating
        ? {}
        : { tags: { Rating: tagValue(change.rating) }, rating: change.rating }
    case 'place':
      return partsOfPlace(item, change.place)
    case 'keystrings':
      return partsOfKeystrings(item, change, changeContext.unseen)
    case 'swap': {
      const before = item.parts.tags[change.name]?.d ?? []
      const from = change.from.filter(id => !changeContext.unseen.has(id))
      const list = replaceInList(before, from, change.to)
      return list === null ? {} : partsOfList(item, change.name, list)
    }
    case 'subjects':
      return partsOfSubjects(item, change)
  }
}

/** Parts of the item that several changes affect; each change builds on the previous one. */
export function partsOfChanges(
  tx: Transaction,
  item: ItemToEdit,
  changes: readonly TagChange[],
  changeContext: ChangeContext,
): ItemParts {
  let parts: ItemParts = {}
  let now = item
  for (const change of changes) {
    const { tags, ...more } = partsOfChange(tx, now, change, changeContext)
    parts = { ...parts, ...more, ...(tags === undefined ? {} : { tags: { ...parts.tags, ...tags } }) }
    now = { ...now, parts: { ...now.parts, ...more, tags: { ...now.parts.tags, ...tags } } }
  }
  return parts
}

/** A typed description, trimmed, with uniform line ends. */
export function cleanTypedText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // Characters that XML cannot hold (XML 1.0, 2.2) would be lost silently in sidecars.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .trim()
  )
}

/** 'YYYY-MM-DD HH:MM:SS' of a typed date, whose time may lack the seconds or be left out. */
export function wholeLocalTime(text: string): string | null {
  const [day = '', time = '00:00:00'] = text.trim().split(/[ T]/)
  return localFromSeconds(sortableSeconds(`${day} ${time.length === 5 ? `${time}:00` : time}`))
}
