/** `keepsake album`: albums by hand and by search, from a shell, on this machine and with --server. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CommandResult } from '../support/command.ts'
import { type RunningServer, startServer } from '../support/server-process.ts'
import { openFullShellWorkspace, openShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
let server: RunningServer | null = null
const ids: Record<string, number> = {}
const keepsake = (line: string): Promise<CommandResult> => workspace.sh(`keepsake ${line}`)
const id = (name: string) => ids[name] ?? 0
const itemsIn = (ran: CommandResult) => ran.objects.filter(({ type }) => type === 'item').map(one => one.id)
const albumIn = (ran: CommandResult) => ran.objects.find(({ type }) => type === 'album')

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await keepsake('scan ~/Pictures --quiet')
  for (const user of ['ines', 'ben']) await workspace.sh(`echo secret | keepsake user create ${user}`)
  await keepsake('access create Readers --view && keepsake access attach Readers Pictures')
  for (const user of ['ines', 'ben']) await keepsake(`access add Readers ${user}`)
  for (const { id, name } of (await keepsake('item list --json')).objects) ids[String(name)] = Number(id)
}, 60_000)
afterAll(() => server?.stop())

test('an album by hand gets items, an order, a folder and a name, and every change can be undone', async () => {
  expect(albumIn(await keepsake('album create Summer --json'))).toMatchObject({ kind: 'hand', name: 'Summer' })
  expect(await keepsake('album create Journeys --new-folder')).toMatchObject({ code: 0 })
  const added = await keepsake('album add summer --query year:2019')
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining("2 items added to 'Summer'.\nUndo: keepsake") })
  // From standard input, in this order; an item that is in the album keeps its place.
  const again = await workspace.sh(`echo '${id('hills.jpg')}\n${id('sea.jpg')}' | keepsake album add Summer - --json`)
  expect(again.objects).toMatchObject([{ items: 1, unchanged: 1 }])
  const byHand = [id('sea.jpg'), id('beach.jpg'), id('hills.jpg')]
  expect(itemsIn(await keepsake('album show Summer --json'))).toEqual([byHand[1], byHand[0], byHand[2]])
  const set = await keepsake(`album set Summer --sort hand --folder Journeys --cover ${byHand[0]} --name 'At the sea'`)
  expect(set).toMatchObject({ code: 0, err: "The album 'Summer' is called 'At the sea' now.\n" })
  const shown = await keepsake("album show 'at the sea' --json")
  expect(itemsIn(shown)).toEqual(byHand)
  expect(albumIn(shown)).toMatchObject({ sort: 'hand', items: 3, cover: { id: byHand[0] } })
  const listed = (await keepsake('album list')).out.split('\n')
  expect(listed[0]).toMatch(/^ID +KIND +ITEMS +OWNER +STATE +NAME$/)
  expect(listed[2]).toMatch(/by hand +3 +Journeys \/ At the sea$/)

  expect((await keepsake('album remove "At the sea" --query file:sea')).err).toContain(
    "1 item removed from 'At the sea'",
  )
  expect(itemsIn(await keepsake('album show "At the sea" --json'))).toEqual(byHand.slice(1))
  await keepsake('history undo last')
  expect(itemsIn(await keepsake('item list \'album:"At the sea"\' --sort taken --json'))).toHaveLength(3)
  const deleted = await keepsake('album delete "At the sea"')
  expect(deleted.err).toStartWith("The album 'At the sea' is deleted; its items stay.\nUndo: keepsake history undo ")
  expect((await keepsake('item list --json')).objects.at(-1)).toMatchObject({ items: 3 })
  await workspace.sh(deleted.err.split('Undo: ')[1] ?? '')
  expect(itemsIn(await keepsake('album show "At the sea" --json'))).toEqual(byHand)
  const noFolder = { KEEPSAKE_ALBUM_SET_NO_FOLDER: '1' }
  const moved = await workspace.sh('keepsake album set "At the sea" --no-cover --json', noFolder)
  expect(albumIn(moved)).toMatchObject({ parent: null, cover: { id: byHand[0] } })
}, 60_000)

test('an album by a search belongs to a user, who lets others view it', async () => {
  const created = await keepsake("album create Old --query 'year:2019' --user ines --json")
  expect(albumIn(created)).toMatchObject({ kind: 'search', owner: { username: 'ines' }, query: { q: 'year:2019' } })
  expect(await keepsake('album show Old --user ben')).toMatchObject({
    code: 4,
    err: "keepsake: There is no album 'Old'. See: keepsake album list\n",
  })
  const member = await keepsake('album member Old ben view --user ines')
  expect(member).toMatchObject({ code: 0, err: "'ben' is a member of 'Old' now: view.\n" })
  expect(itemsIn(await keepsake('album show Old --user ben --json'))).toHaveLength(2)
  expect(await keepsake('album set Old --name Mine --user ben')).toMatchObject({ code: 5 })
  expect(await keepsake(`album add Old ${id('hills.jpg')}`)).toMatchObject({
    code: 1,
    err: "keepsake: The items of 'Old' come from a search.\n",
  })
  await keepsake('album set Old --query year:2021 --private true')
  const shown = await keepsake('album show Old')
  expect(shown.out).toMatch(/query +year:2021\n/)
  expect(shown.out).toMatch(/state +private\n/)
  expect(shown.out).toMatch(/member +ben \(view\)\n/)
  expect(shown.out).toContain('hills.jpg')
  expect((await keepsake('album member Old ben none')).err).toBe("'ben' is no longer a member of 'Old'.\n")
  expect((await keepsake('album list --user ben --json')).objects.at(-1)).toMatchObject({ albums: 0 })
}, 60_000)

test('a dry run says what would change, fails as the command would, and changes nothing', async () => {
  await keepsake('album create Quiet --quiet')
  const before = (await keepsake('album list --json')).out
  for (const [line, says] of [
    ['create New', "The album 'New' would be created."],
    ['add Quiet --query year:2019', "2 items would be added to 'Quiet'."],
    [`remove Quiet ${id('sea.jpg')}`, "1 item would be removed from 'Quiet'."],
    ['set Quiet --name Loud', "The album 'Quiet' would be changed."],
    ['member Quiet ines add', "'ines' would be a member of 'Quiet': add."],
    ['delete Quiet', "The album 'Quiet' would be deleted; its items stay."],
  ] as const) {
    const ran = await keepsake(`album ${line} --dry-run`)
    expect({ line, ...ran }).toMatchObject({ line, code: 0, err: `${says} Nothing was changed.\n` })
  }
  expect((await keepsake('album list --json')).out).toBe(before)
  for (const [line, code, says] of [
    ['add Quiet 999', 4, 'There is no item 999.'],
    ['set Quiet --cover 999', 4, 'There is no item 999.'],
    ['set Quiet', 2, 'Give what to change'],
    ['member Quiet nobody view', 4, "There is no user 'nobody'."],
    ['create Other --folder Quiet', 1, "'Quiet' is not a folder."],
    ['create Other --query year:2019 --new-folder', 2, '--new-folder or --query'],
    ['delete Nothing', 4, "There is no album 'Nothing'. See: keepsake album list"],
  ] as const)
    expect({ line, ...(await keepsake(`album ${line} --dry-run`)) }).toMatchObject({
      line,
      code,
      err: expect.stringContaining(says),
    })
}, 60_000)

test('of several albums with one name, the ids are listed', async () => {
  const made = [await keepsake('album create Twice --json'), await keepsake('album create TWICE --json')]
  const [first, second] = made.map(ran => Number(albumIn(ran)?.id))
  expect(await keepsake('album show twice')).toMatchObject({
    code: 1,
    err: `keepsake: Several albums are called 'twice': ${second}, ${first}. Give the id.\n`,
  })
  expect(albumIn(await keepsake(`album show ${second} --json`))).toMatchObject({ name: 'TWICE' })
}, 60_000)

test('with --server, albums are those of the user of the token', async () => {
  server = await startServer(workspace.data)
  const token = (await keepsake('token issue --user ines')).out.trim()
  const away = openShellWorkspace()
  const keepsakeOnServer = (line: string) =>
    away.sh(`keepsake ${line}`, { KEEPSAKE_SERVER: server?.address ?? '', KEEPSAKE_TOKEN: token })
  expect(albumIn(await keepsakeOnServer('album create Remote --json'))).toMatchObject({
    own: true,
    owner: { username: 'ines' },
  })
  expect((await keepsakeOnServer('album add Remote --query year:2021 --dry-run --json')).objects).toMatchObject([
    { dryRun: true, items: 1 },
  ])
  expect((await keepsakeOnServer('album add Remote --query year:2021 --json')).objects).toMatchObject([{ items: 1 }])
  expect(itemsIn(await keepsakeOnServer('album show remote --json'))).toEqual([id('hills.jpg')])
  expect(await keepsakeOnServer('album list --user ben')).toMatchObject({
    code: 2,
    err: expect.stringContaining('leave --user out'),
  })
  expect((await keepsakeOnServer('album delete Remote --json')).objects.at(-1)).toMatchObject({
    state: 'done',
    albums: 1,
  })
  expect((await keepsake('album show Remote')).code).toBe(4)
}, 60_000)
