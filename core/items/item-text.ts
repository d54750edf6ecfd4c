/** The words an item is found by, column by column, prepared for the full-text index. */
import { segmented } from '../filter/words.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { ItemRow } from './item-row.ts'

/** Stands between values: a private-use character is a word to the tokenizer, so no phrase matches across two values. */
const between = ' \uE000 '

export interface ItemText {
  keywords: string
  category: string
  people: string
  objects: string
  author: string
  description: string
  place: string
  file: string
}

function contents(tx: Transaction, ids: readonly number[] | undefined): string {
  if (ids === undefined) return ''
  return ids
    .map(id => tx.get<{ content: string }>('SELECT content FROM keystrings WHERE id = ?', id)?.content ?? '')
    .join(between)
}

function names(tx: Transaction, table: 'people' | 'objects', ids: readonly number[]): string {
  const sql =
    table === 'people' ? 'SELECT name FROM person_names WHERE person_id = ?' : 'SELECT name FROM objects WHERE id = ?'
  return ids.flatMap(id => tx.all<{ name: string }>(sql, id).map(row => row.name)).join(between)
}

/** All names that a person ever had are searched: whoever looks for the maiden name means her. */
export function textOfItem(tx: Transaction, item: ItemRow): ItemText {
  const dot = item.name.lastIndexOf('.')
  const stem = dot > 0 ? item.name.slice(0, dot) : item.name
  // 'DSC01234' is found by 01234 too: the tokenizer parts at '_' but not between letters and digits.
  const parted = stem.replace(/(\p{L})(\p{N})|(\p{N})(\p{L})/gu, '$1$3 $2$4')
  return {
    keywords: segmented(contents(tx, item.tags.Keywords?.d)),
    category: segmented(contents(tx, item.tags.Category?.d)),
    people: segmented(names(tx, 'people', item.people)),
    objects: segmented(names(tx, 'objects', item.objects)),
    author: segmented(contents(tx, item.tags.Author?.d)),
    description: segmented([item.tags.Description?.d ?? '', item.details.title ?? ''].join(between)),
    place: segmented(item.tags.Locations?.d?.placeName ?? ''),
    file: segmented(parted === stem ? item.name : `${item.name}${between}${parted}`),
  }
}
