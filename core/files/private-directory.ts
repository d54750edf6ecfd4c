/** Directories that keep somebody out: what lies in them is not for everybody who can see the others. */
import { lstatSync } from 'node:fs'
import { bytesOfText, componentsOf, joinPath } from './names.ts'

/** Reading and entering, for everybody. */
const everybody = 0o005

/** Whether `dir`, or a directory between it and the root, keeps others out; false where it is not there. */
export function isPrivateDirectory(root: string | Uint8Array, dir: Uint8Array): boolean {
  const names = componentsOf(dir) ?? []
  const top = typeof root === 'string' ? bytesOfText(root) : root
  return names.some((_, n) => {
    const path = joinPath(top, ...names.slice(0, n + 1))
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found !== undefined && (found.mode & everybody) !== everybody
  })
}
