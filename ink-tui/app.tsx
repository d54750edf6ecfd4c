/** The root: header, current screen, rule and keys. Questions appear between the rule and the keys. */
import { Box } from 'ink'
import { type ComponentType, type ReactElement, useCallback, useEffect, useRef, useState } from 'react'
import { Failure } from '../schema/errors.ts'
import { plural } from '../schema/figures.ts'
import { searchKey } from '../schema/search-text.ts'
import { scan } from './collection-actions.ts'
import { type Binding, type HelpSection, helpOf, shownKeys } from './keys.ts'
import { alignToEnds, type Line, lineWidth, type Span } from './line.ts'
import { isCollectionEvent, isMachineEvent, isUserEvent, useLive, useNow } from './live.ts'
import { Help } from './parts/help.tsx'
import { keysFor } from './parts/keys-for.ts'
import { Choose, Confirm, type Frame, preferredHeight } from './parts/overlays.tsx'
import { type Command, Palette } from './parts/palette.tsx'
import { Prompt } from './parts/prompt.tsx'
import { Row, Rows } from './parts/rows.tsx'
import type { ScreenProps } from './screen-props.ts'
import { type Screen, screens } from './screens.ts'
import { safe, wrap } from './text.ts'
import {
  hasRoom,
  minSize,
  type OverlayState,
  type TerminalSize,
  type Ui,
  UiContext,
  type UiState,
  useKeys,
  useUi,
  useUiState,
} from './ui.ts'
import { undoAny, undoOwn } from './undo.ts'

/** The top line: the screen's title (on the dashboard, the server's address), and counts. */
function Header({ screen, width }: { screen: Screen; width: number }): ReactElement {
  const { session } = useUi()
  const slowNow = useNow(60_000)
  const { value } = useLive(
    async () => {
      const [all, ...collections] = await session.client.collections.list()
      return { facts: await session.facts(), items: all?.itemcount ?? 0, collections: collections.length }
    },
    event => isCollectionEvent(event) || isUserEvent(event) || isMachineEvent(event),
    String(Math.floor(slowNow / 60_000)),
  )
  const left: Span[] = [' ', { text: 'Keepsake', style: 'bold' }, '  ']
  if (screen.name !== 'dashboard') left.push(screen.title)
  else if (value !== null) {
    const { serving, address } = value.facts
    if (serving) left.push({ text: 'serving', style: 'dim' }, '  ', address ?? '')
    else left.push({ text: 'no server running', style: 'dim' })
  }
  const right: Span[] = []
  if (value !== null) {
    const parts = [
      plural(value.facts.signedIn, 'person signed in', 'people signed in'),
      plural(value.items, 'item'),
      plural(value.collections, 'collection'),
    ]
    let text = ''
    for (const part of parts) {
      const more = text === '' ? part : `${part}  ${text}`
      if (lineWidth(left) + more.length + 4 > width) break
      text = more
    }
    right.push({ text: text, style: 'dim' }, ' ')
  }
  return <Row line={alignToEnds(left, right, width)} width={width} />
}

/** The current screen's keys, as many as fit; `?` and `q` are always shown. */
function footerLine(ui: Ui, width: number): Line {
  const { abilities } = ui.terminal
  const tables = ui.tables()
  const lastClosed = tables.findLastIndex(table => table.closed === true)
  const active = tables.slice(Math.max(0, lastClosed))
  const shown = active
    .toReversed()
    .flatMap(({ bindings }) => bindings)
    .filter(({ short, when }) => short !== undefined && when !== false)
  const isAtRight = ({ short }: Binding) => short === 'all keys' || short === 'quit' || short === 'back'
  const keySpans = (binding: Binding): Span[] => [
    { text: shownKeys(binding, abilities.unicode), style: 'bold' },
    ` ${binding.short}`,
  ]
  const right: Span[] = shown
    .filter(isAtRight)
    .flatMap((binding, at) => (at === 0 ? keySpans(binding) : ['  ', ...keySpans(binding)]))
  if (right.length > 0) right.push(' ')
  const left: Span[] = [' ']
  const shownKeyTexts = new Set<string>()
  for (const binding of shown.filter(one => !isAtRight(one))) {
    const word = shownKeys(binding, abilities.unicode)
    if (shownKeyTexts.has(word)) continue
    shownKeyTexts.add(word)
    const added = [...(left.length > 1 ? ['  '] : []), ...keySpans(binding)]
    if (lineWidth(left) + lineWidth(added) + lineWidth(right) + 2 > width) break
    left.push(...added)
  }
  return alignToEnds(left, right, width)
}

const busyWords = 'The library is busy: another program is writing to it. Waiting …'

/** Maximum number of lines of a notice: enough for an error and the remedy after it. */
const maxNoticeLines = 4

/** Maximum number of lines about running work in the footer; more would leave too little room for the screen. */
const maxWorks = 2

function footerLines(ui: Ui, state: UiState): Line[] {
  const { columns, foregroundWork } = state
  const lines = [
    ...foregroundWork
      .slice(0, maxWorks)
      .map(({ words, progress }) => alignToEnds([' ', words], [{ text: progress, style: 'dim' }, ' '], columns)),
    ...noticeLines(ui, state),
  ]
  if (state.waitsFor !== null) lines.unshift([' ', `${state.waitsFor} …  `, { text: 'Esc', style: 'bold' }, ' cancel'])
  if (!state.busy) return lines
  const words = wrap(busyWords, state.columns - 2)
  return [...words.map((text): Line => [' ', { text, style: 'amber' }]), ...lines]
}

function noticeLines(ui: Ui, { notice, overlays, columns }: UiState): Line[] {
  const keys = footerLine(ui, columns)
  // While a question is open, its keys are shown instead of notices about earlier work.
  const isOpen = overlays.length > 0
  if (notice === null || (isOpen && notice.kind !== 'failed')) return [keys]
  if (notice.kind !== 'failed')
    return wrap(safe(notice.text), columns - 2)
      .slice(0, maxNoticeLines)
      .map((text): Line => [' ', text])
  const { warning } = ui.terminal.signs
  const lines = wrap(safe(notice.text), columns - 5)
    .slice(0, maxNoticeLines)
    .map((text, at): Line => [' ', at === 0 ? { text: `${warning} `, style: 'amber' } : '  ', text])
  return isOpen ? [...lines, keys] : lines
}

type QuestionProps = Frame & { overlay: OverlayState; commands: readonly Command[] }

function Question({ overlay, commands, ...frame }: QuestionProps): ReactElement | null {
  const ui = useUi()
  const { id } = overlay
  const onHeight = useCallback((lines: number) => ui.setPromptLines(id, lines), [ui, id])
  switch (overlay.kind) {
    case 'confirm':
      return <Confirm request={overlay.request} answer={overlay.answer} {...frame} />
    case 'prompt':
      return <Prompt request={overlay.request} answer={overlay.answer} onHeight={onHeight} {...frame} />
    case 'choose':
      return <Choose request={overlay.request} answer={overlay.answer} {...frame} />
    case 'palette':
      return <Palette commands={commands} onClose={() => ui.close(overlay.id)} {...frame} />
    case 'help':
      return null
  }
}

const loaded = new Map<string, ComponentType<ScreenProps>>()

/** Loads the module of a screen. At the start, this is done before the first frame is drawn. */
export async function loadScreen(name: string): Promise<void> {
  const screen = screens.find(one => one.name === name)
  if (screen !== undefined && !loaded.has(name)) loaded.set(name, await screen.load())
}

function useScreen(screen: Screen): ComponentType<ScreenProps> | null {
  const ui = useUi()
  const [, setReady] = useState('')
  const { name } = screen
  useEffect(() => {
    if (!loaded.has(name))
      ui.run(async () => {
        await loadScreen(name)
        setReady(name)
      })
  }, [name, ui])
  return loaded.get(name) ?? null
}

/** Resolves a screen's name; the dashboard for an unknown one. */
function resolveScreen(name: string): Screen {
  const [first] = screens
  const found = screens.find(one => one.name === name) ?? first
  if (found === undefined) throw new Error('there are no screens')
  return found
}

async function collectionNamesLike(ui: Ui, text: string): Promise<string[]> {
  const [, ...all] = await ui.session.client.collections.list()
  return all.map(({ name }) => name).filter(name => searchKey(name).startsWith(searchKey(text)))
}

async function resolveCollection(ui: Ui, text: string) {
  const [, ...all] = await ui.session.client.collections.list()
  const found = all.find(({ name }) => name.toLowerCase() === text.trim().toLowerCase())
  if (found !== undefined) return found
  throw new Failure('notFound', text === '' ? 'Which collection?' : `There is no collection '${text}'.`)
}

function paletteCommands(ui: Ui): Command[] {
  return [
    ...screens.filter(({ inner }) => !inner).map(({ name, about }) => ({ name, about, run: () => ui.go(name) })),
    {
      name: 'scan',
      about: 'scan a collection',
      complete: text => collectionNamesLike(ui, text),
      run: async text => scan(ui, await resolveCollection(ui, text)),
    },
    {
      name: 'open',
      about: 'open a collection',
      complete: text => collectionNamesLike(ui, text),
      run: async text => ui.go('collection', { collection: (await resolveCollection(ui, text)).id }),
    },
    { name: 'help', about: 'all keys of the screen', run: () => ui.open('help') },
    { name: 'undo', about: 'undo the last change made here', run: () => undoOwn(ui) },
    { name: 'history', about: 'undo a step of any user', run: () => undoAny(ui) },
    { name: 'quit', about: 'leave', run: () => ui.quit() },
  ]
}

/** Keys that work even in a window that is too small. */
function essentialKeys(ui: Ui): Binding[] {
  const key = keysFor(ui, ui)
  return [
    key('ctrl-l', '', 'redraw the screen', () => ui.terminal.clearScreen()),
    key('ctrl-c', '', 'quit', () => ui.quit()),
  ]
}

function globalKeys(ui: Ui): Binding[] {
  const isHome = ui.get().place.screen === 'dashboard'
  const key = keysFor(ui, ui)
  const back = () => {
    if (!ui.back()) ui.go('dashboard')
  }
  return [
    key('? f1', 'all keys', 'all keys', () => ui.open('help')),
    key('q', isHome ? 'quit' : 'back', isHome ? 'quit' : 'back; on the dashboard: quit', () =>
      isHome ? ui.quit() : back(),
    ),
    keysFor(ui, !isHome)('esc', '', 'back', back),
    key(':', '', 'commands by name', () => ui.open('palette')),
    key('z', '', 'undo the last change made here', undoOwn),
    ...screens
      .filter(one => one.key !== '')
      .toSorted((a, b) => a.key.localeCompare(b.key))
      .map(({ key: own, name, title }) => key(own, '', title, () => ui.go(name))),
    ...essentialKeys(ui),
  ]
}

function Body({ width, height, screen }: { width: number; height: number; screen: Screen }): ReactElement {
  const { place } = useUiState()
  const Shown = useScreen(screen)
  if (Shown === null) return <Rows lines={[]} width={width} />
  return (
    <Shown
      key={`${place.screen} ${JSON.stringify(place.params)}`}
      width={width}
      height={height}
      params={place.params}
    />
  )
}

/** All keys except help's own. */
function helpSections(ui: Ui): HelpSection[] {
  const tables = ui.tables().filter(table => table.title !== 'Help')
  return helpOf(tables, ui.terminal.abilities.unicode)
}

/** Shown when the window is too small. Only `essentialKeys` work, because nobody could see what other keys do. */
function TooSmall({ width, height }: { width: number; height: number }): ReactElement {
  const ui = useUi()
  useKeys({ title: 'Everywhere', bindings: essentialKeys(ui), closed: true }, 'size')
  const words = `Make the window larger: ${minSize.columns}×${minSize.rows} at least. Ctrl-C quits.`
  const lines = wrap(words, Math.max(1, width)).map((text): Line => [text])
  return <Rows lines={lines} width={width} height={height} />
}

/** The last size that was large enough. */
function useRoomySize(size: TerminalSize): TerminalSize {
  const last = useRef<TerminalSize>(minSize)
  if (hasRoom(size)) last.current = size
  return last.current
}

function WindowContents(): ReactElement {
  const ui = useUi()
  const state = useUiState()
  useKeys({ title: 'Everywhere', bindings: globalKeys(ui) }, 'global')
  const size = useRoomySize(state)
  const { columns, rows } = state
  const isSmall = !hasRoom(state)
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      {isSmall ? <TooSmall width={columns} height={rows} /> : null}
      {/* Only hidden while the window is too small: marks, typed text and a secret that is shown once are kept. */}
      <Box flexDirection="column" flexShrink={0} display={isSmall ? 'none' : 'flex'}>
        <AppFrame {...size} />
      </Box>
    </Box>
  )
}

function AppFrame({ columns, rows }: TerminalSize): ReactElement {
  const ui = useUi()
  const state = useUiState()
  const { place, overlays } = state
  const screen = resolveScreen(place.screen)
  const overlay = overlays.at(-1)
  const rule = ui.terminal.signs.rule.repeat(columns)
  const isHelp = overlay?.kind === 'help'
  const foot = footerLines(ui, { ...state, columns })
  const room = rows - 3 - foot.length
  // At least a few rows of the screen behind a question stay visible.
  const overlayHeight =
    overlay === undefined || isHelp ? 0 : Math.min(preferredHeight(overlay, columns), Math.max(4, room - 4))
  const height = room - overlayHeight
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Header screen={screen} width={columns} />
      <Row line={[]} width={columns} />
      <Box flexDirection="column" height={height} overflow="hidden">
        {isHelp ? (
          <Help sections={helpSections(ui)} onClose={() => ui.close(overlay.id)} width={columns} height={height} />
        ) : null}
        {/* The screen below help keeps its state: cursor, marks, keys. */}
        <Box flexDirection="column" flexShrink={0} display={isHelp ? 'none' : 'flex'}>
          <Body screen={screen} width={columns} height={height} />
        </Box>
      </Box>
      <Row line={[{ text: rule, style: 'dim' }]} width={columns} />
      {overlay === undefined || isHelp ? null : (
        <Box key={overlay.id} flexDirection="column" height={overlayHeight} overflow="hidden">
          <Question overlay={overlay} width={columns} height={overlayHeight} commands={paletteCommands(ui)} />
        </Box>
      )}
      <Rows lines={foot} width={columns} />
    </Box>
  )
}

export function App({ ui }: { ui: Ui }): ReactElement {
  return (
    <UiContext value={ui}>
      <WindowContents />
    </UiContext>
  )
}
