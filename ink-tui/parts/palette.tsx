/** The palette: commands by name, above the footer. */
import { type ReactElement, useEffect, useState } from 'react'
import type { Line } from '../line.ts'
import { useKeys, useStage } from '../stage.ts'
import { type Input, inputLine, typed } from './input.ts'
import { choiceLine, type Frame, nothingBegins } from './overlays.tsx'
import { Rows } from './rows.tsx'

/** A command of the palette: `:scan Family`. */
export interface Command {
  name: string
  about: string
  /** Completions of what stands behind the name. */
  complete?(argument: string): readonly string[] | Promise<readonly string[]>
  run(argument: string): void | Promise<void>
}

/** `:` and the name of a screen or an action; Tab completes, Enter does the one that is chosen. */
export function Palette({
  commands,
  onClose,
  width,
  height,
}: Frame & { commands: readonly Command[]; onClose(): void }): ReactElement {
  const stage = useStage()
  const { signs } = stage.terminal
  const [input, setInput] = useState<Input>({ text: '', at: 0 })
  const [cursor, setCursor] = useState(0)
  const [name = '', ...rest] = input.text.trimStart().split(' ')
  const argument = rest.join(' ').trim()
  const hasArgument = /^\s*\S+\s/.test(input.text)
  const exact = commands.find(command => command.name === name)
  const begin = commands.filter(command => command.name.startsWith(name.toLowerCase()))
  const within = commands.filter(
    command =>
      !begin.includes(command) && `${command.name} ${command.about}`.toLowerCase().includes(name.toLowerCase()),
  )
  const matching = hasArgument && exact !== undefined ? [exact] : [...begin, ...within]
  const [found, setFound] = useState<readonly string[] | null>(null)
  const offered = found ?? []
  const isArgument = hasArgument && exact?.complete !== undefined

  useEffect(() => {
    let isOn = true
    if (!isArgument) setFound(null)
    else
      void Promise.resolve(exact?.complete?.(argument) ?? []).then(
        texts => isOn && setFound(texts),
        () => {},
      )
    return () => {
      isOn = false
    }
  }, [isArgument, exact, argument])

  const count = isArgument ? offered.length : matching.length
  const at = Math.max(0, Math.min(cursor, count - 1))
  const write = (text: string) => {
    setInput({ text, at: text.length })
    setCursor(0)
  }
  function complete() {
    if (isArgument) {
      const text = offered[at]
      if (text !== undefined) write(`${name} ${text}`)
    } else {
      const command = matching[at]
      if (command !== undefined) write(`${command.name}${command.complete === undefined ? '' : ' '}`)
    }
  }
  function submit() {
    const command = exact !== undefined && hasArgument ? exact : matching[at]
    if (command === undefined) return
    // A command that wants a word gets the place to write it.
    if (command.complete !== undefined && !hasArgument) return write(`${command.name} `)
    const word = isArgument ? (offered[at] ?? argument) : argument
    onClose()
    stage.run(() => command.run(hasArgument ? word : ''))
  }

  useKeys(
    {
      title: 'Commands',
      closed: true,
      bindings: [
        { keys: ['enter'], short: 'do it', about: 'do the chosen command', run: submit },
        { keys: ['tab'], short: 'complete', about: 'complete the name', run: complete },
        { keys: ['esc', 'ctrl-c'], short: 'leave it', about: 'back to the screen', run: onClose },
        { keys: ['up', 'ctrl-p'], about: 'the one above', run: () => setCursor(Math.max(0, at - 1)) },
        { keys: ['down', 'ctrl-n'], about: 'the one below', run: () => setCursor(Math.min(count - 1, at + 1)) },
      ],
      typed: press => {
        if (press.key === 'backspace' && input.text === '') onClose()
        const next = typed(input, press)
        if (next !== null) {
          setInput(next)
          setCursor(0)
        }
        return true
      },
    },
    'overlay',
  )
  const nothing = !isArgument ? 'No command is called so.' : found === null ? '' : nothingBegins
  const room = Math.max(1, height - 1)
  const top = Math.max(0, Math.min(at - room + 2, count - room))
  const names = Math.max(8, ...matching.map(command => command.name.length))
  const choices: Line[] = isArgument
    ? offered
        .slice(top, top + room)
        .map((text, place) => choiceLine({ id: text, label: text }, top + place === at, 0, signs.cursor))
    : matching
        .slice(top, top + room)
        .map((command, place) =>
          choiceLine(
            { id: command.name, label: command.name, about: command.about },
            top + place === at,
            names,
            signs.cursor,
          ),
        )
  const lines: Line[] = [
    [' ', { text: ':', style: 'bold' }, ...inputLine(input, width - 3)],
    ...(count === 0 ? [['   ', { text: nothing, style: 'dim' as const }]] : choices),
  ]
  return <Rows lines={lines} width={width} height={height} />
}
