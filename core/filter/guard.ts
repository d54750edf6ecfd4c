/** Removes from a filter what would reveal hidden things: callers filter only by what they may see. */
import { keyKinds, keyOf, tagBits } from '../../schema/keys.ts'
import {
  all,
  any,
  type Filter,
  inCollections,
  type KeyFilter,
  mapLeaves,
  not,
  nothing,
  type TextColumn,
  type TextFilter,
  withKeys,
} from './filter.ts'
import { matchesValue } from './words.ts'

export interface Kept {
  /** Collections whose people and places are hidden from the user. */
  collections: readonly number[]
  /** Keystrings hidden from the caller. */
  keystrings: readonly { id: number; content: string }[]
  /** The search index may contain words of hidden keystrings that are not, or no longer, in their content. */
  unsure?: boolean
  /** All keystrings that the caller may see and that satisfy the predicate. */
  keystringsLike(matches: (content: string) => boolean): number[]
}

const keystringColumns = { keywords: tagBits.Keywords, category: tagBits.Category, author: tagBits.Author } as const
const privateColumns: readonly TextColumn[] = ['people', 'objects', 'place']

function isKeystringColumn(column: TextColumn): column is keyof typeof keystringColumns {
  return Object.hasOwn(keystringColumns, column)
}

const isPrivateKey = (key: number) => (key & 3) === keyKinds.person || (key & 3) === keyKinds.object

const outside = (kept: Kept) => not(inCollections(kept.collections))

function guardKeys(filter: KeyFilter, kept: Kept): Filter {
  const hidden = new Set(kept.keystrings.map(({ id }) => keyOf('keystring', id)))
  const keys = filter.keys.filter(key => !hidden.has(key))
  if (kept.collections.length === 0) return withKeys(keys, filter.tags)
  const open = keys.filter(key => !isPrivateKey(key))
  const closed = keys.filter(isPrivateKey)
  return any([withKeys(open, filter.tags), all([withKeys(closed, filter.tags), outside(kept)])])
}

function inColumns(filter: TextFilter, columns: readonly TextColumn[]): Filter {
  return columns.length === 0 ? nothing : { ...filter, columns }
}

/** If a hidden keystring contains the word, looks for visible keystrings instead of searching keystring columns. */
function guardText(filter: TextFilter, kept: Kept): Filter {
  const veiled = kept.unsure === true || kept.keystrings.some(({ content }) => matchesValue(filter, content))
  const parts: Filter[] = []
  let columns = filter.columns
  if (veiled) {
    const used = columns.filter(isKeystringColumn)
    columns = columns.filter(column => !isKeystringColumn(column))
    const bits = used.reduce((sum, column) => sum | keystringColumns[column], 0)
    const ids = used.length === 0 ? [] : kept.keystringsLike(content => matchesValue(filter, content))
    const keys = ids.map(id => keyOf('keystring', id))
    parts.push(withKeys(keys, bits))
  }
  if (kept.collections.length > 0) {
    const closed = columns.filter(column => privateColumns.includes(column))
    columns = columns.filter(column => !privateColumns.includes(column))
    parts.push(all([inColumns(filter, closed), outside(kept)]))
  }
  return any([inColumns(filter, columns), ...parts])
}

/** The filter restricted to what the user may see. Conditions on hidden things match no item. */
export function guarded(filter: Filter, kept: Kept): Filter {
  if (kept.collections.length === 0 && kept.keystrings.length === 0) return filter
  return mapLeaves(filter, part => {
    if (part.is === 'key') return guardKeys(part, kept)
    if (part.is === 'text') return guardText(part, kept)
    const isPlace = part.is === 'near' || part.is === 'box'
    return isPlace && kept.collections.length > 0 ? all([part, outside(kept)]) : part
  })
}
