/** The fields of an item for `item list --fields`, by name. */
import type { Item } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'

type Value = string | number | boolean | string[] | null

const contents = (entries: readonly { content: string }[] | undefined) => (entries ?? []).map(({ content }) => content)
const names = (entries: readonly { name: string }[] | undefined) => [
  ...new Set((entries ?? []).map(({ name }) => name)),
]

const fields: Record<string, (item: Item) => Value> = {
  id: item => item.id,
  name: item => item.name,
  path: item => item.path,
  kind: item => item.type,
  collection: item => item.collection_id,
  taken_at: item => item.taken_at,
  date_source: item => item.date_source,
  width: item => item.width,
  height: item => item.height,
  duration: item => item.duration,
  rating: item => item.rating,
  rotation: item => Number(item.properties.find(({ name }) => name === 'Rotation')?.value ?? 0),
  keywords: item => contents(item.tags.Keywords?.data),
  category: item => contents(item.tags.Category?.data),
  author: item => contents(item.tags.Author?.data),
  people: item => names(item.tags.People?.data),
  objects: item => names(item.tags.Object?.data),
  description: item => item.tags.Description?.data ?? '',
  place: item => item.tags.Locations?.data.placeName ?? '',
  latitude: item => item.tags.Locations?.data.latitude ?? null,
  longitude: item => item.tags.Locations?.data.longitude ?? null,
  live: item => item.live,
  problem: item => item.problem,
}

export const fieldNames = Object.keys(fields)

export const usualFields = ['id', 'taken_at', 'kind', 'rating', 'path', 'keywords'] as const

/** Parses names of fields joined by commas; a failure names an unknown one. */
export function parseFieldNames(text: string): string[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const unknown = names.find(name => !Object.hasOwn(fields, name))
  if (names.length > 0 && unknown === undefined) return names
  throw new Failure(
    'invalid',
    `--fields takes comma-separated names; '${unknown ?? text}' is not one of ${fieldNames.join(', ')}.`,
  )
}

export function fieldValue(item: Item, field: string): Value {
  return fields[field]?.(item) ?? null
}

/** A value as text in a cell: lists joined by '; ', '' for null. */
export function cellOf(value: Value): string {
  if (value === null) return ''
  return Array.isArray(value) ? value.join('; ') : String(value)
}

/** An item as an object of `--json`: its kind is 'image' or 'video', since `type` is the type of the object. */
export function itemObject<T extends Item>({ type, ...item }: T): object {
  return { type: 'item', kind: type, ...item }
}
