/** What was done in the library, newest first, as much of it as was asked for. */
import { signal } from '@preact/signals-react'
import type { HistoryStep } from '../../schema/api/history.ts'
import { api } from '../api.ts'
import { report, succeeds } from './messages.ts'

export interface Steps {
  collection: number
  steps: readonly HistoryStep[]
  /** Where older ones begin; null: these are all. */
  next: number | null
}

export const history = signal<Steps | null>(null)
export const historyFailed = signal(false)

let asked = 0

/** Loads the newest; as many as were shown before, so that a list that is read does not become shorter. */
export async function loadHistory(collection: number, { quiet = false } = {}): Promise<void> {
  const mine = ++asked
  const { value: known } = history
  const wanted = known?.collection === collection ? known.steps.length : 0
  try {
    let steps: HistoryStep[] = []
    let next: number | null = null
    do {
      const answer = await api.history.list({
        params: { collectionId: collection },
        query: next === null ? {} : { before: next },
      })
      if (mine !== asked) return
      steps = [...steps, ...answer.steps]
      next = answer.next
    } while (next !== null && steps.length < wanted)
    historyFailed.value = false
    history.value = { collection, steps, next }
  } catch (error) {
    if (mine !== asked) return
    historyFailed.value = true
    if (!quiet) report(error, 'Failed to load the history')
  }
}

export async function moreHistory(): Promise<void> {
  const { value: known } = history
  if (known === null || known.next === null) return
  const [mine, before] = [asked, known.next]
  await succeeds('Failed to load the history', async () => {
    const { steps, next } = await api.history.list({
      params: { collectionId: known.collection },
      query: { before },
    })
    if (mine === asked) history.value = { ...known, steps: [...known.steps, ...steps], next }
  })
}
