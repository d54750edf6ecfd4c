/** However the terminal UI ends, it restores screen, cursor and echo; before it leaves unfinished work, it asks. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programCommand } from '../support/command.ts'
import { isLong } from '../support/long.ts'
import { waitUntil } from '../support/server-process.ts'
import { openScreen, type TerminalScreen } from '../support/terminal-screen.ts'
import { hasUnreadTerminals, openUnreadTerminal, type UnreadTerminal } from '../support/unread-terminal.ts'
import { openWorkingLibrary, type WorkingLibrary } from '../support/working-library.ts'

let workspace: WorkingLibrary
let extra: TerminalScreen | null = null
beforeAll(async () => {
  workspace = openWorkingLibrary()
  await workspace.pictures('Family', 3)
  await workspace.collection('Family')
})
afterEach(async () => {
  await extra?.close()
  extra = null
})
afterAll(() => workspace.close())

const timeout = 40_000

function expectRestored(screen: TerminalScreen) {
  expect(screen.isAlternate()).toBe(false)
  expect(screen.cursor().shown).toBe(true)
  expect(screen.echoes()).toBe(true)
  // Bracketed paste is off, and wrapping is on, as before the start.
  expect(screen.written().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(screen.written().lastIndexOf('\u001b[?2004h'))
  expect(screen.written().lastIndexOf('\u001b[?7h')).toBeGreaterThan(screen.written().lastIndexOf('\u001b[?7l'))
}

/** Expects that the terminal was restored once, not again while the shell already used it. */
function expectRestoredOnce(screen: TerminalScreen) {
  expect(screen.written().split('\u001b[?1049l')).toHaveLength(2)
}

describe('the terminal is restored', () => {
  for (const key of ['q', 'ctrl-c'])
    test(
      `after ${key}`,
      async () => {
        const screen = workspace.tui()
        await screen.waitFor('Family')
        expect(screen.isAlternate()).toBe(true)
        expect(screen.echoes()).toBe(false)
        screen.press(key)
        expect(await screen.exited).toBe(0)
        expectRestored(screen)
        expectRestoredOnce(screen)
      },
      timeout,
    )

  for (const signal of ['SIGTERM', 'SIGHUP', ...(isLong ? (['SIGINT', 'SIGQUIT'] as const) : [])] as const)
    test(
      `after ${signal}`,
      async () => {
        const screen = workspace.tui()
        await screen.waitFor('Family')
        screen.kill(signal)
        expect(await screen.exited).toBe(130)
        expectRestored(screen)
        expectRestoredOnce(screen)
      },
      timeout,
    )

  for (const how of ['throws', 'draws', ...(isLong ? ['rejects'] : [])])
    test(
      `after an internal error (${how}), which is printed on the restored screen`,
      async () => {
        const screen = openScreen([
          process.execPath,
          join(import.meta.dir, '../support/broken-tui.ts'),
          workspace.data,
          how,
        ])
        extra = screen
        expect(await screen.exited).toBe(1)
        expectRestored(screen)
        expect(screen.text()).toContain('keepsake: unexpected error:')
      },
      timeout,
    )
})

test(
  'Ctrl-Z returns the terminal to the shell, and the UI is redrawn when it continues',
  async () => {
    const command = [...programCommand(), '--data', workspace.data, 'tui'].map(word => `'${word}'`).join(' ')
    const screen = openScreen(['bash', '-mc', `${command}; echo STOPPED; read line; echo GOES ON; fg; echo ENDED`])
    extra = screen
    await screen.waitFor('q quit')
    screen.press('ctrl-z')
    await screen.waitFor('STOPPED')
    expectRestored(screen)
    screen.type('hello\n')
    await screen.waitFor('q quit')
    expect(screen.isAlternate()).toBe(true)
    expect(screen.echoes()).toBe(false)
    screen.press('6')
    await screen.waitFor('Keepsake  Jobs')
    screen.press('q', 'q')
    await screen.waitFor('ENDED')
    expectRestored(screen)
  },
  timeout,
)

for (const [signal, words] of [
  ['SIGTSTP', 'another program has asked it to stop'],
  ...(isLong ? ([['SIGSTOP', 'it was stopped by force']] as const) : []),
] as const)
  test(
    `after ${words}, the UI is redrawn when the shell continues it, and keys work`,
    async () => {
      const command = [...programCommand(), '--data', workspace.data, 'tui'].map(word => `'${word}'`).join(' ')
      // An interactive shell resets its terminal before it reads a line; a shell with a script does not.
      const sane = signal === 'SIGSTOP' ? 'stty sane;' : ''
      const lines = `${command}; echo STOPPED; ${sane} read line; echo GOES ON; fg; echo ENDED`
      const screen = openScreen(['bash', '-mc', lines])
      extra = screen
      await screen.waitFor('q quit')
      process.kill(await waitUntil(async () => findChild(screen.pid, ' tui')), signal)
      await screen.waitFor('STOPPED')
      // SIGSTOP cannot be handled.
      if (signal === 'SIGTSTP') expectRestored(screen)
      screen.type('hello\n')
      await screen.waitFor(
        ({ lines }) => lines()[0]?.startsWith(' Keepsake') === true && lines()[22] === '─'.repeat(80),
      )
      await screen.waitFor('q quit')
      expect(screen.text()).not.toContain('STOPPED')
      expect(screen.isAlternate()).toBe(true)
      expect(screen.cursor().shown).toBe(false)
      expect(screen.echoes()).toBe(false)
      screen.press('6')
      await screen.waitFor('Keepsake  Jobs')
      screen.press('q', 'q')
      await screen.waitFor('ENDED')
      expectRestored(screen)
    },
    timeout,
  )

describe.if(hasUnreadTerminals)('a terminal that accepts no output', () => {
  let unread: UnreadTerminal | null = null
  afterEach(async () => {
    await unread?.close()
    unread = null
  })

  /** Starts the UI, and draws more frames than the terminal can buffer: 64 KB, of which `waiting` shows at most 4. */
  async function fillTerminal(): Promise<UnreadTerminal> {
    const terminal = openUnreadTerminal([...programCommand(), '--data', workspace.data, 'tui'], {
      columns: 120,
      rows: 40,
      environment: { HOME: workspace.directory },
    })
    unread = terminal
    let shown = ''
    await waitUntil(async () => {
      shown += terminal.read()
      return shown.includes('Family') || null
    })
    let before = -1
    let same = 0
    await waitUntil(async () => {
      terminal.type('21')
      const now = terminal.waiting()
      same = now === before && now > 1000 ? same + 1 : 0
      before = now
      return same > 20 || null
    })
    return terminal
  }

  test(
    'does not keep the program from ending on a signal',
    async () => {
      const terminal = await fillTerminal()
      terminal.kill('SIGTERM')
      expect(await terminal.exited).toBe(130)
    },
    timeout,
  )

  test(
    'gets only the newest frame when it accepts output again',
    async () => {
      const terminal = await fillTerminal()
      terminal.type('6')
      let shown = ''
      await waitUntil(async () => {
        shown += terminal.read()
        return (shown.includes('Jobs') && shown.includes('running only')) || null
      })
      // This is the buffered output, the rest of a frame, and the newest frame, but not 60 frames of 5 KB.
      expect(shown.length).toBeLessThan(100_000)
      terminal.type('qq')
      await waitUntil(async () => {
        shown += terminal.read()
        return shown.includes('\u001b[?1049l') || null
      })
      expect(await terminal.exited).toBe(0)
    },
    timeout,
  )
})

describe('while a job runs here', () => {
  test(
    'a killed worker is replaced; leaving asks what to do with the job, which the next UI can continue',
    async () => {
      await workspace.pictures('Long', 400)
      const id = await workspace.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const body = { name: 'Long', path: workspace.folder('Long') }
        return (await library.as(terminalViewer).collections.create({ body })).id
      })
      const screen = workspace.tui('collections')
      await screen.waitFor('Long')
      screen.press('G', 's')
      await screen.waitFor('scanning')
      // Kills the worker of the UI as the kernel would.
      const worker = await waitUntil(async () => findWorker(screen.pid))
      process.kill(worker, 'SIGKILL')
      const other = await waitUntil(async () => {
        const now = findWorker(screen.pid)
        return now === null || now === worker ? null : now
      })
      expect(other).not.toBe(worker)
      screen.press('1')
      await screen.waitFor('Scan of Long')
      screen.press('q')
      await screen.waitFor('1 job runs in this program.')
      screen.press('esc')
      await screen.waitFor('q quit')
      screen.press('q')
      await screen.waitFor('Leave for later')
      screen.press('l')
      expect(await screen.exited).toBe(0)
      expectRestored(screen)
      const waiting = await workspace.with(({ jobs }) => jobs.waiting().map(job => [job.kind, job.collectionId]))
      expect(waiting).toContainEqual(['scan', id])

      // The next UI continues the job, and cancels it on request.
      const again = workspace.tui('jobs')
      await again.waitFor('1 running')
      again.press('q', 'q')
      await again.waitFor('Stop them')
      again.press('s')
      expect(await again.exited).toBe(0)
      expectRestored(again)
      expect(await workspace.with(({ jobs }) => jobs.waiting().filter(({ kind }) => kind === 'scan').length)).toBe(0)
    },
    timeout * 2,
  )

  test(
    'Esc ends the wait: the UI stays open when the job is done',
    async () => {
      await workspace.pictures('Onward', 80)
      await workspace.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const body = { name: 'Onward', path: workspace.folder('Onward') }
        return library.as(terminalViewer).collections.create({ body })
      })
      const screen = workspace.tui('collections')
      await screen.waitFor('Onward')
      screen.press('G', 's')
      await screen.waitFor('scanning')
      screen.press('ctrl-c')
      await screen.waitFor('Leave for later')
      screen.press('w')
      await screen.waitFor('Leaving when the jobs are done.')
      screen.press('esc')
      await screen.waitUntilGone('Leaving when the jobs are done.')
      screen.press('/')
      await screen.waitFor('Find items')
      screen.type('beach')
      await screen.waitFor(/› Onward +80 .*up to date/)
      await screen.waitFor('Find items beach')
      screen.press('esc', 'q')
      await screen.waitFor('Just now')
      screen.kill('SIGTERM')
      expect(await screen.exited).toBe(130)
    },
    timeout * 2,
  )

  test(
    'leaving can wait until the job is done',
    async () => {
      await workspace.pictures('Short', 60)
      await workspace.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const body = { name: 'Short', path: workspace.folder('Short') }
        return library.as(terminalViewer).collections.create({ body })
      })
      const screen = workspace.tui('collections')
      await screen.waitFor('Short')
      screen.press('G', 's')
      await screen.waitFor('scanning')
      screen.press('ctrl-c')
      await screen.waitFor('Leave for later')
      screen.press('w')
      await screen.waitFor('Leaving when the jobs are done.')
      expect(await screen.exited).toBe(0)
      expectRestored(screen)
      const itemCount = await workspace.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const all = await library.as(terminalViewer).collections.list()
        return all.find(({ name }) => name === 'Short')?.itemcount
      })
      expect(itemCount).toBe(60)
    },
    timeout * 2,
  )
})

describe('while an export is written', () => {
  /** The UI with a running export that continues when `continueExport` is called. */
  async function startExport(): Promise<{ screen: TerminalScreen; folder: string; continueExport(): void }> {
    const folder = mkdtempSync(join(workspace.directory, 'out-'))
    const gate = join(folder, 'gate')
    const screen = openScreen([
      process.execPath,
      join(import.meta.dir, '../support/slow-tui.ts'),
      workspace.data,
      'collections',
      gate,
    ])
    extra = screen
    await screen.waitFor('› Family')
    screen.press('e', 't')
    await screen.waitFor('To the file')
    screen.press('ctrl-u')
    screen.type(join(folder, 'x.csv'))
    screen.press('enter')
    // The footer shows the running export and the keys.
    await screen.waitFor(/^ Writing .* \d+ B$/m)
    await screen.waitFor('q back')
    return { screen, folder, continueExport: () => writeFileSync(gate, '') }
  }

  test(
    'leaving asks first, and stopping the export leaves no partial file',
    async () => {
      const { screen, folder } = await startExport()
      screen.press('ctrl-c')
      await screen.waitFor('1 export is being written by this program.')
      screen.press('esc')
      await screen.waitFor('q back')
      screen.press('ctrl-c')
      await screen.waitFor('1 export is being written by this program.')
      screen.press('s')
      expect(await screen.exited).toBe(0)
      expectRestored(screen)
      expect(readdirSync(folder)).toEqual([])
    },
    timeout,
  )

  test(
    'leaving can wait until the export is complete',
    async () => {
      const { screen, folder, continueExport } = await startExport()
      screen.press('ctrl-c')
      await screen.waitFor('1 export is being written by this program.')
      screen.press('w')
      await screen.waitFor('Leaving when everything is written.')
      continueExport()
      expect(await screen.exited).toBe(0)
      expect(readdirSync(folder).sort()).toEqual(['gate', 'x.csv'])
      expect(readFileSync(join(folder, 'x.csv'), 'utf8').trim().split('\n').length).toBe(4)
    },
    timeout,
  )

  test(
    'if the export fails, the reason is shown, and the UI stays open',
    async () => {
      const { screen, folder, continueExport } = await startExport()
      screen.press('ctrl-c')
      await screen.waitFor('1 export is being written by this program.')
      screen.press('w')
      await screen.waitFor('Leaving when everything is written.')
      writeFileSync(join(folder, 'x.csv'), 'of somebody else')
      continueExport()
      await screen.waitFor('cannot be written.')
      await screen.waitUntilGone('Leaving when')
      expect(readdirSync(folder).sort()).toEqual(['gate', 'x.csv'])
      screen.press('q', 'q')
      expect(await screen.exited).toBe(0)
    },
    timeout,
  )

  test(
    'a program that is ended by a signal leaves no partial file',
    async () => {
      const { screen, folder } = await startExport()
      screen.kill('SIGTERM')
      expect(await screen.exited).toBe(130)
      expectRestored(screen)
      expect(readdirSync(folder)).toEqual([])
    },
    timeout,
  )
})

/** Returns the process id of a job worker that `parent` has started, or null. */
const findWorker = (parent: number) => findChild(parent, ' worker job ')

/** Returns the process id of a child of `parent` with these words in its command line, or null. */
function findChild(parent: number, words: string): number | null {
  const { stdout } = Bun.spawnSync(['ps', '-eo', 'pid=,ppid=,args='])
  const found = stdout
    .toString()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .find(([, ppid, ...args]) => ppid === String(parent) && ` ${args.join(' ')} `.includes(words))
  return found === undefined ? null : Number(found[0])
}
