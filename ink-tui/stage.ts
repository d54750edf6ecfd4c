/** The stage that screens play on: sizes, going from one to another, questions, notices, keys. */
import { createContext, useContext, useId, useLayoutEffect, useSyncExternalStore } from 'react'
import { Failure, reasonOf } from '../schema/errors.ts'
import { dispatch, type KeyTable, onlyMoves } from './keys.ts'
import type { Line } from './line.ts'
import { createPatience } from './patience.ts'
import type { TuiSession } from './session.ts'
import type { Press } from './terminal/key-reader.ts'
import type { Terminal } from './terminal/terminal.ts'
import { createWorks, type Work } from './works.ts'

/** Which screen is looked at, and what of it: `{ collection: 3 }`. */
export interface Place {
  screen: string
  params: Readonly<Record<string, string | number>>
}

export interface Notice {
  text: string
  /** A failure stays until the next key; others go by themselves. */
  kind: 'done' | 'failed'
}

export interface Confirmation {
  title: string
  lines?: readonly Line[]
  /** What it does, as its key's word: 'remove'. */
  yes: string
  /** This must be typed: for what cannot be undone. */
  typed?: string
}

/** In words, and where that is known (not -1) at which character, from 0. */
export type Wrong = string | { says: string; at: number }

export interface PromptWish {
  label: string
  value?: string
  /** Nobody may read along. */
  hidden?: boolean
  /** What could stand at the cursor; the whole text each. */
  complete?(text: string): readonly string[] | Promise<readonly string[]>
  /** What is wrong with the text; null: nothing. */
  check?(text: string): Wrong | null | Promise<Wrong | null>
  /** Said below it, dim. */
  hint?: string
  /** Prompts of one name share what was typed before (up, down). */
  history?: string
}

export interface Choice {
  id: string
  label: string
  /** Said behind it, dim. */
  about?: string
  /** Its own key. */
  key?: string
}

export interface ChooseWish {
  title: string
  choices: readonly Choice[]
  /** Id of the one that the cursor is on first. */
  chosen?: string
}

/** A question above the footer: it takes all keys until it is answered. */
export type OverlayState =
  | { id: number; kind: 'confirm'; wish: Confirmation; answer(yes: boolean): void }
  /** `lines`: so many it would like, where it has told. */
  | { id: number; kind: 'prompt'; wish: PromptWish; lines?: number; answer(text: string | null): void }
  | { id: number; kind: 'choose'; wish: ChooseWish; answer(id: string | null): void }
  | { id: number; kind: 'palette' }
  | { id: number; kind: 'help' }

/** Of the terminal, in cells. */
export interface Size {
  columns: number
  rows: number
}

/** Smaller than this nothing can be shown well. */
export const least: Size = { columns: 40, rows: 10 }

export function hasRoom({ columns, rows }: Size): boolean {
  return columns >= least.columns && rows >= least.rows
}

export interface StageState extends Size {
  place: Place
  overlays: readonly OverlayState[]
  notice: Notice | null
  /** A write waits, as another program has the library. */
  busy: boolean
  /** What keys wait for, in words; null: they act. */
  waitsFor: string | null
  /** What this program does itself, oldest first: exports. */
  works: readonly Work[]
  /** Grows when a table of keys has changed. */
  keys: number
}

/** A done notice goes by itself after so long. */
const noticeMs = 5000

/** Everything that screens ask of the app. One a program. */
export function createStage({ session, terminal, first }: { session: TuiSession; terminal: Terminal; first: Place }) {
  let state: StageState = {
    ...sizeOf(terminal),
    place: first,
    overlays: [],
    notice: null,
    busy: session.writes.waiting(),
    waitsFor: null,
    works: [],
    keys: 0,
  }
  session.writes.follow(() => set({ busy: session.writes.waiting() }))
  const listeners = new Set<() => void>()
  const answerListeners = new Set<(sequence: string) => void>()
  const held: unknown[] = []
  const been: Place[] = []
  const tables = new Map<string, { level: number; table: KeyTable; order: number }>()
  let order = 0
  let nextOverlay = 1
  let noticeTimer: ReturnType<typeof setTimeout> | null = null
  /** Asked before the program ends; false keeps it. */
  let leave: () => void | Promise<void> = () => {}
  const typedBefore = new Map<string, string[]>()

  function set(change: Partial<StageState>) {
    state = { ...state, ...change }
    for (const listener of [...listeners]) listener()
  }

  function notice(text: string, kind: Notice['kind'] = 'done') {
    if (noticeTimer !== null) clearTimeout(noticeTimer)
    noticeTimer = kind === 'done' ? setTimeout(() => set({ notice: null }), noticeMs) : null
    set({ notice: { text, kind } })
  }

  /** Tells a failure as it is meant; what nobody foresaw goes to the log, too. */
  function fail(error: unknown) {
    if (!(error instanceof Failure)) session.library.log.error('the terminal UI came upon an error', { error })
    const [line = ''] = reasonOf(error).split('\n')
    notice(error instanceof Failure ? line : `Unexpected error: ${line}`, 'failed')
  }

  function close(id: number) {
    set({ overlays: state.overlays.filter(one => one.id !== id) })
  }

  /** `signal`: nobody needs an answer any more; it is then as if he had left it. */
  function ask<T>(make: (id: number, answer: (value: T) => void) => OverlayState, signal?: AbortSignal): Promise<T> {
    return new Promise(resolve => {
      const id = nextOverlay++
      const overlay = make(id, value => {
        close(id)
        resolve(value)
      })
      set({ overlays: [...state.overlays, overlay] })
      signal?.addEventListener('abort', () => leaveIt(overlay), { once: true })
    })
  }

  function leaveIt(overlay: OverlayState) {
    if (overlay.kind === 'confirm') overlay.answer(false)
    else if (overlay.kind === 'prompt' || overlay.kind === 'choose') overlay.answer(null)
  }

  /** Whoever asked learns that nobody answers: the screen he asked on is left. */
  function leaveAll() {
    for (const overlay of state.overlays) leaveIt(overlay)
  }

  function tablesNow(): KeyTable[] {
    return [...tables.values()].sort((a, b) => a.level - b.level || a.order - b.order).map(({ table }) => table)
  }

  const patience = createPatience(waitsFor => {
    if (waitsFor !== state.waitsFor) set({ waitsFor })
  })

  const stage = {
    ...patience,
    session,
    terminal,
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },

    /** Goes to a screen; `esc` and `q` come back from it. */
    go(screen: string, params: Place['params'] = {}) {
      const { place } = state
      if (place.screen === screen && JSON.stringify(place.params) === JSON.stringify(params)) return
      leaveAll()
      been.push(place)
      if (been.length > 50) been.shift()
      set({ place: { screen, params }, overlays: [], notice: null })
    },
    /** To where one was before; false: there is nothing before. */
    back(): boolean {
      const before = been.pop()
      if (before === undefined) return false
      leaveAll()
      set({ place: before, overlays: [] })
      return true
    },

    /** Keeps something that is too large for a place's params; its number goes into them. */
    hold(value: unknown): number {
      held.push(value)
      return held.length - 1
    },
    held: (number: number): unknown => held[number],

    notice,
    /** Takes a notice away, where it is still this one. */
    unsay(text: string) {
      if (state.notice?.text === text) set({ notice: null })
    },
    fail,
    /** Runs work of a key; its failure becomes a notice. */
    run(work: () => Promise<unknown> | unknown) {
      void (async () => {
        try {
          await work()
        } catch (error) {
          fail(error)
        }
      })()
    },

    confirm: (wish: Confirmation) => ask<boolean>((id, answer) => ({ id, kind: 'confirm', wish, answer })),
    /** The text; null: he thought better of it. */
    prompt: (wish: PromptWish) => ask<string | null>((id, answer) => ({ id, kind: 'prompt', wish, answer })),
    /** The chosen one's id; null: he thought better of it, or `signal` took the question away. */
    choose: (wish: ChooseWish, signal?: AbortSignal) =>
      ask<string | null>((id, answer) => ({ id, kind: 'choose', wish, answer }), signal),
    open(kind: 'palette' | 'help') {
      set({ overlays: [...state.overlays, { id: nextOverlay++, kind }] })
    },
    close,
    /** A prompt that has more to say gets more of the screen. */
    heighten(id: number, lines: number) {
      const known = state.overlays.find(one => one.id === id)
      if (known?.kind !== 'prompt' || known.lines === lines) return
      set({ overlays: state.overlays.map(one => (one === known ? { ...known, lines } : one)) })
    },

    /** Does work that lasts and ends with this program. */
    during: createWorks(works => set({ works })),

    /** Into the clipboard of the terminal in front (OSC 52), which may be far away. */
    copy(text: string, what = 'Copied') {
      const sequence = `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`
      const { multiplexer } = terminal.abilities
      terminal.send(multiplexer === 'tmux' ? passedThrough(sequence) : sequence)
      notice(`${what}: ${text}`)
    },

    /** Lines that were typed into prompts of this name, oldest first. */
    typedBefore: (name: string): string[] => typedBefore.get(name) ?? [],
    remember(name: string, text: string) {
      const known = (typedBefore.get(name) ?? []).filter(one => one !== text)
      typedBefore.set(name, [...known, text].slice(-100))
    },

    setTable(id: string, level: number, table: KeyTable) {
      const before = tables.get(id)
      tables.set(id, { level, table, order: before?.order ?? order++ })
      // Only what footers show makes a new frame.
      if (before === undefined || before.level !== level || signature(before.table) !== signature(table))
        set({ keys: state.keys + 1 })
    },
    removeTable(id: string) {
      if (tables.delete(id)) set({ keys: state.keys + 1 })
    },
    tables: tablesNow,
    press(press: Press) {
      if (state.notice?.kind === 'failed') set({ notice: null })
      return dispatch(tablesNow(), press)
    },
    onlyMoves: (press: Press) => onlyMoves(tablesNow(), press),
    /** The terminal answered a question of ours: 'ESC' taken off, as it came. */
    answered(sequence: string) {
      for (const listener of [...answerListeners]) listener(sequence)
    },
    onAnswer(listener: (sequence: string) => void) {
      answerListeners.add(listener)
      return () => {
        answerListeners.delete(listener)
      }
    },
    resized() {
      set(sizeOf(terminal))
    },

    /** Ends the program; what must be asked first is asked by `onQuit`. */
    quit() {
      stage.run(() => leave())
    },
    onQuit(work: () => void | Promise<void>) {
      leave = work
    },
  }
  return stage
}

export type Stage = ReturnType<typeof createStage>

/** A sequence for the terminal outside of tmux (`allow-passthrough`). */
function passedThrough(sequence: string): string {
  return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`
}

function sizeOf(terminal: Terminal): Size {
  return terminal.size()
}

function signature({ title, bindings }: KeyTable): string {
  return `${title}\n${bindings.map(({ keys, short, when, shown }) => `${keys.join()}:${short}:${when}:${shown}`).join('\n')}`
}

export const StageContext = createContext<Stage | null>(null)

export function useStage(): Stage {
  const stage = useContext(StageContext)
  if (stage === null) throw new Error('outside of the stage')
  return stage
}

/** The whole state of the stage; a component that uses it is drawn whenever that changes. */
export function useStageState(): StageState {
  const stage = useStage()
  return useSyncExternalStore(stage.subscribe, stage.get)
}

export const keyLevels = { global: 0, screen: 1, pane: 2, overlay: 3, size: 4 } as const

/** The keys of a screen (or pane, or question) while it is shown. Bindings may be new at every drawing. */
export function useKeys(table: KeyTable, level: keyof typeof keyLevels = 'screen', active = true): void {
  const stage = useStage()
  const id = useId()
  useLayoutEffect(() => {
    if (active) stage.setTable(id, keyLevels[level], table)
    else stage.removeTable(id)
  })
  useLayoutEffect(() => () => stage.removeTable(id), [stage, id])
}
