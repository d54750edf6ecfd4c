/** `--dry-run`: what is asked is checked as the command itself would be, up to its first write; told, and not done. */

import { forTerminal } from '../../core/kernel/terminal-text.ts'
import type { Calls } from '../../schema/api/calls.ts'
import type { Client } from '../../schema/api/contract.ts'
import { Failure } from '../../schema/errors.ts'
import type { Output } from '../output.ts'
import type { Session } from '../session.ts'

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

/** Has a change refused that would be refused, else tells it; answers the exit code. */
export async function rehearsed(
  session: Session,
  change: (client: Client<Calls>) => Promise<unknown>,
  words: string,
  more: object = {},
): Promise<number> {
  await session.rehearse(change)
  return wouldDo(session.output, words, more)
}

/** The same of what starts a job, before its plan is told. A job that is in the way is of the moment, and passes. */
export async function demandStartable(
  { rehearse }: Pick<Session, 'rehearse'>,
  start: (client: Client<Calls>) => Promise<unknown>,
): Promise<void> {
  try {
    await rehearse(start)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'busy') throw error
  }
}
