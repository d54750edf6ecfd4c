/** Virtual paths: parents, segments, and display. */
import { fileWidget } from '../../schema/limits.ts'

export interface Segment {
  name: string
  path: string
}

export const partsOf = (path: string): string[] => path.split('/').filter(part => part !== '')

const pathOf = (parts: readonly string[]): string => `/${parts.join('/')}`

/** A path below a folder; '' is the folder itself. */
export const inside = (folder: string, below: string): string =>
  below === '' ? folder : pathOf([...partsOf(folder), ...partsOf(below)])

/** The parent; '/' is its own. */
export const above = (path: string): string => pathOf(partsOf(path).slice(0, -1))

/** At most five segments: where there are more, the first stands for all before it. */
export function segmentsOf(path: string): Segment[] {
  const parts = partsOf(path)
  const all = parts.map((name, at) => ({ name, path: pathOf(parts.slice(0, at + 1)) }))
  const shown = all.slice(-fileWidget.maxBreadcrumb)
  const [first] = shown
  if (all.length > shown.length && first !== undefined) shown[0] = { ...first, name: '..' }
  return shown
}

const firstLetter = /\p{L}/u
const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** As `dir="auto"` would find it: text that CSS draws is invisible to the browser. */
export function directionOfName(name: string): 'rtl' | 'ltr' {
  return fromRight.test(firstLetter.exec(name)?.[0] ?? '') ? 'rtl' : 'ltr'
}

/** Some fourteen characters and an ellipsis, for the grid. Graphemes stay whole. */
export function shortName(name: string): string {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  const most = fileWidget.gridNameCharacters
  return letters.length <= most ? name : `${letters.slice(0, most).join('')}…`
}

/** Whether these can be moved into that folder: not where they are already, nor into themselves. */
export function mayMoveInto(target: string, items: readonly { path: string; dir: string }[]): boolean {
  return (
    items.length > 0 &&
    items.every(({ path, dir }) => dir !== target && path !== target && !target.startsWith(`${path}/`))
  )
}
