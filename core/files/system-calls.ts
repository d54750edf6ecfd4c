/** Linux system calls that the runtime does not offer: reading directories as bytes, and opening and renaming safely. */
import { dlopen, type FFITypeOrString, ptr } from 'bun:ffi'

/**
 * All answer what the kernel answers, or the negative number of the error. Names must end with a zero byte.
 * Where JS reads what a call wrote, it must be given the typed array that is read from, and never an address: the
 * compiler does not know that the memory behind an address changes, and keeps old values.
 */
export interface SystemCalls {
  /** Opens `name` relative to an open directory. */
  open(directory: number, name: Uint8Array, flags: number): number
  /**
   * Opens a relative path so that no link is followed and nothing above the directory is reached, in one step (openat2,
   * Linux 5.6). Null where the kernel, or a container's filter, does not have it.
   */
  openBeneath: ((directory: number, path: Uint8Array, flags: number) => number) | null
  /** Reads directory entries (`struct linux_dirent64`); bytes written, 0 at the end. */
  getdents(directory: number, into: Uint8Array): number
  /** Address of memory that stays in its place as long as the array is referenced; only for calls that read there. */
  addressOf(memory: Uint8Array): number
  /** `struct statx` of a name at an address, links not followed. */
  statx(directory: number, nameAddress: number, into: Uint32Array): number
  /** Fails with EEXIST when `to` is there; with EINVAL or ENOSYS where the file system or the kernel can't do it. */
  renameWithoutReplacing(fromDirectory: number, from: Uint8Array, toDirectory: number, to: Uint8Array): number
  /** Names of an open file's extended attributes, each with its zero byte. Length 0 only asks how long they are. */
  listAttributes(file: number, into: Uint8Array, length: number): number
  getAttribute(file: number, name: Uint8Array, into: Uint8Array, length: number): number
  setAttribute(file: number, name: Uint8Array, value: Uint8Array): number
  removeAttribute(file: number, name: Uint8Array): number
}

/** `struct statx` is the same on all architectures; places are in units of 4 bytes, low half first. */
export const statxPlaces = { mode: 7, inode: 8, size: 10, mtimeSeconds: 28, mtimeNanoseconds: 30, length: 64 } as const

/** Opens a path for reaching what is in it: requests no permission to read, and can't be read from. */
export const openPathOnly = 0o10000000
const closeOnExec = 0o2000000

const resolveNoSymlinks = 0x04
const resolveBeneath = 0x08
const currentDirectory = -100
const doNotFollow = 0x100
/** type, mode, mtime, inode and size: what costs nothing beyond the inode. */
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

/** The C library under the names it has with glibc and with musl. */
const libraryNames = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1', 'libc.so']

/** Everything goes through `syscall`: older C libraries have it, but not yet wrappers for all of these. */
function load(library: string) {
  // The arguments are declared per call, so the one function is requested once for each shape that it is called in.
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
      // Not this C library.
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
  function answer(result: number): number {
    if (result >= 0) return result
    c?.copy(errorNumber, c.errnoAddress(), 4)
    return -(errorNumber[0] || ENOSYS)
  }

  const openBeneath = (directory: number, path: Uint8Array, flags: number) => {
    // struct open_how: flags, mode, resolve; 64 bits each.
    const how = new BigUint64Array([BigInt(flags | closeOnExec), 0n, BigInt(resolveBeneath | resolveNoSymlinks)])
    return answer(c.open2(numbers.openat2, directory, path, how, how.byteLength))
  }
  const calls: SystemCalls = {
    open: (directory, name, flags) => answer(c.open(numbers.openat, directory, name, flags | closeOnExec, 0)),
    openBeneath,
    getdents: (directory, into) => answer(c.getdents(numbers.getdents64, directory, into, into.length)),
    addressOf: memory => ptr(memory),
    statx: (directory, nameAddress, into) =>
      answer(c.statx(numbers.statx, directory, nameAddress, doNotFollow, statxMask, into)),
    renameWithoutReplacing: (fromDirectory, from, toDirectory, to) =>
      answer(c.rename(numbers.renameat2, fromDirectory, from, toDirectory, to, noReplace)),
    listAttributes: (file, into, length) => answer(c.list(numbers.flistxattr, file, into, length)),
    getAttribute: (file, name, into, length) => answer(c.get(numbers.fgetxattr, file, name, into, length)),
    setAttribute: (file, name, value) =>
      // An empty array has no address.
      answer(c.set(numbers.fsetxattr, file, name, value.length === 0 ? name : value, value.length, 0)),
    removeAttribute: (file, name) => answer(c.remove(numbers.fremovexattr, file, name)),
  }
  return proven(calls)
}

/** Tries them out on what is surely not there: an old kernel or a container's filter answers that it has no such call. */
function proven(calls: SystemCalls): SystemCalls | null {
  const nowhere = Buffer.from('/\x01keepsake/nothing\0')
  const stat = calls.statx(currentDirectory, calls.addressOf(nowhere), new Uint32Array(statxPlaces.length))
  if (stat !== -ENOENT || calls.open(currentDirectory, nowhere, 0) !== -ENOENT) return null
  const beneath = calls.openBeneath?.(currentDirectory, nowhere.subarray(1), 0)
  return beneath === -ENOSYS || beneath === -EPERM ? { ...calls, openBeneath: null } : calls
}

let known: SystemCalls | null | undefined

/** The calls, or null where there are none (another system, no C library): then the runtime's own functions must do. */
export function systemCalls(): SystemCalls | null {
  if (known === undefined) known = create()
  return known
}

/** A name as the calls want it. */
export function terminated(name: Uint8Array): Buffer {
  const bytes = Buffer.alloc(name.length + 1)
  bytes.set(name)
  return bytes
}
