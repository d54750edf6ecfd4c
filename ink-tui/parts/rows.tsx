/** Lines on the screen, each cut to its space; Ink only lays out placeholders for them. */
import { Box, Text } from 'ink'
import { memo, type ReactElement, useEffect, useMemo } from 'react'
import { cutLine, fillLine, formatLine, type Line, type Span } from '../line.ts'
import { placeholderFor, releasePlaceholder } from '../pictures/placeholders.ts'
import type { Signs } from '../terminal/terminal.ts'
import { pad } from '../text.ts'
import { useUi } from '../ui.ts'
import type { ListState } from './list.ts'

const RowText = memo(function RowText({ text, width }: { text: string; width: number }): ReactElement {
  const placeholder = useMemo(() => placeholderFor(text), [text])
  useEffect(() => () => releasePlaceholder(placeholder), [placeholder])
  return (
    <Box width={width} height={1}>
      <Text wrap="truncate-end">{placeholder}</Text>
    </Box>
  )
})

/** One line, cut to `width`. */
export function Row({
  line,
  width,
  isHighlighted = false,
}: {
  line: Line
  width: number
  isHighlighted?: boolean
}): ReactElement {
  const { terminal } = useUi()
  const fitting = isHighlighted ? fillLine(line, width) : cutLine(line, width)
  return <RowText text={formatLine(fitting, terminal.abilities.colours, isHighlighted)} width={width} />
}

export function Rows({ lines, width, height }: { lines: readonly Line[]; width: number; height?: number }) {
  const shown = height === undefined ? lines : lines.slice(0, Math.max(0, height))
  // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
  return shown.map((line, at) => <Row key={at} line={line} width={width} />)
}

/** The prefix of a row: the cursor's sign if it is chosen, and the mark. */
export function rowPrefix(signs: Signs, isChosen: boolean, isMarked = false): Line {
  const sign = (is: boolean, text: string): Span => (is ? { text, style: 'accent' } : ' ')
  return [' ', sign(isChosen, signs.cursor), sign(isMarked, signs.mark)]
}

/** A label and its text, aligned in two columns. */
export function labelledLine(label: string, width: number, ...about: Line): Line {
  return ['   ', { text: pad(label, width), style: 'dim' }, ...about]
}

export function CursorRows<T>({
  rows,
  list: { top, height, cursor },
  keyOf,
  lineOf,
  width,
}: {
  rows: readonly T[]
  list: ListState
  keyOf: (row: T, at: number) => number
  lineOf: (row: T, width: number, isChosen: boolean) => Line
  width: number
}): ReactElement[] {
  const { signs } = useUi().terminal
  return rows.slice(top, top + height).map((row, at) => {
    const isChosen = top + at === cursor
    const line = [...rowPrefix(signs, isChosen), ...lineOf(row, width - 3, isChosen)]
    return <Row key={keyOf(row, at)} line={line} width={width} isHighlighted={isChosen} />
  })
}
