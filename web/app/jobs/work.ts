/** Work on many items: its progress, and stopping it. */
import { signal } from '@preact/signals-react'

export interface Work {
  /** 'Deleting' */
  text: string
  done: number
  total: number
  stop: () => void
}

/** The running work; null: none. */
export const work = signal<Work | null>(null)
