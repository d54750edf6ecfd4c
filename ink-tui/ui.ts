/** The state that all screens share: sizes, navigation, questions, notices, keys. */
import { createContext, useContext, useId, useLayoutEffect, useSyncExternalStore } from 'react'
import { Failure, reasonOf } from '../schema/errors.ts'
import { createAwaitedWork } from './awaited-work.ts'
import { createForegroundWork, type ForegroundWork } from './foreground-work.ts'
import { dispatch, type KeyTable, onlyMoves } from './keys.ts'
import type { Line } from './line.ts'
import { createListeners } from './listeners.ts'
import type { TuiSession } from './session.ts'
import type { Press } from './terminal/key-reader.ts'
import type { Terminal } from './terminal/terminal.ts'

/** A screen and its parameters, such as `{ collection: 3 }`. */
export interface ScreenEntry {
  screen: string
  params: Readonly<Record<string, string | number>>
}

export interface Notice {
  text: string
  /** A failure stays until the next key; a success disappears after a while. */
  kind: 'done' | 'failed'
}

export interface Confirmation {
  title: string
  lines?: readonly Line[]
  /** The label of the key that confirms, such as 'remove'. */
  yes: string
  /** Text that the user must type, for irreversible actions. */
  wordToType?: string
}

/** The message, and the index of the wrong character (from 0), or -1. */
export type InputError = string | { says: string; at: number }

export interface PromptRequest {
  label: string
  value?: string
  /** Whether the text is a secret, which is not shown. */
  hidden?: boolean
  /** Returns completions of the text; each is a whole new text. */
  complete?(text: string): readonly string[] | Promise<readonly string[]>
  /** Returns the error of the text; null for none. */
  check?(text: string): InputError | null | Promise<InputError | null>
  hint?: string
  /** Prompts with the same name share earlier inputs (up, down). */
  history?: string
}

export interface Choice {
  id: string
  label: string
  about?: string
  key?: string
}

export interface ChooseRequest {
  title: string
  choices: readonly Choice[]
  /** Id of the initially chosen option. */
  chosen?: string
}

/** A question above the footer, which receives all keys until it is answered. */
export type OverlayState =
  | { id: number; kind: 'confirm'; request: Confirmation; answer(yes: boolean): void }
  /** `lines`: preferred number of lines, if any. */
  | { id: number; kind: 'prompt'; request: PromptRequest; lines?: number; answer(text: string | null): void }
  | { id: number; kind: 'choose'; request: ChooseRequest; answer(id: string | null): void }
  | { id: number; kind: 'palette' }
  | { id: number; kind: 'help' }

export interface TerminalSize {
  columns: number
  rows: number
}

/** The minimum size in which anything can be shown usefully. */
export const minSize: TerminalSize = { columns: 40, rows: 10 }

export function hasRoom({ columns, rows }: TerminalSize): boolean {
  return columns >= minSize.columns && rows >= minSize.rows
}

export interface UiState extends TerminalSize {
  place: ScreenEntry
  overlays: readonly OverlayState[]
  notice: Notice | null
  /** Whether a write waits for another process that is writing to the library. */
  busy: boolean
  /** Description of the work that keys wait for; null for none. */
  waitsFor: string | null
  /** Running work of this program (exports), oldest first. */
  foregroundWork: readonly ForegroundWork[]
  /** Increases when a table of keys has changed. */
  keysVersion: number
}

/** Milliseconds until a notice of success disappears. */
const noticeMs = 5000

type OverlayMaker<T> = (id: number, answer: (value: T) => void) => OverlayState
type SetState = (change: Partial<UiState> | ((state: UiState) => Partial<UiState>)) => void

/** Cancels a question: answers no, or nothing. */
function closeOverlay(overlay: OverlayState) {
  if (overlay.kind === 'confirm') overlay.answer(false)
  else if (overlay.kind === 'prompt' || overlay.kind === 'choose') overlay.answer(null)
}

/** Questions above the footer, and earlier inputs. */
function createQuestions(set: SetState) {
  const typedBefore = new Map<string, string[]>()
  let next = 1
  const close = (id: number) => set(({ overlays }) => ({ overlays: overlays.filter(one => one.id !== id) }))
  const show = (overlay: OverlayState) => set(({ overlays }) => ({ overlays: [...overlays, overlay] }))

  /** `signal`: cancels the question. */
  function openQuestion<T>(make: OverlayMaker<T>, signal?: AbortSignal): Promise<T> {
    return new Promise(resolve => {
      const id = next++
      const overlay = make(id, value => {
        close(id)
        resolve(value)
      })
      show(overlay)
      signal?.addEventListener('abort', () => closeOverlay(overlay), { once: true })
    })
  }

  return {
    close,
    confirm: (request: Confirmation) =>
      openQuestion<boolean>((id, answer) => ({ id, kind: 'confirm', request, answer })),
    /** Returns the text; null if cancelled. */
    prompt: (request: PromptRequest) =>
      openQuestion<string | null>((id, answer) => ({ id, kind: 'prompt', request, answer })),
    /** Returns the chosen id; null if cancelled, which `signal` also does. */
    choose: (request: ChooseRequest, signal?: AbortSignal) =>
      openQuestion<string | null>((id, answer) => ({ id, kind: 'choose', request, answer }), signal),
    open: (kind: 'palette' | 'help') => show({ id: next++, kind }),
    /** Sets the number of lines that a prompt prefers. */
    setPromptLines(id: number, lines: number) {
      set(({ overlays }) => ({
        overlays: overlays.map(one => (one.id === id && one.kind === 'prompt' ? { ...one, lines } : one)),
      }))
    },
    /** Earlier inputs of prompts with this name, oldest first. */
    earlierInputs: (name: string): string[] => typedBefore.get(name) ?? [],
    remember(name: string, text: string) {
      const known = (typedBefore.get(name) ?? []).filter(one => one !== text)
      typedBefore.set(name, [...known, text].slice(-100))
    },
  }
}

/** The active tables of keys. */
function createKeyTables(set: SetState) {
  const tables = new Map<string, { level: number; table: KeyTable; order: number }>()
  let order = 0
  const notifyChange = () => set(({ keysVersion }) => ({ keysVersion: keysVersion + 1 }))
  const currentTables = (): KeyTable[] =>
    [...tables.values()].sort((a, b) => a.level - b.level || a.order - b.order).map(({ table }) => table)
  return {
    tables: currentTables,
    setTable(id: string, level: number, table: KeyTable) {
      const before = tables.get(id)
      tables.set(id, { level, table, order: before?.order ?? order++ })
      // A new frame is only required if the footer's keys have changed.
      if (before === undefined || before.level !== level || signature(before.table) !== signature(table)) notifyChange()
    },
    removeTable(id: string) {
      if (tables.delete(id)) notifyChange()
    },
    press(press: Press) {
      set(({ notice }) => (notice?.kind === 'failed' ? { notice: null } : {}))
      return dispatch(currentTables(), press)
    },
    onlyMoves: (press: Press) => onlyMoves(currentTables(), press),
  }
}

/** Notices in the footer; failures become notices, too. */
function createNotices({ library }: TuiSession, set: SetState) {
  let timer: ReturnType<typeof setTimeout> | null = null

  function notice(text: string, kind: Notice['kind'] = 'done') {
    if (timer !== null) clearTimeout(timer)
    timer = kind === 'done' ? setTimeout(() => set({ notice: null }), noticeMs) : null
    set({ notice: { text, kind } })
  }

  /** Shows a failure's message; unexpected errors are also logged. */
  function fail(error: unknown) {
    if (!(error instanceof Failure)) library.log.error('the terminal UI had an error', { error })
    const [line = ''] = reasonOf(error).split('\n')
    notice(error instanceof Failure ? line : `Unexpected error: ${line}`, 'failed')
  }

  return {
    notice,
    fail,
    /** Removes a notice, if it is still this one. */
    removeNotice: (text: string) => set(({ notice: now }) => (now?.text === text ? { notice: null } : {})),
    /** Runs the work of a key; shows its failure as a notice. */
    run(work: () => Promise<unknown> | unknown) {
      void (async () => {
        try {
          await work()
        } catch (error) {
          fail(error)
        }
      })()
    },
  }
}

/** Everything that screens need from the app. One per program. */
export function createUi({
  session,
  terminal,
  first,
}: {
  session: TuiSession
  terminal: Terminal
  first: ScreenEntry
}) {
  let state: UiState = {
    ...terminal.size(),
    place: first,
    overlays: [],
    notice: null,
    busy: session.writes.waiting(),
    waitsFor: null,
    foregroundWork: [],
    keysVersion: 0,
  }
  const listeners = createListeners<[]>()
  const answers = createListeners<[sequence: string]>()
  const stored: unknown[] = []
  const visited: ScreenEntry[] = []
  /** Ends the program, perhaps after questions; set by `onQuit`. */
  let leave: () => void | Promise<void> = () => {}

  const set: SetState = change => {
    const changed = typeof change === 'function' ? change(state) : change
    if (Object.keys(changed).length === 0) return
    state = { ...state, ...changed }
    listeners.notify()
  }
  session.writes.follow(() => set({ busy: session.writes.waiting() }))
  const notices = createNotices(session, set)

  /** Closes the questions of a screen that the user leaves. */
  function closeQuestions() {
    for (const overlay of state.overlays) closeOverlay(overlay)
  }

  return {
    ...createAwaitedWork(waitsFor => set(({ waitsFor: now }) => (waitsFor === now ? {} : { waitsFor }))),
    ...createQuestions(set),
    ...createKeyTables(set),
    ...notices,
    session,
    terminal,
    get: () => state,
    subscribe: listeners.add,

    /** Goes to a screen; `esc` and `q` go back. */
    go(screen: string, params: ScreenEntry['params'] = {}) {
      const { place } = state
      if (place.screen === screen && JSON.stringify(place.params) === JSON.stringify(params)) return
      closeQuestions()
      visited.push(place)
      if (visited.length > 50) visited.shift()
      set({ place: { screen, params }, overlays: [], notice: null })
    },
    /** Goes back; returns false if there is no previous screen. */
    back(): boolean {
      const before = visited.pop()
      if (before === undefined) return false
      closeQuestions()
      set({ place: before, overlays: [] })
      return true
    },

    /** Stores a value that is too large for a screen's params; returns the number that `storedValue` takes. */
    storeValue: (value: unknown): number => stored.push(value) - 1,
    storedValue: (number: number): unknown => stored[number],

    /** Runs work that ends with this program. */
    runInForeground: createForegroundWork(foregroundWork => set({ foregroundWork })),

    /** Copies to the clipboard of the user's terminal (OSC 52), which may be remote. */
    copy(text: string, what = 'Copied') {
      const sequence = `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`
      const { multiplexer } = terminal.abilities
      terminal.send(multiplexer === 'tmux' ? tmuxPassthrough(sequence) : sequence)
      notices.notice(`${what}: ${text}`)
    },

    /** Passes the terminal's response to a query, without its ESC, to the listeners. */
    handleAnswer: answers.notify,
    onAnswer: answers.add,
    updateSize: () => set(terminal.size()),

    /** Runs the work that was passed to `onQuit`, which ends the program, perhaps after questions. */
    quit: () => notices.run(() => leave()),
    onQuit(work: () => void | Promise<void>) {
      leave = work
    },
  }
}

export type Ui = ReturnType<typeof createUi>

/** A sequence for the terminal outside of tmux (`allow-passthrough`). */
function tmuxPassthrough(sequence: string): string {
  return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`
}

function signature({ title, bindings }: KeyTable): string {
  return `${title}\n${bindings.map(({ keys, short, when, shown }) => `${keys.join()}:${short}:${when}:${shown}`).join('\n')}`
}

export const UiContext = createContext<Ui | null>(null)

export function useUi(): Ui {
  const ui = useContext(UiContext)
  if (ui === null) throw new Error('a component is outside of UiContext')
  return ui
}

/** The whole state; a component that uses it is rendered at every change. */
export function useUiState(): UiState {
  const ui = useUi()
  return useSyncExternalStore(ui.subscribe, ui.get)
}

export const keyLevels = { global: 0, screen: 1, pane: 2, overlay: 3, size: 4 } as const

/** Sets the keys of a screen (or pane, or question) while it is shown. Bindings may change at every rendering. */
export function useKeys(table: KeyTable, level: keyof typeof keyLevels = 'screen', active = true): void {
  const ui = useUi()
  const id = useId()
  useLayoutEffect(() => {
    if (active) ui.setTable(id, keyLevels[level], table)
    else ui.removeTable(id)
  })
  useLayoutEffect(() => () => ui.removeTable(id), [ui, id])
}
