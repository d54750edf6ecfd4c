/** Accounts and their sessions. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Case is kept but ignored in comparisons: `username_key` is the NFC lower-case form. */
    username: text().notNull(),
    usernameKey: text('username_key').notNull(),
    name: text().notNull(),
    email: text().notNull(),
    /** The language of the pages, such as 'zh-Hans'; '' follows the browser. */
    language: text().notNull().default(''),
    /** argon2id. */
    passwordHash: text('password_hash').notNull(),
    pinHash: text('pin_hash').notNull(),
    globalAdmin: integer('global_admin', { mode: 'boolean' }).notNull().default(false),
    disabled: integer({ mode: 'boolean' }).notNull().default(false),
    /** Wrong PINs in a row, and the time (seconds) until which unlocking is refused. */
    pinFailures: integer('pin_failures').notNull().default(0),
    pinLockedUntil: integer('pin_locked_until').notNull().default(0),
    /** Seconds since the epoch, like all `…At` and `…Until` columns of the schema unless stated otherwise. */
    createdAt: integer('created_at').notNull(),
  },
  t => [uniqueIndex('users_username').on(t.usernameKey)],
)

export const sessions = sqliteTable(
  'sessions',
  {
    /** 128 random bits as hex: the token's `sid`. */
    id: text().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** Set when a renewal has replaced this session: it stays valid until this time, for a second tab. */
    graceUntil: integer('grace_until'),
    /** The CSRF value that a cookie-only request must send to change anything. */
    csrf: text().notNull(),
    /** The value that list calls must carry to include hidden items, and until when it is valid. */
    unlockValue: text('unlock_value'),
    unlockedUntil: integer('unlocked_until').notNull().default(0),
    /** The browser's User-Agent; not shown anywhere yet. */
    agent: text().notNull().default(''),
  },
  t => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
)

/** Addresses from which a user has signed in. Failed logins from other addresses do not lock the user out at these. */
export const signInPlaces = sqliteTable(
  'sign_in_places',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In the format of `addressKey` in core/accounts/client-address.ts. */
    address: text().notNull(),
    lastAt: integer('last_at').notNull(),
  },
  t => [primaryKey({ columns: [t.userId, t.address] })],
)
