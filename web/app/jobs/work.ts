/** Work on many items: its progress, and cancelling it. */
import { signal } from '@preact/signals-react'

export interface Work {
  /** For example 'Deleting'. */
  text: string
  done: number
  total: number
  stop: () => void
}

/** The running work; null if none. */
export const work = signal<Work | null>(null)
