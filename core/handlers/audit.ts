/** The call that reads the audit log. */
import { demandGlobalAdmin } from '../accounts/access.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function auditHandlers({ audit, auditNotes }: Core): GroupHandlers<'audit'> {
  return {
    async list({ viewer }, { query }) {
      demandGlobalAdmin(viewer)
      // What this server has noted within the last second.
      await auditNotes.write()
      return audit.list(viewer, query)
    },
  }
}
