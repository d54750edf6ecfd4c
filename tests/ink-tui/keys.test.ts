import { describe, expect, test } from 'bun:test'
import { type Binding, dispatch, helpOf, type KeyTable, keyText } from '../../ink-tui/keys.ts'
import { formatLine } from '../../ink-tui/line.ts'
import { editInput, inputLine } from '../../ink-tui/parts/input.ts'
import { createKeyReader, type Press } from '../../ink-tui/terminal/key-reader.ts'

/** Reads these chunks, and waits until a lone escape is recognised. */
async function read(...chunks: (string | Uint8Array)[]) {
  const presses: Press[] = []
  const replies: string[] = []
  const reader = createKeyReader(
    press => presses.push(press),
    reply => replies.push(reply),
  )
  for (const chunk of chunks) reader.feed(chunk)
  await Bun.sleep(60)
  reader.stop()
  return { keys: presses.map(({ key }) => key), presses, replies }
}

test('help lists a key of a lower table while the upper table has switched its binding off', () => {
  const binding = (keys: string[], about: string, when = true): Binding => ({ keys, about, when, run: () => {} })
  const tables: KeyTable[] = [
    { title: 'Everywhere', bindings: [binding(['esc'], 'back')] },
    { title: 'Items', bindings: [binding(['esc'], 'unmark all', false)] },
  ]
  expect(helpOf(tables, true)).toEqual([{ title: 'Everywhere', rows: [{ keys: 'Esc', about: 'back' }] }])
})

describe('the key reader', () => {
  test('gives keys the same names on every terminal', async () => {
    expect((await read('\u001b[A\u001bOB\u001b[5~\u001b[6~\u001b[H\u001b[4~\u001b[Z')).keys).toEqual([
      'up',
      'down',
      'pgup',
      'pgdn',
      'home',
      'end',
      'backtab',
    ])
    expect((await read('\r\t \u007f\u0003\u0012')).keys).toEqual([
      'enter',
      'tab',
      'space',
      'backspace',
      'ctrl-c',
      'ctrl-r',
    ])
    expect((await read('\u001b[1;5C\u001b[3;2~')).keys).toEqual(['ctrl-right', 'shift-delete'])
    expect((await read('aZ?é北👍')).keys).toEqual(['a', 'Z', '?', 'é', '北', '👍'])
  })

  test('joins a sequence or a letter that arrives in pieces', async () => {
    expect((await read('\u001b', '[', 'A')).keys).toEqual(['up'])
    const letter = new TextEncoder().encode('北')
    expect((await read(letter.subarray(0, 1), letter.subarray(1))).keys).toEqual(['北'])
  })

  test('reads a lone escape as Escape, even when more keys follow', async () => {
    expect((await read('\u001b')).keys).toEqual(['esc'])
    expect((await read('\u001b\u001b')).keys).toEqual(['esc', 'esc'])
    expect((await read('\u001bq')).keys).toEqual(['esc', 'q'])
    expect((await read('\u001bb')).keys).toEqual(['alt-b'])
  })

  test('reports pasted text as one press, however many chunks it arrives in', async () => {
    const { presses } = await read('a\u001b[200~one\rtwo\u001b', '[2', '01~b')
    expect(presses).toEqual([
      { key: 'a', text: 'a' },
      { key: 'paste', text: 'one\rtwo', pasted: true },
      { key: 'b', text: 'b' },
    ])
  })

  test('Ctrl-C ends a paste without an end marker, but only some time after its last text', () => {
    const presses: Press[] = []
    let now = 0
    const reader = createKeyReader(
      press => presses.push(press),
      () => {},
      () => now,
    )
    reader.feed('\u001b[200~half a paste')
    now += 100
    reader.feed('\u0003')
    now += 5000
    reader.feed('q')
    now += 5000
    reader.feed('\u0003')
    reader.feed('\u0003')
    reader.feed('q')
    reader.stop()
    expect(presses).toEqual([
      { key: 'paste', text: 'half a paste\u0003q', pasted: true },
      { key: 'ctrl-c', text: '' },
      { key: 'q', text: 'q' },
    ])
  })

  test('takes a chunk for typed if it repeats one key, and for pasted if it is other text', async () => {
    expect((await read('j'.repeat(250))).keys.length).toBe(250)
    expect((await read('jd'.repeat(125))).keys).toEqual(['paste'])
  })

  test('does not read replies of the terminal as keys', async () => {
    const { keys, replies } = await read('x\u001b[?62;4c\u001b_Gi=31;OK\u001b\\y\u001b[24;80R')
    expect(keys).toEqual(['x', 'y'])
    expect(replies).toEqual(['[?62;4c', '_Gi=31;OK\u001b\\', '[24;80R'])
  })

  test('ignores unknown sequences', async () => {
    expect((await read('\u001b[57399;5u\u001b[<0;1;1M\u001b[200;3Xa')).keys).toEqual(['a'])
  })
})

describe('key tables', () => {
  const ran: string[] = []
  const binding = (keys: string[], what: string, more: Partial<Binding> = {}): Binding => ({
    keys,
    about: what,
    run: () => ran.push(what),
    ...more,
  })
  const press = (tables: readonly KeyTable[], key: string, more: Partial<Press> = {}) => {
    ran.length = 0
    const text = [...key].length === 1 ? key : ''
    return [dispatch(tables, { key, text, ...more }), ...ran]
  }
  const global: KeyTable = { title: 'Everywhere', bindings: [binding(['q'], 'quit'), binding(['?'], 'help')] }
  const screen: KeyTable = {
    title: 'Items',
    bindings: [
      binding(['up'], 'above'),
      binding(['down'], 'below'),
      binding(['q'], 'back'),
      binding(['x'], 'stop', { when: false }),
    ],
  }

  test('the topmost table with a binding for a key handles it', () => {
    expect(press([global, screen], 'q')).toEqual([true, 'back'])
    expect(press([global, screen], '?')).toEqual([true, 'help'])
    expect(press([global, screen], 'x')).toEqual([false])
  })

  test('hjkl act as arrow keys unless a table binds them', () => {
    expect(press([global, screen], 'j')).toEqual([true, 'below'])
    const own: KeyTable = { title: 'Own', bindings: [binding(['j'], 'join')] }
    expect(press([global, screen, own], 'j')).toEqual([true, 'join'])
    expect(press([global, screen, own], 'k')).toEqual([true, 'above'])
  })

  test('a question passes no keys to the tables below it', () => {
    const question: KeyTable = {
      title: 'Question',
      bindings: [binding(['y'], 'yes'), binding(['down'], 'next')],
      closed: true,
    }
    expect(press([global, screen, question], 'q')).toEqual([false])
    expect(press([global, screen, question], 'j')).toEqual([true, 'next'])
    expect(press([global, screen, question], 'y')).toEqual([true, 'yes'])
  })

  test('in an input line keys are letters, and pasted text never runs a command', () => {
    let text = ''
    const line: KeyTable = {
      title: 'Typing',
      bindings: [binding(['enter'], 'take')],
      closed: true,
      typed: one => {
        text += one.text
        return true
      },
    }
    expect(press([global, screen, line], 'j')).toEqual([true])
    expect(text).toBe('j')
    expect(press([global, screen], 'q', { pasted: true, key: 'paste', text: 'q' })).toEqual([false])
  })

  test('help lists the active keys, each of them once', () => {
    const sections = helpOf([global, screen], true)
    expect(sections.map(({ title }) => title)).toEqual(['Items', 'Everywhere'])
    expect(sections.flatMap(({ rows }) => rows.map(({ keys }) => keys))).toEqual(['↑', '↓', 'q', '?'])
    expect(keyText('ctrl-r', true)).toBe('Ctrl-R')
    expect(keyText('up', false)).toBe('Up')
    expect(keyText('f1', true)).toBe('F1')
  })
})

describe('a typed line', () => {
  const type = (text: string, ...keys: string[]) =>
    keys.reduce((input, key) => editInput(input, { key, text: [...key].length === 1 ? key : '' }) ?? input, {
      text,
      at: text.length,
    })

  test('is edited as in a shell', () => {
    expect(type('year:2019', 'ctrl-w')).toEqual({ text: '', at: 0 })
    expect(type('one two', 'ctrl-w', 'x')).toEqual({ text: 'one x', at: 5 })
    expect(type('one two', 'ctrl-a', 'x')).toEqual({ text: 'xone two', at: 1 })
    expect(type('one two', 'home', 'ctrl-k')).toEqual({ text: '', at: 0 })
    expect(type('one two', 'ctrl-left', 'ctrl-left', 'ctrl-right')).toEqual({ text: 'one two', at: 3 })
    expect(type('a👨‍👩‍👧b', 'left', 'backspace')).toEqual({ text: 'ab', at: 1 })
    expect(type('abc', 'left', 'delete')).toEqual({ text: 'ab', at: 2 })
  })

  test('scrolls to keep its cursor visible', () => {
    const shown = (text: string, at: number, width: number) =>
      Bun.stripANSI(formatLine(inputLine({ text, at }, width), 0))
    expect(shown('abcdef', 6, 4)).toBe('def ')
    expect(shown('abcdef', 0, 4)).toBe('abcd')
    expect(formatLine(inputLine({ text: 'secret', at: 6 }, 20, true), 0)).not.toContain('s')
  })

  test('turns pasted text into one line', () => {
    expect(editInput({ text: '', at: 0 }, { key: 'paste', text: ' /a\r\n/b\t', pasted: true })).toEqual({
      text: '/a /b',
      at: 5,
    })
  })
})
