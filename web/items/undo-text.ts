/** Text of an undo that was not complete. Pure. */
import { figure } from '../../schema/figures.ts'

/** `counts` are the job's; '' where everything was undone. */
export function leftText(counts: Readonly<Record<string, number>>): string {
  const { changed = 0, gone = 0, refused = 0 } = counts
  const said: string[] = []
  if (changed > 0)
    said.push(`${figure(changed)} ${changed === 1 ? 'was changed since and stays' : 'were changed since and stay'}`)
  if (gone > 0) said.push(`${figure(gone)} ${gone === 1 ? 'is' : 'are'} not there any more`)
  if (refused > 0) said.push(`${figure(refused)} you may not change`)
  return said.join(', ')
}
