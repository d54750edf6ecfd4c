/** The filter line: completion, and a caret under the character of an error. */
import { useEffect, useRef, useState } from 'react'
import {
  applyCompletion,
  type Completions,
  completionsAt,
  type FilterError,
  type FilterNames,
  findFilterError,
} from '../filter-completion.ts'
import type { Line } from '../line.ts'
import { filterNamesOf } from '../names.ts'
import type { Press } from '../terminal/key-reader.ts'
import { safe, widthOf, wrap } from '../text.ts'
import { useKeys, useUi } from '../ui.ts'
import { editInput, type Input, inputLine } from './input.ts'
import { keysFor } from './keys-for.ts'
import { completionLines, useRecall } from './recall.ts'

const noNames: FilterNames = { known: [], collections: [], albums: [], months: [] }
const noCompletions: Completions = { from: 0, to: 0, options: [] }
const lead = ' / '

function useNames(isTyping: boolean): FilterNames {
  const ui = useUi()
  const [names, setNames] = useState<FilterNames>(noNames)
  useEffect(() => {
    if (isTyping) ui.run(async () => setNames(await filterNamesOf(ui.session)))
  }, [isTyping, ui])
  return names
}

/** A caret under the wrong character, where the cursor is, and the error beside it or, without room, below it. */
function errorLines({ at, says }: FilterError, [head]: Line, width: number): Line[] {
  const column = lead.length + (typeof head === 'string' ? widthOf(safe(head)) : 0)
  const words = wrap(says, Math.max(20, width - 4))
  const isBeside = at >= 0 && words.length === 1 && column + 3 + widthOf(says) < width
  const caret: Line = [' '.repeat(column), { text: '^', style: 'amber' }, ...(isBeside ? [` ${says}`] : [])]
  return [...(at >= 0 ? [caret] : []), ...(isBeside ? [] : words.map((text): Line => ['   ', text]))]
}

function optionLines({ options }: Completions, at: number, sign: string): Line[] {
  return completionLines(options, at, sign, ({ text, about }, isChosen, shown) => {
    const wide = Math.min(40, Math.max(12, ...shown.map(one => widthOf(safe(one.text)))))
    const fill = ' '.repeat(Math.max(0, wide - widthOf(safe(text))))
    return [
      { text: text + fill, bold: isChosen },
      { text: `   ${about}`, style: 'dim' },
    ]
  })
}

interface Typing {
  /** Null while not editing. */
  input: Input | null
  /** Index of the chosen completion, -1 for none. */
  chosen: number
  /** Whether completion is off. */
  isCompletionOff: boolean
}

/** `check` throws a `Failure` for an invalid query; `onAccepted` receives a valid one. */
export function useFilterLine(
  value: string,
  width: number,
  check: (text: string) => Promise<unknown>,
  onAccepted: (text: string) => void,
) {
  const ui = useUi()
  // A reference, because several keys may arrive before the next rendering, and each acts on the latest state.
  const now = useRef<Typing>({ input: null, chosen: -1, isCompletionOff: false })
  const [, setDrawn] = useState(0)
  const [error, setError] = useState<FilterError | null>(null)
  const { input } = now.current
  const isTyping = input !== null
  const names = useNames(isTyping)
  const earlier = useRecall('filter', value, text => write({ text, at: text.length }, true))

  function set(change: Partial<Typing>) {
    now.current = { ...now.current, ...change }
    setDrawn(n => n + 1)
  }

  /** Completions of the line, and the index of the chosen one (-1 for none). */
  function currentCompletions(): { found: Completions; at: number } {
    const { input, chosen, isCompletionOff } = now.current
    if (input === null || isCompletionOff) return { found: noCompletions, at: -1 }
    const found = completionsAt(input.text, input.at, names)
    return { found, at: Math.min(chosen, found.options.length - 1) }
  }
  const { found, at } = currentCompletions()

  function write(next: Input, isCompletionOff = false) {
    set({ input: next, chosen: -1, isCompletionOff })
    setError(null)
  }

  function complete() {
    const { found, at } = currentCompletions()
    const { input } = now.current
    const option = found.options[Math.max(0, at)]
    if (input === null || option === undefined) return
    const next = applyCompletion(input.text, found, option)
    write({ text: next.text, at: next.cursor })
  }

  function choose(by: 1 | -1) {
    const { found, at } = currentCompletions()
    const count = found.options.length
    // -1, beyond either end, is the typed text.
    if (count > 0) set({ chosen: ((at + 1 + by + count + 1) % (count + 1)) - 1 })
    else earlier.recall(-by)
  }

  async function applyText(text: string) {
    const invalid = await findFilterError(() => check(text))
    if (invalid !== null) {
      set({
        isCompletionOff: true,
        ...(invalid.at < 0 ? {} : { input: { text, at: Math.min(invalid.at, text.length) } }),
      })
      return setError(invalid)
    }
    if (text !== '') ui.remember('filter', text)
    set({ input: null })
    onAccepted(text)
  }

  const hasOptions = found.options.length > 0
  const key = keysFor(ui, true)
  const chooseKey = keysFor(ui, hasOptions || earlier.hasEarlier)
  const enter = 'apply the filter, or accept the chosen completion'
  const bindings = [
    key('enter', at >= 0 ? 'complete' : 'filter', enter, () =>
      currentCompletions().at >= 0 ? complete() : applyText(now.current.input?.text.trim() ?? ''),
    ),
    keysFor(ui, hasOptions)('tab', 'complete', 'accept the first completion, or the chosen one', complete),
    chooseKey('down ctrl-n', 'choose', 'next completion, or a newer filter', () => choose(1), '↑↓'),
    chooseKey('up ctrl-p', '', 'previous completion, or an older filter', () => choose(-1)),
    key('esc ctrl-c', 'cancel', 'back to the previous filter', () => set({ input: null })),
  ]
  function onTyped(press: Press) {
    const { input } = now.current
    const next = input === null ? null : editInput(input, press)
    if (next !== null) write(next)
  }
  useKeys({ title: 'Filter', closed: true, bindings, typed: onTyped }, 'pane', isTyping)

  function startEditing() {
    set({ input: { text: value, at: value.length }, chosen: -1, isCompletionOff: value !== '' })
    setError(null)
    earlier.begin()
  }

  if (input === null) return { isTyping, begin: startEditing, lines: [] as Line[] }
  const line = inputLine(input, width - lead.length - 1)
  const below = error === null ? optionLines(found, at, ui.terminal.signs.cursor) : errorLines(error, line, width)
  const lines: Line[] = [[{ text: lead, style: 'bold' }, ...line], ...below]
  return { isTyping, begin: startEditing, lines }
}
