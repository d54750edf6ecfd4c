import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { isLong } from '../support/long.ts'

const sweep = join(import.meta.dir, 'language.test.ts')
const thirtyMinutes = 30 * 60_000

for (const code of ['de', 'fa', 'zh-Hans'])
  test.if(isLong)(
    `every screen is translated, accessible and whole in the language '${code}'`,
    async () => {
      const tests = Bun.spawn([process.execPath, 'test', '--timeout=120000', sweep], {
        env: { ...process.env, TESTED_LANGUAGE: code },
        stdout: 'ignore',
        stderr: 'pipe',
      })
      const failed = (await new Response(tests.stderr).text()).split('\n').filter(line => line.startsWith('(fail)'))
      expect({ failed, exitCode: await tests.exited }).toEqual({ failed: [], exitCode: 0 })
    },
    thirtyMinutes,
  )
