/** Thumbnails of files that are not items: made like those of items, and cached with files made on demand. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DecodeResult, DecodeTask } from '../decode/decode.ts'
import { type FixedSize, madeDirectory, renditionPath } from './renditions.ts'

export interface LooseFile {
  /** A path by which another process can open the file, until the function that `keep` returned is called. */
  path: string
  /** Keeps the file open; the returned function releases it. */
  keep(): () => void
  /** Changes with the content: device, inode, size and time. */
  identity: string
  name: string
}

export interface LooseRendition {
  path: string
  /** Bytes. */
  size: number
}

/** Maximum number of pictures that are known without opening their files. */
const maxKnown = 10_000

/** Decodes a file in the requester's turn; `name` and `onEnd` as in server/bytes/fair-queue.ts. */
export type DecodeInTurn<Requester> = (
  name: string,
  task: DecodeTask,
  requester: Requester,
  onEnd: () => void,
) => Promise<DecodeResult>

export function createLooseRenditions<Requester>({
  cache,
  decode,
}: {
  cache: string
  decode: DecodeInTurn<Requester>
}) {
  const directory = join(madeDirectory(cache), 'loose')
  /** Paths by identity and size, oldest first; null for files that cannot be drawn. */
  const known = new Map<string, string | null>()

  function remember(key: string, path: string | null) {
    known.delete(key)
    known.set(key, path)
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break
      known.delete(oldest)
    }
  }

  /** Null if the rendition was removed from the cache meanwhile. */
  function existing(path: string): LooseRendition | null {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? null : { path, size: found.size }
  }

  async function make(
    { path, name, keep }: LooseFile,
    { key, size, requester }: { key: string; size: FixedSize; requester: Requester },
  ): Promise<LooseRendition | null> {
    const task = { path: Buffer.from(path), name, kind: 'image', cache: directory, metadata: false } as const
    const { content, kind, made } = await decode(`loose ${key}`, { ...task, sizes: [size] }, requester, keep())
    const isDrawn = kind === 'image' && content !== undefined && made.includes(size)
    const found = isDrawn ? existing(renditionPath(directory, content, size)) : null
    remember(key, found?.path ?? null)
    return found
  }

  return {
    /** A picture of that size (webp); null if the file cannot have one. Throws errors of `decode`. */
    async picture(file: LooseFile, size: FixedSize, requester: Requester): Promise<LooseRendition | null> {
      const key = `${size} ${file.identity}`
      const before = known.get(key)
      if (before === null) return null
      const kept = before === undefined ? null : existing(before)
      return kept ?? make(file, { key, size, requester })
    },
  }
}
