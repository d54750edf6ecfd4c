/** Compact storage of files, about 45 bytes each: a first scan of a million files keeps the whole list. */
import { displayRaw } from '../files/names.ts'
import type { DiskFile } from './found-unit.ts'

export interface PackedFiles {
  /** Raw names separated by slashes, which no name contains. */
  names: string
  /** Size, seconds and nanoseconds of each. */
  figures: Float64Array
}

export function packed(files: readonly Omit<DiskFile, 'name'>[]): PackedFiles {
  return {
    names: files.map(({ raw }) => raw).join('/'),
    figures: Float64Array.from(files.flatMap(file => [file.size, file.mtimeSeconds, file.mtimeNanoseconds])),
  }
}

export function unpacked({ names, figures }: PackedFiles): Map<string, DiskFile> {
  const files = new Map<string, DiskFile>()
  let at = 0
  for (const raw of figures.length === 0 ? [] : names.split('/')) {
    const [size = 0, mtimeSeconds = 0, mtimeNanoseconds = 0] = figures.subarray(at, at + 3)
    files.set(raw, { raw, name: displayRaw(raw), size, mtimeSeconds, mtimeNanoseconds })
    at += 3
  }
  return files
}
