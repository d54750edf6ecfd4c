/** Questions above the footer: yes or no, and one of several options; `prompt.tsx` has typed answers. */
import { type ReactElement, useState } from 'react'
import type { Binding } from '../keys.ts'
import { type Line, type Span, wrapLine } from '../line.ts'
import { safe, widthOf, wrap } from '../text.ts'
import type { Choice, ChooseRequest, Confirmation, OverlayState } from '../ui.ts'
import { useKeys, useUi } from '../ui.ts'
import { editHandler, inputLine, useInput } from './input.ts'
import { keysFor } from './keys-for.ts'
import { choiceSign, completionsShown } from './recall.ts'
import { Rows } from './rows.tsx'

export interface Frame {
  width: number
  /** Maximum number of lines. */
  height: number
}

export function heading(text: string): Line {
  return [' ', { text, style: 'bold' }]
}

/** The text as shown, because invisible characters and combining forms cannot be typed. */
function visibleText(text: string): string {
  return safe(text).normalize('NFC').replace(/\s+/g, ' ').trim()
}

function confirmationLines({ title, lines = [] }: Confirmation, width: number): Line[] {
  return [
    ...wrap(title, width - 2).map(heading),
    ...lines.flatMap(line => wrapLine(line, width - 2)).map((line): Line => [' ', ...line]),
  ]
}

/** The request to type a text; nothing if a key is enough. */
function instructionOf({ wordToType: word }: Confirmation, width: number): Line[] {
  if (word === undefined) return []
  const words = [{ text: `Type ${visibleText(word)} to confirm:`, style: 'dim' as const }]
  return wrapLine(words, width - 2).map((line): Line => [' ', ...line])
}

type ConfirmProps = Frame & { request: Confirmation; answer(yes: boolean): void }

export function Confirm({ request, answer, width, height }: ConfirmProps): ReactElement {
  const { yes, wordToType: word } = request
  const { input, latest, setInput } = useInput({ text: '', at: 0 })
  const [isMismatch, setMismatch] = useState(false)
  const [scrolled, setScrolled] = useState(0)
  const isMatch = word === undefined || visibleText(input.text) === visibleText(word)
  const instruction = instructionOf(request, width)
  const typing: Line[] = [
    ...(word === undefined ? [] : [[' ', ...inputLine(input, width - 2)]]),
    ...(isMismatch ? [[' ', { text: 'The text does not match.', style: 'amber' as const }]] : []),
  ]
  // The input stays visible; text above it that does not fit is scrolled.
  const isInstructionFixed = instruction.length + typing.length < height
  const above = [...confirmationLines(request, width), ...(isInstructionFixed ? [] : instruction)]
  const below = [...(isInstructionFixed ? instruction : []), ...typing]
  const room = Math.max(1, height - below.length)
  const last = Math.max(0, above.length - room)
  const top = Math.min(scrolled, last)
  const ui = useUi()
  const key = keysFor(ui, ui)
  const scrollKey = keysFor(ui, last > 0)
  const yesKey = keysFor(ui, word === undefined)
  const bindings = [
    keysFor(ui, word !== undefined && isMatch)('enter', yes, yes, () => answer(true)),
    keysFor(ui, word !== undefined && !isMatch)('enter', '', yes, () => setMismatch(true)),
    yesKey('y', yes, yes, () => answer(true)),
    key(word === undefined ? 'esc n q' : 'esc', 'cancel', 'cancel', () => answer(false)),
    scrollKey('down', 'read on', 'the lines below', () => setScrolled(Math.min(last, top + 1)), '↑↓'),
    scrollKey('up', '', 'the lines above', () => setScrolled(Math.max(0, top - 1))),
  ]
  const onTyped = editHandler(latest, next => {
    if (word === undefined) return
    setInput(next)
    setMismatch(false)
  })
  useKeys({ title: 'Question', bindings, closed: true, typed: onTyped }, 'overlay')
  const shown = [...above.slice(top, top + room), ...below]
  return <Rows lines={shown} width={width} height={height} />
}

type ChooseProps = Frame & { request: ChooseRequest; answer(id: string | null): void }

export function Choose({ request, answer, width, height }: ChooseProps): ReactElement {
  const ui = useUi()
  const { signs } = ui.terminal
  const { title, choices, chosen } = request
  const first = choices.findIndex(({ id }) => id === chosen)
  const [cursor, setCursor] = useState(Math.max(0, first))
  const last = choices.length - 1
  const move = (by: number) => setCursor(at => Math.max(0, Math.min(last, at + by)))
  const key = keysFor(ui, ui)
  const bindings = [
    ...choices.flatMap((one): Binding[] =>
      one.key === undefined ? [] : [{ keys: [one.key], about: one.label, run: () => answer(one.id) }],
    ),
    key('up', 'choose', 'the one above', () => move(-1), '↑↓'),
    key('down', '', 'the one below', () => move(1)),
    key('g home', '', 'the first', () => setCursor(0)),
    key('G end', '', 'the last', () => setCursor(last)),
    key('enter space', 'take it', 'choose it', () => answer(choices[cursor]?.id ?? null)),
    key('esc q ctrl-c', 'cancel', 'cancel', () => answer(null)),
  ]
  useKeys({ title: 'Choice', closed: true, bindings }, 'overlay')
  const room = Math.max(1, height - 1)
  const top = Math.max(0, Math.min(cursor - Math.floor(room / 2), choices.length - room))
  const labelWidth = Math.min(40, Math.max(...choices.map(({ label }) => widthOf(safe(label)))))
  const lines: Line[] = [
    heading(title),
    ...choices
      .slice(top, top + room)
      .map((choice, at) => choiceLine(choice, top + at === cursor, labelWidth, signs.cursor)),
  ]
  return <Rows lines={lines} width={width} height={height} />
}

export function choiceLine({ label, about, key }: Choice, hasCursor: boolean, labelWidth: number, sign: string): Line {
  const spans: Span[] = [
    choiceSign(hasCursor, sign),
    { text: key === undefined ? '' : `${key}  `, style: 'bold' },
    { text: label, bold: hasCursor },
  ]
  if (about !== undefined) {
    const fill = ' '.repeat(Math.max(0, labelWidth - widthOf(safe(label))) + 3)
    spans.push(fill, { text: about, style: 'dim' })
  }
  return spans
}

export function preferredHeight(overlay: OverlayState, width: number): number {
  switch (overlay.kind) {
    case 'confirm': {
      const { request } = overlay
      return (
        confirmationLines(request, width).length +
        instructionOf(request, width).length +
        (request.wordToType === undefined ? 0 : 2)
      )
    }
    case 'prompt':
      return Math.max(overlay.lines ?? 0, overlay.request.complete === undefined ? 3 : 2 + completionsShown)
    case 'choose':
      return overlay.request.choices.length + 1
    case 'palette':
      return 10
    case 'help':
      return Number.POSITIVE_INFINITY
  }
}
