/** Finds ffmpeg and ffprobe and runs them safely on untrusted files. */
import { findTool } from '../../files/find-tool.ts'
import { lastOutput } from '../decode/worker-process.ts'
import { MediaProblem } from '../media-problem.ts'

export interface VideoTools {
  /** Absolute paths; null: not installed. */
  ffmpeg: string | null
  ffprobe: string | null
}

/** Finds both tools: by the settings, else by KEEPSAKE_FFMPEG and KEEPSAKE_FFPROBE, else in PATH. */
export function findVideoTools(settings: { ffmpeg?: string; ffprobe?: string } = {}): VideoTools {
  return {
    ffmpeg: findTool('ffmpeg', settings.ffmpeg || process.env.KEEPSAKE_FFMPEG),
    ffprobe: findTool('ffprobe', settings.ffprobe || process.env.KEEPSAKE_FFPROBE),
  }
}

export interface ToolInput {
  fd: number
  /** The path as the file system's bytes, used only if a descriptor cannot be opened again. */
  path: Uint8Array
}

/**
 * The name of the tool's input. On Linux the tool opens the descriptor that it inherits: so it reads the file that was
 * checked, and never gets the file's name, which may be invalid UTF-8 or look like a pattern. On other systems /dev/fd
 * would share the reading position with this process, so the tool gets the name, which is always UTF-8 there.
 */
export function inputName({ path }: ToolInput): string {
  return process.platform === 'linux' ? 'file:/dev/fd/3' : `file:${Buffer.from(path).toString('utf8')}`
}

interface ToolRun {
  command: string[]
  input: ToolInput
  timeoutMs: number
  /** Maximum bytes of output; a tool that prints more is ended. */
  maxOutput: number
  signal?: AbortSignal
  /** Called with each piece of the output, which then is not collected. */
  onOutput?: (piece: Uint8Array) => void
}

const maxMessageLength = 4096

/** A command that makes a tool end with this process, however this process ends; empty if there is none. */
let endingCommand: Promise<readonly string[]> | undefined

/**
 * On Linux the kernel can kill the tool when this process is gone (prctl, PR_SET_PDEATHSIG): nothing else ends a tool
 * that neither reads nor writes. util-linux's setpriv requests that and becomes the tool (0.8 ms).
 * busybox's setpriv cannot do that, so the command is tested first. On other systems a tool runs until its time limit.
 */
async function findEndingCommand(): Promise<readonly string[]> {
  const setpriv = process.platform === 'linux' ? findTool('setpriv', undefined) : null
  if (setpriv === null) return []
  const command = [setpriv, '--pdeathsig', 'KILL']
  const trial = Bun.spawn([...command, setpriv, '--version'], { stdio: ['ignore', 'ignore', 'ignore'] })
  return (await trial.exited) === 0 ? command : []
}

/**
 * Runs a tool in a separate process group, without terminal input, and ends the whole group if it takes too long,
 * prints too much or is aborted; on Linux the tool also ends with this process. Throws MediaProblem 'timeout' and
 * 'too-large', or the signal's reason; any exit code is a result. `message` is the end of its standard error.
 */
export async function runTool({ command, input, timeoutMs, maxOutput, signal, onOutput }: ToolRun) {
  endingCommand ??= findEndingCommand()
  const wholeCommand = [...(await endingCommand), ...command]
  signal?.throwIfAborted()
  const child = Bun.spawn(wholeCommand, {
    stdio: ['ignore', 'pipe', 'pipe', input.fd],
    detached: true,
    // No user settings, no report files, messages in English.
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
      collect(child.stdout, maxOutput, end, onOutput),
      lastOutput(child.stderr, maxMessageLength),
    ])
    const exitCode = await child.exited
    signal?.throwIfAborted()
    if (isLate) throw new MediaProblem('timeout', `Not done within ${Math.round(timeoutMs / 1000)} seconds`)
    if (output === null) throw new MediaProblem('too-large', `Its output is longer than ${maxOutput} bytes`)
    return { output, message, exitCode }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    if (child.exitCode === null) end()
  }
}

/** The whole output; null if it became too long and the tool was ended. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  maxLength: number,
  end: () => void,
  onOutput?: (piece: Uint8Array) => void,
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream) {
    length += piece.length
    if (length > maxLength) {
      end()
      return null
    }
    if (onOutput === undefined) pieces.push(piece)
    else onOutput(piece)
  }
  return Buffer.concat(pieces)
}
