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

/** A known field, or a word that looks like one: the server then suggests which field may be meant. */
const fieldName = new RegExp(`(^|[\\s(-])((${queryFields.join('|')}):|\\p{L}{2,}:[^\\s/,])`, 'iu')

/** Empties quoted parts: what is in quotes does not make a text a query. */
function unquoted(text: string): string {
  return text.replace(/"[^"]*("|$)/g, '""')
}

/** Whether the text is a query: it has an operator, a field, quotes, parentheses or a minus before a word. */
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

/** Whether an entry goes on after a comma that follows this text: in quotes, or in a query, which only Enter ends. */
function continuesAfterComma(before: string): boolean {
  return (before.split('"').length - 1) % 2 === 1 || isQueryText(before)
}

/** Splits the text of the search box into entries that end with a comma, and the rest. */
export function splitTyped(typed: string): { entries: string[]; rest: string } {
  const entries: string[] = []
  let start = 0
  for (let at = 0; at < typed.length; at++) {
    if (typed[at] !== ',' || continuesAfterComma(typed.slice(start, at))) continue
    entries.push(typed.slice(start, at).trim())
    start = at + 1
  }
  return { entries: entries.filter(text => text !== ''), rest: start === 0 ? typed : typed.slice(start).trimStart() }
}

/** Joins two queries that must both match. */
export function joinQueries(existing: string, added: string): string {
  if (existing === '' || existing === added) return added
  const part = (text: string) => (/(^|[\s)])OR([\s("]|$)/.test(unquoted(text)) ? `(${text})` : text)
  return `${part(existing)} ${part(added)}`
}

/** An error of a query. */
export interface QueryFault {
  text: string
  /** The query in three parts: `error` is the wrong word. Null if the server did not say where the error is. */
  line: { before: string; error: string; after: string } | null
}

/** Parses the server's message: the error and, on further lines, the query with a caret below its wrong word. */
export function readFault(message: string): QueryFault {
  const [text = '', line = '', caret = ''] = message.split('\n')
  const place = caret.indexOf('^')
  if (place === -1) return { text: message, line: null }
  const [word = ''] = /^[^\s()]*/.exec(line.slice(place)) ?? []
  const length = Math.max(1, word.length)
  return {
    text,
    line: {
      before: line.slice(0, place),
      error: line.slice(place, place + length) || ' ',
      after: line.slice(place + length),
    },
  }
}
