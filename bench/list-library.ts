/** The library of `list.ts` and `reindex.ts`: created once, and kept in the temporary directory. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../core/kernel/database/database.ts'
import { migrations } from '../schema/migrations.ts'
import { type Extras, seedExtras } from './seed-extras.ts'
import { type Seeded, seedLibrary } from './seed-library.ts'

interface BenchLibrary {
  data: string
  seeded: Seeded
  extras: Extras
}

/** Share of the items that keystrings hide. */
const hidden = 0.1

/** A seeded library, created once for each recipe and kept in the temporary directory for the next run. */
export async function createBenchLibrary(items: number, seed: number): Promise<BenchLibrary> {
  const source = (name: string) => readFileSync(join(import.meta.dir, name), 'utf8')
  const recipe = source('seed-library.ts') + source('seed-extras.ts') + migrations.map(({ sql }) => sql).join('')
  const root = join(tmpdir(), 'keepsake-bench-list')
  const hash = Bun.hash(recipe).toString(16)
  const data = join(root, hash, `${items}-${seed}`)
  const facts = join(data, 'facts.json')
  if (existsSync(facts)) return { data, ...JSON.parse(readFileSync(facts, 'utf8')) }
  // Libraries of an older recipe are useless, and large.
  if (existsSync(root))
    for (const name of readdirSync(root)) if (name !== hash) rmSync(join(root, name), { recursive: true })
  const making = `${data}-making-${process.pid}`
  mkdirSync(making, { recursive: true })
  const start = performance.now()
  const db = openDatabase(join(making, 'library.db'), { waiting: terminalWaiting, clock: systemClock, durable: false })
  const seeded = await seedLibrary(db, { items, seed, hidden })
  const extras = await seedExtras(db, seeded)
  db.checkpoint('TRUNCATE')
  db.close()
  writeFileSync(join(making, 'facts.json'), JSON.stringify({ seeded, extras }))
  renameSync(making, data)
  console.error(`created ${items} items in ${((performance.now() - start) / 1000).toFixed(1)} s: ${data}`)
  return { data, seeded, extras }
}
