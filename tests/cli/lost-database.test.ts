import { beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { startServer, waitUntil } from '../support/server-process.ts'
import { openFullShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
const keepsake = (line: string) => workspace.sh(`keepsake ${line}`)
const copies = () => (existsSync(workspace.at('lib/copies')) ? readdirSync(workspace.at('lib/copies')) : [])
/** Makes the library look as if it had been created two days ago. */
const makeOlder = () => workspace.sh('touch -d "2 days ago" ~/lib/secrets.json')

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await keepsake('--data ~/lib scan ~/Pictures --quiet')
  await keepsake('--data ~/lib keystring hide Holiday --items')
}, 60_000)

test('a scan or the server copies the database of a library, unless the library was created today', async () => {
  expect(copies()).toEqual([])
  expect((await keepsake('--data ~/lib doctor')).out).toContain('copies: the first is made tonight')
  await makeOlder()
  expect((await keepsake('--data ~/lib doctor')).out).toContain('copies: There is none')
  await keepsake('--data ~/lib scan --all --quiet')
  expect(copies()).toEqual([expect.stringMatching(/^library-\d{4}-\d\d-\d\dT\d{6}Z\.db$/)])
  await keepsake('--data ~/lib scan --all --quiet')
  expect(copies()).toHaveLength(1)
  await workspace.sh('cp -r ~/lib ~/kept; rm -r ~/lib/copies')
  const server = await startServer(workspace.at('lib'))
  await waitUntil(async () => (copies().some(name => name.endsWith('.db')) ? true : null))
  await server.stop()
  await workspace.sh('rm -r ~/lib; mv ~/kept ~/lib')
  expect((await keepsake('--data ~/lib doctor')).out).toMatch(/copies: 1, the newest of \w+day \d\d:\d\d/)
}, 60_000)

const commands = [
  'serve',
  'serve ~/Pictures',
  'scan --all',
  'scan ~/Pictures',
  'scan ~/Pictures --dry-run',
  'item list',
  'doctor',
]

test.each([
  ['gone', 'rm ~/lost/library.db*'],
  ['empty', ': > ~/lost/library.db; rm -f ~/lost/library.db-*'],
  ['random bytes', 'head -c 9000 /dev/urandom > ~/lost/library.db; rm -f ~/lost/library.db-*'],
])(
  'a database that is %s stops every command; the command that the message names restores the copy',
  async (what, lose) => {
    await workspace.sh(`rm -rf ~/lost; cp -r ~/lib ~/lost; ${lose}`)
    let offer = ''
    for (const line of commands) {
      const { code, out, err } = await keepsake(`--data ~/lost ${line}`)
      const output = out + err
      expect({ what, line, code, output }).toEqual({
        what,
        line,
        code: 1,
        output: expect.stringMatching(/Restore the copy of \w+day \d\d:\d\d .*--force .*--new/),
      })
      offer = /keepsake --data \S+ restore \S+ --force/.exec(output)?.[0] ?? ''
    }
    expect((await workspace.sh(offer)).code).toBe(0)
    expect((await keepsake('--data ~/lost keystring list')).out).toMatch(/hides items +Holiday/)
    // Any free port, since another Keepsake may use the default one.
    const doctor = await workspace.sh('keepsake --data ~/lost doctor', { KEEPSAKE_LISTEN: '127.0.0.1:0' })
    expect(doctor.code).not.toBe(1)
  },
  120_000,
)

test('--new starts a new library only where the old one is lost', async () => {
  await workspace.sh('rm -rf ~/lost; cp -r ~/lib ~/lost')
  for (const line of ['serve --new', 'scan ~/Pictures --new', 'scan ~/Pictures --new --dry-run'])
    expect(await keepsake(`--data ~/lost ${line}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is intact'),
    })
  await workspace.sh('rm ~/lost/library.db*')
  // A refused command leaves everything as it was.
  expect((await keepsake('--data ~/lost scan ~/lost/plugins --new')).code).not.toBe(0)
  expect((await keepsake('--data ~/lost scan --all --new')).code).toBe(10)
  expect(await keepsake('--data ~/lost scan ~/Pictures --new --dry-run')).toMatchObject({ code: 0 })
  expect(readdirSync(workspace.at('lost')).filter(name => name.startsWith('.before'))).toEqual([])
  expect(existsSync(workspace.at('lost/library.db'))).toBe(false)

  expect((await keepsake('--data ~/lost scan ~/Pictures --new')).code).toBe(0)
  expect((await keepsake('--data ~/lost item list --json')).objects.at(-1)).toMatchObject({ items: 3 })
  const [aside = ''] = readdirSync(workspace.at('lost')).filter(name => name.startsWith('.before-new-'))
  expect(readdirSync(workspace.at(`lost/${aside}/copies`))).toHaveLength(1)
}, 60_000)

test('restoring is refused while a server has the lost database open', async () => {
  await workspace.sh('rm -rf ~/lost; cp -r ~/lib ~/lost')
  const server = await startServer(workspace.at('lost'))
  await workspace.sh('rm ~/lost/library.db*')
  const [copy = ''] = readdirSync(workspace.at('lost/copies'))
  for (const line of [`restore ~/lost/copies/${copy} --force`, 'scan ~/Pictures --new'])
    expect(await keepsake(`--data ~/lost ${line}`)).toMatchObject({ code: 11, err: expect.stringContaining('stop') })
  await server.stop()
}, 60_000)

test('a file that is not a copy of a library is refused, and nothing is changed', async () => {
  await workspace.sh('rm -rf ~/lost; cp -r ~/lib ~/lost; rm ~/lost/library.db*')
  const { Database } = await import('bun:sqlite')
  const strange = new Database(workspace.at('strange.db'))
  strange.run('CREATE TABLE other (n)')
  strange.close()
  await workspace.sh('head -c 20000 ~/lib/copies/*.db > ~/half.db; cp ~/lib/library.db ~/logged.db')
  for (const file of ['strange.db', 'half.db', 'logged.db'])
    for (const dry of ['', ' --dry-run'])
      expect({ file, dry, code: (await keepsake(`--data ~/lost restore ~/${file} --force${dry}`)).code }).toEqual({
        file,
        dry,
        code: 2,
      })
  expect(readdirSync(workspace.at('lost')).filter(name => /restor|library\.db/.test(name))).toEqual([])
}, 60_000)

test('the next scan writes changes that were made without a server into the files', async () => {
  await workspace.sh('cp -r ~/Pictures ~/Kept')
  await keepsake('--data ~/own scan ~/Kept --quiet')
  await keepsake('--data ~/own collection set Kept writeBack=sidecar')
  const [first] = (await keepsake('--data ~/own item list --sort name --json')).objects
  await keepsake(`--data ~/own item recycle ${first?.id}`)
  const doctor = await workspace.sh('keepsake --data ~/own doctor', { KEEPSAKE_LISTEN: '127.0.0.1:0' })
  expect(doctor.out).toContain('write-back: Tags of 1 item are not in the files yet.')
  expect((await keepsake('--data ~/own scan Kept --quiet')).code).toBe(0)
  expect((await workspace.sh('keepsake --data ~/own doctor', { KEEPSAKE_LISTEN: '127.0.0.1:0' })).out).not.toContain(
    'write-back',
  )
  await workspace.sh('rm ~/own/library.db*')
  await keepsake('--data ~/own scan ~/Kept --new --quiet')
  const listed = (await keepsake('--data ~/own item list --recycled --json')).objects
  expect(listed[0]).toMatchObject({ name: first?.name })
}, 60_000)
