/** Units of the journal for uploads and the file manager. After a crash, recovery finishes or undoes their work. */
import { holderOfProcess, type JournalEntry, writeJournal } from '../journal/journal.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase } from '../kernel/database/database.ts'

type Draft = Pick<JournalEntry, 'operation' | 'source'> & Partial<Omit<JournalEntry, 'unit'>>

export function journalEntriesOf(unit: string, drafts: readonly Draft[]): JournalEntry[] {
  const nothing = { itemId: null, destination: null, temporary: null, hash: null, size: 0 }
  return drafts.map(draft => ({ unit, ...nothing, ...draft }))
}

/** Writes the rows before anything is changed; returns the unit. */
export async function beginUnit(
  { db, clock }: { db: LibraryDatabase; clock: Clock },
  actor: Actor,
  drafts: readonly Draft[],
  holder = holderOfProcess(),
): Promise<string> {
  const unit = crypto.randomUUID()
  await db.transact(actor, tx => void writeJournal(tx, holder, journalEntriesOf(unit, drafts), clock.now()))
  return unit
}
