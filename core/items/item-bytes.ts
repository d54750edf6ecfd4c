/** What sending an item's pictures and streams needs: enough for a ready thumbnail at once, the rest when it is asked for. */
import { z } from 'zod'
import { itemState } from '../../schema/tables/items.ts'
import type { Rights } from '../accounts/access.ts'
import { joinPath } from '../files/names.ts'
import type { FileFacts } from '../files/open-file.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** A file of a collection: both names as the file system's bytes, the directory's relative to the collection. */
export interface PlacedFile {
  dirBytes: Uint8Array
  nameBytes: Uint8Array
}

/** As the last scan saw it. */
interface ScannedFile extends PlacedFile, FileFacts {}

/** Where an item's files lie, and what films are. */
interface ItemFiles {
  /** Absolute, of the collection and of its owner's edited versions ('' where there are none). */
  collectionPath: string
  variantPath: string
  /** Nothing may be written into either. */
  readonly: boolean
  /** Null while the file is missing: then only what is cached can be sent. */
  main: ScannedFile | null
  /** The film beside a still, in a file of its own. */
  motion: PlacedFile | null
  /** The film within the still's own file, in bytes from its start. */
  motionWithin: { offset: number; length: number | null } | null
  /** As ffprobe calls them; null for stills, where there is none, and where nobody could tell. */
  videoCodec: string | null
  audioCodec: string | null
}

/** Absolute path of a file, as the file system's bytes. */
export function pathOfFile(collectionPath: string, { dirBytes, nameBytes }: PlacedFile): Buffer {
  return joinPath(Buffer.from(collectionPath), dirBytes, nameBytes)
}

export interface ItemForBytes {
  id: number
  collectionId: number
  type: 'image' | 'video'
  mime: string
  /** Content key; '' while the file could not be read. */
  content: string
  /** Degrees. */
  rotation: number
  problem: string | null
  /** A value of `itemState`. */
  state: number
  /** Hidden, recycled or missing: nobody else's cache may keep it. */
  isPrivate: boolean
  /** Every visitor sees the collection. */
  isPublic: boolean
  /** Its people and places are kept from this viewer: originals go out without them. */
  keepsPlaces: boolean
  /** Differs where the viewer's rights differ: belongs in the ETag. */
  rights: string
  /** Reads the rest; what is sent out of the cache needs none of it. */
  files(): ItemFiles
}

export interface BytesRow {
  id: number
  collection_id: number
  type: 'image' | 'video'
  mime: string
  content: string
  rotation: number
  problem: string | null
  state: number
  is_public: number
}

/** The columns of `BytesRow`, from `items AS i`. */
export const bytesColumns = `i.id, i.collection_id, i.type, i.mime, i.content, i.rotation, i.problem, i.state,
  EXISTS (SELECT 1 FROM collection_access AS ca JOIN access_groups AS g ON g.id = ca.group_id
    WHERE ca.collection_id = i.collection_id AND g.public = 1) AS is_public`

interface FilesRow {
  collection_path: string
  path_variant: string
  readonly: number
  details: string
  dir_bytes: Uint8Array | null
  name_bytes: Uint8Array | null
  size: number | null
  mtime: number | null
  mtime_ns: number | null
  motion_dir: Uint8Array | null
  motion_name: Uint8Array | null
}

/** Main and motion file with their directories by sub-select: an item without one is still an item. */
const fileOf = (role: 'main' | 'motion', column: string) =>
  `(SELECT ${column} FROM files AS f JOIN dirs AS d ON d.id = f.dir_id WHERE f.item_id = i.id AND f.role = '${role}' LIMIT 1)`
const selectFiles = `SELECT c.path AS collection_path, c.path_variant, c.readonly, i.details,
    ${fileOf('main', 'd.path_bytes')} AS dir_bytes, ${fileOf('main', 'f.name_bytes')} AS name_bytes,
    ${fileOf('main', 'f.size')} AS size, ${fileOf('main', 'f.mtime')} AS mtime, ${fileOf('main', 'f.mtime_ns')} AS mtime_ns,
    ${fileOf('motion', 'd.path_bytes')} AS motion_dir, ${fileOf('motion', 'f.name_bytes')} AS motion_name
  FROM items AS i JOIN collections AS c ON c.id = i.collection_id WHERE i.id = ?`

/** The position of a film within its still, and what films are coded with, as the scan wrote them. */
const filmDetails = z.object({
  motionOffset: z.number().optional(),
  motionLength: z.number().optional(),
  videoCodec: z.string().optional(),
  audioCodec: z.string().optional(),
})

function placed(dirBytes: Uint8Array | null | undefined, nameBytes: Uint8Array | null | undefined): PlacedFile | null {
  return dirBytes === null || dirBytes === undefined || nameBytes === null || nameBytes === undefined
    ? null
    : { dirBytes, nameBytes }
}

function readFiles(db: LibraryDatabase, id: number): ItemFiles {
  // Purged since: as if its file were missing.
  const row = db.get<FilesRow>(selectFiles, id)
  const details = filmDetails.safeParse(JSON.parse(row?.details ?? '{}'))
  const { motionOffset, motionLength, videoCodec, audioCodec } = details.success ? details.data : {}
  const main = placed(row?.dir_bytes, row?.name_bytes)
  return {
    collectionPath: row?.collection_path ?? '',
    variantPath: row?.path_variant ?? '',
    readonly: row?.readonly === 1,
    main:
      main === null
        ? null
        : {
            ...main,
            size: row?.size ?? 0,
            mtimeSeconds: row?.mtime ?? 0,
            mtimeNanoseconds: row?.mtime_ns ?? 0,
          },
    motion: placed(row?.motion_dir, row?.motion_name),
    motionWithin: motionOffset === undefined ? null : { offset: motionOffset, length: motionLength ?? null },
    videoCodec: videoCodec ?? null,
    audioCodec: audioCodec ?? null,
  }
}

/** A row that the viewer may see, as he may have it. */
export function itemForBytes(
  db: LibraryDatabase,
  row: BytesRow,
  viewer: { rights: Rights; unlocked: boolean; keepsPlaces: boolean },
): ItemForBytes {
  const { rights, unlocked, keepsPlaces } = viewer
  const letters = [rights.update ? 'u' : '', rights.admin ? 'm' : '', unlocked ? 'h' : '', keepsPlaces ? 'k' : '']
  let files: ItemFiles | null = null
  return {
    id: row.id,
    collectionId: row.collection_id,
    type: row.type,
    mime: row.mime,
    content: row.content,
    rotation: row.rotation,
    problem: row.problem,
    state: row.state,
    isPrivate: row.state !== itemState.shown,
    isPublic: row.is_public === 1,
    keepsPlaces,
    rights: `v${letters.join('')}`,
    files() {
      files ??= readFiles(db, row.id)
      return files
    },
  }
}
