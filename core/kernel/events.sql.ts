/** Statements on the outbox, the table `events`. */
import { events } from '../../schema/tables/changes.ts'
import { number, select } from './database/statement.ts'

/** Binds the id to start after, the last id, channels and patterns of names (both JSON), and the maximum number. */
export const eventsOnChannels = select(
  { id: events.id, at: events.at, channel: events.channel, message: events.message },
  `FROM events WHERE id > ? AND id <= ?
     AND (channel IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM json_each(?) WHERE channel GLOB value))
   ORDER BY id LIMIT ?`,
)

/** Id of the newest event ever written, even if it has been pruned since. */
export const newestId = select({ id: number('seq') }, "FROM sqlite_sequence WHERE name = 'events'")
