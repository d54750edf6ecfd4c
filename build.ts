/** `bun build.ts` builds the executable, which includes the pages; `bun build.ts web [--if-stale]` builds only the pages. */
import { buildExecutable } from './build/executable.ts'
import { buildWeb } from './build/web.ts'

const [what, ...flags] = process.argv.slice(2)
const unknown = flags.filter(flag => flag !== '--if-stale')

if (unknown.length > 0 || (what !== undefined && what !== 'web')) {
  console.error('usage: bun build.ts [web [--if-stale]]')
  process.exit(2)
}
if (what === 'web') await buildWeb({ onlyIfStale: flags.includes('--if-stale') })
else await buildExecutable()
