/** A job of the API from its row. */
import { hostname } from 'node:os'
import { z } from 'zod'
import type { Job } from '../../schema/api/jobs.ts'
import type { jobs } from '../../schema/tables/jobs.ts'
import { isRunning, ownIdentity } from '../kernel/process-identity.ts'

export type JobRow = typeof jobs.$inferSelect

const countsShape = z.record(z.string(), z.number())

export function jobJson(row: JobRow): Job {
  const counts = countsShape.safeParse(JSON.parse(row.counts))
  return {
    id: row.id,
    kind: row.kind,
    collection_id: row.collectionId,
    state: row.state,
    done: row.done,
    total: row.total,
    message: row.message,
    counts: counts.success ? counts.data : {},
    problems: row.problems,
    error: row.error,
    created: row.createdAt,
    started: row.startedAt,
    finished: row.finishedAt,
  }
}

/** The lanes of a job, which holds all of them or none. */
export function lanesOf(lane: string | null): string[] {
  return lane === null ? [] : lane.split(' ')
}

/** Identifies the owner of jobs that run here: the machine, the process, and a random part for each `createJobs`. */
export function ownerHere(): string {
  return `${hostname()} ${ownIdentity()} ${crypto.randomUUID()}`
}

/** Whether the process that owns a lease has ended. False for another machine, where only the lease can show it. */
export function ownerIsGone(owner: string | null): boolean {
  if (owner === null) return true
  const [host, identity] = owner.split(' ')
  return host === hostname() && identity !== undefined && !isRunning(Number(identity))
}
