/** Questions above the footer: yes or no, a line to type, one of several. */
import { type ReactElement, useLayoutEffect, useState } from 'react'
import type { Binding } from '../keys.ts'
import { type Line, type Span, wrapLine } from '../line.ts'
import type { Choice, ChooseWish, Confirmation, OverlayState, PromptWish, Wrong } from '../stage.ts'
import { useKeys, useStage } from '../stage.ts'
import { cutFront, safe, widthOf, wrap } from '../text.ts'
import { type Input, inputLine, typed } from './input.ts'
import { Rows } from './rows.tsx'

/** What a question takes of the screen. */
export interface Frame {
  width: number
  /** At most so many lines. */
  height: number
}

function heading(text: string): Line {
  return [' ', { text, style: 'bold' }]
}

/** As it is shown: what cannot be seen, and how letters are put together, nobody can type. */
function asSeen(text: string): string {
  return safe(text).normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** What is asked and told, nothing of it cut. */
function toldOf({ title, lines = [] }: Confirmation, width: number): Line[] {
  return [
    ...wrap(title, width - 2).map(heading),
    ...lines.flatMap(line => wrapLine(line, width - 2)).map((line): Line => [' ', ...line]),
  ]
}

/** What must be typed, where something must. */
function demandOf({ typed: word }: Confirmation, width: number): Line[] {
  if (word === undefined) return []
  const words = [{ text: `Type ${asSeen(word)} to confirm:`, style: 'dim' as const }]
  return wrapLine(words, width - 2).map((line): Line => [' ', ...line])
}

export function Confirm({
  wish,
  answer,
  width,
  height,
}: Frame & { wish: Confirmation; answer(yes: boolean): void }): ReactElement {
  const { yes, typed: word } = wish
  const [input, setInput] = useState<Input>({ text: '', at: 0 })
  const [isOther, setOther] = useState(false)
  const [scrolled, setScrolled] = useState(0)
  const isRight = word === undefined || asSeen(input.text) === asSeen(word)
  const demand = demandOf(wish, width)
  const typing: Line[] = [
    ...(word === undefined ? [] : [[' ', ...inputLine(input, width - 2)]]),
    ...(isOther ? [[' ', { text: 'This is not the name.', style: 'amber' as const }]] : []),
  ]
  // The place to type stays in sight; what has no room above it is scrolled to.
  const isDemandFixed = demand.length + typing.length < height
  const above = [...toldOf(wish, width), ...(isDemandFixed ? [] : demand)]
  const below = [...(isDemandFixed ? demand : []), ...typing]
  const room = Math.max(1, height - below.length)
  const last = Math.max(0, above.length - room)
  const top = Math.min(scrolled, last)
  const bindings: Binding[] = [
    { keys: ['enter'], short: yes, about: yes, when: word !== undefined && isRight, run: () => answer(true) },
    { keys: ['enter'], about: yes, when: word !== undefined && !isRight, run: () => setOther(true) },
    { keys: ['y'], short: yes, about: yes, when: word === undefined, run: () => answer(true) },
    {
      keys: word === undefined ? ['esc', 'n', 'q'] : ['esc'],
      short: 'leave it',
      about: 'leave it',
      run: () => answer(false),
    },
    {
      keys: ['down'],
      shown: '↑↓',
      short: 'read on',
      about: 'the lines below',
      when: last > 0,
      run: () => setScrolled(Math.min(last, top + 1)),
    },
    { keys: ['up'], about: 'the lines above', when: last > 0, run: () => setScrolled(Math.max(0, top - 1)) },
  ]
  useKeys(
    {
      title: 'Question',
      bindings,
      closed: true,
      typed: press => {
        const next = word === undefined ? null : typed(input, press)
        if (next !== null) {
          setInput(next)
          setOther(false)
        }
        return true
      },
    },
    'overlay',
  )
  const shown = [...above.slice(top, top + room), ...below]
  return <Rows lines={shown} width={width} height={height} />
}

export const nothingBegins = 'Nothing begins like that.'

/** As many completions as are shown at once. */
const completionsShown = 6

/** Less room than this behind its label, and what is typed has a line of its own. Columns. */
const leastTyped = 20

/** The longest beginning that all have. */
function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const other of others) {
    let same = 0
    while (same < length && same < other.length && other[same] === first[same]) same++
    length = same
  }
  return first.slice(0, length)
}

/** `onHeight`: told how many lines it would like now. */
export function Prompt({
  wish,
  answer,
  onHeight,
  width,
  height,
}: Frame & {
  wish: PromptWish
  answer(text: string | null): void
  onHeight(lines: number): void
}): ReactElement {
  const stage = useStage()
  const { label, value = '', hidden = false, complete, check, hint, history } = wish
  const [input, setInput] = useState<Input>({ text: value, at: value.length })
  const [fault, setFault] = useState<string | null>(null)
  const [found, setFound] = useState<{ texts: readonly string[]; at: number }>({ texts: [], at: -1 })
  const earlier = history === undefined ? [] : stage.typedBefore(history)
  const [back, setBack] = useState(0)

  function write(next: Input) {
    setInput(next)
    setFault(null)
    setFound({ texts: [], at: -1 })
  }

  function recall(by: number) {
    const place = Math.max(0, Math.min(back + by, earlier.length))
    if (place === back) return
    setBack(place)
    const text = place === 0 ? value : (earlier[earlier.length - place] ?? '')
    write({ text, at: text.length })
  }

  function choose(texts: readonly string[], at: number) {
    const text = texts[at] ?? ''
    setInput({ text, at: text.length })
    setFault(null)
    setFound({ texts, at })
  }

  async function completion(by: number) {
    if (complete === undefined) return
    if (found.at >= 0 && found.texts.length > 1)
      return choose(found.texts, (found.at + by + found.texts.length) % found.texts.length)
    const texts = await complete(input.text)
    const [only] = texts
    if (only === undefined) return setFault(nothingBegins)
    if (texts.length === 1) return write({ text: only, at: only.length })
    const common = commonStart(texts)
    if (common.length > input.text.length) {
      setInput({ text: common, at: common.length })
      setFault(null)
      return setFound({ texts, at: -1 })
    }
    // Seen already: the next Tab goes through them.
    if (found.texts.length > 0) choose(texts, by > 0 ? 0 : texts.length - 1)
    else setFound({ texts, at: -1 })
  }

  function submit() {
    const wrong = check?.(input.text) ?? null
    if (wrong instanceof Promise) stage.run(async () => taken(await wrong))
    else taken(wrong)
  }

  function taken(wrong: Wrong | null) {
    if (typeof wrong === 'string') return setFault(wrong)
    if (wrong !== null) {
      setFault(wrong.says)
      if (wrong.at >= 0) setInput({ ...input, at: Math.min(wrong.at, input.text.length) })
      return
    }
    if (history !== undefined && input.text !== '') stage.remember(history, input.text)
    answer(input.text)
  }

  useKeys(
    {
      title: 'Typing',
      closed: true,
      bindings: [
        { keys: ['enter'], short: 'take it', about: 'take what is typed', run: submit },
        { keys: ['esc', 'ctrl-c'], short: 'leave it', about: 'leave everything as it is', run: () => answer(null) },
        {
          keys: ['tab'],
          short: 'complete',
          about: 'complete what is typed',
          when: complete !== undefined,
          run: () => stage.run(() => completion(1)),
        },
        {
          keys: ['backtab'],
          about: 'the completion before',
          when: complete !== undefined,
          run: () => stage.run(() => completion(-1)),
        },
        {
          keys: ['up'],
          short: 'before',
          about: 'what was typed before',
          when: earlier.length > 0,
          run: () => recall(1),
        },
        { keys: ['down'], about: 'what was typed after that', when: earlier.length > 0, run: () => recall(-1) },
      ],
      typed: press => {
        const next = typed(input, press)
        if (next !== null) write(next)
        return true
      },
    },
    'overlay',
  )
  const listed = found.texts
  const first = Math.max(0, Math.min(found.at - 2, listed.length - completionsShown))
  const lead = `${label} `
  const below: Line[] = []
  if (fault !== null) for (const line of wrap(safe(fault), width - 2)) below.push([' ', { text: line, style: 'amber' }])
  for (const [at, text] of listed.slice(first, first + completionsShown).entries())
    below.push([
      first + at === found.at ? { text: ` ${stage.terminal.signs.cursor} `, style: 'accent' } : '   ',
      {
        text: cutFront(safe(text), width - 4),
        style: first + at === found.at ? 'bold' : 'dim',
      },
    ])
  if (listed.length > completionsShown) below.push(['   ', { text: `${listed.length} begin like that`, style: 'dim' }])
  else if (listed.length === 0 && fault === null && hint !== undefined)
    for (const line of wrap(hint, width - 2)) below.push([' ', { text: line, style: 'dim' }])
  const leadWidth = widthOf(safe(lead))
  const lines: Line[] =
    leadWidth + leastTyped > width
      ? [heading(label), [' ', ...inputLine(input, width - 2, hidden)], ...below]
      : [[' ', { text: lead, style: 'bold' }, ...inputLine(input, width - leadWidth - 2, hidden)], ...below]
  const needed = lines.length
  useLayoutEffect(() => onHeight(needed), [needed, onHeight])
  return <Rows lines={lines} width={width} height={height} />
}

export function Choose({
  wish,
  answer,
  width,
  height,
}: Frame & { wish: ChooseWish; answer(id: string | null): void }): ReactElement {
  const { signs } = useStage().terminal
  const { title, choices, chosen } = wish
  const [cursor, setCursor] = useState(() =>
    Math.max(
      0,
      choices.findIndex(({ id }) => id === chosen),
    ),
  )
  const last = choices.length - 1
  const move = (by: number) => setCursor(at => Math.max(0, Math.min(last, at + by)))
  useKeys(
    {
      title: 'Choice',
      closed: true,
      bindings: [
        ...choices.flatMap(({ id, key, label }): Binding[] =>
          key === undefined ? [] : [{ keys: [key], about: label, run: () => answer(id) }],
        ),
        { keys: ['up'], shown: '↑↓', short: 'choose', about: 'the one above', run: () => move(-1) },
        { keys: ['down'], about: 'the one below', run: () => move(1) },
        { keys: ['g', 'home'], about: 'the first', run: () => setCursor(0) },
        { keys: ['G', 'end'], about: 'the last', run: () => setCursor(last) },
        {
          keys: ['enter', 'space'],
          short: 'take it',
          about: 'take the chosen one',
          run: () => answer(choices[cursor]?.id ?? null),
        },
        {
          keys: ['esc', 'q', 'ctrl-c'],
          short: 'leave it',
          about: 'leave everything as it is',
          run: () => answer(null),
        },
      ],
    },
    'overlay',
  )
  const room = Math.max(1, height - 1)
  const top = Math.max(0, Math.min(cursor - Math.floor(room / 2), choices.length - room))
  const labels = Math.min(40, Math.max(...choices.map(({ label }) => widthOf(safe(label)))))
  const lines: Line[] = [
    heading(title),
    ...choices
      .slice(top, top + room)
      .map((choice, at) => choiceLine(choice, top + at === cursor, labels, signs.cursor)),
  ]
  return <Rows lines={lines} width={width} height={height} />
}

export function choiceLine({ label, about, key }: Choice, isChosen: boolean, labels: number, sign: string): Line {
  const spans: Span[] = [isChosen ? { text: ` ${sign} `, style: 'accent' } : '   ']
  spans.push({ text: key === undefined ? '' : `${key}  `, style: 'bold' })
  spans.push({ text: label, bold: isChosen })
  if (about !== undefined) {
    const fill = ' '.repeat(Math.max(0, labels - widthOf(safe(label))) + 3)
    spans.push(fill, { text: about, style: 'dim' })
  }
  return spans
}

/** How many lines a question would like. */
export function wishedHeight(overlay: OverlayState, width: number): number {
  switch (overlay.kind) {
    case 'confirm': {
      const { wish } = overlay
      return toldOf(wish, width).length + demandOf(wish, width).length + (wish.typed === undefined ? 0 : 2)
    }
    case 'prompt':
      return Math.max(overlay.lines ?? 0, overlay.wish.complete === undefined ? 3 : 2 + completionsShown)
    case 'choose':
      return overlay.wish.choices.length + 1
    case 'palette':
      return 10
    case 'help':
      return Number.POSITIVE_INFINITY
  }
}
