/** Makes a nightly copy, or restores one, and exits; `copy-crash.ts` kills it at a system call. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { copyKind } from '../../core/exchange/backup/copy-job.ts'
import { restoreBackup } from '../../core/exchange/backup/restore-backup.ts'
import { startMark } from './crash.ts'
import { openWorkerLibrary } from './moving-library.ts'

const [data = '', file = ''] = process.argv.slice(2)
if (file === '') {
  const library = openWorkerLibrary(data)
  // Marks the end of the program's start in the trace.
  mkdirSync(join(data, startMark))
  const row = await library.jobs.run(await library.jobs.enqueue(terminalViewer, copyKind, {}, { inProcess: true }))
  library.close()
  process.exit(row?.state === 'done' ? 0 : 1)
}
mkdirSync(join(data, startMark))
await restoreBackup({ file, data, force: true, dryRun: false, signal: new AbortController().signal })
process.exit(0)
