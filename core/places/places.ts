/** Cities by name: a small database in the cache, built once by a worker process on the first request. */
import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import type { place } from '../../schema/api/map.ts'
import { Failure } from '../../schema/errors.ts'
import { searchKey } from '../../schema/search-text.ts'
import { requireSignedIn, type Viewer } from '../accounts/access.ts'
import { ownCommand } from '../kernel/worker-command.ts'
import { createNamer } from './nearest.ts'
import { citiesNamed } from './places.sql.ts'

export type City = z.output<typeof place>

/** The number is the table's version: if it changes, the table is built again. */
const file = 'places-2.db'
const maxResults = 20

export function createPlaces({ cache }: { cache: string }) {
  const path = join(cache, file)
  let db: Database | null = null
  let building: Promise<void> | null = null

  async function build(): Promise<void> {
    const child = Bun.spawn([...ownCommand(), 'worker', 'places', path], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const [code, message] = await Promise.all([child.exited, new Response(child.stderr).text()])
    if (code !== 0 || !existsSync(path)) {
      throw new Failure('unavailable', 'The table of places could not be made.', { cause: new Error(message) })
    }
  }

  async function opened(): Promise<Database> {
    if (db !== null) return db
    if (!existsSync(path)) {
      building ??= build().finally(() => {
        building = null
      })
      await building
    }
    db ??= new Database(path, { readonly: true, strict: true })
    return db
  }

  return {
    namer: async () => createNamer(await opened()),
    /** Cities whose name has this prefix, ignoring case and accents, largest first. */
    async search(viewer: Viewer, q: string): Promise<City[]> {
      requireSignedIn(viewer)
      const key = searchKey(q.trim())
      const table = await opened()
      return table.query<City, [string, string, number]>(citiesNamed.sql).all(key, `${key}\u{10FFFF}`, maxResults)
    },
    close() {
      db?.close()
      db = null
    },
  }
}

export type Places = ReturnType<typeof createPlaces>
