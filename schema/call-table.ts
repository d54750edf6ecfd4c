/** Method and path of every call, for clients. Imported as a macro, so that bundles contain only the result. */
import { calls } from './api/calls.ts'

/** Method and path by group and name, such as 'GET /v1/item/:id'. */
export function callTable(): Record<string, Record<string, string>> {
  const groups = Object.entries(calls).map(([group, table]) => [
    group,
    Object.fromEntries(Object.entries(table).map(([name, { method, path }]) => [name, `${method} ${path}`])),
  ])
  return Object.fromEntries(groups)
}
