import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { isLong } from '../support/long.ts'

const sweeps = ['accessibility.test.ts', 'widths.test.ts'].map(name => join(import.meta.dir, name))
const thirtyMinutes = 30 * 60_000

for (const code of ['de', 'fa', 'zh-Hans'])
  test.if(isLong)(
    `every screen in the language '${code}' is accessible, and nothing overflows or is cut off`,
    async () => {
      const sweep = Bun.spawn([process.execPath, 'test', '--timeout=120000', ...sweeps], {
        env: { ...process.env, TESTED_LANGUAGE: code },
        stdout: 'ignore',
        stderr: 'pipe',
      })
      const failed = (await new Response(sweep.stderr).text()).split('\n').filter(line => line.startsWith('(fail)'))
      expect({ failed, exitCode: await sweep.exited }).toEqual({ failed: [], exitCode: 0 })
    },
    thirtyMinutes,
  )
