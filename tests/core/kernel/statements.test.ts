import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrate } from '../../../core/kernel/database/migrate.ts'
import type { Query } from '../../../core/kernel/database/statement.ts'
import { projectRoot } from '../../support/source-tree.ts'
import { statementExamples } from '../../support/statement-examples.ts'

const modules = [...new Bun.Glob('{core,server,cli,ink-tui}/**/*.sql.ts').scanSync({ cwd: projectRoot })].sort()
const library = new Database(':memory:', { strict: true })
migrate(library, null)

/** The database of the library, or a new one with the tables that the module defines. */
function databaseFor({ placeTables }: Record<string, unknown>): Database {
  if (!Array.isArray(placeTables)) return library
  const other = new Database(':memory:', { strict: true })
  for (const table of placeTables) other.run(table)
  return other
}

function isQuery(value: unknown): value is Query<unknown> {
  return typeof value === 'object' && value !== null && 'sql' in value && 'columns' in value
}

/** Whether a value is a condition that other statements contain. */
const isPart = (value: unknown) => typeof value === 'string' && /^\(|^(NOT )?EXISTS/.test(value)

/** The statements that a module exports. Functions are called with each of their examples. */
function statementsOf(path: string, exported: Record<string, unknown>): [string, Query<unknown> | string][] {
  return Object.entries(exported).flatMap(([name, value]): [string, Query<unknown> | string][] => {
    if (isPart(value)) return []
    if (typeof value === 'string' || isQuery(value)) return [[name, value]]
    if (typeof value !== 'function') return []
    const examples = statementExamples[`${path} ${name}`]
    if (examples === undefined)
      throw new Error(`tests/support/statement-examples.ts has no example for ${path} ${name}`)
    return examples.flatMap((parameters, n): [string, Query<unknown> | string][] => {
      const made: unknown = value(...parameters)
      if (isPart(made)) return []
      if (typeof made !== 'string' && !isQuery(made)) throw new Error(`${path} ${name} returns no statement`)
      return [[`${name} ${n + 1}`, made]]
    })
  })
}

describe('every handwritten statement', async () => {
  for (const path of modules) {
    const exported: Record<string, unknown> = await import(join(projectRoot, path))
    const db = databaseFor(exported)
    test(`in ${path} can be prepared and returns the columns of its row type`, () => {
      const statements = statementsOf(path, exported)
      expect(statements.length).toBeGreaterThan(0)
      for (const [name, statement] of statements) {
        const [sql, columns] = typeof statement === 'string' ? [statement, []] : [statement.sql, statement.columns]
        const prepared = db.prepare(sql)
        if (typeof statement !== 'string')
          expect({ name, columns: prepared.columnNames }).toEqual({ name, columns: [...columns] })
        prepared.finalize()
      }
    })
  }
})
