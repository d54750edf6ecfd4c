/** `--dry-run` of commands that change one thing: what is asked is checked, told, and not done. */
import { forTerminal, type Output } from './output.ts'

export interface DryRun {
  dryRun?: boolean
}

/** For `option(...)`. */
export const dryRunOption = ['--dry-run', 'say what would be changed, and change nothing'] as const

/** Tells what would be done; answers the exit code. */
export function wouldDo(output: Output, words: string, more: object = {}): number {
  output.end({ dryRun: true, ...more }, forTerminal(`${words} Nothing was changed.`))
  return 0
}
