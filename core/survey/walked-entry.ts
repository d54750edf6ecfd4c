/** One entry of a walked directory. */
import { DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, displayRaw } from '../files/names.ts'

export type EntryKind = 'file' | 'dir' | 'link' | 'other'

/** A class and not a plain object, so that a million entries decode only the names that are requested. */
export class WalkedEntry {
  constructor(
    /** Bytes of the name, one character each, for comparing and looking up. */
    readonly raw: string,
    readonly kind: EntryKind,
    /** Bytes. Size and times are 0 for everything except files. */
    readonly size: number,
    /** Whole seconds since 1970, negative before; `mtimeNanoseconds` is the rest, 0–999,999,999. */
    readonly mtimeSeconds: number,
    readonly mtimeNanoseconds: number,
    /** Why size and time of this file could not be read; null on success. */
    readonly error: string | null,
  ) {}

  get name(): Buffer {
    return bytesOfRaw(this.raw)
  }

  get display(): string {
    return displayRaw(this.raw)
  }
}

/** A directory, link or other entry, without details. */
export function entryOfKind(raw: string, kind: EntryKind): WalkedEntry {
  return new WalkedEntry(raw, kind, 0, 0, 0, null)
}

/**
 * The entries of a name whose size and time could not be read. If its kind is unknown too, it is listed both as a file
 * and as a directory, so that neither a file nor anything below a directory is treated as gone.
 */
export function entriesOfFailure(raw: string, kind: EntryKind | null, code: string): WalkedEntry[] {
  const file = new WalkedEntry(raw, 'file', 0, 0, 0, new DiskError(code, '').reason)
  return kind === null ? [file, entryOfKind(raw, 'dir')] : [file]
}
