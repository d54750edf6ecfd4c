import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'

describe('keepsake user', () => {
  test('create adds an account, list shows it, and passwd changes its password', async () => {
    const data = join(temporaryDirectory(), 'data')
    const created = await runCommand(
      ['--data', data, 'user', 'create', 'ines', '--admin', '--full-name', 'Inés Ferrer'],
      {
        input: 'good picture\n',
      },
    )
    expect(created).toMatchObject({ code: 0, out: '' })
    expect((await runCommand(['--data', data, 'user', 'list', '--json'])).objects).toEqual([
      {
        type: 'user',
        id: 1,
        username: 'ines',
        name: 'Inés Ferrer',
        email: 'ines@localhost',
        globaladmin: true,
        disabled: false,
      },
      { type: 'summary', schema: 1, state: 'done', users: 1 },
    ])
    expect((await runCommand(['--data', data, 'user', 'passwd', 'INES'], { input: 'better picture\n' })).code).toBe(0)
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  test('create and passwd --json print the account, one object a line with a summary at the end', async () => {
    const data = join(temporaryDirectory(), 'data')
    const account = {
      type: 'user',
      id: 1,
      username: 'ines',
      name: 'Inés Ferrer',
      email: 'i@example.org',
      globaladmin: true,
      disabled: false,
    }
    const summary = { type: 'summary', schema: 1, state: 'done', users: 1 }
    const details = ['--admin', '--full-name', account.name, '--email', account.email]
    const created = await runCommand(['--data', data, 'user', 'create', 'ines', ...details, '--json'], {
      input: 'secret\n',
    })
    expect(created).toMatchObject({ code: 0, err: '', objects: [account, summary] })
    const changed = await runCommand(['--data', data, 'user', 'passwd', 'INES', '--json'], { input: 'better\n' })
    expect(changed).toMatchObject({ code: 0, err: '', objects: [account, summary] })
    for (const { out } of [created, changed]) {
      expect(out.trimEnd().split('\n')).toHaveLength(2)
      expect(out).not.toMatch(/secret|better|argon|hash/)
    }
  })

  test('errors are reported in the summary of --json too', async () => {
    const data = join(temporaryDirectory(), 'data')
    await runCommand(['--data', data, 'user', 'create', 'ines'], { input: 'secret\n' })
    for (const [args, code, message] of [
      [['create', 'ines'], 1, "There is already a user 'ines'."],
      [['create', 'ben', '--pin', '12345'], 2, 'at most 4'],
      [['passwd', 'nobody'], 4, "There is no user 'nobody'"],
    ] as const) {
      const ran = await runCommand(['--data', data, 'user', ...args, '--json'], { input: 'secret\n' })
      expect(ran.code).toBe(code)
      expect(ran.err).toContain(message)
      expect(ran.objects).toEqual([
        { type: 'summary', schema: 1, state: 'failed', error: expect.stringContaining(message) },
      ])
    }
  })

  for (const [what, args, input, code, message] of [
    ['a name that is taken', ['create', 'ines'], 'secret\n', 1, /already a user/],
    ['a name that is too long', ['create', 'a'.repeat(21)], 'secret\n', 2, /less than 20 characters/],
    ['no password', ['create', 'ben'], '', 2, /Password is required/],
    ['a password that is too short', ['create', 'ben'], 'ab\n', 2, /more than 2 characters/],
    ['a PIN that is too long', ['create', 'ben', '--pin', '12345'], 'secret\n', 2, /at most 4/],
    ['a password for an unknown user', ['passwd', 'nobody'], 'secret\n', 4, /no user 'nobody'/],
  ] as const) {
    test(`${what} is an error (${code})`, async () => {
      const data = join(temporaryDirectory(), 'data')
      await runCommand(['--data', data, 'user', 'create', 'ines'], { input: 'secret\n' })
      const ran = await runCommand(['--data', data, 'user', ...args], { input })
      expect(ran.code).toBe(code)
      expect(ran.err).toMatch(message)
    })
  }
})

describe('keepsake config', () => {
  test('prints every setting with its value and where it came from', async () => {
    const data = temporaryDirectory()
    const { code, objects } = await runCommand(['--data', data, 'config', '--json'], {
      environment: { KEEPSAKE_LISTEN: '127.0.0.1:9' },
    })
    expect(code).toBe(0)
    expect(objects[0]).toMatchObject({ name: 'data', value: data, origin: 'flag --data' })
    expect(objects.find(row => row.name === 'listen')).toMatchObject({
      value: '127.0.0.1:9',
      origin: 'environment KEEPSAKE_LISTEN',
    })
    expect(objects.find(row => row.name === 'scan_every')).toMatchObject({ value: '24h', origin: 'default' })
  })

  test('a malformed setting ends a command with an error that names it', async () => {
    const ran = await runCommand(['--data', temporaryDirectory(), 'config'], {
      environment: { KEEPSAKE_SCAN_EVERY: 'often' },
    })
    expect(ran.code).toBe(2)
    expect(ran.err).toContain("Setting 'scan_every' (environment KEEPSAKE_SCAN_EVERY)")
  })
})
