/** Every example of help, the man page and README, typed into a shell one after the other. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flatten, treeOf } from '../../cli/command-tree.ts'
import { manPage } from '../../cli/commands/program/man.ts'
import { examples } from '../../cli/examples.ts'
import { createProgram } from '../../cli/program.ts'
import { openFullShellWorkspace } from '../support/shell-workspace.ts'
import { openScreen } from '../support/terminal-screen.ts'

const workspace = await openFullShellWorkspace()
const root = treeOf(createProgram())

test('every command has an example', () => {
  const without = flatten(root).filter(
    ({ inner, name }) => inner.length === 0 && !examples.some(({ of }) => of === name),
  )
  expect(without.map(({ name }) => name)).toEqual([])
})

test('every example belongs to a command', () => {
  const names = new Set(flatten(root).map(({ name }) => name))
  expect(examples.filter(({ of }) => !names.has(of))).toEqual([])
})

test('README and the man page show every example', async () => {
  const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8')
  const signs: Record<string, string> = { '-': '-', e: '\\', '(aq': "'", '(ga': '`', '(ti': '~', '(ha': '^' }
  const page = (await manPage(root)).replace(/\\(-|e|\(aq|\(ga|\(ti|\(ha)/g, (_, sign: string) => signs[sign] ?? '')
  for (const { line } of examples) {
    expect(readme).toContain(line)
    expect(page).toContain(line)
  }
})

/** The shell line for an example. A server is stopped as soon as it has printed its address. */
function shellLine(line: string): string {
  if (!line.startsWith('keepsake serve')) return line
  return `exec 3< <(exec ${line} --json --listen 127.0.0.1:0); pid=$!; read -r said <&3; kill -TERM $pid; wait $pid; code=$?; echo "$said"; exit $code`
}

/** Runs an example of the terminal UI on a test screen, and quits with the key q. */
async function onScreen(line: string) {
  const screen = openScreen(['/bin/bash', '-c', line], {
    environment: { ...workspace.environment, XDG_DATA_HOME: '' },
    cwd: workspace.home,
  })
  await screen.waitFor('q quit')
  screen.press('q')
  // Quitting asks first if the example has started a job.
  await Promise.race([screen.exited, screen.waitFor('Leave for later').then(() => screen.press('l'))])
  expect(await screen.exited).toBe(0)
  await screen.close()
}

for (const { line, exits = [0] } of examples) {
  test(`$ ${line}`, async () => {
    if (line.startsWith('keepsake tui')) return await onScreen(line)
    // The earlier examples end with a change of rights, which cannot be undone, so first make a change that can be undone.
    if (line.includes('undo last')) await workspace.sh("keepsake item tag set rating 4 --query 'type:image' --quiet")
    const ran = await workspace.sh(shellLine(line), { PASSWORD: 'good picture' })
    if (!exits.includes(ran.code)) throw new Error(`exit code ${ran.code}\n${ran.out}${ran.err}`)
    expect(ran.err).not.toMatch(/unexpected error|undefined|\[object/)
    expect(ran.out).not.toMatch(/undefined|\[object/)
  })
}
