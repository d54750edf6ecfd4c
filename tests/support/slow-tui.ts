/**
 * Runs the terminal UI; its exports and lookups of marked items wait until a file exists. Arguments: DATA, SCREEN and
 * the path of that file.
 */
import { existsSync } from 'node:fs'
import { endWith } from '../../cli/exit.ts'
import { openTuiSession } from '../../cli/tui/session.ts'
import { openLibrary } from '../../core/library.ts'
import { prepareToLeave } from '../../ink-tui/quit-questions.ts'

const [data = '', first = '', releaseFile = ''] = process.argv.slice(2)

async function* slowed(content: AsyncIterable<string> | Iterable<string>): AsyncIterable<string> {
  for await (const text of content) {
    yield text
    while (!existsSync(releaseFile)) {
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
  const { list } = session.client.items
  session.client.items.list = async (...input) => {
    // Only requests for the ids of many items have this limit.
    while (input[0].query?.limit === 1000 && !existsSync(releaseFile)) await Bun.sleep(10)
    return list(...input)
  }
  try {
    const exit = await startTui({ session, environment: process.env, first, prepareToLeave })
    return exit === 'left' ? 0 : 130
  } finally {
    await session.jobs.close()
    session.close()
    library.close()
  }
})
