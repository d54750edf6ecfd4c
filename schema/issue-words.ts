/** Messages for values that a schema refuses: 'must be a whole number', 'is missing'. */
import { z } from 'zod'

/** Readable names for zod's kinds of values. */
const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

const formats: Record<string, string> = {
  email: 'an e-mail address',
  url: 'an address such as https://example.org',
  date: 'a date such as 2019-08-01',
  datetime: 'a date and time such as 2019-08-01T14:22:33Z',
}

/** The unit of values that have a length. */
const units: Record<string, string> = { string: 'character', file: 'byte', array: 'entry', set: 'entry', map: 'entry' }

function countOf(n: number | bigint, unit: string): string {
  const many = unit === 'entry' ? 'entries' : `${unit}s`
  return `${n.toLocaleString('en')} ${Number(n) === 1 ? unit : many}`
}

type Issue = z.core.$ZodRawIssue

function sizeText(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const isLeast = issue.code === 'too_small'
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum
  const unit = units[issue.origin]
  if (unit === undefined) {
    const inclusive = issue.inclusive !== false
    return `must be ${isLeast ? (inclusive ? 'at least' : 'more than') : inclusive ? 'at most' : 'less than'} ${bound}`
  }
  if (isLeast && Number(bound) === 1) return 'must not be empty'
  return `must have ${issue.exact === true ? 'exactly' : isLeast ? 'at least' : 'at most'} ${countOf(bound, unit)}`
}

/** The error of a value; it follows the value's name. */
function issueText(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing'
  switch (issue.code) {
    case 'invalid_type': {
      const kind = issue.format === 'safeint' ? 'int' : issue.expected
      return `must be ${kinds[kind] ?? kind}`
    }
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'too_small':
    case 'too_big':
      return sizeText(issue)
    case 'invalid_format': {
      const format = formats[issue.format]
      return format === undefined ? 'has the wrong format' : `must be ${format}`
    }
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `there is no ${issue.keys.map(key => `'${key}'`).join(', ')}`
    default:
      return 'is not valid'
  }
}

// Used only if a schema has no message of its own.
z.config({ customError: issueText })

/** The first error as a sentence with the field's name, and the field ('' for the whole). */
export function refusalOf(error: { issues: readonly { message: string; path: readonly PropertyKey[] }[] }): {
  message: string
  field: string
} {
  const [issue] = error.issues
  const field = issue?.path.map(String).join('.') ?? ''
  const message = issue?.message ?? 'is not valid'
  if (!/^(must|is|has) /.test(message)) return { message, field }
  return { message: field === '' ? `The request ${message}` : `'${field}' ${message}`, field }
}

/** The error of a value in the words of its schema; null for none. `otherwise`: used if the schema has no message. */
export function faultIn(schema: z.ZodType, value: unknown, otherwise: string): string | null {
  const read = schema.safeParse(value)
  return read.success ? null : (read.error.issues[0]?.message ?? otherwise)
}
