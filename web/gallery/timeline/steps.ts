/** Where keys move the focus in rows of pictures of different widths. Pure. */
import type { Arrangement, FocusStep } from '../arrangement.ts'

type Rows = Pick<Arrangement, 'boxOf' | 'within' | 'count' | 'pitch' | 'heading'>

/** The vertical middle of a card. */
function middleOf(rows: Rows, index: number): number {
  const { top, height } = rows.boxOf(index)
  return top + height / 2
}

/** The card in the row at `y` whose horizontal centre is nearest to that of the card at `index`, which is in another row. */
function nearestInRow(rows: Rows, y: number, index: number): number {
  const centreOf = (at: number) => {
    const { left, width } = rows.boxOf(at)
    return left + width / 2
  }
  const centre = centreOf(index)
  const { first, last } = rows.within(y, y + 1)
  let best = first
  for (let at = first; at <= last; at++)
    if (Math.abs(centreOf(at) - centre) < Math.abs(centreOf(best) - centre)) best = at
  return best
}

/** Implements `Arrangement.stepFrom`. */
export function stepInRows(rows: Rows, index: number, step: FocusStep, viewHeight: number): number {
  const lastIndex = rows.count - 1
  if (step === 'home') return 0
  if (step === 'end') return lastIndex
  if (step === 'left') return Math.max(0, index - 1)
  if (step === 'right') return Math.min(lastIndex, index + 1)
  const y = middleOf(rows, index)
  const row = rows.within(y, y + 1)
  if (step === 'up') return row.first === 0 ? index : nearestInRow(rows, middleOf(rows, row.first - 1), index)
  if (step === 'down') return row.last === lastIndex ? index : nearestInRow(rows, middleOf(rows, row.last + 1), index)
  const targetY = step === 'pageUp' ? y - viewHeight : y + viewHeight
  const target = rows.within(targetY, targetY + rows.heading + rows.pitch)
  if (target.last < target.first) return step === 'pageUp' ? 0 : lastIndex
  return nearestInRow(rows, middleOf(rows, target.first), index)
}
