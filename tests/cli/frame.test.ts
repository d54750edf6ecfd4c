/** What all commands share: flags and their environment variables, errors, streams, signals, exit codes. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { flatten, treeOf } from '../../cli/command-tree.ts'
import { variableOf } from '../../cli/environment.ts'
import { examplesOf } from '../../cli/examples.ts'
import { fieldNames } from '../../cli/items/item-fields.ts'
import { createProgram } from '../../cli/program.ts'
import { settingNames } from '../../schema/settings.ts'
import { type CommandResult, cleanEnvironment, programCommand } from '../support/command.ts'
import { isLong } from '../support/long.ts'
import { picture } from '../support/scanning-library.ts'
import { openFullShellWorkspace, openShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
const keepsake = (line: string, environment: Record<string, string> = {}): Promise<CommandResult> =>
  workspace.sh(`keepsake ${line}`, environment)

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await keepsake('scan ~/Pictures --quiet')
}, 60_000)

test('help for an unknown command suggests a similar one', async () => {
  const wrong = await keepsake('help scna')
  expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 2, out: '' })
  expect(wrong.err).toBe("error: unknown command 'scna'\n(Did you mean scan?)\n(see 'keepsake --help')\n")
  expect((await keepsake('help item lst')).err).toContain('(Did you mean list?)')
  expect((await keepsake('help item list')).out).toBe((await keepsake('item list --help')).out)
  expect((await keepsake('help')).out).toBe((await keepsake('--help')).out)
})

describe('a flag', () => {
  test('has an environment variable, named after its command unless the flag means the same in every command', () => {
    const program = createProgram()
    const scan = program.commands.find(command => command.name() === 'scan')
    const names = scan?.options.map(option => variableOf(scan, option))
    expect(names).toEqual([
      'KEEPSAKE_SCAN_ALL',
      'KEEPSAKE_DRY_RUN',
      'KEEPSAKE_SCAN_FULL',
      'KEEPSAKE_SCAN_ACCEPT_MISSING',
      'KEEPSAKE_SCAN_FACES',
      'KEEPSAKE_SCAN_NEW',
      'KEEPSAKE_SCAN_JOBS',
    ])
    expect(program.options.slice(1).map(option => variableOf(program, option))).toEqual([
      'KEEPSAKE_DATA',
      'KEEPSAKE_SERVER',
      'KEEPSAKE_TOKEN',
      'KEEPSAKE_JSON',
      'KEEPSAKE_QUIET',
    ])
  })

  test('is shown in the help with its environment variable', async () => {
    const { out, code } = await keepsake('item list --help')
    expect(code).toBe(0)
    for (const name of ['KEEPSAKE_ITEM_LIST_LIMIT', 'KEEPSAKE_JSON'])
      expect(out.replace(/\s+/g, ' ')).toContain(`env: ${name}`)
  })

  test('is read from the environment unless it is on the command line', async () => {
    const listed = await keepsake('item list', { KEEPSAKE_ITEM_LIST_LIMIT: '2', KEEPSAKE_JSON: '1' })
    expect(listed.objects.at(-1)).toMatchObject({ items: 2 })
    expect(
      (await keepsake('item list --limit 1', { KEEPSAKE_ITEM_LIST_LIMIT: '2', KEEPSAKE_JSON: 'yes' })).objects,
    ).toHaveLength(2)
    expect((await keepsake('item list', { KEEPSAKE_JSON: 'off', KEEPSAKE_ITEM_LIST_LIMIT: '' })).objects).toEqual([])
  })

  test('with an invalid value or a misspelt name in the environment is refused', async () => {
    for (const [name, value] of [
      ['KEEPSAKE_DRY_RUN', 'maybe'],
      ['KEEPSAKE_DRYRUN', '1'],
      ['KEEPSAKE_ITEM_LIST_LIMT', '3'],
      ['KEEPSAKE_ITEM_LIST_LIMIT', 'many'],
    ] as const) {
      const ran = await keepsake('item list --json', { [name]: value })
      expect(ran).toMatchObject({ code: 2, objects: [{ type: 'summary', schema: 1, state: 'failed' }] })
      expect(ran.objects[0]?.error).toContain(name)
    }
    expect(await keepsake('item list', { KEEPSAKE_JSON: 'perhaps' })).toMatchObject({
      code: 2,
      err: "keepsake: KEEPSAKE_JSON is on or off (1 or 0), not 'perhaps'.\n",
    })
    const slip = await keepsake('item recycle 1', { KEEPSAKE_DRYRUN: '1' })
    expect(slip).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean KEEPSAKE_DRY_RUN?') })
  })
})

test('every command that changes something has --dry-run', () => {
  const withoutDryRun = flatten(treeOf(createProgram())).filter(
    ({ inner, flags }) => inner.length === 0 && !flags.some(({ names }) => names.includes('--dry-run')),
  )
  expect(withoutDryRun.map(({ name }) => name.replace('keepsake ', ''))).toEqual([
    'serve',
    'tui',
    'collection list',
    'collection show',
    'item list',
    'item show',
    'favourite list',
    'album list',
    'album show',
    'link list',
    'explain',
    'people list',
    'people export',
    'faces status',
    'faces groups',
    'models list',
    'keystring list',
    'access list',
    'access explain',
    'access matrix',
    'user list',
    'token list',
    'plugin list',
    'jobs list',
    'jobs watch',
    'problems',
    'history list',
    'audit',
    'config list',
    'config get',
    'doctor',
    'verify',
    'cron',
    'completion',
    'man',
    'licenses',
  ])
})

describe('a typing mistake', () => {
  test.each([
    ['itm', /Did you mean item\?/],
    ['item lst', /Did you mean list\?/],
    ['jobs wach', /Did you mean watch\?/],
    ['config sett', /Did you mean set\?/],
    ['item list --jsn', /Did you mean --json\?/],
    ['scan --dryrun', /Did you mean --dry-run\?/],
    ['collection show', /missing required argument 'collection'/],
    ['import x', /--into/],
    ['completion csh', /Allowed choices are bash, zsh, fish/],
    ['item list --limit none', /whole number/],
    ['access explain --item x', /not a valid item id/],
    ['', /Usage: keepsake/],
    ['item', /Usage: keepsake item/],
  ])("'keepsake %s' exits with 2 and says what is wrong", async (line, says) => {
    const ran = await keepsake(line)
    expect(ran.err).toMatch(says)
    expect(ran).toMatchObject({ code: 2, out: '' })
  })

  test('is reported in the summary of --json, too', async () => {
    const ran = await keepsake('item list --colour --json')
    expect(ran).toMatchObject({ code: 2 })
    expect(ran.objects).toEqual([
      { type: 'summary', schema: 1, state: 'failed', error: expect.stringContaining('--colour') },
    ])
    expect((await keepsake('item --json')).objects).toMatchObject([{ error: expect.stringContaining('command') }])
  })
})

describe('combinations in which one flag would be ignored are refused, naming both', () => {
  test.each([
    ['item list --recycled --missing', ['--recycled', '--missing']],
    ['item list --data ~/other --server http://localhost:1', ['--data', '--server']],
    ['item list --token abc', ['--token', '--server']],
    ['item rotate 1 --query beach', ['ids', '--query']],
    ['item recycle - --query beach', ['-', '--query']],
    ['transfer 1 --items 2 --to Pictures', ['ids', '--items']],
    ['transfer --items 2 --query beach --to Pictures', ['--items', '--query']],
    ['faces forget --all --person Anna', ['--all', '--person']],
    ['scan Pictures --all', ['a collection', '--all']],
    ['import Pictures --into Pictures --guess --dry-run', ['--guess', 'a collection']],
    ['import Card --into Pictures --from Other --dry-run', ['--from', 'a directory']],
    ['import words.json --into Pictures --guess --dry-run', ['--guess', 'a file']],
    ['import words.json --into Pictures --plan p', ['--plan', '--dry-run']],
    ['people unused --yes', ['--yes', '--remove']],
    ['collection set Pictures readonly=no readonly=yes --dry-run', ['readonly=no', 'readonly=yes']],
    ['access set 1 view=yes view=no --dry-run', ['view=yes', 'view=no']],
    ['plugin options sample-statistics a=1 a=2 --dry-run', ['a=1', 'a=2']],
    ['export Pictures --format csv --out a --to b', ['--to', '--out']],
    ['export --replace', ['--replace', '--format xmp']],
  ])('%s', async (line, names) => {
    workspace.put('words.json', '')
    const { code, err, objects } = await keepsake(`${line} --json`)
    expect({ code, states: objects.map(({ state }) => state) }).toEqual({ code: 2, states: ['failed'] })
    for (const name of names) expect(err).toContain(name)
  })

  test('a flag may conflict with an environment variable; environment variables alone are never refused', async () => {
    const wrong = await keepsake('item list --data ~/other', { KEEPSAKE_SERVER: 'http://localhost:1' })
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('(KEEPSAKE_SERVER)') })
    expect((await keepsake('item list', { KEEPSAKE_TOKEN: 'abc' })).code).toBe(0)
    expect((await keepsake('people unused', { KEEPSAKE_YES: '1' })).code).toBe(0)
    const three = { KEEPSAKE_DATA: workspace.data, KEEPSAKE_SERVER: 'http://localhost:1', KEEPSAKE_TOKEN: 'abc' }
    expect((await keepsake('item list', three)).code).toBe(11)
  })
})

test('every summary has a state', async () => {
  const ended = await workspace.sh(
    [
      'collection list',
      'collection show Pictures',
      'collection set Pictures readonly=no',
      'item list',
      'item show 1',
      'explain beach',
      'people list',
      'people unused',
      'keystring list',
      'keystring show Holiday',
      'access list',
      'access matrix',
      'access explain --item 1',
      'access create Stated',
      'access set Stated view=yes',
      'user list',
      'token list',
      'plugin list',
      'plugin options sample-statistics',
      'jobs list --all',
      'jobs watch',
      'problems',
      'history list',
      'audit',
      'config list',
      'config get listen',
      'doctor',
      'licenses',
      'cron',
    ]
      .map(line => `keepsake ${line} --json | tail -n 1`)
      .join('; '),
  )
  expect(ended.objects).toHaveLength(29)
  for (const summary of ended.objects)
    expect(summary).toMatchObject({ type: 'summary', state: expect.stringMatching(/^(done|failed)$/) })
}, 120_000)

/** Arguments with which each command gets as far as opening its library. */
const argumentsOf: Record<string, string> = {
  'album create': 'x',
  'album show': 'x',
  'album add': 'x 1',
  'album set': 'x --name y',
  'album remove': 'x 1',
  'album member': 'x y view',
  'album delete': 'x',
  'link create': '1 --user x',
  'link end': '1',
  'collection show': 'X',
  'collection set': 'X managed=no',
  'collection remove': 'X --yes',
  'item show': '1',
  'item tag add': 'keywords a 1',
  'item tag remove': 'keywords a 1',
  'item tag set': 'rating 1 1',
  'item rotate': '1',
  'item recycle': '1',
  'item restore': '1',
  explain: 'beach',
  sort: 'X',
  import: 'X --into Y',
  transfer: '1 --to X',
  'meta import': 'X',
  'meta export': 'X',
  'people rename': 'a b',
  'people name': 'a b',
  'people merge': 'a b',
  'people unused': '',
  'faces index': '',
  'faces forget': '--all',
  'models add': 'x',
  'models remove': 'x',
  'keystring rename': 'a b',
  'keystring hide': 'a',
  'keystring show': 'a',
  'keystring merge': 'a b',
  'access explain': '--item 1',
  'access create': 'x',
  'access set': 'x view=yes',
  'access add': 'x y',
  'access drop': 'x y',
  'access attach': 'x y',
  'access detach': 'x y',
  'user passwd': 'x',
  'token issue': '--user x',
  'token revoke': '1',
  'plugin on': 'x',
  'plugin off': 'x',
  'plugin options': 'x',
  'jobs cancel': '1',
  'history undo': 'last',
  backup: '--out b.zip',
  export: '--out x.json',
}
/** Commands that create a library, need none, or need a screen. */
const exempt =
  /^(serve|tui|scan|apply|collection add|user create|config .+|doctor|restore|cron|completion|man|licenses)$/
const leaves = flatten(treeOf(createProgram()))
  .filter(({ inner }) => inner.length === 0)
  .map(({ name }) => name.replace(/^keepsake /, ''))
  .filter(name => !exempt.test(name))
/** In a normal run one command of each group stands for the group. */
const groupOf = (name: string) => name.split(' ').slice(0, -1).join(' ') || name
const tried = isLong ? leaves : [...new Map(leaves.map(name => [groupOf(name), name])).values()]

describe('without a library', () => {
  test(`${isLong ? 'every command' : 'a command of every group'} exits with 10, names the directory, and creates nothing`, async () => {
    const empty = openShellWorkspace()
    // Only a few at a time, since each is a process.
    for (let at = 0; at < tried.length; at += 4) {
      await Promise.all(
        tried.slice(at, at + 4).map(async name => {
          const ran = await empty.sh(`keepsake ${name} ${argumentsOf[name] ?? ''} --json`)
          expect({ name, code: ran.code }).toEqual({ name, code: 10 })
          expect(ran.err).toContain(`There is no library in ${empty.data}`)
          expect({ name, objects: ran.objects }).toMatchObject({
            name,
            objects: [{ type: 'summary', schema: 1, state: 'failed' }],
          })
        }),
      )
    }
    expect(existsSync(empty.data)).toBe(false)
  }, 120_000)

  test('only scanning or adding an existing directory creates a library', async () => {
    const empty = openShellWorkspace()
    empty.put('pics/.keep', '')
    for (const [line, code] of [
      ['scan --all', 10],
      ['scan --all --dry-run', 10],
      ['scan Pictures', 10],
      ['scan /nonexistent', 10],
      ['scan', 2],
      ['scan --all pics', 2],
      ['collection add /nonexistent', 4],
      ['collection add pics --name x', 2],
      ['collection add pics --dry-run', 0],
      ['scan pics --dry-run', 0],
      ['serve /nonexistent', 4],
      ["user create '' <<< secret", 2],
      ['user create ines --dry-run <<< secret', 0],
      ['config unset scan_every', 0],
      ['config set scan_every 12h --dry-run', 0],
    ] as const) {
      const ran = await empty.sh(`keepsake --json ${line}`)
      expect({ line, code: ran.code }).toEqual({ line, code })
      expect({ line, made: existsSync(empty.data) }).toEqual({ line, made: false })
      expect({ line, end: ran.objects.at(-1) }).toMatchObject({ line, end: { type: 'summary' } })
    }
    expect(await empty.sh('keepsake collection add pics --json')).toMatchObject({ code: 0 })
    expect(readdirSync(empty.data)).toContain('library.db')
    // A missing collection has another exit code than a missing library.
    expect((await empty.sh('keepsake scan Nothing')).code).toBe(4)
  }, 120_000)
})

test('commands that work only on the server itself say so with --server', async () => {
  for (const line of [
    'backup --out x',
    'verify',
    'doctor',
    'config',
    'restore x',
    'user list',
    'export',
    'serve',
    'cron',
    'token issue --user x',
  ]) {
    const ran = await keepsake(`${line} --server http://localhost:1 --token x`)
    expect({ line, code: ran.code }).toEqual({ line, code: 2 })
    expect(ran.err).toContain('works only on the server itself')
  }
}, 60_000)

describe('streams and signals', () => {
  test('data go to standard output, messages to standard error; --quiet suppresses the messages', async () => {
    const ran = await keepsake('item list year:2021')
    expect(ran.err).toBe('1 item\n')
    expect(ran.out.split('\n')).toHaveLength(3)
    expect(await keepsake('item list year:2021 --quiet')).toMatchObject({ err: '', out: ran.out })
    const coloured = await workspace.sh('keepsake item list --help', { FORCE_COLOR: '1', NO_COLOR: '1' })
    expect(coloured.out.includes(String.fromCharCode(27))).toBe(false)
    // On a terminal, progress moves the cursor, but with NO_COLOR it has no colours.
    if (Bun.which('script') === null) return
    const drawn = await workspace.sh("script -qec 'keepsake scan Pictures --full' /dev/null", { NO_COLOR: '1' })
    expect(drawn.out.split(String.fromCharCode(27)).filter(part => /^\[[34]\dm/.test(part))).toEqual([])
  })

  test('a standard output that cannot be written (a full disk) is reported, with exit code 1', async () => {
    if (!existsSync('/dev/full')) return
    for (const line of [
      'item list',
      'item list --json',
      'collection list',
      'config',
      'explain beach',
      'man',
      'completion bash',
      'cron',
      'history',
      'people export',
      'access list',
      'doctor',
      'export',
      'export Pictures --format csv',
      'item tag add keywords Full 1 --json',
    ]) {
      const ran = await keepsake(`${line} > /dev/full`)
      expect({ line, code: ran.code, err: ran.err }).toEqual({
        line,
        code: 1,
        err: expect.stringMatching(
          /keepsake: Standard output cannot be written: No space left on the disk \(ENOSPC\)\n$/,
        ),
      })
    }
    // Messages on standard error are not data.
    expect((await keepsake('item list 2> /dev/full')).code).toBe(0)
  }, 120_000)

  test('a closed pipe ends a command without a message', async () => {
    const ran = await workspace.sh(`keepsake man | head -n 1; echo "\${PIPESTATUS[0]}"`)
    expect(ran.err).toBe('')
    expect(ran.out).toMatch(/^\.TH KEEPSAKE.*\n0\n$/)
    const all = await workspace.sh(`keepsake export | head -n 1; echo "\${PIPESTATUS[0]}"`)
    expect(all).toMatchObject({ err: '', out: expect.stringMatching(/\n0\n$/) })
  })

  test('a closed pipe does not interrupt a scan, which ends with its own exit code', async () => {
    for (let n = 0; n < 12; n++) workspace.put(`Unread/${n}.jpg`, await picture({ seed: 800 + n }))
    workspace.put('Unread/broken.jpg', 'no picture')
    const ran = await workspace.sh(`keepsake scan ~/Unread --json | head -n 1 > first; echo "\${PIPESTATUS[0]}"`)
    expect(ran.out).toBe('3\n')
    expect((await keepsake('item list --collection Unread --json')).objects.at(-1)).toMatchObject({ items: 12 })
    const words = await workspace.sh(`keepsake scan ~/Unread --full 2> >(true); echo $?; keepsake jobs --json`)
    expect(words.out).toStartWith('3\n')
    expect(words.objects.at(-1)).toMatchObject({ jobs: 0 })
    await workspace.sh('rm ~/Unread/broken.jpg; keepsake scan ~/Unread --quiet')
  }, 60_000)

  test('control characters in names do not reach a terminal', async () => {
    workspace.put('Odd/\u001b[31mred\u202e.jpg', await picture({ seed: 77 }))
    await keepsake('scan ~/Odd --quiet')
    const { out } = await keepsake('item list --collection Odd --fields name')
    expect(out).toBe('\\u{1b}[31mred\\u{202e}.jpg\n')
    const { objects } = await keepsake('item list --collection Odd --json')
    expect(objects[0]?.name).toBe('\u001b[31mred\u202e.jpg')
  })

  test('after Ctrl-C, the output of a command that only reads ends with whole lines and a summary', async () => {
    workspace.put(
      'slow.ts',
      `import { endAtOnceOnSignal } from '${join(import.meta.dir, '../../cli/exit.ts')}'
      import { createOutput } from '${join(import.meta.dir, '../../cli/output.ts')}'
      const output = createOutput({ json: true })
      endAtOnceOnSignal(() => output.end({ state: 'interrupted' }))
      for (let n = 0; n < 5000; n++) output.object({ type: 'item', n, text: 'x'.repeat(1000) })
      process.stderr.write('told')
      setInterval(() => output.object({ type: 'late' }), 1)`,
    )
    const child = Bun.spawn([process.execPath, 'run', workspace.at('slow.ts')], { stdout: 'pipe', stderr: 'pipe' })
    await child.stderr.getReader().read()
    child.kill('SIGINT')
    const lines = (await new Response(child.stdout).text()).trimEnd().split('\n')
    expect(await child.exited).toBe(130)
    const objects: { type: string; state?: string }[] = lines.map(line => JSON.parse(line))
    expect(objects.at(-1)).toMatchObject({ type: 'summary', state: 'interrupted' })
    expect(objects.slice(0, -1).every(({ type }) => type !== 'summary')).toBe(true)
  }, 60_000)

  test('Ctrl-C ends a scan with 130 and an intact library, and the same command continues it', async () => {
    for (let n = 0; n < 60; n++)
      workspace.put(`Many/${n}.jpg`, await picture({ seed: 100 + n, width: 1200, height: 900 }))
    const child = Bun.spawn([...programCommand(), '--data', workspace.data, 'scan', workspace.at('Many'), '--json'], {
      stdout: 'pipe',
      stderr: 'pipe',
      env: cleanEnvironment(),
    })
    const out: string[] = []
    const decoder = new TextDecoder()
    for await (const piece of child.stdout) {
      out.push(decoder.decode(piece))
      // The scan has started.
      if (out.length === 1) child.kill('SIGINT')
    }
    expect(await child.exited).toBe(130)
    const [last = ''] = out.join('').trimEnd().split('\n').slice(-1)
    expect(JSON.parse(last)).toMatchObject({ type: 'summary', state: 'interrupted' })
    expect((await keepsake('scan ~/Many --json')).code).toBe(0)
    expect((await keepsake('item list --collection Many --json')).objects.at(-1)).toMatchObject({ items: 60 })
    expect((await keepsake('doctor --json')).objects.find(({ check }) => check === 'database')).toMatchObject({
      state: 'ok',
    })
  }, 120_000)
})

describe('a data directory that cannot be written', () => {
  test('is reported with a remedy when it is not a directory', async () => {
    workspace.put('file', '')
    const ran = await keepsake('--data ~/file/below scan ~/Card')
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(`${workspace.at('file')} is not a directory`) })
  })

  test('is reported when the user may only read it', async () => {
    const other = openShellWorkspace()
    await other.sh(
      `mkdir -p '${other.data}'; cp -r '${workspace.data}/.' '${other.data}'; chmod -R a+rX,u-w ~; rm -rf '${other.data}/cache'`,
    )
    // Root may write everywhere, so the command runs as 'nobody', provided that this user can read the program.
    const as = process.getuid?.() === 0 ? 'setpriv --reuid 65534 --clear-groups -- ' : ''
    if (as !== '') await other.sh('d=~; while [ "$d" != / ]; do chmod a+x "$d"; d=$(dirname "$d"); done')
    const able = await other.sh(`${as}keepsake --version`)
    const ran = await other.sh(`${as}keepsake --data '${other.data}' item list --json`)
    await other.sh('chmod -R u+w ~')
    if (able.code !== 0) return
    expect(ran).toMatchObject({ code: 5, err: expect.stringContaining('cannot be written by this user') })
    expect(ran.objects).toMatchObject([{ type: 'summary', state: 'failed' }])
  })
})

describe('a library that cannot be opened', () => {
  test('for lack of permission is not reported as missing', async () => {
    const other = openShellWorkspace()
    await other.sh(`mkdir -p '${other.data}'; cp -r '${workspace.data}/.' '${other.data}'`)
    const as = process.getuid?.() === 0 ? 'setpriv --reuid 65534 --clear-groups -- ' : ''
    if (as !== '') await other.sh('d=~; while [ "$d" != / ]; do chmod a+x "$d"; d=$(dirname "$d"); done')
    await other.sh(`chmod -R a+rX ~; chmod 555 '${other.data}'`)
    const able = await other.sh(`${as}keepsake --version`)
    const set = await other.sh(`${as}keepsake --data '${other.data}' config set scan_every 3h --json`)
    await other.sh(`chmod 000 '${other.data}'`)
    const ran = []
    for (const line of ['item list', 'config', 'scan --all', 'config set scan_every 3h'])
      ran.push({ line, ...(await other.sh(`${as}keepsake --data '${other.data}' ${line} --json`)) })
    await other.sh(`chmod 755 '${other.data}'`)
    if (able.code !== 0) return
    expect(set).toMatchObject({ code: 5, err: expect.stringContaining('cannot be written by this user') })
    for (const { line, code, objects } of ran)
      expect({ line, code, last: objects.at(-1) }).toMatchObject({ line, code: 5, last: { state: 'failed' } })
  }, 60_000)

  test('because it is damaged is reported with a remedy', async () => {
    const other = openShellWorkspace()
    other.put('.local/share/keepsake/library.db', crypto.getRandomValues(new Uint8Array(3000)))
    for (const line of ['item list', 'scan ~', 'serve'])
      expect(await other.sh(`keepsake ${line} --json`)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/library\.db is damaged.*keepsake restore FILE --force/),
        objects: [{ type: 'summary', state: 'failed' }],
      })
  }, 60_000)
})

describe('completions and cron', () => {
  test('bash completes commands, flags and choices', async () => {
    await workspace.sh('keepsake completion bash > complete.bash')
    const completed = async (line: string) => {
      const words = line.split(' ')
      const quoted = words.map(word => `'${word}'`).join(' ')
      const { out } = await workspace.sh(
        `cd /; source ~/complete.bash; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _keepsake; printf '%s\\n' "\${COMPREPLY[@]}"`,
      )
      return out.trimEnd().split('\n')
    }
    expect(await completed('keepsake tran')).toEqual(['transfer'])
    expect(await completed('keepsake --data /x item ro')).toEqual(['rotate'])
    expect(await completed('keepsake item list --so')).toEqual(['--sort'])
    expect(await completed('keepsake item list --sort -na')).toEqual(['-name'])
    expect(await completed('keepsake item tag s')).toEqual(['set'])
    expect(await completed('keepsake jobs --al')).toEqual(['--all'])
    expect(await completed('keepsake history --li')).toEqual(['--limit'])
    expect(await completed('keepsake completion ')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
    expect(await completed('keepsake completion z')).toEqual(['zsh'])
    expect(await completed('keepsake config set scan')).toEqual(['scan_every'])
    expect(await completed('keepsake config unset files.')).toEqual(['files.maxFileSize'])
    expect(await completed('keepsake --quiet config get ')).toEqual(['data', ...settingNames])
    expect(await completed('keepsake config get listen ')).not.toContain('listen')
    expect(await completed('keepsake config set ffmpeg /us')).toEqual(['/usr'])
    expect(await completed('keepsake tui ')).toEqual(expect.arrayContaining(['dashboard', 'bin', 'jobs', 'log']))
    expect(await completed('keepsake tui not-')).toEqual([''])
    expect(await completed('keepsake item tag set r')).toEqual(['rating'])
    expect(await completed('keepsake item tag add ')).toEqual(['category', 'keywords', 'author', 'people', 'object'])
    expect(await completed('keepsake item list --fields ta')).toEqual(['taken_at'])
    expect(await completed('keepsake item list --fields id,ta')).toEqual(['id,taken_at'])
    expect(await completed('keepsake item list --fields id,name,')).toEqual(
      fieldNames.filter(name => name !== 'id' && name !== 'name').map(name => `id,name,${name}`),
    )
    expect(await completed('keepsake hel')).toEqual(['help'])
    expect(await completed('keepsake help trans')).toEqual(['transfer'])
    await workspace.sh('mkdir -p "sp ace/in"')
    expect(await completed(`keepsake scan ${workspace.at('sp')}`)).toEqual([workspace.at('sp ace')])
  })

  test.skipIf(Bun.which('fish') === null)('fish completes settings, screens and tag sets', async () => {
    await workspace.sh('keepsake completion fish > complete.fish')
    const completed = async (line: string) =>
      (await workspace.sh(`fish -N -c 'source complete.fish; complete -C "${line}"'`)).out
        .trimEnd()
        .split('\n')
        .map(text => text.split('\t')[0])
    expect(await completed('keepsake config set scan')).toEqual(['scan_every'])
    expect(await completed('keepsake config set ffmpeg /us')).toEqual(['/usr/'])
    expect(await completed('keepsake tui das')).toEqual(['dashboard'])
    expect(await completed('keepsake item tag set ')).toContain('rating')
    expect(await completed('keepsake item tag set ')).not.toContain('complete.fish')
    expect(await completed('keepsake item list --fields ta')).toEqual(['taken_at'])
    expect(await completed('keepsake item list --fields id,ta')).toEqual(['id,taken_at'])
    expect(await completed('keepsake item list --fields=id,name,')).toHaveLength(fieldNames.length - 2)
    for (const words of ['', 'hel', 'item hel']) expect(await completed(`keepsake ${words}`)).toContain('help')
    expect(await completed('keepsake help trans')).toEqual(['transfer'])
    expect(await completed('keepsake help item ta')).toEqual(['tag'])
    expect(await completed('keepsake item help ro')).toEqual(['rotate'])
  })

  test('scripts for other shells are printed, and pass the syntax check of installed shells', async () => {
    for (const shell of ['zsh', 'fish']) {
      const ran = await workspace.sh(
        `keepsake completion ${shell} > complete.${shell}; if command -v ${shell} >/dev/null; then ${shell} -n complete.${shell}; fi`,
      )
      expect(ran).toMatchObject({ code: 0, err: '' })
    }
    const page = await workspace.sh(
      'keepsake man > k.1; if command -v man >/dev/null; then man --warnings -l k.1 >/dev/null; fi',
    )
    expect(page).toMatchObject({ code: 0, err: '' })
  })

  test.skipIf(Bun.which('man') === null)('the man page shows names and examples as they are typed', async () => {
    await workspace.sh('keepsake man > k.1')
    for (const width of ['60', '80']) {
      const shown = { MANWIDTH: width, LC_ALL: 'C.UTF-8', MAN_KEEP_FORMATTING: '' }
      const { out } = await workspace.sh('man -P cat -l k.1 | col -bx', shown)
      const commands = flatten(treeOf(createProgram()))
      // No name is broken at the end of a line, and no hyphen or quote is replaced by a similar character.
      expect(out).not.toMatch(/[\u2010\u2018\u00b4\u02cb\u02c6\u02dc]/)
      expect(out).toContain('~/.local/share/keepsake')
      for (const flag of commands.flatMap(({ flags }) => flags.flatMap(({ names }) => names)))
        expect(out).toContain(flag)
      for (const node of commands.slice(1).filter(({ inner }) => inner.length === 0))
        for (const { line } of examplesOf(node.name)) expect(out).toContain(line)
    }
  })

  test('cron prints the requested format, also as an object', async () => {
    const keys = async (line: string) => Object.keys((await keepsake(`cron --json ${line}`)).objects[0] ?? {})
    expect(await keys('')).toEqual(['type', 'line', 'units'])
    expect(await keys('--for cron')).toEqual(['type', 'line'])
    expect(await keys('--for systemd')).toEqual(['type', 'units'])
  })

  test('cron prints a line that scans', async () => {
    const { out } = await keepsake('cron --for cron --at 2:05')
    expect(out).toMatch(/^5 2 \* \* \* .* scan --all --quiet\n$/)
    const { code } = await workspace.sh(out.trim().split(' ').slice(5).join(' ').replaceAll('\\%', '%'))
    expect(code).toBe(0)
    const units = await keepsake('cron --for systemd')
    expect(units.out).toContain('OnCalendar=*-*-* 03:15:00')
    expect(units.out).toMatch(/ExecStart=\S.* scan --all --quiet/)
    expect((await keepsake('cron --at 25:00')).code).toBe(2)
    // cron and systemd lack this shell's environment, so the line names the data directory, quoted for each of them.
    const named = { XDG_DATA_HOME: workspace.at('xdg') }
    expect((await keepsake('cron --for cron', named)).out).toContain(` --data ${workspace.at('xdg/keepsake')} scan`)
    const odd = await keepsake("--data '/srv/a$HOME 50%' cron --for systemd")
    expect(odd.out).toContain(' --data "/srv/a$$HOME 50%%" scan')
  })

  test('the second of two overlapping scans exits with 11', async () => {
    const both = await workspace.sh(
      'keepsake scan ~/Many --full --quiet & first=$!; sleep 0; keepsake scan ~/Many --full --quiet; a=$?; wait $first; echo $a $?',
    )
    const codes = both.out.trim().split(' ').map(Number)
    // Either may come first; where they do not overlap, both succeed.
    expect(codes.every(code => code === 0 || code === 11)).toBe(true)
    expect(codes).toContain(0)
  }, 60_000)
})
