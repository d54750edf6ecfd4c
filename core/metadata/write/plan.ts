/** Works out what has to be written so that reading an item's files gives what is wanted, and makes sure that it does. */
import type { TagSetName } from '../../../schema/api/tags.ts'
import { tagSetNames } from '../../../schema/limits.ts'
import { memorySource } from '../byte-source.ts'
import { type ItemMetadata, mergeMetadata, storedPicture } from '../merge.ts'
import type { Metadata } from '../metadata.ts'
import { readMetadataOf } from '../read.ts'
import { parseXmpSidecar } from '../sidecar.ts'
import { changedPictureFile } from './picture-file.ts'
import { differingSets, type WantedTags, type WrittenSet } from './wanted.ts'
import { writeXmpTags } from './xmp-tags.ts'

/** An item's files as they are now. */
export interface FilesNow {
  /** Name of the main file for people, and its modification time in milliseconds. */
  name: string
  mtimeMs: number
  /** The present in milliseconds, and the server's time zone. */
  now: number
  zone: string
  file: Metadata
  /** Of the camera's other files of the same picture. */
  companions: readonly Metadata[]
  /** In order of precedence. */
  sidecars: readonly SidecarNow[]
}

export interface SidecarNow {
  raw: string
  kind: 'xmp' | 'takeout'
  data: Metadata
}

export interface PlanInput {
  wanted: WantedTags
  files: FilesNow
  /** Bytes of the main file where metadata may be written into it; null: into a sidecar. */
  content: Uint8Array | null
  /** Names for the sidecar, the best one first; `bytes` null for one that is not there yet. */
  targets: readonly { raw: string; bytes: Uint8Array | null }[]
}

export interface Plan {
  /** New bytes of the main file, null where it stays. */
  content: Uint8Array | null
  sidecar: { raw: string; bytes: Uint8Array } | null
  /** Why not all could be written; null when reading gives all that is wanted. */
  shortfall: string | null
}

/** Null when the files say all of it already. */
export function planWrite(input: PlanInput): Plan | null {
  const { wanted, files } = input
  const sets = differingSets(wanted, merged(files))
  if (sets.size === 0) return null
  const content = input.content === null ? null : contentWith(input, input.content, sets)
  const file = content === null ? files.file : readMetadataOf(memorySource(content), files.name)
  const left = differingSets(wanted, merged({ ...files, file }))
  if (left.size === 0) return { content, sidecar: null, shortfall: null }
  const { sidecar, damaged, missing } = sidecarWith(input, { ...files, file }, left)
  if (sidecar === null && content === null) {
    return { content, sidecar, shortfall: damaged === null ? shortfallOf(missing) : damagedSidecar }
  }
  return { content, sidecar, shortfall: shortfallOf(missing) }
}

/** A `shortfall` that somebody can mend. */
export const damagedSidecar = 'its sidecar is damaged XML: repair it or take it away, then export again'

function shortfallOf(missing: ReadonlySet<WrittenSet>): string | null {
  return missing.size === 0 ? null : `a file has no way of saying this: ${[...missing].join(', ')}`
}

function merged({ file, sidecars, ...rest }: FilesNow): ItemMetadata {
  return mergeMetadata({ ...rest, file, sidecars })
}

function tagSetsIn(sets: ReadonlySet<WrittenSet>): TagSetName[] {
  return tagSetNames.filter(name => sets.has(name))
}

/**
 * The main file with the sets written. Where older standards in it go on contradicting, because their block is damaged or
 * full, the packet is written once more and says that it tells all. Null when the file is better left alone.
 */
function contentWith(
  { wanted, files }: PlanInput,
  bytes: Uint8Array,
  sets: ReadonlySet<WrittenSet>,
): Uint8Array | null {
  const alone = { ...files, sidecars: [] }
  const picture = storedPicture(alone)
  const told = (files.file.complete ?? []).filter(name => !sets.has(name))
  const change = (complete: readonly TagSetName[]) => changedPictureFile(bytes, { wanted, sets, picture, complete })
  const first = change(told)
  if (first === null) return null
  const contradicted = tagSetsIn(
    differingSets(wanted, merged({ ...alone, file: readMetadataOf(memorySource(first), files.name) })),
  ).filter(name => sets.has(name))
  return contradicted.length === 0 ? first : change([...told, ...contradicted])
}

function sidecarWith(
  { wanted, targets }: PlanInput,
  files: FilesNow,
  left: ReadonlySet<WrittenSet>,
): { sidecar: Plan['sidecar']; damaged: string | null; missing: ReadonlySet<WrittenSet> } {
  let damaged: string | null = null
  for (const target of targets) {
    const known = files.sidecars.find(({ raw }) => raw === target.raw)
    const before = known?.data.complete ?? []
    let sets = left
    let told = before.filter(name => !left.has(name))
    let bytes: Uint8Array | null = null
    let missing: ReadonlySet<WrittenSet> = left
    // What other files go on contradicting is told once more, as all there is to say of it.
    for (let round = 0; round < 3 && missing.size > 0; round++) {
      if (round > 0) {
        sets = new Set([...sets, ...missing])
        told = tagSetNames.filter(name => told.includes(name) || missing.has(name))
      }
      const picture = storedPicture(files)
      bytes = writeXmpTags(target.bytes, { wanted, sets, picture, complete: told, padding: null })
      if (bytes === null) break
      const data = parseXmpSidecar(bytes)
      const others = files.sidecars.filter(({ raw }) => raw !== target.raw)
      const written: SidecarNow = { raw: target.raw, kind: 'xmp', data }
      const place = known === undefined ? 0 : files.sidecars.indexOf(known)
      missing = differingSets(wanted, merged({ ...files, sidecars: others.toSpliced(place, 0, written) }))
    }
    if (bytes === null) {
      damaged = target.raw
      continue
    }
    const isSame = target.bytes !== null && Buffer.from(bytes).equals(target.bytes)
    return { sidecar: isSame ? null : { raw: target.raw, bytes }, damaged, missing }
  }
  return { sidecar: null, damaged, missing: left }
}
