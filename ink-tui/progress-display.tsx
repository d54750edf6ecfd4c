/** The live display of a job on a terminal: a bar, figures, rate and time left, drawn in place. */
import { Box, type Instance, render, Text } from 'ink'
import type { ReactElement } from 'react'
import { safe } from './text.ts'

/** What a job says of itself (core/work/jobs.ts). */
interface ShownProgress {
  done?: number
  total?: number | null
  message?: string
  counts?: Record<string, number>
}

interface View extends ShownProgress {
  title: string
  /** Files a second over the last seconds, and seconds left; null while nobody can say. */
  rate: number | null
  left: number | null
}

const figures = new Intl.NumberFormat('en-US')

/** '1 min 23 s left': coarse where it is long, so that it does not flicker. */
function timeLeft(seconds: number): string {
  if (seconds < 1) return 'nearly done'
  if (seconds < 60) return `${Math.ceil(seconds)} s left`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s left`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min left`
}

/** A path that does not fit is cut at its front: the file's name is what one looks for. */
function cutFront(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text
  let kept = ''
  for (const character of [...text].reverse()) {
    if (Bun.stringWidth(character + kept) > width - 1) break
    kept = character + kept
  }
  return `…${kept}`
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
              {figures.format(done)} of {figures.format(total)}
            </Text>
            {width >= 80 && view.rate !== null ? (
              <Text dimColor>{view.rate.toFixed(view.rate < 10 ? 1 : 0)}/s</Text>
            ) : null}
            {width >= 80 && view.left !== null ? <Text dimColor>{timeLeft(view.left)}</Text> : null}
          </>
        ) : null}
      </Box>
      <Box gap={2}>
        {found === undefined ? null : <Text dimColor>{figures.format(found)} files found</Text>}
        {shown.map(([name, n]) => (
          <Text key={name} {...(name === 'failed' || name === 'missing' ? { color: 'yellow' } : { dimColor: true })}>
            {figures.format(n)} {name}
          </Text>
        ))}
      </Box>
      <Text dimColor wrap="truncate-end">
        {cutFront(safe(view.message ?? ''), width - 2)}
      </Text>
    </Box>
  )
}

/** Draws at most that often (milliseconds); rate and time left are over the last so many seconds. */
const drawMs = 100
const rateSeconds = 10

export interface ProgressDisplay {
  begin(title: string): void
  update(progress: ShownProgress): void
  /** Clears what was drawn; the last word is the command's. */
  end(): void
}

export function createProgressDisplay(): ProgressDisplay {
  let ink: Instance | null = null
  let view: View = { title: '', rate: null, left: null }
  let samples: { at: number; done: number }[] = []
  let startedAt = 0
  let timer: ReturnType<typeof setInterval> | null = null
  let dirty = false
  let lastLeft = 0

  function draw() {
    if (!dirty || ink === null) return
    dirty = false
    ink.rerender(<Progress view={view} />)
  }

  function measure(done: number, total: number | null) {
    const now = performance.now()
    samples.push({ at: now, done })
    samples = samples.filter(sample => now - sample.at < rateSeconds * 1000)
    const [first] = samples
    if (first === undefined || now - startedAt < 1000 || now === first.at) return
    const rate = ((done - first.done) * 1000) / (now - first.at)
    // Time left comes after five seconds and changes at most once a second.
    if (now - startedAt < 5000 || now - lastLeft < 1000 || total === null || rate <= 0) {
      view = { ...view, rate }
      return
    }
    lastLeft = now
    view = { ...view, rate, left: (total - done) / rate }
  }

  return {
    begin(title) {
      view = { title, rate: null, left: null }
      samples = []
      startedAt = performance.now()
      ink = render(<Progress view={view} />, { stdout: process.stderr, exitOnCtrlC: false, patchConsole: false })
      timer = setInterval(draw, drawMs)
    },
    update(progress) {
      view = { ...view, ...progress }
      measure(progress.done ?? 0, progress.total ?? null)
      dirty = true
    },
    end() {
      if (timer !== null) clearInterval(timer)
      ink?.clear()
      ink?.unmount()
      ink = null
    },
  }
}
