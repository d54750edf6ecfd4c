/**
 * What sending an item's pictures and streams needs: enough for a ready thumbnail at once, the rest when it is
 * requested.
 */
import { alias } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { itemState, items } from '../../schema/tables/items.ts'
import type { Rights } from '../accounts/access.ts'
import { joinPath } from '../files/names.ts'
import type { FileFacts } from '../files/open-file.ts'
import { columns } from '../kernel/database/columns.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOf } from '../kernel/database/statement.ts'
import { filesToSend, isPublicItem } from './item-bytes.sql.ts'

/** A file of a collection: both names as the file system's bytes, the directory's relative to the collection. */
export interface PlacedFile {
  dirBytes: Uint8Array
  nameBytes: Uint8Array
}

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

type SentColumns = 'id' | 'collectionId' | 'type' | 'mime' | 'content' | 'rotation' | 'problem' | 'state'

export interface ItemForBytes extends Pick<typeof items.$inferSelect, SentColumns> {
  /** Hidden, recycled or missing: nobody else's cache may keep it. */
  isPrivate: boolean
  isPublic: boolean
  /** Its people and places are kept from this viewer: originals go out without them. */
  keepsPlaces: boolean
  /** Differs where the viewer's rights differ: belongs in the ETag. */
  rights: string
  /** Reads the rest; what is sent out of the cache needs none of it. */
  files(): ItemFiles
}

const i = alias(items, 'i')
/** From `items AS i`. */
export const bytesColumns = {
  ...columns(i, 'id', 'collectionId', 'type', 'mime', 'content', 'rotation', 'problem', 'state'),
  isPublic: isPublicItem,
}

/** The position of a film within its still, and what films are coded with, as the scan wrote them. */
const filmDetails = z.object({
  motionOffset: z.number().optional(),
  motionLength: z.number().optional(),
  videoCodec: z.string().optional(),
  audioCodec: z.string().optional(),
})

function placed(dirBytes: Uint8Array | null = null, nameBytes: Uint8Array | null = null): PlacedFile | null {
  return dirBytes === null || nameBytes === null ? null : { dirBytes, nameBytes }
}

function readFiles(db: LibraryDatabase, id: number): ItemFiles {
  // Purged since: as if its file were missing.
  const row = db.get(filesToSend, id)
  const details = filmDetails.safeParse(JSON.parse(row?.details ?? '{}'))
  const { motionOffset, motionLength, videoCodec, audioCodec } = details.success ? details.data : {}
  const main = placed(row?.dirBytes, row?.nameBytes)
  const facts = { size: row?.size ?? 0, mtimeSeconds: row?.mtime ?? 0, mtimeNanoseconds: row?.mtimeNs ?? 0 }
  return {
    collectionPath: row?.collectionPath ?? '',
    variantPath: row?.variantPath ?? '',
    readonly: row?.readonly === 1,
    main: main === null ? null : { ...main, ...facts },
    motion: placed(row?.motionDir, row?.motionName),
    motionWithin: motionOffset === undefined ? null : { offset: motionOffset, length: motionLength ?? null },
    videoCodec: videoCodec ?? null,
    audioCodec: audioCodec ?? null,
  }
}

/** A row that the viewer may see, without what is kept from them. */
export function itemForBytes(
  db: LibraryDatabase,
  { isPublic, ...row }: RowOf<typeof bytesColumns>,
  { rights, unlocked, keepsPlaces }: { rights: Rights; unlocked: boolean; keepsPlaces: boolean },
): ItemForBytes {
  const letters = [rights.update ? 'u' : '', rights.admin ? 'm' : '', unlocked ? 'h' : '', keepsPlaces ? 'k' : '']
  let files: ItemFiles | null = null
  return {
    ...row,
    isPrivate: row.state !== itemState.shown,
    isPublic: isPublic === 1,
    keepsPlaces,
    rights: `v${letters.join('')}`,
    files() {
      files ??= readFiles(db, row.id)
      return files
    },
  }
}
