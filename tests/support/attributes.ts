/** Access lists and extended attributes of files, by the system's own tools. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustNotSkip } from './samples.ts'
import { temporaryDirectory } from './temporary.ts'

function ran(command: string[]): string {
  const run = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  if (!run.success) throw new Error(`${command.join(' ')}: ${run.stderr.toString()}`)
  return run.stdout.toString()
}

export function giveAttribute(path: string, name: string, value: string): void {
  ran(['setfattr', '-n', name, '-v', value, path])
}

export function attribute(path: string, name: string): string {
  return ran(['getfattr', '--absolute-names', '--only-values', '-n', name, path])
}

/** `forNewFiles`: what files that are made in this directory get. */
export function setAccessList(path: string, list: string, { forNewFiles }: { forNewFiles?: string } = {}): void {
  ran(['setfacl', '-m', list, path])
  if (forNewFiles !== undefined) ran(['setfacl', '-d', '-m', forNewFiles, path])
}

/** The access list as `getfacl` prints it. */
export function accessList(path: string): string {
  return ran(['getfacl', '--absolute-names', '--omit-header', '--numeric', path])
}

function tried(): boolean {
  const path = join(temporaryDirectory(), 'a')
  writeFileSync(path, '')
  try {
    giveAttribute(path, 'user.a', 'b')
    setAccessList(path, 'u:1000:r')
    return true
  } catch (error) {
    console.warn(`SKIPPED: no access lists or attributes here (packages acl and attr): ${error}`)
    return mustNotSkip()
  }
}

/** Has this machine the tools, and the disk of the temporary files room for what they set? */
export const canHaveAttributes = tried()
