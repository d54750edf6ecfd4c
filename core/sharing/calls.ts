/** Calls about shares, screen savers and slideshows. */
import { Failure } from '../../schema/errors.ts'
import { requireSignedIn } from '../accounts/access.ts'
import { type CallHandlers, done } from '../accounts/caller.ts'
import type { Items } from '../items/items.ts'
import type { Jobs } from '../work/jobs.ts'
import type { Links } from './links.ts'
import type { Screensavers } from './screensavers.ts'
import type { Shares } from './shares.ts'

export function shareCalls({ shares }: { shares: Shares }): CallHandlers<'shares'> {
  return {
    create: ({ viewer }, { params, body }) => shares.create(viewer, params.id, body.expires),
    get: (_caller, { params }) => shares.get(params.name),
    list: ({ viewer }) => shares.list(viewer),
    remove: ({ viewer }, { params }) => done(shares.remove(viewer, params)),
  }
}

export function linkCalls({ links }: { links: Links }): CallHandlers<'links'> {
  return {
    list: ({ viewer }) => ({ links: links.list(viewer) }),
    create: ({ viewer }, { body }) => links.create(viewer, body),
    update: ({ viewer }, { params, body }) => links.update(viewer, params.id, body),
    end: ({ viewer }, { params }) => done(links.end(viewer, params.id)),
    open: (_caller, { params, query }) => links.open(params.name, query.key),
    unlock: ({ address }, { params, body }) => links.unlock(params.name, body.password, address),
    items: (_caller, { params, query }) => links.items(params.name, query.key, query.page),
  }
}

export function screensaverCalls({ screensavers }: { screensavers: Screensavers }): CallHandlers<'screensavers'> {
  return {
    list: ({ viewer }) => screensavers.list(viewer),
    create: ({ viewer }, { query }) => screensavers.create(viewer, query),
    save: ({ viewer }, { params, query }) => screensavers.save(viewer, params.id, query),
    remove: ({ viewer }, { params }) => done(screensavers.remove(viewer, params.id)),
    next: ({ viewer }, { params }) => screensavers.next(viewer, params.id),
  }
}

export function slideshowCalls({ items, jobs }: { items: Items; jobs: Jobs }): CallHandlers<'slideshow'> {
  return {
    async create({ viewer }, { query, body }) {
      requireSignedIn(viewer)
      const ids = items.visibleIds(viewer, [...new Set(body.items)], viewer.unlockValue ?? undefined)
      if (ids.length === 0) throw new Failure('invalid', 'No items available', { field: 'items' })
      if (viewer.userId === null) throw new Failure('denied', 'A slideshow is built for an account.')
      try {
        const id = await jobs.enqueue(viewer, 'slideshow', {
          userId: viewer.userId,
          showsHidden: viewer.unlockValue !== null,
          items: ids,
          options: query,
          language: body.language,
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
