/** Worker processes of this program: starting them, their last output, and their message loop. */
import { Failure } from '../../../schema/errors.ts'
import { findTool } from '../../files/find-tool.ts'

/** Whether a message is an object. More is not checked, because both ends are this same program. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export type WorkerProcess = Bun.Subprocess<'ignore', 'ignore', 'pipe'>

export interface WorkerStart {
  /** The command that starts a worker: this program with arguments. */
  command: string[]
  /** Added to the worker's niceness: 0 for work that users wait for, 10 for a scan. */
  nice?: number
}

/** Starts a worker; its standard error must be read. */
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
    // MALLOC_ARENA_MAX: memory peaks at 115 MB instead of 250. VIPS_WARNING: libvips prints nothing to the terminal.
    env: { ...process.env, MALLOC_ARENA_MAX: '2', VIPS_WARNING: '0', ...env },
    ...listeners,
  })
}

/** Sends a message to a worker. If the worker is dying, its end reports the loss. */
export function sendTo(child: Pick<WorkerProcess, 'send'>, message: unknown): void {
  try {
    child.send(message)
  } catch {
    // The worker is dying.
  }
}

/** The last characters of a process's output, at most `maxLength`. Calls `onOutput` with them whenever more arrive. */
export async function lastOutput(
  stream: ReadableStream<Uint8Array>,
  maxLength: number,
  onOutput: (text: string) => void = () => {},
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of stream) {
    text = (text + decoder.decode(piece, { stream: true })).slice(-maxLength)
    onOutput(text)
  }
  return text.trim()
}

/** Handles messages of the parent process until it ends; `send` sends it a message. Throws without a parent. */
export async function serveParent<WorkerMessage>(
  begin: (send: (message: WorkerMessage) => void) => {
    received: (message: unknown) => void
    ready?: () => Promise<void>
  },
): Promise<void> {
  if (process.send === undefined) throw new Failure('invalid', 'This command is started by keepsake itself')
  // A terminal's Ctrl-C goes to all processes; the parent decides what to do.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  const gone = new Promise<void>(resolve => process.on('disconnect', resolve))
  const { received, ready } = begin(message => process.send?.(message))
  process.on('message', received)
  await ready?.()
  await gone
  process.exit(0)
}
