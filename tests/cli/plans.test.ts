import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { planDocument } from '../../core/moving/planned-work.ts'
import type { CommandResult } from '../support/command.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { openFullShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
const keepsake = (line: string): Promise<CommandResult> => workspace.sh(`keepsake ${line}`)

beforeEach(async () => {
  workspace = await openFullShellWorkspace()
  workspace.put('Archive/one.jpg', await picture({ seed: 11, exif: takenAt('2001-02-03 04:05:06') }))
  workspace.put('Archive/two.jpg', await picture({ seed: 12, exif: takenAt('2002-03-04 05:06:07') }))
  await keepsake('scan ~/Pictures --quiet')
  await keepsake('scan ~/Archive --quiet')
  await keepsake("collection set Archive managed=yes fileFormat=IMG_ 'folderFormat={Year}'")
}, 60_000)

const sorted = 'Archive/2001/IMG_20010203_040506.jpg'

test('a full disk keeps the existing plan, and leaves no partial new one', async () => {
  workspace.put('plan.json', 'the old one')
  workspace.put(
    'write.ts',
    `import { writeTextFile } from '${join(import.meta.dir, '../../cli/plans/plan-file.ts')}'
    await writeTextFile('plan.json', 'x'.repeat(6500)).catch(error => console.log(error.name, error.message))`,
  )
  // The system writes 4 KB of a file, and refuses the rest.
  const ran = await workspace.sh(`trap '' XFSZ; ulimit -f 4; '${process.execPath}' run write.ts`)
  expect(ran.out).toContain('Failure plan.json: The file would be larger than the disk or the limits allow (EFBIG)')
  expect(readFileSync(workspace.at('plan.json'), 'utf8')).toBe('the old one')
  expect((await workspace.sh('ls plan.json*')).out).toBe('plan.json\n')
}, 60_000)

test('--dry-run writes no plan, and a plan cannot be written to standard output', async () => {
  workspace.put('plan.json', 'the old one')
  for (const line of ['sort Archive', 'transfer --to Archive --query year:2019', 'import ~/Card --into Archive']) {
    expect(await keepsake(`${line} --plan plan.json --dry-run`)).toMatchObject({ code: 0 })
    expect(readFileSync(workspace.at('plan.json'), 'utf8')).toBe('the old one')
    expect(await keepsake(`${line} --plan -`)).toMatchObject({ code: 2 })
  }
  expect((await keepsake('backup --out -')).code).toBe(2)
  expect(existsSync(workspace.at('-'))).toBe(false)
}, 60_000)

describe('a plan', () => {
  test('is a readable file, changes nothing until it is applied, and is then performed as written', async () => {
    const planned = await keepsake('sort Archive --plan plan.json --json')
    expect(planned.objects).toMatchObject([{ type: 'summary', dryRun: true, plan: 'plan.json', files: 2, stay: 0 }])
    expect(existsSync(workspace.at('Archive/one.jpg'))).toBe(true)
    const plan = planDocument.parse(JSON.parse(readFileSync(workspace.at('plan.json'), 'utf8')))
    expect(plan).toMatchObject({ schema: 1, work: { command: 'sort' }, target: { name: 'Archive' } })
    expect(plan.files[0]).toMatchObject({
      from: 'one.jpg',
      to: '2001/IMG_20010203_040506.jpg',
      hash: expect.any(String),
    })
    expect((await keepsake('apply plan.json --dry-run')).err).toContain('Nothing has changed since the plan was made.')
    const done = await keepsake('apply plan.json --json')
    expect(done.objects.at(-1)).toMatchObject({ state: 'done', moved: 2, step: expect.any(String) })
    expect(existsSync(workspace.at(sorted))).toBe(true)
    // The plan has already been performed.
    expect((await keepsake('apply plan.json')).code).toBe(6)
  }, 120_000)

  test.each([
    [
      'the content of a file has changed, but not its size and time',
      () => changeByte(workspace.at('Archive/one.jpg')),
      'content has changed',
    ],
    ['the time of a file has changed', () => utimesSync(workspace.at('Archive/one.jpg'), 1e9, 1e9), 'one.jpg'],
    ['a file is gone', () => renameSync(workspace.at('Archive/one.jpg'), workspace.at('elsewhere.jpg')), 'one.jpg'],
    ['the target of a file is taken', () => workspace.put(sorted, 'mine'), 'is taken'],
  ])(
    'is refused when %s',
    async (_what, change, says) => {
      await keepsake('sort Archive --plan plan.json')
      change()
      const ran = await keepsake('apply plan.json')
      expect(ran.code).toBe(6)
      expect(ran.out).toContain(says)
      expect(ran.err).toContain('Nothing was done')
      expect(existsSync(workspace.at('Archive/two.jpg'))).toBe(true)
      const reported = await keepsake('apply plan.json --json')
      expect(reported.objects.at(-1)).toMatchObject({ type: 'summary', state: 'failed' })
    },
    120_000,
  )

  test('of an import or a transfer is performed', async () => {
    expect((await keepsake('import ~/Card --into Archive --plan import.json')).code).toBe(0)
    expect((await keepsake('apply import.json --json')).objects.at(-1)).toMatchObject({ copied: 1 })
    expect(existsSync(workspace.at('Archive/2022/IMG_20220102_030405.jpg'))).toBe(true)
    await keepsake('import ~/Card --into Pictures --plan import.json')
    workspace.put('Card/more.jpg', await picture({ seed: 14, exif: takenAt('2022-01-02 03:04:06') }))
    expect((await keepsake('apply import.json')).code).toBe(6)
    expect((await keepsake('transfer --to Archive --query year:2021 --plan transfer.json')).code).toBe(0)
    expect((await keepsake('apply transfer.json')).err).toContain('Undo: keepsake history undo')
    expect(existsSync(workspace.at('Archive/2021/IMG_20210506_070809.jpg'))).toBe(true)
    expect((await keepsake('history undo last')).code).toBe(0)
    expect(existsSync(workspace.at('Pictures/2021/hills.jpg'))).toBe(true)
  }, 180_000)

  test('that is invalid or of another library is refused', async () => {
    workspace.put('other.json', '{"type":"keepsake-plan","schema":2}')
    expect(await keepsake('apply other.json')).toMatchObject({ code: 2 })
    workspace.put('other.json', 'text')
    expect(await keepsake('apply other.json')).toMatchObject({ code: 2 })
    expect(await keepsake('apply nothing.json')).toMatchObject({ code: 4 })
    expect((await keepsake('sort Archive --plan /nowhere/plan.json')).err).toContain(
      'There is no directory /nowhere for',
    )
    await keepsake('sort Archive --plan plan.json')
    expect((await keepsake('--data ~/other scan ~/Card')).code).toBe(0)
    expect((await keepsake('--data ~/other apply plan.json')).code).toBe(6)
  }, 120_000)
})

/** Changes a byte in the middle of a file, but keeps the time of the file to the nanosecond. */
function changeByte(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(`${path}.rotten`, bytes)
  Bun.spawnSync(['touch', '-r', path, `${path}.rotten`])
  renameSync(`${path}.rotten`, path)
}
