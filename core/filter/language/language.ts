/** The text language `q=`: words, "phrases", field:value, ( ), and in capitals AND (the default), OR, NOT (or -). */
import { Failure, type Sentence, sentence } from '../../../schema/errors.ts'
import type { SearchableTag } from '../../../schema/limits.ts'
import { mostSimilar } from '../../kernel/settings.ts'
import { all, any, everything, type Filter, not, nothing } from '../filter.ts'
import type { FilterLookups } from '../lookups.ts'
import { fields } from './fields.ts'
import { freePhrase, freeWord } from './free-text.ts'

type Token = { is: 'open' | 'close' | 'or' | 'and' | 'not'; at: number } | { is: 'term'; at: number; filter: Filter }

/** Maximum nesting, more than any real query has. */
const maxDepth = 40

/** Number of characters that an error shows on either side of the position in a long text. */
const contextLength = 60

/** Grapheme clusters: letters with their accents, emoji of several code points. */
const lettersOf = (text: string) =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)

/**
 * `at` counts UTF-16 units, as the parser does. The position in the message counts characters, and the caret below the
 * text is placed by columns of the terminal.
 */
function syntaxError(text: string, at: number, message: string | Sentence): Failure {
  const before = lettersOf(text.slice(0, at))
  const textBefore = before.slice(-contextLength).join('').replace(/\s/g, ' ')
  const textAfter = lettersOf(text.slice(at)).slice(0, contextLength).join('').replace(/\s/g, ' ')
  const place = `${' '.repeat(Bun.stringWidth(textBefore))}^`
  return new Failure(
    'invalid',
    sentence`${message} (at character ${before.length + 1})\n${textBefore}${textAfter}\n${place}`,
    {
      field: 'q',
    },
  )
}

function unknownField(name: string): Sentence {
  const closest = mostSimilar(name, Object.keys(fields), Math.max(2, name.length / 3))
  return closest === null
    ? sentence`There is no field '${name}'. There are ${Object.keys(fields).join(', ')}.`
    : sentence`There is no field '${name}'. Did you mean '${closest}'?`
}

interface Reader {
  text: string
  at: number
}

/** Reads a phrase in quotes, in which a doubled quote stands for one. The reader is at the opening quote. */
function readQuoted(reader: Reader): string {
  const start = reader.at
  let end = reader.text.indexOf('"', start + 1)
  while (end !== -1 && reader.text[end + 1] === '"') end = reader.text.indexOf('"', end + 2)
  if (end === -1) throw syntaxError(reader.text, start, 'This quote is not closed')
  reader.at = end + 1
  return reader.text.slice(start + 1, end).replaceAll('""', '"')
}

function readBare(reader: Reader): string {
  const [bare = ''] = /^[^\s()"]*/.exec(reader.text.slice(reader.at)) ?? []
  reader.at += bare.length
  return bare
}

/** Reads field:value. The reader is behind the colon. */
function readField(reader: Reader, name: string, at: number, lookups: FilterLookups): Filter {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined) throw syntaxError(reader.text, at, unknownField(name))
  // '=' requires the whole name; only in a rating it is part of the value (rating:=3).
  const exact = reader.text[reader.at] === '=' && name !== 'rating'
  if (exact) reader.at++
  const start = reader.at
  const quoted = reader.text[start] === '"'
  const text = quoted ? readQuoted(reader) : readBare(reader)
  if (text.trim() === '') throw syntaxError(reader.text, start, sentence`'${name}:' needs a value`)
  const meaning = field({ text: text.trim(), quoted, exact }, lookups)
  if ('expected' in meaning) throw syntaxError(reader.text, start, meaning.expected)
  return meaning
}

const operators: Record<string, 'and' | 'or' | 'not'> = { AND: 'and', OR: 'or', NOT: 'not' }

/** Reads one token; null to skip symbols without quotes that are not the whole name of a keystring or person, as `+++`. */
function readToken(reader: Reader, tags: readonly SearchableTag[], lookups: FilterLookups): Token | null {
  const at = reader.at
  const character = reader.text[at]
  if (character === '(' || character === ')') {
    reader.at++
    return { is: character === '(' ? 'open' : 'close', at }
  }
  if (character === '"') {
    return { is: 'term', at, filter: freePhrase(readQuoted(reader), tags, lookups) ?? nothing }
  }
  if (character === '-' && /^-[^\s)-]/.test(reader.text.slice(at, at + 2))) {
    reader.at++
    return { is: 'not', at }
  }
  const [, name] = /^(\p{L}+):/u.exec(reader.text.slice(at)) ?? []
  if (name !== undefined) {
    reader.at += name.length + 1
    return { is: 'term', at, filter: readField(reader, name.toLowerCase(), at, lookups) }
  }
  const word = readBare(reader)
  const operator = Object.hasOwn(operators, word) ? operators[word] : undefined
  if (operator !== undefined) return { is: operator, at }
  const filter = freeWord(word, tags, lookups)
  return filter === null ? null : { is: 'term', at, filter }
}

function tokensOf(text: string, tags: readonly SearchableTag[], lookups: FilterLookups): Token[] {
  const reader: Reader = { text, at: 0 }
  const tokens: Token[] = []
  for (;;) {
    while (/\s/.test(text[reader.at] ?? '')) reader.at++
    if (reader.at >= text.length) return tokens
    const token = readToken(reader, tags, lookups)
    if (token !== null) tokens.push(token)
  }
}

/** Compiles a text; '' matches everything. `Failure('invalid')` on field q has the reason and the position. */
export function parseFilterText(text: string, tags: readonly SearchableTag[], lookups: FilterLookups): Filter {
  const tokens = tokensOf(text, tags, lookups)
  let next = 0

  function syntaxErrorHere(what: string): Failure {
    return syntaxError(text, tokens[next]?.at ?? text.length, what)
  }

  function alternatives(depth: number): Filter {
    const parts = [conditions(depth)]
    while (tokens[next]?.is === 'or') {
      next++
      parts.push(conditions(depth))
    }
    return any(parts)
  }

  function conditions(depth: number): Filter {
    const parts = [condition(depth)]
    for (;;) {
      const token = tokens[next]
      if (token === undefined || token.is === 'or' || token.is === 'close') return all(parts)
      if (token.is === 'and') next++
      parts.push(condition(depth))
    }
  }

  function condition(depth: number): Filter {
    const token = tokens[next]
    if (depth > maxDepth) throw syntaxErrorHere('This is nested too deep')
    if (token?.is === 'not') {
      next++
      return not(condition(depth + 1))
    }
    if (token?.is === 'term') {
      next++
      return token.filter
    }
    if (token?.is !== 'open') throw syntaxErrorHere('Something to look for is missing here')
    next++
    const inner = alternatives(depth + 1)
    if (tokens[next]?.is !== 'close') throw syntaxError(text, token.at, 'This parenthesis is not closed')
    next++
    return inner
  }

  if (tokens.length === 0) return text.trim() === '' ? everything : nothing
  const filter = alternatives(0)
  if (next < tokens.length) throw syntaxErrorHere('This parenthesis was never opened')
  return filter
}
