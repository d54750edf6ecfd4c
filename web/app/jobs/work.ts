/** A job on many items whose progress is shown with a Cancel button. */
import { signal } from '@preact/signals-react'

export interface Work {
  /** For example 'Deleting'. */
  text: string
  done: number
  total: number
  cancel: () => void
}

/** Null if there is none. */
export const runningWork = signal<Work | null>(null)
