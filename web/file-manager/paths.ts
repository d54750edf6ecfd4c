/** Virtual paths: parents, segments, and display. */
import { fileWidget } from '../../schema/limits.ts'

export interface Segment {
  name: string
  path: string
}

export const partsOf = (path: string): string[] => path.split('/').filter(part => part !== '')

const pathOf = (parts: readonly string[]): string => `/${parts.join('/')}`

/** A path below a folder; for '' the folder itself. */
export const joinPaths = (folder: string, below: string): string =>
  below === '' ? folder : pathOf([...partsOf(folder), ...partsOf(below)])

/** The parent folder; the parent of '/' is '/'. */
export const parentOf = (path: string): string => pathOf(partsOf(path).slice(0, -1))

/** The last five segments; if there are more, the first of the five is shown as '..'. */
export function segmentsOf(path: string): Segment[] {
  const parts = partsOf(path)
  const all = parts.map((name, at) => ({ name, path: pathOf(parts.slice(0, at + 1)) }))
  const shown = all.slice(-fileWidget.maxBreadcrumb)
  const [first] = shown
  if (all.length > shown.length && first !== undefined) shown[0] = { ...first, name: '..' }
  return shown
}

const firstLetter = /\p{L}/u
const rightToLeftScript = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Detects the direction like `dir="auto"`, which does not see text that is drawn by CSS. */
export function directionOfName(name: string): 'rtl' | 'ltr' {
  return rightToLeftScript.test(firstLetter.exec(name)?.[0] ?? '') ? 'rtl' : 'ltr'
}

/** Shortens a name to fourteen characters and an ellipsis, for the grid. Does not split graphemes. */
export function shortName(name: string): string {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  const max = fileWidget.gridNameCharacters
  return letters.length <= max ? name : `${letters.slice(0, max).join('')}…`
}

/** Whether the items can be moved into the folder: not if one is already there, nor into itself. */
export function mayMoveInto(target: string, items: readonly { path: string; dir: string }[]): boolean {
  return (
    items.length > 0 &&
    items.every(({ path, dir }) => dir !== target && path !== target && !target.startsWith(`${path}/`))
  )
}
