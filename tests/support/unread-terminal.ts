/** A command in a pseudo-terminal that is not read until the test reads it, like a stopped window or a dead line. Linux. */
import { dlopen, ptr } from 'bun:ffi'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { cleanEnvironment } from './command.ts'

const calls = { unlock: 0x40045431, number: 0x80045430, size: 0x5414, readable: 0x541b } as const

export interface UnreadTerminal {
  readonly pid: number
  exited: Promise<number>
  type(text: string): void
  /** Bytes that wait to be read. */
  waiting(): number
  /** Takes what waits. */
  read(): string
  kill(signal: NodeJS.Signals): void
  close(): Promise<void>
}

/** Can there be one? It needs the system's own calls. */
export const hasUnreadTerminals = process.platform === 'linux' && Bun.which('setsid') !== null

export function openUnreadTerminal(
  command: readonly string[],
  { columns, rows, environment }: { columns: number; rows: number; environment: Record<string, string> },
): UnreadTerminal {
  const system = dlopen('libc.so.6', { ioctl: { args: ['int', 'u64', 'ptr'], returns: 'int' } })
  const ask = (fd: number, request: number, value: Int32Array | Uint16Array) => {
    if (system.symbols.ioctl(fd, request, ptr(value)) !== 0) throw new Error(`the terminal refuses ${request}`)
  }
  const master = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  ask(master, calls.unlock, new Int32Array([0]))
  const number = new Int32Array(1)
  ask(master, calls.number, number)
  const slave = openSync(`/dev/pts/${number[0]}`, constants.O_RDWR | constants.O_NOCTTY)
  ask(slave, calls.size, new Uint16Array([rows, columns, 0, 0]))
  const child = Bun.spawn(['setsid', '--ctty', ...command], {
    stdio: [slave, slave, slave],
    env: cleanEnvironment({ TZ: 'UTC', LANG: 'C.UTF-8', TERM: 'xterm-256color', ...environment }),
  })
  closeSync(slave)
  const reader = new TextDecoder()
  const room = Buffer.alloc(65_536)
  const count = new Int32Array(1)
  return {
    pid: child.pid,
    exited: child.exited,
    type: text => void writeSync(master, text),
    waiting() {
      ask(master, calls.readable, count)
      return count[0] ?? 0
    },
    read() {
      let told = ''
      for (;;) {
        try {
          const taken = readSync(master, room)
          if (taken === 0) return told
          told += reader.decode(room.subarray(0, taken), { stream: true })
        } catch {
          // Nothing more at the moment, or no writer.
          return told
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
