/** The one table of expected failures: code → HTTP status and exit code. */

export const failureTable = {
  invalid: { status: 400, exit: 2 },
  /** A field names something that does not exist. Over HTTP the request is invalid; for a command it is 'not found'. */
  absent: { status: 400, exit: 4 },
  unauthenticated: { status: 401, exit: 5 },
  denied: { status: 403, exit: 5 },
  notFound: { status: 404, exit: 4 },
  conflict: { status: 409, exit: 1 },
  busy: { status: 409, exit: 11 },
  changed: { status: 409, exit: 6 },
  safetyStop: { status: 409, exit: 7 },
  tooLarge: { status: 413, exit: 1 },
  tooMany: { status: 429, exit: 11 },
  /** The request was sent to a host name that is not the server's. */
  misdirected: { status: 421, exit: 2 },
  noSpace: { status: 507, exit: 1 },
  noLibrary: { status: 503, exit: 10 },
  unavailable: { status: 503, exit: 11 },
  interrupted: { status: 503, exit: 130 },
} as const satisfies Record<string, { status: number; exit: number }>

export type FailureCode = keyof typeof failureTable

/**
 * A message with its values separate: 'There is no directory {0}.' and ['/photos']. Translations are looked up by the
 * pattern.
 */
export interface Sentence {
  pattern: string
  values: readonly (string | number | Sentence)[]
}

const isSentence = (value: unknown): value is Sentence =>
  typeof value === 'object' && value !== null && 'pattern' in value

/** A sentence, or a part of one, without values. */
export const phrase = (pattern: string): Sentence => ({ pattern, values: [] })

/** A tag for templates: sentence`There is no directory ${path}.` */
export function sentence(strings: TemplateStringsArray, ...values: readonly unknown[]): Sentence {
  return {
    pattern: strings.reduce((before, text, at) => `${before}{${at - 1}}${text}`),
    values: values.map(value => (typeof value === 'number' || isSentence(value) ? value : String(value))),
  }
}

export function textOf({ pattern, values }: Sentence): string {
  if (values.length === 0) return pattern
  return pattern.replace(/\{(\d+)\}/g, (_, at: string) => {
    const value = values[Number(at)]
    return isSentence(value) ? textOf(value) : String(value)
  })
}

/**
 * An expected error, shown to the caller unchanged. Any other thrown error is our fault: it is logged with its
 * cause and reported as 'Unknown server error'. `field` names the wrong input; `retryAfter` is in seconds and sent as
 * Retry-After; `current` is what conflicts with a refused change (a newer tag), so that the caller can show it;
 * `sentence` is the message for translations.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly field: string | undefined
  readonly retryAfter: number | undefined
  readonly current: unknown
  readonly sentence: Sentence

  constructor(
    code: FailureCode,
    message: string | Sentence,
    more: { field?: string; retryAfter?: number; current?: unknown; cause?: unknown } = {},
  ) {
    const known = typeof message === 'string' ? phrase(message) : message
    super(textOf(known), more.cause === undefined ? undefined : { cause: more.cause })
    this.sentence = known
    this.code = code
    this.field = more.field
    this.retryAfter = more.retryAfter
    this.current = more.current
  }

  get status(): number {
    return failureTable[this.code].status
  }

  get exit(): number {
    return failureTable[this.code].exit
  }
}

/** A schema error lists issues; its message is their JSON, which is unreadable for users. */
function firstIssue(error: Error): string | null {
  if (!('issues' in error) || !Array.isArray(error.issues)) return null
  const [issue] = error.issues
  if (typeof issue !== 'object' || issue === null || !('message' in issue)) return null
  const path = 'path' in issue && Array.isArray(issue.path) ? issue.path.join('.') : ''
  return path === '' ? String(issue.message) : `${issue.message} (${path})`
}

/** The message of an error of any kind, for logs and problem rows. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return firstIssue(error) ?? error.message
  return String(error)
}
