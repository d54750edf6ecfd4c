/** The palette: commands by name, above the footer. */
import { type ReactElement, useEffect, useState } from 'react'
import type { Line } from '../line.ts'
import type { Press } from '../terminal/key-reader.ts'
import { type Choice, useKeys, useUi } from '../ui.ts'
import { editHandler, type Input, inputLine, useInput } from './input.ts'
import { keysFor } from './keys-for.ts'
import { choiceLine, type Frame } from './overlays.tsx'
import { noMatchText } from './prompt.tsx'
import { Rows } from './rows.tsx'

/** A command of the palette, such as `:scan Family`. */
export interface Command {
  name: string
  about: string
  /** Completions of its argument. */
  complete?(argument: string): readonly string[] | Promise<readonly string[]>
  run(argument: string): void | Promise<void>
}

/** The typed command, and the matching ones: first those that begin with the word, then those that contain it. */
function matchCommands(commands: readonly Command[], text: string) {
  const [name = '', ...rest] = text.trimStart().split(' ')
  const hasArgument = /^\s*\S+\s/.test(text)
  const exact = commands.find(command => command.name === name)
  const word = name.toLowerCase()
  const begin = commands.filter(command => command.name.startsWith(word))
  const within = commands.filter(
    command => !begin.includes(command) && `${command.name} ${command.about}`.toLowerCase().includes(word),
  )
  const matching = hasArgument && exact !== undefined ? [exact] : [...begin, ...within]
  return { name, argument: rest.join(' ').trim(), hasArgument, exact, matching }
}

/** Completions of a command's argument; null while loading. */
function useArguments(command: Command | undefined, argument: string): readonly string[] | null {
  const [found, setFound] = useState<readonly string[] | null>(null)
  useEffect(() => {
    let isOn = true
    if (command === undefined) setFound(null)
    else
      void Promise.resolve(command.complete?.(argument) ?? []).then(
        texts => isOn && setFound(texts),
        () => {},
      )
    return () => {
      isOn = false
    }
  }, [command, argument])
  return found
}

type PaletteProps = Frame & { commands: readonly Command[]; onClose(): void }

/** `:` and the name of a screen or an action; Tab completes, Enter runs the chosen command. */
export function Palette({ commands, onClose, width, height }: PaletteProps): ReactElement {
  const ui = useUi()
  const { signs } = ui.terminal
  const { input, latest, setInput } = useInput({ text: '', at: 0 })
  const [cursor, setCursor] = useState(0)
  const { name, argument, hasArgument, exact, matching } = matchCommands(commands, input.text)
  const isArgument = hasArgument && exact?.complete !== undefined
  const found = useArguments(isArgument ? exact : undefined, argument)
  const offered = found ?? []

  const count = isArgument ? offered.length : matching.length
  const at = Math.max(0, Math.min(cursor, count - 1))
  const write = (next: Input) => {
    setInput(next)
    setCursor(0)
  }
  const writeText = (text: string) => write({ text, at: text.length })
  function complete() {
    const [text, command] = [offered[at], matching[at]]
    if (isArgument) {
      if (text !== undefined) writeText(`${name} ${text}`)
    } else if (command !== undefined) writeText(`${command.name}${command.complete === undefined ? '' : ' '}`)
  }
  function submit() {
    const command = exact !== undefined && hasArgument ? exact : matching[at]
    if (command === undefined) return
    // A command with an argument waits until the argument is typed.
    if (command.complete !== undefined && !hasArgument) return writeText(`${command.name} `)
    const word = isArgument ? (offered[at] ?? argument) : argument
    onClose()
    return command.run(hasArgument ? word : '')
  }

  const key = keysFor(ui, ui)
  const bindings = [
    key('enter', 'do it', 'run the command', submit),
    key('tab', 'complete', 'complete the name', complete),
    key('esc ctrl-c', 'cancel', 'back to the screen', onClose),
    key('up ctrl-p', '', 'the one above', () => setCursor(Math.max(0, at - 1))),
    key('down ctrl-n', '', 'the one below', () => setCursor(Math.min(count - 1, at + 1))),
  ]
  const onTyped = (press: Press) => {
    if (press.key === 'backspace' && input.text === '') onClose()
    editHandler(latest, write)(press)
  }
  useKeys({ title: 'Commands', closed: true, bindings, typed: onTyped }, 'overlay')
  const nothing = !isArgument ? 'No such command.' : found === null ? '' : noMatchText
  const room = Math.max(1, height - 1)
  const top = Math.max(0, Math.min(at - room + 2, count - room))
  const names = isArgument ? 0 : Math.max(8, ...matching.map(command => command.name.length))
  const choices: Choice[] = isArgument
    ? offered.map(text => ({ id: text, label: text }))
    : matching.map(command => ({ id: command.name, label: command.name, about: command.about }))
  const shown = choices
    .slice(top, top + room)
    .map((choice, place) => choiceLine(choice, top + place === at, names, signs.cursor))
  const lines: Line[] = [
    [' ', { text: ':', style: 'bold' }, ...inputLine(input, width - 3)],
    ...(count === 0 ? [['   ', { text: nothing, style: 'dim' as const }]] : shown),
  ]
  return <Rows lines={lines} width={width} height={height} />
}
