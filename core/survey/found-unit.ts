/** What a scan knows of the files of one item before it writes them. */
import type { DecodeResult } from '../media/decode/decode.ts'
import type { MediaKind } from '../media/media-problem.ts'
import type { ItemMetadata } from '../metadata/merge.ts'

/** A file as it lies on the disk. `raw` is its name's bytes, one character each; `name` is for people. */
export interface DiskFile {
  raw: string
  name: string
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
}

/** A file of an item with the part it plays. `content` is null for sidecars, which are not keyed. */
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
  /** Of the directory, for display: problems are listed by path. */
  dirPath: string
  files: UnitFile[]
  kind: MediaKind
  result: DecodeResult
  metadata: ItemMetadata
  /** A film belongs to the picture, or lies within its file. */
  motion: boolean
  /** Item whose file went elsewhere: this file is it. */
  movedFrom: number | null
  problems: { raw: string; code: string; reason: string }[]
}

export type Saved = 'new' | 'changed' | 'moved' | 'skipped'

/** Path of a file within its collection, for display. */
export function displayPath(dirPath: string, name: string): string {
  return dirPath === '' ? name : `${dirPath}/${name}`
}

/** Nothing to show and nothing that could be shown one day: no item, only its problem. */
export function isNoItem(unit: FoundUnit): boolean {
  return unit.problems.some(
    problem => problem.raw === unit.files[0]?.file.raw && (problem.code === 'empty' || problem.code === 'not-media'),
  )
}
