/** Updates items in the gallery's list, the selection and the viewer. */
import type { Item } from '../../schema/api/items.ts'
import { list } from './items.ts'
import { patchDetails } from './open-item.ts'
import { selected } from './selection/selection.ts'

export function patchEverywhere(ids: readonly number[], change: Partial<Item>): void {
  const these = new Set(ids)
  const now = list.peek()
  if (now !== null && [...now.items.values()].some(({ id }) => these.has(id))) {
    const items = [...now.items].map(([at, item]) => [at, these.has(item.id) ? { ...item, ...change } : item] as const)
    list.value = { ...now, items: new Map(items) }
  }
  const chosen = selected.peek()
  const changed = ids.flatMap(id => chosen.get(id) ?? [])
  if (changed.length > 0) {
    const next = new Map(chosen)
    for (const item of changed) next.set(item.id, { ...item, ...change })
    selected.value = next
  }
  for (const id of ids) patchDetails(id, item => ({ ...item, ...change }))
}
