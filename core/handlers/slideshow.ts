/** Calls about slideshows. */
import { Failure } from '../../schema/errors.ts'
import { demandSignedIn } from '../accounts/access.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function slideshowHandlers({ items, jobs }: Core): GroupHandlers<'slideshow'> {
  return {
    async create({ viewer }, { query, body }) {
      demandSignedIn(viewer)
      const ids = items.visibleIds(viewer, [...new Set(body.items)], viewer.unlockValue ?? undefined)
      if (ids.length === 0) throw new Failure('invalid', 'No items available', { field: 'items' })
      if (viewer.userId === null) throw new Failure('denied', 'A slideshow is built for an account.')
      try {
        const id = await jobs.enqueue(viewer, 'slideshow', {
          userId: viewer.userId,
          showsHidden: viewer.unlockValue !== null,
          items: ids,
          options: query,
        })
        return { id, items: ids.length }
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'busy')) throw error
        throw new Failure('tooMany', 'Another slideshow is being built for you. Wait until it is ready.', {
          retryAfter: 10,
        })
      }
    },
  }
}
