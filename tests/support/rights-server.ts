/** A library with every kind of caller and collection, for the test that makes every call as every caller. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { terminalViewer, type Viewer } from '../../core/accounts/access.ts'
import { createSeal } from '../../core/kernel/data/sealed.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import type { AlbumRole } from '../../schema/api/albums.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { createBuilders } from './library.ts'
import { temporaryDirectory } from './temporary.ts'

/** Callers with the same rights on every collection that `collection` creates. */
const plainCallers = ['outsider', 'viewer', 'creator', 'updater', 'manager', 'admin'] as const

/**
 * Callers who administer `elsewhere` only. They administered the other collections too, until `formerMember` was removed
 * from the group and the group of `formerGroup` was detached.
 */
const formerCallers = ['formerMember', 'formerGroup'] as const
/** Devices and scripts whose tokens ended when an administrator reset the account's password or ended its sessions. */
const recoveredCallers = ['resetDevice', 'resetScript', 'endedDevice', 'endedScript'] as const

export const callerKinds = [
  'anonymous',
  ...plainCallers,
  'unlocked',
  'unlockedUpdater',
  'foreignValue',
  'expired',
  'forged',
  'loggedOut',
  'device',
  'share',
  'apiUpdater',
  ...formerCallers,
  ...recoveredCallers,
] as const
export type CallerKind = (typeof callerKinds)[number]

/** The caller's rights on every collection that `collection` creates; a device and invalid tokens have none. */
export const rightsOfCaller: Record<CallerKind, readonly string[]> = {
  anonymous: [],
  outsider: [],
  viewer: ['view'],
  creator: ['view', 'create'],
  updater: ['view', 'update'],
  manager: ['view', 'create', 'update', 'admin'],
  admin: ['view', 'create', 'update', 'admin'],
  unlocked: ['view'],
  unlockedUpdater: ['view', 'update'],
  foreignValue: ['view'],
  expired: [],
  forged: [],
  loggedOut: [],
  device: [],
  // This caller uses the name of a share as a token.
  share: [],
  apiUpdater: ['view', 'update'],
  formerMember: [],
  formerGroup: [],
  resetDevice: [],
  resetScript: [],
  endedDevice: [],
  endedScript: [],
}

const unauthenticatedCallers: readonly CallerKind[] = [
  'anonymous',
  'expired',
  'forged',
  'loggedOut',
  'device',
  'share',
  ...recoveredCallers,
]
/** Whether the caller administers the collection `elsewhere`. */
export const administersElsewhere = (kind: CallerKind) => formerCallers.some(one => one === kind)
export const isUnauthenticated = (kind: CallerKind) => unauthenticatedCallers.includes(kind)
export const isUnlocked = (kind: CallerKind) => kind === 'unlocked' || kind === 'unlockedUpdater'

export const collectionKinds = ['private', 'public', 'readonly', 'managed'] as const
export type CollectionKind = (typeof collectionKinds)[number]
export const itemStates = ['live', 'hidden', 'recycled', 'missing', 'absent'] as const
export type ItemState = (typeof itemStates)[number]

export const groupKinds = ['own', 'foreign', 'leftBehind', 'usedElsewhere', 'absent'] as const
/** Groups by which a caller could try to get access to a collection; all but `usedElsewhere` are loose. */
export type GroupKind = (typeof groupKinds)[number]

/**
 * The roles of callers in albums that `owner` made. Rights on collections, and being a global admin, give none.
 * `formerMember` was a member and is no longer.
 */
export const albumRoleOfCaller: Partial<Record<CallerKind, AlbumRole>> = {
  viewer: 'view',
  unlocked: 'view',
  creator: 'add',
  updater: 'add',
  apiUpdater: 'add',
  outsider: 'manage',
}
export const albumKinds = ['hand', 'search', 'folder', 'public', 'orphan', 'deleted', 'absent'] as const
/** `folder` has an album by hand in it. `orphan`: its owner is deleted, and no member manages it. */
export type AlbumKind = (typeof albumKinds)[number]

export type RightsServer = Awaited<ReturnType<typeof openRightsServer>>

/** Opens the library; the caller must call `close`. */
export async function openRightsServer() {
  const directory = temporaryDirectory()
  const library: Library = openLibrary({
    role: 'worker',
    data: join(directory, 'data'),
    create: true,
    environment: {},
    stderrLevel: 'none',
  })
  const { db } = library
  const make = createBuilders(db)
  const users = new Map<string, number>()
  const plain = [...plainCallers, 'unlocked', 'unlockedUpdater', 'foreignValue', 'expired', 'gone', 'owner']
  for (const username of [...plain, ...formerCallers, 'reset', 'ended']) {
    const user = await library.users.create(terminalViewer, {
      username,
      name: username,
      email: 'a@b',
      password: 'secret',
      unlockPin: '1234',
      globalAdmin: username === 'admin',
    })
    users.set(username, user.id)
  }
  const idOf = (name: string) => users.get(name) ?? 0
  const updaters = ['updater', 'unlockedUpdater', 'reset', 'ended'].map(idOf)
  const viewers = ['viewer', 'unlocked', 'foreignValue', 'expired', 'gone', 'owner'].map(idOf)

  /** A collection of a kind, with a group for each right. */
  async function collection(kind: CollectionKind): Promise<number> {
    const path = join(directory, `pictures-${randomBytes(4).toString('hex')}`)
    mkdirSync(path)
    const id = await make.collection({
      path,
      public: kind === 'public',
      viewers,
      updaters,
      admins: [idOf('manager')],
    })
    await db.transact(terminalViewer, tx => {
      const group = tx.run('INSERT INTO access_groups (name, "create") VALUES (\'creators\', 1)').lastInsertRowid
      tx.run('INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 9)', id, group)
      tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, idOf('creator'))
      tx.run(
        "UPDATE collections SET readonly = ?, managed = ?, folder_format = ?, file_format = 'p-' WHERE id = ?",
        kind === 'readonly' ? 1 : 0,
        kind === 'managed' ? 1 : 0,
        kind === 'managed' ? '{Year}' : '',
        id,
      )
    })
    await revokeFormer(id)
    return id
  }

  /** The collection that the former callers still administer. */
  const elsewhere = await make.collection({ admins: formerCallers.map(idOf) })

  /** Makes the former callers administrators of a collection, and takes that back in two different ways. */
  async function revokeFormer(collectionId: number) {
    for (const username of formerCallers) {
      const { id: accessId } = await library.groups.create(terminalViewer, { name: username, admin: true })
      await library.groups.attach(terminalViewer, { collectionId, accessId })
      await library.groups.addMember(terminalViewer, { accessId, username })
      if (username === 'formerMember') await library.groups.removeMember(terminalViewer, { accessId, username })
      else await library.groups.detach(terminalViewer, { collectionId, accessId })
    }
  }

  await make.keystring('Secret', { hidesItems: true })

  /** Creates an item in a state; returns its id, or an unused one for `absent`. */
  async function item(collectionId: number, state: ItemState): Promise<number> {
    if (state === 'absent') return 987_654_321
    const id = await make.item({
      collection: collectionId,
      content: randomBytes(8).toString('hex'),
      ...(state === 'hidden' ? { keywords: ['Secret'] } : {}),
    })
    const now = Math.floor(Date.now() / 1000)
    await db.transact(terminalViewer, tx => {
      if (state === 'recycled') tx.run('UPDATE items SET deleted = ? WHERE id = ?', now, id)
      if (state === 'missing') tx.run('UPDATE items SET missing = ? WHERE id = ?', now, id)
    })
    return id
  }

  const tokens = new Map<CallerKind, string>()
  const sessionOf = async (username: string) => {
    const row = library.users.byName(username)
    if (row === null) throw new Error(`nobody is called ${username}`)
    return library.sessions.open(row, 'test')
  }
  for (const kind of [...plainCallers, ...formerCallers, 'unlocked', 'unlockedUpdater', 'foreignValue'] as const) {
    tokens.set(kind, (await sessionOf(kind)).token)
  }
  tokens.set('loggedOut', (await sessionOf('gone')).token)
  tokens.set('expired', (await sessionOf('expired')).token)
  await db.transact(terminalViewer, tx => {
    tx.run('DELETE FROM sessions WHERE user_id = ?', idOf('gone'))
    tx.run('UPDATE sessions SET expires_at = 1 WHERE user_id = ?', idOf('expired'))
  })
  const forged = new SignJWT({ sid: '0'.repeat(32), typ: 'session', globaladmin: true })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(idOf('admin')))
    .setIssuedAt()
    .setExpirationTime('1h')
  tokens.set('forged', await forged.sign(createHash('sha256').update('guess').digest()))

  /** The callers' values of `includeHidden`. */
  const values = new Map<CallerKind, string>()
  const soon = Math.floor(Date.now() / 1000) + 3600
  for (const kind of ['unlocked', 'unlockedUpdater'] as const) {
    const value = randomBytes(16).toString('hex')
    values.set(kind, value)
    await db.transact(terminalViewer, tx => {
      tx.run('UPDATE sessions SET unlock_value = ?, unlocked_until = ? WHERE user_id = ?', value, soon, idOf(kind))
    })
  }
  values.set('foreignValue', values.get('unlocked') ?? '')

  const device = randomBytes(16).toString('base64url')
  const script = randomBytes(32).toString('base64url')
  await db.transact(terminalViewer, tx => {
    const hash = (value: string) => createHash('sha256').update(value).digest('hex')
    const issue = (user: number, type: string, value: string) =>
      tx.run(
        'INSERT INTO tokens (user_id, name, type, hash, created_at) VALUES (?, ?, ?, ?, 1)',
        user,
        type,
        type,
        hash(value),
      )
    issue(idOf('owner'), 'ScreenSaver', device)
    issue(idOf('updater'), 'api', script)
    for (const kind of recoveredCallers) {
      const value = randomBytes(32).toString('base64url')
      issue(idOf(kind.startsWith('reset') ? 'reset' : 'ended'), kind.endsWith('Device') ? 'ScreenSaver' : 'api', value)
      tokens.set(kind, value)
    }
  })
  tokens.set('device', device)
  tokens.set('apiUpdater', script)
  // The users `reset` and `ended` keep the rights of `updater`, but their sessions and tokens end here.
  await library.users.reset(terminalViewer, idOf('reset'), { password: 'brand new' })
  await library.users.endSessions(terminalViewer, idOf('ended'))

  /** Creates a share, as a user who can see the item would; returns its name. */
  async function share(itemId: number, maker = idOf('viewer')): Promise<string> {
    const name = randomBytes(16).toString('base64url')
    const seal = createSeal(library.secrets.sealKey, 'shares')
    await db.transact(terminalViewer, tx =>
      tx.run(
        'INSERT INTO shares (lookup, sealed_name, item_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, 1, ?)',
        seal.lookupOf(name),
        seal.seal(name),
        itemId,
        maker,
        soon,
      ),
    )
    return name
  }
  /** Creates a link of a user to these items that never ends, without asking for the user's rights. */
  async function link(maker: number, itemIds: readonly number[], password: string | null = null) {
    const name = randomBytes(16).toString('base64url')
    const seal = createSeal(library.secrets.sealKey, 'shares')
    const passwordHash = password === null ? null : await Bun.password.hash(password)
    const id = await db.transact(terminalViewer, tx => {
      const made = tx.run(
        "INSERT INTO links (lookup, sealed_name, kind, user_id, created_at, originals, password_hash) VALUES (?, ?, 'items', ?, 1, 1, ?)",
        seal.lookupOf(name),
        seal.seal(name),
        maker,
        passwordHash,
      ).lastInsertRowid
      for (const [position, itemId] of itemIds.entries())
        tx.run('INSERT INTO link_items (link_id, item_id, position) VALUES (?, ?, ?)', made, itemId, position)
      return made
    })
    return { id, name }
  }
  // The shared item is in a collection on which only the user `owner` has a right.
  tokens.set(
    'share',
    await share(await make.item({ collection: await make.collection({ viewers: [idOf('owner')] }) }), idOf('owner')),
  )

  /** Creates a group of a kind for a caller. The caller is still a member of the group `leftBehind`. */
  async function group(kind: GroupKind, caller: CallerKind): Promise<number> {
    if (kind === 'absent') return 987_654_321
    const stranger = caller === 'manager' ? 'formerMember' : 'manager'
    const maker = kind === 'foreign' ? stranger : caller
    const { id: accessId } = await library.groups.create(terminalViewer, { name: kind, view: true, update: true })
    if (kind === 'own' || kind === 'foreign') {
      // Sets the owner directly, as the caller may not be allowed to create groups.
      await db.transact(terminalViewer, tx =>
        tx.run('UPDATE access_groups SET owner_id = ? WHERE id = ?', users.get(maker) ?? null, accessId),
      )
    } else if (kind === 'usedElsewhere') {
      await library.groups.attach(terminalViewer, { collectionId: await make.collection(), accessId })
    } else {
      const collectionId = await make.collection()
      await library.groups.attach(terminalViewer, { collectionId, accessId })
      if (users.has(caller)) await library.groups.addMember(terminalViewer, { accessId, username: caller })
      await library.groups.detach(terminalViewer, { collectionId, accessId })
    }
    return accessId
  }

  /** Creates an album of `owner` with the members of `albumRoleOfCaller`; returns its id, or an unused one for `absent`. */
  async function album(kind: AlbumKind): Promise<number> {
    if (kind === 'absent') return 987_654_321
    const { albums } = library
    const owner: Viewer = { ...terminalViewer, kind: 'user', globalAdmin: false, userId: idOf('owner') }
    const folder = kind === 'folder' ? (await albums.create(owner, { kind, name: kind })).id : null
    const query = kind === 'search' ? { q: 'rating:5' } : undefined
    const { id } = await albums.create(owner, { kind: query ? 'search' : 'hand', name: kind, query, parent: folder })
    const members = Object.entries(albumRoleOfCaller).filter(([name]) => users.has(name))
    for (const [username, role] of [...members, ['formerMember', 'manage'] as const])
      if (kind !== 'orphan' || role !== 'manage') await albums.setMember(owner, id, { username, role })
    if (kind !== 'orphan') await albums.setMember(owner, id, { username: 'formerMember', role: null })
    // An album that visitors see has an item that they see.
    if (kind === 'public')
      await albums.setItems(terminalViewer, id, { add: [await item(await collection('public'), 'live')] })
    if (kind === 'deleted') await albums.remove(owner, id)
    if (kind === 'public' || kind === 'orphan')
      await db.transact(terminalViewer, tx =>
        tx.run(`UPDATE albums SET ${kind === 'public' ? 'is_public = 1' : 'owner_id = NULL'} WHERE id = ?`, id),
      )
    return folder ?? id
  }

  const media = createMediaOnDemand(library)
  const app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)

  /** Sends a request as a caller; `text` is the exact body. */
  async function sendText(kind: CallerKind, method: string, url: string, text: string | null): Promise<Response> {
    const token = tokens.get(kind)
    const headers: Record<string, string> = { host: 'keepsake.test' }
    if (text !== null) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = String(Buffer.byteLength(text))
    }
    if (token === undefined) {
      headers.origin = 'http://keepsake.test'
      headers['sec-fetch-site'] = 'same-origin'
    } else headers.authorization = `Bearer ${token}`
    return app.request(`http://keepsake.test${url}`, { method, headers, ...(text === null ? {} : { body: text }) })
  }

  return {
    library,
    app,
    make,
    collection,
    item,
    share,
    link,
    group,
    album,
    elsewhere,
    idOf,
    values,
    send: (kind: CallerKind, method: string, url: string, body: unknown): Promise<Response> =>
      sendText(kind, method, url, method === 'GET' || body === undefined ? null : JSON.stringify(body)),
    sendText,
    async close() {
      await media.close()
      library.close()
    },
  }
}
