/** The history: what was done and by whom, and undoing it. */
import { z } from 'zod'
import { collectionNumber, endpoint, idNumber } from './contract.ts'

const historyStep = z.object({
  /** Id of the step, which is undone as a whole, however many items it changed. */
  step: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
  /** null for the machine's own terminal. */
  username: z.string().nullable(),
  operation: z.string(),
  collection_id: z.int().nullable(),
  /** Number of items. */
  items: z.int(),
  /** Id of the only item; null for several, or if the item is deleted or hidden from the caller. */
  item_id: z.int().nullable(),
  /** File name of that item; null if `item_id` is null. */
  item_name: z.string().nullable(),
  /** Whether the step can be undone now. */
  undoable: z.boolean(),
  undone: z.boolean(),
  /** Whether its undo was stopped, or skipped items that had changed since; undoing the step again continues. */
  partly_undone: z.boolean(),
  /** Whether the step is itself an undo. */
  is_undo: z.boolean(),
})
export type HistoryStep = z.output<typeof historyStep>

export const historyCalls = {
  list: endpoint('GET /v1/history/:collectionId', {
    summary: 'Changes in the collections that the caller administers, and changes that the caller made; newest first.',
    rule: { who: 'signedIn', refused: [400, 401] },
    params: z.object({ collectionId: collectionNumber }),
    query: z.object({ before: idNumber.optional(), item: idNumber.optional() }),
    output: z.object({ steps: z.array(historyStep), next: z.int().nullable() }),
  }),
  undo: endpoint('POST /v1/history/:step/undo', {
    summary: 'Undoes a step; later changes are kept and reported. Returns the job.',
    rule: { who: 'signedIn', on: { thing: 'step', right: 'admin' }, refused: [400, 401, 404, 409] },
    params: z.object({ step: z.string().max(100) }),
    output: z.object({ taskid: z.int() }),
    dryRun: true,
  }),
}
