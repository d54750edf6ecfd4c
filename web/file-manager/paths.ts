/** Virtual paths: what is above, what is in them, and how they are shown. */
import { fileWidget } from '../../schema/limits.ts'

export interface Segment {
  name: string
  path: string
}

export const partsOf = (path: string): string[] => path.split('/').filter(part => part !== '')

const pathOf = (parts: readonly string[]): string => `/${parts.join('/')}`

/** Something below a folder; '' is the folder itself. */
export const inside = (folder: string, below: string): string =>
  below === '' ? folder : pathOf([...partsOf(folder), ...partsOf(below)])

/** The folder above; '/' is above itself. */
export const above = (path: string): string => pathOf(partsOf(path).slice(0, -1))

/** At most five segments: where there are more, the first of these stands for all before it. */
export function segmentsOf(path: string): Segment[] {
  const parts = partsOf(path)
  const all = parts.map((name, at) => ({ name, path: pathOf(parts.slice(0, at + 1)) }))
  const shown = all.slice(-fileWidget.breadcrumbMost)
  const [first] = shown
  if (all.length > shown.length && first !== undefined) shown[0] = { ...first, name: '..' }
  return shown
}

const firstLetter = /\p{L}/u
const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** As `dir="auto"` finds it: what the style draws has no text in the page that a browser could look at. */
export function directionOfName(name: string): 'rtl' | 'ltr' {
  return fromRight.test(firstLetter.exec(name)?.[0] ?? '') ? 'rtl' : 'ltr'
}

/** Some fourteen characters and an ellipsis, for the grid. Characters as people see them stay whole. */
export function shortName(name: string): string {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  const most = fileWidget.gridNameCharacters
  return letters.length <= most ? name : `${letters.slice(0, most).join('')}…`
}

/** Can these go into that folder? Not where they are already, and not into themselves. */
export function mayMoveInto(target: string, items: readonly { path: string; dir: string }[]): boolean {
  return (
    items.length > 0 &&
    items.every(({ path, dir }) => dir !== target && path !== target && !target.startsWith(`${path}/`))
  )
}
