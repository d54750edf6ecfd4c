/** Something that is done to many items: how far it is, and stopping it. */
import { signal } from '@preact/signals-react'

export interface Work {
  /** 'Deleting' */
  text: string
  done: number
  total: number
  stop: () => void
}

/** What is under way; null when nothing is. */
export const work = signal<Work | null>(null)
