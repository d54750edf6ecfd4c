/** Keys and what they do: one table says what acts, what the footer shows and what help lists. */
import type { Press } from './terminal/key-reader.ts'

export interface Binding {
  /** Names of keys ('enter', 'up', 'ctrl-r') or characters ('d', '?'). The first is shown. */
  keys: readonly string[]
  /** Footer: one word or two. Without it only help lists the key. */
  short?: string
  /** Help: a whole sentence without a full stop. */
  about: string
  /** Now there is nothing that it could do: it does nothing and is not shown. */
  when?: boolean
  /** Its other half is listed with it: 'up' tells of 'down', too. */
  unlisted?: boolean
  /** How the keys are shown, where their names would not do. */
  shown?: string
  /** It only moves, and as far as `times` of the press says: held keys are taken together. */
  moves?: boolean
  run(press: Press): void
}

export interface KeyTable {
  title: string
  bindings: readonly Binding[]
  /** What is typed and not bound goes here. */
  typed?: ((press: Press) => void) | undefined
  /** Nothing goes through to the tables below: a question that must be answered. */
  closed?: boolean
}

/** hjkl move like arrows, wherever a table does not use them for something else and nobody types. */
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

/** What takes a press: a binding of the uppermost table that knows it, or what is typed there. Tables come lowest first. */
function handlerOf(
  tables: readonly KeyTable[],
  { key, pasted }: Press,
): { binding?: Binding; typed?: KeyTable['typed'] } {
  for (const name of [key, movement[key]]) {
    if (name === undefined) continue
    for (const table of tables.toReversed()) {
      const binding = pasted === true ? undefined : find(table, name)
      if (binding !== undefined) return { binding }
      // Whoever types means letters: no movement below.
      if (table.typed !== undefined) return { typed: table.typed }
      if (table.closed === true) break
    }
  }
  return {}
}

/** Gives a key to what takes it; returns whether something did. */
export function dispatch(tables: readonly KeyTable[], press: Press): boolean {
  const { binding, typed } = handlerOf(tables, press)
  binding?.run(press)
  typed?.(press)
  return binding !== undefined || typed !== undefined
}

/** May presses of this key that wait be taken as one? Where somebody types each is a letter. */
export function onlyMoves(tables: readonly KeyTable[], press: Press): boolean {
  return handlerOf(tables, press).binding?.moves === true
}

const spoken: Record<string, string> = {
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

const spokenAscii: Record<string, string> = { up: 'Up', down: 'Down', left: 'Left', right: 'Right' }

/** How a key is written in the footer and in help: 'Ctrl-R', 'Enter', 'd'. */
export function keyText(key: string, unicode: boolean): string {
  if (!unicode && spokenAscii[key] !== undefined) return spokenAscii[key]
  const named = spoken[key]
  if (named !== undefined) return named
  const modified = /^(ctrl|alt|shift)-(.+)$/.exec(key)
  if (modified === null) return key.length > 1 ? `${key[0]?.toUpperCase()}${key.slice(1)}` : key
  const [, modifier = '', rest = ''] = modified
  const name = rest.length === 1 ? rest.toUpperCase() : keyText(rest, unicode)
  return `${modifier[0]?.toUpperCase()}${modifier.slice(1)}-${name}`
}

/** How a binding's keys are written: its own words, or its first key. */
export function shownKeys({ keys, shown }: Pick<Binding, 'keys' | 'shown'>, unicode: boolean): string {
  if (shown !== undefined) return unicode ? shown : shown.replaceAll('↑↓', 'Up/Down').replaceAll('←→', 'Left/Right')
  return keyText(keys[0] ?? '', unicode)
}

export interface HelpSection {
  title: string
  rows: { keys: string; about: string }[]
}

/** Help as it is made of the tables at hand, uppermost first. What a table above takes is not listed again below. */
export function helpOf(tables: readonly KeyTable[], unicode: boolean): HelpSection[] {
  const taken = new Set<string>()
  const sections: HelpSection[] = []
  for (const { title, bindings } of tables.toReversed()) {
    const rows = bindings
      .filter(({ keys, when, unlisted }) => when !== false && unlisted !== true && !keys.every(key => taken.has(key)))
      .map(binding => ({
        keys:
          binding.shown === undefined
            ? binding.keys.map(key => keyText(key, unicode)).join(', ')
            : shownKeys(binding, unicode),
        about: binding.about,
      }))
    for (const { keys, when } of bindings) if (when !== false) for (const key of keys) taken.add(key)
    const known = sections.find(section => section.title === title)
    if (known !== undefined) known.rows.push(...rows)
    else if (rows.length > 0) sections.push({ title, rows })
  }
  return sections
}
