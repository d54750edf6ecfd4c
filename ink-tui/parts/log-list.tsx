/** What the two log screens share: a headline, rows with a cursor, details of the chosen row, and the keys for them. */
import type { ReactElement } from 'react'
import type { Binding } from '../keys.ts'
import type { Line } from '../line.ts'
import { type Stage, useStage } from '../stage.ts'
import { Row, Rows } from './rows.tsx'

export function LogList<Entry>({
  title,
  state,
  rows,
  keyOf,
  lineOf,
  isEmpty,
  cursor,
  top,
  room,
  details,
  detailRows,
  width,
}: {
  title: string
  /** Parts of the headline beside the title; empty ones are left out. */
  state: readonly string[]
  rows: readonly Entry[]
  keyOf: (entry: Entry, at: number) => number
  lineOf: (entry: Entry, width: number, isChosen: boolean) => Line
  /** Loaded, and nothing matches. */
  isEmpty: boolean
  cursor: number
  top: number
  /** Rows that there is room for. */
  room: number
  /** Lines about the chosen entry while they are open. */
  details: readonly Line[] | null
  detailRows: number
  width: number
}): ReactElement {
  const { terminal } = useStage()
  const shown = rows.slice(top, top + room)
  const about = { text: state.filter(part => part !== '').join(', '), style: 'dim' } as const
  const blank = Array.from({ length: Math.max(0, room - shown.length) + 1 }, (): Line => [])
  return (
    <>
      <Row line={[' ', { text: title, style: 'bold' }, '   ', about]} width={width} />
      <Row line={[]} width={width} />
      {isEmpty ? <Row line={['   ', { text: 'No entries match.', style: 'dim' }]} width={width} /> : null}
      {shown.map((entry, at) => {
        const isChosen = top + at === cursor
        const lead: Line = [' ', isChosen ? { text: terminal.signs.cursor, style: 'accent' } : ' ', ' ']
        const line = [...lead, ...lineOf(entry, width - 3, isChosen)]
        return <Row key={keyOf(entry, at)} line={line} width={width} ground={isChosen} />
      })}
      {details === null ? null : (
        <>
          <Rows lines={blank} width={width} />
          <Rows lines={details} width={width} height={detailRows} />
        </>
      )}
    </>
  )
}

/** Opens and closes the details of the chosen row. */
export const detailsKey = (about: string, isOpen: boolean, when: boolean, set: (isOpen: boolean) => void): Binding => ({
  keys: ['enter'],
  short: isOpen ? 'close' : 'details',
  about,
  when,
  run: () => set(!isOpen),
})

/** Asks for a text to search for. */
export const findKey = (
  stage: Stage,
  { about, hint, value, set }: { about: string; hint: string; value: string; set: (text: string) => void },
): Binding => ({
  keys: ['/'],
  short: 'find',
  about,
  run: () =>
    stage.run(async () => {
      const text = await stage.prompt({ label: 'Find', value, history: 'find', hint })
      if (text !== null) set(text)
    }),
})

/** Goes through a list of choices, forwards and backwards. */
export const choiceKey = <Choice,>(
  short: string,
  about: string,
  choices: readonly Choice[],
  current: Choice,
  set: (choice: Choice) => void,
): Binding => ({
  keys: [']', '['],
  short,
  about,
  run: press => {
    const at = choices.indexOf(current) + (press.key === ']' ? 1 : choices.length - 1)
    const next = choices[at % choices.length]
    if (next !== undefined) set(next)
  },
})
