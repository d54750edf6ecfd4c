/** A text that filters the rows of a list: `/` prompts for it, Escape shows all rows again. */
import { useState } from 'react'
import { searchKey } from '../../schema/search-text.ts'
import type { Binding } from '../keys.ts'
import type { Ui } from '../ui.ts'
import { keysFor } from './keys-for.ts'

/** `about` and `aboutAll` describe the two keys; `onChange` runs after the word has changed. */
export function useFind(ui: Ui, about: string, aboutAll: string) {
  const [wanted, setWanted] = useState('')
  const word = searchKey(wanted)
  const keys = (onChange = () => {}): Binding[] => {
    const set = (text: string) => {
      setWanted(text.trim())
      onChange()
    }
    return [
      keysFor(ui, ui)('/', 'find', about, async () => {
        const text = await ui.prompt({ label: 'Find', value: wanted, history: 'find', hint: 'Empty: all of them.' })
        if (text !== null) set(text)
      }),
      keysFor(ui, wanted !== '')('esc', '', aboutAll, () => set('')),
    ]
  }
  return { wanted, matches: (text: string) => searchKey(text).includes(word), keys }
}
