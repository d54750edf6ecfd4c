/** Lists folders, also those with a hundred thousand entries: read in pieces, sorted in runs, told as they are merged. */
import type { FileNode } from '../../schema/api/file-manager.ts'
import { Failure } from '../../schema/errors.ts'
import { demandGlobalAdmin, type Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import { codeOf, diskError } from '../files/disk-error.ts'
import { bytesOfText, componentsOf, joinPath, rawOf } from '../files/names.ts'
import { systemCalls } from '../files/system-calls.ts'
import { createDirectoryReader } from '../survey/directory-reader.ts'
import type { WalkedEntry } from '../survey/walked-entry.ts'
import { taker } from './changes/turns.ts'
import { isDotRaw } from './dot-names.ts'
import { fileFailure } from './file-failures.ts'
import { type EntryFacts, nodeOf, wireNameOf } from './nodes.ts'
import type { Place, Places } from './places.ts'

/** A folder that has been read; `nodes` tells what is in it, some at a time. It returns false: there is no more. */
export interface Listing {
  dirname: string
  nodes: AsyncGenerator<FileNode[], boolean, undefined>
}

interface Keyed {
  key: string
  facts: EntryFacts
}

/** Sorting so many takes some milliseconds; merging many runs takes long. And so many are told at once. */
const runLength = 4_000
const mostRuns = 32
const batchLength = 500

function keyed(facts: EntryFacts): Keyed {
  const name = wireNameOf(facts.raw)
  // Folders first; what differs in case alone has an order too.
  return { key: `${facts.kind === 'dir' ? 0 : 1}${name.toLowerCase()}\0${name}`, facts }
}

/** The first of each run, smallest first. */
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

export function createListing({ disk, places }: { disk: Disk; places: Places }) {
  const reader = createDirectoryReader(systemCalls())

  /** All entries; directories are told without their times. */
  async function read(folder: Place, signal: AbortSignal | undefined): Promise<WalkedEntry[]> {
    const takeTurn = taker(signal)
    const entries: WalkedEntry[] = []
    const directory = reader.open(bytesOfText(folder.at.root), componentsOf(folder.at.path) ?? [])
    try {
      while (directory.readSome(entries, raw => isDotRaw(raw))) await takeTurn()
    } finally {
      directory.close()
    }
    return entries
  }

  /** What a directory's entry leaves open; null for the data directory, which nobody is shown. */
  function looked(folder: Place, { raw, kind, size, mtimeSeconds }: WalkedEntry, hidden: string | null) {
    if (kind === 'file') return { raw, kind, size, mtimeSeconds }
    try {
      const facts = disk.stat({ root: folder.at.root, path: joinPath(folder.at.path, Buffer.from(raw, 'latin1')) })
      if (facts !== null && `${facts.device}:${facts.inode}` === hidden) return null
      return { raw, kind, size, mtimeSeconds: facts?.mtimeSeconds ?? 0 }
    } catch (error) {
      if (codeOf(error) === null) throw error
      return { raw, kind, size, mtimeSeconds: 0 }
    }
  }

  async function runsOf(viewer: Viewer, folder: Place, signal: AbortSignal | undefined): Promise<Keyed[][]> {
    const takeTurn = taker(signal)
    const hidden = (await places.dataDirectory())?.identity ?? null
    const isHidden = await (await places.hidden(viewer)).namesIn(
      rawOf(joinPath(bytesOfText(folder.at.root), folder.at.path)),
    )
    const all = await read(folder, signal)
    const entries = isHidden === null ? all : all.filter(({ raw }) => !isHidden(raw))
    const length = Math.max(runLength, Math.ceil(entries.length / mostRuns))
    const runs: Keyed[][] = []
    let run: Keyed[] = []
    const end = () => {
      if (run.length === 0) return
      runs.push(run.sort((a, b) => (a.key < b.key ? -1 : 1)))
      run = []
    }
    for (const entry of entries) {
      const facts = looked(folder, entry, hidden)
      if (facts !== null) run.push(keyed(facts))
      if (run.length % 100 === 0) await takeTurn()
      if (run.length === length) end()
    }
    end()
    return runs
  }

  async function* told(folder: string, facts: Iterable<EntryFacts>, signal: AbortSignal | undefined) {
    const takeTurn = taker(signal)
    let batch: FileNode[] = []
    for (const one of facts) {
      batch.push(nodeOf(folder, one))
      if (batch.length < batchLength) continue
      yield batch
      batch = []
      await takeTurn()
    }
    if (batch.length > 0) yield batch
    return false
  }

  async function top(viewer: Viewer): Promise<EntryFacts[]> {
    const roots = await places.roots(viewer)
    return roots.map(({ name, mtimeSeconds }) => ({
      raw: rawOf(bytesOfText(name)),
      kind: 'dir',
      size: 0,
      mtimeSeconds,
    }))
  }

  return {
    /** What is in a folder, folders first; null is `/`, which lists the roots. Names that begin with a dot are left out. */
    async list(viewer: Viewer, folder: Place | null, signal?: AbortSignal): Promise<Listing> {
      demandGlobalAdmin(viewer)
      if (folder === null) return { dirname: '/', nodes: told('/', await top(viewer), signal) }
      if (!folder.root.isThere) {
        throw new Failure('notFound', `${folder.root.name} cannot be reached now: its disk may not be connected.`, {
          field: 'path',
        })
      }
      if (places.look(folder).kind !== 'dir') {
        throw new Failure('invalid', `${folder.virtual} is a file, not a folder.`, { field: 'path' })
      }
      try {
        const runs = await runsOf(viewer, folder, signal)
        return { dirname: folder.virtual, nodes: told(folder.virtual, merged(runs), signal) }
      } catch (error) {
        throw fileFailure(diskError(error, folder.virtual), folder, 'path')
      }
    },
  }
}
