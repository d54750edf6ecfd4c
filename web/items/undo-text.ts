/** Text of an undo that was not complete. Pure. */
import { baseTexts } from '../texts/base.ts'

/** What an undo left unchanged, and why; '' if everything was undone. `counts` are the job's. */
export function leftText(counts: Readonly<Record<string, number>>): string {
  const { changed = 0, gone = 0, refused = 0 } = counts
  const parts: string[] = []
  if (changed > 0) parts.push(baseTexts.changedSinceCount({ count: changed }))
  if (gone > 0) parts.push(baseTexts.goneCount({ count: gone }))
  if (refused > 0) parts.push(baseTexts.notAllowedCount({ count: refused }))
  return parts.join(', ')
}
