/** Finds ffmpeg and ffprobe and runs them on strangers' files without trusting either. */
import { findTool } from '../../files/find-tool.ts'
import { lastWords } from '../decode/worker-process.ts'
import { MediaProblem } from '../media-problem.ts'

export interface VideoTools {
  /** Absolute paths; null: not installed. */
  ffmpeg: string | null
  ffprobe: string | null
}

/** Both tools; a setting that is empty or missing: as it is found in PATH. */
export function findVideoTools(settings: { ffmpeg?: string; ffprobe?: string } = {}): VideoTools {
  return {
    ffmpeg: findTool('ffmpeg', settings.ffmpeg || process.env.KEEPSAKE_FFMPEG),
    ffprobe: findTool('ffprobe', settings.ffprobe || process.env.KEEPSAKE_FFPROBE),
  }
}

/** A file that is open already, for a tool to read. */
export interface ToolInput {
  fd: number
  /** The path as the file system's bytes; used only where a descriptor cannot be opened again. */
  path: Uint8Array
}

/**
 * What a tool is told to open. On Linux that is the descriptor it inherits: the name, which may be no UTF-8 and may look
 * like a pattern or an option, never reaches it, and it is surely the file that we looked at. Elsewhere /dev/fd shares
 * the reading position with us, and names are always UTF-8.
 */
export function inputName({ path }: ToolInput): string {
  return process.platform === 'linux' ? 'file:/dev/fd/3' : `file:${Buffer.from(path).toString('utf8')}`
}

interface ToolRun {
  command: string[]
  input: ToolInput
  timeoutMs: number
  /** The most it may print, in bytes; more ends it. */
  mostOutput: number
  signal?: AbortSignal
  /** Takes the output piece by piece instead of its being kept. */
  onOutput?: (piece: Uint8Array) => void
}

const longestMessage = 4096

/** What makes a program end with the process that started it, however that ends; nothing where there is no such thing. */
let leash: Promise<readonly string[]> | undefined

/**
 * On Linux the kernel itself sends the signal when this process is gone, killed or not (prctl, PR_SET_PDEATHSIG):
 * nothing else does for a tool that neither reads nor writes. util-linux's setpriv requests it and becomes the tool
 * (0.8 ms); busybox's does not know how, so it is tried first. Elsewhere a tool goes on until its own limit.
 */
async function findLeash(): Promise<readonly string[]> {
  const setpriv = process.platform === 'linux' ? findTool('setpriv', undefined) : null
  if (setpriv === null) return []
  const command = [setpriv, '--pdeathsig', 'KILL']
  const trial = Bun.spawn([...command, setpriv, '--version'], { stdio: ['ignore', 'ignore', 'ignore'] })
  return (await trial.exited) === 0 ? command : []
}

/**
 * Runs a tool in a process group of its own, with nothing to read from the terminal, and ends the whole group when it
 * takes too long, says too much or is no longer wanted; on Linux the tool ends with this process too. Throws
 * MediaProblem 'timeout' and 'too-large', or the signal's reason; any exit code is an answer. `message` is the end of what
 * it said on standard error.
 */
export async function runTool({ command, input, timeoutMs, mostOutput, signal, onOutput }: ToolRun) {
  leash ??= findLeash()
  const held = [...(await leash), ...command]
  signal?.throwIfAborted()
  const child = Bun.spawn(held, {
    stdio: ['ignore', 'pipe', 'pipe', input.fd],
    detached: true,
    // No settings of the user's, no report files, messages that do not depend on the language.
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  })
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  try {
    const [output, message] = await Promise.all([
      collect(child.stdout, mostOutput, end, onOutput),
      lastWords(child.stderr, longestMessage),
    ])
    const exitCode = await child.exited
    signal?.throwIfAborted()
    if (isLate) throw new MediaProblem('timeout', `Not done within ${Math.round(timeoutMs / 1000)} seconds`)
    if (output === null) throw new MediaProblem('too-large', `The answer is longer than ${mostOutput} bytes`)
    return { output, message, exitCode }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    if (child.exitCode === null) end()
  }
}

/** The whole output, or null when it grew too long and was ended. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  most: number,
  end: () => void,
  onOutput?: (piece: Uint8Array) => void,
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream) {
    length += piece.length
    if (length > most) {
      end()
      return null
    }
    if (onOutput === undefined) pieces.push(piece)
    else onOutput(piece)
  }
  return Buffer.concat(pieces)
}
