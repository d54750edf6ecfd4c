/** `keepsake link`, from a shell, on this machine and with --server. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CommandResult } from '../support/command.ts'
import { type RunningServer, startServer } from '../support/server-process.ts'
import { openFullShellWorkspace, openShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
let server: RunningServer | null = null
const keepsake = (line: string): Promise<CommandResult> => workspace.sh(`keepsake ${line}`)
const linkIn = (ran: CommandResult) => ran.objects.find(({ type }) => type === 'link') ?? {}

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await keepsake('scan ~/Pictures --quiet')
  for (const user of ['ines', 'ben']) await workspace.sh(`echo secret | keepsake user create ${user}`)
  await keepsake('access create Readers --view && keepsake access attach Readers Pictures')
  await keepsake('access add Readers ines')
  await keepsake('album create Summer --user ines && keepsake album add Summer 1 2 --user ines')
}, 60_000)
afterAll(() => server?.stop())

test('a link belongs to a user, and its address is printed', async () => {
  const made = await keepsake('link create 1 2 --user ines --title Beach')
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^\/link\/[\w-]{22}\n$/) })
  expect(made.err).toMatch(/^The link is open until \d{4}-\d{2}-\d{2}\. Its id is 1\.\n$/)
  const ofAlbum = await keepsake('link create --album summer --user ines --expires never --originals --details --json')
  expect(linkIn(ofAlbum)).toMatchObject({
    kind: 'album',
    username: 'ines',
    expires: null,
    originals: true,
    details: true,
    password: false,
    items: 2,
    path: expect.stringMatching(/^\/link\/[\w-]{22}$/),
  })
  const day = `${new Date().getUTCFullYear() + 1}-03-04`
  const ofPerson = await keepsake(`link create --person Anna --user ines --expires ${day} --json`)
  expect(linkIn(ofPerson)).toMatchObject({ kind: 'person', expires: Date.parse(`${day}T23:59:59Z`) / 1000 })
  await keepsake('config set base_url https://pictures.example/')
  const piped = await workspace.sh('keepsake item list file:sea --json | keepsake link create - --user ines')
  expect(piped.out).toMatch(/^(\/link\/[\w-]{22})\nhttps:\/\/pictures\.example\1\n$/)
  await keepsake('config unset base_url')
}, 60_000)

test('a password is read from standard input or a file', async () => {
  const typed = await workspace.sh('echo boat | keepsake link create 1 --user ines --password --json')
  const file = await workspace.sh(
    'echo boat > pass && keepsake link create --query year:2019 --user ines --password-file pass --json',
  )
  for (const ran of [typed, file]) expect(linkIn(ran)).toMatchObject({ password: true })
  expect(typed.out + file.out).not.toContain('boat')
}, 60_000)

test('links are listed and ended', async () => {
  const { out } = await keepsake('link list')
  const lines = out.trim().split('\n')
  expect(lines[0]).toMatch(/^ID +LINK +ITEMS +OWNER +ENDS +OPENED$/)
  expect(lines.at(-1)).toMatch(/^1 +Beach +2 +ines +\d{4}-\d{2}-\d{2} +0$/)
  expect(out).toMatch(/ album +2 +ines +never +0\n/)
  expect((await keepsake('link end 1 --dry-run')).err).toBe('Link 1 would be ended. Nothing was changed.\n')
  expect(await keepsake('link end 1')).toMatchObject({ code: 0, err: 'Link 1 is ended.\n' })
  expect((await keepsake('link list')).out).not.toContain('Beach')
  const listed = await keepsake('link list --json')
  expect(listed.objects.at(-1)).toMatchObject({ links: lines.length - 2 })
}, 60_000)

test('a wrong command is refused, and creates nothing', async () => {
  const before = (await keepsake('link list --json')).out
  for (const [line, code, says] of [
    ['create 1', 2, 'Give the user: --user NAME.'],
    ['create 1 --user nobody', 4, "There is no user 'nobody'."],
    ['create 1 --user ben', 4, 'There is no item 1.'],
    ['create 1 --album Summer --user ines', 2, 'not both'],
    ['create --album Nothing --user ines', 4, "There is no album 'Nothing'."],
    ['create 1 --user ines --expires soon', 2, '--expires takes 24h, 48h, 1week, never, or a day'],
    ['create 1 --user ines --expires 2020-01-01', 2, 'in the future'],
    ['create - --user ines --password', 2, 'Standard input has the password'],
    ['create 1 --user ines --password', 2, 'A password is not empty'],
    ['create 1 --user ines --password-file nowhere', 2, "'nowhere' cannot be read."],
    ['end 999', 4, 'There is no link 999. See: keepsake link list'],
    ['end x', 2, "'x' is not a valid link id"],
  ] as const)
    expect({ line, ...(await keepsake(`link ${line}`)) }).toMatchObject({
      line,
      code,
      err: expect.stringContaining(says),
    })
  expect((await keepsake('link create 1 --user ines --dry-run')).err).toBe(
    'A link would be created. Nothing was changed.\n',
  )
  expect((await keepsake('link list --json')).out).toBe(before)
}, 60_000)

test('with --server, a link is that of the user of the token', async () => {
  const token = (await keepsake('token issue --user ines')).out.trim()
  server = await startServer(workspace.data)
  const { address } = server
  const environment = { KEEPSAKE_SERVER: address, KEEPSAKE_TOKEN: token }
  const keepsakeOnServer = (line: string) => openShellWorkspace().sh(`keepsake ${line}`, environment)
  const made = linkIn(await keepsakeOnServer('link create 1 --json'))
  expect(made).toMatchObject({ username: 'ines', address: `${address}${made.path}` })
  expect(await (await fetch(`${address}/v1${made.path}`)).json()).toMatchObject({ link: { items: 1 } })
  expect((await keepsakeOnServer('link create 1 --user ines')).code).toBe(2)
  expect((await keepsakeOnServer('link create 1 --dry-run')).err).toBe(
    'A link would be created. Nothing was changed.\n',
  )
  expect((await keepsakeOnServer('link list --json')).objects[0]).toMatchObject({ id: made.id, views: 1 })
  expect((await keepsakeOnServer(`link end ${made.id}`)).code).toBe(0)
  expect((await fetch(`${address}/v1${made.path}`)).status).toBe(404)
}, 60_000)
