/** Albums as lines of an export, with names, uids and paths instead of ids of the library. */
import { z } from 'zod'
import { type FilterEntry, filterQuery } from '../../../schema/api/items.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { contentOfKeystring } from '../../moving/moving.sql.ts'
import { displayPath } from '../../survey/found-unit.ts'
import type { AlbumLine, QueryEntry } from './export-format.ts'
import { exportedAlbums, membersOfAlbum, nameOfCollection, nameOfObject } from './exporting.sql.ts'

type Reader = Pick<LibraryDatabase, 'all' | 'get'>

/** `people`: numbers of people in the export, by id. */
function subjectOf(db: Reader, people: ReadonlyMap<number, number>, { type, id }: FilterEntry) {
  if (type === 'Person') return people.get(id) ?? null
  if (type === 'Object') return db.get(nameOfObject, id)?.name ?? null
  return id === 0 ? undefined : (db.get(contentOfKeystring, id)?.content ?? null)
}

function queryOf(db: Reader, people: ReadonlyMap<number, number>, stored: string | null): AlbumLine['query'] {
  if (stored === null) return null
  const { collection_id: id, filtergroups, ...parameters } = z.record(z.string(), z.string()).parse(JSON.parse(stored))
  const groups = filterQuery.shape.filtergroups.parse(filtergroups)
  const entryOf = (entry: FilterEntry): QueryEntry => {
    const { id: _, ...rest } = entry
    const subject = subjectOf(db, people, entry)
    return subject === undefined ? rest : { ...rest, subject }
  }
  return {
    parameters,
    ...(id === undefined || id === '0' ? {} : { collection: db.get(nameOfCollection, Number(id))?.name ?? null }),
    ...(groups === undefined ? {} : { filtergroups: groups.map(group => group.map(entryOf)) }),
  }
}

interface CoverRow {
  collection: string | null
  dir: string | null
  file: string | null
}

/** The place of the chosen cover of an album or person; null if there is none. */
export function coverOf({ collection, dir, file }: CoverRow): AlbumLine['cover'] {
  return collection === null || dir === null || file === null ? null : { collection, path: displayPath(dir, file) }
}

/** All albums that are not deleted. `people`: numbers of people in the export, by id. */
export function albumLines(db: Reader, people: ReadonlyMap<number, number>): AlbumLine[] {
  return db.all(exportedAlbums).map(({ id, collection, dir, file, query, isPublic, isPrivate, ...album }) => ({
    type: 'album',
    ...album,
    query: queryOf(db, people, query),
    members: db.all(membersOfAlbum, id),
    public: isPublic === 1,
    private: isPrivate === 1,
    cover: coverOf({ collection, dir, file }),
  }))
}
