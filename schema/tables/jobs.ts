/** Jobs, one row each, and the files that they had problems with. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled', 'stopped'] as const
export type JobState = (typeof jobStates)[number]

export const jobs = sqliteTable(
  'jobs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text().notNull(),
    /** Its collection; null for the whole library. */
    collectionId: integer('collection_id'),
    /** JSON. */
    input: text().notNull(),
    /** At most one running job has the same lane, so that a collection has one writer. Null: no restriction. */
    lane: text(),
    state: text({ enum: jobStates }).notNull(),
    done: integer().notNull().default(0),
    /** Null while unknown. */
    total: integer(),
    message: text().notNull().default(''),
    /** JSON: counts that depend on the kind (found, new, changed …). */
    counts: text().notNull().default('{}'),
    problems: integer().notNull().default(0),
    error: text(),
    /** The process that runs the job, and when its lease ends (milliseconds). */
    owner: text(),
    leaseUntil: integer('lease_until').notNull().default(0),
    cancel: integer({ mode: 'boolean' }).notNull().default(false),
    attempts: integer().notNull().default(0),
    userId: integer('user_id'),
    /** Milliseconds. */
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    finishedAt: integer('finished_at'),
  },
  t => [
    uniqueIndex('jobs_lane').on(t.lane).where(sql`state = 'running' AND lane IS NOT NULL`),
    index('jobs_state').on(t.state, t.id),
    index('jobs_collection').on(t.collectionId, t.id),
  ],
)

/** Current problems of files. A row is deleted when its problem is solved. */
export const problems = sqliteTable(
  'problems',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    jobId: integer('job_id'),
    collectionId: integer('collection_id').notNull(),
    itemId: integer('item_id'),
    /** Relative to the collection, for display. */
    path: text().notNull(),
    code: text().notNull(),
    reason: text().notNull(),
    /** Milliseconds. */
    at: integer().notNull(),
  },
  t => [uniqueIndex('problems_path').on(t.collectionId, t.path, t.code), index('problems_item').on(t.itemId)],
)
