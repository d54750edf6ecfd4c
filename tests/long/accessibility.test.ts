import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { z } from 'zod'
import { describeWalks } from '../support/browser.ts'
import { changeTheme, openScene } from '../support/open-scene.ts'
import { type SceneServers, startSceneServers } from '../support/scene-servers.ts'
import { scenes } from '../support/scenes.ts'

const axe = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

const violationList = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string() })) }),
)

/** Violations that axe calls serious or critical, one line each. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(`${axe}; undefined`)
  const run = `axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'))`
  return violationList
    .parse(await page.evaluate(run))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.split('\n')[1]?.trim()}`),
    )
}

/** A script that returns how many pixels wider the page is than its window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const minute = 60_000

describeWalks('every screen', () => {
  let sceneServers: SceneServers
  beforeAll(async () => {
    sceneServers = await startSceneServers()
  }, 5 * minute)
  afterAll(() => sceneServers.stop())

  for (const scene of scenes) {
    test(
      `${scene.name}: on laptop and phone, axe finds nothing serious in any theme, nothing overflows in any direction`,
      async () => {
        for (const device of ['laptop', 'phone'] as const) {
          if (scene.only !== undefined && scene.only !== device) continue
          const { page } = await openScene(sceneServers, scene, { device, theme: 'dark' })
          try {
            const dark = await faultsOf(page)
            await changeTheme(page, 'light')
            const light = await faultsOf(page)
            expect({ device, dark, light }).toEqual({ device, dark: [], light: [] })
            expect(Number(await page.evaluate(overflow))).toBeLessThanOrEqual(0)
            await page.evaluate(`document.documentElement.dir = 'rtl'`)
            expect(Number(await page.evaluate(overflow))).toBeLessThanOrEqual(0)
          } finally {
            // A page that stays open keeps drawing, which slows all later tests.
            await page.context().close()
          }
        }
      },
      2 * minute,
    )
  }
})
