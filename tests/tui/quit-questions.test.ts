/** However the terminal UI ends, the terminal is as it was: its screen, its cursor, its echo. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownProgram } from '../support/command.ts'
import { until } from '../support/serving.ts'
import { openScreen, type TerminalScreen } from '../support/terminal-screen.ts'
import { hasUnreadTerminals, openUnreadTerminal, type UnreadTerminal } from '../support/unread-terminal.ts'
import { type WorkingHouse, workingHouse } from '../support/working-house.ts'

let house: WorkingHouse
let extra: TerminalScreen | null = null
beforeAll(async () => {
  house = workingHouse()
  await house.pictures('Family', 3)
  await house.collection('Family')
})
afterEach(async () => {
  await extra?.close()
  extra = null
})
afterAll(() => house.close())

const patience = 40_000

function expectRestored(screen: TerminalScreen) {
  expect(screen.isAlternate()).toBe(false)
  expect(screen.cursor().shown).toBe(true)
  expect(screen.echoes()).toBe(true)
  // Pasting and wrapping as before.
  expect(screen.written().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(screen.written().lastIndexOf('\u001b[?2004h'))
  expect(screen.written().lastIndexOf('\u001b[?7h')).toBeGreaterThan(screen.written().lastIndexOf('\u001b[?7l'))
}

/** Nobody gave it back a second time, when it was the shell's already. */
function expectOnce(screen: TerminalScreen) {
  expect(screen.written().split('\u001b[?1049l')).toHaveLength(2)
}

describe('the terminal is given back', () => {
  for (const key of ['q', 'ctrl-c'])
    test(
      `after ${key}`,
      async () => {
        const screen = house.tui()
        await screen.waitFor('Family')
        expect(screen.isAlternate()).toBe(true)
        expect(screen.echoes()).toBe(false)
        screen.press(key)
        expect(await screen.exited).toBe(0)
        expectRestored(screen)
        expectOnce(screen)
      },
      patience,
    )

  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const)
    test(
      `after ${signal}`,
      async () => {
        const screen = house.tui()
        await screen.waitFor('Family')
        screen.kill(signal)
        expect(await screen.exited).toBe(130)
        expectRestored(screen)
        expectOnce(screen)
      },
      patience,
    )

  for (const how of ['throws', 'rejects', 'draws'])
    test(
      `after a fault of ours (${how}), which is told on the screen that was before`,
      async () => {
        const screen = openScreen([
          process.execPath,
          join(import.meta.dir, '../support/broken-tui.ts'),
          house.data,
          how,
        ])
        extra = screen
        expect(await screen.exited).toBe(1)
        expectRestored(screen)
        expect(screen.text()).toContain('keepsake: unexpected error:')
      },
      patience,
    )
})

test(
  'Ctrl-Z gives the terminal to the shell, and the UI is whole when it continues',
  async () => {
    const command = [...ownProgram(), '--data', house.data, 'tui'].map(word => `'${word}'`).join(' ')
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
  patience,
)

for (const [signal, words] of [
  ['SIGTSTP', 'asked to stop by another program'],
  ['SIGSTOP', 'stopped by force'],
] as const)
  test(
    `${words}, it is whole when the shell lets it go on, and keys act`,
    async () => {
      const command = [...ownProgram(), '--data', house.data, 'tui'].map(word => `'${word}'`).join(' ')
      // A shell that somebody sits at sets its terminal right before it requests a line; one that reads a script does
      // not.
      const sane = signal === 'SIGSTOP' ? 'stty sane;' : ''
      const lines = `${command}; echo STOPPED; ${sane} read line; echo GOES ON; fg; echo ENDED`
      const screen = openScreen(['bash', '-mc', lines])
      extra = screen
      await screen.waitFor('q quit')
      process.kill(await until(async () => childOf(screen.pid, ' tui')), signal)
      await screen.waitFor('STOPPED')
      // The other one cannot be notified.
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
    patience,
  )

describe.if(hasUnreadTerminals)('a terminal that takes nothing', () => {
  let unread: UnreadTerminal | null = null
  afterEach(async () => {
    await unread?.close()
    unread = null
  })

  /** The UI on it, and many more frames drawn than the terminal can hold (64 KB, of which it reports 4). */
  async function filled(): Promise<UnreadTerminal> {
    const terminal = openUnreadTerminal([...ownProgram(), '--data', house.data, 'tui'], {
      columns: 120,
      rows: 40,
      environment: { HOME: house.directory },
    })
    unread = terminal
    let shown = ''
    await until(async () => {
      shown += terminal.read()
      return shown.includes('Family') || null
    })
    let before = -1
    let same = 0
    await until(async () => {
      terminal.type('\u000c')
      const now = terminal.waiting()
      same = now === before && now > 1000 ? same + 1 : 0
      before = now
      return same > 60 || null
    })
    return terminal
  }

  test(
    'does not keep the program from ending when it is told to',
    async () => {
      const terminal = await filled()
      terminal.kill('SIGTERM')
      expect(await terminal.exited).toBe(130)
    },
    patience,
  )

  test(
    'is sent the newest frame when it takes something again, and none of those before',
    async () => {
      const terminal = await filled()
      terminal.type('6')
      let shown = ''
      await until(async () => {
        shown += terminal.read()
        return (shown.includes('Jobs') && shown.includes('running only')) || null
      })
      // What it held, the rest of a frame, and the newest: not 60 times 5 KB.
      expect(shown.length).toBeLessThan(100_000)
      terminal.type('qq')
      await until(async () => {
        shown += terminal.read()
        return shown.includes('\u001b[?1049l') || null
      })
      expect(await terminal.exited).toBe(0)
    },
    patience,
  )
})

describe('while a job runs here', () => {
  test(
    'leaving asks; a worker that is killed is replaced, and the job continues',
    async () => {
      await house.pictures('Long', 400)
      const id = await house.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const body = { name: 'Long', path: house.folder('Long') }
        return (await library.as(terminalViewer).collections.create({ body })).id
      })
      const screen = house.tui('collections')
      await screen.waitFor('Long')
      screen.press('G', 's')
      await screen.waitFor('scanning')
      // Its worker dies as the kernel kills.
      const worker = await until(async () => workerOf(screen.pid))
      process.kill(worker, 'SIGKILL')
      const other = await until(async () => {
        const now = workerOf(screen.pid)
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
      const waiting = await house.with(({ jobs }) => jobs.waiting().map(job => [job.kind, job.collectionId]))
      expect(waiting).toContainEqual(['scan', id])

      // The next one continues with it, and stops it on request.
      const again = house.tui('jobs')
      await again.waitFor('1 running')
      again.press('q', 'q')
      await again.waitFor('Stop them')
      again.press('s')
      expect(await again.exited).toBe(0)
      expectRestored(again)
      expect(await house.with(({ jobs }) => jobs.waiting().filter(({ kind }) => kind === 'scan').length)).toBe(0)
    },
    patience * 2,
  )

  test(
    'Esc cancels waiting: nobody is thrown out of their work when the job ends',
    async () => {
      await house.pictures('Onward', 80)
      await house.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const body = { name: 'Onward', path: house.folder('Onward') }
        return library.as(terminalViewer).collections.create({ body })
      })
      const screen = house.tui('collections')
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
    patience * 2,
  )

  test(
    'one may wait until it is done',
    async () => {
      await house.pictures('Short', 60)
      await house.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const body = { name: 'Short', path: house.folder('Short') }
        return library.as(terminalViewer).collections.create({ body })
      })
      const screen = house.tui('collections')
      await screen.waitFor('Short')
      screen.press('G', 's')
      await screen.waitFor('scanning')
      screen.press('ctrl-c')
      await screen.waitFor('Leave for later')
      screen.press('w')
      await screen.waitFor('Leaving when the jobs are done.')
      expect(await screen.exited).toBe(0)
      expectRestored(screen)
      const items = await house.with(async library => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        const all = await library.as(terminalViewer).collections.list()
        return all.find(({ name }) => name === 'Short')?.itemcount
      })
      expect(items).toBe(60)
    },
    patience * 2,
  )
})

describe('while an export is written', () => {
  /** The UI with a running export that continues when `go` is called. */
  async function exporting(): Promise<{ screen: TerminalScreen; folder: string; go(): void }> {
    const folder = mkdtempSync(join(house.directory, 'out-'))
    const gate = join(folder, 'gate')
    const screen = openScreen([
      process.execPath,
      join(import.meta.dir, '../support/slow-tui.ts'),
      house.data,
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
    // It is shown while it lasts, beside the keys.
    await screen.waitFor(/^ Writing .* \d+ B$/m)
    await screen.waitFor('q back')
    return { screen, folder, go: () => writeFileSync(gate, '') }
  }

  test(
    'leaving asks; who stops it leaves nothing half written',
    async () => {
      const { screen, folder } = await exporting()
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
    patience,
  )

  test(
    'one may wait until it is whole',
    async () => {
      const { screen, folder, go } = await exporting()
      screen.press('ctrl-c')
      await screen.waitFor('1 export is being written by this program.')
      screen.press('w')
      await screen.waitFor('Leaving when everything is written.')
      go()
      expect(await screen.exited).toBe(0)
      expect(readdirSync(folder).sort()).toEqual(['gate', 'x.csv'])
      expect(readFileSync(join(folder, 'x.csv'), 'utf8').trim().split('\n').length).toBe(4)
    },
    patience,
  )

  test(
    'who waits and cannot have it whole stays, and reads why',
    async () => {
      const { screen, folder, go } = await exporting()
      screen.press('ctrl-c')
      await screen.waitFor('1 export is being written by this program.')
      screen.press('w')
      await screen.waitFor('Leaving when everything is written.')
      writeFileSync(join(folder, 'x.csv'), 'of somebody else')
      go()
      await screen.waitFor('cannot be written.')
      await screen.waitUntilGone('Leaving when')
      expect(readdirSync(folder).sort()).toEqual(['gate', 'x.csv'])
      screen.press('q', 'q')
      expect(await screen.exited).toBe(0)
    },
    patience,
  )

  test(
    'a program that is ended from outside leaves nothing half written',
    async () => {
      const { screen, folder } = await exporting()
      screen.kill('SIGTERM')
      expect(await screen.exited).toBe(130)
      expectRestored(screen)
      expect(readdirSync(folder)).toEqual([])
    },
    patience,
  )
})

/** Process of a job's worker that a program has started; null: none. */
const workerOf = (parent: number) => childOf(parent, ' worker job ')

/** Process that another has started, with this in its command line; null: none. */
function childOf(parent: number, words: string): number | null {
  const { stdout } = Bun.spawnSync(['ps', '-eo', 'pid=,ppid=,args='])
  const found = stdout
    .toString()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .find(([, ppid, ...args]) => ppid === String(parent) && ` ${args.join(' ')} `.includes(words))
  return found === undefined ? null : Number(found[0])
}
