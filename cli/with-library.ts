/** What most commands have in common: an open library, the terminal's rights, and an end that tells what went wrong. */
import type { Command } from 'commander'
import type { Viewer } from '../core/access.ts'
import type { Library } from '../core/library.ts'
import { endWith } from './exit.ts'
import { openFor } from './options.ts'
import { createOutput, endingWithSummary, type Output } from './output.ts'

export interface LibrarySession {
  library: Library
  viewer: Viewer
  client: ReturnType<Library['as']>
  output: Output
}

/** Runs a command's work on its library; `--json` ends with a summary whatever happens. `create`: make one where there is none. */
export function withLibrary(
  command: Command,
  options: { json?: boolean; quiet?: boolean },
  work: (session: LibrarySession) => Promise<number>,
  { create = false }: { create?: boolean } = {},
): Promise<never> {
  const output = createOutput(options)
  return endWith(() =>
    endingWithSummary(output, async () => {
      const library = await openFor(command, { create })
      const { terminalViewer } = await import('../core/access.ts')
      const code = await work({ library, viewer: terminalViewer, client: library.as(terminalViewer), output })
      library.close()
      return code
    }),
  )
}

/** A failure 'Not found', in words that say what there is not. Others stay as they are. */
export async function named<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { Failure } = await import('../schema/errors.ts')
    if (error instanceof Failure && error.code === 'notFound') throw new Failure('notFound', what)
    throw error
  }
}
