/** What is loaded from the server, and may be loaded anew: the latest question counts, and what fails can be asked again. */
import { signal } from '@preact/signals-react'
import { report } from '../state/messages.ts'

/** `quiet`: nothing says that it is loaded, nor that it has failed. */
interface How {
  quiet?: boolean
}

/** Asks one question at a time: the answer to an earlier one is dropped. `failed`: the last one was not answered. */
export function createLoading(failure: string) {
  const failed = signal(false)
  let asked = 0
  const load = async <T>(ask: () => Promise<T>, take: (answer: T) => unknown, { quiet = false }: How = {}) => {
    const mine = ++asked
    try {
      const answer = await ask()
      if (mine !== asked) return
      failed.value = false
      await take(answer)
    } catch (error) {
      if (quiet || mine !== asked) return
      failed.value = true
      report(error, failure)
    }
  }
  return { failed, load }
}

/** One thing that is known as a whole. `value`: null until it is. */
export function createResource<T>(failure: string, ask: () => Promise<T>) {
  const value = signal<T | null>(null)
  const { failed, load } = createLoading(failure)
  const take = (answer: T) => {
    value.value = answer
  }
  return { value, failed, load: (how?: How) => load(ask, take, how) }
}
