/** Rows of tokens, shared by devices and scripts. */
import { createHash } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import { Failure, sentence } from '../../../schema/errors.ts'
import { tokens } from '../../../schema/tables/screensavers.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { findBy } from '../../kernel/database/find-by.ts'
import type { Viewer } from '../access.ts'
import type { RightsTable } from '../rights.ts'

export type TokenRow = typeof tokens.$inferSelect

export interface TokenStore {
  db: LibraryDatabase
  clock: Clock
  rights: RightsTable
  /** Key that signs the cookies of devices. */
  key: Buffer
}

/** Maximum number of tokens per user. */
const maxTokens = 100

export const tokenByHash = findBy(tokens, tokens.hash)

export function tokenHashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

/** Refuses callers with a token: a stolen token could otherwise create another one unnoticed. */
export function requireNoToken(viewer: Viewer) {
  if (viewer.kind === 'user' && viewer.sessionId === null) {
    throw new Failure('denied', 'A token cannot issue tokens. Sign in with the password.')
  }
}

export function isOver({ clock }: TokenStore, token: TokenRow): boolean {
  return token.expiresAt !== null && token.expiresAt <= seconds(clock)
}

/** Adds a token. Throws `conflict` if it exists already or its user has too many. */
export function insertToken(
  { clock }: TokenStore,
  tx: Transaction,
  token: Omit<typeof tokens.$inferInsert, 'createdAt'>,
): TokenRow {
  if (tokenByHash(tx, token.hash) !== undefined) {
    throw new Failure('conflict', 'This token is already registered.', { field: 'value' })
  }
  const ofUser = tx.orm.select({ n: count() }).from(tokens).where(eq(tokens.userId, token.userId)).get()
  if ((ofUser?.n ?? 0) >= maxTokens) {
    throw new Failure('conflict', sentence`An account has at most ${maxTokens} tokens. Remove one first.`)
  }
  return tx.orm
    .insert(tokens)
    .values({ ...token, createdAt: seconds(clock) })
    .returning()
    .get()
}
