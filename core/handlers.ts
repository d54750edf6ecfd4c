/** The implementation of every call, for the server's routes and for the in-process client alike. */
import type { Calls } from '../schema/api/calls.ts'
import type { Handlers } from '../schema/api/contract.ts'
import { Failure } from '../schema/errors.ts'
import type { Viewer } from './access.ts'
import { built, version } from './build-info.ts'
import type { Library } from './library.ts'
import { userJson } from './users.ts'

/** Who calls, and from where: some calls count attempts by address, one is only for this machine. */
export interface Caller {
  viewer: Viewer
  /** '' where there is no network between. */
  address: string
  agent: string
  /** The request comes from this machine itself. */
  local: boolean
}

export function createHandlers(library: Omit<Library, 'as' | 'perform'>): Handlers<Calls, Caller> {
  const { users, sessions, collections, items, jobs, settings, secrets } = library

  return {
    system: {
      runtime: () => ({
        api: '',
        websocket: '',
        mapbox_token: settings.mapbox_token,
        registration: users.any() ? settings.registration : 'first',
        built,
        version,
      }),
    },

    users: {
      async register({ viewer, local }, { body }) {
        const { setup, ...registration } = body
        const isFirst = !users.any()
        if (isFirst) {
          // Whoever reaches a fresh server over the network first must not become its administrator.
          if (!local && setup !== secrets.setup) {
            throw new Failure(
              'denied',
              'The first account is made on the machine itself, or through the set-up link that it printed when it started.',
            )
          }
        } else if (settings.registration === 'closed') {
          throw new Failure('denied', 'Registration is closed. Ask the administrator for an account.')
        }
        return { user: userJson(await users.create(viewer, { ...registration, globalAdmin: isFirst }, isFirst)) }
      },
      login: ({ address, agent }, { body }) => sessions.login(body.username, body.password, { address, agent }),
      async logout({ viewer }) {
        await sessions.logout(viewer)
        return {}
      },
      renew: ({ viewer, agent }) => sessions.renew(viewer, agent),
    },

    collections: {
      list: ({ viewer }, { query }) => collections.list(viewer, query),
      create: ({ viewer }, { body }) => collections.create(viewer, body),
      async scan({ viewer }, { params, query }) {
        const { id } = collections.demand(viewer, params.id, 'admin')
        const taskid = await jobs.enqueue(viewer, 'scan', {
          collectionId: id,
          acceptMissing: query.acceptMissing ?? false,
          full: query.full ?? false,
        })
        return { taskid }
      },
    },

    items: {
      list: ({ viewer }, { params, query }) => items.list(viewer, params, query),
      timeline: ({ viewer }, { params, query }) => items.timeline(viewer, params, query),
      get: ({ viewer }, { params, query }) => items.get(viewer, params, query),
    },

    jobs: {
      list: ({ viewer }, { query }) => jobs.list(viewer, query.state ?? 'active'),
      get: ({ viewer }, { params }) => jobs.get(viewer, params.id),
      cancel: ({ viewer }, { params }) => jobs.cancel(viewer, params.id),
      problems: ({ viewer }, { params }) => library.problems.list(viewer, params.collectionId),
    },
  }
}
