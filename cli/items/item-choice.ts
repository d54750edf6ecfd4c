/** Which items a command is about: ids on the command line or from standard input, or the results of a query. */
import { fstatSync } from 'node:fs'
import type { ItemSort } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { type Session, withNotFoundMessage } from '../session.ts'

export interface ItemChoice {
  query?: string
  /** Ids, joined by commas. */
  items?: string
}

const pageLength = 1000

const idPattern = /^[1-9]\d{0,14}$/

function parseIds(words: readonly string[], from: string): number[] {
  const wrong = words.find(word => !idPattern.test(word))
  if (wrong !== undefined)
    throw new Failure('invalid', `'${wrong}' (${from}) is not an item id. See: keepsake item list`)
  return words.map(Number)
}

/** Ids from standard input: one per line, or objects of `item list --json`, whose summary is skipped. */
function parseIdLines(text: string): number[] {
  const words: string[] = []
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed.startsWith('{')) {
      let parsed: unknown
      try {
        parsed = JSON.parse(trimmed)
      } catch {
        throw new Failure('invalid', `A line of standard input is not JSON: ${trimmed.slice(0, 60)}`)
      }
      if (typeof parsed !== 'object' || parsed === null || Reflect.get(parsed, 'type') !== 'item') continue
      words.push(String(Reflect.get(parsed, 'id')))
      continue
    }
    // The first word, because `item list` prints the id first, below a heading.
    const [first = ''] = trimmed.split(/\s+/)
    if (first !== '' && first !== 'ID') words.push(...first.split(','))
  }
  return parseIds(
    words.filter(word => word !== ''),
    'standard input',
  )
}

/** Awaits a call for many items; if it fails with `notFound`, the failure names the first missing item. */
export async function withMissingItemNamed<T>(session: Session, ids: readonly number[], work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'notFound') throw error
    for (const id of ids)
      await withNotFoundMessage(`There is no item ${id}.`, session.client.items.get({ params: { id } }))
    throw error
  }
}

const noChoiceFailure = () => new Failure('invalid', 'Give item ids or --query, or pipe the output of `item list`.')

export interface ListRequest {
  q?: string
  collectionId?: number
  which?: 'live' | 'deleted' | 'missing'
  /** Id of an album: only its items. */
  album?: number | undefined
  sort?: ItemSort | undefined
  /** Absent: all items. */
  limit?: number | undefined
}

/** Pages of a list, each with its items and the number of items in the whole list. */
export async function* itemPages({ client }: Pick<Session, 'client'>, request: ListRequest) {
  const { q, collectionId = 0, which = 'live', album, sort, limit = Number.POSITIVE_INFINITY } = request
  const { cursorIn } = await import('../../schema/api/items.ts')
  let cursor: string | null = null
  for (let received = 0; received < limit; ) {
    const page = {
      limit: Math.min(pageLength, limit - received),
      ...(album === undefined ? {} : { album }),
      ...(sort === undefined ? {} : { sort }),
      ...(cursor === null ? {} : { cursor }),
    }
    const params = { collectionId }
    const query = { ...page, ...(q === undefined || q === '' ? {} : { q }) }
    const found =
      which === 'live'
        ? await client.items.list({ params, query })
        : which === 'deleted'
          ? await client.items.deleted({ params, query })
          : await client.items.missing({ params, query })
    received += found.items.length
    yield { items: found.items, total: found._meta.total_records }
    cursor = cursorIn(found._links.next)
    if (cursor === null || found.items.length === 0) return
  }
}

/**
 * Ids of the chosen items without duplicates, in the given order: ids from the command line or `--items`, the results of
 * `--query`, or ids from standard input (for '-', or if nothing else is given). A query searches the items that `which`
 * names, or those of an album. Throws `notFound` if there are none.
 */
export async function chosenItemIds(
  session: Session,
  words: readonly string[],
  { query, items }: ItemChoice,
  {
    maxItems = limits.maxBulkItems,
    which = 'live',
    album,
  }: { maxItems?: number } & Pick<ListRequest, 'which' | 'album'> = {},
): Promise<number[]> {
  const typed = words.filter(word => word !== '-')
  const ways = [
    ...(typed.length > 0 ? ['ids'] : []),
    ...(items === undefined ? [] : ['--items']),
    ...(query === undefined ? [] : ['--query']),
    ...(words.includes('-') ? ['-'] : []),
  ]
  const readsInput = words.includes('-') || (ways.length === 0 && process.stdin.isTTY !== true)
  if (ways.length > 1) throw new Failure('invalid', `Give only one of ${ways.join(' and ')}.`)
  if (ways.length === 0 && !readsInput) throw noChoiceFailure()
  const ids = new Set<number>()
  if (query !== undefined) {
    for await (const page of itemPages(session, { q: query, which, album, limit: maxItems + 1 }))
      for (const one of page.items) ids.add(one.id)
    if (ids.size === 0) throw new Failure('notFound', 'No items available')
    if (ids.size > maxItems) {
      session.output.warn(
        `The query finds more than ${maxItems.toLocaleString('en')} items: only the first ${maxItems.toLocaleString('en')} are used.`,
      )
      return [...ids].slice(0, maxItems)
    }
    return [...ids]
  }
  if (items !== undefined && !/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(items))
    throw new Failure('invalid', '--items takes comma-separated ids.')
  const given = readsInput
    ? parseIdLines(await new Response(Bun.stdin.stream()).text())
    : items === undefined
      ? parseIds(typed, 'on the command line')
      : items.split(',').map(Number)
  for (const one of given) ids.add(one)
  if (ids.size === 0) {
    // An empty pipe means that nothing was found; a device (/dev/null under cron), that nothing was chosen.
    if (words.length === 0 && fstatSync(0).isCharacterDevice()) throw noChoiceFailure()
    throw new Failure('notFound', 'No items available')
  }
  if (ids.size > maxItems) throw new Failure('invalid', `At most ${maxItems.toLocaleString('en')} items at once.`)
  return [...ids]
}
