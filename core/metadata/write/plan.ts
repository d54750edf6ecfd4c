/** Plans what to write so that an item's files have the wanted metadata, and verifies the result. */
import { tagSetNames } from '../../../schema/limits.ts'
import { memorySource } from '../byte-source.ts'
import type { DateContext } from '../choose-date.ts'
import { mergeMetadata, storedPicture } from '../merge.ts'
import type { Metadata } from '../metadata.ts'
import { readMetadataOf } from '../read.ts'
import { parseXmpSidecar } from '../xmp/sidecar.ts'
import { UnsafeWrite } from './file-change.ts'
import { changedFully } from './picture-file.ts'
import { differingSets, sidecarSets, type WantedTags, type WrittenSet } from './written-tags.ts'
import { writeXmpTags } from './xmp-tags.ts'

export interface FilesNow extends DateContext {
  file: Metadata
  /** Metadata of the camera's other files of the same picture. */
  companions: readonly Metadata[]
  /** In order of precedence. */
  sidecars: readonly SidecarNow[]
}

export interface SidecarNow {
  raw: string
  kind: 'xmp' | 'takeout'
  data: Metadata
}

export interface WritePlanInput {
  wanted: WantedTags
  files: FilesNow
  /** Bytes of the main file if metadata may be written into it; null: write into a sidecar. */
  content: Uint8Array | null
  /** Names for the sidecar, the best one first; `bytes` is null for a file that does not exist yet. */
  targets: readonly { raw: string; bytes: Uint8Array | null }[]
}

export interface WritePlan {
  /** New bytes of the main file; null if it is not changed. */
  content: Uint8Array | null
  sidecar: { raw: string; bytes: Uint8Array } | null
  /** Why not everything could be written; null if reading returns all wanted metadata. */
  shortfall: string | null
  /** Nothing could be written because the sidecar is damaged. A user can repair it. */
  isSidecarDamaged: boolean
  /** Why the tags are written into a sidecar and not into the file; null if there is nothing to report. */
  beside: string | null
}

/** Plans the write; null if the files already have all wanted metadata. */
export function planWrite(input: WritePlanInput): WritePlan | null {
  const { wanted, files } = input
  const sets = differingSets(wanted, mergeMetadata(files))
  // A sidecar hides a removed position only from Keepsake: other programs read it in the file.
  if (input.content !== null && hasUnwantedPosition(wanted, files.file)) sets.add('Locations')
  if (sets.size === 0) return null
  const { content, beside } = contentWith(input, sets.difference(new Set(sidecarSets)))
  const file = content === null ? files.file : readMetadataOf(memorySource(content), files.name)
  const left = differingSets(wanted, mergeMetadata({ ...files, file }))
  if (left.size === 0)
    return content === null ? null : { content, sidecar: null, shortfall: null, isSidecarDamaged: false, beside }
  const { sidecar, isDamaged, missing } = sidecarWith(input, { ...files, file }, left)
  const isSidecarDamaged = isDamaged && sidecar === null && content === null
  const shortfall = isSidecarDamaged ? damagedSidecar : shortfallOf(missing, files)
  return { content, sidecar, shortfall, isSidecarDamaged, beside }
}

const damagedSidecar = 'its sidecar is damaged XML: repair it or take it away, then export again'

function shortfallOf(missing: ReadonlySet<WrittenSet>, files: FilesNow): string | null {
  if (missing.size === 0) return null
  const boxes = storedPicture(files) === null ? [...missing].filter(name => name === 'People' || name === 'Object') : []
  const others = [...missing].filter(name => !boxes.some(box => box === name))
  return [
    boxes.length === 0
      ? null
      : `the size of the picture is not known, so only the names of ${boxes.join(', ')} are written`,
    others.length === 0 ? null : `a file has no way of saying this: ${others.join(', ')}`,
  ]
    .filter(reason => reason !== null)
    .join('; ')
}

/** Whether the file itself still has a position that should be removed. */
export function hasUnwantedPosition({ position }: WantedTags, file: Metadata): boolean {
  return position === null && file.latitude !== undefined
}

/** The main file with the sets written; null if it should not be changed. `beside`: why it cannot be changed safely. */
function contentWith(input: WritePlanInput, sets: ReadonlySet<WrittenSet>): Pick<WritePlan, 'content' | 'beside'> {
  if (input.content === null || sets.size === 0) return { content: null, beside: null }
  try {
    const content = changedContent(input, input.content, sets)
    // A write that would not change the metadata as read is omitted: it would be repeated again and again.
    return { content: content !== null && hasSameMetadata(input.files, content) ? null : content, beside: null }
  } catch (error) {
    if (error instanceof UnsafeWrite) return { content: null, beside: error.message }
    throw error
  }
}

function hasSameMetadata({ file, name }: FilesNow, content: Uint8Array): boolean {
  const serialized = ({ motionVideoOffset: _, ...metadata }: Metadata) => JSON.stringify(metadata)
  return serialized(readMetadataOf(memorySource(content), name)) === serialized(file)
}

function changedContent(
  { wanted, files }: WritePlanInput,
  bytes: Uint8Array,
  sets: ReadonlySet<WrittenSet>,
): Uint8Array | null {
  const alone = { ...files, sidecars: [] }
  const complete = (files.file.complete ?? []).filter(name => !sets.has(name))
  return changedFully(bytes, { wanted, sets, picture: storedPicture(alone), complete }, changed =>
    mergeMetadata({ ...alone, file: readMetadataOf(memorySource(changed), files.name) }),
  )
}

function sidecarWith(
  { wanted, targets }: WritePlanInput,
  files: FilesNow,
  left: ReadonlySet<WrittenSet>,
): { sidecar: WritePlan['sidecar']; isDamaged: boolean; missing: ReadonlySet<WrittenSet> } {
  let isDamaged = false
  for (const target of targets) {
    const known = files.sidecars.find(({ raw }) => raw === target.raw)
    const before = known?.data.complete ?? []
    let sets = left
    let complete = before.filter(name => !left.has(name))
    let bytes: Uint8Array | null = null
    let missing: ReadonlySet<WrittenSet> = left
    // Values that other files still contradict are written again, declared complete.
    for (let round = 0; round < 3 && missing.size > 0; round++) {
      if (round > 0) {
        sets = new Set([...sets, ...missing])
        complete = tagSetNames.filter(name => complete.includes(name) || missing.has(name))
      }
      const picture = storedPicture(files)
      bytes = writeXmpTags(target.bytes, { wanted, sets, picture, complete, padding: null })
      if (bytes === null) break
      const data = parseXmpSidecar(bytes)
      const others = files.sidecars.filter(({ raw }) => raw !== target.raw)
      const written: SidecarNow = { raw: target.raw, kind: 'xmp', data }
      const place = known === undefined ? 0 : files.sidecars.indexOf(known)
      missing = differingSets(wanted, mergeMetadata({ ...files, sidecars: others.toSpliced(place, 0, written) }))
    }
    if (bytes === null) {
      isDamaged = true
      continue
    }
    const isSame = target.bytes !== null && Buffer.from(bytes).equals(target.bytes)
    return { sidecar: isSame ? null : { raw: target.raw, bytes }, isDamaged, missing }
  }
  return { sidecar: null, isDamaged, missing: left }
}
