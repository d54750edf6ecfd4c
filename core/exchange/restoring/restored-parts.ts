/** Converts an exported item to parts to write. A value that came from a file does not replace one of a user. */
import type { ItemToEdit } from '../../editing/item-edit.ts'
import {
  type ItemParts,
  orderedBox,
  type RowTag,
  rowTags,
  type StoredBox,
  type TagValue,
} from '../../editing/item-parts.ts'
import { sortableSeconds } from '../../metadata/dates.ts'
import type { ItemLine, RegionLine } from '../exporting/export-format.ts'

export interface NameResolver {
  keystring(content: string): number
  /** Null for people who are not in the export. */
  person(number: number): number | null
  object(name: string): number | null
}

interface Exported {
  data: unknown
  user: boolean
}

/** Whether the export's value may overwrite the library's. */
function mayOverwrite(
  item: ItemToEdit,
  name: keyof ItemToEdit['stored'],
  exported: { user: boolean } | undefined,
): boolean {
  return exported?.user === true || item.stored[name]?.u !== 1
}

function tagValue<Data>(data: Data | null, user: boolean): TagValue<Data> {
  return { ...(data === null ? {} : { d: data }), ...(user ? { u: 1 as const } : {}) }
}

function tagsOf(item: ItemToEdit, line: ItemLine, names: NameResolver): NonNullable<ItemParts['tags']> {
  const tags: Partial<Record<RowTag, TagValue<unknown>>> = {}
  for (const name of rowTags) {
    const exported: Exported | undefined = line.tags[name]
    if (exported === undefined || !mayOverwrite(item, name, exported)) continue
    const data = Array.isArray(exported.data) ? [...new Set(exported.data.map(names.keystring))] : exported.data
    tags[name] = tagValue(data, exported.user)
  }
  // Each name's data has the shape that the format defines.
  return tags as NonNullable<ItemParts['tags']>
}

/** The restored regions; an existing one keeps its id. */
function boxesOf(before: readonly StoredBox[], lines: readonly RegionLine[], names: NameResolver): StoredBox[] {
  const key = (box: StoredBox) => JSON.stringify(orderedBox({ ...box, id: null }))
  const left = Map.groupBy(before, key)
  return lines.flatMap(line => {
    const { x, y, width, height, source } = line
    const subject =
      line.type === 'object' ? names.object(line.object) : line.person === null ? null : names.person(line.person)
    // Only a face may have no name.
    if (subject === null && (line.type === 'object' || line.person !== null)) return []
    const box: StoredBox = { id: null, subject, x, y, width, height, source }
    return [{ ...box, id: left.get(key(box))?.shift()?.id ?? null }]
  })
}

/**
 * Returns the parts of an item to write. `recycled` converts the time of recycling in the export to the time to store,
 * both in seconds. No item leaves the recycle bin, and parts that the export does not mention are kept.
 */
export function wantedParts(
  item: ItemToEdit,
  line: ItemLine,
  names: NameResolver,
  recycled: (at: number) => number,
): ItemParts {
  const parts: ItemParts = { tags: tagsOf(item, line, names), rotation: line.rotation }
  const { DateTimeOriginal, Rating, People, Object: things } = line.tags
  if (DateTimeOriginal !== undefined && mayOverwrite(item, 'DateTimeOriginal', DateTimeOriginal)) {
    parts.date = { taken: sortableSeconds(line.taken_at), offset: line.utc_offset, source: line.date_source }
  }
  if (mayOverwrite(item, 'Rating', Rating)) parts.rating = line.rating
  const people = line.regions.filter(({ type }) => type === 'person')
  if ((People !== undefined || people.length > 0) && mayOverwrite(item, 'People', People)) {
    parts.people = boxesOf(item.parts.people, people, names)
    parts.peopleEdited = People?.user === true
  }
  const objects = line.regions.filter(({ type }) => type === 'object')
  if ((things !== undefined || objects.length > 0) && mayOverwrite(item, 'Object', things)) {
    parts.objects = boxesOf(item.parts.objects, objects, names)
    parts.objectsEdited = things?.user === true
  }
  if (line.deleted !== null && item.parts.deleted === null) parts.deleted = recycled(line.deleted)
  return parts
}
