/** What all screens of the terminal UI share: keys, help, the palette, sizes, kinds of terminals, and leaving. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { programCommand, runCommand } from '../support/command.ts'
import { longTest } from '../support/long.ts'
import { openScreen } from '../support/terminal-screen.ts'
import { openWorkingLibrary, type WorkingLibrary } from '../support/working-library.ts'

let workspace: WorkingLibrary
beforeAll(async () => {
  workspace = openWorkingLibrary()
  await workspace.pictures('Family', 3)
  await workspace.collection('Family')
})
afterAll(() => workspace.close())

const timeout = 30_000

describe('without a usable terminal', () => {
  test('a pipe gets an error message and the exit code for wrong usage', async () => {
    const { code, out, err } = await runCommand(['--data', workspace.data, 'tui'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toBe("keepsake: 'keepsake tui' needs a terminal. For scripts: keepsake --help\n")
    for (const where of [
      ['--data', workspace.data],
      ['--server', 'http://localhost:1', '--token', 'x'],
    ]) {
      const ran = await runCommand([...where, 'tui', '--json'])
      expect(ran).toMatchObject({ code: 2, objects: [{ type: 'summary', schema: 1, state: 'failed' }] })
      expect(ran.err).toContain('keepsake tui')
    }
  })

  test(
    'with a dumb terminal or the name of an unknown screen, there is an error message, and nothing is drawn',
    async () => {
      const dumb = workspace.tui('dashboard', { term: 'dumb' })
      expect(await dumb.exited).toBe(2)
      expect(dumb.text()).toContain('TERM=dumb')
      expect(dumb.written()).not.toContain('\u001b[?1049h')
      const unknown = workspace.tui('dashbord')
      expect(await unknown.exited).toBe(2)
      expect(unknown.text()).toContain("There is no screen 'dashbord'. Screens: dashboard, collections")
    },
    timeout,
  )
})

test(
  'the terminal UI works from any working directory',
  async () => {
    const screen = workspace.tui('dashboard', { cwd: '/' })
    await screen.waitFor('Family')
    screen.press('q')
    expect(await screen.exited).toBe(0)
    await screen.close()
  },
  timeout,
)

test(
  'the message of an empty list is not truncated',
  async () => {
    const screen = workspace.tui('missing', { columns: 40, rows: 12 })
    await screen.waitFor(/^ {3}\S/m)
    expect(screen.text()).not.toContain('…')
    await screen.close()
  },
  timeout,
)

describe('keys', () => {
  test(
    'the footer shows the keys of the screen, and help lists all keys',
    async () => {
      const screen = workspace.tui('collections')
      await screen.waitFor('› Family')
      await screen.waitFor(/Enter open .*\? all keys {2}q back/)
      screen.press('?')
      await screen.waitFor('create a collection from a folder')
      for (const words of ['Collections', 'remove it; its files are kept', 'd, Del', '↑↓'])
        expect(screen.text()).toContain(words)
      screen.press('G')
      await screen.waitFor('commands by name')
      screen.press('q')
      await screen.waitFor('› Family')
      await screen.close()
    },
    timeout,
  )

  test(
    'an error message is shown completely, on as many lines as it needs',
    async () => {
      const screen = workspace.tui('collections')
      await screen.waitFor('› Family')
      screen.press(':')
      await screen.waitFor('everything at a glance')
      const name = `${'a long name '.repeat(9)}end`
      screen.type(`open ${name}`)
      await screen.waitFor('long name end')
      screen.press('enter')
      await screen.waitFor('There is no collection')
      await screen.waitFor("long name end'.")
      expect(screen.text()).toContain('› Family')
      await screen.close()
    },
    timeout,
  )

  test(
    'screens are opened by number and by name, and closed in reverse order',
    async () => {
      const screen = workspace.tui()
      await screen.waitFor('No jobs are running.')
      screen.press('6')
      await screen.waitFor('Keepsake  Jobs')
      screen.press(':')
      await screen.waitFor('› dashboard')
      screen.type('log')
      await screen.waitFor('› log')
      screen.press('enter')
      await screen.waitFor('Keepsake  Log')
      screen.press('esc')
      await screen.waitFor('Keepsake  Jobs')
      screen.press('q')
      await screen.waitFor('Just now')
      screen.press('q')
      expect(await screen.exited).toBe(0)
      await screen.close()
    },
    timeout,
  )

  test(
    'a command takes an argument, which Tab completes',
    async () => {
      const screen = workspace.tui()
      await screen.waitFor('Family')
      screen.type(':op')
      await screen.waitFor('› open')
      screen.press('enter')
      await screen.waitFor('› Family')
      screen.type('fa')
      screen.press('tab')
      await screen.waitFor(':open Family')
      screen.press('enter')
      await screen.waitFor('Keepsake  Collection')
      screen.type(':open Nobody')
      screen.press('enter')
      await screen.waitFor("There is no collection 'Nobody'.")
      screen.press('q')
      await screen.waitFor('Just now')
      screen.press('/')
      await screen.waitFor('Find items')
      screen.type('type:video')
      screen.press('enter')
      await screen.waitFor('Keepsake  Items')
      await screen.close()
    },
    timeout,
  )

  test(
    'pasted text does not run commands',
    async () => {
      const screen = workspace.tui('collections')
      await screen.waitFor('› Family')
      screen.paste('qqq\rd')
      screen.press('a')
      await screen.waitFor('Folder with pictures')
      screen.press('ctrl-u')
      screen.paste('/no/such\nfolder')
      await screen.waitFor('/no/such folder')
      screen.press('enter')
      await screen.waitFor('This folder does not exist.')
      screen.press('esc')
      await screen.waitFor('a add')
      await screen.close()
    },
    timeout,
  )
})

describe('terminals', () => {
  test(
    'every size is drawn completely, also after resizing',
    async () => {
      const screen = workspace.tui('dashboard', { columns: 200, rows: 60 })
      const whole = (columns: number, rows: number) => () => {
        const lines = screen.lines()
        const rule = lines[rows - 2] ?? ''
        return rule === '─'.repeat(columns) && (lines[rows - 1] ?? '').includes('q quit')
      }
      await screen.waitFor(whole(200, 60))
      for (const [columns, rows] of [
        [60, 20],
        [120, 40],
        [40, 10],
        [80, 24],
      ] as const) {
        screen.resize(columns, rows)
        await screen.waitFor(whole(columns, rows))
        expect(screen.lines()[0]).toStartWith(' Keepsake')
        expect(screen.text()).toContain('Family')
      }
      screen.resize(39, 9)
      await screen.waitFor('Make the window larger')
      screen.resize(80, 24)
      await screen.waitFor(whole(80, 24))
      await screen.close()
    },
    timeout,
  )

  test(
    'typed input is kept while the window is too small, and Ctrl-C quits even then',
    async () => {
      const screen = workspace.tui('dashboard')
      await screen.waitFor('Just now')
      screen.press('/')
      await screen.waitFor('Find items')
      screen.type('keyword:be')
      await screen.waitFor('Find items keyword:be')
      screen.resize(38, 9)
      await screen.waitFor('Make the window larger')
      screen.resize(80, 24)
      await screen.waitFor('Find items keyword:be')
      screen.type('ach')
      await screen.waitFor('Find items keyword:beach')
      screen.resize(38, 9)
      await screen.waitFor('Ctrl-C')
      screen.press('ctrl-c')
      expect(await screen.exited).toBe(0)
      await screen.close()
    },
    timeout,
  )

  test(
    'the error of an input line is shown completely',
    async () => {
      const screen = workspace.tui('dashboard')
      await screen.waitFor('Just now')
      screen.press('/')
      await screen.waitFor('Find items')
      screen.type('rating:>=9 (foo')
      screen.press('enter')
      await screen.waitFor('At character 8')
      await screen.waitFor(/none\s+or\s+rejected/)
      await screen.close()
    },
    timeout,
  )

  test(
    'a known command with an unknown argument is not reported as unknown',
    async () => {
      const screen = workspace.tui('dashboard')
      await screen.waitFor('Just now')
      screen.press(':')
      await screen.waitFor('› dashboard')
      screen.type('scan Nowhere')
      await screen.waitFor('No matching name.')
      expect(screen.text()).not.toContain('No such command.')
      await screen.close()
    },
    timeout,
  )

  test(
    'the Linux console gets only 16 colours and ASCII characters',
    async () => {
      const screen = workspace.tui('collections', { term: 'linux' })
      await screen.waitFor('> Family')
      const last = screen.lines().at(-2) ?? ''
      expect(last).toBe('-'.repeat(80))
      expect(screen.written()).not.toMatch(/38;5;|48;5;|38;2;|[^\p{ASCII}]/u)
      expect(screen.cellOf('> Family').colour).toBe(6)
      await screen.close()
    },
    timeout,
  )

  test(
    'NO_COLOR: the selected row has only its marker and bold text',
    async () => {
      const screen = workspace.tui('collections', { environment: { NO_COLOR: '1' } })
      await screen.waitFor('› Family')
      expect(screen.written()).not.toMatch(/\[([\d;]*;)?(3[0-8]|4[0-8]|9[0-7])(;[\d;]*)?m/)
      expect(screen.cellOf('Family')).toMatchObject({ bold: true, colour: 'default', background: 'default' })
      await screen.close()
    },
    timeout,
  )

  for (const term of ['screen', 'screen-256color', 'tmux-256color'])
    test(
      `the terminal UI works inside a multiplexer (TERM=${term})`,
      async () => {
        const screen = workspace.tui('collections', { term })
        await screen.waitFor('› Family')
        screen.press('q', 'q')
        expect(await screen.exited).toBe(0)
        await screen.close()
      },
      timeout,
    )

  test.skipIf(Bun.which('tmux') === null)(
    'the terminal UI works in tmux, also after resizing',
    async () => {
      const command = [...programCommand(), '--data', workspace.data, 'tui', 'collections']
        .map(word => `'${word}'`)
        .join(' ')
      const name = `keepsake-test-${process.pid}`
      const screen = openScreen(['tmux', '-L', name, 'new-session', command], { columns: 100, rows: 30 })
      await screen.waitFor('› Family')
      await screen.waitFor('q back')
      screen.resize(60, 20)
      await screen.waitFor(() => screen.lines()[17] === '─'.repeat(60))
      screen.press('q', 'q')
      await screen.waitFor('[exited]')
      await screen.close()
      Bun.spawnSync(['tmux', '-L', name, 'kill-server'])
    },
    timeout,
  )

  longTest(
    'no output is sent while nothing changes',
    async () => {
      const screen = workspace.tui('collections')
      await screen.waitFor('› Family')
      await screen.waitFor('q back')
      // Waits until the program is idle again, after a key that changes nothing.
      screen.press('f5')
      await Bun.sleep(1500)
      const before = screen.written().length
      await Bun.sleep(2500)
      expect(screen.written().length).toBe(before)
      await screen.close()
    },
    timeout,
  )
})
