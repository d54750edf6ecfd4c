/** What collections are told once for many of their items, so that whoever looks at them looks again. */
import { channels } from '../../schema/realtime.ts'
import type { Transaction } from '../kernel/database/database.ts'

export function tellCollections(tx: Transaction, ids: Iterable<number>): void {
  for (const id of ids) tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
}
