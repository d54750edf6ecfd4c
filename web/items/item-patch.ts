/** Changes properties of items in the gallery's list, the selection and the viewer, before the server has saved them. */
import type { Item } from '../../schema/api/items.ts'
import { list } from './items.ts'
import { patchDetails } from './open-item.ts'
import { selected } from './selection/selection.ts'

export function patchEverywhere(ids: readonly number[], change: Partial<Item>): void {
  const changedIds = new Set(ids)
  const now = list.peek()
  if (now !== null && [...now.items.values()].some(({ id }) => changedIds.has(id))) {
    const items = [...now.items].map(
      ([at, item]) => [at, changedIds.has(item.id) ? { ...item, ...change } : item] as const,
    )
    list.value = { ...now, items: new Map(items) }
  }
  const before = selected.peek()
  const changed = ids.flatMap(id => before.get(id) ?? [])
  if (changed.length > 0) {
    const next = new Map(before)
    for (const item of changed) next.set(item.id, { ...item, ...change })
    selected.value = next
  }
  for (const id of ids) patchDetails(id, item => ({ ...item, ...change }))
}
