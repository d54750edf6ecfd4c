/** Does one operation on a library and ends: what `crash.ts` kills at a system call. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { beginMark, startOperation } from './crash.ts'
import { openMoving } from './moving.ts'

const asked = z.object({ data: z.string(), operation: z.string(), ids: z.array(z.int()) })

const { data, operation, ids } = asked.parse(JSON.parse(process.argv[2] ?? ''))
const library = openMoving(data)
// Seen in the trace: what comes before is the start of the program.
mkdirSync(join(data, beginMark))
const job = await startOperation(library, terminalViewer, operation, ids)
await library.jobs.run(job)
library.close()
process.exit(0)
