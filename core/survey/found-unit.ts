/** What a scan knows of the files of one item before it writes them. */
import type { FileFacts } from '../files/open-file.ts'
import type { DecodeResult } from '../media/decode/decode.ts'
import { extensionOf } from '../media/formats/sniff.ts'
import type { MediaKind } from '../media/media-problem.ts'
import type { ItemMetadata } from '../metadata/merge.ts'

/** A file on the disk. `raw` is its name's bytes, one character each; `name` is for display. */
export interface DiskFile extends FileFacts {
  raw: string
  name: string
}

/** A file of an item. `content` is its key, null for sidecars; `pair` the identifier of a Live Photo. */
export interface UnitFile {
  file: DiskFile
  role: 'main' | 'companion' | 'motion' | 'sidecar'
  content: string | null
  pair: string | null
}

/** Everything about one item, ready to be written. */
export interface FoundUnit {
  collectionId: number
  dirId: number
  /** Path of the directory, for display: problems are listed by path. */
  dirPath: string
  files: UnitFile[]
  kind: MediaKind
  result: DecodeResult
  metadata: ItemMetadata
  /** Whether a video belongs to the picture, or is inside its file. */
  motion: boolean
  /** The item whose file moved here. */
  movedFrom: number | null
  problems: { raw: string; code: string; reason: string }[]
}

export type SaveResult = 'new' | 'changed' | 'moved' | 'skipped'

/** Path of a file within its collection, for display. */
export function displayPath(dirPath: string, name: string): string {
  return dirPath === '' ? name : `${dirPath}/${name}`
}

const isNoMedia = (code: string) => code === 'empty' || code === 'not-media'

/** Whether a file has nothing to show, now or later: it gets no item, only a problem. */
export function isNoItem({ files, problems }: FoundUnit): boolean {
  return problems.some(({ raw, code }) => raw === files[0]?.file.raw && isNoMedia(code))
}

/** The problems to report. Files without an extension are only probed, so it is normal that one is not a media file. */
export function problemsToReport({ files, problems }: FoundUnit): FoundUnit['problems'] {
  const guessed = new Set(files.filter(({ file }) => extensionOf(file.name) === '').map(({ file }) => file.raw))
  return problems.filter(({ raw, code }) => !(guessed.has(raw) && isNoMedia(code)))
}
