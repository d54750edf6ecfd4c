/** Shared by the two log screens: a headline, rows with a cursor, details of the chosen row, and their keys. */
import { Box } from 'ink'
import type { ReactElement } from 'react'
import type { Binding } from '../keys.ts'
import type { Line } from '../line.ts'
import type { Stage } from '../stage.ts'
import type { KeyMaker } from './keys-for.ts'
import { type RowList, turned } from './list.ts'
import { CursorRows, Row, Rows } from './rows.tsx'

export function LogList<Entry>({
  title,
  state,
  rows,
  list,
  keyOf,
  lineOf,
  isEmpty,
  details,
  detailRows,
  width,
}: {
  title: string
  /** Texts beside the title; empty ones are left out. */
  state: readonly string[]
  rows: readonly Entry[]
  list: RowList<Entry>
  keyOf: (entry: Entry, at: number) => number
  lineOf: (entry: Entry, width: number, isChosen: boolean) => Line
  /** Loaded, and nothing matches. */
  isEmpty: boolean
  /** Lines about the chosen entry while they are open. */
  details: readonly Line[] | null
  detailRows: number
  width: number
}): ReactElement {
  const about = { text: state.filter(part => part !== '').join(', '), style: 'dim' } as const
  return (
    <>
      <Row line={[' ', { text: title, style: 'bold' }, '   ', about]} width={width} />
      <Row line={[]} width={width} />
      {isEmpty ? <Row line={['   ', { text: 'No entries match.', style: 'dim' }]} width={width} /> : null}
      <CursorRows rows={rows} list={list} keyOf={keyOf} lineOf={lineOf} width={width} />
      {details === null ? null : (
        <>
          <Box height={Math.max(0, list.height - rows.length + list.top) + 1} />
          <Rows lines={details} width={width} height={detailRows} />
        </>
      )}
    </>
  )
}

export function detailsKey<T>(key: KeyMaker<T>, about: string, isOpen: boolean, set: (isOpen: boolean) => void) {
  return key('enter', isOpen ? 'close' : 'details', about, () => set(!isOpen))
}

export function findKey(
  key: KeyMaker<Stage>,
  { about, hint, value, set }: { about: string; hint: string; value: string; set: (text: string) => void },
): Binding {
  return key('/', 'find', about, async stage => {
    const text = await stage.prompt({ label: 'Find', value, history: 'find', hint })
    if (text !== null) set(text)
  })
}

/** ] and [ choose the next and the previous one; so do Tab and Shift-Tab unless `tab` is false. */
export function choiceKey<Choice>(
  short: string,
  about: string,
  choices: readonly Choice[],
  current: Choice,
  set: (choice: Choice) => void,
  { when = true, tab = true }: { when?: boolean; tab?: boolean } = {},
): Binding {
  return {
    keys: tab ? [']', '[', 'tab', 'backtab'] : [']', '['],
    shown: '[ ]',
    short,
    about,
    when,
    run: ({ key }) => set(turned(choices, current, key === ']' || key === 'tab' ? 1 : -1)),
  }
}
