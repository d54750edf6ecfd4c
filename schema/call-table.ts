/** Method and path of every call without its shapes, for clients. As a macro, it is a constant in the bundle. */
import { calls } from './api/calls.ts'

/** By group and name: 'GET /v1/item/:id'. */
export function callTable(): Record<string, Record<string, string>> {
  const groups = Object.entries(calls).map(([group, table]) => [
    group,
    Object.fromEntries(Object.entries(table).map(([name, { method, path }]) => [name, `${method} ${path}`])),
  ])
  return Object.fromEntries(groups)
}
