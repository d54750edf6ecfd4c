/** One directory of a collection for writing metadata: files, sidecars, and whether they match the records. */
import type { CollectionRow } from '../collections/collections.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { ignoredName } from '../media/formats/sniff.ts'
import type { DiskFile } from '../survey/found-unit.ts'
import { unitsOf } from '../survey/group.ts'
import { isSame } from '../survey/reconcile.ts'
import { filesOf, type KnownFile, knownFiles } from '../survey/survey.ts'
import { listDirectory } from '../survey/walk.ts'

export interface MetadataDirectory {
  id: number
  /** Relative to the collection: as bytes, and for display. */
  bytes: Uint8Array
  path: string
  /** By raw name. */
  files: Map<string, DiskFile>
  /** The library's records of the files, by raw name. They may be outdated. */
  known: Map<string, KnownFile>
  /** Sidecars of an item by its main file, in the order in which a scan reads them. */
  sidecars: Map<string, string[]>
  /** Companions by main file: the RAW beside a JPEG. */
  companions: Map<string, string[]>
  /** Names of sidecars that a main file's tags may be written to, in order of preference. */
  targets(raw: string): string[]
}

const maxNameBytes = 255

/** Reads a directory; null when it does not exist, and the reason when it cannot be read. */
export function readDirectory(
  db: LibraryDatabase,
  collection: CollectionRow,
  dir: { id: number; bytes: Uint8Array; path: string },
): MetadataDirectory | string | null {
  const listing = listDirectory(collection.path, dir.bytes, { ignored: ignoredName })
  if (listing === null || listing.error !== null) return listing?.error ?? null
  const files = filesOf(listing)
  const known = knownFiles(db, dir.id)
  const { units, media, sidecars: named, sidecarsOf } = unitsOf(files, collection.pairing === 1)
  const sidecars = new Map<string, string[]>()
  const companions = new Map<string, string[]>()
  for (const unit of units) {
    const { film } = unit
    companions.set(unit.main, unit.companions)
    const isPaired = film !== null && known.get(film)?.role === 'motion'
    sidecars.set(unit.main, [...new Set([...unit.sidecars, ...(isPaired ? unit.filmSidecars : [])])])
    if (film !== null && !isPaired)
      sidecars.set(
        film,
        unit.filmSidecars.filter(raw => !unit.sidecars.includes(raw)),
      )
  }
  const uses = new Map<string, number>()
  for (const raw of media) for (const name of sidecarsOf(raw)) uses.set(name, (uses.get(name) ?? 0) + 1)

  function targets(raw: string): string[] {
    const existing = named.get(raw)?.filter(({ kind, name }) => kind === 'xmp' && isUnshared(raw, name)) ?? []
    const fresh = `${raw}.xmp`
    const isFree = raw.length + 4 <= maxNameBytes && !files.has(fresh)
    return [...existing.map(({ name }) => name), ...(isFree ? [fresh] : [])]
  }

  /** False for a sidecar of several items ('a.xmp' beside a.jpg and a.png), to which nothing is written. */
  function isUnshared(raw: string, sidecar: string): boolean {
    if ((uses.get(sidecar) ?? 0) <= 1) return true
    const mains = [...sidecars].filter(([, names]) => names.includes(sidecar)).map(([main]) => main)
    return mains.length === 1 && mains[0] === raw
  }

  return { ...dir, files, known, sidecars, companions, targets }
}

/** Whether a file matches the library's record. A file that neither exists nor is recorded counts as matching. */
export function isAsKnown({ files, known }: MetadataDirectory, raw: string): boolean {
  const now = files.get(raw)
  const before = known.get(raw)
  if (now === undefined || before === undefined) return now === undefined && before === undefined
  return isSame(now, before)
}
