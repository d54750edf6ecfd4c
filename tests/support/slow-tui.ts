/** The terminal UI whose exports go on only when a file is there, in a process of its own: DATA and the path of that file. */
import { existsSync } from 'node:fs'
import { endWith } from '../../cli/exit.ts'
import { openTuiSession } from '../../cli/tui/session.ts'
import { openLibrary } from '../../core/library.ts'
import { mayLeave } from '../../ink-tui/leaving.ts'

const [data = '', gate = ''] = process.argv.slice(2)

async function* slowed(content: AsyncIterable<string> | Iterable<string>): AsyncIterable<string> {
  for await (const text of content) {
    yield text
    while (!existsSync(gate)) {
      await Bun.sleep(10)
      yield ''
    }
  }
}

await endWith(async () => {
  const { startTui } = await import('../../ink-tui/start.tsx')
  const library = openLibrary({ role: 'terminal', data, create: false, environment: {}, stderrLevel: 'none' })
  const session = openTuiSession(library)
  const { files } = session
  session.files = { ...files, write: (path, content, how) => files.write(path, slowed(content), how) }
  try {
    const left = await startTui({ session, environment: process.env, first: 'collections', mayLeave })
    return left === 'left' ? 0 : 130
  } finally {
    await session.jobs.close()
    session.close()
    library.close()
  }
})
