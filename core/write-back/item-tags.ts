/** The metadata of an item as its file should contain it. */

import { eq } from 'drizzle-orm'
import { objects } from '../../schema/tables/vocabulary.ts'
import { parseTags } from '../items/item-row.ts'
import { formatLocalTime } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { albumsOfTexts, albumText } from '../metadata/albums.ts'
import type { ItemRegion } from '../metadata/regions.ts'
import type { WantedTags } from '../metadata/write/written-tags.ts'
import { albumsToWrite, boxesToWrite, personNameAt, type taggedItem, wordsOf } from './write-back.sql.ts'

type Reader = Pick<LibraryDatabase, 'all' | 'get' | 'orm'>

/** The columns that `wantedTags` uses. */
export type TaggedRow = RowOfQuery<typeof taggedItem>

/** All metadata of an item that is written to files. Place names that the library found automatically are left out. */
export function wantedTags(db: Reader, row: TaggedRow): WantedTags {
  const tags = parseTags(row.tags)
  const words = (ids: readonly number[] = []) =>
    ids.length === 0 ? [] : db.all(wordsOf, JSON.stringify(ids)).map(({ content }) => content)
  const place = tags.Locations?.d
  const albums = albumsOfTexts(db.all(albumsToWrite, row.id).map(albumText))
  const boxes = regionsOf(db, row)
  const namesWithoutPlace = (kind: ItemRegion['kind']) =>
    [...new Set(boxes.filter(box => box.kind === kind && !hasPlace(box)).map(({ name }) => name))].filter(
      // A person with a region is not listed a second time.
      name => !boxes.some(box => box.kind === kind && hasPlace(box) && box.name === name),
    )
  return {
    date:
      tags.DateTimeOriginal?.d === undefined ? null : { local: formatLocalTime(row.taken), offset: row.taken_offset },
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
    people: namesWithoutPlace('person'),
    objects: namesWithoutPlace('object'),
    ...(row.deleted === null ? {} : { recycled: true }),
    ...(albums.length === 0 ? {} : { albums }),
  }
}

function hasPlace({ width, height }: ItemRegion): boolean {
  return width > 0 && height > 0
}

/** Unnamed faces are not written to files. */
function regionsOf(db: Reader, { id, taken }: TaggedRow): ItemRegion[] {
  return db.all(boxesToWrite, id).flatMap(({ personId, objectId, ...box }) => {
    const name = box.kind === 'person' ? db.get(personNameAt, personId, taken)?.name : objectName(db, objectId)
    return name === undefined ? [] : [{ ...box, name }]
  })
}

function objectName({ orm }: Reader, id: number | null): string | undefined {
  return id === null ? undefined : orm.select().from(objects).where(eq(objects.id, id)).get()?.name
}
