/** The searchable words of an item, column by column, prepared for the full-text index. */
import { segmented } from '../filter/words.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { searchTextsOfPlace } from '../words/place-names.ts'
import type { ItemRow } from './item-row.ts'
import { contentOfKeystring, nameOfObject, namesOfPerson } from './item-rows.sql.ts'

/** Separates values: a private-use character is a word to the tokenizer, so no phrase matches across two values. */
const between = ' \uE000 '

function names(tx: Transaction, statement: typeof namesOfPerson, ids: readonly number[] = []): string {
  return segmented(ids.flatMap(id => tx.all(statement, id).map(({ name }) => name)).join(between))
}

/** Includes all former names of a person: a search for the maiden name finds her. */
export function textOfItem(tx: Transaction, item: ItemRow) {
  const dot = item.name.lastIndexOf('.')
  const stem = dot > 0 ? item.name.slice(0, dot) : item.name
  // Makes 'DSC01234' match 01234 too: the tokenizer splits at '_' but not between letters and digits.
  const parted = stem.replace(/(\p{L})(\p{N})|(\p{N})(\p{L})/gu, '$1$3 $2$4')
  return {
    keywords: names(tx, contentOfKeystring, item.tags.Keywords?.d),
    category: names(tx, contentOfKeystring, item.tags.Category?.d),
    people: names(tx, namesOfPerson, item.people),
    objects: names(tx, nameOfObject, item.objects),
    author: names(tx, contentOfKeystring, item.tags.Author?.d),
    description: segmented([item.tags.Description?.d ?? '', item.details.title ?? ''].join(between)),
    place: segmented(searchTextsOfPlace(item.tags.Locations?.d?.placeName ?? '').join(between)),
    file: segmented(parted === stem ? item.name : `${item.name}${between}${parted}`),
  }
}
