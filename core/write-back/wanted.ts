/** What the library knows of an item, as its file shall say it. */

import { parseTags } from '../items/item-row.ts'
import { localTime } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { ItemRegion } from '../metadata/regions.ts'
import type { WantedTags } from '../metadata/write/wanted.ts'

type Reader = Pick<LibraryDatabase, 'all' | 'get'>

/** The columns that `wantedTags` goes by. */
export interface TaggedRow {
  id: number
  taken: number
  taken_offset: number | null
  rating: number | null
  rotation: number
  deleted: number | null
  tags: string
}

interface BoxRow {
  type: 'person' | 'object'
  person_id: number | null
  object_id: number | null
  x: number
  y: number
  width: number
  height: number
}

/** Everything of an item that goes into files. Names that the library found for a place by itself do not. */
export function wantedTags(db: Reader, row: TaggedRow): WantedTags {
  const tags = parseTags(row.tags)
  const words = (ids: readonly number[] | undefined) => keystringsOf(db, ids ?? [])
  const place = tags.Locations?.d
  const boxes = boxesOf(db, row)
  const nowhere = (kind: ItemRegion['kind']) =>
    unique(boxes.filter(box => box.kind === kind && !hasPlace(box)).map(({ name }) => name)).filter(
      // Whoever has a place in the picture needs no second mention.
      name => !boxes.some(box => box.kind === kind && hasPlace(box) && box.name === name),
    )
  return {
    date: tags.DateTimeOriginal?.d === undefined ? null : { local: localTime(row.taken), offset: row.taken_offset },
    description: tags.Description?.d ?? '',
    keywords: words(tags.Keywords?.d),
    category: words(tags.Category?.d),
    author: words(tags.Author?.d),
    position:
      place === undefined || place.latitude === null || place.longitude === null
        ? null
        : { latitude: place.latitude, longitude: place.longitude },
    placeName: place === undefined || place.auto === 1 ? '' : place.placeName,
    rating: row.rating,
    rotation: ([90, 180, 270] as const).find(turn => turn === row.rotation) ?? 0,
    regions: boxes.filter(hasPlace),
    people: nowhere('person'),
    objects: nowhere('object'),
    ...(row.deleted === null ? {} : { recycled: true }),
  }
}

function hasPlace({ width, height }: ItemRegion): boolean {
  return width > 0 && height > 0
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

/** In the order of the ids. */
function keystringsOf(db: Reader, ids: readonly number[]): string[] {
  if (ids.length === 0) return []
  return db
    .all<{ content: string }>(
      'SELECT k.content FROM json_each(?) AS j JOIN keystrings AS k ON k.id = j.value ORDER BY j.key',
      JSON.stringify(ids),
    )
    .map(({ content }) => content)
}

/** Faces that nobody has named are the library's own business. */
function boxesOf(db: Reader, { id, taken }: TaggedRow): ItemRegion[] {
  const rows = db.all<BoxRow>(
    'SELECT type, person_id, object_id, x, y, width, height FROM regions WHERE item_id = ? ORDER BY id',
    id,
  )
  return rows.flatMap(({ type: kind, person_id, object_id, ...box }) => {
    const name = kind === 'person' ? personName(db, person_id, taken) : objectName(db, object_id)
    return name === null ? [] : [{ kind, name, ...box }]
  })
}

/** The name of that day; of somebody who had none then, the first one known: it is found again by any. */
function personName(db: Reader, id: number | null, taken: number): string | null {
  if (id === null) return null
  const active = `SELECT name FROM person_names WHERE person_id = ? AND (active_from IS NULL OR active_from <= ?)
     AND (active_to IS NULL OR active_to > ?) ORDER BY active_from DESC NULLS LAST, id LIMIT 1`
  return (
    db.get<{ name: string }>(active, id, taken, taken)?.name ??
    db.get<{ name: string }>('SELECT name FROM person_names WHERE person_id = ? ORDER BY active_from, id LIMIT 1', id)
      ?.name ??
    null
  )
}

function objectName(db: Reader, id: number | null): string | null {
  return db.get<{ name: string }>('SELECT name FROM objects WHERE id = ?', id)?.name ?? null
}
