/** The order of entries: the server's, ascending, or descending. */
import type { FileNode } from '../../../schema/api/file-manager.ts'

const sortColumns = ['basename', 'file_size', 'last_modified'] as const
export type SortColumn = (typeof sortColumns)[number]

export interface Sorting {
  column: SortColumn
  order: 'asc' | 'desc'
}

/** The order after a press on a column's head; null is the server's order. */
export function nextSorting(now: Sorting | null, column: SortColumn): Sorting | null {
  if (now?.column !== column) return { column, order: 'asc' }
  return now.order === 'asc' ? { column, order: 'desc' } : null
}

/** Sorts entries, folders before files. Names are compared case-insensitively. */
export function sorted(nodes: readonly FileNode[], sorting: Sorting | null): readonly FileNode[] {
  if (sorting === null) return nodes
  const { column, order } = sorting
  const sign = order === 'asc' ? 1 : -1
  // Keys are made once, because sorting a hundred thousand names calls the comparison some two million times.
  const keyed = nodes.map((node, at) => ({ node, at, key: column === 'basename' ? node.basename.toLowerCase() : '' }))
  const compare = (a: (typeof keyed)[number], b: (typeof keyed)[number]): number => {
    if (column === 'basename') return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
    return a.node[column] - b.node[column]
  }
  return keyed
    .sort((a, b) => {
      if (a.node.type !== b.node.type) return a.node.type === 'dir' ? -1 : 1
      return sign * compare(a, b) || a.at - b.at
    })
    .map(({ node }) => node)
}
