/** Syntax errors of queries. */
import { signal } from '@preact/signals-react'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { baseTexts } from '../texts/base.ts'
import { report } from './messages.ts'
import { type QueryFault, readFault } from './typed-text.ts'

/** The last query that the server refused, and its error. */
export const refusedQuery = signal<{ q: string; fault: QueryFault } | null>(null)

function faultOf(error: unknown): QueryFault | null {
  return error instanceof Refused && error.field === 'q' ? readFault(error.message) : null
}

/** Returns true if a call failed because of its query; the error is shown at the query, not in a toast. */
export function isQueryRefused(error: unknown, q: string): boolean {
  const fault = faultOf(error)
  if (fault !== null) refusedQuery.value = { q, fault }
  return fault !== null
}

/** Checks a query. Returns null if it is correct; also if the call failed for another reason, which is reported. */
export async function checkQuery(q: string): Promise<QueryFault | null> {
  try {
    await api.items.list({ params: { collectionId: 0 }, query: { q, limit: 1 } })
    return null
  } catch (error) {
    const fault = faultOf(error)
    if (fault === null) report(error, baseTexts.failedToLoadItems)
    return fault
  }
}
