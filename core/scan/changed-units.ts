/** Which units of a directory must be opened, and which known files are gone: by names, sizes and times. */
import { groupSidecars } from '../metadata/xmp/sidecar-names.ts'
import type { DiskFile } from '../survey/found-unit.ts'
import { membersOf, type Unit, unitsOf } from '../survey/group.ts'
import { reconcile } from '../survey/reconcile.ts'
import type { KnownFile } from '../survey/survey.ts'

/** Whether these files differ from their records. `same`: names of unchanged files. `byItem`: known files by item. */
function isChanged(
  unit: Unit,
  same: ReadonlySet<string>,
  known: ReadonlyMap<string, KnownFile>,
  byItem: ReadonlyMap<number | null, readonly KnownFile[]>,
): boolean {
  const members = membersOf(unit)
  if (members.some(raw => !same.has(raw))) return true
  const head = known.get(unit.main)
  if (head === undefined) return true
  // The file was read before and is no item: reading it unchanged would find nothing new.
  if (head.role === 'none') return false
  const files = byItem.get(head.itemId) ?? []
  if (head.role !== 'main') {
    // Unchanged only if it is a video that was paired by identifier with a picture of another name, itself unchanged.
    const owner = files.find(file => file.role === 'main')
    return head.role !== 'motion' || owner === undefined || !same.has(owner.raw)
  }
  if (unit.companions.some(raw => known.get(raw)?.itemId !== head.itemId)) return true
  return files.some(file => !members.includes(file.raw) && !(file.role === 'motion' && same.has(file.raw)))
}

/** Media files whose sidecar is gone. A sidecar of several files has only one row, so they are found by its name. */
function filesThatLostSidecar(
  names: readonly string[],
  known: readonly KnownFile[],
  media: readonly string[],
): ReadonlySet<string> {
  const there = new Set(names)
  const gone = new Set(known.filter(({ role, raw }) => role === 'sidecar' && !there.has(raw)).map(({ raw }) => raw))
  if (gone.size === 0) return gone
  const before = groupSidecars([...names, ...gone], media)
  return new Set([...before].filter(([, sidecars]) => sidecars.some(({ name }) => gone.has(name))).map(([raw]) => raw))
}

/** `files` and `known` are by raw name. `gone`: known files that no longer belong to a unit, even if they still exist. */
export function changedUnits(
  files: ReadonlyMap<string, DiskFile>,
  known: ReadonlyMap<string, KnownFile>,
  { pairing, full }: { pairing: boolean; full: boolean },
): { toOpen: Unit[]; gone: KnownFile[] } {
  const { units, media } = unitsOf(files, pairing)
  const rows = [...known.values()]
  const same = new Set(reconcile([...files.values()], rows).unchanged.map(pair => pair.found.raw))
  const lostSidecar = filesThatLostSidecar([...files.keys()], rows, media)
  const byItem = Map.groupBy(rows, ({ itemId }) => itemId)
  const toOpen = units.filter(unit => {
    // A video paired with a picture of another name is not an item; reading it would make it one for a time.
    const isPaired = pairing && known.get(unit.main)?.role === 'motion'
    if (full && !isPaired) return true
    return (
      (lostSidecar.size > 0 && membersOf(unit).some(raw => lostSidecar.has(raw))) ||
      isChanged(unit, same, known, byItem)
    )
  })
  const members = new Set(units.flatMap(membersOf))
  return { toOpen, gone: rows.filter(file => !members.has(file.raw)) }
}
