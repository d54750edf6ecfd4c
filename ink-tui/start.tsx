/** Opens the terminal UI and answers when it was left: the terminal is then as it was, whatever happened. */
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { type Instance, render } from 'ink'
import { Component, type ReactElement, type ReactNode } from 'react'
import { App, loadScreen } from './app.tsx'
import { filled } from './pictures/stand-ins.ts'
import type { TuiSession } from './session.ts'
import { createStage, type Stage } from './stage.ts'
import { createKeyReader } from './terminal/key-reader.ts'
import { createPressQueue } from './terminal/press-queue.ts'
import { createTerminal, type Terminal } from './terminal/terminal.ts'
import { createTerminalGuard } from './terminal/terminal-guard.ts'
import { tidyMemory } from './terminal/tidy-memory.ts'

/** Frames follow each other with at least so much between; a key is answered at once. Milliseconds. */
const frameMs = 33

/** A program that was stopped does not count this time. Milliseconds. */
const resumeMs = 50

/** Where Ink writes whole frames to: the terminal draws what has changed of them. */
class FrameStream extends EventEmitter {
  readonly isTTY = true
  readonly writable = true
  readonly destroyed = false
  readonly writableEnded = false
  #latest: string | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #lastAt = Number.NEGATIVE_INFINITY
  constructor(readonly terminal: Terminal) {
    super()
    this.setMaxListeners(0)
  }
  get columns(): number {
    return this.terminal.size().columns
  }
  get rows(): number {
    return this.terminal.size().rows
  }
  write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    // The barrier that Ink writes when it ends.
    if (text === '') return true
    // Now: stand-ins may be given to other lines before it is shown.
    this.#latest = filled(text)
    // What is drawn in one go (a screen, then its keys in the footer) is one frame.
    const left = Math.max(0, this.#lastAt + frameMs - performance.now())
    this.#timer ??= setTimeout(() => this.show(), left)
    return true
  }
  show(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#lastAt = performance.now()
    if (this.#latest !== null) this.terminal.draw(this.#latest)
  }
}

/** A fault while drawing ends the program in words; without it React would leave an empty screen. */
class Guard extends Component<{ onError(error: unknown): void; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override componentDidCatch(error: unknown) {
    this.props.onError(error)
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}

export interface StartOptions {
  session: TuiSession
  environment: Record<string, string | undefined>
  /** Screen that is shown first. */
  first?: string
  /** Asked before it ends by a key; false: it goes on. */
  mayLeave?(stage: Stage): Promise<boolean>
}

/**
 * Runs until it is left by its keys, or ended from outside (a signal, a terminal that was closed). Throws what nobody foresaw,
 * after the terminal was given back.
 */
export async function startTui(options: StartOptions): Promise<'left' | 'ended'> {
  const { session, environment, first = 'dashboard', mayLeave } = options
  const terminal = createTerminal({ input: process.stdin, output: process.stdout }, environment)
  const guard = createTerminalGuard()
  const stage = createStage({ session, terminal, first: { screen: first, params: {} } })
  await loadScreen(first)
  const frames = new FrameStream(terminal)
  const { promise, resolve, reject } = Promise.withResolvers<'left' | 'ended'>()
  stage.onQuit(async () => {
    if (mayLeave === undefined || (await mayLeave(stage))) resolve('left')
  })

  let ink: Instance | null = null
  const reader = createKeyReader(
    createPressQueue(
      press => {
        try {
          if (press.key === 'ctrl-z') suspend()
          else stage.press(press)
        } catch (error) {
          stage.fail(error)
        }
      },
      stage.onlyMoves,
      stage.keysWaitFor,
    ),
    answer => stage.answered(answer),
  )
  const offInput = terminal.onInput(chunk => {
    try {
      reader.feed(chunk)
    } catch (error) {
      stage.fail(error)
    }
  })
  const offResize = terminal.onResize(resize)

  function resize() {
    terminal.forget()
    stage.resized()
    frames.emit('resize')
    frames.show()
  }

  function suspend() {
    terminal.leave()
    guard.given()
    // Without a handler the system stops us, as the shell expects. Workers go on: what they do needs no terminal.
    process.off('SIGTSTP', suspend)
    process.kill(process.pid, 'SIGTSTP')
    // Where no shell could let it go on, the system does not stop it: then nothing has happened.
    setTimeout(() => {
      if (!terminal.isIn()) resumed()
    }, resumeMs)
  }
  /** Whoever stopped us and however: the shell has had the terminal, and left its own settings and words on it. */
  function resumed() {
    process.off('SIGTSTP', suspend)
    process.on('SIGTSTP', suspend)
    terminal.enter()
    guard.taken()
    resize()
  }

  const gone = () => resolve('ended')
  const broken = (error: unknown) => reject(error)
  const atExit = () => {
    terminal.leave()
    guard.end()
  }
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const
  for (const name of signals) process.on(name, gone)
  process.on('SIGTSTP', suspend)
  process.on('SIGCONT', resumed)
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  process.on('exit', atExit)
  process.stdin.on('end', gone)
  const stopTidying = tidyMemory()

  try {
    terminal.enter()
    guard.taken()
    const tree: ReactElement = (
      <Guard onError={broken}>
        <App stage={stage} />
      </Guard>
    )
    ink = render(tree, {
      stdout: frames as unknown as NodeJS.WriteStream,
      stdin: new PassThrough() as unknown as NodeJS.ReadStream,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
    })
    return await promise
  } finally {
    stopTidying()
    offInput()
    offResize()
    reader.stop()
    terminal.leave()
    guard.end()
    ink?.unmount()
    for (const name of signals) process.off(name, gone)
    process.off('SIGTSTP', suspend)
    process.off('SIGCONT', resumed)
    process.off('uncaughtException', broken)
    process.off('unhandledRejection', broken)
    process.off('exit', atExit)
    process.stdin.off('end', gone)
    process.stdin.pause()
  }
}
