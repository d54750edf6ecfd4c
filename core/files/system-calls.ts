/** Linux system calls that the runtime lacks: reading directories as bytes, opening and renaming safely, attributes. */
import { dlopen, type FFITypeOrString, ptr } from 'bun:ffi'

/**
 * Calls return the kernel's result, or the negative error number. Names must end with a zero byte. To read what a call
 * wrote, pass the typed array itself, not an address: the compiler would keep old values.
 */
export interface SystemCalls {
  /** Opens `name` relative to an open directory. */
  open(directory: number, name: Uint8Array, flags: number): number
  /** Opens a path below a directory without following links (openat2, Linux 5.6); null without kernel support. */
  openBeneath: ((directory: number, path: Uint8Array, flags: number) => number) | null
  /** Reads directory entries (`struct linux_dirent64`); returns bytes written, 0 at the end. */
  getdents(directory: number, into: Uint8Array): number
  /** Address of memory, which is valid as long as the array is referenced; only for calls that read the memory. */
  addressOf(memory: Uint8Array): number
  /** `struct statx` of a name at an address, without following links. */
  statx(directory: number, nameAddress: number, into: Uint32Array): number
  /** Fails with EEXIST if `to` exists; with EINVAL or ENOSYS if the file system or the kernel does not support it. */
  renameWithoutReplacing(fromDirectory: number, from: Uint8Array, toDirectory: number, to: Uint8Array): number
  /** Names of an open file's extended attributes, each with a zero byte. With length 0, returns the needed length. */
  listAttributes(file: number, into: Uint8Array, length: number): number
  getAttribute(file: number, name: Uint8Array, into: Uint8Array, length: number): number
  setAttribute(file: number, name: Uint8Array, value: Uint8Array): number
  removeAttribute(file: number, name: Uint8Array): number
}

/** `struct statx` is the same on all architectures; offsets are in units of 4 bytes, low half first. */
export const statxPlaces = { mode: 7, inode: 8, size: 10, mtimeSeconds: 28, mtimeNanoseconds: 30, length: 64 } as const

/** Opens a path only to reach its entries: requires no read permission, and does not allow reading. */
export const openPathOnly = 0o10000000
const closeOnExec = 0o2000000

const resolveNoSymlinks = 0x04
const resolveBeneath = 0x08
const currentDirectory = -100
const doNotFollow = 0x100
/** Requests type, mode, mtime, inode and size. */
const statxMask = 0x001 | 0x002 | 0x040 | 0x100 | 0x200
const noReplace = 1

const ENOENT = 2
const ENOSYS = 38
const EPERM = 1

const numbersByArchitecture = {
  x64: {
    openat: 257,
    openat2: 437,
    getdents64: 217,
    statx: 332,
    renameat2: 316,
    flistxattr: 196,
    fgetxattr: 193,
    fsetxattr: 190,
    fremovexattr: 199,
  },
  arm64: {
    openat: 56,
    openat2: 437,
    getdents64: 61,
    statx: 291,
    renameat2: 276,
    flistxattr: 13,
    fgetxattr: 10,
    fsetxattr: 7,
    fremovexattr: 16,
  },
} as const

/** Names of the C library: glibc's and musl's. */
const libraryNames = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1', 'libc.so']

/** All calls go through `syscall`, because older C libraries lack wrappers for some of them. */
function load(library: string) {
  // Arguments are declared per call, so this function is loaded once for each signature.
  const syscall = <const Args extends readonly FFITypeOrString[]>(...args: Args) =>
    dlopen(library, { syscall: { args: ['i64', 'i32', ...args], returns: 'i32' } }).symbols.syscall
  const { symbols } = dlopen(library, {
    __errno_location: { args: [], returns: 'ptr' },
    memcpy: { args: ['ptr', 'ptr', 'u64'], returns: 'ptr' },
  })
  return {
    open: syscall('ptr', 'i32', 'u32'),
    open2: syscall('ptr', 'ptr', 'u64'),
    getdents: syscall('ptr', 'u64'),
    statx: syscall('u64', 'i32', 'u32', 'ptr'),
    rename: syscall('ptr', 'i32', 'ptr', 'u32'),
    list: syscall('ptr', 'u64'),
    get: syscall('ptr', 'ptr', 'u64'),
    set: syscall('ptr', 'ptr', 'u64', 'i32'),
    remove: syscall('ptr'),
    errnoAddress: symbols.__errno_location,
    copy: symbols.memcpy,
  }
}

function loadAny(): ReturnType<typeof load> | null {
  for (const name of libraryNames) {
    try {
      return load(name)
    } catch {
      // This C library does not exist: try the next name.
    }
  }
  return null
}

function create(): SystemCalls | null {
  const { arch, platform } = process
  const numbers = platform === 'linux' && (arch === 'x64' || arch === 'arm64') ? numbersByArchitecture[arch] : undefined
  const c = numbers === undefined ? null : loadAny()
  if (numbers === undefined || c === null) return null

  const errorNumber = new Int32Array(1)
  function checked(result: number): number {
    if (result >= 0) return result
    c?.copy(errorNumber, c.errnoAddress(), 4)
    return -(errorNumber[0] || ENOSYS)
  }

  const openBeneath = (directory: number, path: Uint8Array, flags: number) => {
    // struct open_how: flags, mode, resolve; 64 bits each.
    const how = new BigUint64Array([BigInt(flags | closeOnExec), 0n, BigInt(resolveBeneath | resolveNoSymlinks)])
    return checked(c.open2(numbers.openat2, directory, path, how, how.byteLength))
  }
  const calls: SystemCalls = {
    open: (directory, name, flags) => checked(c.open(numbers.openat, directory, name, flags | closeOnExec, 0)),
    openBeneath,
    getdents: (directory, into) => checked(c.getdents(numbers.getdents64, directory, into, into.length)),
    addressOf: memory => ptr(memory),
    statx: (directory, nameAddress, into) =>
      checked(c.statx(numbers.statx, directory, nameAddress, doNotFollow, statxMask, into)),
    renameWithoutReplacing: (fromDirectory, from, toDirectory, to) =>
      checked(c.rename(numbers.renameat2, fromDirectory, from, toDirectory, to, noReplace)),
    listAttributes: (file, into, length) => checked(c.list(numbers.flistxattr, file, into, length)),
    getAttribute: (file, name, into, length) => checked(c.get(numbers.fgetxattr, file, name, into, length)),
    setAttribute: (file, name, value) =>
      // An empty array has no address.
      checked(c.set(numbers.fsetxattr, file, name, value.length === 0 ? name : value, value.length, 0)),
    removeAttribute: (file, name) => checked(c.remove(numbers.fremovexattr, file, name)),
  }
  return tested(calls)
}

/** Tries the calls on missing names: an old kernel or a container's filter returns ENOSYS or EPERM. */
function tested(calls: SystemCalls): SystemCalls | null {
  const nowhere = Buffer.from('/\x01keepsake/nothing\0')
  const stat = calls.statx(currentDirectory, calls.addressOf(nowhere), new Uint32Array(statxPlaces.length))
  if (stat !== -ENOENT || calls.open(currentDirectory, nowhere, 0) !== -ENOENT) return null
  const beneath = calls.openBeneath?.(currentDirectory, nowhere.subarray(1), 0)
  return beneath === -ENOSYS || beneath === -EPERM ? { ...calls, openBeneath: null } : calls
}

let known: SystemCalls | null | undefined

/** The calls; null if there are none (another system, no C library), so that the runtime's functions are used. */
export function systemCalls(): SystemCalls | null {
  if (known === undefined) known = create()
  return known
}

/** A name with the zero byte that the calls need. */
export function terminated(name: Uint8Array): Buffer {
  const bytes = Buffer.alloc(name.length + 1)
  bytes.set(name)
  return bytes
}
