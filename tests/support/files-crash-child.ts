/** Does one thing that the file manager does and ends: what `files-crash.ts` breaks at a system call. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { beginMark } from './crash.ts'
import { doFileScene, fileScenes, openFiles } from './files-crash.ts'

const asked = z.object({ data: z.string(), directory: z.string(), name: z.enum(fileScenes) })

const { data, directory, name } = asked.parse(JSON.parse(process.argv[2] ?? ''))
const library = openFiles(data)
// Seen in the trace: what comes before is the start of the program.
mkdirSync(join(data, beginMark))
await doFileScene(library, name, directory)
await library.fileManager.actions.close()
library.close()
process.exit(0)
