import { expect, test } from 'bun:test'
import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../../support/command.ts'
import { openScanningLibrary, picture } from '../../support/scanning-library.ts'

test('an empty database file and damaged secrets are reported with a remedy', async () => {
  const setup = openScanningLibrary()
  setup.put('a.jpg', await picture({ seed: 1 }))
  await setup.scan()
  setup.library.close()
  const keepsake = (...words: string[]) => runCommand(['--data', setup.data, ...words])

  const secrets = join(setup.data, 'secrets.json')
  writeFileSync(secrets, '{"tokenKey":')
  const listed = await keepsake('item', 'list')
  expect([listed.code, listed.err]).toEqual([
    2,
    expect.stringContaining(`${secrets} is damaged. Take it from a backup. Or delete it:`),
  ])
  expect((await keepsake('doctor')).out).toContain(`${secrets} is damaged.`)

  const database = join(setup.data, 'library.db')
  truncateSync(database, 0)
  for (const words of [
    ['item', 'list'],
    ['scan', '--all'],
    ['backup', '--out', join(setup.data, '../b.zip')],
  ]) {
    const { code, err } = await keepsake(...words)
    expect([words[0], code, err]).toEqual([words[0], 1, expect.stringContaining('keepsake restore FILE --force')])
  }
  expect((await keepsake('doctor')).code).toBe(1)
  expect(statSync(database).size).toBe(0)
}, 60_000)
