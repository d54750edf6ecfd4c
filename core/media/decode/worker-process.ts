/** Worker processes of this program: how they are started, what they say last, and how they serve whoever started them. */
import { Failure } from '../../../schema/errors.ts'
import { findTool } from '../../files/find-tool.ts'

/** Checks kinds of messages: both ends are this same program, so their inside is not in doubt. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export type WorkerProcess = Bun.Subprocess<'ignore', 'ignore', 'pipe'>

export interface WorkerStart {
  /** What starts a worker: this program with the arguments for it. */
  command: string[]
  /** Added to the worker's niceness: 0 for what people wait for, 10 for a scan. */
  nice?: number
}

/** Starts a worker; its standard error is to be read. */
export function startWorker(
  { command, nice = 0 }: WorkerStart,
  {
    env = {},
    ...listeners
  }: {
    env?: Record<string, string>
    ipc: (message: unknown, child: { pid: number }) => void
    onExit?: (child: { pid: number }) => void
  },
): WorkerProcess {
  const niceTool = nice > 0 ? findTool('nice', undefined) : null
  return Bun.spawn(niceTool === null ? command : [niceTool, '-n', String(nice), ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    serialization: 'advanced',
    // MALLOC_ARENA_MAX: each thread's own heap would keep what it once needed, 250 MB in all instead of 115.
    // VIPS_WARNING: libvips tells its warnings to the terminal otherwise.
    env: { ...process.env, MALLOC_ARENA_MAX: '2', VIPS_WARNING: '0', ...env },
    ...listeners,
  })
}

/** Sends a worker something; one that is dying tells by its end what it had. */
export function sendTo(child: Pick<WorkerProcess, 'send'>, message: unknown): void {
  try {
    child.send(message)
  } catch {
    // It is dying.
  }
}

/** The last characters of what a process says; `heard` is notified of them as they come. */
export async function lastWords(
  stream: ReadableStream<Uint8Array>,
  most: number,
  heard: (words: string) => void = () => {},
): Promise<string> {
  const decoder = new TextDecoder()
  let words = ''
  for await (const piece of stream) {
    words = (words + decoder.decode(piece, { stream: true })).slice(-most)
    heard(words)
  }
  return words.trim()
}

/**
 * Serves the process that started this one until it goes away, and ends then. `received` gets its messages, `send` answers
 * it. Throws a Failure when nobody started it so.
 */
export async function serveParent<Answer>(
  begin: (send: (message: Answer) => void) => { received: (message: unknown) => void; ready?: () => Promise<void> },
): Promise<void> {
  if (process.send === undefined) throw new Failure('invalid', 'This command is started by keepsake itself')
  // A terminal's Ctrl-C goes to all processes; whoever started this one decides what becomes of it.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  const gone = new Promise<void>(resolve => process.on('disconnect', resolve))
  const { received, ready } = begin(message => process.send?.(message))
  process.on('message', received)
  await ready?.()
  await gone
  process.exit(0)
}
