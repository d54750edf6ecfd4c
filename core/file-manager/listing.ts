/** Lists folders of even a hundred thousand entries: reads in chunks, sorts in runs, and sends while merging. */
import type { FileNode } from '../../schema/api/file-manager.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import { codeOf, diskError } from '../files/disk-error.ts'
import { bytesOfText, componentsOf, rawOf } from '../files/names.ts'
import { systemCalls } from '../files/system-calls.ts'
import { pathOf } from '../moving/paths.ts'
import { createDirectoryReader, type DirectoryReader } from '../survey/directory-reader.ts'
import type { WalkedEntry } from '../survey/walked-entry.ts'
import { createYielder } from './changes/yielding.ts'
import { isDotRaw } from './dot-names.ts'
import { fileFailure, noFolder } from './file-failures.ts'
import { type EntryFacts, nodeOf, wireNameOf } from './nodes.ts'
import { absoluteRaw, type FilePlace, type FilePlaces } from './places.ts'

/** A folder that has been read. `nodes` yields its entries in batches, and returns false: nothing was left out. */
export interface Listing {
  dirname: string
  nodes: AsyncGenerator<FileNode[], boolean, undefined>
}

interface Keyed {
  key: string
  facts: EntryFacts
}

/** Entries that are sorted at once, which takes some milliseconds. */
const runLength = 4_000
/** Merging more runs takes too long: the runs of a larger folder are longer. */
const maxRuns = 32
/** Entries that are sent at once. */
const batchLength = 500

function keyed(facts: EntryFacts): Keyed {
  const name = wireNameOf(facts.raw)
  // Folders first; names that differ only in case have a fixed order too.
  return { key: `${facts.kind === 'dir' ? 0 : 1}${name.toLowerCase()}\0${name}`, facts }
}

/** Merges the runs: yields the smallest of their first entries. */
function* merged(runs: readonly (readonly Keyed[])[]): Generator<EntryFacts> {
  const heads = runs.map(run => ({ run, at: 0 }))
  for (;;) {
    let best: { head: (typeof heads)[number]; one: Keyed } | null = null
    for (const head of heads) {
      const one = head.run[head.at]
      if (one !== undefined && (best === null || one.key < best.one.key)) best = { head, one }
    }
    if (best === null) return
    best.head.at++
    yield best.one.facts
  }
}

interface ListingParts {
  disk: Disk
  places: FilePlaces
  reader: DirectoryReader
}

/** Reads all entries; only those of files have their size and time. */
async function read(
  { reader }: ListingParts,
  { at }: FilePlace,
  signal: AbortSignal | undefined,
): Promise<WalkedEntry[]> {
  const yieldIfDue = createYielder(signal)
  const entries: WalkedEntry[] = []
  const directory = reader.open(bytesOfText(at.root), componentsOf(at.path) ?? [])
  try {
    while (directory.readNext(entries, isDotRaw)) await yieldIfDue()
  } finally {
    directory.close()
  }
  return entries
}

/** Adds the modification time if the entry is not a file. Null for the data directory, which is never shown. */
function listedEntry(
  disk: Disk,
  { at }: FilePlace,
  { raw, kind, size, mtimeSeconds }: WalkedEntry,
  dataIdentity: string | null,
) {
  if (kind === 'file') return { raw, kind, size, mtimeSeconds }
  try {
    const facts = disk.stat({ root: at.root, path: pathOf(at.path, raw) })
    if (facts !== null && `${facts.device}:${facts.inode}` === dataIdentity) return null
    return { raw, kind, size, mtimeSeconds: facts?.mtimeSeconds ?? 0 }
  } catch (error) {
    if (codeOf(error) === null) throw error
    return { raw, kind, size, mtimeSeconds: 0 }
  }
}

async function runsOf(
  parts: ListingParts,
  viewer: Viewer,
  folder: FilePlace,
  signal: AbortSignal | undefined,
): Promise<Keyed[][]> {
  const { disk, places } = parts
  const yieldIfDue = createYielder(signal)
  const dataIdentity = (await places.dataDirectory())?.identity ?? null
  const isHidden = await (await places.hidden(viewer)).namesIn(absoluteRaw(folder.at))
  const all = await read(parts, folder, signal)
  const entries = isHidden === null ? all : all.filter(({ raw }) => !isHidden(raw))
  const length = Math.max(runLength, Math.ceil(entries.length / maxRuns))
  const runs: Keyed[][] = []
  let run: Keyed[] = []
  const end = () => {
    if (run.length === 0) return
    runs.push(run.sort((a, b) => (a.key < b.key ? -1 : 1)))
    run = []
  }
  for (const entry of entries) {
    const facts = listedEntry(disk, folder, entry, dataIdentity)
    if (facts !== null) run.push(keyed(facts))
    if (run.length % 100 === 0) await yieldIfDue()
    if (run.length === length) end()
  }
  end()
  return runs
}

async function* entriesOf(folder: string, facts: Iterable<EntryFacts>, signal: AbortSignal | undefined) {
  const yieldIfDue = createYielder(signal)
  let batch: FileNode[] = []
  for (const one of facts) {
    batch.push(nodeOf(folder, one))
    if (batch.length < batchLength) continue
    yield batch
    batch = []
    await yieldIfDue()
  }
  if (batch.length > 0) yield batch
  return false
}

export function createListing({ disk, places }: Omit<ListingParts, 'reader'>) {
  const parts: ListingParts = { disk, places, reader: createDirectoryReader(systemCalls()) }
  return {
    /** Lists a folder, folders first, without names that begin with a dot; null is `/`, which lists the roots. */
    async list(viewer: Viewer, folder: FilePlace | null, signal?: AbortSignal): Promise<Listing> {
      requireGlobalAdmin(viewer)
      if (folder === null) {
        const facts = (await places.roots(viewer)).map(
          ({ name, mtimeSeconds }): EntryFacts => ({
            raw: rawOf(bytesOfText(name)),
            kind: 'dir',
            size: 0,
            mtimeSeconds,
          }),
        )
        return { dirname: '/', nodes: entriesOf('/', facts, signal) }
      }
      if (!folder.root.isThere) {
        throw new Failure('notFound', sentence`${folder.root.name} is not available: its disk may not be connected.`, {
          field: 'path',
        })
      }
      if (places.requireEntry(folder).kind !== 'dir') throw noFolder(folder)
      try {
        const runs = await runsOf(parts, viewer, folder, signal)
        return { dirname: folder.virtual, nodes: entriesOf(folder.virtual, merged(runs), signal) }
      } catch (error) {
        throw fileFailure(diskError(error, folder.virtual), folder, 'path')
      }
    },
  }
}
