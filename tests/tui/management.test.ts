/** Recycle bin, missing items, users and access, tokens, plugins and people, with real keys in a real terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../core/accounts/access.ts'
import { closeScreens, createTerminalLibrary, type TerminalLibrary } from '../support/terminal-library.ts'
import { expectFrame } from '../support/terminal-screen.ts'

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const

let workspace: TerminalLibrary
beforeAll(async () => {
  workspace = await createTerminalLibrary()
})
afterAll(closeScreens)

/** The compared frames: each with its screen, the keys that lead to it, and a text that appears once all is loaded. */
const frames: readonly (readonly [frame: string, screen: string, keys: readonly string[], shown: string | RegExp])[] = [
  ['bin', 'bin', [], 'old-1.jpg'],
  ['missing', 'missing', [], 'lost-1.jpg'],
  ['users', 'users', [], 'ines'],
  ['groups', 'users', [']'], /members +ines/],
  ['matrix', 'users', [']', ']'], /visitors +·/],
  ['plugins', 'plugins', [], 'A screen with the number'],
  ['plugin-options', 'plugins', ['enter'], 'years.order'],
  ['tokens', 'tokens', [], 'No tokens.'],
  ['people', 'people', [], /Anna Müller +31/],
]

describe('screens', () => {
  for (const size of sizes)
    for (const [frame, name, keys, shown] of frames)
      test(`${frame} looks as recorded at ${size.columns}×${size.rows}`, async () => {
        const screen = workspace.tui(name, size)
        await screen.waitFor('220 items')
        if (name === 'plugins') await screen.waitFor('Statistics')
        screen.press(...keys)
        await screen.waitFor(shown)
        if (name === 'bin') await screen.waitFor('kept 30 days')
        expectFrame(screen, frame)
        await screen.close()
      }, 30_000)
})

describe('the recycle bin', () => {
  test('a recycled item is listed, and restored', async () => {
    const screen = workspace.tui('items', { columns: 80, rows: 24 })
    await screen.waitFor('garden.jpg')
    await screen.waitFor('220 items')
    screen.press('d')
    await screen.waitFor('Move garden.jpg to the recycle bin?')
    screen.press('y')
    await screen.waitFor('219 items')
    screen.press('4')
    await screen.waitFor(/› garden\.jpg .*Today/)
    await screen.waitFor('4 items')
    screen.press('u')
    await screen.waitFor('3 items')
    screen.press('3')
    await screen.waitFor(/2021-06-01.*garden\.jpg/)
    await screen.close()
  }, 30_000)

  test('deleting for good asks for confirmation, and reports the result', async () => {
    const screen = workspace.tui('bin', { columns: 80, rows: 24 })
    await screen.waitFor(/› old-3\.jpg/)
    screen.press('d')
    await screen.waitFor('Delete old-3.jpg for good, with its file? This cannot be undone.')
    screen.press('esc')
    await screen.waitUntilGone('for good')
    expect(screen.text()).toContain('old-3.jpg')
    screen.press('space', 'space', 'd')
    await screen.waitFor('Delete 2 items for good, with their files?')
    screen.press('y')
    await screen.waitFor('Deleted for good: 2 items.')
    await screen.waitUntilGone('old-3.jpg')
    expect(screen.text()).toContain('old-1.jpg')
    const left = await workspace.with(library =>
      library.as(terminalViewer).items.deleted({ params: { collectionId: 0 }, query: {} }),
    )
    expect(left.items.map(({ name }) => name)).toEqual(['old-1.jpg'])
    await screen.close()
  }, 30_000)

  test('emptying the bin needs a word to be typed', async () => {
    const screen = workspace.tui('bin', { columns: 80, rows: 24 })
    await screen.waitFor('1 item')
    screen.press('E')
    await screen.waitFor('Type empty to confirm')
    screen.press('enter')
    screen.type('empty')
    await screen.waitFor('empty')
    screen.press('enter')
    await screen.waitFor('The recycle bin is empty.')
    await screen.close()
  }, 30_000)
})

test('a missing item is forgotten after confirmation', async () => {
  const screen = workspace.tui('missing', { columns: 80, rows: 24 })
  await screen.waitFor(/› lost-2\.jpg/)
  screen.press('d')
  await screen.waitFor('Forget lost-2.jpg, with its tags?')
  screen.press('y')
  await screen.waitFor('Forgot 1 item.')
  await screen.waitUntilGone('lost-2.jpg')
  await screen.close()
}, 30_000)

describe('users and access', () => {
  test('an account is created without showing its password', async () => {
    const screen = workspace.tui('users', { columns: 100, rows: 30 })
    await screen.waitFor('clara')
    screen.press('n')
    await screen.waitFor('User name:')
    screen.type('dora')
    await screen.waitFor('dora')
    screen.press('enter')
    await screen.waitFor('Display name:')
    screen.press('enter')
    await screen.waitFor('Password of dora:')
    screen.type('geheim')
    await screen.waitFor('••••••')
    screen.press('enter')
    await screen.waitFor('Repeat it:')
    screen.type('geheimx')
    await screen.waitFor('•••••••')
    screen.press('enter')
    await screen.waitFor('The two passwords differ.')
    screen.press('backspace')
    screen.press('enter')
    await screen.waitFor('What may dora do?')
    screen.press('a')
    await screen.waitFor('Made the global admin dora.')
    await screen.waitFor(/dora +dora .*global admin/)
    expect(screen.written()).not.toContain('geheim')
    const row = await workspace.with(library => library.users.byName('dora'))
    expect(await Bun.password.verify('geheim', row?.passwordHash ?? '')).toBe(true)
    await screen.close()
  }, 30_000)

  for (const name of ['анна', 'مستخدم', '花子', '👍'])
    test(`the name of an account may be in any writing system: ${name}`, async () => {
      const screen = workspace.tui('users', { columns: 100, rows: 30 })
      await screen.waitFor('ben')
      screen.press('n')
      await screen.waitFor('User name:')
      screen.type(name)
      await screen.waitFor(name)
      screen.press('enter')
      await screen.waitFor('Display name:')
      screen.press('enter')
      await screen.waitFor('Password of')
      screen.type('geheim')
      await screen.waitFor('••••••')
      screen.press('enter')
      await screen.waitFor('Repeat it:')
      screen.type('geheim')
      await screen.waitFor('••••••')
      screen.press('enter')
      await screen.waitFor('What may')
      screen.press('u')
      await screen.waitFor(`Made the user ${name}.`)
      const row = await workspace.with(library => library.users.byName(name))
      expect(row?.email).toMatch(/^.+@localhost$/)
      await screen.close()
    }, 30_000)

  test('an account that another process disables is shown as disabled', async () => {
    const screen = workspace.tui('users', { columns: 100, rows: 30 })
    await screen.waitFor('ben')
    const id = (await workspace.with(library => library.users.byName('ben')))?.id ?? 0
    await workspace.with(library =>
      library.as(terminalViewer).users.disable({ params: { id }, body: { disabled: true } }),
    )
    await screen.waitFor(/ben .*disabled/)
    await workspace.with(library =>
      library.as(terminalViewer).users.disable({ params: { id }, body: { disabled: false } }),
    )
    await screen.waitUntilGone('disabled')
    await screen.close()
  }, 30_000)

  test('a user is added to a group, and the table of rights shows the effect and the reason', async () => {
    const screen = workspace.tui('users', { columns: 120, rows: 40 })
    await screen.waitFor('clara')
    screen.press(']')
    await screen.waitFor(/members +ines/)
    screen.press('down', 'down', 'm')
    await screen.waitFor('Add to group')
    screen.press('enter')
    await screen.waitFor('clara is in group now.')
    screen.press(']')
    await screen.waitFor(/clara +see +see +·/)
    screen.press('down', 'down', 'w')
    await screen.waitFor('Why does clara see item:')
    screen.type(String(workspace.items.get('garden.jpg')))
    screen.press('enter')
    await screen.waitFor('clara does not see garden.jpg of Großmutters Alben von der Küste')
    await screen.close()
  }, 30_000)
})

describe('tokens', () => {
  test('the secret of a new token is shown once, and the token is revoked', async () => {
    const screen = workspace.tui('tokens', { columns: 100, rows: 30 })
    await screen.waitFor('No tokens.')
    screen.press('n')
    await screen.waitFor('Which user does the token act as?')
    screen.press('down', 'enter')
    await screen.waitFor('Name of the token:')
    screen.press('enter')
    await screen.waitFor('How long is it valid?')
    screen.press('2')
    await screen.waitFor(/keepsake_[\w-]{43}/)
    const [token = ''] = /keepsake_[\w-]{43}/.exec(screen.text()) ?? []
    expect(screen.text()).toContain('It is not stored and is not shown again.')
    screen.press('esc')
    await screen.waitUntilGone(token)
    await screen.waitFor(/script +\d+ +scripts +clara/)
    screen.press('d')
    await screen.waitFor("Revoke 'script' of clara?")
    screen.press('y')
    await screen.waitFor('No tokens.')
    await screen.close()
  }, 30_000)

  test('the secret is shown completely in a small window, also after the window was too small', async () => {
    const screen = workspace.tui('tokens', { columns: 50, rows: 12 })
    await screen.waitFor('No tokens.')
    screen.press('n', 'enter')
    await screen.waitFor('Name of the token:')
    screen.press('enter')
    await screen.waitFor('How long is it valid?')
    screen.press('2')
    await screen.waitFor('It is not stored')
    const secret = () => {
      const lines = screen.lines()
      const at = lines.findIndex(line => line.includes('keepsake_'))
      return lines
        .slice(at, at + 2)
        .map(line => line.trim())
        .join('')
    }
    const shown = secret()
    expect(shown).toMatch(/^keepsake_[\w-]{43}$/)
    screen.resize(38, 9)
    await screen.waitFor('Make the window larger')
    screen.resize(50, 12)
    await screen.waitFor('It is not stored')
    expect(secret()).toBe(shown)
    screen.press('esc')
    await screen.waitUntilGone('It is not stored')
    await screen.waitFor(/script +\d+ +scripts +ben/)
    screen.press('d')
    await screen.waitFor("Revoke 'script' of ben?")
    screen.press('y')
    await screen.waitFor('No tokens.')
    await screen.close()
  }, 30_000)

  test('a token that another process issues is shown at once', async () => {
    const screen = workspace.tui('tokens', { columns: 100, rows: 30 })
    await screen.waitFor('No tokens.')
    await workspace.with(library =>
      library.tokens.issueApi(terminalViewer, { username: 'ben', name: 'backup', expiresAt: null }),
    )
    await screen.waitFor(/backup +\d+ +scripts +ben/)
    await screen.close()
  }, 30_000)
})

describe('plugins', () => {
  test('are switched on after confirmation, and each option is edited according to its type', async () => {
    const screen = workspace.tui('plugins', { columns: 100, rows: 30 })
    await screen.waitFor(/Statistics .*off/)
    screen.press('space')
    await screen.waitFor('Plugins are trusted code')
    screen.press('y')
    await screen.waitFor(/Statistics .*on/)
    screen.press('enter')
    await screen.waitFor('cameras.key')
    screen.press('enter')
    await screen.waitFor('cameras.key:')
    screen.type('hush')
    await screen.waitFor('••••')
    screen.press('enter')
    await screen.waitFor(/cameras\.key +\(set\)/)
    screen.press('down', 'enter')
    await screen.waitFor('cameras.most:')
    screen.type('x')
    await screen.waitFor('2000x')
    screen.press('enter')
    await screen.waitFor('Not a number.')
    screen.press('esc')
    await screen.waitUntilGone('Not a number.')
    screen.press('down', 'down', 'enter')
    await screen.waitFor(/years\.empty +true/)
    expect(screen.written()).not.toContain('hush')
    await screen.close()
  }, 30_000)
})

describe('people', () => {
  test('are renamed, and Enter shows their items', async () => {
    const screen = workspace.tui('people', { columns: 100, rows: 30 })
    await screen.waitFor(/› Anna Müller/)
    screen.press('r')
    await screen.waitFor('New name of Anna Müller:')
    screen.press('ctrl-u')
    screen.type('Anna Schmidt')
    await screen.waitFor('Anna Schmidt')
    screen.press('enter')
    await screen.waitFor('Anna Müller is now called Anna Schmidt.')
    await screen.waitFor('› Anna Schmidt')
    screen.press('enter')
    await screen.waitFor('person:="Anna Schmidt"')
    await screen.waitFor('31 items')
    await screen.close()
  }, 30_000)

  test('the items of a person with quotation marks in the name are found', async () => {
    const name = '"quoted "@#$ name" !@#$%^&*()_+'
    const item = workspace.items.get('garden.jpg') ?? 0
    const person = await workspace.with(async library => {
      const client = library.as(terminalViewer)
      const { id } = await client.people.create({ body: { names: [name] } })
      await library.jobs.run(
        (
          await client.tags.bulk({
            body: { items: [item], changes: [{ tagName: 'People', mode: 'add', data: [{ person: id }] }] },
          })
        ).taskid,
      )
      return id
    })
    expect(person).toBeGreaterThan(0)
    const screen = workspace.tui('people', { columns: 100, rows: 30 })
    await screen.waitFor('"quoted')
    screen.press('/')
    screen.type('quoted')
    await screen.waitFor('quoted')
    screen.press('enter')
    await screen.waitFor(/› "quoted .* 1/)
    screen.press('enter')
    await screen.waitFor('Keepsake  Items')
    await screen.waitFor('› 2021-06-01')
    await screen.close()
  }, 30_000)
})
