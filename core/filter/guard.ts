/** Restricts a filter to what its caller may see, so that its results do not reveal hidden things. */
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

export interface HiddenThings {
  /** Collections whose people and places are hidden from the caller. */
  collections: readonly number[]
  /** Keystrings hidden from the caller. */
  keystrings: readonly { id: number; content: string }[]
  /** The search index may contain words of hidden keystrings that are not, or no longer, in their content. */
  indexMayDiffer?: boolean
  /** All keystrings that the caller may see and that satisfy the predicate. */
  keystringsLike(matches: (content: string) => boolean): number[]
}

const keystringColumns = { keywords: tagBits.Keywords, category: tagBits.Category, author: tagBits.Author } as const
const privateColumns: readonly TextColumn[] = ['people', 'objects', 'place']

function isKeystringColumn(column: TextColumn): column is keyof typeof keystringColumns {
  return Object.hasOwn(keystringColumns, column)
}

const isPrivateKey = (key: number) => (key & 3) === keyKinds.person || (key & 3) === keyKinds.object

const outsideHiddenCollections = (hidden: HiddenThings) => not(inCollections(hidden.collections))

function guardKeys(filter: KeyFilter, hidden: HiddenThings): Filter {
  const hiddenKeys = new Set(hidden.keystrings.map(({ id }) => keyOf('keystring', id)))
  const keys = filter.keys.filter(key => !hiddenKeys.has(key))
  if (hidden.collections.length === 0) return withKeys(keys, filter.tags)
  const publicKeys = keys.filter(key => !isPrivateKey(key))
  const privateKeys = keys.filter(isPrivateKey)
  return any([
    withKeys(publicKeys, filter.tags),
    all([withKeys(privateKeys, filter.tags), outsideHiddenCollections(hidden)]),
  ])
}

function inColumns(filter: TextFilter, columns: readonly TextColumn[]): Filter {
  return columns.length === 0 ? nothing : { ...filter, columns }
}

/** If a hidden keystring contains the word, searches for visible keystrings instead of in the index. */
function guardText(filter: TextFilter, hidden: HiddenThings): Filter {
  const mayReveal =
    hidden.indexMayDiffer === true || hidden.keystrings.some(({ content }) => matchesValue(filter, content))
  const parts: Filter[] = []
  let columns = filter.columns
  if (mayReveal) {
    const used = columns.filter(isKeystringColumn)
    columns = columns.filter(column => !isKeystringColumn(column))
    const bits = used.reduce((sum, column) => sum | keystringColumns[column], 0)
    const ids = used.length === 0 ? [] : hidden.keystringsLike(content => matchesValue(filter, content))
    const keys = ids.map(id => keyOf('keystring', id))
    parts.push(withKeys(keys, bits))
  }
  if (hidden.collections.length > 0) {
    const closed = columns.filter(column => privateColumns.includes(column))
    columns = columns.filter(column => !privateColumns.includes(column))
    parts.push(all([inColumns(filter, closed), outsideHiddenCollections(hidden)]))
  }
  return any([inColumns(filter, columns), ...parts])
}

/** The filter restricted to what the caller may see. Conditions on hidden things match no item. */
export function guarded(filter: Filter, hidden: HiddenThings): Filter {
  if (hidden.collections.length === 0 && hidden.keystrings.length === 0) return filter
  return mapLeaves(filter, part => {
    if (part.is === 'key') return guardKeys(part, hidden)
    if (part.is === 'text') return guardText(part, hidden)
    const isPlace = part.is === 'near' || part.is === 'box'
    return isPlace && hidden.collections.length > 0 ? all([part, outsideHiddenCollections(hidden)]) : part
  })
}
