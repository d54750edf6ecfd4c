/** A line that the user types: its text, cursor and keys. */

import { useRef, useState } from 'react'
import type { Line, Span } from '../line.ts'
import type { Press } from '../terminal/key-reader.ts'
import { safe, widthOf } from '../text.ts'

export interface Input {
  text: string
  /** Cursor position in UTF-16 units, between graphemes. */
  at: number
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

function previousBoundary(text: string, at: number): number {
  const pieces = [...segmenter.segment(text.slice(0, at))]
  return at - (pieces.at(-1)?.segment.length ?? 0)
}

function nextBoundary(text: string, at: number): number {
  const [first] = segmenter.segment(text.slice(at))
  return at + (first?.segment.length ?? 0)
}

/** The line after a key has edited it or moved its cursor; null for other keys. */
export function editInput({ text, at }: Input, press: Press): Input | null {
  const withoutRange = (from: number, to: number): Input => ({ text: text.slice(0, from) + text.slice(to), at: from })
  switch (press.key) {
    case 'left':
    case 'ctrl-b':
      return { text, at: previousBoundary(text, at) }
    case 'right':
    case 'ctrl-f':
      return { text, at: nextBoundary(text, at) }
    case 'home':
    case 'ctrl-a':
      return { text, at: 0 }
    case 'end':
    case 'ctrl-e':
      return { text, at: text.length }
    case 'ctrl-left':
    case 'alt-b':
      return { text, at: Math.max(0, text.slice(0, at).search(/\S+\s*$/)) }
    case 'ctrl-right':
    case 'alt-f':
      return { text, at: at + (/^\s*\S+/.exec(text.slice(at))?.[0].length ?? text.length - at) }
    case 'backspace':
      return withoutRange(previousBoundary(text, at), at)
    case 'delete':
    case 'ctrl-d':
      return withoutRange(at, nextBoundary(text, at))
    case 'ctrl-u':
      return withoutRange(0, at)
    case 'ctrl-k':
      return withoutRange(at, text.length)
    case 'ctrl-w':
    case 'alt-backspace':
      return withoutRange(Math.max(0, text.slice(0, at).search(/\S+\s*$/)), at)
    default: {
      // Line ends in pasted text do not act as Enter.
      const added = press.pasted === true ? press.text.replace(/[\r\n\t]+/g, ' ').trim() : press.text
      if (added === '') return null
      return { text: text.slice(0, at) + added + text.slice(at), at: at + added.length }
    }
  }
}

/** A line's state. `latest` is up to date before React has rendered, because the next key may arrive earlier. */
export function useInput(start: Input) {
  const [input, render] = useState(start)
  const latest = useRef(start)
  const setInput = (next: Input) => {
    latest.current = next
    render(next)
  }
  return { input, latest, setInput }
}

/** A handler of keys that edit the line, for a table of keys. */
export function editHandler(input: { readonly current: Input }, write: (next: Input) => void): (press: Press) => void {
  return press => {
    const next = editInput(input.current, press)
    if (next !== null) write(next)
  }
}

/** The line in `width` columns, scrolled to the highlighted cursor. */
export function inputLine({ text, at }: Input, width: number, hidden = false): Line {
  const shown = hidden ? '•'.repeat([...segmenter.segment(text)].length) : text
  const place = hidden ? [...segmenter.segment(text.slice(0, at))].length : at
  const cursor = shown.slice(place, nextBoundary(shown, place)) || ' '
  let head = safe(shown.slice(0, place))
  const cursorWidth = Math.max(1, widthOf(safe(cursor)))
  while (head !== '' && widthOf(head) + cursorWidth > width) {
    const [first] = segmenter.segment(head)
    head = head.slice(first?.segment.length ?? 1)
  }
  const room = width - widthOf(head) - cursorWidth
  let tail = safe(shown.slice(place + (place < shown.length ? cursor.length : 0)))
  while (tail !== '' && widthOf(tail) > room) tail = tail.slice(0, previousBoundary(tail, tail.length))
  const spans: Span[] = [head, { text: cursor, inverse: true }, tail]
  return spans
}
