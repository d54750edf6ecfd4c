/** Passes files to the mover in small batches: each file once, and after the files that must move before it. */
import { type DiskPlace, displayPlace } from '../../files/anchor.ts'
import { movesAtOnce } from '../../moving/batch-moves.ts'
import type { FileMover, UnitOutcome } from '../../moving/move-files.ts'
import type { AbortableMove, FileMove } from '../file-units.ts'
import type { PlannedFileMove } from './file-plans.ts'

interface Waiting extends PlannedFileMove {
  step: FileMove
}

/** `onOutcome` receives null for a moved file, otherwise the reason that it stays. */
export function createUnitQueue(
  mover: FileMover,
  context: AbortableMove,
  onOutcome: (step: FileMove, failure: UnitOutcome) => void,
) {
  const sources = new Set<string>()
  const targets = new Set<string>()
  const staying = new Set<string>()
  let waiting: Waiting[] = []

  async function flush(): Promise<void> {
    const files = waiting
    waiting = []
    targets.clear()
    if (files.length === 0) return
    // Yields: a batch of files takes some milliseconds.
    await new Promise(resolve => setImmediate(resolve))
    context.signal.throwIfAborted()
    const outcomes = await mover.run(
      files.map(({ unit }) => unit),
      context,
    )
    for (const [n, { step, unit, finish }] of files.entries()) {
      const failure = outcomes[n] ?? null
      for (const { from } of failure === null ? [] : unit.files) {
        sources.delete(displayPlace(from))
        staying.add(displayPlace(from))
      }
      finish(failure === null)
      onOutcome(step, failure)
    }
  }

  return {
    flush,

    /** Whether a file moves together with a file that was added earlier. */
    movesAlong: (place: DiskPlace): boolean => sources.has(displayPlace(place)),

    /** Whether a file must stay because its unit could not be moved. */
    staysBehind: (place: DiskPlace): boolean => staying.has(displayPlace(place)),

    /** Adds a file. `plan` returns which files move with it, and is called again if earlier files must move first. */
    async add(step: FileMove, plan: () => Promise<PlannedFileMove>): Promise<void> {
      let planned = await plan()
      if (planned.unit.files.some(({ to }) => targets.has(displayPlace(to)))) {
        await flush()
        planned = await plan()
      }
      waiting.push({ ...planned, step })
      planned.assumeMoved()
      for (const { operation, from, to } of planned.unit.files) {
        if (operation === 'move') sources.add(displayPlace(from))
        targets.add(displayPlace(to))
      }
      if (waiting.length >= movesAtOnce) await flush()
    },
  }
}
