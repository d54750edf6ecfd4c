/** Reads and sets access lists and extended attributes of files with the system's tools. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustNotSkip } from './samples.ts'
import { temporaryDirectory } from './temporary.ts'

function runTool(command: string[]): string {
  const run = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  if (!run.success) throw new Error(`${command.join(' ')}: ${run.stderr.toString()}`)
  return run.stdout.toString()
}

export function setAttribute(path: string, name: string, value: string): void {
  runTool(['setfattr', '-n', name, '-v', value, path])
}

export function readAttribute(path: string, name: string): string {
  return runTool(['getfattr', '--absolute-names', '--only-values', '-n', name, path])
}

/** `forNewFiles`: the access list of files that are created in this directory. */
export function setAccessList(path: string, list: string, { forNewFiles }: { forNewFiles?: string } = {}): void {
  runTool(['setfacl', '-m', list, path])
  if (forNewFiles !== undefined) runTool(['setfacl', '-d', '-m', forNewFiles, path])
}

/** The access list as `getfacl` prints it. */
export function readAccessList(path: string): string {
  return runTool(['getfacl', '--absolute-names', '--omit-header', '--numeric', path])
}

function probe(): boolean {
  const path = join(temporaryDirectory(), 'a')
  writeFileSync(path, '')
  try {
    setAttribute(path, 'user.a', 'b')
    setAccessList(path, 'u:1000:r')
    return true
  } catch (error) {
    console.warn(`SKIPPED: no access lists or attributes here (packages acl and attr): ${error}`)
    return mustNotSkip()
  }
}

/** Whether this machine has the tools, and the file system of temporary files supports attributes. */
export const supportsAttributes = probe()
