/** Text of an undo that was not complete. Pure. */
import { baseTexts } from '../texts/base.ts'

/** `counts` are the job's; '' where everything was undone. */
export function leftText(counts: Readonly<Record<string, number>>): string {
  const { changed = 0, gone = 0, refused = 0 } = counts
  const said: string[] = []
  if (changed > 0) said.push(baseTexts.changedSince({ count: changed }))
  if (gone > 0) said.push(baseTexts.areGone({ count: gone }))
  if (refused > 0) said.push(baseTexts.youMayNotChange({ count: refused }))
  return said.join(', ')
}
