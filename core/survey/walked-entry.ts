/** What a walk tells of one name in a directory. */
import { DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, displayRaw } from '../files/names.ts'

export type EntryKind = 'file' | 'dir' | 'link' | 'other'

/** A class and not a plain object, so that a million entries need not make names that nobody requests. */
export class WalkedEntry {
  constructor(
    /** Bytes of the name, a character each: to compare and to look up by. */
    readonly raw: string,
    readonly kind: EntryKind,
    /** Bytes. Size and times are 0 for all but files. */
    readonly size: number,
    /** Whole seconds since 1970, negative before; the rest of it in nanoseconds, 0–999,999,999. */
    readonly mtimeSeconds: number,
    readonly mtimeNanoseconds: number,
    /** Why the disk would not even tell size and time of this file; null for all that are well. */
    readonly error: string | null,
  ) {}

  /** Bytes of the name. */
  get name(): Buffer {
    return bytesOfRaw(this.raw)
  }

  /** The name for people. */
  get display(): string {
    return displayRaw(this.raw)
  }
}

/** A directory, link or other thing, of which nothing more is asked. */
export function entryOfKind(raw: string, kind: EntryKind): WalkedEntry {
  return new WalkedEntry(raw, kind, 0, 0, 0, null)
}

/**
 * What there is when the disk would not tell size and time. It may be a directory where the kind was not told either:
 * then it is listed as both, so that neither a file nor what is below a directory is taken for gone.
 */
export function entriesOfFailure(raw: string, kind: EntryKind | null, code: string): WalkedEntry[] {
  const file = new WalkedEntry(raw, 'file', 0, 0, 0, new DiskError(code, '').reason)
  return kind === null ? [file, entryOfKind(raw, 'dir')] : [file]
}
