/** The dashboard: its overview, and its updates on changes by any process. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { cleanEnvironment, programCommand, runCommand } from '../support/command.ts'
import { registerAndSignIn, startServer } from '../support/server-process.ts'
import { expectFrame } from '../support/terminal-screen.ts'
import { openWorkingLibrary, type WorkingLibrary } from '../support/working-library.ts'

const timeout = 60_000

/** Masks what differs between runs: times and sizes. */
const masks = [
  [/(Today|Yesterday) \d\d:\d\d/g, '$1 12:34'],
  [/^( {3})\d\d:\d\d/, '$112:34'],
  [/(previews|database|free) [\d.]+ [KMGT]?B/g, '$1 1.2 MB'],
] as const

describe('overview', () => {
  let workspace: WorkingLibrary
  beforeAll(async () => {
    workspace = openWorkingLibrary()
    await workspace.pictures('Family', 12)
    workspace.put('pictures/Family/broken.jpg', 'no picture at all')
    await workspace.collection('Family')
    await workspace.pictures('Großmutters Alben von der Küste und aus dem Süden', 3)
    await workspace.collection('Großmutters Alben von der Küste und aus dem Süden')
    await workspace.collection('Empty folder')
    await workspace.pictures('Phone uploads', 30)
    const phone = await workspace.collection('Phone uploads')
    rmSync(workspace.folder('Phone uploads'), { recursive: true })
    await workspace.scan(phone)
  })
  afterAll(() => workspace.close())

  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 120, rows: 40 },
    { columns: 60, rows: 20 },
  ])
    test(
      `collections, jobs, problems and recent steps look as recorded at ${size.columns}×${size.rows}`,
      async () => {
        const screen = workspace.tui('dashboard', size)
        await screen.waitFor(/previews \d/)
        await screen.waitFor('No jobs are running.')
        if (size.columns > 60) await screen.waitFor('Scan of')
        expectFrame(screen, 'dashboard', masks)
        // Moves to the problems, so that their keys are shown.
        screen.press(']')
        await screen.waitFor('Enter: show it')
        expectFrame(screen, 'dashboard-problem', masks)
        if (size.columns > 60) expect(screen.text()).toContain('m: mark 30 items missing')
        await screen.close()
      },
      timeout,
    )

  test(
    'only problems (amber) and the cursor (accent) have a colour',
    async () => {
      const screen = workspace.tui('dashboard', { columns: 120, rows: 40 })
      await screen.waitFor('stopped')
      const amber = screen.cellOf('stopped').colour
      expect(screen.cellOf('! Phone').colour).toBe(amber)
      expect(screen.cellOf('1 problem').colour).toBe(amber)
      const accent = screen.cellOf('›').colour
      const colours = new Set<string | number>()
      for (let row = 0; row < 40; row++)
        for (let column = 0; column < 120; column++) colours.add(screen.cell(column, row).colour)
      expect(colours).toEqual(new Set(['default', amber, accent]))
      await screen.close()
    },
    timeout,
  )
})

test(
  'rows that do not fit are counted, and the lists stay in place when the focus moves',
  async () => {
    const workspace = openWorkingLibrary()
    await workspace.with(async library => {
      const { terminalViewer } = await import('../../core/accounts/access.ts')
      for (let n = 1; n <= 12; n++) {
        const name = `Folder ${n}`
        mkdirSync(workspace.folder(name), { recursive: true })
        const { id } = await library
          .as(terminalViewer)
          .collections.create({ body: { name, path: workspace.folder(name) } })
        // The scan of a collection without its folder stops, which is listed as a problem.
        if (n > 10) rmSync(workspace.folder(name), { recursive: true })
        await library.jobs.run(
          await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: id }, { inProcess: true }),
        )
      }
    })
    const screen = workspace.tui()
    await screen.waitFor('Folder 1')
    await screen.waitFor('Its folder is not there')
    const places = () => {
      const lines = screen.lines()
      return {
        more: lines.findIndex(line => /^ {3}… \d+ more$/.test(line)),
        problems: lines.findIndex(line => /^ Problems/.test(line)),
      }
    }
    const before = places()
    const shown = screen.lines().filter(line => /^ [› ] Folder/.test(line)).length
    expect(before.more).toBe(shown + 3)
    expect(screen.lines()[before.more]).toBe(`   … ${12 - shown} more`)
    screen.press('tab')
    await screen.waitFor('Enter: show it')
    expect(places()).toEqual(before)
    await screen.close()
    await workspace.close()
  },
  timeout,
)

describe('updates', () => {
  test(
    'a scan by cron is shown with its progress bar, and a running server with its address',
    async () => {
      const workspace = openWorkingLibrary()
      await workspace.pictures('Holidays', 300)
      await workspace.with(async ({ collections }) => {
        const { terminalViewer } = await import('../../core/accounts/access.ts')
        await collections.resolve(terminalViewer, workspace.folder('Holidays'), { create: true })
      })
      const screen = workspace.tui('dashboard', { columns: 120, rows: 40 })
      await screen.waitFor('no server running')
      await screen.waitFor('not scanned')
      const server = await startServer(workspace.data)
      try {
        // The set-up link is shown until there is an account.
        await screen.waitFor(`serving  ${server.setup}`)
        await registerAndSignIn(server)
        await screen.waitFor(`serving  ${server.address} `)
        await screen.waitFor('1 person signed in')
        const cron = Bun.spawn([...programCommand(), '--data', workspace.data, 'scan', 'Holidays', '--quiet'], {
          stdin: 'ignore',
          stdout: 'ignore',
          stderr: 'ignore',
          env: cleanEnvironment(),
        })
        await screen.waitFor(/Scan of Holidays +━+─+ +\d+ % +\d+ of 300/)
        await screen.waitFor('running            scanning')
        await screen.waitFor('1 running')
        const percent = () => Number(/Scan of Holidays\D+(\d+) %/.exec(screen.text())?.[1] ?? 0)
        const before = percent()
        await screen.waitFor(() => percent() > before)
        expect(await cron.exited).toBe(0)
        await screen.waitFor('up to date')
        await screen.waitFor('Scan of Holidays done')
        await screen.waitFor(/Holidays +300/)
      } finally {
        server.child.kill('SIGTERM')
        await server.child.exited
      }
      await screen.waitFor('no server running')
      await workspace.close()
    },
    timeout,
  )

  test(
    'a change by a command is reported within a moment',
    async () => {
      const workspace = openWorkingLibrary()
      await workspace.pictures('Family', 4)
      await workspace.collection('Family')
      const screen = workspace.tui('dashboard', { columns: 120, rows: 40 })
      await screen.waitFor('Just now')
      expect(
        (
          await runCommand([
            '--data',
            workspace.data,
            'item',
            'tag',
            'add',
            'keywords',
            'Beach',
            '--query',
            'type:image',
            '--quiet',
          ])
        ).code,
      ).toBe(0)
      await screen.waitFor('Changed tags of 4 items')
      expect(
        (await runCommand(['--data', workspace.data, 'collection', 'remove', 'Family', '--yes', '--quiet'])).code,
      ).toBe(0)
      await screen.waitFor('None yet.')
      await workspace.close()
    },
    timeout,
  )
})
