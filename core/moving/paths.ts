/** Paths of files, as directory and name. */
import type { DiskPlace } from '../files/anchor.ts'
import { bytesOfRaw, displayName, displayRaw, joinPath } from '../files/names.ts'
import { displayPath } from '../survey/found-unit.ts'

/** Splits a path into its directory and its last name, both as bytes. */
export function splitPath(path: Uint8Array): { dir: Buffer; name: Buffer } {
  const bytes = Buffer.from(path)
  const slash = bytes.lastIndexOf(0x2f)
  return { dir: bytes.subarray(0, Math.max(0, slash)), name: bytes.subarray(slash + 1) }
}

export function directoryOf({ root, path }: DiskPlace): DiskPlace {
  return { root, path: splitPath(path).dir }
}

export function pathOf(dir: Uint8Array, raw: string): Buffer {
  return joinPath(dir, bytesOfRaw(raw))
}

export function displayOf(dir: Uint8Array, raw: string): string {
  return displayPath(displayName(dir), displayRaw(raw))
}
