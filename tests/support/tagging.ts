/** Edits tags as users do, and reads the tags of all items in the form in which they are written to files. */
import { changeItem, requireItemToEdit } from '../../core/editing/item-edit.ts'
import type { ItemParts, StoredBox } from '../../core/editing/item-parts.ts'
import type { Library } from '../../core/library.ts'
import type { WantedTags } from '../../core/metadata/write/written-tags.ts'
import { findOrCreatePerson } from '../../core/people/people.ts'
import { findOrCreateObject } from '../../core/vocabulary/objects.ts'
import { findOrCreateKeystrings } from '../../core/words/keystrings.ts'
import { type TaggedRow, wantedTags } from '../../core/write-back/item-tags.ts'
import { secondsOf } from './library.ts'

interface BoxEdit {
  name: string
  /** Left out: the position is unknown. */
  box?: readonly [x: number, y: number, width: number, height: number]
}

/** What a user writes; '' and empty lists delete, missing fields are unchanged. */
export interface TagEdit {
  date?: string
  offset?: number | null
  description?: string
  keywords?: readonly string[]
  category?: readonly string[]
  author?: readonly string[]
  place?: { latitude: number | null; longitude: number | null; placeName: string } | null
  rating?: number | null
  rotation?: number
  people?: readonly BoxEdit[]
  objects?: readonly BoxEdit[]
}

/** Performs an edit with `changeItem`, as all edits of items do. */
export function editTags(library: Pick<Library, 'db'>, itemId: number, edit: TagEdit): Promise<void> {
  return library.db.transact({ userId: 1 }, tx => {
    const word = <Data>(d: Data | undefined): { d?: Data; u: 1 } => (d === undefined ? { u: 1 } : { d, u: 1 })
    const list = (texts: readonly string[]) => word(texts.length === 0 ? undefined : findOrCreateKeystrings(tx, texts))
    const boxes = (edits: readonly BoxEdit[], find: (name: string) => number | null): StoredBox[] =>
      edits.map(({ name, box: [x, y, width, height] = [0, 0, 0, 0] }) => ({
        id: null,
        subject: find(name),
        x,
        y,
        width,
        height,
        source: 'user',
      }))
    const tags: NonNullable<ItemParts['tags']> = {}
    if (edit.description !== undefined) tags.Description = word(edit.description === '' ? undefined : edit.description)
    if (edit.keywords !== undefined) tags.Keywords = list(edit.keywords)
    if (edit.category !== undefined) tags.Category = list(edit.category)
    if (edit.author !== undefined) tags.Author = list(edit.author)
    if (edit.place !== undefined) tags.Locations = word(edit.place ?? undefined)
    if (edit.rating !== undefined) tags.Rating = word(edit.rating ?? undefined)
    if (edit.date !== undefined) tags.DateTimeOriginal = word(edit.date === '' ? undefined : edit.date)
    const parts: ItemParts = { tags }
    if (edit.date !== undefined && edit.date !== '')
      parts.date = { taken: secondsOf(edit.date), offset: edit.offset ?? null, source: 'user' }
    if (edit.rating !== undefined) parts.rating = edit.rating
    if (edit.rotation !== undefined) parts.rotation = edit.rotation
    if (edit.people !== undefined) parts.people = boxes(edit.people, name => findOrCreatePerson(tx, name))
    if (edit.objects !== undefined) parts.objects = boxes(edit.objects, name => findOrCreateObject(tx, name))
    changeItem(tx, requireItemToEdit(tx, itemId), parts, { operation: 'item.tag' })
  })
}

/** The tags of each item, by path. */
export function tagsByPath({ db }: Pick<Library, 'db'>): Map<string, WantedTags> {
  const rows = db.all<TaggedRow & { path: string }>(
    `SELECT i.id, i.taken, i.taken_offset, i.rating, i.rotation, i.deleted, i.tags,
       CASE WHEN d.path = '' THEN i.name ELSE d.path || '/' || i.name END AS path
     FROM items AS i JOIN dirs AS d ON d.id = i.dir_id ORDER BY path`,
  )
  return new Map(rows.map(row => [row.path, comparableTags(wantedTags(db, row))]))
}

/** Sorts regions and names, and rounds regions to a tenth of their unit: edits in tests should not have more digits. */
function comparableTags(tags: WantedTags): WantedTags {
  const round = (value: number) => Math.round(value * 10) / 10
  const regions = tags.regions.map(region => ({
    ...region,
    x: round(region.x),
    y: round(region.y),
    width: round(region.width),
    height: round(region.height),
  }))
  const key = (region: (typeof regions)[number]) => JSON.stringify([region.kind, region.name, region.x, region.y])
  return {
    ...tags,
    position:
      tags.position === null
        ? null
        : {
            latitude: Number(tags.position.latitude.toFixed(7)),
            longitude: Number(tags.position.longitude.toFixed(7)),
          },
    regions: regions.sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    people: [...tags.people].sort(),
    objects: [...tags.objects].sort(),
  }
}
