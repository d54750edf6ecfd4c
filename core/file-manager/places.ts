/** What the file manager may access: its roots, and entries at virtual paths. Every action starts here. */
import { basename } from 'node:path'
import { Failure, sentence } from '../../schema/errors.ts'
import { requireGlobalAdmin, showsHiddenTo, unlockFirst, type Viewer } from '../accounts/access.ts'
import { type CollectionRow, collectionsById } from '../collections/collections.sql.ts'
import type { DiskPlace } from '../files/anchor.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { bytesOfText, joinPath, rawOf } from '../files/names.ts'
import { isWithin } from '../files/overlap.ts'
import { createDirectoryLookup, identityOfDirectory, type RealDirectory } from '../files/real-directory.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { splitPath } from '../moving/paths.ts'
import { isDotRaw } from './dot-names.ts'
import { fileFailure, missingFailure } from './file-failures.ts'
import { type HiddenFiles, type HidingDirectory, hiddenFilesFor, pathBelow } from './hidden-files.ts'
import { namesOfVirtual, virtualOf } from './virtual-path.ts'

/** A folder that `/` lists. */
export interface Root {
  /** Name that is unique among the roots. */
  name: string
  /** Absolute path without links; as configured while it does not exist. */
  directory: string
  /** The collection whose directory the root is. */
  collection: CollectionRow | null
  isThere: boolean
  /** Seconds since 1970; 0 while the directory does not exist. */
  mtimeSeconds: number
}

/** A path at or below a root, which need not exist. */
export interface FilePlace {
  root: Root
  /** For core/files: the root's directory, and the path below it as bytes; an empty one is the root itself. */
  at: DiskPlace & { root: string; path: Buffer }
  /** The innermost collection that contains the place, or whose directory it is. */
  collection: CollectionRow | null
  /** The path as bytes below that collection's directory, empty for the directory itself; null without a collection. */
  inCollection: Buffer | null
  /** Path in the encoding of the protocol: `/Root name/sub/file`. */
  virtual: string
  /** The last name in the encoding of the protocol. */
  name: string
  /** Whether the place is, or is below, a file of an item hidden from the user: `requireEntry` then finds nothing. */
  isHidden: boolean
}

/** What must not be moved or removed, at or below a place. */
export interface Holdings {
  /** Whether the data directory, or a root of the settings, is at the place or below it. */
  holdsOwn: boolean
  /** Collections whose directory, or variants path, is at the place or below it. */
  collections: CollectionRow[]
}

interface CollectionDirectory {
  row: CollectionRow
  /** Bytes of the directory's real path as text, one character each. */
  raw: string
}

const rawOfText = (path: string) => rawOf(bytesOfText(path))

/** Replaces separators in the name of a root, so that it is a single name in a path. */
function plainName(name: string): string {
  const plain = name.replace(/[/\\\p{Cc}]/gu, '_').trim()
  return plain === '' || plain === '.' || plain === '..' ? '_' : plain
}

/** Makes names unique: the second `Photos` is `Photos (2)`. */
function createNamer(): (name: string) => string {
  const taken = new Set<string>()
  return name => {
    for (let n = 1; ; n++) {
      const tried = n === 1 ? plainName(name) : `${plainName(name)} (${n})`
      const key = tried.normalize('NFC').toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return tried
    }
  }
}

/** An absolute path, one character per byte. */
export function absoluteRaw({ root, path }: { root: string; path: Uint8Array }): string {
  return rawOf(joinPath(bytesOfText(root), path))
}

interface PlaceParts {
  db: LibraryDatabase
  disk: Disk
  data: string
  roots: readonly string[]
  realDirectory: (path: string) => Promise<RealDirectory | null>
}

interface Layout {
  roots: Root[]
  owned: CollectionDirectory[]
  data: RealDirectory | null
}

interface ViewerLayout {
  found: Layout
  hidden: HiddenFiles
}

/** Whether a directory is the data directory (also if it is mounted elsewhere), or is inside it. */
const isInData = (data: RealDirectory, raw: string, identity: string | undefined) =>
  identity === data.identity || isWithin(raw, rawOfText(data.path))

/** Current paths of roots and collections: links on the way to them may have changed since the last request. */
async function loadLayout({ db, data, roots: configured, realDirectory }: PlaceParts): Promise<Layout> {
  const dataDirectory = await realDirectory(data)
  const wanted = [
    ...configured.map(path => ({ path, row: null })),
    ...db.all(collectionsById).map(row => ({ path: row.path, row })),
  ]
  const found = await Promise.all(wanted.map(async one => ({ ...one, real: await realDirectory(one.path) })))
  const nameOf = createNamer()
  const roots: Root[] = []
  for (const { path, row, real } of found) {
    const directory = real?.path ?? path
    if (dataDirectory !== null && isInData(dataDirectory, rawOfText(directory), real?.identity)) continue
    const same = roots.find(root => root.directory === directory)
    if (same !== undefined) {
      // A collection's directory that is also configured as a root is listed once, with the collection's name.
      if (row !== null && same.collection === null) Object.assign(same, { name: nameOf(row.name), collection: row })
      continue
    }
    const name = nameOf(row?.name ?? (basename(directory) || directory))
    const mtimeSeconds = real?.mtimeSeconds ?? 0
    roots.push({ name, directory, collection: row, isThere: real !== null, mtimeSeconds })
  }
  const owned = found.flatMap(({ row, path, real }) =>
    row === null ? [] : [{ row, raw: rawOfText(real?.path ?? path) }],
  )
  return { roots: roots.sort((a, b) => a.name.localeCompare(b.name)), owned, data: dataDirectory }
}

/** The innermost collection that contains an absolute path, and the path below its directory. */
function ownerOf({ owned }: Layout, raw: string): { collection: CollectionRow; path: Buffer } | null {
  const [owner] = owned.filter(one => isWithin(raw, one.raw)).sort((a, b) => b.raw.length - a.raw.length)
  if (owner === undefined) return null
  return { collection: owner.row, path: pathBelow(raw, owner.raw) }
}

function placeAt(found: Layout, root: Root, names: readonly Buffer[]): FilePlace {
  const at = { root: root.directory, path: joinPath(...names) }
  const owner = ownerOf(found, absoluteRaw(at))
  const virtual = virtualOf([bytesOfText(root.name), ...names])
  return {
    root,
    at,
    collection: owner?.collection ?? null,
    inCollection: owner?.path ?? null,
    virtual,
    name: virtual.slice(virtual.lastIndexOf('/') + 1),
    isHidden: false,
  }
}

function variantsOf(
  { realDirectory }: PlaceParts,
  owned: readonly CollectionDirectory[],
): Promise<(RealDirectory | null)[]> {
  return Promise.all(
    owned.map(async ({ row }) => (row.path_variant === '' ? null : await realDirectory(row.path_variant))),
  )
}

/** The files that are hidden from the viewer, in collections and in the directories of their edited versions. */
async function hiddenIn(parts: PlaceParts, viewer: Viewer, { owned }: Layout): Promise<HiddenFiles> {
  const variants = showsHiddenTo(viewer) ? [] : await variantsOf(parts, owned)
  const directories = owned.flatMap(({ row: { id }, raw }, n): HidingDirectory[] => {
    const path = variants[n]?.path
    const ofVariants = path === undefined ? [] : [{ id, path: rawOfText(path), isVariants: true }]
    return [{ id, path: raw, isVariants: false }, ...ofVariants]
  })
  return hiddenFilesFor(parts.db, viewer, directories)
}

/** Whether one of the names on the path is a hidden file. */
function leadsToHidden(hidden: HiddenFiles, { directory }: Root, names: readonly Buffer[]): boolean {
  return names.some((name, n) =>
    hidden.has(absoluteRaw({ root: directory, path: joinPath(...names.slice(0, n)) }), rawOf(name)),
  )
}

/** Whether the data directory is on the path, wherever it is mounted. Stops at a link, which is not followed. */
async function leadsToData({ data: own }: Layout, root: Root, names: readonly Buffer[]): Promise<boolean> {
  if (own === null) return false
  let path = bytesOfText(root.directory)
  for (const name of names) {
    path = joinPath(path, name)
    if (isWithin(rawOf(path), rawOfText(own.path))) return true
    const identity = await identityOfDirectory(path)
    if (identity === null) return false
    if (identity === own.identity) return true
  }
  return false
}

async function findIn({ found, hidden }: ViewerLayout, virtual: string, field: string): Promise<FilePlace | null> {
  const [rootName, ...names] = namesOfVirtual(virtual, field)
  if (rootName === undefined) return null
  const root = found.roots.find(one => bytesOfText(one.name).equals(rootName))
  const isShown = root !== undefined && !names.some(name => isDotRaw(rawOf(name)))
  if (!isShown || (await leadsToData(found, root, names))) throw missingFailure(virtualOf([rootName, ...names]), field)
  return { ...placeAt(found, root, names), isHidden: leadsToHidden(hidden, root, names) }
}

async function layoutFor(parts: PlaceParts, viewer: Viewer): Promise<ViewerLayout> {
  const found = await loadLayout(parts)
  return { found, hidden: await hiddenIn(parts, viewer, found) }
}

/** Finds what the library needs at or below a place that is to be moved or removed. */
async function holdings(parts: PlaceParts, { at }: FilePlace): Promise<Holdings> {
  const found = await loadLayout(parts)
  const raw = absoluteRaw(at)
  const isInside = (path: string) => isWithin(rawOfText(path), raw)
  // A path that is configured through a link breaks with the link, wherever the link points.
  const isOver = ({ row }: CollectionDirectory) =>
    isInside(row.path) || (row.path_variant !== '' && isInside(row.path_variant))
  const variants = await variantsOf(parts, found.owned)
  const holds = (one: CollectionDirectory, n: number) =>
    isWithin(one.raw, raw) || isOver(one) || (variants[n] != null && isInside(variants[n].path))
  return {
    holdsOwn:
      [parts.data, ...parts.roots].some(isInside) ||
      (found.data !== null && isInside(found.data.path)) ||
      found.roots.some(root => root.collection === null && isInside(root.directory)),
    collections: found.owned.filter(holds).map(({ row }) => row),
  }
}

export function createFilePlaces(given: Omit<PlaceParts, 'realDirectory'>) {
  const parts: PlaceParts = { ...given, realDirectory: createDirectoryLookup() }
  const { disk } = parts
  const hiddenFrom = async (viewer: Viewer): Promise<HiddenFiles> => (await layoutFor(parts, viewer)).hidden

  return {
    /** The files that are hidden from the viewer, for listings. */
    hidden: hiddenFrom,

    /** Throws 409 if a hidden file has the requested name. */
    async requireUnhidden(viewer: Viewer, { at: { root, path } }: FilePlace, field = 'name'): Promise<void> {
      const { dir, name } = splitPath(path)
      if ((await hiddenFrom(viewer)).has(absoluteRaw({ root, path: dir }), rawOf(name))) throw unlockFirst(field)
    },

    /** Throws 409 if one of the folders contains files of hidden items: it may not be changed as a whole. */
    async requireNoneHidden(viewer: Viewer, list: readonly FilePlace[], field = 'items'): Promise<void> {
      const hidden = await hiddenFrom(viewer)
      for (const { at, isHidden } of list) if (!isHidden && hidden.isBelow(absoluteRaw(at))) throw unlockFirst(field)
    },

    /** Lists the folders of `/`, by name. */
    async roots(viewer: Viewer): Promise<Root[]> {
      requireGlobalAdmin(viewer)
      return (await loadLayout(parts)).roots
    },

    /** Resolves a virtual path; null for `/`. Throws 400 for an invalid path, 404 for an unknown or secret one. */
    async find(viewer: Viewer, virtual: string, field = 'path'): Promise<FilePlace | null> {
      requireGlobalAdmin(viewer)
      return findIn(await layoutFor(parts, viewer), virtual, field)
    },

    /** Like `find`, for many paths at once; `/` itself is not allowed (403). */
    async findAll(viewer: Viewer, virtuals: readonly string[], field = 'path'): Promise<FilePlace[]> {
      requireGlobalAdmin(viewer)
      const seen = await layoutFor(parts, viewer)
      const places: FilePlace[] = []
      for (const virtual of virtuals) {
        const place = await findIn(seen, virtual, field)
        if (place === null) throw topFailure(field)
        places.push(place)
      }
      return places
    },

    within(folder: FilePlace, path: Uint8Array): FilePlace {
      const name = virtualOf([path]).slice(1)
      return {
        ...folder,
        at: { root: folder.at.root, path: joinPath(folder.at.path, path) },
        inCollection: folder.inCollection === null ? null : joinPath(folder.inCollection, path),
        virtual: `${folder.virtual}/${name}`,
        name,
        isHidden: false,
      }
    },

    /** The innermost collection that contains an absolute path, and the path below its directory; null without one. */
    inCollection: async (path: Uint8Array) => ownerOf(await loadLayout(parts), rawOf(path)),

    /** The entry at a place; 404 if there is none, 403 for a link there or on the path. */
    requireEntry(place: FilePlace, field = 'path'): PlaceFacts & { kind: 'file' | 'dir' } {
      const { kind, ...facts } = entryAt(disk, place, field)
      if (kind === 'link')
        throw new Failure('denied', sentence`${place.virtual} is a link: links are not followed.`, { field })
      return { ...facts, kind }
    },

    /** Like `requireEntry`, for the entry itself: a link there is returned, a link on the path is rejected. */
    requireEntryOrLink: (place: FilePlace, field = 'path') => entryAt(disk, place, field),

    holdings: (place: FilePlace): Promise<Holdings> => holdings(parts, place),

    dataDirectory: () => parts.realDirectory(parts.data),
  }
}

export type FilePlaces = ReturnType<typeof createFilePlaces>

/** `/` is not a folder of a disk: it lists the roots, and nothing can be changed in it. */
export function topFailure(field = 'path'): Failure {
  return new Failure('denied', "'/' lists the configured folders and the collections: open one of them first.", {
    field,
  })
}

function entryAt(disk: Disk, place: FilePlace, field: string): PlaceFacts & { kind: 'file' | 'dir' | 'link' } {
  const facts = place.isHidden ? null : statPlace(disk, place, field)
  if (facts === null) throw missingFailure(place.virtual, field)
  const { kind } = facts
  if (kind === 'other')
    throw new Failure('denied', sentence`${place.virtual} is neither a file nor a folder.`, { field })
  return { ...facts, kind }
}

function statPlace(disk: Disk, place: FilePlace, field: string): PlaceFacts | null {
  try {
    if (place.at.path.length > 0) return disk.stat(place.at)
    const device = disk.deviceOf(place.at)
    return device === null ? null : { kind: 'dir', size: 0, mtimeSeconds: 0, mtimeNanoseconds: 0, device, inode: '' }
  } catch (error) {
    throw fileFailure(error, place, field)
  }
}
