/** The identity of a process: after a reboot or the restart of a container, another process may have its number. */
import { readFileSync } from 'node:fs'
import { codeOf } from '../files/disk-error.ts'

/** Process numbers are below this on every known system; the bits above it contain the start time. */
const pidLimit = 2 ** 23

/** Whether there is a process with this number. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** When and in which boot a process started, as a number from 1 to 2^30 - 1; 0 if the system does not provide it. */
function birthOf(pid: number): number {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    // The second field is the program's name, which may contain spaces and parentheses; the start time is the 22nd.
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const began = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return (Bun.hash.crc32(`${boot} ${began}`) % (2 ** 30 - 1)) + 1
  } catch {
    return 0
  }
}

let own = 0

/** This process, as a unique positive safe integer. */
export function ownIdentity(): number {
  if (own === 0) own = birthOf(process.pid) * pidLimit + process.pid
  return own
}

/** Whether the process of this identity still runs. A process of another machine or of another boot does not. */
export function isRunning(identity: number): boolean {
  const pid = identity % pidLimit
  const birth = Math.floor(identity / pidLimit)
  if (!processExists(pid)) return false
  const now = birthOf(pid)
  // If the system does not provide the start, or an earlier version stored only the number, the number alone decides.
  return birth === 0 || now === 0 || birth === now
}
