/** Page numbers. Pure. */
import { figure } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { baseTexts } from '../../texts/base.ts'

/** Number of pages; an empty list has one page. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}

/** The pages to show, at most nine, with the open one in the middle if possible. */
export function pagesShown(page: number, pages: number, limit: number = limits.pagesShown): number[] {
  const shown = Math.min(pages, limit)
  const first = Math.min(Math.max(1, page - Math.floor(shown / 2)), pages - shown + 1)
  return Array.from({ length: shown }, (_, at) => first + at)
}

/** Widths of a page button and of the menu, the same as in app.css. */
const buttonWidth = (number: number) => Math.max(34, 12 + 9 * figure(number).length)
const menuWidth = (pages: number) => 36 + 9 * baseTexts.ofTotal({ total: pages }).length

/** Width of up to `limit` page buttons, the buttons for the previous and next page, and the menu if it is needed. */
export function pagesWidth(page: number, pages: number, limit: number = limits.pagesShown): number {
  const buttons = pagesShown(page, pages, limit).reduce((sum, number) => sum + buttonWidth(number), 0)
  return buttons + 2 * buttonWidth(0) + (pages > limit ? menuWidth(pages) : 0)
}

/** How many pages around the open one fit into this width: an odd number up to nine. */
export function pagesThatFit(page: number, pages: number, room: number): number {
  let limit: number = limits.pagesShown
  while (limit > 1 && pagesWidth(page, pages, limit) > room) limit -= 2
  return limit
}

/** The first and last item of a page, from 1. */
export function rangeOf(page: number, size: number, total: number): { first: number; last: number } {
  if (total === 0) return { first: 0, last: 0 }
  return { first: (page - 1) * size + 1, last: Math.min(total, page * size) }
}

/** The choices of the page menu: all pages or, if there are more than `limit`, the first, the last and round numbers. */
export function pageChoices(pages: number, limit = 200): number[] {
  if (pages <= limit) return Array.from({ length: pages }, (_, at) => at + 1)
  const step = Math.ceil(pages / limit)
  const round = Math.ceil(step / 10 ** Math.floor(Math.log10(step))) * 10 ** Math.floor(Math.log10(step))
  const choices = [1]
  for (let page = round; page < pages; page += round) choices.push(page)
  choices.push(pages)
  return choices
}

/** The page that has the same first item with another page size. */
export function pageForNewSize(page: number, size: number, newSize: number): number {
  return Math.floor(((page - 1) * size) / newSize) + 1
}
