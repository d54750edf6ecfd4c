/** A question with a typed answer: completions, earlier answers, errors. */
import { type ReactElement, useLayoutEffect, useState } from 'react'
import type { Line } from '../line.ts'
import { cutFront, safe, widthOf, wrap } from '../text.ts'
import { type InputError, type PromptRequest, useKeys, useUi } from '../ui.ts'
import { editHandler, type Input, inputLine, useInput } from './input.ts'
import { keysFor } from './keys-for.ts'
import { type Frame, heading } from './overlays.tsx'
import { completionLines, useRecall } from './recall.ts'
import { Rows } from './rows.tsx'

export const noMatchText = 'No matching name.'

/** Minimum columns for the input beside its label; with fewer, the input gets a line of its own. */
const minTyped = 20

function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let common = first
  while (!others.every(other => other.startsWith(common))) common = common.slice(0, -1)
  return common
}

interface Suggestions {
  texts: readonly string[]
  at: number
}

const nothingFound: Suggestions = { texts: [], at: -1 }

/** The input, its completions and its error. */
function useTyping({ value = '', complete, check, history }: PromptRequest, answer: (text: string) => void) {
  const ui = useUi()
  const { input, latest, setInput } = useInput({ text: value, at: value.length })
  const [fault, setFault] = useState<string | null>(null)
  const [found, setFound] = useState<Suggestions>(nothingFound)

  function write(next: Input, completions = nothingFound) {
    setInput(next)
    setFault(null)
    setFound(completions)
  }
  const writeText = (text: string, completions?: Suggestions) => write({ text, at: text.length }, completions)
  const choose = (texts: readonly string[], at: number) => writeText(texts[at] ?? '', { texts, at })

  async function completeInput(by: number) {
    if (complete === undefined) return
    if (found.at >= 0 && found.texts.length > 1)
      return choose(found.texts, (found.at + by + found.texts.length) % found.texts.length)
    const texts = await complete(input.text)
    const [only] = texts
    if (only === undefined) return setFault(noMatchText)
    if (texts.length === 1) return writeText(only)
    const common = commonStart(texts)
    if (common.length > input.text.length) return writeText(common, { texts, at: -1 })
    // The completions are already shown, so the next Tab cycles through them.
    if (found.texts.length > 0) choose(texts, by > 0 ? 0 : texts.length - 1)
    else setFound({ texts, at: -1 })
  }

  function applyCheck(wrong: InputError | null) {
    if (typeof wrong === 'string') return setFault(wrong)
    if (wrong !== null) {
      setFault(wrong.says)
      if (wrong.at >= 0) setInput({ ...input, at: Math.min(wrong.at, input.text.length) })
      return
    }
    if (history !== undefined && input.text !== '') ui.remember(history, input.text)
    answer(input.text)
  }

  function submit() {
    const wrong = check?.(input.text) ?? null
    return wrong instanceof Promise ? wrong.then(applyCheck) : applyCheck(wrong)
  }
  return { input, latest, fault, found, write, submit, completeInput, ...useRecall(history, value, writeText) }
}

type PromptProps = Frame & {
  request: PromptRequest
  answer(text: string | null): void
  /** Called with the preferred number of lines. */
  onHeight(lines: number): void
}

export function Prompt({ request, answer, onHeight, width, height }: PromptProps): ReactElement {
  const ui = useUi()
  const { label, hidden = false, complete, hint } = request
  const { input, latest, fault, found, write, submit, completeInput, hasEarlier, recall } = useTyping(request, answer)
  const key = keysFor(ui, ui)
  const completionKey = keysFor(ui, complete)
  const recallKey = keysFor(ui, hasEarlier)
  const bindings = [
    key('enter', 'take it', 'accept the input', submit),
    key('esc ctrl-c', 'cancel', 'cancel', () => answer(null)),
    completionKey('tab', 'complete', 'complete the input', () => completeInput(1)),
    completionKey('backtab', '', 'previous completion', () => completeInput(-1)),
    recallKey('up', 'before', 'previous input', () => recall(1)),
    recallKey('down', '', 'next input', () => recall(-1)),
  ]
  useKeys({ title: 'Typing', closed: true, bindings, typed: editHandler(latest, write) }, 'overlay')
  const { texts } = found
  const styled = (text: string, style: 'amber' | 'dim') =>
    wrap(text, width - 2).map((line): Line => [' ', { text: line, style }])
  const below = [
    ...(fault === null ? [] : styled(safe(fault), 'amber')),
    ...completionLines(texts, found.at, ui.terminal.signs.cursor, (text, isChosen) => [
      { text: cutFront(safe(text), width - 4), style: isChosen ? 'bold' : 'dim' },
    ]),
    ...(texts.length > 0 || fault !== null || hint === undefined ? [] : styled(hint, 'dim')),
  ]
  const lead = `${label} `
  const leadWidth = widthOf(safe(lead))
  const lines: Line[] =
    leadWidth + minTyped > width
      ? [heading(label), [' ', ...inputLine(input, width - 2, hidden)], ...below]
      : [[' ', { text: lead, style: 'bold' }, ...inputLine(input, width - leadWidth - 2, hidden)], ...below]
  const needed = lines.length
  useLayoutEffect(() => onHeight(needed), [needed, onHeight])
  return <Rows lines={lines} width={width} height={height} />
}
