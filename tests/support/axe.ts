/** What axe finds on a page. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { z } from 'zod'

const axe = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

const violationList = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string() })) }),
)

/** Violations that axe calls serious or critical, one line each. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(`${axe}; undefined`)
  const run = `axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'))`
  return violationList
    .parse(await page.evaluate(run))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.split('\n')[1]?.trim()}`),
    )
}
