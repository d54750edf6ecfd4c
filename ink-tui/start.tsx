/** Runs the terminal UI until the user leaves; always restores the terminal. */
import { PassThrough } from 'node:stream'
import { type Instance, render } from 'ink'
import { Component, type ReactElement, type ReactNode } from 'react'
import { App, loadScreen } from './app.tsx'
import type { TuiSession } from './session.ts'
import { FrameStream } from './terminal/frame-stream.ts'
import { createKeyReader, type Press } from './terminal/key-reader.ts'
import { createPressQueue } from './terminal/press-queue.ts'
import { Rendered, Renders } from './terminal/rendered.tsx'
import { createTerminal } from './terminal/terminal.ts'
import { startMemoryChecks } from './terminal/tidy-memory.ts'
import { createUi, type Ui } from './ui.ts'

/** If nothing has entered the terminal again this many milliseconds after SIGTSTP, the process was not suspended. */
const resumeMs = 50

/** An error while rendering ends the program with a message; React alone would leave an empty screen. */
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

interface StartOptions {
  session: TuiSession
  environment: Record<string, string | undefined>
  /** Name of the first screen. */
  first?: string
  /** Called before a key ends the program; returns false to keep it running. */
  prepareToLeave?(ui: Ui): Promise<boolean>
}

/** Renders the tree: Ink writes to the frame stream, and reads nothing. */
function renderTree(frames: FrameStream, tree: ReactElement): Instance {
  return render(tree, {
    stdout: frames as unknown as NodeJS.WriteStream,
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  })
}

/** Runs until a key, a signal or a closed terminal ends it. Throws unexpected errors after restoring the terminal. */
export async function startTui(options: StartOptions): Promise<'left' | 'ended'> {
  const { session, environment, first = 'dashboard', prepareToLeave } = options
  const terminal = createTerminal(environment)
  const ui = createUi({ session, terminal, first: { screen: first, params: {} } })
  await loadScreen(first)
  const frames = new FrameStream(terminal)
  const { promise, resolve, reject } = Promise.withResolvers<'left' | 'ended'>()
  ui.onQuit(async () => {
    if (prepareToLeave === undefined || (await prepareToLeave(ui))) resolve('left')
  })

  let ink: Instance | null = null
  const guarded =
    <T,>(act: (what: T) => unknown) =>
    (what: T) => {
      try {
        act(what)
      } catch (error) {
        ui.fail(error)
      }
    }
  const renders = new Renders()
  const press = guarded<Press>(one => (one.key === 'ctrl-z' ? suspend() : ui.press(one)))
  const reader = createKeyReader(
    createPressQueue({ act: press, onlyMoves: ui.onlyMoves, awaitedWork: ui.awaitedWork, rendered: renders.next }),
    ui.handleAnswer,
  )
  const offInput = terminal.onInput(guarded(reader.feed))
  const offResize = terminal.onResize(resize)

  function resize() {
    terminal.clearScreen()
    ui.updateSize()
    frames.emit('resize')
    frames.show()
  }

  function suspend() {
    terminal.leave()
    // Without a handler, the system suspends the process, as the shell expects. Workers continue without a terminal.
    process.off('SIGTSTP', suspend)
    process.kill(process.pid, 'SIGTSTP')
    // The system does not suspend a process that no shell could resume, so the terminal is entered again.
    setTimeout(() => {
      if (!terminal.isIn()) handleResume()
    }, resumeMs)
  }
  /** After a suspension the shell may have changed the terminal's settings and written to it. */
  function handleResume() {
    process.off('SIGTSTP', suspend)
    process.on('SIGTSTP', suspend)
    terminal.enter()
    resize()
  }

  const onEnd = () => resolve('ended')
  const onUnexpectedError = (error: unknown) => reject(error)
  const listeners: [string, (...values: unknown[]) => void][] = [
    ...['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'].map((name): [string, () => void] => [name, onEnd]),
    ['SIGTSTP', suspend],
    ['SIGCONT', handleResume],
    ['uncaughtException', onUnexpectedError],
    ['unhandledRejection', onUnexpectedError],
    ['exit', terminal.leave],
  ]
  for (const [name, listener] of listeners) process.on(name, listener)
  process.stdin.on('end', onEnd)
  const stopTidying = startMemoryChecks()

  try {
    terminal.enter()
    ink = renderTree(
      frames,
      <Rendered renders={renders}>
        <Guard onError={onUnexpectedError}>
          <App ui={ui} />
        </Guard>
      </Rendered>,
    )
    return await promise
  } finally {
    stopTidying()
    offInput()
    offResize()
    reader.stop()
    terminal.leave()
    ink?.unmount()
    for (const [name, listener] of listeners) process.off(name, listener)
    process.stdin.off('end', onEnd)
    process.stdin.pause()
  }
}
