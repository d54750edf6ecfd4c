/** The collection that a word on the command line means. */
import type { CollectionRow } from '../core/collections/collections.ts'
import type { Library } from '../core/library.ts'

/** By name, id or directory; a directory within one is refused, since the whole collection is meant. */
export async function collectionOf(library: Library, word: string): Promise<CollectionRow> {
  const { terminalViewer } = await import('../core/accounts/access.ts')
  const { Failure } = await import('../schema/errors.ts')
  const { row, below } = await library.collections.resolve(terminalViewer, word, { create: false })
  if (below === null) return row
  throw new Failure('invalid', `'${word}' is a directory within the collection '${row.name}'. Give the collection.`)
}
