/** Every file manager action on files, hidden files and folders, by a global admin: locked, unlocked or with a token. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../core/accounts/access.ts'
import { changingActions, type FileAction, readingActions } from '../schema/api/file-manager.ts'
import {
  type FileManagerLibrary,
  type FileResponse,
  itemsParameter,
  openFileManagerLibrary,
} from './support/file-manager-library.ts'
import { buildZip } from './support/zip-maker.ts'

const actions: readonly FileAction[] = [...readingActions, ...changingActions]
/** `token` calls with an API token of the same user, which cannot be unlocked. */
const callers = ['locked', 'token', 'unlocked'] as const
type Caller = (typeof callers)[number]
const subjects = ['file', 'hidden', 'absent', 'folder', 'mixed'] as const
type Subject = (typeof subjects)[number]

/** The names of the subjects in a scene. The names of the hidden and the absent file have the same length. */
const nameOf: Record<Subject, string> = {
  file: 'plain1.jpg',
  hidden: 'secret.jpg',
  absent: 'absent.jpg',
  folder: 'free',
  mixed: 'mixed',
}

let opened: FileManagerLibrary | null = null
let apiToken = ''
const scenes = [...actions, 'names', 'content'].flatMap(name => callers.map(caller => `${name} ${caller}`))

function testLibrary(): FileManagerLibrary {
  if (opened === null) throw new Error('not open')
  return opened
}

let colour = 0
/** A small picture with a colour of its own. */
const bytesOfPicture = () => {
  colour += 1
  const background = { r: colour % 256, g: Math.floor(colour / 256), b: 77 }
  return sharp({ create: { width: 16, height: 16, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/** Locks all sessions, or unlocks them for the caller `unlocked`. */
async function setLock(caller: Caller) {
  const [value, until] = caller === 'unlocked' ? ['value', Math.floor(Date.now() / 1000) + 3600] : [null, 0]
  await testLibrary().library.db.transact(terminalViewer, tx =>
    tx.run('UPDATE sessions SET unlock_value = ?, unlocked_until = ?', value, until),
  )
}

/** Hides the items whose names match, with a keyword, as users do. */
async function hide(matches: (name: string) => boolean) {
  const { library, items } = testLibrary()
  for (const [id, place] of items()) {
    const name = place.slice(place.lastIndexOf('/') + 1)
    if (!matches(name)) continue
    await library.tags.save(terminalViewer, { id, tagName: 'Keywords' }, ['Locked away'], { ifMatch: null })
    const word = library.db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Locked away'")
    await library.keystrings.update(terminalViewer, word?.id ?? 0, { isAssociatedItemsHidden: true, isHidden: true })
  }
}

beforeAll(async () => {
  opened = await openFileManagerLibrary({ limit: '2MB' })
  const { photos, put, scan, library } = opened
  for (const scene of scenes) {
    for (const name of [nameOf.file, nameOf.hidden, 'mixed/deep/secret2.jpg', 'mixed/open.jpg'])
      put(join(photos.root, scene, name), await bytesOfPicture())
    put(join(photos.root, scene, 'secret.jpg.xmp'), '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    put(join(photos.root, scene, 'free/note.txt'), 'note')
  }
  await scan(photos)
  await hide(name => name.startsWith('secret'))
  const user = library.users.byName('ines')
  apiToken = randomBytes(32).toString('base64url')
  await library.db.transact(terminalViewer, tx =>
    tx.run(
      "INSERT INTO tokens (user_id, name, type, hash, created_at) VALUES (?, 'script', 'api', ?, 1)",
      user?.id ?? 0,
      createHash('sha256').update(apiToken).digest('hex'),
    ),
  )
}, 120_000)
afterAll(async () => {
  await opened?.close()
}, 60_000)

async function send(
  caller: Caller,
  query: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer> | null = null,
) {
  await setLock(caller)
  return testLibrary().post(query, body, caller === 'token' ? { authorization: `Bearer ${apiToken}` } : {})
}

async function upload(
  caller: Caller,
  path: string,
  name: string,
  more: Record<string, string> = {},
): Promise<FileResponse> {
  const form = new FormData()
  form.append('file', new File(['uploaded'], name))
  const request = new Request('http://keepsake.test/', { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const body = new Uint8Array(await request.arrayBuffer())
  await setLock(caller)
  return testLibrary().post({ q: 'upload', path, name, ...more }, body, {
    ...headers,
    ...(caller === 'token' ? { authorization: `Bearer ${apiToken}` } : {}),
  })
}

/** Performs the action on one entry of a scene. */
function performAction(caller: Caller, q: FileAction, folder: string, name: string): Promise<FileResponse> {
  const path = `${folder}/${name}`
  switch (q) {
    case 'index':
    case 'subfolders':
    case 'preview':
    case 'download':
      return send(caller, { q, path })
    case 'search':
      return send(caller, { q, path, filter: 'secret' })
    case 'newfolder':
      return send(caller, { q, path, name: 'new' })
    case 'newfile':
      return send(caller, { q, path, name: 'new.txt' })
    case 'save':
      return send(caller, { q, path, content: 'saved' })
    case 'rename':
      return send(caller, { q, path: folder, item: path, name: `renamed ${name}` })
    case 'move':
      return send(caller, {
        q,
        path: folder,
        items: itemsParameter(path),
        item: `/Photos/${folder.slice('/Photos/'.length)}/target`,
      })
    case 'delete':
      return send(caller, { q, path: folder, items: itemsParameter(path) })
    case 'archive':
      return send(caller, { q, path: folder, items: itemsParameter(path), name: `packed ${name}` })
    case 'unarchive':
      return send(caller, { q, path: folder, item: path })
    case 'upload':
      return upload(caller, path, 'uploaded.txt')
  }
}

const actionsOnWholeFolders = new Set<FileAction>(['rename', 'move', 'delete', 'archive', 'download'])
const refusal = 'Unlock hidden items first'

describe('the file manager', () => {
  for (const q of actions) {
    test(`'${q}' treats a hidden file as absent${actionsOnWholeFolders.has(q) ? ', and its folder as locked' : ''}`, async () => {
      const { photos, put, tree } = testLibrary()
      for (const caller of callers) {
        const scene = `${q} ${caller}`
        const folder = `/Photos/${scene}`
        put(join(photos.root, scene, 'target/.keep'), '')
        const before = tree(join(photos.root, scene))
        const hidden = await performAction(caller, q, folder, nameOf.hidden)
        const absent = await performAction(caller, q, folder, nameOf.absent)
        const isLocked = caller !== 'unlocked'
        if (isLocked) {
          // The responses differ only in the name.
          expect({ caller, status: hidden.status, text: hidden.text }).toEqual({
            caller,
            status: absent.status,
            text: absent.text.replaceAll('absent', 'secret'),
          })
          expect(hidden.status).toBe(404)
          expect(tree(join(photos.root, scene))).toEqual(before)
        } else expect({ caller, q, status: hidden.status }).not.toMatchObject({ status: 404 })
        const mixed = await performAction(caller, q, folder, nameOf.mixed)
        if (isLocked && actionsOnWholeFolders.has(q)) {
          expect({ status: mixed.status, message: mixed.json.message }).toEqual({ status: 409, message: refusal })
          expect(tree(join(photos.root, scene))).toEqual(before)
        } else expect(mixed.text).not.toContain(refusal)
        if (isLocked && !actionsOnWholeFolders.has(q)) expect(mixed.text).not.toContain('secret2')
        for (const subject of ['folder', 'file'] as const) {
          const response = await performAction(caller, q, folder, nameOf[subject])
          expect(response.text).not.toContain(refusal)
          expect({ caller, subject, status: response.status }).not.toMatchObject({ status: 404 })
        }
      }
    }, 60_000)
  }

  test('refuses to write over a hidden file, with another message than for a visible one', async () => {
    const { photos, put, tree } = testLibrary()
    for (const caller of ['locked', 'token'] as const) {
      const scene = `names ${caller}`
      const folder = `/Photos/${scene}`
      put(join(photos.root, scene, 'free/secret.jpg'), 'another')
      put(join(photos.root, scene, 'a.zip'), buildZip([{ name: 'secret.jpg', data: 'packed' }]))
      const before = tree(join(photos.root, scene))
      const requests = [
        send(caller, { q: 'newfile', path: folder, name: 'secret.jpg' }),
        send(caller, { q: 'newfolder', path: folder, name: 'secret.jpg' }),
        send(caller, { q: 'rename', path: folder, item: `${folder}/plain1.jpg`, name: 'secret.jpg' }),
        upload(caller, folder, 'secret.jpg'),
        upload(caller, folder, 'secret.jpg', { overwrite: '1' }),
        send(caller, { q: 'move', path: folder, items: itemsParameter(`${folder}/free/secret.jpg`), item: folder }),
        send(caller, { q: 'unarchive', path: folder, item: `${folder}/a.zip` }),
        send(caller, { q: 'newfile', path: folder, name: 'secret.jpg.xmp' }),
      ]
      for (const [n, response] of (await Promise.all(requests)).entries())
        expect({ n, status: response.status, message: response.json.message }).toEqual({
          n,
          status: 409,
          message: refusal,
        })
      expect(tree(join(photos.root, scene))).toEqual(before)
      const taken = await send(caller, { q: 'newfile', path: folder, name: 'plain1.jpg' })
      expect(taken.json.message).toBe(`There is already something named ${folder}/plain1.jpg. Choose another name.`)
    }
  })

  test('lists, finds and previews hidden files, in every size, for an unlocked session only', async () => {
    for (const caller of callers) {
      const folder = `/Photos/content ${caller}`
      const names = (await send(caller, { q: 'index', path: folder })).json.files?.map(({ basename }) => basename)
      const hidden = ['secret.jpg', 'secret.jpg.xmp']
      expect(names?.sort()).toEqual(['free', 'mixed', 'plain1.jpg', ...(caller === 'unlocked' ? hidden : [])].sort())
      const found = (await send(caller, { q: 'search', path: folder, filter: 'secret' })).json.files ?? []
      expect(found.length > 0).toBe(caller === 'unlocked')
      for (const size of ['tiny', 'small', 'medium', 'large'])
        expect((await send(caller, { q: 'preview', path: `${folder}/secret.jpg`, size })).status).toBe(
          caller === 'unlocked' ? 200 : 404,
        )
    }
  })
})

describe('a hidden item', () => {
  test('hides a new sidecar and the edited version of its file, and its file even when it is recycled', async () => {
    const { others, files, put, scan, library, items } = testLibrary()
    const variants = join(files, 'Edited')
    put(join(others.root, 'day/away.jpg'), await bytesOfPicture())
    put(join(others.root, 'day/stays.jpg'), await bytesOfPicture())
    put(join(others.root, 'day/gone.jpg'), await bytesOfPicture())
    put(join(variants, 'day/away.png'), await bytesOfPicture())
    put(join(variants, 'day/stays.png'), await bytesOfPicture())
    await scan(others)
    await library.db.transact(terminalViewer, tx =>
      tx.run('UPDATE collections SET path_variant = ? WHERE id = ?', variants, others.id),
    )
    await hide(name => name === 'away.jpg' || name === 'gone.jpg')
    for (const name of ['away.jpg.xmp', 'away.xmp', 'stays.xmp', 'away.jpg.supplemental-metadata.json', 'away.txt'])
      put(join(others.root, 'day', name), 'new')
    const gone = [...items()].find(([, place]) => place === 'Others: day/gone.jpg')?.[0]
    await library.db.transact(terminalViewer, tx => tx.run('UPDATE items SET deleted = 1 WHERE id = ?', gone ?? 0))
    const listed = async (caller: Caller, path: string) =>
      (await send(caller, { q: 'index', path })).json.files?.map(({ basename }) => basename).sort()
    expect(await listed('locked', '/Others/day')).toEqual(['away.txt', 'stays.jpg', 'stays.xmp'])
    expect(await listed('locked', '/Files/Edited/day')).toEqual(['stays.png'])
    expect(await listed('unlocked', '/Files/Edited/day')).toEqual(['away.png', 'stays.png'])
    for (const path of ['/Others/day/away.jpg.xmp', '/Others/day/away.xmp', '/Files/Edited/day/away.png'])
      expect((await send('locked', { q: 'download', path })).status).toBe(404)
    expect((await send('locked', { q: 'download', path: '/Files/Edited' })).status).toBe(409)
    expect(
      (await send('locked', { q: 'delete', path: '/Files', items: itemsParameter('/Files/Edited/day') })).status,
    ).toBe(409)
    expect(existsSync(join(variants, 'day/away.png'))).toBe(true)
    // The name of a missing file stays hidden too: the file may be back before the next scan.
    await library.db.transact(terminalViewer, tx => {
      tx.run("DELETE FROM files WHERE name_bytes = CAST('away.jpg' AS BLOB)")
      tx.run("UPDATE items SET missing = 1 WHERE name = 'away.jpg'")
    })
    expect(await listed('locked', '/Others/day')).toEqual(['away.txt', 'stays.jpg', 'stays.xmp'])
    expect((await send('locked', { q: 'preview', path: '/Others/day/away.jpg' })).status).toBe(404)
  })

  test('is hidden as soon as its keystring hides items, before the items themselves are marked', async () => {
    const { others, put, scan, library, items } = testLibrary()
    put(join(others.root, 'soon/soon.jpg'), await bytesOfPicture())
    await scan(others)
    const id = [...items()].find(([, place]) => place === 'Others: soon/soon.jpg')?.[0] ?? 0
    await library.tags.save(terminalViewer, { id, tagName: 'Keywords' }, ['Soon'], { ifMatch: null })
    await library.db.transact(terminalViewer, tx =>
      tx.run("INSERT INTO pending_hide SELECT id FROM keystrings WHERE content = 'Soon'"),
    )
    const status = async () => (await send('locked', { q: 'preview', path: '/Others/soon/soon.jpg' })).status
    expect(await status()).toBe(404)
    expect((await send('locked', { q: 'download', path: '/Others/soon' })).status).toBe(409)
    await library.db.transact(terminalViewer, tx =>
      tx.run("DELETE FROM pending_hide WHERE keystring_id IN (SELECT id FROM keystrings WHERE content = 'Soon')"),
    )
    expect(await status()).toBe(200)
  })
})
