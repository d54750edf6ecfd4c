/** Calls about accounts and sessions. */
import { Failure } from '../../schema/errors.ts'
import { userJson } from '../accounts/users.ts'
import { equalTexts } from '../kernel/equal-texts.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function userHandlers({ users, sessions, settings, secrets }: Core): GroupHandlers<'users'> {
  return {
    async register({ viewer, address }, { body }) {
      const { setup, ...registration } = body
      const isFirst = !users.any()
      if (isFirst) {
        // Whoever reaches a fresh server first must not become its administrator. An address proves nothing: behind a
        // proxy that sends no headers everybody comes from this machine.
        if (!equalTexts(setup, secrets.setup)) {
          throw new Failure(
            'denied',
            'The first account needs the key of the set-up link. Open the link that keepsake printed when it started, or run in a terminal: keepsake user create NAME --admin',
          )
        }
      } else if (settings.registration === 'closed') {
        throw new Failure('denied', 'Registration is closed. Ask the administrator for an account.')
      }
      users.countRegistration(address)
      return { user: userJson(await users.create(viewer, { ...registration, globalAdmin: isFirst }, isFirst)) }
    },
    login: ({ address, agent }, { body }) => sessions.login(body.username, body.password, { address, agent }),
    async logout({ viewer }) {
      await sessions.logout(viewer)
      return {}
    },
    renew: ({ viewer, agent }) => sessions.renew(viewer, agent),
    list: ({ viewer }) => users.list(viewer),
    update: async ({ viewer }, { body }) => ({ user: await users.updateProfile(viewer, body) }),
    put: async ({ viewer }, { body }) => ({ user: await users.put(viewer, body.user) }),
    disable: ({ viewer }, { params, body }) => users.disable(viewer, params.id, body.disabled),
    async reset({ viewer }, { params, body }) {
      await users.reset(viewer, params.id, body)
      return {}
    },
    endSessions: ({ viewer }, { params }) => users.endSessions(viewer, params.id),
  }
}
