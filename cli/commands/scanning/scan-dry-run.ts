/** `keepsake scan --dry-run`: what a scan would find, one file per line; nothing is written. */

import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { ForecastFile, ScanForecast } from '../../../schema/api/plans.ts'
import { plural } from '../../../schema/figures.ts'
import type { Output } from '../../output.ts'

/** Width of the label at the start of each line, so that the paths are aligned. */
const labelWidth = 8

/** A collection to scan. `isNew`: the scan would first create it. `predict` computes what the scan would do. */
export interface DryRunTarget {
  name: string
  path: string
  isNew: boolean
  predict(report: (file: ForecastFile) => void): Promise<ScanForecast>
}

/** Returns the exit code: 0; 3 if something could not be read; 7 if the scan would stop for safety. */
export async function dryRun(targets: readonly DryRunTarget[], output: Output): Promise<number> {
  let code = 0
  const total = { new: 0, changed: 0, moved: 0, missing: 0, found: 0 }
  for (const { name, path, isNew, predict } of targets) {
    if (isNew && output.json) output.object({ type: 'collection', new: true, name, path })
    else if (isNew) output.say(`A collection '${forTerminal(name)}' would be created from ${forTerminal(path)}.`)
    const seen = await predict(change => {
      if (output.json) output.object({ type: 'file', collection: name, ...change })
      else output.line(`${change.change.padEnd(labelWidth)}${forTerminal(change.path)}`)
    })
    for (const { path, reason } of seen.unreadable) output.warn(`  ${forTerminal(path)}: ${forTerminal(reason)}`)
    if (seen.unreadable.length > 0) code = Math.max(code, 3)
    if (seen.stop !== null) {
      output.warn(`keepsake: ${forTerminal(name)}: ${forTerminal(seen.stop)}`)
      code = 7
    }
    for (const name of ['new', 'changed', 'moved', 'missing', 'found'] as const) total[name] += seen[name]
  }
  output.end(
    { ...(code === 7 ? { state: 'stopped' } : {}), dryRun: true, ...total },
    `${plural(total.found, 'file')}: ${total.new} would be new, ${total.changed} changed, ${total.moved} moved, ${total.missing} missing. Nothing was changed.`,
  )
  return code
}
