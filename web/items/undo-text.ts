/** Text for an undo that was not complete. Pure. */
import { baseTexts } from '../texts/base.ts'

/** What was not undone, and why; '' if everything was undone. `counts`: those of the job. */
export function notUndoneText(counts: Readonly<Record<string, number>>): string {
  const { changed = 0, gone = 0, refused = 0 } = counts
  const parts: string[] = []
  if (changed > 0) parts.push(baseTexts.changedSinceCount({ count: changed }))
  if (gone > 0) parts.push(baseTexts.goneCount({ count: gone }))
  if (refused > 0) parts.push(baseTexts.notAllowedCount({ count: refused }))
  return parts.join(', ')
}
