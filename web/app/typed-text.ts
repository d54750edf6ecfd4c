/** Text of the search box: words separated by commas, or a query. Pure. */

export const queryFields = [
  'keyword',
  'category',
  'author',
  'person',
  'object',
  'description',
  'place',
  'file',
  'folder',
  'in',
  'year',
  'month',
  'date',
  'added',
  'near',
  'box',
  'type',
  'rating',
  'favourite',
  'album',
  'camera',
] as const

/** A known field, or anything that looks like one, so that the server can suggest the right one. */
const fieldName = new RegExp(`(^|[\\s(-])((${queryFields.join('|')}):|\\p{L}{2,}:[^\\s/,])`, 'iu')

/** Empties quoted parts, whose content does not decide whether the text is a query. */
function unquoted(text: string): string {
  return text.replace(/"[^"]*("|$)/g, '""')
}

/** Operators, fields, quotes, parentheses or a minus before a word: the text is a query. */
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

/** Whether a comma after this text does not end an entry: in quotes, or in a query, which continues until Enter. */
function isInside(before: string): boolean {
  return (before.split('"').length - 1) % 2 === 1 || isQueryText(before)
}

/** Splits the text of the search box into entries that end with a comma, and the rest. */
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

/** Joins two queries that must both match. */
export function joinedQueries(known: string, added: string): string {
  if (known === '' || known === added) return added
  const part = (text: string) => (/(^|[\s)])OR([\s("]|$)/.test(unquoted(text)) ? `(${text})` : text)
  return `${part(known)} ${part(added)}`
}

/** The server's message about a query: the error, the line, and a caret below it. */
export interface QueryFault {
  text: string
  /** The line in three parts: before the error, the erroneous word from there on, and the rest. */
  shown: { before: string; at: string; after: string } | null
}

/** Splits the server's message, so that the error can be marked in the text. */
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
