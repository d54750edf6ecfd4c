/** Makes a film that every browser plays of one that not every browser does, once, in a worker process. */
import { existsSync, statSync } from 'node:fs'
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { findTool } from '../files/find-tool.ts'
import { joinPath } from '../files/names.ts'
import { openBelow } from '../files/open-file.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import {
  findVariants,
  isTroubleOfKeeping,
  keepVariant,
  markedFilm,
  type VariantPlace,
} from '../media/cache/kept-variant.ts'
import { renditionPath } from '../media/cache/renditions.ts'
import { putTemporary, sweepTemporaries } from '../media/cache/write-file.ts'
import { MediaProblem } from '../media/media-problem.ts'
import { transcodeVideo } from '../media/video/transcode.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'

const input = z.object({
  itemId: z.int().positive(),
  /** Asked for by somebody who is not signed in: it waits behind all others. */
  forVisitor: z.boolean().optional(),
})
type Input = z.output<typeof input>

const forVisitors = "kind = 'transcode' AND json_extract(input, '$.forVisitor') = 1"

/** How many conversions wait or run that people asked for who are not signed in. */
export function conversionsForVisitors(db: Pick<LibraryDatabase, 'get'>): number {
  const sql = `SELECT count(*) AS n FROM jobs WHERE state IN ('queued', 'running') AND ${forVisitors}`
  return db.get<{ n: number }>(sql)?.n ?? 0
}

/** A conversion that waits for a visitor becomes that of a user, who asked for the same film. */
export function takeOverConversion(tx: Transaction, job: number, userId: number | null): void {
  tx.run(
    `UPDATE jobs SET input = json_remove(input, '$.forVisitor'), user_id = ? WHERE id = ? AND ${forVisitors}`,
    userId,
    job,
  )
}

/** Does this job wait behind all others? */
export function isForVisitor({ kind, input: text }: { kind: string; input: string }): boolean {
  return kind === 'transcode' && input.safeParse(JSON.parse(text)).data?.forVisitor === true
}

/** Where the converted film lies once it is made, unless it is kept in the collection's variants path. */
export function filmPath(cache: string, content: string): string {
  return renditionPath(cache, content, 'variant', 'mp4')
}

interface FilmRow {
  collection_id: number
  content: string
  root: string
  path_variant: string
  readonly: number
  dir_bytes: Uint8Array
  name_bytes: Uint8Array
}

export interface TranscodeParts {
  db: LibraryDatabase
  log: Log
  cache: string
  settings: { ffmpeg: string; ffprobe: string }
}

/** Where the film is to be kept; null where only the cache is left. */
function placeOf(row: FilmRow): VariantPlace | null {
  if (row.path_variant === '' || row.readonly === 1) return null
  const { path_variant: root, root: collectionPath, dir_bytes: dirBytes, name_bytes: nameBytes } = row
  return { root, collectionPath, dirBytes, nameBytes }
}

/** Is it kept in the variants path now? */
async function kept(
  log: Log,
  place: VariantPlace | null,
  film: { finished: string; content: string },
  signal: AbortSignal,
): Promise<boolean> {
  if (place === null) return false
  try {
    const { size } = statSync(film.finished)
    await keepVariant(place, 'video', film.content, markedFilm({ path: film.finished, size }, film.content, signal))
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (isTroubleOfKeeping(error))
      log.warn('a film cannot be kept in the variants path; the cache has it', { path: place.root, error })
    return false
  }
}

async function run({ db, log, cache, settings }: TranscodeParts, context: JobContext<Input>): Promise<JobEnd> {
  const row = db.get<FilmRow>(
    `SELECT i.collection_id, i.content, c.path AS root, c.path_variant, c.readonly, d.path_bytes AS dir_bytes, f.name_bytes
     FROM items AS i JOIN collections AS c ON c.id = i.collection_id JOIN files AS f ON f.item_id = i.id AND f.role = 'main'
     JOIN dirs AS d ON d.id = f.dir_id WHERE i.id = ?`,
    context.input.itemId,
  )
  if (row === null) throw new Failure('notFound', 'The film is gone.')
  const target = filmPath(cache, row.content)
  const place = placeOf(row)
  const isKept = place !== null && (await findVariants(place, 'video', row.content)).kept !== null
  if (isKept || existsSync(target)) return { state: 'done' }
  sweepTemporaries(cache)
  const file = openBelow(row.root, joinPath(Buffer.from(row.root), row.dir_bytes, row.name_bytes))
  try {
    await transcodeVideo({
      tools: { ffmpeg: findTool('ffmpeg', settings.ffmpeg), ffprobe: findTool('ffprobe', settings.ffprobe) },
      input: { fd: file.fd, path: joinPath(Buffer.from(row.root), row.dir_bytes, row.name_bytes) },
      cache,
      put: async finished => {
        if (await kept(log, place, { finished, content: row.content }, context.signal)) return
        await putTemporary(finished, target)
      },
      threads: 1,
      signal: context.signal,
      onProgress: (done, total) =>
        context.progress({ done: Math.round(done), total: total === null ? null : Math.round(total) }),
    })
  } catch (error) {
    if (error instanceof MediaProblem) throw new Failure('invalid', error.message, { cause: error })
    throw error
  } finally {
    file.close()
  }
  return { state: 'done' }
}

export function transcodeJob(parts: TranscodeParts): JobKind {
  const kind: JobKind<Input> = {
    kind: 'transcode',
    input,
    lane: ({ itemId }) => `transcode-${itemId}`,
    // Each takes a processor for minutes, and leaves the rest of the machine to everything else.
    single: true,
    collectionId: ({ itemId }) =>
      parts.db.get<{ collection_id: number }>('SELECT collection_id FROM items WHERE id = ?', itemId)?.collection_id ??
      null,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}

/** Is there anything to convert films with? */
export function canTranscode(settings: TranscodeParts['settings']): boolean {
  return findTool('ffmpeg', settings.ffmpeg) !== null
}
