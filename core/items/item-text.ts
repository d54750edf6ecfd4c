/** The searchable words of an item, column by column, and their form in the full-text index. */
import { betweenValues, formerIndexedText, indexedText } from '../filter/words.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { searchTextsOfPlace } from '../words/place-names.ts'
import type { ItemRow } from './item-row.ts'
import { contentOfKeystring, nameOfObject, namesOfPerson } from './item-rows.sql.ts'

function names(tx: Transaction, statement: typeof namesOfPerson, ids: readonly number[] = []): string {
  return ids.flatMap(id => tx.all(statement, id).map(({ name }) => name)).join(betweenValues)
}

/** Includes all former names of a person: a search for the maiden name finds her. */
function wordsOfItem(tx: Transaction, item: ItemRow) {
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
    description: [item.tags.Description?.d ?? '', item.details.title ?? ''].join(betweenValues),
    place: searchTextsOfPlace(item.tags.Locations?.d?.placeName ?? '').join(betweenValues),
    file: parted === stem ? item.name : `${item.name}${betweenValues}${parted}`,
  }
}

type ItemText = ReturnType<typeof wordsOfItem>

const inForm = (words: ItemText, form: (text: string) => string): ItemText => ({
  keywords: form(words.keywords),
  category: form(words.category),
  people: form(words.people),
  objects: form(words.objects),
  author: form(words.author),
  description: form(words.description),
  place: form(words.place),
  file: form(words.file),
})

export function textOfItem(tx: Transaction, item: ItemRow): ItemText {
  return inForm(wordsOfItem(tx, item), indexedText)
}

/** The text to index for an item that may be indexed in its former form; null if that is the same. */
export function textToReplace(tx: Transaction, item: ItemRow): ItemText | null {
  const words = wordsOfItem(tx, item)
  const hasOnePlace = !words.place.includes(betweenValues)
  const isSame = hasOnePlace && Object.values(words).every(text => indexedText(text) === formerIndexedText(text))
  return isSame ? null : inForm(words, indexedText)
}
