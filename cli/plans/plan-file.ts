/** Plans in files: `--plan FILE` writes one, `keepsake apply FILE` reads it. */
import { renameSync, rmSync } from 'node:fs'
import { Option } from 'commander'
import { forTerminal } from '../../core/kernel/terminal-text.ts'
import type { PlanDocument, PlannedWork } from '../../core/moving/planned-work.ts'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { plural } from '../../schema/figures.ts'
import { type Output, shellWord } from '../output.ts'
import { requireLocalLibrary, type Session } from '../session.ts'
import type { DryRun } from './dry-run.ts'

export function planOption(): Option {
  return new Option('--plan <file>', 'write a plan for `keepsake apply FILE`, without changing anything')
}

/** Writes a text completely or not at all. */
export async function writeTextFile(file: string, text: string): Promise<void> {
  const { requireOutputFile, outputFailure } = await import('../../core/files/output-paths.ts')
  const { writeNew } = await import('../../core/files/write-whole.ts')
  requireOutputFile(file)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await writeNew(Buffer.from(temporary), Buffer.from(text), { mode: 0o644 })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw outputFailure(error, file)
  }
}

/** Plans the work and writes the plan to a file; with `dryRun` it does not write even the plan. */
export async function writePlan(
  session: Session,
  file: string,
  work: PlannedWork,
  { dryRun = false }: DryRun,
): Promise<{ exit: number }> {
  const { output, signal } = session
  const { library, viewer } = requireLocalLibrary(session, `${session.name} --plan`)
  const { requireOutputFile } = await import('../../core/files/output-paths.ts')
  const { requireOutApart } = await import('../../core/collections/apart.ts')
  requireOutApart(library, file)
  requireOutputFile(file)
  const plan = await library.plannedWork.create(viewer, work, signal)
  // One file per line: readable, and easy to compare.
  const { files, ...head } = plan
  const lines = files.map(one => `    ${JSON.stringify(one)}`).join(',\n')
  if (!dryRun)
    await writeTextFile(file, `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [\n${lines}\n  ]\n}\n`)
  const movedCount = files.filter(({ to }) => to !== null).length
  const failed = printFailing(output, plan)
  const does = work.command === 'import' ? 'copied' : 'moved'
  const others = failed === 0 ? '' : ` ${failed} can’t be ${does}.`
  const next = dryRun
    ? ' Nothing was written.'
    : movedCount === 0
      ? ''
      : ` Carry it out with: keepsake apply ${shellWord(file)}`
  output.end(
    { dryRun: true, plan: file, files: movedCount, stay: files.length - movedCount - failed, failed },
    `${plural(movedCount, 'file')} would be ${does}.${others}${next}`,
  )
  return { exit: failed > 0 ? 3 : 0 }
}

/** Maximum number of files named on a terminal; the plan holds all of them. */
const maxShown = 20

/** Prints files of a plan that should be moved or copied but cannot be; returns their number. */
export function printFailing(output: Output, { work, files }: Pick<PlanDocument, 'work' | 'files'>): number {
  const failing = files.filter(({ fails }) => fails)
  const type = work.command === 'import' ? 'copy' : 'move'
  for (const [n, { from, reason, to, fails }] of failing.entries()) {
    if (output.json) output.object({ type, from, to, reason, fails })
    else if (n < maxShown) output.warn(`  ${forTerminal(from)}: ${forTerminal(reason)}`)
  }
  if (!output.json && failing.length > maxShown) output.warn(`  and ${failing.length - maxShown} more`)
  return failing.length
}

/** Parses a plan file; `invalid` for any other content. */
export async function readPlan(file: string): Promise<PlanDocument> {
  const { planDocument } = await import('../../core/moving/planned-work.ts')
  const { readNamedFile } = await import('../../core/files/open-file.ts')
  const text = Buffer.from(readNamedFile(file, 'plan')).toString()
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new Failure('invalid', `${forTerminal(file)} is not a plan: ${reasonOf(error)}`, { cause: error })
  }
  const checked = planDocument.safeParse(parsed)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new Failure(
    'invalid',
    `${forTerminal(file)} is not a plan that this version understands: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  )
}
