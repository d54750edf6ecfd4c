/** Reads what is needed to send pictures and streams: the facts for a cached thumbnail at once, the files on demand. */
import { alias } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { itemState, items } from '../../schema/tables/items.ts'
import type { Rights } from '../accounts/access.ts'
import { joinPath } from '../files/names.ts'
import type { FileFacts } from '../files/open-file.ts'
import { columns } from '../kernel/database/columns.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfColumns } from '../kernel/database/statement.ts'
import { filesToSend, isPublicItem } from './item-bytes.sql.ts'

/** A file's name and its directory's path relative to the collection, as the file system's bytes. */
export interface PlacedFile {
  dirBytes: Uint8Array
  nameBytes: Uint8Array
}

interface ScannedFile extends PlacedFile, FileFacts {}

interface ItemFiles {
  /** Absolute paths of the collection, and of its variants ('' if it has no such path). */
  collectionPath: string
  variantPath: string
  /** Whether the collection and its variants are read-only. */
  readonly: boolean
  /** Null while the file is missing: then only cached versions can be sent. */
  main: ScannedFile | null
  /** The motion video of a still in a separate file. */
  motion: PlacedFile | null
  /** The motion video within the still's file, as a range of bytes. */
  motionWithin: { offset: number; length: number | null } | null
  /** Codecs as ffprobe names them; null for stills, for a missing track, and if unknown. */
  videoCodec: string | null
  audioCodec: string | null
}

/** Absolute path of a file, as the file system's bytes. */
export function pathOfFile(collectionPath: string, { dirBytes, nameBytes }: PlacedFile): Buffer {
  return joinPath(Buffer.from(collectionPath), dirBytes, nameBytes)
}

type SentColumns = 'id' | 'collectionId' | 'type' | 'mime' | 'content' | 'rotation' | 'problem' | 'state'

export interface ItemForBytes extends Pick<typeof items.$inferSelect, SentColumns> {
  /** Whether the item is hidden, recycled or missing: then shared caches may not keep its pictures. */
  isPrivate: boolean
  isPublic: boolean
  /** Whether its people and places are hidden from this viewer: originals are sent without them. */
  withholdsPlaces: boolean
  /** Identifies the viewer's rights, as a part of the ETag. */
  rights: string
  /** Loads the files, which cached responses do not need. */
  files(): ItemFiles
}

const i = alias(items, 'i')
/** Columns of `items AS i`. */
export const bytesColumns = {
  ...columns(i, 'id', 'collectionId', 'type', 'mime', 'content', 'rotation', 'problem', 'state'),
  isPublic: isPublicItem,
}

/** The position of a video within its still, and its codecs, as recorded by the scan. */
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
  // An item that was purged meanwhile has no row, and is treated like one whose file is missing.
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

/** What sending an item's bytes requires. The caller has checked that the viewer may see the item. */
export function itemForBytes(
  db: LibraryDatabase,
  { isPublic, ...row }: RowOfColumns<typeof bytesColumns>,
  { rights, unlocked, withholdsPlaces }: { rights: Rights; unlocked: boolean; withholdsPlaces: boolean },
): ItemForBytes {
  const letters = [rights.update ? 'u' : '', rights.admin ? 'm' : '', unlocked ? 'h' : '', withholdsPlaces ? 'k' : '']
  let files: ItemFiles | null = null
  return {
    ...row,
    isPrivate: row.state !== itemState.shown,
    isPublic: isPublic === 1,
    withholdsPlaces,
    rights: `v${letters.join('')}`,
    files() {
      files ??= readFiles(db, row.id)
      return files
    },
  }
}
