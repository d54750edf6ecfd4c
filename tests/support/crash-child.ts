/** Performs one operation on a library and exits; `crash.ts` kills it at a system call. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { startMark, startOperation } from './crash.ts'
import { openWorkerLibrary } from './moving-library.ts'

const request = z.object({ data: z.string(), operation: z.string(), ids: z.array(z.int()) })

const { data, operation, ids } = request.parse(JSON.parse(process.argv[2] ?? ''))
const library = openWorkerLibrary(data)
// Marks the end of the program's start in the trace.
mkdirSync(join(data, startMark))
const job = await startOperation(library, terminalViewer, operation, ids)
await library.jobs.run(job)
library.close()
process.exit(0)
