/** How a command ends: expected failures as a sentence and their exit code, everything else as a fault of ours. */
import { Failure, reasonOf } from '../schema/errors.ts'
import { forTerminal } from './output.ts'

/** Runs a command's work and ends the process with the code it answers. */
export async function endWith(work: () => Promise<number>): Promise<never> {
  let code: number
  try {
    code = await work()
  } catch (error) {
    if (error instanceof Failure) {
      process.stderr.write(`keepsake: ${forTerminal(error.message)}\n`)
      code = error.exit
    } else {
      process.stderr.write(`keepsake: unexpected error: ${forTerminal(reasonOf(error))}\n`)
      if (error instanceof Error && process.env.KEEPSAKE_LOG_LEVEL === 'debug')
        process.stderr.write(`${error.stack ?? ''}\n`)
      code = 1
    }
  }
  // What is on its way to a pipe must arrive before the process is gone.
  await new Promise<void>(resolve => process.stdout.write('', () => resolve()))
  process.exit(code)
}

/**
 * A signal that Ctrl-C, SIGTERM and a closed terminal raise. The first one asks the work to end whole; a second Ctrl-C
 * ends the process at once, which is safe too: the next run goes on from there.
 */
export function interruption(): AbortSignal {
  const abort = new AbortController()
  const ask = () => {
    if (abort.signal.aborted) process.exit(130)
    abort.abort(new Failure('interrupted', 'Interrupted'))
  }
  process.on('SIGINT', ask)
  process.on('SIGTERM', ask)
  process.on('SIGHUP', ask)
  return abort.signal
}
