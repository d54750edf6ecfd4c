/** Messages for values that a schema refuses: 'must be a whole number', 'is missing'. */
import { z } from 'zod'
import { Failure, phrase, type Sentence, sentence, textOf } from './errors.ts'

/** Readable names for zod's kinds of values. */
const kindTexts: Record<string, string> = {
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

function countOf(n: number | bigint, unit: string): Sentence {
  if (Number(n) === 1) return phrase(`1 ${unit}`)
  const text = n.toLocaleString('en')
  return unit === 'entry'
    ? sentence`${text} entries`
    : unit === 'byte'
      ? sentence`${text} bytes`
      : sentence`${text} characters`
}

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue

function sizeSentence(issue: Issue & { code: 'too_small' | 'too_big' }): Sentence {
  const isLeast = issue.code === 'too_small'
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum
  const unit = units[issue.origin]
  if (unit === undefined) {
    if (issue.inclusive === false)
      return isLeast ? sentence`must be more than ${bound}` : sentence`must be less than ${bound}`
    return isLeast ? sentence`must be at least ${bound}` : sentence`must be at most ${bound}`
  }
  if (isLeast && Number(bound) === 1) return phrase('must not be empty')
  const count = countOf(bound, unit)
  if (issue.exact === true) return sentence`must have exactly ${count}`
  return isLeast ? sentence`must have at least ${count}` : sentence`must have at most ${count}`
}

const missing = 'is missing'

/** What is wrong with a value: usually a sentence without its beginning, which is the value's name. */
function issueSentence(issue: Issue): Sentence {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = 'format' in issue && issue.format === 'safeint' ? 'int' : issue.expected
      return phrase(`must be ${kindTexts[kind] ?? kind}`)
    }
    case 'invalid_value': {
      const values = issue.values.map(String).join(', ')
      return issue.values.length > 1 ? sentence`must be one of ${values}` : sentence`must be ${values}`
    }
    case 'too_small':
    case 'too_big':
      return sizeSentence(issue)
    case 'invalid_format': {
      const format = formats[issue.format]
      return phrase(format === undefined ? 'has the wrong format' : `must be ${format}`)
    }
    case 'not_multiple_of':
      return sentence`must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return sentence`there is no ${issue.keys.map(key => `'${key}'`).join(', ')}`
    default:
      return phrase('is not valid')
  }
}

// Used only if a schema has no message of its own.
z.config({
  customError: issue =>
    issue.input === undefined && issue.code !== 'unrecognized_keys' ? missing : textOf(issueSentence(issue)),
})

/** The sentence of an issue. 'is missing' and a schema's own message have no values. */
function sentenceOf(issue: z.core.$ZodIssue): Sentence {
  const known = issueSentence(issue)
  return textOf(known) === issue.message ? known : phrase(issue.message)
}

/** The failure `invalid` of a value that a schema refuses, from its first issue. `within`: the value's own field. */
export function invalidFailure(
  error: { issues: readonly z.core.$ZodIssue[] },
  within: readonly string[] = [],
): Failure {
  const [issue] = error.issues
  const field = [...within, ...(issue?.path ?? [])].map(String).join('.')
  const fault = issue === undefined ? phrase('is not valid') : sentenceOf(issue)
  const more = field === '' ? {} : { field }
  if (!/^(must|is|has) /.test(fault.pattern)) return new Failure('invalid', fault, more)
  return new Failure('invalid', field === '' ? sentence`The request ${fault}` : sentence`'${field}' ${fault}`, more)
}

/** The error of a value in the words of its schema; null for none. `otherwise`: used if there is no message. */
export function faultIn(schema: z.ZodType, value: unknown, otherwise: string): string | null {
  const read = schema.safeParse(value)
  return read.success ? null : (read.error.issues[0]?.message ?? otherwise)
}
