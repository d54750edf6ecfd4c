/** Shared by lines that the user types: earlier inputs, and the list of completions. */
import { useState } from 'react'
import type { Line, Span } from '../line.ts'
import { useUi } from '../ui.ts'

export const completionsShown = 6

/** Steps through the earlier inputs of the prompt `name`: `value` first, then the newest input, then older ones. */
export function useRecall(name: string | undefined, value: string, write: (text: string) => void) {
  const ui = useUi()
  const earlier = name === undefined ? [] : ui.earlierInputs(name)
  const [back, setBack] = useState(0)
  return {
    hasEarlier: earlier.length > 0,
    begin: () => setBack(0),
    recall(by: number) {
      const place = Math.max(0, Math.min(back + by, earlier.length))
      if (place === back) return
      setBack(place)
      write(place === 0 ? value : (earlier[earlier.length - place] ?? ''))
    },
  }
}

export function choiceSign(isChosen: boolean, sign: string): Span {
  return isChosen ? { text: ` ${sign} `, style: 'accent' } : '   '
}

/** Completions around the chosen one (`at`), and their number if not all are shown. */
export function completionLines<T>(
  options: readonly T[],
  at: number,
  sign: string,
  lineOf: (option: T, isChosen: boolean, shown: readonly T[]) => Line,
): Line[] {
  const first = Math.max(0, Math.min(at - 2, options.length - completionsShown))
  const shown = options.slice(first, first + completionsShown)
  const lines = shown.map((option, n): Line => {
    const isChosen = first + n === at
    return [choiceSign(isChosen, sign), ...lineOf(option, isChosen, shown)]
  })
  if (options.length > completionsShown) lines.push(['   ', { text: `${options.length} matches`, style: 'dim' }])
  return lines
}
