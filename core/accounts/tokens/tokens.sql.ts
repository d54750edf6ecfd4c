/** Tokens with their users' names. */
import { tokens } from '../../../schema/tables/screensavers.ts'
import { users } from '../../../schema/tables/users.ts'
import { columns } from '../../kernel/database/columns.ts'
import { select } from '../../kernel/database/statement.ts'

const revoked = {
  ...columns(tokens, 'id', 'name', 'type', 'userId'),
  username: users.username,
}
const withUser = 'FROM tokens JOIN users ON users.id = tokens.user_id'

export const tokenToRevoke = select(revoked, `${withUser} WHERE tokens.id = ?`)
export const tokensToRevoke = select(revoked, `${withUser} WHERE tokens.user_id = ? ORDER BY tokens.id`)

/** Binds 1 for all tokens, or 0 for those of one user; then the user's id. */
export const issuedTokens = select(
  {
    id: tokens.id,
    username: users.username,
    name: tokens.name,
    type: tokens.type,
    created: tokens.createdAt,
    expires: tokens.expiresAt,
    used: tokens.usedAt,
  },
  `${withUser} WHERE ? OR tokens.user_id IS ? ORDER BY tokens.id`,
)
