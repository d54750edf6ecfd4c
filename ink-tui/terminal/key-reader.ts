/** Keyboard input: converts bytes to named keys, and recognises responses of the terminal. */

/** A pressed key: a name ('up', 'enter', 'ctrl-c') or the character itself; `text` is the typed text, if any. */
export interface Press {
  key: string
  text: string
  /** True if pasted: the text is only inserted, so no character of it acts as a key. */
  pasted?: boolean
  /** Number of merged presses; default: one. */
  times?: number
}

const letters = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end' }
const keyNames: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(letters).flatMap(([letter, key]) => [`[${letter}`, `O${letter}`].map(sequence => [sequence, key])),
  ),
  '[Z': 'backtab',
  OM: 'enter',
  '[1~': 'home',
  '[2~': 'insert',
  '[3~': 'delete',
  '[4~': 'end',
  '[5~': 'pgup',
  '[6~': 'pgdn',
  '[7~': 'home',
  '[8~': 'end',
  '[15~': 'f5',
  OP: 'f1',
  '[11~': 'f1',
  '[[A': 'f1',
}

const controls: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0000': 'ctrl-space',
}

const pasteEnd = '\u001b[201~'
/** Milliseconds after which a lone escape byte is the Escape key. */
const escapeMs = 40

/** At least this many characters that arrive at once were pasted, not typed. */
const pastedLength = 200

/** After this many milliseconds without input, the end of a paste may be lost. */
const stalledMs = 2000

/** Arrows and other named keys with a modifier: '[1;5C' is Ctrl and right. */
function modifiedKey(sequence: string): string | null {
  const match = /^\[(?:1|(\d+));(\d)([A-HF~])$/.exec(sequence)
  if (match === null) return null
  const [, number, modifier, letter] = match
  const base = keyNames[letter === '~' ? `[${number}~` : `[${letter}`]
  if (base === undefined) return null
  const bits = Number(modifier) - 1
  return `${(bits & 4) !== 0 ? 'ctrl-' : ''}${(bits & 2) !== 0 ? 'alt-' : ''}${(bits & 1) !== 0 ? 'shift-' : ''}${base}`
}

/** The escape sequence at the start, without its ESC; null if incomplete; '' if the ESC is the Escape key. */
function sequenceAt(text: string): string | null {
  const body = text.slice(1)
  if (body === '') return null
  const [first = ''] = body
  if (first === '[') {
    if (body.startsWith('[[')) return body.length >= 3 ? body.slice(0, 3) : null
    const match = /^\[[0-?]*[ -/]*[@-~]/.exec(body)
    return match?.[0] ?? (body.length > 64 ? '' : null)
  }
  if (first === 'O') return body.length >= 2 ? body.slice(0, 2) : null
  // Responses of the terminal, up to BEL or ST.
  if (first === ']' || first === '_' || first === 'P') {
    const ends = ['\u0007', '\u001b\\'].map(end => ({ at: body.indexOf(end), length: end.length }))
    const [end] = ends.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)
    if (end !== undefined) return body.slice(0, end.at + end.length)
    return body.length > 100_000 ? '' : null
  }
  // Alt with b, f, d or Backspace; otherwise, Escape was pressed before the character.
  return /[bfd\u007f]/.test(first) ? first : ''
}

/** A character as a key; null for none. */
function characterKey(character: string): Press | null {
  const control = controls[character]
  if (control !== undefined) return { key: control, text: '' }
  const code = character.codePointAt(0) ?? 0
  if (code < 27) return { key: `ctrl-${String.fromCharCode(code + 96)}`, text: '' }
  return code < 32 ? null : { key: character === ' ' ? 'space' : character, text: character }
}

/** Whether the sequence is a response to a query. */
function isAnswer(sequence: string): boolean {
  return /^(\[[?>=]?[\d;]*[cnRy]|\[\?[\d;]*\$?[a-z]|[\]_P])/.test(sequence) && keyNames[sequence] === undefined
}

/** An escape sequence as a key; null if unknown. */
function sequenceKey(sequence: string): Press | null {
  const known = keyNames[sequence] ?? modifiedKey(sequence)
  if (known !== null) return { key: known, text: '' }
  return [...sequence].length === 1 ? { key: `alt-${controls[sequence] ?? sequence}`, text: '' } : null
}

/** Whether the text was pasted without paste markers: much of it arrived at once. Repetitions of one key are no paste. */
function isPasted(text: string): boolean {
  return text.length >= pastedLength && !text.includes('\u001b') && !/^(.)\1*$/su.test(text)
}

/** Reads keys from the input of `feed`; `now` in ms. Passes responses of the terminal to `onAnswer`. */
export function createKeyReader(
  onPress: (press: Press) => void,
  onAnswer: (sequence: string) => void = () => {},
  now: () => number = () => performance.now(),
) {
  const decoder = new TextDecoder()
  let pending = ''
  let paste: string | null = null
  let lastAt = now()
  let timer: ReturnType<typeof setTimeout> | null = null

  const report = (press: Press | null) => press !== null && onPress(press)

  /** `isOver`: an incomplete sequence will not be continued. */
  function readPending(isOver: boolean) {
    for (;;) {
      if (paste !== null) {
        const end = pending.indexOf(pasteEnd)
        if (end < 0) {
          // The end marker may arrive in two pieces.
          const safeLength = Math.max(0, pending.length - pasteEnd.length)
          paste += pending.slice(0, safeLength)
          pending = pending.slice(safeLength)
          return
        }
        const text = paste + pending.slice(0, end)
        pending = pending.slice(end + pasteEnd.length)
        paste = null
        onPress({ key: 'paste', text, pasted: true })
        continue
      }
      if (pending === '') return
      if (pending.startsWith('\u001b')) {
        const sequence = sequenceAt(pending)
        if (sequence === null && !isOver) return
        if (sequence === null || sequence === '') {
          pending = pending.slice(1)
          onPress({ key: 'esc', text: '' })
          continue
        }
        pending = pending.slice(1 + sequence.length)
        if (sequence === '[200~') paste = ''
        else if (isAnswer(sequence)) onAnswer(sequence)
        else report(sequenceKey(sequence))
        continue
      }
      const [character = ''] = pending
      pending = pending.slice(character.length)
      report(characterKey(character))
    }
  }

  /** Ctrl-C ends a paste whose end was lost: its text is kept, and keys work again. */
  function endLostPaste(text: string): boolean {
    const isStalled = now() - lastAt > stalledMs
    lastAt = now()
    if (paste === null || !isStalled || text !== '\u0003') return false
    onPress({ key: 'paste', text: paste + pending, pasted: true })
    paste = null
    pending = ''
    return true
  }

  return {
    feed(chunk: Uint8Array | string) {
      if (timer !== null) clearTimeout(timer)
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      if (endLostPaste(text)) return
      pending += text
      if (paste === null && isPasted(pending)) {
        const pasted = pending
        pending = ''
        return onPress({ key: 'paste', text: pasted, pasted: true })
      }
      readPending(false)
      timer = pending.startsWith('\u001b') && paste === null ? setTimeout(() => readPending(true), escapeMs) : null
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
