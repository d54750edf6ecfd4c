/** The journal of file operations, which recovery finishes or undoes if they are interrupted. */
import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const journalStates = ['planned', 'placed', 'recorded'] as const

export const journal = sqliteTable(
  'journal',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Who works on the file: the id of a job, or the negative id of a process; 0: nobody. */
    holder: integer('job_id').notNull(),
    /** Rows with the same unit are finished or undone together. */
    unit: text().notNull(),
    operation: text({ enum: ['move', 'copy', 'write', 'remove', 'replace'] }).notNull(),
    itemId: integer('item_id'),
    /** Absolute paths, as the file system's bytes: the trusted root, `//`, and the path below the root. */
    source: blob({ mode: 'buffer' }).notNull(),
    destination: blob({ mode: 'buffer' }),
    /** The temporary file, in the destination's directory. */
    temporary: blob({ mode: 'buffer' }),
    /** sha256 as hex of the content, and its size in bytes. */
    hash: text(),
    size: integer().notNull(),
    /** planned: nothing at the destination is ours; placed: the file is complete; recorded: the rows are updated. */
    state: text({ enum: journalStates }).notNull(),
    /** Milliseconds. */
    at: integer().notNull(),
  },
  t => [index('journal_unit').on(t.unit)],
)
