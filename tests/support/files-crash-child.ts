/** Performs one operation of the file manager and exits; `files-crash.ts` breaks it at a system call. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { startMark } from './crash.ts'
import { fileOperations, openWorkerLibrary, performFileOperation } from './files-crash.ts'

const request = z.object({ data: z.string(), directory: z.string(), name: z.enum(fileOperations) })

const { data, directory, name } = request.parse(JSON.parse(process.argv[2] ?? ''))
const library = openWorkerLibrary(data)
// Marks the end of the program's start in the trace.
mkdirSync(join(data, startMark))
await performFileOperation(library, name, directory)
await library.fileManager.actions.close()
library.close()
process.exit(0)
