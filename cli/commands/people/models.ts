/** `keepsake models`: add, list and remove further face models. */

import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { figure, plural, sizeText } from '../../../schema/figures.ts'
import { requireYes } from '../../confirm.ts'
import { printList } from '../../output.ts'
import { type DryRun, dryRunOption, printDryRun } from '../../plans/dry-run.ts'
import { inSession, requireLocalLibrary, type Session } from '../../session.ts'

async function list(session: Session): Promise<number> {
  const { library, viewer } = requireLocalLibrary(session)
  const { output } = session
  return printList(output, library.models.list(viewer), {
    type: 'model',
    countName: 'models',
    heading: ['NAME', 'DETECTOR', 'SIZE', '', 'ABOUT'],
    none: 'No models have been added.',
    row: ({ name, detector, size, inUse, about }) => [name, detector, sizeText(size), inUse ? 'in use' : '', about],
  })
}

async function add(session: Session, source: string, options: DryRun & { sha256?: string }): Promise<number> {
  const { library, viewer } = requireLocalLibrary(session)
  const { output } = session
  const { sha256, dryRun = false } = options
  const model = await library.models.add(viewer, { source, dryRun, ...(sha256 === undefined ? {} : { sha256 }) })
  const words = `'${model.name}' (${sizeText(model.size)})`
  if (dryRun) return printDryRun(output, `The model ${words} would be added.`, { model: model.name })
  output.end({ model: model.name }, `Added ${words}. To use it: keepsake config set faces.model ${model.name}`)
  return 0
}

async function remove(session: Session, name: string, options: DryRun & { yes?: boolean }): Promise<number> {
  const { library, viewer } = requireLocalLibrary(session)
  const { output } = session
  const { faces } = await library.models.remove(viewer, name, { dryRun: true })
  const words = `'${forTerminal(name)}' and what it has found (${plural(faces, 'face')})`
  if (options.dryRun === true)
    return printDryRun(output, `The model ${words} would be removed.`, { model: name, faces })
  if (options.yes !== true) await requireYes(`Remove the model ${words}?`)
  await library.models.remove(viewer, name)
  output.end({ model: name, faces }, `Removed ${words}; ${figure(faces)} forgotten.`)
  return 0
}

export function modelsCommand(): Command {
  const models = new Command('models').description('manage additional face models')
  models.command('list', { isDefault: true }).description('list added models').action(inSession(list))
  models
    .command('add')
    .description('add a model by its manifest, which names its ONNX files')
    .argument('<manifest>', 'file or URL of the manifest')
    .option('--sha256 <digits>', 'SHA-256 of the manifest; required for a URL')
    .option(...dryRunOption)
    .action(inSession(add))
  models
    .command('remove')
    .description('remove a model that is not in use, with everything it found')
    .argument('<name>')
    .option(...dryRunOption)
    .option('--yes', 'do not ask for confirmation')
    .action(inSession(remove))
  return models
}
