/** A command in a pseudo-terminal that nothing reads until the test does, like a frozen window or a lost connection. Linux. */
import { dlopen, ptr } from 'bun:ffi'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { cleanEnvironment } from './command.ts'

const calls = { unlock: 0x40045431, number: 0x80045430, size: 0x5414, readable: 0x541b } as const

export interface UnreadTerminal {
  readonly pid: number
  exited: Promise<number>
  type(text: string): void
  /** The number of bytes that wait to be read. */
  waiting(): number
  /** Reads all bytes that are waiting. */
  read(): string
  kill(signal: NodeJS.Signals): void
  close(): Promise<void>
}

/** Whether this system supports it: it needs Linux's ioctl requests and `setsid`. */
export const hasUnreadTerminals = process.platform === 'linux' && Bun.which('setsid') !== null

export function openUnreadTerminal(
  command: readonly string[],
  { columns, rows, environment }: { columns: number; rows: number; environment: Record<string, string> },
): UnreadTerminal {
  const system = dlopen('libc.so.6', { ioctl: { args: ['int', 'u64', 'ptr'], returns: 'int' } })
  const control = (fd: number, request: number, value: Int32Array | Uint16Array) => {
    if (system.symbols.ioctl(fd, request, ptr(value)) !== 0) throw new Error(`the terminal refuses ${request}`)
  }
  const master = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  control(master, calls.unlock, new Int32Array([0]))
  const number = new Int32Array(1)
  control(master, calls.number, number)
  const slave = openSync(`/dev/pts/${number[0]}`, constants.O_RDWR | constants.O_NOCTTY)
  control(slave, calls.size, new Uint16Array([rows, columns, 0, 0]))
  const child = Bun.spawn(['setsid', '--ctty', ...command], {
    stdio: [slave, slave, slave],
    env: cleanEnvironment({ TZ: 'UTC', LANG: 'C.UTF-8', TERM: 'xterm-256color', ...environment }),
  })
  closeSync(slave)
  const reader = new TextDecoder()
  const buffer = Buffer.alloc(65_536)
  const count = new Int32Array(1)
  return {
    pid: child.pid,
    exited: child.exited,
    type: text => void writeSync(master, text),
    waiting() {
      control(master, calls.readable, count)
      return count[0] ?? 0
    },
    read() {
      let text = ''
      for (;;) {
        try {
          const taken = readSync(master, buffer)
          if (taken === 0) return text
          text += reader.decode(buffer.subarray(0, taken), { stream: true })
        } catch {
          // There is nothing more to read at the moment, or the last writer is gone.
          return text
        }
      }
    },
    kill: signal => child.kill(signal),
    async close() {
      child.kill('SIGKILL')
      await child.exited
      closeSync(master)
    },
  }
}
