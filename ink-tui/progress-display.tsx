/** The live display of a job on a terminal: bar, counts, rate and remaining time, redrawn in place. */
import { Box, type Instance, render, Text } from 'ink'
import type { ReactElement } from 'react'
import { figure } from '../schema/figures.ts'
import { createPaces, type Pace } from './parts/bar.ts'
import { cutFront, safe, timeLeft } from './text.ts'

/** The progress that a job reports: `Progress` of core/work/job-kind.ts. */
interface ShownProgress {
  done?: number
  total?: number | null
  message?: string
  counts?: Record<string, number>
}

interface View extends ShownProgress, Pace {
  title: string
}

function Bar({ share, width }: { share: number; width: number }): ReactElement {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return (
    <Text>
      <Text bold>{'━'.repeat(full)}</Text>
      <Text dimColor>{'─'.repeat(width - full)}</Text>
    </Text>
  )
}

function Progress({ view }: { view: View }): ReactElement {
  const width = Math.max(20, Math.min(process.stderr.columns ?? 80, 120))
  const { done = 0, total = null, counts = {}, title } = view
  const found = counts.found
  const shown = Object.entries(counts).filter(([name, n]) => name !== 'found' && (n > 0 || name === 'new'))
  return (
    <Box flexDirection="column" width={width}>
      <Box gap={2}>
        <Text bold wrap="truncate-end">
          {safe(title)}
        </Text>
        {total !== null && total > 0 ? (
          <>
            <Bar share={done / total} width={width < 80 ? 12 : 28} />
            <Text>
              {figure(done)} of {figure(total)}
            </Text>
            {width >= 80 && view.rate !== null ? (
              <Text dimColor>{view.rate.toFixed(view.rate < 10 ? 1 : 0)}/s</Text>
            ) : null}
            {width >= 80 && view.left !== null ? <Text dimColor>{timeLeft(view.left)}</Text> : null}
          </>
        ) : null}
      </Box>
      <Box gap={2}>
        {found === undefined ? null : <Text dimColor>{figure(found)} files found</Text>}
        {shown.map(([name, n]) => (
          <Text key={name} {...(name === 'failed' || name === 'missing' ? { color: 'yellow' } : { dimColor: true })}>
            {figure(n)} {name}
          </Text>
        ))}
      </Box>
      <Text dimColor wrap="truncate-end">
        {cutFront(safe(view.message ?? ''), width - 2)}
      </Text>
    </Box>
  )
}

/** Minimum milliseconds between two drawings. */
const drawMs = 100

export function createProgressDisplay() {
  let ink: Instance | null = null
  let view: View = { title: '', rate: null, left: null }
  let paces = createPaces()
  let timer: ReturnType<typeof setInterval> | null = null
  let dirty = false

  function draw() {
    if (!dirty || ink === null) return
    dirty = false
    ink.rerender(<Progress view={view} />)
  }

  return {
    begin(title: string) {
      view = { title, rate: null, left: null }
      paces = createPaces()
      ink = render(<Progress view={view} />, { stdout: process.stderr, exitOnCtrlC: false, patchConsole: false })
      timer = setInterval(draw, drawMs)
    },
    update(progress: ShownProgress) {
      view = { ...view, ...progress, ...paces.pace(0, progress.done ?? 0, progress.total ?? null, performance.now()) }
      dirty = true
    },
    /** Clears the display; the command then prints the result. */
    end() {
      if (timer !== null) clearInterval(timer)
      ink?.clear()
      ink?.unmount()
      ink = null
    },
  }
}
