/** `--dry-run`: makes all checks of the command up to its first write, and prints the change instead of making it. */

import { forTerminal } from '../../core/kernel/terminal-text.ts'
import type { Calls } from '../../schema/api/calls.ts'
import type { Client } from '../../schema/api/contract.ts'
import { Failure } from '../../schema/errors.ts'
import { plural } from '../../schema/figures.ts'
import type { Output } from '../output.ts'
import type { Session } from '../session.ts'

export interface DryRun {
  dryRun?: boolean
}

export const dryRunOption = ['--dry-run', 'print what would change, without changing anything'] as const

/** Prints what would be done; returns the exit code. */
export function printDryRun(output: Output, text: string, more: object = {}): number {
  output.end({ dryRun: true, ...more }, forTerminal(`${text} Nothing was changed.`))
  return 0
}

/** Fails if the change itself would fail, else prints what it would do; returns the exit code. */
export async function rehearseChange(
  session: Session,
  change: (client: Client<Calls>) => Promise<unknown>,
  text: string,
  more: object = {},
): Promise<number> {
  await session.rehearse(change)
  return printDryRun(session.output, text, more)
}

/** Fails if a command could not start its job. A job that is in the way is ignored, because it will end. */
export async function requireStartable(
  { rehearse }: Pick<Session, 'rehearse'>,
  start: (client: Client<Calls>) => Promise<unknown>,
): Promise<void> {
  try {
    await rehearse(start)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'busy') throw error
  }
}

interface Move {
  to: string | null
  reason: string
  fails: boolean
}

/** Prints a move of a dry run: from where, and where to or why not. */
export function printMove(output: Output, from: string, { to, reason, fails }: Move, into = ''): void {
  if (to !== null) output.line(`moves  ${forTerminal(from)} -> ${forTerminal(`${into}${to}`)}`)
  else output.line(`${fails ? 'fails' : 'stays'}  ${forTerminal(from)}: ${forTerminal(reason)}`)
}

/** Prints how many would move, stay, and fail; returns the exit code. */
export function printMoveCounts(output: Output, moves: readonly Move[]): { exit: number } {
  const moved = moves.filter(({ to }) => to !== null).length
  const failed = moves.filter(({ fails }) => fails).length
  const stay = moves.length - moved - failed
  const others = failed === 0 ? '' : ` ${failed} cannot be moved,`
  printDryRun(output, `${plural(moved, 'item')} would be moved,${others} ${stay} would stay.`, {
    moves: moved,
    stay,
    failed,
  })
  return { exit: failed > 0 ? 3 : 0 }
}
