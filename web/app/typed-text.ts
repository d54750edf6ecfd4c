/** What somebody types into the search box: words with commas between them, or the text language. Pure. */

/** Fields of the text language. */
export const queryFields = [
  'keyword',
  'category',
  'author',
  'person',
  'object',
  'description',
  'place',
  'file',
  'in',
  'year',
  'month',
  'date',
  'added',
  'near',
  'box',
  'type',
  'rating',
  'camera',
] as const

/** A field that there is, or anything that looks like one: the server says which one was meant. */
const fieldName = new RegExp(`(^|[\\s(-])((${queryFields.join('|')}):|\\p{L}{2,}:[^\\s/,])`, 'iu')

/** Quoted parts say nothing about the language that is spoken. */
function unquoted(text: string): string {
  return text.replace(/"[^"]*("|$)/g, '""')
}

/** Operators, fields, quotes, parentheses or a minus before a word: this is the text language. */
export function isQueryText(text: string): boolean {
  const bare = unquoted(text)
  return (
    fieldName.test(bare) ||
    /(^|[\s)])(AND|OR|NOT)([\s("]|$)/.test(bare) ||
    /^\s*-[^\s-]/.test(bare) ||
    /\s-[\p{L}"(]/u.test(bare) ||
    /^\s*\(.*\)\s*$/s.test(bare) ||
    /(^|[\s(])""/.test(bare)
  )
}

/** A comma here ends nothing: positions have some, quotes keep what is in them, and a query goes on until Enter. */
function isInside(before: string): boolean {
  return (before.split('"').length - 1) % 2 === 1 || isQueryText(before)
}

/** Splits what is in the search box: entries that a comma has ended, and what is still being typed. */
export function splitTyped(typed: string): { done: string[]; rest: string } {
  const done: string[] = []
  let start = 0
  for (let at = 0; at < typed.length; at++) {
    if (typed[at] !== ',' || isInside(typed.slice(start, at))) continue
    done.push(typed.slice(start, at).trim())
    start = at + 1
  }
  return { done: done.filter(text => text !== ''), rest: start === 0 ? typed : typed.slice(start).trimStart() }
}

/** Both must hold. */
export function joinedQueries(known: string, added: string): string {
  if (known === '' || known === added) return added
  const part = (text: string) => (/(^|[\s)])OR([\s("]|$)/.test(unquoted(text)) ? `(${text})` : text)
  return `${part(known)} ${part(added)}`
}

/** A message of the server that names a place: what it says, the line that it means, and the caret below it. */
export interface QueryFault {
  text: string
  /** The piece of the query, in three: before the place, from the place to the end of its word, and after. */
  shown: { before: string; at: string; after: string } | null
}

/** Takes the server's message apart, so that the place can be marked where the text has no columns. */
export function readFault(message: string): QueryFault {
  const [text = '', line = '', caret = ''] = message.split('\n')
  const place = caret.indexOf('^')
  if (place === -1) return { text: message, shown: null }
  const [at = ''] = /^[^\s()]*/.exec(line.slice(place)) ?? []
  const length = Math.max(1, at.length)
  return {
    text,
    shown: {
      before: line.slice(0, place),
      at: line.slice(place, place + length) || ' ',
      after: line.slice(place + length),
    },
  }
}
