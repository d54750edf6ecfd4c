/** Keys and their actions: one table for handling keys, footer and help. */
import type { Press } from './terminal/key-reader.ts'

export interface Binding {
  /** Names of keys ('enter', 'up', 'ctrl-r') or characters ('d', '?'). The footer shows the first one. */
  keys: readonly string[]
  /** Text in the footer: one or two words. If absent, only help lists the key. */
  short?: string
  /** Text in help, without a full stop. */
  about: string
  /** If false, the key has nothing to act on, so it does nothing and is hidden. */
  when?: boolean
  /** Not listed, because the opposite key's entry includes it: 'up' includes 'down'. */
  unlisted?: boolean
  /** How the keys are shown, if not by their names. */
  shown?: string
  /** Whether the key only moves the cursor. Repeated presses may then be merged into one with `times`. */
  moves?: boolean
  run(press: Press): void
}

export interface KeyTable {
  title: string
  bindings: readonly Binding[]
  /** Handler of typed text that is not bound. */
  typed?: ((press: Press) => void) | undefined
  /** Whether no key reaches the tables below, for a question that must be answered. */
  closed?: boolean
}

/** These keys move like arrow and page keys, unless a table uses them or the user is typing. */
const movement: Record<string, string> = {
  h: 'left',
  j: 'down',
  k: 'up',
  l: 'right',
  'ctrl-f': 'pgdn',
  'ctrl-b': 'pgup',
}

function find(table: KeyTable, key: string): Binding | undefined {
  return table.bindings.find(({ keys, when }) => when !== false && keys.includes(key))
}

/** The binding or text input of the topmost table that handles the press. `tables`: lowest first. */
function handlerOf(
  tables: readonly KeyTable[],
  { key, pasted }: Press,
): { binding?: Binding; typed?: KeyTable['typed'] } {
  for (const name of [key, movement[key]]) {
    if (name === undefined) continue
    for (const table of tables.toReversed()) {
      const binding = pasted === true ? undefined : find(table, name)
      if (binding !== undefined) return { binding }
      // A table with text input gets all keys that are not bound, so hjkl are typed, not movement.
      if (table.typed !== undefined) return { typed: table.typed }
      if (table.closed === true) break
    }
  }
  return {}
}

/** Runs the handler of a key; returns whether one exists. */
export function dispatch(tables: readonly KeyTable[], press: Press): boolean {
  const { binding, typed } = handlerOf(tables, press)
  binding?.run(press)
  typed?.(press)
  return binding !== undefined || typed !== undefined
}

/** Whether waiting presses of this key may be merged. Typed letters may not. */
export function onlyMoves(tables: readonly KeyTable[], press: Press): boolean {
  return handlerOf(tables, press).binding?.moves === true
}

const keyLabels: Record<string, string> = {
  backtab: 'Shift-Tab',
  pgup: 'PgUp',
  pgdn: 'PgDn',
  delete: 'Del',
  insert: 'Ins',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
}

const asciiKeyLabels: Record<string, string> = { up: 'Up', down: 'Down', left: 'Left', right: 'Right' }

/** The label of a key in footer and help: 'Ctrl-R', 'Enter', 'd'. */
export function keyText(key: string, unicode: boolean): string {
  if (!unicode && asciiKeyLabels[key] !== undefined) return asciiKeyLabels[key]
  const named = keyLabels[key]
  if (named !== undefined) return named
  const modified = /^(ctrl|alt|shift)-(.+)$/.exec(key)
  if (modified === null) return key.length > 1 ? `${key[0]?.toUpperCase()}${key.slice(1)}` : key
  const [, modifier = '', rest = ''] = modified
  const name = rest.length === 1 ? rest.toUpperCase() : keyText(rest, unicode)
  return `${modifier[0]?.toUpperCase()}${modifier.slice(1)}-${name}`
}

/** The label of a binding's keys: its own, or that of its first key. */
export function shownKeys({ keys, shown }: Pick<Binding, 'keys' | 'shown'>, unicode: boolean): string {
  if (shown !== undefined) return unicode ? shown : shown.replaceAll('↑↓', 'Up/Down').replaceAll('←→', 'Left/Right')
  return keyText(keys[0] ?? '', unicode)
}

export interface HelpSection {
  title: string
  rows: { keys: string; about: string }[]
}

/** Help of the active tables, top one first. Keys that a higher table handles are not listed again. */
export function helpOf(tables: readonly KeyTable[], unicode: boolean): HelpSection[] {
  const listed = new Set<string>()
  const sections: HelpSection[] = []
  for (const { title, bindings } of tables.toReversed()) {
    const rows = bindings
      .filter(({ keys, when, unlisted }) => when !== false && unlisted !== true && !keys.every(key => listed.has(key)))
      .map(binding => ({
        keys:
          binding.shown === undefined
            ? binding.keys.map(key => keyText(key, unicode)).join(', ')
            : shownKeys(binding, unicode),
        about: binding.about,
      }))
    for (const { keys, when } of bindings) if (when !== false) for (const key of keys) listed.add(key)
    const known = sections.find(section => section.title === title)
    if (known !== undefined) known.rows.push(...rows)
    else if (rows.length > 0) sections.push({ title, rows })
  }
  return sections
}
