/** Owner, permissions, access lists and `user.*` attributes of files and directories. */
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync } from 'node:fs'
import { Failure } from '../../schema/errors.ts'
import { codeOf, codeOfNumber, DiskError } from './disk-error.ts'
import { bytesOfText } from './names.ts'
import { type SystemCalls, terminated } from './system-calls.ts'

export interface Attributes {
  uid: number
  gid: number
  /** Permission bits. */
  mode: number
  /** Access lists and `user.*` by name; empty if this machine cannot read them. */
  extended: ReadonlyMap<string, Buffer>
}

/** Thrown when a file must not be replaced, because the new file would lose attributes. */
export class AttributesNotKept extends Failure {
  constructor(reason: string) {
    super('denied', reason)
  }
}

const accessList = 'system.posix_acl_access'
/** Attribute of a directory: the access list of entries created in it. */
const defaultList = 'system.posix_acl_default'
const accessLists = [accessList, defaultList]
const isKeptName = (name: string) => name.startsWith('user.') || accessLists.includes(name)

/** Error codes for an attribute that does not exist, or that the disk does not support. */
const noAttribute = new Set(['ENODATA', 'ENOATTR', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM'])

function requireSuccess(result: number): number {
  if (result < 0) throw new DiskError(codeOfNumber(-result), '')
  return result
}

/** Calls `call` for the length of a value, and again for its bytes; null if there is no such attribute. */
function readAll(call: (into: Uint8Array, length: number) => number): Buffer | null {
  const length = call(Buffer.alloc(1), 0)
  if (length < 0 && noAttribute.has(codeOfNumber(-length))) return null
  if (requireSuccess(length) === 0) return Buffer.of()
  const into = Buffer.alloc(length)
  return into.subarray(0, requireSuccess(call(into, length)))
}

/** Returns the attributes of an open file. Throws a DiskError. */
export function attributesOf(calls: SystemCalls | null, fd: number): Attributes {
  const { uid, gid, mode } = fstatSync(fd)
  const extended = new Map<string, Buffer>()
  if (calls !== null) {
    const names = readAll((into, length) => calls.listAttributes(fd, into, length)) ?? Buffer.of()
    for (const name of names.toString('latin1').split('\0').filter(isKeptName)) {
      const key = terminated(Buffer.from(name, 'latin1'))
      const value = readAll((into, length) => calls.getAttribute(fd, key, into, length))
      if (value !== null) extended.set(name, value)
    }
  }
  return { uid, gid, mode: mode & 0o7777, extended }
}

/**
 * Copies attributes to an open new file or directory; returns what could not be copied, or null. After a failure the
 * file has fewer rights, never more. Call it right before closing the file, as the owner may change.
 */
export function copyAttributes(calls: SystemCalls | null, fd: number, from: Attributes): string | null {
  const missing: string[] = []
  const set = (name: string, value: Buffer) => {
    const done = calls === null ? 0 : calls.setAttribute(fd, terminated(Buffer.from(name, 'latin1')), value)
    if (done < 0) missing.push(accessLists.includes(name) ? 'its access list' : `its attribute ${name}`)
  }
  // Setting `user.*` requires write permission, which the mode set below may remove.
  for (const [name, value] of from.extended) if (!accessLists.includes(name)) set(name, value)
  const before = fstatSync(fd)
  try {
    if (before.uid !== from.uid || before.gid !== from.gid) fchownSync(fd, from.uid, from.gid)
  } catch {
    missing.push(`its owner (user ${from.uid}, group ${from.gid})`)
    // Changes only the group: this user may be a member of it.
    attempt(() => fchownSync(fd, before.uid, from.gid))
  }
  const { uid, gid } = fstatSync(fd)
  // The new file may have inherited access lists from its directory.
  for (const name of accessLists) calls?.removeAttribute(fd, terminated(bytesOfText(name)))
  attempt(() => fchmodSync(fd, restrictedMode(from, { uid, gid })))
  for (const name of accessLists) {
    const list = from.extended.get(name)
    if (list !== undefined && uid === from.uid && gid === from.gid) set(name, list)
  }
  if (missing.length === 0 && (fstatSync(fd).mode & 0o7777) !== from.mode) missing.push('its permissions')
  return missing.length === 0 ? null : missing.join(', ')
}

/** Removes rights of people who cannot enter the directory's parents. `parentModes`: the modes of these parents. */
export function withoutExcludedPeople(attributes: Attributes, parentModes: readonly number[]): Attributes {
  const open = parentModes.reduce((all, mode) => all & mode, 0o011)
  if (open === 0o011) return attributes
  const mode = attributes.mode & ~((open & 0o010) === 0 ? 0o077 : 0o007)
  // An access list may allow people whom a parent's mode excludes.
  const extended = new Map([...attributes.extended].filter(([name]) => !accessLists.includes(name)))
  return { ...attributes, mode, extended }
}

/** Runs `work` with an open directory. */
export function withDirectory<T>(path: Buffer, work: (fd: number) => T): T {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    return work(fd)
  } finally {
    closeSync(fd)
  }
}

/** Runs a step that not every disk and user supports; ignores the disk's errors. */
function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (codeOf(error) === null) throw error
  }
}

const groupBits = 0o070
const groupShift = 3

/** Permissions without the access list. If there is one, the group's bits are its mask. */
export function withoutAccessList({ mode, extended }: Pick<Attributes, 'mode' | 'extended'>): number {
  const list = extended.get(accessList)
  return list === undefined ? mode : mode & (~groupBits | (groupOfList(list) << groupShift))
}

/** Like `withoutAccessList`, for a copy whose owner or group may differ: nobody gets more rights on it. */
function restrictedMode(from: Attributes, now: { uid: number; gid: number }): number {
  const mode = withoutAccessList(from)
  const isOwned = now.uid === from.uid && now.gid === from.gid
  const others = (mode & 0o007) << groupShift
  return (mode & 0o777 & (now.gid === from.gid ? 0o777 : ~groupBits | others)) | (isOwned ? mode & 0o7000 : 0)
}

const groupEntry = 4
/** Format of an access list: version, then entries of kind, permissions and id. */
const listHead = 4
const listEntry = 8

/** Returns the permission bits of the file's own group in an access list. */
function groupOfList(list: Buffer): number {
  for (let at = listHead; at + listEntry <= list.length; at += listEntry) {
    if (list.readUInt16LE(at) === groupEntry) return list.readUInt16LE(at + 2)
  }
  return 0
}

/** Why a file should not be replaced, as a part of a sentence; null if it may be. Not all reasons can be detected. */
export function whyNotReplaced({ nlink, uid, gid }: { nlink: number; uid: number; gid: number }): string | null {
  if (nlink > 1) return `it has ${nlink} names (hard links), which would not be one file any more`
  const user = process.geteuid?.() ?? 0
  if (user === 0) return null
  if (uid !== user) return `it belongs to another user (${uid}), and only root can give a new file to them`
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])]
  return groups.includes(gid) ? null : `it belongs to a group (${gid}) that this user is not in`
}
