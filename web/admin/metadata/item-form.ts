/** The form of an item, and which parts of it have to be saved. Pure. */

import type { Item } from '../../../schema/api/items.ts'
import { dateText } from '../../../schema/api/tags.ts'
import { inOwnDigits } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import type { PictureBox } from '../../items/pictures/region-rules.ts'
import type { Size } from '../../items/pictures/zoom.ts'
import { commas, isTooLong, sameWord } from '../../kit/words.ts'
import { serverMessage } from '../../texts/language/server-message.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { hasNoBox, isSamePlace, rotatedBox, sidesOf } from './boxes/box-rules.ts'

export interface FormPlace {
  /** Latitude and longitude are null if nothing was typed, and NaN if the text is not a number. */
  latitude: number | null
  longitude: number | null
  placeName: string
  /** Whether the server found the name by the position. */
  guessed: boolean
}

/** A person or object on the picture; its box is all zeros if it has no place. */
export interface FormBox extends PictureBox {
  /** Identifies the box while it is edited. */
  key: string
  /** 0 if not saved yet. */
  id: number
  kind: 'person' | 'object'
  /** Id of the person or object. 0 with a name: a new one; 0 without a name: an unnamed face. */
  subject: number
  name: string
  /** Set if face recognition found the box. */
  found?: true
}

/** A found but unnamed face, which is not sent to the server. */
export function isProposal({ id, subject, name, found }: Pick<FormBox, 'id' | 'subject' | 'name' | 'found'>): boolean {
  return found === true && id === 0 && subject === 0 && name === ''
}

export interface ItemForm {
  /** 'YYYY-MM-DD HH:MM:SS'; '' for none. */
  date: string
  description: string
  category: readonly string[]
  keywords: readonly string[]
  author: readonly string[]
  place: FormPlace
  boxes: readonly FormBox[]
}

export const setParts = ['date', 'description', 'category', 'keywords', 'author', 'place'] as const
export type SetPart = (typeof setParts)[number]

/** The tag set of each part, and the specified text for its failure. */
export const tagSetOf = {
  date: { tagName: 'DateTimeOriginal', failure: metadataTexts.failedToSaveDate },
  description: { tagName: 'Description', failure: metadataTexts.failedToSaveDescription },
  category: { tagName: 'Category', failure: metadataTexts.failedToSaveCategory },
  keywords: { tagName: 'Keywords', failure: metadataTexts.failedToSaveKeywords },
  author: { tagName: 'Author', failure: metadataTexts.failedToSaveAuthor },
  place: { tagName: 'Locations', failure: metadataTexts.failedToSaveLocation },
} as const satisfies Record<SetPart, { tagName: string; failure: string }>

export const noPlace: FormPlace = { latitude: null, longitude: null, placeName: '', guessed: false }

export function itemFormOf({ tags }: Pick<Item, 'tags'>): ItemForm {
  const contents = (tag: { data: { content: string }[] } | undefined) => (tag?.data ?? []).map(({ content }) => content)
  const place = tags.Locations?.data
  const people = (tags.People?.data ?? []).map(({ id, person, name, x, y, width, height }): FormBox => {
    const named = person === 0 ? '' : name
    return { key: `person ${id}`, id, kind: 'person', subject: person, name: named, x, y, width, height }
  })
  const objects = (tags.Object?.data ?? []).map(({ id, object, name, x, y, width, height }): FormBox => {
    return { key: `object ${id}`, id, kind: 'object', subject: object, name, x, y, width, height }
  })
  return {
    date: tags.DateTimeOriginal?.data ?? '',
    description: tags.Description?.data ?? '',
    category: contents(tags.Category),
    keywords: contents(tags.Keywords),
    author: contents(tags.Author),
    place:
      place === undefined
        ? noPlace
        : {
            latitude: place.latitude,
            longitude: place.longitude,
            placeName: place.placeName,
            guessed: place.guessed === true,
          },
    boxes: [...people, ...objects],
  }
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((word, n) => word === b[n])

const sameFormPlace = (a: FormPlace, b: FormPlace) =>
  Object.is(a.latitude, b.latitude) &&
  Object.is(a.longitude, b.longitude) &&
  a.placeName.trim() === b.placeName.trim() &&
  a.guessed === b.guessed

/** The same person or object in the same place. */
export function isSameBox(a: FormBox, b: FormBox): boolean {
  const sameSubject = a.kind === b.kind && a.subject === b.subject && (a.subject !== 0 || a.name === b.name)
  return sameSubject && isSamePlace(a, b)
}

const comparisons: { [P in SetPart]: (a: ItemForm[P], b: ItemForm[P]) => boolean } = {
  date: (a, b) => a === b,
  description: (a, b) => a.trim() === b.trim(),
  category: sameList,
  keywords: sameList,
  author: sameList,
  place: sameFormPlace,
}

export function isSamePart<P extends SetPart>(part: P, a: ItemForm, b: ItemForm): boolean {
  return comparisons[part](a[part], b[part])
}

/** A tag set to save; an empty value deletes it. */
export interface TagWrite {
  part: SetPart
  data: unknown
}

function dataOf(part: SetPart, form: ItemForm): unknown {
  if (part === 'description') return form.description.trim()
  if (part !== 'place') return form[part]
  const { latitude, longitude, placeName, guessed } = form.place
  const name = placeName.trim()
  return latitude === null && name === '' ? [] : { latitude, longitude, placeName: name, guessed }
}

/** Returns the tag sets to save, without unchanged ones. */
export function tagChanges(before: ItemForm, after: ItemForm): TagWrite[] {
  return setParts.filter(part => !isSamePart(part, before, after)).map(part => ({ part, data: dataOf(part, after) }))
}

/** A box to save. */
export interface BoxWrite {
  act: 'remove' | 'update' | 'create'
  box: FormBox
}

/** The boxes to save: those missing in `to` are removed first, those with the id 0 are created last. */
export function boxChanges(from: readonly FormBox[], to: readonly FormBox[]): BoxWrite[] {
  const before = from.filter(box => !isProposal(box))
  const after = to.filter(box => !isProposal(box))
  // If a person's box became an object's, the person's box is removed and the object's is created.
  const there = (list: readonly FormBox[], box: FormBox) =>
    box.id === 0 ? undefined : list.find(other => other.id === box.id && other.kind === box.kind)
  const removed = before.filter(box => there(after, box) === undefined)
  const updated = after.filter(box => {
    const previous = there(before, box)
    return previous !== undefined && !isSameBox(previous, box)
  })
  return [
    ...removed.map(box => ({ act: 'remove' as const, box })),
    ...updated.map(box => ({ act: 'update' as const, box })),
    ...after.filter(({ id }) => id === 0).map(box => ({ act: 'create' as const, box })),
  ]
}

export function itemChangeCount(before: ItemForm, after: ItemForm): number {
  return tagChanges(before, after).length + boxChanges(before.boxes, after.boxes).length
}

/** The form of a picture after a clockwise rotation; `picture` is the size before. */
export function rotatedForm(form: ItemForm, degrees: number, picture: Size): ItemForm {
  const sides = sidesOf(picture)
  if (sides === null || degrees % 360 === 0) return form
  return { ...form, boxes: form.boxes.map(box => ({ ...box, ...rotatedBox(box, degrees, sides) })) }
}

const thisYear = () => new Date().getFullYear()

/** Splits the form's date into day and time; the day is '?' while it is incomplete. */
export function dateParts(date: string): { day: string; time: string } {
  const [day = '', time = ''] = date.split(/[ T]/)
  return { day, time }
}

/** The date with another day or time. Without a day it is ''. */
export function dateOf({ day, time }: { day: string; time: string }): string {
  if (day === '') return ''
  const whole = time === '' ? '00:00:00' : time.length === 5 ? `${time}:00` : time
  return `${day} ${whole}`
}

/**
 * The boxes after one was named. If the same person or object is also listed without a place, that entry gets this box.
 * A box that becomes a person's instead of an object's, or the reverse, is saved as a new region.
 */
export function withBoxNamed(
  boxes: readonly FormBox[],
  key: string,
  named: Pick<FormBox, 'kind' | 'subject' | 'name'>,
): FormBox[] {
  const isSame = ({ kind, subject, name }: FormBox) => {
    return (
      kind === named.kind &&
      (named.subject === 0 ? subject === 0 && sameWord(name, named.name) : subject === named.subject)
    )
  }
  const isUnnamed = named.subject === 0 && named.name === ''
  const box = boxes.find(one => one.key === key)
  const placeless =
    box === undefined || isUnnamed || hasNoBox(box)
      ? undefined
      : boxes.find(one => one.key !== key && hasNoBox(one) && isSame(one))
  return boxes.flatMap(one => {
    if (one === placeless) return []
    if (one.key !== key) return one
    const id = one.kind === named.kind ? one.id : 0
    return { ...one, ...named, id: id === 0 ? (placeless?.id ?? 0) : id }
  })
}

/** The error of a typed date; null if it is valid. */
export function dateFault(date: string): string | null {
  if (date === '') return null
  if (date.startsWith('?')) return metadataTexts.dateIsNotComplete
  const parsed = dateText.safeParse(date)
  if (!parsed.success) return serverMessage(parsed.error.issues[0]?.message ?? '')
  return Number(date.slice(0, 4)) > thisYear()
    ? metadataTexts.yearRange({ year: inOwnDigits(String(limits.minItemYear)) })
    : null
}

/** The error of a typed position. */
export function placeFault({ latitude, longitude }: FormPlace): { latitude?: string; longitude?: string } {
  const bad = (degrees: number | null, most: number) => degrees !== null && !(Math.abs(degrees) <= most)
  return {
    ...(bad(latitude, 90) ? { latitude: metadataTexts.latitudeRange } : {}),
    ...(bad(longitude, 180) ? { longitude: metadataTexts.longitudeRange } : {}),
    ...(latitude === null && longitude !== null ? { latitude: metadataTexts.missing } : {}),
    ...(longitude === null && latitude !== null ? { longitude: metadataTexts.missing } : {}),
  }
}

/** Whether the form has errors. Unchanged parts are not checked. */
export function isFaulty(before: ItemForm, after: ItemForm): boolean {
  const badDate = !isSamePart('date', before, after) && dateFault(after.date) !== null
  const badPlace = !isSamePart('place', before, after) && Object.keys(placeFault(after.place)).length > 0
  return badDate || badPlace
}

/** Parses '48.2' or '48,2' as degrees; null for empty text, NaN if it is not a number. */
export function degreesOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.').replace(/^−/, '-')
  if (text === '') return null
  return /^-?\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** Adds entries to the list as they are: a comma inside an entry, as in some files, is kept. Skips duplicates. */
export function withEntries(list: readonly string[], more: readonly string[]): readonly string[] {
  const next = [...list]
  for (const part of more) {
    const word = part.trim()
    if (word !== '' && !next.some(known => sameWord(known, word))) next.push(word)
  }
  return next
}

/** Adds typed text to the list: a comma separates entries. Skips duplicates and entries that are too long. */
export function withWords(list: readonly string[], typed: string): readonly string[] {
  const words = typed.split(commas).filter(word => !isTooLong(word))
  return withEntries(list, words)
}

/** The item as it will be when the form is saved; shown until the server has responded. */
export function withForm<Of extends Item>(item: Of, form: ItemForm): Of {
  const versionOf = <Tag extends { id: number; version: number }>(tag: Tag | undefined) => ({
    id: tag?.id ?? 0,
    version: tag?.version ?? 0,
  })
  const { tags } = item
  const list = (name: 'Category' | 'Keywords' | 'Author', words: readonly string[]) =>
    words.length === 0
      ? undefined
      : {
          ...versionOf(tags[name]),
          data: words.map(content => tags[name]?.data.find(entry => entry.content === content) ?? { id: 0, content }),
        }
  const { latitude, longitude, placeName, guessed } = form.place
  const taken = Date.parse(`${form.date.replace(' ', 'T')}Z`) / 1000
  return {
    ...item,
    ...(Number.isNaN(taken) ? {} : { taken, taken_at: form.date }),
    tags: {
      ...tags,
      DateTimeOriginal: form.date === '' ? undefined : { ...versionOf(tags.DateTimeOriginal), data: form.date },
      Description:
        form.description.trim() === '' ? undefined : { ...versionOf(tags.Description), data: form.description },
      Category: list('Category', form.category),
      Keywords: list('Keywords', form.keywords),
      Author: list('Author', form.author),
      Locations:
        latitude === null && placeName === ''
          ? undefined
          : {
              ...versionOf(tags.Locations),
              data: { latitude, longitude, placeName, ...(guessed ? { guessed: true as const } : {}) },
            },
      People: {
        ...versionOf(tags.People),
        data: form.boxes.flatMap(({ id, kind, subject, name, found, x, y, width, height }) =>
          kind === 'person' && !isProposal({ id, subject, name, found })
            ? { id, type: 'person' as const, person: subject, face: null, name, x, y, width, height }
            : [],
        ),
      },
      Object: {
        ...versionOf(tags.Object),
        data: form.boxes.flatMap(({ id, kind, subject, name, x, y, width, height }) =>
          kind === 'object' ? { id, type: 'object' as const, object: subject, name, x, y, width, height } : [],
        ),
      },
    },
  }
}
