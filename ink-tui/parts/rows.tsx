/** Lines on the screen: each a text of exactly the width, so that nothing is laid out twice. */
import { Box, Text } from 'ink'
import { memo, type ReactElement, useEffect, useMemo } from 'react'
import { cutLine, fillLine, type Line, tell } from '../line.ts'
import { giveBack, standIn } from '../pictures/stand-ins.ts'
import { useStage } from '../stage.ts'

const Told = memo(function Told({ text, width }: { text: string; width: number }): ReactElement {
  const token = useMemo(() => standIn(text), [text])
  useEffect(() => () => giveBack(token), [token])
  return (
    <Box width={width} height={1}>
      <Text wrap="truncate-end">{token}</Text>
    </Box>
  )
})

/** One line; `ground`: it is the chosen one. */
export function Row({ line, width, ground = false }: { line: Line; width: number; ground?: boolean }): ReactElement {
  const { terminal } = useStage()
  const fitting = ground ? fillLine(line, width) : cutLine(line, width)
  return <Told text={tell(fitting, terminal.abilities.colours, ground)} width={width} />
}

/** Lines below each other, at most `height`. */
export function Rows({ lines, width, height }: { lines: readonly Line[]; width: number; height?: number }) {
  const shown = height === undefined ? lines : lines.slice(0, Math.max(0, height))
  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
  return shown.map((line, at) => <Row key={at} line={line} width={width} />)
}
