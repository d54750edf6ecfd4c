/** Jobs that work on the files of one collection. */
import type { z } from 'zod'
import type { JobKind } from '../work/jobs.ts'

/** The lane of the collection's scan: a collection has one writer. */
export const laneOf = (id: number): string => `collection-${id}`

export function collectionJob<Input extends { collectionId: number }>(
  kind: string,
  input: z.ZodType<Input>,
  run: JobKind<Input>['run'],
  lane: JobKind<Input>['lane'] = ({ collectionId }) => laneOf(collectionId),
): JobKind {
  const job: JobKind<Input> = {
    kind,
    input,
    lane,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run,
  }
  return job
}
