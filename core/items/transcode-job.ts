/** Converts a video to a format that every browser plays, once, in a worker process. */
import { existsSync, statSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { items } from '../../schema/tables/items.ts'
import { findTool } from '../files/find-tool.ts'
import { joinPath } from '../files/names.ts'
import { openBelow } from '../files/open-file.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import type { Log } from '../kernel/log.ts'
import {
  findVariants,
  isStorageFailure,
  markedFilm,
  storeVariant,
  type VariantPlace,
} from '../media/cache/kept-variant.ts'
import { renditionPath } from '../media/cache/renditions.ts'
import { putTemporary, sweepTemporaries } from '../media/cache/write-file.ts'
import { MediaProblem } from '../media/media-problem.ts'
import { transcodeVideo } from '../media/video/transcode.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import { filmToConvert, takeOver, unfinishedVisitorConversions } from './item-bytes.sql.ts'

const input = z.object({
  itemId: z.int().positive(),
  /** Whether it was requested without signing in: then it has the lowest priority. */
  forVisitor: z.boolean().optional(),
})
type Input = z.output<typeof input>

/** Number of queued or running conversions that were requested without signing in. */
export function countVisitorConversions(db: Pick<LibraryDatabase, 'get'>): number {
  return db.get(unfinishedVisitorConversions)?.n ?? 0
}

/** Gives the unfinished conversion of a visitor to a user who requested the same video. */
export function takeOverConversion(tx: Transaction, job: number, userId: number | null): void {
  tx.run(takeOver, userId, job)
}

export function isForVisitor({ kind, input: text }: { kind: string; input: string }): boolean {
  return kind === 'transcode' && input.safeParse(JSON.parse(text)).data?.forVisitor === true
}

/** Path of the converted video, unless it is kept in the collection's variants path. */
export function filmPath(cache: string, content: string): string {
  return renditionPath(cache, content, 'variant', 'mp4')
}

export interface TranscodeParts {
  db: LibraryDatabase
  log: Log
  cache: string
  settings: { ffmpeg: string; ffprobe: string }
}

/** The place of the video in the variants path; null if only the cache can hold it. */
function variantPlace({ variantPath, readonly, root, ...file }: RowOfQuery<typeof filmToConvert>): VariantPlace | null {
  if (variantPath === '' || readonly === 1) return null
  return { root: variantPath, collectionPath: root, dirBytes: file.dirBytes, nameBytes: file.nameBytes }
}

/** Keeps the video in the variants path; returns whether that succeeded. */
async function storeFilm(
  log: Log,
  place: VariantPlace | null,
  film: { finished: string; content: string },
  signal: AbortSignal,
): Promise<boolean> {
  if (place === null) return false
  try {
    const { size } = statSync(film.finished)
    await storeVariant(place, 'video', film.content, markedFilm({ path: film.finished, size }, film.content, signal))
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (isStorageFailure(error))
      log.warn('a video cannot be kept in the variants path; the cache keeps it', { path: place.root, error })
    return false
  }
}

async function run({ db, log, cache, settings }: TranscodeParts, context: JobContext<Input>): Promise<JobEnd> {
  const row = db.get(filmToConvert, context.input.itemId)
  if (row === null) throw new Failure('notFound', 'The video no longer exists.')
  const target = filmPath(cache, row.content)
  const place = variantPlace(row)
  const isKept = place !== null && (await findVariants(place, 'video', row.content)).kept !== null
  if (isKept || existsSync(target)) return { state: 'done' }
  sweepTemporaries(cache)
  const path = joinPath(Buffer.from(row.root), row.dirBytes, row.nameBytes)
  const file = openBelow(row.root, path)
  try {
    await transcodeVideo({
      tools: { ffmpeg: findTool('ffmpeg', settings.ffmpeg), ffprobe: findTool('ffprobe', settings.ffprobe) },
      input: { fd: file.fd, path },
      cache,
      put: async finished => {
        if (await storeFilm(log, place, { finished, content: row.content }, context.signal)) return
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
  return jobKind({
    kind: 'transcode',
    input,
    lane: ({ itemId }) => `transcode-${itemId}`,
    // A conversion uses a processor for minutes: one at a time leaves the rest of the machine for other work.
    single: true,
    collectionId: ({ itemId }) =>
      parts.db.orm.select().from(items).where(eq(items.id, itemId)).get()?.collectionId ?? null,
    run: context => run(parts, context),
  })
}

export function canTranscode(settings: TranscodeParts['settings']): boolean {
  return findTool('ffmpeg', settings.ffmpeg) !== null
}
