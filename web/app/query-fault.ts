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

/** If a call failed because of its query, keeps that error, to be shown at the query. Returns whether it did. */
export function keepQueryFault(error: unknown, q: string): boolean {
  const fault = faultOf(error)
  if (fault !== null) refusedQuery.value = { q, fault }
  return fault !== null
}

/** Checks a query. Returns its error; null if it has none, or if the call failed for another reason, which is reported. */
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
