/** The pseudo-terminal of the tests behaves like a real terminal. */
import { afterAll, expect, test } from 'bun:test'
import { openScreen, type ScreenOptions, type TerminalScreen } from '../support/terminal-screen.ts'

const opened: TerminalScreen[] = []
function shell(script: string, options: ScreenOptions = {}): TerminalScreen {
  const screen = openScreen(['/bin/bash', '-c', script], options)
  opened.push(screen)
  return screen
}
afterAll(async () => {
  for (const screen of opened) await screen.close()
})

test('the output of a command is on the screen, in its colours', async () => {
  const screen = shell(
    "printf 'plain \\033[1mbold\\033[0m \\033[7minverse\\033[0m \\033[38;5;214mamber\\033[0m'; read x",
  )
  await screen.waitFor('amber')
  expect(screen.lines()[0]).toBe('plain bold inverse amber')
  expect(screen.cellOf('bold').bold).toBe(true)
  expect(screen.cellOf('plain')).toMatchObject({ bold: false, inverse: false, colour: 'default' })
  expect(screen.cellOf('inverse').inverse).toBe(true)
  expect(screen.cellOf('amber').colour).toBe(214)
  expect(screen.find('inverse')).toEqual({ column: 11, row: 0 })
})

test('typed input reaches the command, and its exit code is returned', async () => {
  const screen = shell('read -r name; echo "hello $name"; exit 7')
  screen.type('Inés')
  screen.press('enter')
  expect(await screen.exited).toBe(7)
  expect(screen.text()).toContain('hello Inés')
})

test('the alternate screen, the cursor, the title and the echo are tracked', async () => {
  const screen = shell(
    "printf 'before'; printf '\\033[?1049h\\033[?25l\\033]0;Keepsake\\007full'; stty -echo; read x; stty echo; printf '\\033[?25h\\033[?1049lafter'; read y",
  )
  await screen.waitFor('full')
  expect(screen.isAlternate()).toBe(true)
  expect(screen.cursor().shown).toBe(false)
  expect(screen.title()).toBe('Keepsake')
  screen.press('enter')
  await screen.waitFor('after')
  expect(screen.isAlternate()).toBe(false)
  expect(screen.cursor().shown).toBe(true)
  expect(screen.echoes()).toBe(true)
  expect(screen.text()).toContain('before')
})

test('Ctrl-C reaches the command as a signal', async () => {
  const screen = shell("trap 'echo stopped; exit 130' INT; echo ready; while true; do sleep 0.05; done")
  await screen.waitFor('ready')
  screen.press('ctrl-c')
  expect(await screen.exited).toBe(130)
  expect(screen.text()).toContain('stopped')
})

test('a command is notified of a new size', async () => {
  const screen = shell("trap 'stty size' WINCH; echo ready; while true; do sleep 0.05; done", {
    columns: 100,
    rows: 30,
  })
  await screen.waitFor('ready')
  screen.resize(60, 20)
  await screen.waitFor('20 60')
  expect(screen.lines()).toHaveLength(20)
})

test('the terminal answers queries for its cursor position and its type', async () => {
  const screen = shell(
    "stty raw -echo; printf 'abc\\033[6n'; IFS= read -r -d R at; printf '\\033[c'; IFS= read -r -d c what; stty sane; printf '\\n%q %q' \"$at\" \"$what\"; read x",
  )
  await screen.waitFor('[1;4')
  await screen.waitFor('[?1;2')
})

test('pictures of the kitty protocol are shown if the terminal supports it', async () => {
  const query = "printf '\\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\\033\\\\'"
  const send = "printf '\\n\\n  \\033_Ga=T,f=24,i=7,p=1,s=2,v=1,c=8,r=4,m=1;AAAA\\033\\\\\\033_Gm=0;AAAA\\033\\\\'"
  const supporting = shell(
    `stty raw -echo; ${query}; IFS= read -r -d '\\' answer; stty sane; printf '%q' "$answer"; ${send}; echo there; read x; printf '\\033_Ga=d,d=I,i=7\\033\\\\'; echo gone; read x`,
    { kitty: true },
  )
  await supporting.waitFor('there')
  expect(supporting.text()).toContain('_Gi=31;OK')
  expect([...supporting.pictures.placements.values()]).toEqual([{ image: 7, column: 2, row: 2, columns: 8, rows: 4 }])
  expect(supporting.pictures.images.get(7)?.data.length).toBe(6)
  supporting.press('enter')
  await supporting.waitFor('gone')
  expect(supporting.pictures.placements.size).toBe(0)
  expect(supporting.pictures.images.size).toBe(0)
  const plain = shell(`${send}; echo there; read x`)
  await plain.waitFor('there')
  expect(plain.pictures.images.size).toBe(0)
  expect(plain.text()).not.toContain('AAAA')
})
