/** Runs the terminal UI with a deliberate fault. Arguments: DATA and the kind of fault. */

import { endWith } from '../../cli/exit.ts'
import { openTuiSession } from '../../cli/tui/session.ts'
import { openLibrary } from '../../core/library.ts'

const [data = '', fault = ''] = process.argv.slice(2)

await endWith(async () => {
  const { startTui } = await import('../../ink-tui/start.tsx')
  const library = openLibrary({ role: 'terminal', data, create: false, environment: {}, stderrLevel: 'none' })
  const session = openTuiSession(library)
  if (fault === 'throws')
    setTimeout(() => {
      throw new Error('a fault of ours')
    }, 1500)
  if (fault === 'rejects') setTimeout(() => void Promise.reject(new Error('a fault of ours')), 1500)
  if (fault === 'draws') {
    const { list } = session.client.collections
    // The collections have no name, although the screen relies on it.
    session.client.collections.list = async (...input) =>
      (await list(...input)).map(one => Object.assign({}, one, { name: undefined }))
  }
  try {
    await startTui({ session, environment: process.env })
  } finally {
    await session.jobs.close()
    session.close()
    library.close()
  }
  return 0
})
