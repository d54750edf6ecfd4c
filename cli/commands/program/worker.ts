/** `keepsake worker`: runs this program as a worker for another Keepsake process. */
import { Command } from 'commander'
import { endWith, interruption } from '../../exit.ts'
import { openFor } from '../../options.ts'

export function workerCommand(): Command {
  const worker = new Command('worker').description('internal: keepsake starts it itself')
  worker.command('decode').action(async () => {
    await (await import('../../../core/media/decode/decode-worker.ts')).runDecodeWorker()
  })
  worker.command('pixels').action(async () => {
    await (await import('../../../core/media/decode/pixels-worker.ts')).runPixelsWorker()
  })
  worker.command('faces').action(async () => {
    await (await import('../../../core/people/faces/workers/worker.ts')).runFaceWorker()
  })
  worker
    .command('places')
    .argument('<file>')
    .action((file: string) =>
      endWith(async () => {
        const { buildPlaces } = await import('../../../core/places/build-places.ts')
        await buildPlaces(file)
        return 0
      }),
    )
  worker.command('plan').action((_options: object, command: Command) =>
    endWith(async () => {
      const signal = interruption()
      const { runPlanWorker } = await import('../../plans/plan-worker.ts')
      const library = await openFor(command, { create: false, role: 'worker' })
      const code = await runPlanWorker(library, signal)
      library.close()
      return code
    }),
  )
  worker
    .command('job')
    .argument('<id>')
    .action((id: string, _options: object, command: Command) =>
      endWith(async () => {
        const signal = interruption()
        const library = await openFor(command, { create: false, role: 'worker' })
        const row = await library.jobs.run(Number(id), { signal, requeuesOnStop: true })
        library.close()
        return row === null || row.state === 'done' ? 0 : 1
      }),
    )
  return worker
}
