/** What a kind of job declares, and what a running job receives. */
import type { z } from 'zod'

export interface JobContext<Input> {
  jobId: number
  input: Input
  /** Aborted when the job is cancelled, or the process must end. */
  signal: AbortSignal
  /** Reports progress; written at most twice a second, so it may be called for every file. */
  progress(now: Progress): void
}

export interface Progress {
  done?: number
  total?: number | null
  message?: string
  counts?: Record<string, number>
}

/** How a job ended without failing: `stopped` is a safety stop, which a user has to check. */
export interface JobEnd {
  state: 'done' | 'stopped'
  message?: string
  /** Number of problems that the job found; they do not make it fail. */
  problems?: number
}

export interface JobKind<Input = unknown> {
  kind: string
  input: z.ZodType<Input>
  /** At most one running job per lane; null: any number may run at once. Several lanes are separated by spaces. */
  lane(input: Input): string | null
  collectionId(input: Input): number | null
  /** Whether only one job of this kind runs at a time, whatever it works on. */
  single?: boolean
  /** What happens after its process died: the job can be run again from the start, or it ends as failed. */
  afterRestart: 'resume' | 'fail'
  run(context: JobContext<Input>): Promise<JobEnd>
}

type Declaration<Input> = Pick<JobKind<Input>, 'kind' | 'run'> & Partial<Omit<JobKind<Input>, 'kind' | 'run' | 'input'>>

/** A kind of work that by default holds no lane, has no collection, and continues after a restart. */
export function jobKind<Shape extends z.ZodType>(kind: Declaration<z.output<Shape>> & { input: Shape }): JobKind {
  return { lane: () => null, collectionId: () => null, afterRestart: 'resume', ...kind }
}

/** Work on the files of one collection: a collection has one writer, so its scan and all other jobs share a lane. */
export const onCollection = {
  lane: ({ collectionId }: { collectionId: number }) => `collection-${collectionId}`,
  collectionId: ({ collectionId }: { collectionId: number }) => collectionId,
}
