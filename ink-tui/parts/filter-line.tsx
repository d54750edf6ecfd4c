/** The filter line: typed with completion, and where it cannot be read a caret under the character. */
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../../schema/errors.ts'
import {
  type Completing,
  completed,
  completing,
  type FilterFault,
  type FilterNames,
  faultOf,
} from '../filter-completion.ts'
import type { Line } from '../line.ts'
import { namesOf } from '../names.ts'
import { useKeys, useStage } from '../stage.ts'
import { safe, widthOf, wrap } from '../text.ts'
import { type Input, inputLine, typed } from './input.ts'

const shownMost = 6
const nobody: FilterNames = { known: [], collections: [], months: [] }
const lead = ' / '

export interface FilterLine {
  isTyping: boolean
  /** Begins to type; with what is set now. */
  begin(): void
  /** The lines while somebody types: the text, and below it what completes it or what is wrong. */
  lines: readonly Line[]
}

/** `check` refuses what cannot be read with a `Failure`; `onTaken` gets what can. */
export function useFilterLine({
  value,
  width,
  check,
  onTaken,
}: {
  value: string
  width: number
  check(text: string): Promise<void>
  onTaken(text: string): void
}): FilterLine {
  const stage = useStage()
  // Several keys may come at once, before anything is drawn: what they act on is always the newest.
  const now = useRef<{ input: Input | null; chosen: number; isShut: boolean }>({
    input: null,
    chosen: -1,
    isShut: false,
  })
  const [, setDrawn] = useState(0)
  const [names, setNames] = useState<FilterNames>(nobody)
  const [fault, setFault] = useState<FilterFault | null>(null)
  const [back, setBack] = useState(0)
  const { input } = now.current
  const isTyping = input !== null
  const earlier = stage.typedBefore('filter')

  useEffect(() => {
    if (!isTyping) return
    let isOn = true
    stage.run(async () => {
      const found = await namesOf(stage.session)
      if (isOn) setNames(found)
    })
    return () => {
      isOn = false
    }
  }, [isTyping, stage])

  function set(change: Partial<(typeof now)['current']>) {
    now.current = { ...now.current, ...change }
    setDrawn(n => n + 1)
  }

  /** What completes the line now, and which of that is chosen (-1: none). */
  function offered(): { found: Completing; at: number } {
    const { input, chosen, isShut } = now.current
    if (input === null || isShut) return { found: { from: 0, to: 0, options: [] }, at: -1 }
    const found = completing(input.text, input.at, names)
    return { found, at: Math.min(chosen, found.options.length - 1) }
  }
  const { found, at } = offered()

  function write(next: Input, isShut = false) {
    set({ input: next, chosen: -1, isShut })
    setFault(null)
  }

  function complete() {
    const { found, at } = offered()
    const { input } = now.current
    const option = found.options[Math.max(0, at)]
    if (input === null || option === undefined) return
    const next = completed(input.text, found, option)
    write({ text: next.text, at: next.cursor })
  }

  function choose(by: 1 | -1) {
    const { found, at } = offered()
    const count = found.options.length
    // Beyond either end lies what was typed.
    if (count > 0) set({ chosen: ((at + 1 + by + count + 1) % (count + 1)) - 1 })
    else recall(-by)
  }

  function recall(by: number) {
    const place = Math.max(0, Math.min(back + by, earlier.length))
    if (place === back) return
    setBack(place)
    const text = place === 0 ? value : (earlier[earlier.length - place] ?? '')
    write({ text, at: text.length }, true)
  }

  async function take(text: string) {
    try {
      await check(text)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'invalid') throw error
      const read = faultOf(error.message)
      set({ isShut: true, ...(read.at < 0 ? {} : { input: { text, at: Math.min(read.at, text.length) } }) })
      setFault(read)
      return
    }
    if (text !== '') stage.remember('filter', text)
    set({ input: null })
    onTaken(text)
  }

  const hasOptions = found.options.length > 0
  useKeys(
    {
      title: 'Filter',
      closed: true,
      bindings: [
        {
          keys: ['enter'],
          short: at >= 0 ? 'complete' : 'filter',
          about: 'show what the filter finds; with a completion chosen: take that',
          run: () => (offered().at >= 0 ? complete() : stage.run(() => take(now.current.input?.text.trim() ?? ''))),
        },
        {
          keys: ['tab'],
          short: 'complete',
          about: 'take the first completion, or the chosen one',
          when: hasOptions,
          run: complete,
        },
        {
          keys: ['down', 'ctrl-n'],
          shown: '↑↓',
          short: 'choose',
          about: 'the completion below; a filter that was typed before',
          when: hasOptions || earlier.length > 0,
          run: () => choose(1),
        },
        {
          keys: ['up', 'ctrl-p'],
          about: 'the completion above; a filter that was typed before',
          when: hasOptions || earlier.length > 0,
          run: () => choose(-1),
        },
        {
          keys: ['esc', 'ctrl-c'],
          short: 'leave it',
          about: 'the filter as it was',
          run: () => set({ input: null }),
        },
      ],
      typed: press => {
        const { input } = now.current
        const next = input === null ? null : typed(input, press)
        if (next !== null) write(next)
        return true
      },
    },
    'pane',
    isTyping,
  )

  function begin() {
    set({ input: { text: value, at: value.length }, chosen: -1, isShut: value !== '' })
    setFault(null)
    setBack(0)
  }

  if (input === null) return { isTyping, begin, lines: [] }
  const line = inputLine(input, width - lead.length - 1)
  const lines: Line[] = [[{ text: lead, style: 'bold' }, ...line]]
  if (fault !== null) {
    const [head] = line
    const column = lead.length + (typeof head === 'string' ? widthOf(safe(head)) : 0)
    const words = wrap(fault.says, Math.max(20, width - 4))
    // Beside the caret where there is room, else below it.
    const isBeside = fault.at >= 0 && words.length === 1 && column + 3 + widthOf(fault.says) < width
    if (fault.at >= 0)
      lines.push([' '.repeat(column), { text: '^', style: 'amber' }, ...(isBeside ? [` ${fault.says}`] : [])])
    if (!isBeside) for (const text of words) lines.push(['   ', text])
    return { isTyping, begin, lines }
  }
  const first = Math.max(0, Math.min(at - 2, found.options.length - shownMost))
  const shown = found.options.slice(first, first + shownMost)
  const wide = Math.min(40, Math.max(12, ...shown.map(({ text }) => widthOf(safe(text)))))
  for (const [n, { text, about }] of shown.entries()) {
    const isChosen = first + n === at
    lines.push([
      isChosen ? { text: ` ${stage.terminal.signs.cursor} `, style: 'accent' } : '   ',
      { text: text + ' '.repeat(Math.max(0, wide - widthOf(safe(text)))), bold: isChosen },
      { text: `   ${about}`, style: 'dim' },
    ])
  }
  if (found.options.length > shownMost)
    lines.push(['   ', { text: `${found.options.length} begin like that`, style: 'dim' }])
  return { isTyping, begin, lines }
}
