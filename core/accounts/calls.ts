/** Calls about accounts, sessions, access groups, tokens and the audit log. */
import type { Calls } from '../../schema/api/calls.ts'
import type { InputOf, OutputOf } from '../../schema/api/contract.ts'
import { Failure } from '../../schema/errors.ts'
import type { Settings } from '../../schema/settings.ts'
import type { Secrets } from '../kernel/data/secrets.ts'
import { equalTexts } from '../kernel/equal-texts.ts'
import { requireGlobalAdmin, type Viewer } from './access.ts'
import type { Audit } from './audit/audit.ts'
import type { AuditNotes } from './audit/audit-notes.ts'
import { type CallHandlers, done } from './caller.ts'
import type { Groups } from './groups/groups.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens/tokens.ts'
import { userJson } from './user-rows.ts'
import type { Users } from './users.ts'

interface UserParts {
  users: Users
  sessions: Sessions
  settings: Pick<Settings, 'registration'>
  secrets: Pick<Secrets, 'setup'>
}

export function userCalls({ users, sessions, settings, secrets }: UserParts): CallHandlers<'users'> {
  return {
    async register({ viewer, address }, { body }) {
      const { setup, ...registration } = body
      const isFirst = !users.hasAny()
      if (isFirst) {
        // A key is required, so that the first visitor of a fresh server cannot become its administrator. An address
        // proves nothing: behind a proxy that sends no headers, everybody seems to come from this machine.
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
    logout: ({ viewer }) => done(sessions.logout(viewer)),
    renew: ({ viewer, agent }) => sessions.renew(viewer, agent),
    list: ({ viewer }) => users.list(viewer),
    update: async ({ viewer }, { body }) => ({ user: await users.updateProfile(viewer, body) }),
    put: async ({ viewer }, { body }) => ({ user: await users.put(viewer, body.user) }),
    disable: ({ viewer }, { params, body }) => users.disable(viewer, params.id, body.disabled),
    reset: ({ viewer }, { params, body }) => done(users.reset(viewer, params.id, body)),
    endSessions: ({ viewer }, { params }) => users.endSessions(viewer, params.id),
  }
}

interface AccessParts {
  groups: Groups
  /** Explains why a user sees something (core/items/access-explained.ts). */
  accessExplained: {
    explain(viewer: Viewer, query: InputOf<Calls['access']['explain']>['query']): OutputOf<Calls['access']['explain']>
    matrix(viewer: Viewer): OutputOf<Calls['access']['matrix']>
  }
}

export function accessCalls({ groups, accessExplained }: AccessParts): CallHandlers<'access'> {
  return {
    explain: ({ viewer }, { query }) => accessExplained.explain(viewer, query),
    matrix: ({ viewer }) => accessExplained.matrix(viewer),
    loose: async ({ viewer }) => groups.loose(viewer),
    create: ({ viewer }, { body }) => groups.create(viewer, body.group),
    update: ({ viewer }, { params, body }) => groups.update(viewer, params.id, body.group),
    members: ({ viewer }, { params }) => groups.members(viewer, params.accessId),
    addMember: ({ viewer }, { params }) => groups.addMember(viewer, params),
    removeMember: ({ viewer }, { params }) => groups.removeMember(viewer, params),
    attach: ({ viewer }, { params, body }) => done(groups.attach(viewer, { ...params, ...body })),
    detach: ({ viewer }, { params }) => done(groups.detach(viewer, params)),
  }
}

export function tokenCalls({ tokens }: { tokens: Tokens }): CallHandlers<'tokens'> {
  return {
    issued: ({ viewer }) => tokens.listIssued(viewer),
    revoke: ({ viewer }, { params }) => done(tokens.revoke(viewer, params.id)),
    list: ({ viewer }) => tokens.list(viewer),
    create: ({ viewer }, { body }) => tokens.create(viewer, body),
    save: ({ viewer }, { params, body }) => tokens.save(viewer, params.id, body.token),
    remove: ({ viewer }, { params }) => done(tokens.remove(viewer, params.id)),
  }
}

export function auditCalls({ audit, auditNotes }: { audit: Audit; auditNotes: AuditNotes }): CallHandlers<'audit'> {
  return {
    async list({ viewer }, { query }) {
      requireGlobalAdmin(viewer)
      // Includes entries of the last second.
      await auditNotes.write()
      return audit.list(viewer, query)
    },
  }
}
